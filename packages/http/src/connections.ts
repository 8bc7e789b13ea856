import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** How long a client may keep sending after its answer. */
const LINGER_MS = 1_000;
/** How much of that is read. */
const LINGER_BYTES = 64 * 1024 * 1024;
/** A body of at most this length is read to its end after an early answer, and the connection is kept. */
const SHORT_BYTES = 64 * 1024;
/** How often connections are checked. */
const CHECK_MS = 1000;

/** How long a connection may be inactive. Milliseconds. */
export interface ConnectionTimes {
  /** From the end of an answer to the head of the next request. */
  readonly idleMs: number;
  /** While the client reads nothing of its answer. */
  readonly stallMs: number;
}

/** What a server does about its connections beyond what Node does. */
export interface Connections {
  /** Whether an answer is being sent: then no other answer may be written. */
  isAnswering(socket: Duplex): boolean;
  /** Closes connections that have not received anything yet. Node does not count them as idle. */
  closeUnused(): void;
}

/** The state of a connection. */
interface Watched {
  /** Requests without a complete answer. */
  open: number;
  /** The answer being sent, if any. */
  answer: ServerResponse | null;
  /** How many bytes the client had read at the last check, and since when that number has not changed. */
  taken: number;
  since: number;
}

/**
 * Ends the connections of a server in time. After the server stops listening, a connection ends with its current
 * answer. A refusal may be sent before its whole request has arrived: unless the rest is short, it says
 * `connection: close`, and the connection ends a little later. Closing at once would cut the client off while it sends,
 * and it might never read the answer. An unread body that has arrived completely is discarded, or the next request
 * would wait behind it forever. Inactive connections are closed every `CHECK_MS`: Node counts a connection as active
 * that gets a line end now and then. Call this before the server listens.
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

/** Closes a connection shortly after the last write, even when the client keeps sending or reads nothing. */
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

/** Whether a connection has been inactive for too long. Before its first request that is up to Node. */
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

/** Reads and discards the rest of a request. Resolves at its end, or at a limit. */
function discard(incoming: IncomingMessage): Promise<void> {
  // Other readers would keep the bytes, or pause the stream.
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
