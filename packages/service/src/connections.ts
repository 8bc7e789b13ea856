import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** How long a client may keep sending after its response. */
const LINGER_MS = 1_000;
/** The maximum number of bytes that are read during this time. */
const LINGER_BYTES = 64 * 1024 * 1024;
/** A body of at most this length is read to its end after an early response, and the connection is kept. */
const SHORT_BYTES = 64 * 1024;
/** How often connections are checked. */
const CHECK_MS = 1000;

/** How long a connection may be inactive, in milliseconds, and the maximum number of connections. */
export interface ConnectionLimits {
  /** The maximum time from the end of a response to the head of the next request. */
  readonly idleMs: number;
  /** The maximum time during which a client reads nothing of its response. */
  readonly stallMs: number;
  /** The maximum number of connections. To admit a further one, the least useful connection is closed. */
  readonly most: number;
  /** Rejects a request whose connection must be closed before the request has fully arrived. Closes the connection. */
  readonly rejectEvicted: (incoming: IncomingMessage) => void;
}

/** Manages the connections of a server, in addition to what Node does. */
export interface Connections {
  /** Whether a response is being sent on the connection. If so, no other response may be written. */
  isAnswering(socket: Duplex): boolean;
  /** Closes connections that have not received anything yet. Node does not count them as idle. */
  closeUnused(): void;
}

/** The state of a connection. */
interface ConnectionState {
  /** The number of requests whose response is not complete. */
  open: number;
  /** The last request, while its response is not complete. */
  request: IncomingMessage | null;
  /** The response that is being sent, if any. */
  response: ServerResponse | null;
  /** Whether the connection has been closed to make room for another one. */
  isEvicted: boolean;
  /** The number of bytes that the client had read at the last check, and the time of the last change. */
  readBytes: number;
  since: number;
}

/**
 * Closes connections of a server that are finished, inactive or too many. After the server stops listening, a
 * connection ends with its current response. A rejection may be sent before its whole request has arrived. Unless the
 * rest is short, it contains `connection: close`, and the connection ends a little later. If the connection were closed
 * at once, a client that is still sending might never read the response. An unread body that has arrived completely is
 * discarded; otherwise the next request would wait behind it forever. A check every `CHECK_MS` closes inactive
 * connections, because Node counts a connection as active if it receives a line end now and then. If there are too many
 * connections, those without a request are closed first, then those whose request is still being sent, then those whose
 * response is being sent. Connections whose request is being processed are never closed. Call this before the server
 * listens.
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

/** Closes a connection shortly after the last write, even if the client keeps sending or reads nothing. */
export function endSoon(socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once("close", () => clearTimeout(timer));
}

function newConnection(): ConnectionState {
  const since = performance.now();
  return { open: 0, request: null, response: null, isEvicted: false, readBytes: 0, since };
}

/** The order in which connections are closed to make room. */
const FIRST = 0;
const NEVER = 4;

/** Closes the least useful connection. Among equal ones, closes the one in this state for the longest time. */
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
    // Connections without a request are in the order of their age, so this is the oldest one.
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
  // A client that has received a response may well send another request.
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

/** Whether a connection has been inactive for too long. Node handles connections before their first request. */
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

/** Reads and discards the rest of a request. Resolves at its end, or at a limit. */
function discard(incoming: IncomingMessage): Promise<void> {
  // Other readers would consume the bytes or pause the stream.
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
