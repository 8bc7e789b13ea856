import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { JobStore, NewJob, StoredEvent } from "@quire/contracts";
import { expect, onTestFinished } from "vitest";
import { newBatch, newJob } from "../../../contracts/test/support/new-batch.ts";
import { sqliteJobStore } from "../../src/index.ts";

const WORKER = fileURLToPath(new URL("./worker-process.ts", import.meta.url));

async function place(): Promise<{ readonly path: string; readonly store: JobStore }> {
  const folder = await mkdtemp(join(tmpdir(), "quire-jobs-"));
  const path = join(folder, "jobs.db");
  const store = sqliteJobStore({ path });
  onTestFinished(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });
  return { path, store };
}

function* newJobs(count: number): Generator<NewJob> {
  for (let job = 1; job <= count; job++) {
    yield newJob(`n${job}`);
  }
}

interface Worker {
  readonly child: ChildProcess;
  readonly entries: () => number[];
  readonly ended: Promise<unknown[]>;
}

function startWorker(path: string, batchId: string): Worker {
  const child = spawn(process.execPath, ["--no-warnings", WORKER, path, batchId], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  return {
    child,
    entries: () => printed.split("\n").slice(0, -1).map(Number),
    ended: once(child, "close"),
  };
}

async function accept(store: JobStore, id: string, count: number): Promise<void> {
  await store.createBatch(
    newBatch({ id, onConflict: "fail", withEvents: true }),
    newJobs(count),
    () => "",
    { isTaken: () => false },
  );
}

async function allEvents(store: JobStore): Promise<StoredEvent[]> {
  const worker = await store.openWorker({ takes: "all", leaseMs: 5000, keepFinishedMs: null });
  const events: StoredEvent[] = [];
  for (
    let more = await worker.takeEvents(1000);
    more.length > 0;
    more = await worker.takeEvents(1000)
  ) {
    events.push(...more);
  }
  await worker.close();
  return events;
}

/** Checks that four processes on one file run each job of a batch once. */
export async function doEachOnce(count: number): Promise<void> {
  const { path, store } = await place();
  await accept(store, "b", count);
  const workers = [1, 2, 3, 4].map(() => startWorker(path, "b"));
  for (const { ended } of workers) expect(await ended).toEqual([0, null]);
  const done = workers.flatMap(({ entries }) => entries());
  expect(done.sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, job) => job + 1));
  expect((await store.getBatch("b"))?.counts.completed).toBe(count);
}

/** Kills two of four processes on one file. Checks that the others finish their jobs, and end no job twice. */
export async function finishAfterKills(count: number): Promise<void> {
  const { path, store } = await place();
  await accept(store, "b", count);
  const workers = [1, 2, 3, 4].map(() => startWorker(path, "b"));
  for (const worker of workers.slice(0, 2)) {
    // On a busy machine, the other processes may complete all jobs before this process begins.
    while (worker.entries().length < 16 && worker.child.exitCode === null) {
      await new Promise((done) => setTimeout(done, 5));
    }
    worker.child.kill("SIGKILL");
  }
  // The killed processes may be the only ones that had started.
  const more = startWorker(path, "b");
  for (const { ended } of [...workers.slice(2), more]) expect(await ended).toEqual([0, null]);
  expect((await store.getBatch("b"))?.counts).toMatchObject({ completed: count, pending: 0 });
  const told = (await allEvents(store)).filter(({ type }) => type === "job_succeeded");
  expect(new Set(told.map(({ entry }) => entry)).size).toBe(count);
  expect(told).toHaveLength(count);
}
