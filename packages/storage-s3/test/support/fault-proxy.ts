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

/** A request on its way to the server. */
export interface Seen {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
}

/** What the server answered. */
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
  /** Sends the whole request to the server, with whatever the client signed, and waits for its answer. */
  readonly forward: () => Promise<Answer>;
  readonly reply: (answer: Answer) => void;
  /** Sends the answer up to some bytes before its end, and then nothing. */
  readonly begin: (answer: Answer, lacking: number) => void;
  readonly reset: () => void;
}

export type Fault = (exchange: Exchange) => Promise<void> | void;

/** Which fault a request meets; null for none. */
export type Plan = (seen: Seen) => Fault | null | Promise<Fault | null>;

export interface FaultProxy {
  readonly endpoint: string;
  /** All requests so far. */
  readonly seen: readonly Seen[];
  plan: Plan;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Stands between a client and a server, and does to each request what the plan says. */
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
      // The client has gone away.
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

/** What can go wrong between a client and a server. */
export const faults = {
  none: async ({ forward, reply }: Exchange) => reply(await forward()),

  /** The server has an answer of its own, before it has done anything. */
  answer:
    (status: number, code: string): Fault =>
    async ({ read, reply }) => {
      await read();
      reply(xml(status, `<Error><Code>${code}</Code><Message>made by the test</Message></Error>`));
    },

  /** The server has done what it was asked for, and says that it failed. */
  failAfter: async ({ forward, reply }: Exchange) => {
    await forward();
    reply(xml(500, "<Error><Code>InternalError</Code></Error>"));
  },

  resetBefore: ({ reset }: Exchange) => reset(),

  /** The server has done what it was asked for, and nobody hears of it. */
  resetAfter: async ({ forward, reset }: Exchange) => {
    await forward();
    reset();
  },

  /** The connection breaks, and the server gets the whole request later. */
  late:
    (released: Promise<unknown>): Fault =>
    async ({ read, forward, reset }) => {
      await read();
      reset();
      await released;
      await forward();
    },

  /** The server takes its time to answer. */
  slow:
    (delayMs: number): Fault =>
    async ({ forward, reply }) => {
      const answer = await forward();
      await sleep(delayMs, undefined, { ref: false });
      reply(answer);
    },

  /** The last bytes of the answer do not come, and the connection stays open. */
  stall: async ({ forward, begin }: Exchange) => begin(await forward(), 5),

  /** The last bytes of the answer do not come, since the connection breaks. */
  truncate: async ({ forward, begin, reset }: Exchange) => {
    begin(await forward(), 5);
    await sleep(20);
    reset();
  },

  /** As if the object had fewer bytes. */
  shorten: async ({ forward, reply }: Exchange) => {
    const answer = await forward();
    reply({ ...answer, body: answer.body.subarray(0, -5) });
  },

  /** Other bytes than the server's. */
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
    // The length of an answer to HEAD is the object's, and no body follows it.
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
  // `Host` is signed, so it stays; `Expect` was answered here.
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
