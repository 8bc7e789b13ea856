import { randomUUID } from "node:crypto";
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import { errorBody, Problem } from "@quire/http/parts";
import { endSoon } from "./connections.ts";
import type { ServiceHandler } from "./service-handler.ts";

/** Handles a request from a `node:http` server. */
export type NodeListener = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** The statuses for errors of Node's HTTP parser, which occur before there is a request. Any other error gets a 400. */
const STATUSES: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};
type AnyHandler = ServiceHandler | ((request: Request) => unknown);

/** Connections that have already been rejected. Further errors on them are ignored. */
const refused = new WeakSet<Duplex>();
/** Errors after which nobody waits for a response. */
const GONE = new Set(["ECONNRESET", "EPIPE"]);

/**
 * Returns a handler for Node's requests and responses, for Express, Fastify and `node:http`. If it is mounted at a
 * path, pass that path to the handler as its `prefix`, because paths are matched as the client sent them. Rejects if
 * other code, such as a body parser, has already read the body. Mount body parsers after this handler.
 */
export function nodeListener(
  handler: ServiceHandler | ((request: Request) => Response | Promise<Response>),
): NodeListener {
  const listen = getRequestListener(handler, {
    // The global `Request` and `Response` of the process remain unchanged.
    overrideGlobalObjects: false,
    errorHandler: () => refusal(handler, null, badRequest(400)),
  });
  return async (incoming, outgoing) => {
    if (incoming.readableDidRead) {
      throw new TypeError(
        "The request body was read before Quire received the request. Mount Quire before any body parser.",
      );
    }
    // Within a mounted router, Express keeps only the rest of the path in `url`.
    const { originalUrl } = incoming as { readonly originalUrl?: string };
    if (originalUrl !== undefined) incoming.url = originalUrl;
    await listen(incoming, outgoing);
  };
}

/**
 * Responds to a malformed or late request, and ends its connection soon afterwards. If the connection ended
 * immediately, the client would miss the response. If it remained open, a client that continues to send would occupy it
 * forever.
 */
export function refuseConnection(
  handler: AnyHandler,
  error: NodeJS.ErrnoException,
  socket: Duplex,
): void {
  if (refused.has(socket)) return;
  refused.add(socket);
  if (!socket.writable || GONE.has(error.code ?? "")) {
    socket.destroy();
    return;
  }
  answer(socket, refusal(handler, null, badRequest(STATUSES[error.code ?? ""] ?? 400)));
}

/** Responds to a CONNECT request, which never reaches the handler, because the service is not a proxy. */
export function refuseConnect(handler: AnyHandler, socket: Duplex): void {
  // The client may have disconnected, and Node no longer listens for errors.
  socket.on("error", () => socket.destroy());
  const allow = "GET, HEAD, POST, PUT, DELETE, OPTIONS";
  const problem = new Problem(
    405,
    "method_not_allowed",
    "This is not a proxy: CONNECT is not supported.",
    {
      headers: { allow, connection: "close" },
    },
  );
  answer(socket, refusal(handler, "CONNECT", problem));
}

/** Rejects a request that has not fully arrived, because there are too many connections. Closes the connection. */
export function refuseCrowded(handler: AnyHandler, { method, socket }: IncomingMessage): void {
  refused.add(socket);
  const problem = new Problem(
    503,
    "unavailable",
    "The service has reached its connection limit, and this request was the slowest to arrive. Send it again.",
    { headers: { connection: "close", "retry-after": "1" } },
  );
  answer(socket, refusal(handler, method ?? null, problem));
}

/** Writes a response to a connection and ends the connection soon afterwards. */
function answer(socket: Duplex, response: Response): void {
  endSoon(socket);
  void response.text().then((body) => {
    const { status } = response;
    const headers = [...response.headers, ["content-length", String(Buffer.byteLength(body))]];
    const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`);
  });
}

function badRequest(status: number): Problem {
  return new Problem(status, "bad_request", MESSAGES[status] ?? MALFORMED, {
    headers: { connection: "close" },
  });
}

const MALFORMED =
  "This is not a valid HTTP request: its first line, headers or framing is malformed. Correct it, and send it again.";
const MESSAGES: Readonly<Record<number, string>> = {
  408: "The request did not arrive in time. Send it again, without long pauses.",
  413: "The chunk extensions of the request are too long. Send it without chunk extensions.",
  431: "The headers of the request are too long. Send fewer or shorter ones.",
};

/**
 * Returns the response to a rejected request. A handler of Quire creates it, because it knows the address of its pages
 * and has a log.
 */
function refusal(handler: AnyHandler, method: string | null, problem: Problem): Response {
  if ("refuse" in handler) return handler.refuse(method, problem);
  const requestId = randomUUID();
  return Response.json(errorBody(problem, requestId, "about:blank"), {
    status: problem.status,
    headers: { ...problem.headers, "x-request-id": requestId, "x-content-type-options": "nosniff" },
  });
}
