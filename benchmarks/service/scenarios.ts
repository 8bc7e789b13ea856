/** The scenarios of the benchmark. */

import { shuffled } from "../measure/rounds.ts";
import { type Spread, spreadOf } from "../measure/statistics.ts";
import { giantBody, smallBatch } from "./bodies.ts";
import { type Disturbance, type DisturbedRound, disturbedRound, jobOf } from "./flood.ts";
import type {
  AcceptLine,
  Compared,
  ConnectionsLine,
  DisturbedLine,
  PagesLine,
  ServiceResults,
} from "./results.ts";
import { call, type Kind, load, startService, type Tenant } from "./running.ts";
import type { Ask, ManyTask, Told } from "./tasks.ts";

/** How much to measure. */
export interface Extent {
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
  readonly entries: number;
}

const KINDS: readonly Kind[] = ["floor", "layer", "held", "running"];
const ACCEPT_CONNECTIONS = 32;
const PAGE_CONNECTIONS = 8;
const TENANTS = 16;
const STREAMS = 100;

interface Accepted {
  readonly rate: number;
  readonly cpuMs: number;
  readonly p50: number;
}

/** Sends small batches as fast as they are accepted. Each round starts new servers. */
export async function acceptScenario({ rounds, seconds }: Extent): Promise<AcceptLine[]> {
  const all: Map<Kind, Accepted>[] = [];
  for (let round = 0; round < rounds; round++) {
    const of = new Map<Kind, Accepted>();
    for (const kind of shuffled(KINDS, round)) of.set(kind, await accepted(kind, seconds));
    all.push(of);
    console.log("accept", of);
  }
  return KINDS.map((kind) => {
    const spread = (value: (of: Accepted) => number): Spread =>
      spreadOf(all.map((of) => value(of.get(kind) as Accepted)));
    return {
      kind,
      rate: spread(({ rate }) => rate),
      cpuMs: spread(({ cpuMs }) => cpuMs),
      p50: spread(({ p50 }) => p50),
      ratio: spreadOf(all.map((of) => ratioOf(of.get(kind)?.cpuMs, of.get("layer")?.cpuMs))),
    };
  });
}

async function accepted(kind: Kind, seconds: number): Promise<Accepted> {
  await using server = await startService(kind);
  const [{ token, template, folder }] = server.tenants as [Tenant];
  const task: ManyTask = {
    kind: "many",
    url: server.url,
    asks: [smallBatch(template, folder)],
    tokens: [token],
    connections: ACCEPT_CONNECTIONS,
    seconds,
  };
  await load({ ...task, seconds: 2 });
  const { done, meter } = await server.metered(() => load<Told>(task));
  assertOnly(done, 202);
  const { latency, rate } = done;
  return { rate, cpuMs: meter.cpuMs / latency.count, p50: latency.p50 };
}

/** Measures many simultaneous connections, whose tenants have to queue. */
export async function connectionsScenario(extent: Extent): Promise<ConnectionsLine[]> {
  const lines: ConnectionsLine[] = [];
  for (const tenants of [1, TENANTS]) {
    for (const what of ["GET", "POST"] as const) {
      await using server = await startService("running", { tenants });
      const task = await crowd(server, what, extent);
      const { done, meter } = await server.metered(() => load<Told>(task));
      const { statuses, errors, rate, latency } = done;
      const { p50, p99 } = latency;
      const { connections } = extent;
      const { peakMb } = meter;
      lines.push({ what, connections, tenants, statuses, errors, rate, p50, p99, peakMb });
      console.log(lines.at(-1));
    }
  }
  return lines;
}

async function crowd(
  server: Awaited<ReturnType<typeof startService>>,
  what: "GET" | "POST",
  { connections, seconds }: Extent,
): Promise<ManyTask> {
  const { url, tenants } = server;
  const asks: Ask[] = [];
  for (const tenant of tenants) {
    asks.push(
      what === "POST"
        ? smallBatch(tenant.template, tenant.folder)
        : { method: "GET", path: await jobOf(server, tenant) },
    );
  }
  const tokens = tenants.map(({ token }) => token);
  const amount = connections * (what === "POST" ? 1 : 3);
  return { kind: "many", url, asks, tokens, connections, seconds, amount };
}

/** Measures one tenant's requests, alone and while another tenant disturbs it. */
export async function disturbedScenario(
  title: string,
  what: Disturbance,
  rounds: number,
): Promise<DisturbedLine> {
  const all: DisturbedRound[] = [];
  for (let round = 0; round < rounds; round++) all.push(await disturbedRound(what));
  const statuses: Record<string, number> = {};
  for (const { other } of all) {
    for (const [status, count] of Object.entries(other.statuses)) {
      statuses[status] = (statuses[status] ?? 0) + count;
    }
  }
  const others = all.map(({ other }) => other.latency.p50).filter(Number.isFinite);
  const line: DisturbedLine = {
    title,
    kind: what.kind,
    post: compared(all, "post"),
    get: compared(all, "get"),
    statuses,
    otherP50: others.length === 0 ? null : spreadOf(others),
    pauseAlone: spreadOf(all.map(({ meterAlone }) => meterAlone.pauseMs)),
    pause: spreadOf(all.map(({ meter }) => meter.pauseMs)),
    peakMb: Math.max(...all.map(({ meter }) => meter.peakMb)),
  };
  console.dir(line, { depth: null });
  return line;
}

function compared(all: readonly DisturbedRound[], of: "post" | "get"): Compared {
  const spreads = (part: "p50" | "p95") => ({
    alone: spreadOf(all.map(({ alone }) => alone[of].latency[part])),
    meanwhile: spreadOf(all.map(({ meanwhile }) => meanwhile[of].latency[part])),
    ratio: spreadOf(
      all.map(({ alone, meanwhile }) => meanwhile[of].latency[part] / alone[of].latency[part]),
    ),
  });
  const failed = all.flatMap(({ alone, meanwhile }) => [alone[of], meanwhile[of]]);
  return {
    p50: spreads("p50"),
    p95: spreads("p95"),
    failed: failed.reduce(
      (sum, told) => sum + answersOf(told) - told.latency.count + told.errors,
      0,
    ),
  };
}

/** Measures pages of jobs and progress streams of a large batch. */
export async function pagesScenario({
  rounds,
  seconds,
  entries,
}: Extent): Promise<Pick<ServiceResults, "pages" | "streams">> {
  const pages: PagesLine[] = [];
  await using server = await startService("held");
  const [tenant] = server.tenants as [Tenant];
  const { url } = server;
  const { token } = tenant;
  const batch = await giantBatch(url, tenant, entries);
  for (const limit of [100, 1000]) {
    const path = `/2.0/docgen_batch_jobs/${batch}?limit=${limit}`;
    const asks: Ask[] = [{ method: "GET", path }];
    const all: Told[] = [];
    for (let round = 0; round < rounds; round++) {
      const connections = PAGE_CONNECTIONS;
      const told = await load<Told>({
        kind: "many",
        url,
        asks,
        tokens: [token],
        connections,
        seconds,
      });
      assertOnly(told, 200);
      all.push(told);
    }
    pages.push({
      limit,
      rate: spreadOf(all.map(({ rate }) => rate)),
      p50: spreadOf(all.map(({ latency }) => latency.p50)),
      p99: spreadOf(all.map(({ latency }) => latency.p99)),
    });
  }
  return { pages, streams: await followed(entries, seconds) };
}

/** Measures the streams of a running batch, so that there is new progress at each check. */
async function followed(entries: number, seconds: number): Promise<ServiceResults["streams"]> {
  await using server = await startService("running");
  const [tenant] = server.tenants as [Tenant];
  const batch = await giantBatch(server.url, tenant, entries);
  const { url } = server;
  const { token } = tenant;
  const told = await load<{
    events: number;
    seconds: number;
    statuses: Record<string, number>;
  }>({ kind: "streams", url, token, batch, streams: STREAMS, seconds });
  return { streams: STREAMS, ...told };
}

async function giantBatch(url: string, tenant: Tenant, entries: number): Promise<string> {
  const { id } = await call(url, tenant.token, "/2.0/docgen_batches", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: giantBody({ ...tenant, entries }),
  });
  return id;
}

function assertOnly(told: Told, status: number): void {
  if (told.errors === 0 && told.statuses[status] === answersOf(told)) return;
  throw new Error(
    `Not all responses were ${status}: ${JSON.stringify(told.statuses)}, ${told.errors} errors.`,
  );
}

function answersOf({ statuses }: Told): number {
  return Object.values(statuses).reduce((sum, count) => sum + count, 0);
}

function ratioOf(value = Number.NaN, base = Number.NaN): number {
  return value / base;
}
