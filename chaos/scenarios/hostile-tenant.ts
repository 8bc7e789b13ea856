import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { load, type Server, startService, type Tenant } from "../../benchmarks/service/running.ts";
import type { Metered, PacedTask, Told } from "../../benchmarks/service/tasks.ts";
import { Bystander, median, type Times, WANTED } from "../hostile/bystander.ts";
import { HOSTILE, type SenderTask, type Sent } from "../hostile/sender.ts";
import { type Sizes, watched } from "../hostile/watcher.ts";
import type { Report } from "../support/report.ts";

/** The numbers and durations of a run. */
export interface HostileOptions {
  readonly seconds: number;
  readonly seed: number;
  /** Number of hostile requests in parallel. */
  readonly lanes: number;
  /** Number of responses and documents that are measured without the hostile tenant. */
  readonly rounds: number;
  /** Number of harmless documents of the hostile tenant. */
  readonly harmless: number;
  readonly makesPdf?: boolean;
  /** Only hostile documents and requests whose name contains this are sent. */
  readonly only?: string;
}

/** Limits that must hold, no matter what one tenant sends. */
const LIMITS = {
  times: 3,
  /** A document of another tenant may occupy the only lane until its deadline. */
  laneMs: 60_000,
  healthP99Ms: 300,
  healthMaxMs: 1_000,
  ownMb: 512,
  allMb: 3_000,
  databaseMb: 100,
} as const;

const HEALTH_EVERY_MS = 50;
const SENDER = fileURLToPath(new URL("../hostile/sender.ts", import.meta.url));

interface Measured {
  readonly alone: Times;
  readonly meanwhile: Times;
  readonly complaints: readonly string[];
  readonly harmless: {
    readonly made: number;
    readonly wanted: number;
    readonly complaints: readonly string[];
  };
  readonly health: Told;
  readonly sizes: Sizes;
  readonly meter: Metered | null;
  readonly sent: Sent;
  readonly ended: string | undefined;
}

/** One tenant sends everything hostile that its limits allow. The effect on another tenant must be small. */
export async function hostileTenant(options: HostileOptions): Promise<Report> {
  const { makesPdf = true, seconds } = options;
  const args = ["--webhook-key", "a-key-for-hooks"];
  await using server = await startService("running", { tenants: 2, makesPdf, args });
  const measured = await measure(server, { ...options, makesPdf });
  return {
    scenario: "One hostile tenant",
    tried: `${HOSTILE.length} kinds of hostile documents and requests for ${seconds} s`,
    violations: violationsOf(measured, options),
    notes: notesOf(measured),
  };
}

async function measure(server: Server, options: HostileOptions): Promise<Measured> {
  const [hostile, other] = server.tenants as [Tenant, Tenant];
  const { seconds, rounds, harmless, makesPdf } = options;
  const bystander = new Bystander(server.url, other);
  const wanted = WANTED.filter((one) => makesPdf || one !== "pdf");
  const times = (): Times => ({ answer: [], docx: [], pdf: [] });
  const [warm, alone, meanwhile] = [times(), times(), times()];
  await bystander.wantAll(warm, wanted);
  for (let round = 0; round < rounds; round++) await bystander.wantAll(alone, wanted);

  const friend = new Bystander(server.url, hostile);
  const attack = async () => {
    const end = performance.now() + seconds * 1000;
    const besides = async (): Promise<void> => {
      while (performance.now() < end && server.ended() === undefined) {
        await bystander.wantAll(meanwhile, wanted);
        await sleep(Math.min(1000, (seconds * 1000) / (rounds * 4)));
      }
    };
    const [sent, health, made] = await Promise.all([
      sendHostile(server, hostile, options),
      healthOf(server, seconds),
      everySoOften(harmless, seconds, (index) =>
        friend.document(makesPdf && index % 2 === 1 ? "pdf" : "docx", true),
      ),
      besides(),
    ]);
    return { sent, health, made: made.filter(Boolean).length };
  };
  const { done, sizes } = await watched(server, () => metered(server, attack));
  const { sent, health, made, meter } = done;
  const ended = server.ended();
  const own = { made, wanted: harmless, complaints: friend.complaints };
  const { complaints } = bystander;
  return { alone, meanwhile, complaints, harmless: own, health, sizes, meter, sent, ended };
}

/** Measures the service while the work runs. `meter` is null if the service has ended. */
async function metered<T extends object>(
  server: Server,
  work: () => Promise<T>,
): Promise<T & { readonly meter: Metered | null }> {
  let done: T | undefined;
  const { meter } = await server
    .metered(async () => {
      done = await work();
    })
    .catch((error: unknown) => {
      if (done === undefined || server.ended() === undefined) throw error;
      return { meter: null };
    });
  return { ...(done as T), meter };
}

async function sendHostile(
  { url }: Server,
  { token, folder }: Tenant,
  { seconds, lanes, seed, only }: HostileOptions,
): Promise<Sent> {
  const task: SenderTask = { url, token, folder, seconds, lanes, seed, only };
  const args = ["--no-warnings", SENDER, JSON.stringify(task)];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1e9 });
  if (process.env.QUIRE_CHAOS_VERBOSE !== undefined) console.error(stderr);
  return JSON.parse(stdout) as Sent;
}

async function healthOf({ url }: Server, seconds: number): Promise<Told> {
  const asks = [{ method: "GET", path: "/healthz" }] as const;
  const task = { kind: "paced", url, asks, token: "", everyMs: HEALTH_EVERY_MS, seconds } as const;
  const [told] = await load<[Told]>(task satisfies PacedTask);
  return told;
}

/** Runs the work this many times, distributed evenly over the seconds. */
function everySoOften<T>(
  count: number,
  seconds: number,
  work: (index: number) => Promise<T>,
): Promise<T[]> {
  const each = Array.from({ length: count }, async (_, index) => {
    await sleep((index / count) * seconds * 1000);
    return work(index);
  });
  return Promise.all(each);
}

function violationsOf(measured: Measured, { makesPdf = true }: HostileOptions): string[] {
  const { alone, meanwhile, complaints, harmless, health, sizes, meter, ended } = measured;
  const violations: string[] = [];
  const within = (what: string, value: number, limit: number): void => {
    if (!(value <= limit))
      violations.push(`${what}: ${Math.round(value)}, the limit is ${Math.round(limit)}`);
  };
  if (ended !== undefined) violations.push(`the service ended: ${ended}`);
  for (const wanted of WANTED.filter((one) => makesPdf || one !== "pdf")) {
    const limit = LIMITS.times * median(alone[wanted]) + (wanted === "pdf" ? LIMITS.laneMs : 0);
    within(`another tenant's ${wanted}, ms`, median(meanwhile[wanted]), limit);
  }
  within("/healthz p99, ms", health.latency.p99, LIMITS.healthP99Ms);
  within("/healthz max, ms", health.latency.max, LIMITS.healthMaxMs);
  within("/healthz without a response", health.errors, 0);
  within("the serving process, MB", sizes.own, LIMITS.ownMb);
  within("all processes, MB", sizes.all, LIMITS.allMb);
  within("growth of the database, MB", sizes.database, LIMITS.databaseMb);
  if (meter !== null) within("the serving process at its peak, MB", meter.peakMb, LIMITS.ownMb);
  if (harmless.made < harmless.wanted) {
    violations.push(
      `${harmless.made} of ${harmless.wanted} harmless documents of the same tenant were created`,
    );
  }
  for (const text of complaints) violations.push(`another tenant: ${text}`);
  for (const text of harmless.complaints) violations.push(`the same tenant: ${text}`);
  return violations;
}

function notesOf({ alone, meanwhile, harmless, health, sizes, meter, sent }: Measured): string[] {
  const times = WANTED.map((wanted) => {
    const worst = Math.max(...meanwhile[wanted]);
    const middles = [median(alone[wanted]), median(meanwhile[wanted]), worst].map(Math.round);
    return `${wanted} ${middles[0]} ms alone, ${middles[1]} under load (slowest of ${meanwhile[wanted].length}: ${middles[2]})`;
  });
  const { p50, p99, max } = health.latency;
  const total = Object.values(sent.sent).reduce((sum, count) => sum + count, 0);
  return [
    `another tenant: ${times.join("; ")}`,
    `/healthz: half within ${p50.toFixed(1)} ms, p99 ${p99.toFixed(0)}, max ${max.toFixed(0)}; the event loop's longest pause ${meter?.pauseMs.toFixed(0)} ms`,
    `memory: ${sizes.own.toFixed(0)} MB (peak ${meter?.peakMb.toFixed(0)}), all processes ${sizes.all.toFixed(0)} MB (${sizes.largest}); the database grew by ${sizes.database.toFixed(0)} MB`,
    `the hostile tenant: ${total} requests and documents sent, responses ${JSON.stringify(sent.answers)}; ${harmless.made} of ${harmless.wanted} harmless documents created`,
  ];
}
