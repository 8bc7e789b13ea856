import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** How long a client may continue to send after its response, in milliseconds. */
const LINGER_MS = 1_000;
/** The maximum number of bytes that are read during that time. */
const LINGER_BYTES = 64 * 1024 * 1024;
/** The maximum length of a body that is read to its end after an early response, so that the connection can be kept. */
const SHORT_BYTES = 64 * 1024;
/** The interval between checks of the connections, in milliseconds. */
const CHECK_MS = 1000;

/** The maximum durations of inactivity in milliseconds, and the maximum number of connections. */
export interface ConnectionLimits {
  /** The maximum time from the end of a response to the end of the next request's head. */
  readonly idleMs: number;
  /** The maximum time without the client reading any part of its response. */
  readonly stallMs: number;
  /** The maximum number of connections. To admit another, the least useful connection is closed. */
  readonly most: number;
  /**
   * Responds to a request whose connection must be closed before the request has fully arrived. Closes the connection.
   */
  readonly rejectEvicted: (incoming: IncomingMessage) => void;
}

/** Manages the connections of a server, in addition to Node's own management. */
export interface Connections {
  /** Whether a response is being sent on the connection. If so, no other response may be written to it. */
  isAnswering(socket: Duplex): boolean;
  /** Closes connections that have not received anything yet. Node does not treat them as idle. */
  closeUnused(): void;
}

/** The state of a connection. */
interface ConnectionState {
  /** The number of requests whose response is not complete. */
  open: number;
  /** The last request, if its response is not complete; otherwise null. */
  request: IncomingMessage | null;
  /** The response that is being sent, or null. */
  response: ServerResponse | null;
  /** Whether the connection has been closed to make room for another. */
  isEvicted: boolean;
  /** The number of bytes that the client had read at the last check. `since` is the time of the last change. */
  readBytes: number;
  since: number;
}

/**
 * Closes the connections of a server that are finished, inactive or too many. Must be called before the server listens.
 *
 * After the server stops listening, a connection ends with its current response. A rejection may be sent before its
 * whole request has arrived. Unless the rest of the request is short, the rejection contains `connection: close`, and
 * the connection ends a little later. If it ended immediately, a client that is still sending might never read the
 * response. If a body has arrived completely but is not read, it is discarded. Otherwise, the next request would wait
 * behind it forever.
 *
 * Inactive connections are closed by a check every `CHECK_MS`, because Node considers a connection active even if it
 * only receives a line break now and then. If there are too many connections, those without a request are closed first,
 * then those whose request is still arriving, and then those whose response is being sent. A connection is never closed
 * while its request is being processed.
 */
export function endConnections(server: Server, limits: ConnectionLimits): Connections {
  const states = new Map<Duplex, ConnectionState>();
  const unused = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    if (states.size >= limits.most && !evictOne(states, limits)) {
      socket.destroy();
      return;
    }
    unused.add(socket);
    states.set(socket, newConnection());
    socket.once("close", () => {
      unused.delete(socket);
      states.delete(socket);
    });
  });
  server.prependListener("request", (incoming: IncomingMessage, outgoing: ServerResponse) => {
    unused.delete(incoming.socket);
    const connection = states.get(incoming.socket);
    if (connection !== undefined) trackResponse(connection, incoming, outgoing);
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
    for (const [socket, connection] of states) {
      if (isStalled(socket, connection, now, limits)) socket.destroy();
    }
  }, CHECK_MS).unref();
  server.once("close", () => clearInterval(timer));
  return {
    isAnswering: (socket) => states.get(socket)?.response?.headersSent === true,
    closeUnused() {
      for (const socket of unused) if (socket.bytesRead === 0) socket.destroy();
    },
  };
}

/** Closes a connection shortly after the last write, even if the client continues to send or reads nothing. */
export function endSoon(socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once("close", () => clearTimeout(timer));
}

function newConnection(): ConnectionState {
  const since = performance.now();
  return { open: 0, request: null, response: null, isEvicted: false, readBytes: 0, since };
}

/** Ranks of connections: the lowest rank is closed first to make room. */
const FIRST = 0;
const NEVER = 4;

/** Closes the least useful connection: among equal ones, the one that has been in its state for the longest time. */
function evictOne(
  states: ReadonlyMap<Duplex, ConnectionState>,
  { rejectEvicted }: Pick<ConnectionLimits, "rejectEvicted">,
): boolean {
  let first: readonly [Duplex, ConnectionState] | null = null;
  let lowestRank = NEVER;
  for (const [socket, connection] of states) {
    const rank = evictionRank(socket, connection);
    const isLonger = first !== null && rank === lowestRank && connection.since < first[1].since;
    if (rank >= lowestRank && !isLonger) continue;
    first = [socket, connection];
    lowestRank = rank;
    // Connections without a request are sorted by age, so this is the oldest one.
    if (rank === FIRST) break;
  }
  if (first === null) return false;
  const [socket, connection] = first;
  connection.isEvicted = true;
  if (connection.request !== null && connection.response?.headersSent === false) {
    rejectEvicted(connection.request);
  } else {
    socket.destroy();
  }
  return true;
}

function evictionRank(
  socket: Duplex,
  { open, request, response, isEvicted }: ConnectionState,
): number {
  if (isEvicted) return NEVER;
  // A client that has received a response may send another request.
  if (open === 0) return (socket as Socket).bytesWritten === 0 ? FIRST : 1;
  if (response?.headersSent === true) return 3;
  return request?.complete === false ? 2 : NEVER;
}

function trackResponse(
  connection: ConnectionState,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): void {
  connection.open += 1;
  connection.request = incoming;
  connection.response = outgoing;
  outgoing.once("close", () => {
    connection.open -= 1;
    if (connection.response === outgoing) {
      connection.request = null;
      connection.response = null;
    }
    connection.since = performance.now();
  });
}

/** Whether a connection has been inactive for too long. Node itself handles connections before their first request. */
function isStalled(
  socket: Duplex,
  connection: ConnectionState,
  now: number,
  { idleMs, stallMs }: ConnectionLimits,
): boolean {
  const { bytesWritten, writableLength } = socket as Socket;
  const readBytes = bytesWritten - writableLength;
  if (readBytes !== connection.readBytes) {
    connection.readBytes = readBytes;
    connection.since = now;
  }
  if (writableLength > 0) return now - connection.since > stallMs;
  return connection.open === 0 && readBytes > 0 && now - connection.since > idleMs;
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

/** Reads and discards the rest of a request. Resolves at the end of the request, or when a limit is reached. */
function discard(incoming: IncomingMessage): Promise<void> {
  // Other listeners would consume the bytes or pause the stream.
  incoming.removeAllListeners("data");
  incoming.removeAllListeners("readable");
  return new Promise((resolve) => {
    let bytes = 0;
    const timer = setTimeout(resolve, LINGER_MS);
    const stop = (): void => {
      clearTimeout(timer);
      resolve();
    };
    incoming.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > LINGER_BYTES) stop();
    });
    incoming.once("end", stop);
    incoming.once("close", stop);
    incoming.on("error", stop);
    incoming.resume();
  });
}
