import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** So long a client is listened to that still sends when it has its answer. */
const LINGER_MS = 1_000;
/** And so much of it is taken. */
const LINGER_BYTES = 64 * 1024 * 1024;
/** What is no longer than this is on its way already: it is waited for, and the connection stays. */
const SHORT_BYTES = 64 * 1024;
/** From one look at the connections to the next. */
const CHECK_MS = 1000;

/** How long a connection may stand still. Milliseconds. */
export interface ConnectionTimes {
  /** From the end of an answer to the head of the next request. */
  readonly idleMs: number;
  /** A client that takes nothing of what is sent. */
  readonly stallMs: number;
}

/** What a server does about its connections, beside what Node does. */
export interface Connections {
  /** Whether an answer is on its way over it, so that no other one may be written there. */
  isAnswering(socket: Duplex): boolean;
  /** Ends the connections over which nothing has come yet, which for Node are not idle. */
  closeUnused(): void;
}

/** One connection, as it was last looked at. */
interface Watched {
  /** The requests that have no whole answer yet. */
  open: number;
  /** The answer that is under way, if there is one. */
  answer: ServerResponse | null;
  /** How many bytes the client had taken then, and since when these are as many. */
  taken: number;
  since: number;
}

/**
 * Has the connections of a server end when they should. Of one that takes no more connections, they do with the answer
 * that is under way. And answers may come before all of their request has, as a refusal does: unless the rest is short,
 * they say `connection: close`, and the connection ends a little after them: at once, the client would be cut off while
 * it sends, and might never read the answer. What is left of a body that is all there is thrown away, or the next
 * request would wait behind it for ever. Connections that stand still are looked for every `CHECK_MS`: Node takes one
 * over which a line end comes now and then for one that is used. To be called before the server listens.
 */
export function endConnections(server: Server, times: ConnectionTimes): Connections {
  const watched = new Map<Duplex, Watched>();
  const unused = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    unused.add(socket);
    watched.set(socket, { open: 0, answer: null, taken: 0, since: performance.now() });
    socket.once("close", () => {
      unused.delete(socket);
      watched.delete(socket);
    });
  });
  server.prependListener("request", (incoming: IncomingMessage, outgoing: ServerResponse) => {
    unused.delete(incoming.socket);
    const connection = watched.get(incoming.socket);
    if (connection !== undefined) watchAnswer(connection, outgoing);
    const { writeHead } = outgoing;
    outgoing.writeHead = ((...args: Parameters<typeof writeHead>) => {
      const isEarly = !incoming.complete && !isShort(incoming);
      if (isEarly || !server.listening) outgoing.shouldKeepAlive = false;
      return writeHead.apply(outgoing, args);
    }) as typeof writeHead;
    allowEarlyEnd(incoming, outgoing);
  });
  const timer = setInterval(() => {
    const now = performance.now();
    for (const [socket, connection] of watched) {
      if (standsStill(socket, connection, now, times)) socket.destroy();
    }
  }, CHECK_MS).unref();
  server.once("close", () => clearInterval(timer));
  return {
    isAnswering: (socket) => watched.get(socket)?.answer?.headersSent === true,
    closeUnused() {
      for (const socket of unused) if (socket.bytesRead === 0) socket.destroy();
    },
  };
}

/** Ends a connection after what was written to it: a client that goes on sending, or takes nothing, has a moment. */
export function endSoon(socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once("close", () => clearTimeout(timer));
}

function watchAnswer(connection: Watched, outgoing: ServerResponse): void {
  connection.open += 1;
  connection.answer = outgoing;
  outgoing.once("close", () => {
    connection.open -= 1;
    if (connection.answer === outgoing) connection.answer = null;
    connection.since = performance.now();
  });
}

/** Whether nothing has gone on over it for too long. Connections without a first request end as Node has it. */
function standsStill(
  socket: Duplex,
  connection: Watched,
  now: number,
  { idleMs, stallMs }: ConnectionTimes,
): boolean {
  const { bytesWritten, writableLength } = socket as Socket;
  const taken = bytesWritten - writableLength;
  if (taken !== connection.taken) {
    connection.taken = taken;
    connection.since = now;
  }
  if (writableLength > 0) return now - connection.since > stallMs;
  return connection.open === 0 && taken > 0 && now - connection.since > idleMs;
}

function allowEarlyEnd(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { end } = outgoing;
  outgoing.end = ((...args: Parameters<typeof end>) => {
    outgoing.end = end;
    if (incoming.readableEnded || incoming.destroyed) return end.apply(outgoing, args);
    const isComplete = incoming.complete;
    const discarded = discard(incoming);
    if (isComplete) return end.apply(outgoing, args);
    const [chunk] = args as readonly unknown[];
    if (typeof chunk === "string" || chunk instanceof Uint8Array) outgoing.write(chunk);
    else outgoing.flushHeaders();
    void discarded.then(() => {
      outgoing.end();
      if (incoming.complete) return;
      incoming.socket.destroySoon();
      endSoon(incoming.socket);
    });
    return outgoing;
  }) as typeof end;
}

function isShort({ headers }: IncomingMessage): boolean {
  return Number(headers["content-length"] ?? Number.NaN) <= SHORT_BYTES;
}

/** Takes what still comes and keeps nothing of it. Resolves with its end, or when it has been enough. */
function discard(incoming: IncomingMessage): Promise<void> {
  // Whoever reads it would keep what it gets, or have it wait.
  incoming.removeAllListeners("data");
  incoming.removeAllListeners("readable");
  return new Promise((resolve) => {
    let bytes = 0;
    const timer = setTimeout(resolve, LINGER_MS);
    const enough = (): void => {
      clearTimeout(timer);
      resolve();
    };
    incoming.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > LINGER_BYTES) enough();
    });
    incoming.once("end", enough);
    incoming.once("close", enough);
    incoming.on("error", enough);
    incoming.resume();
  });
}
