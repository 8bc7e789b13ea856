import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { endConnections } from "./connections.ts";
import { defaultMaxConnections } from "./max-connections.ts";
import { nodeListener, refuseConnect, refuseConnection, refuseCrowded } from "./node-listener.ts";
import type { ServiceHandler } from "./service-handler.ts";

/** Options of {@link startServer}. Times are in milliseconds. */
export interface ServerOptions {
  /** The address to listen on. Default: `127.0.0.1`, which only this machine can reach. */
  readonly host?: string;
  /** The port. Default: 8080. 0 picks any free port. */
  readonly port?: number;
  /** The time limit for the head of a request. Default: 10,000. */
  readonly headersTimeoutMs?: number;
  /** The time limit for the whole request, including uploads. Default: 300,000. */
  readonly requestTimeoutMs?: number;
  /** How long an idle connection is kept. Default: 65,000, which is longer than proxies keep their connections. */
  readonly keepAliveMs?: number;
  /**
   * Maximum time without the client reading any part of its response. After that, the connection is closed. Default:
   * 30,000.
   */
  readonly stallMs?: number;
  /**
   * The maximum number of connections. To admit another, the least useful connection is closed: one that has no
   * request, or whose request or response is slow, but never one whose request is being processed. Default: 10,000, but
   * at most a third of the number of files that the system lets the process open.
   */
  readonly maxConnections?: number;
}

/** A listening server. */
export interface RunningServer {
  /** The address of the server, for example `http://127.0.0.1:8080`. */
  readonly url: string;
  /** The actual port, even if the option is 0. */
  readonly port: number;
  /**
   * Stops accepting connections and waits up to `graceMs` (default 10,000) for the current requests. Then closes their
   * connections. May be called more than once.
   */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

const MAX_HEADER_BYTES = 16 * 1024;
const CHECK_MS = 1000;
/**
 * The number of connections that the system queues, up to the system's own limit. Node's default of 511 makes many
 * clients wait.
 */
const BACKLOG = 4096;
const GRACE_MS = 10_000;
/**
 * Added to the idle time of a connection, because the next request may begin to arrive at the very end of that time.
 */
const LAST_MOMENT_MS = 2_000;
/**
 * How long `close` keeps connections that have not received anything yet, because a request may be in transit on them.
 */
const UNUSED_GRACE_MS = 1000;

/** Serves a handler over HTTP/1.1. Rejects if the address is not available. Use a gateway for TLS. */
export async function startServer(
  handler: ServiceHandler | ((request: Request) => Response | Promise<Response>),
  options: ServerOptions = {},
): Promise<RunningServer> {
  const { host = "127.0.0.1", port = 8080 } = options;
  const { headersTimeoutMs = 10_000, requestTimeoutMs = 300_000 } = options;
  const { keepAliveMs = 65_000, stallMs = 30_000 } = options;
  const { maxConnections: most = defaultMaxConnections() } = options;
  const server = createServer(
    {
      // The head is part of the request, so it must arrive within the time limit for the whole request.
      headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
      requestTimeout: requestTimeoutMs,
      keepAliveTimeout: keepAliveMs,
      maxHeaderSize: MAX_HEADER_BYTES,
      connectionsCheckingInterval: CHECK_MS,
      // The listener itself rejects a request without a host, with an error object.
      requireHostHeader: false,
    },
    nodeListener(handler),
  );
  const connections = endConnections(server, {
    idleMs: keepAliveMs + Math.min(headersTimeoutMs, LAST_MOMENT_MS),
    stallMs,
    most,
    rejectEvicted: (incoming) => refuseCrowded(handler, incoming),
  });
  server.on("clientError", (error, socket) => {
    if (connections.isAnswering(socket)) socket.destroy();
    else refuseConnection(handler, error, socket);
  });
  server.on("connect", (_, socket) => refuseConnect(handler, socket));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host, backlog: BACKLOG }, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const { port: bound } = server.address() as AddressInfo;
  const name = host.includes(":") ? `[${host}]` : host;
  let closing: Promise<void> | null = null;
  return {
    url: `http://${name}:${bound}`,
    port: bound,
    close({ graceMs = GRACE_MS } = {}) {
      closing ??= closeServer(server, connections.closeUnused, graceMs);
      return closing;
    },
  };
}

async function closeServer(
  server: Server,
  closeUnused: () => void,
  graceMs: number,
): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  const unused = setTimeout(closeUnused, UNUSED_GRACE_MS);
  try {
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeIdleConnections();
    });
  } finally {
    clearTimeout(timer);
    clearTimeout(unused);
  }
}
