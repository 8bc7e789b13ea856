/** Sends the load that `main.ts` requests, in a separate process, and prints the results. */
import { Agent, type ClientRequest, request } from "node:http";
import { createRequire } from "node:module";
import { setPriority } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { giantBody } from "./bodies.ts";
import {
  type Ask,
  type GiantTask,
  type LoadTask,
  latencyOf,
  type ManyTask,
  type PacedTask,
  type StreamsTask,
  type Told,
} from "./tasks.ts";

/** The part of autocannon's API that this file uses. The package has no types. */
type Autocannon = (
  options: {
    readonly url: string;
    readonly connections: number;
    readonly duration: number;
    readonly amount?: number;
    readonly timeout: number;
    readonly idReplacement: boolean;
    readonly setupClient: (client: { setRequests(requests: readonly object[]): void }) => void;
  },
  done: (error: Error | null, result: CannonResult) => void,
) => {
  on(
    event: "response",
    listener: (client: unknown, status: number, bytes: number, ms: number) => void,
  ): void;
};

interface CannonResult {
  readonly errors: number;
  readonly duration: number;
}

const autocannon = createRequire(import.meta.url)("autocannon") as Autocannon;
const TIMEOUT_SECONDS = 300;

async function run(task: LoadTask): Promise<unknown> {
  switch (task.kind) {
    case "many":
      return many(task);
    case "paced":
      return paced(task);
    case "giant":
      return giant(task);
    case "streams":
      return streams(task);
  }
}

function headersOf(token: string, { body }: { readonly body?: string | undefined }) {
  return {
    authorization: `Bearer ${token}`,
    "service-version": "2025.0",
    ...(body === undefined ? {} : { "content-type": "application/json" }),
  };
}

function many(task: ManyTask): Promise<Told> {
  const { url, asks, tokens, connections, seconds, amount, nice = 0 } = task;
  setPriority(nice);
  const times: number[] = [];
  const statuses: Record<string, number> = {};
  let client = 0;
  return new Promise((resolve, reject) => {
    const sending = autocannon(
      {
        url,
        connections,
        duration: seconds,
        ...(amount === undefined ? {} : { amount }),
        timeout: TIMEOUT_SECONDS,
        idReplacement: true,
        setupClient: (one) => {
          const { method, path, body } = asks[client % asks.length] as Ask;
          const headers = headersOf(tokens[client % tokens.length] ?? "", { body });
          one.setRequests([{ method, path, body, headers }]);
          client += 1;
        },
      },
      (error, result) => {
        if (error !== null) return reject(error);
        const answers = Object.values(statuses).reduce((sum, some) => sum + some, 0);
        resolve({
          latency: latencyOf(times),
          statuses,
          errors: result.errors,
          rate: answers / result.duration,
          seconds: result.duration,
        });
      },
    );
    sending.on("response", (_client, status, _bytes, ms) => {
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status < 300) times.push(ms);
    });
  });
}

const agent = new Agent({ keepAlive: true, maxSockets: 1000 });

function send(url: string, token: string, ask: Ask): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const { method, path, body } = ask;
    const headers = {
      ...headersOf(token, ask),
      ...(body === undefined ? {} : { "content-length": Buffer.byteLength(body) }),
    };
    const sending: ClientRequest = request(url + path, { method, headers, agent }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body: text }));
      response.on("error", reject);
    });
    sending.on("error", reject);
    sending.end(body);
  });
}

/** Sends the requests in turn. Returns the results by index in the list of requests. */
async function paced({ url, asks, token, everyMs, seconds }: PacedTask): Promise<Told[]> {
  const times = asks.map((): number[] => []);
  const statuses = asks.map((): Record<string, number> => ({}));
  const under: Promise<void>[] = [];
  let errors = 0;
  const began = performance.now();
  for (let sent = 0; sent * everyMs < seconds * 1000; sent++) {
    await wait(Math.max(0, began + sent * everyMs - performance.now()));
    const index = sent % asks.length;
    const ask = asks[index] as Ask;
    const id = `${process.pid}-${sent}-${Math.random()}`;
    const own = ask.body === undefined ? ask : { ...ask, body: ask.body.replace("[<id>]", id) };
    const start = performance.now();
    under.push(
      send(url, token, own).then(
        ({ status }) => {
          const counted = statuses[index] as Record<string, number>;
          counted[status] = (counted[status] ?? 0) + 1;
          if (status < 300) times[index]?.push(performance.now() - start);
        },
        () => {
          errors += 1;
        },
      ),
    );
  }
  await Promise.all(under);
  const took = (performance.now() - began) / 1000;
  return times.map((own, index) => ({
    latency: latencyOf(own),
    statuses: statuses[index] ?? {},
    errors,
    rate: own.length / took,
    seconds: took,
  }));
}

async function giant(task: GiantTask): Promise<Told & { readonly bytes: number }> {
  const { url, token, seconds } = task;
  const times: number[] = [];
  const statuses: Record<string, number> = {};
  let bytes = 0;
  const began = performance.now();
  do {
    const body = giantBody(task);
    bytes = Buffer.byteLength(body);
    const start = performance.now();
    const { status } = await send(url, token, {
      method: "POST",
      path: "/2.0/docgen_batches",
      body,
    });
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status === 202) times.push(performance.now() - start);
  } while (performance.now() - began < seconds * 1000);
  const took = (performance.now() - began) / 1000;
  return {
    latency: latencyOf(times),
    statuses,
    errors: 0,
    rate: times.length / took,
    seconds: took,
    bytes,
  };
}

async function streams(
  task: StreamsTask,
): Promise<{ events: number; seconds: number; statuses: object }> {
  const { url, token, batch, streams: count, seconds } = task;
  const statuses: Record<string, number> = {};
  let events = 0;
  const path = `/2.0/docgen_batches/${batch}/events`;
  const open = Array.from({ length: count }, () => {
    const sending = request(url + path, { headers: headersOf(token, {}), agent }, (response) => {
      const { statusCode = 0 } = response;
      statuses[statusCode] = (statuses[statusCode] ?? 0) + 1;
      response.setEncoding("utf8");
      response.on("data", (text: string) => {
        events += text.split("\n\n").length - 1;
      });
      response.on("error", () => {});
    });
    sending.on("error", () => {});
    return sending.end();
  });
  await wait(seconds * 1000);
  for (const one of open) one.destroy();
  return { events, seconds, statuses };
}

const task = JSON.parse(process.argv[2] ?? "") as LoadTask;
console.log(JSON.stringify(await run(task)));
process.exit();
