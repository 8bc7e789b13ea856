/**
 * The job store in PostgreSQL and the one in SQLite, in turns, without documents: how long it takes to accept batches,
 * how many jobs a worker claims, notes and ends, and what PostgreSQL needs for each.
 */
import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Claim, JobStore, JobWorker, NewBatch, NewJob } from "@quire/core";
import { sqliteJobStore } from "@quire/jobs-sqlite";
import { postgresStores } from "@quire/postgres";
import type { PostgresServer } from "../../packages/postgres/test/support/postgres-server.ts";
import { spreadOf } from "../measure/statistics.ts";
import { serverCpuMs } from "./cpu.ts";
import type { StoreLine, StoresResults } from "./results.ts";

const ROUNDS = 3;
const SMALL = 50;
const LARGE = 10_000;
/** Maximum number of groups that a worker processes at the same time. */
const GROUPS_AT_ONCE = 2;

const data = new TextEncoder().encode(JSON.stringify({ text: "x".repeat(1000) }));

/** The figures of one store in one round. The times are in milliseconds. */
interface Measured {
  readonly acceptOneMs: number;
  readonly acceptLargeMs: number;
  readonly rate: number;
  readonly acceptCpuMs: number;
  readonly jobCpuMs: number;
}

/** Measures both stores. */
export async function measureStores(server: PostgresServer): Promise<StoresResults> {
  const measured: Record<StoreLine["store"], Measured[]> = { PostgreSQL: [], SQLite: [] };
  for (let round = 0; round < ROUNDS; round++) {
    const postgres = postgresStores({ url: server.url, schema: `round_${round}` });
    measured.PostgreSQL.push(await measure(postgres.jobs, () => serverCpuMs(server.pid)));
    const sqlite = sqliteJobStore({ path: join(tmpdir(), `round-${round}.db`) });
    measured.SQLite.push(await measure(sqlite, async () => 0));
  }
  const stores = ["PostgreSQL", "SQLite"] as const;
  const lines = stores.map((store): StoreLine => {
    const spread = (name: keyof Measured) => spreadOf(measured[store].map((each) => each[name]));
    const isServer = store === "PostgreSQL";
    return {
      store,
      acceptOneMs: spread("acceptOneMs"),
      acceptLargeMs: spread("acceptLargeMs"),
      rate: spread("rate"),
      acceptCpuMs: isServer ? spread("acceptCpuMs") : null,
      jobCpuMs: isServer ? spread("jobCpuMs") : null,
    };
  });
  console.log(lines);
  return { rounds: ROUNDS, entries: LARGE, lines };
}

async function measure(store: JobStore, cpuMs: () => Promise<number>): Promise<Measured> {
  await accept(store, 1);
  const small: number[] = [];
  for (let times = 0; times < SMALL; times++) small.push(await accept(store, 1));
  const cpuBefore = await cpuMs();
  const acceptLargeMs = await accept(store, LARGE);
  const cpuAccepted = await cpuMs();
  const worker = await store.openWorker({ takes: "all", leaseMs: 30_000, keepFinishedMs: null });
  const begunAt = performance.now();
  const jobs = await workOff(store, worker);
  const ms = performance.now() - begunAt;
  const jobCpuMs = ((await cpuMs()) - cpuAccepted) / jobs;
  await store.close();
  return {
    acceptOneMs: spreadOf(small).median,
    acceptLargeMs,
    rate: (1000 * jobs) / ms,
    acceptCpuMs: (cpuAccepted - cpuBefore) / LARGE,
    jobCpuMs,
  };
}

/** Accepts a batch, and returns how long that took in milliseconds. */
async function accept(store: JobStore, count: number): Promise<number> {
  const batch: NewBatch = {
    id: randomUUID(),
    tenant: "tenant",
    weight: 1,
    caller: null,
    idempotencyKey: null,
    template: { type: "file", id: "letter.docx", version: "1" },
    templateBytes: new Uint8Array(20_000),
    folder: { type: "folder", id: "out" },
    outputType: "docx",
    needsConverter: false,
    onConflict: "rename",
    withEvents: false,
    settings: "{}",
    trace: null,
  };
  const input = { encoding: "json", bytes: data, locale: null, timeZone: null } as const;
  const jobs = Array.from({ length: count }, (_, index): NewJob => {
    const fileName = `${batch.id} ${index}.docx`;
    return { requestedName: fileName, fileName, input, failure: null };
  });
  const begunAt = performance.now();
  await store.createBatch(batch, jobs, () => "hash", { isTaken: () => false });
  return performance.now() - begunAt;
}

/** Claims, notes and ends all jobs, in groups of the store's size. Returns their number. */
async function workOff(store: JobStore, worker: JobWorker): Promise<number> {
  const groups = new Set<Promise<void>>();
  for (let count = 0; ; ) {
    const { jobs } = await worker.claim(store.group);
    if (jobs.length === 0) {
      await Promise.all(groups);
      return count;
    }
    count += jobs.length;
    const group = Promise.all(jobs.map((claim) => makeOne(worker, claim))).then(() => {
      groups.delete(group);
    });
    groups.add(group);
    if (groups.size >= GROUPS_AT_ONCE) await Promise.race(groups);
  }
}

async function makeOne(worker: JobWorker, claim: Claim): Promise<void> {
  const { fileName: name } = claim;
  const made = {
    status: "completed",
    sha256: "ab".repeat(32),
    pages: null,
    converter: null,
  } as const;
  const problems = { errors: [], warnings: [] } as const;
  await worker.note(claim, { ...made, ...problems, name, size: 3 });
  const ref = { type: "file", id: `out/${name}` } as const;
  const outputFile = { ref, version: "1", name, size: 3 };
  await worker.settle(claim, { type: "completed", result: { ...made, ...problems, outputFile } });
}
