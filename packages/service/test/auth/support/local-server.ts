import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A request that a local server received. */
export interface IssuerCall {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** Responds to a request; may also delay the response or close the connection. */
export type Answer = (response: ServerResponse, asked: IssuerCall) => void | Promise<void>;

/** A server on this machine whose responses tests can change. */
export interface LocalServer extends AsyncDisposable {
  readonly origin: string;
  readonly asked: readonly IssuerCall[];
  answer: Answer;
  /** Makes the server refuse connections from now on; `origin` does not change. */
  close(): Promise<void>;
}

export async function localServer(answer: Answer): Promise<LocalServer> {
  const asked: IssuerCall[] = [];
  const server = createServer(async (request, response) => {
    // With keep-alive, a client could still send a request on an old connection, which the server would not refuse.
    response.shouldKeepAlive = false;
    const { method = "", url: path = "", headers } = request;
    const question = { method, path, headers, body: await text(request) };
    asked.push(question);
    await local.answer(response, question);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  };
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const local: LocalServer = { origin, asked, answer, close, [Symbol.asyncDispose]: close };
  return local;
}

export function json(value: unknown, type = "application/json"): Answer {
  return (response) => {
    response.writeHead(200, { "content-type": type }).end(JSON.stringify(value));
  };
}

export function status(code: number, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(code, headers).end("no");
  };
}

/** Failures of a server that a client cannot prevent. */
export const FAILURES: Readonly<Record<string, Answer>> = {
  "responds with status 500": status(500),
  "responds with status 503": status(503),
  "responds with status 404": status(404),
  "responds with status 204": (response) => {
    response.writeHead(204).end();
  },
  "redirects its client": status(302, { location: "https://example.com/" }),
  "answers with HTML": (response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<html>Sign in</html>");
  },
  "responds with broken JSON": (response) => {
    response.writeHead(200, { "content-type": "application/json" }).end('{"keys": [');
  },
  "responds with a list": json([]),
  "responds with null": json(null),
  "responds with another object": json({ hello: "world" }),
  "responds with nothing": (response) => {
    response.writeHead(200, { "content-type": "application/json" }).end();
  },
  "closes the connection at once": (response) => {
    response.destroy();
  },
  "closes the connection within its response": (response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
    response.write('{"active": true', () => response.destroy());
  },
  "never answers": () => {},
  "never ends its response": (response) => {
    response.writeHead(200, { "content-type": "application/json" }).write('{"active":');
  },
  "responds with more than the limit": (response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(`{"active": true, "keys": [], "more": "${"x".repeat(2_000_000)}"}`);
  },
};
