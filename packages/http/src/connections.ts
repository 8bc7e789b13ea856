import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** So long a client is listened to that still sends when it has its answer. */
const LINGER_MS = 1_000;
/** And so much of it is taken. */
const LINGER_BYTES = 64 * 1024 * 1024;
/** What is no longer than this is on its way already: it is waited for, and the connection stays. */
const SHORT_BYTES = 64 * 1024;

/**
 * Has the connections of a server end when they should. Of one that takes no more connections, they do with the answer
 * that is under way. And answers may come before all of their request has, as a refusal does: unless the rest is short,
 * they say `connection: close`, and the connection ends a little after them: at once, the client would be cut off while
 * it sends, and might never read the answer. What is left of a body that is all there is thrown away, or the next
 * request would wait behind it for ever. To be called before the server listens; gives what ends the connections over
 * which nothing has come yet, which for Node are not idle.
 */
export function endConnections(server: Server): () => void {
  const unused = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    unused.add(socket);
    socket.once("close", () => unused.delete(socket));
  });
  server.prependListener("request", (incoming: IncomingMessage, outgoing: ServerResponse) => {
    unused.delete(incoming.socket);
    const { writeHead } = outgoing;
    outgoing.writeHead = ((...args: Parameters<typeof writeHead>) => {
      const isEarly = !incoming.complete && !isShort(incoming);
      if (isEarly || !server.listening) outgoing.shouldKeepAlive = false;
      return writeHead.apply(outgoing, args);
    }) as typeof writeHead;
    allowEarlyEnd(incoming, outgoing);
  });
  return () => {
    for (const socket of unused) if (socket.bytesRead === 0) socket.destroy();
  };
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
      if (!incoming.complete) incoming.socket.destroySoon();
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
