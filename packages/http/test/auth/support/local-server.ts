import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** What a local server was asked. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** Answers a request; may also keep it waiting, or cut it off. */
export type Answer = (response: ServerResponse, asked: Asked) => void | Promise<void>;

/** A server on this machine, whose answers a test changes as it goes. */
export interface LocalServer extends AsyncDisposable {
  readonly origin: string;
  readonly asked: readonly Asked[];
  answer: Answer;
  /** Refuses connections from now on; `origin` stays its own. */
  close(): Promise<void>;
}

export async function localServer(answer: Answer): Promise<LocalServer> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    // A client that kept its connection could send a request before it sees the end of it, and get no refusal.
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

/** Ways in which a server fails that no client can do anything about. */
export const FAILURES: Readonly<Record<string, Answer>> = {
  "answers with status 500": status(500),
  "answers with status 503": status(503),
  "answers with status 404": status(404),
  "answers with status 204": (response) => {
    response.writeHead(204).end();
  },
  "sends its client elsewhere": status(302, { location: "https://example.com/" }),
  "answers with HTML": (response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<html>Sign in</html>");
  },
  "answers with broken JSON": (response) => {
    response.writeHead(200, { "content-type": "application/json" }).end('{"keys": [');
  },
  "answers with a list": json([]),
  "answers with null": json(null),
  "answers with another object": json({ hello: "world" }),
  "answers with nothing": (response) => {
    response.writeHead(200, { "content-type": "application/json" }).end();
  },
  "hangs up at once": (response) => {
    response.destroy();
  },
  "hangs up within its answer": (response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
    response.write('{"active": true', () => response.destroy());
  },
  "never answers": () => {},
  "never ends its answer": (response) => {
    response.writeHead(200, { "content-type": "application/json" }).write('{"active":');
  },
  "answers with more than is read": (response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(`{"active": true, "keys": [], "more": "${"x".repeat(2_000_000)}"}`);
  },
};
