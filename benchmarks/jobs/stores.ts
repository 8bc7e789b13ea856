/**
 * `npm run bench:stores` compares the job store in PostgreSQL with the one in SQLite, in turns, without rendering: how
 * long it takes to accept batches, how many jobs a worker claims, notes and ends, and the time of PostgreSQL's
 * processors for each job. The server runs on this machine with `fsync`. The benchmark prints its results and keeps
 * nothing.
 */
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Claim, JobStore, JobWorker, NewBatch, NewJob } from "@quire/core";
import { sqliteJobStore } from "@quire/jobs-sqlite";
import { postgresStores } from "@quire/postgres";
import { startPostgres } from "../../packages/postgres/test/support/postgres-server.ts";

const ROUNDS = 3;
const SMALL = 50;
const LARGE = 10_000;
/** Groups that a worker has in hand at the same time. */
const IN_HAND = 2;
/** A tick of the kernel's accounting, in milliseconds. */
const TICK_MS = 10;

const data = new TextEncoder().encode(JSON.stringify({ text: "x".repeat(1000) }));

// On a disk, because a file in memory needs no sync.
const folder = await mkdtemp("/var/tmp/quire-bench-stores-");
process.env.TMPDIR = folder;
const server = await startPostgres();
try {
  for (let round = 0; round < ROUNDS; round++) {
    const postgres = postgresStores({ url: server.url, schema: `round_${round}` });
    await measure("PostgreSQL", postgres.jobs, () => serverCpuMs(server.pid));
    const sqlite = sqliteJobStore({ path: join(folder, `round-${round}.db`) });
    await measure("SQLite", sqlite, null);
  }
} finally {
  await server.destroy();
  await rm(folder, { recursive: true, force: true });
}

async function measure(
  name: string,
  store: JobStore,
  cpuMs: (() => Promise<number>) | null,
): Promise<void> {
  await accept(store, 1);
  const small: number[] = [];
  for (let times = 0; times < SMALL; times++) small.push(await accept(store, 1));
  const large = await accept(store, LARGE);
  const worker = await store.openWorker({ takes: "all", leaseMs: 30_000, keepFinishedMs: null });
  const [cpuBefore, begunAt] = [(await cpuMs?.()) ?? 0, performance.now()];
  const jobs = await workOff(store, worker);
  const ms = performance.now() - begunAt;
  const cpu = cpuMs && ((await cpuMs()) - cpuBefore) / jobs;
  await store.close();
  const median = small.sort((a, b) => a - b)[SMALL / 2] ?? 0;
  console.log(
    `${name}: accept 1 entry ${median.toFixed(2)} ms, ${LARGE} entries ${large.toFixed(0)} ms; ` +
      `${Math.round((1000 * jobs) / ms)} jobs per second${cpu === null ? "" : `, ${cpu.toFixed(3)} ms of the server for each`}`,
  );
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
    if (groups.size >= IN_HAND) await Promise.race(groups);
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

/** The processor time of the server's processes that run, in milliseconds. */
async function serverCpuMs(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)("ps", ["-o", "pid=", "--ppid", String(pid)]);
  const times = stdout
    .trim()
    .split(/\s+/)
    .map(async (child) => {
      const stat = await readFile(`/proc/${child}/stat`, "utf8").catch(() => "");
      const [user = 0, system = 0] = (stat.split(") ")[1] ?? "")
        .split(" ")
        .slice(11, 13)
        .map(Number);
      return (user + system) * TICK_MS;
    });
  return (await Promise.all(times)).reduce((sum, ms) => sum + ms, 0);
}
