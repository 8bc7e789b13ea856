import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
  request as sendRequest,
} from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A request in transit to the server. */
export interface Seen {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
}

/** The server's response. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** What a fault can do with one request. */
export interface Exchange {
  readonly seen: Seen;
  /** Reads the whole request. */
  readonly read: () => Promise<Buffer>;
  /** Sends the whole request to the server, with the client's signature, and waits for the response. */
  readonly forward: () => Promise<Answer>;
  readonly reply: (answer: Answer) => void;
  /** Sends the response without its last `lacking` bytes, and keeps the connection open. */
  readonly begin: (answer: Answer, lacking: number) => void;
  readonly reset: () => void;
}

export type Fault = (exchange: Exchange) => Promise<void> | void;

/** Chooses the fault for a request; null for no fault. */
export type Plan = (seen: Seen) => Fault | null | Promise<Fault | null>;

export interface FaultProxy {
  readonly endpoint: string;
  /** All requests that have arrived. */
  readonly seen: readonly Seen[];
  plan: Plan;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Runs a proxy between a client and a server. The proxy applies the plan's fault to each request. */
export async function faultProxy(target: string, plan: Plan = () => null): Promise<FaultProxy> {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const { method = "", headers } = request;
    const entry = { method, headers, url: new URL(request.url ?? "/", target) };
    seen.push(entry);
    const fault = (await proxy.plan(entry)) ?? faults.none;
    try {
      await fault(exchangeOf(request, response, { target, seen: entry }));
    } catch {
      // The client has disconnected.
      response.destroy();
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const proxy: FaultProxy = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    plan,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
  return proxy;
}

/** Faults between a client and a server. */
export const faults = {
  none: async ({ forward, reply }: Exchange) => reply(await forward()),

  /** The server responds with an error before it does anything. */
  answer:
    (status: number, code: string): Fault =>
    async ({ read, reply }) => {
      await read();
      reply(xml(status, `<Error><Code>${code}</Code><Message>made by the test</Message></Error>`));
    },

  /** The server completes the request, but reports a failure. */
  failAfter: async ({ forward, reply }: Exchange) => {
    await forward();
    reply(xml(500, "<Error><Code>InternalError</Code></Error>"));
  },

  resetBefore: ({ reset }: Exchange) => reset(),

  /** The server completes the request, but its response is lost. */
  resetAfter: async ({ forward, reset }: Exchange) => {
    await forward();
    reset();
  },

  /** The connection breaks, and the server receives the whole request later. */
  late:
    (released: Promise<unknown>): Fault =>
    async ({ read, forward, reset }) => {
      await read();
      reset();
      await released;
      await forward();
    },

  /** The server never responds. */
  silence: () => {},

  /** The server responds late. */
  slow:
    (delayMs: number): Fault =>
    async ({ forward, reply }) => {
      const answer = await forward();
      await sleep(delayMs, undefined, { ref: false });
      reply(answer);
    },

  /** The last bytes of the response do not arrive, and the connection remains open. */
  stall: async ({ forward, begin }: Exchange) => begin(await forward(), 5),

  /** The last bytes of the response do not arrive, because the connection breaks. */
  truncate: async ({ forward, begin, reset }: Exchange) => {
    begin(await forward(), 5);
    await sleep(20);
    reset();
  },

  /** Makes the object look shorter than it is. */
  shorten: async ({ forward, reply }: Exchange) => {
    const answer = await forward();
    reply({ ...answer, body: answer.body.subarray(0, -5) });
  },

  /** Changes the bytes of the response. */
  damage: async ({ forward, reply }: Exchange) => {
    const answer = await forward();
    const body = Buffer.from(answer.body);
    if (body.length > 0) body[body.length >> 1] = (body[body.length >> 1] ?? 0) ^ 1;
    reply({ ...answer, body });
  },
};

function xml(status: number, content: string): Answer {
  const body = Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${content}`);
  return { status, headers: { "content-type": "application/xml" }, body };
}

function exchangeOf(
  request: IncomingMessage,
  response: ServerResponse,
  { target, seen }: { readonly target: string; readonly seen: Seen },
): Exchange {
  let body: Promise<Buffer> | undefined;
  const read = () => {
    body ??= collect(request);
    return body;
  };
  const head = ({ status, headers, body }: Answer) => {
    const { "transfer-encoding": _chunked, ...kept } = headers;
    // The length of a response to HEAD is the object's length, and no body follows.
    const length = request.method === "HEAD" ? kept["content-length"] : String(body.length);
    if (length !== undefined) kept["content-length"] = length;
    response.writeHead(status, { ...kept, connection: "close" });
  };
  return {
    seen,
    read,
    forward: async () => send(request, await read(), target),
    reply: (answer) => {
      head(answer);
      response.end(request.method === "HEAD" ? undefined : answer.body);
    },
    begin: (answer, lacking) => {
      head(answer);
      response.write(answer.body.subarray(0, Math.max(0, answer.body.length - lacking)));
    },
    reset: () => request.socket.resetAndDestroy(),
  };
}

async function send(request: IncomingMessage, body: Buffer, target: string): Promise<Answer> {
  // `Host` is signed, so keep it; `Expect` was answered here.
  const { connection: _connection, expect: _expect, ...headers } = request.headers;
  const { hostname, port } = new URL(target);
  const { method, url: path } = request;
  const sent = sendRequest({ hostname, port, path, method, headers });
  sent.end(body);
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: await collect(answer) };
}

async function collect(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}
