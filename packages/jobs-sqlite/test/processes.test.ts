import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { JobStore, NewBatch, NewJob, StoredEvent } from "@quire/core";
import { describe, expect, onTestFinished, test } from "vitest";
import { sqliteJobStore } from "../src/index.ts";

const WORKER = fileURLToPath(new URL("./support/worker-process.ts", import.meta.url));

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

function newBatch(id: string): NewBatch {
  return {
    id,
    tenant: "",
    weight: 1,
    caller: null,
    idempotencyKey: null,
    template: { type: "file", id: "t.docx", version: "1" },
    templateBytes: Buffer.from("template"),
    folder: { type: "folder", id: "out" },
    outputType: "docx",
    needsConverter: false,
    onConflict: "fail",
    withEvents: true,
    settings: "{}",
    trace: null,
  };
}

function* newJobs(count: number): Generator<NewJob> {
  for (let job = 1; job <= count; job++) {
    const input = {
      encoding: "json",
      bytes: Buffer.from("{}"),
      locale: null,
      timeZone: null,
    } as const;
    yield { requestedName: `n${job}`, fileName: `n${job}.docx`, input, failure: null };
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
    env: { ...process.env, NODE_OPTIONS: "" },
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
  await store.createBatch(newBatch(id), newJobs(count), () => "", { isTaken: () => false });
}

async function allEvents(store: JobStore): Promise<StoredEvent[]> {
  const worker = await store.openWorker({ canConvert: true, leaseMs: 5000, keepFinishedMs: null });
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

describe("four processes on one file", () => {
  test("do each of 3,000 jobs once", async () => {
    const { path, store } = await place();
    await accept(store, "b", 3000);
    const workers = [1, 2, 3, 4].map(() => startWorker(path, "b"));
    for (const { ended } of workers) expect(await ended).toEqual([0, null]);
    const done = workers.flatMap(({ entries }) => entries());
    expect(done.sort((a, b) => a - b)).toEqual(Array.from({ length: 3000 }, (_, job) => job + 1));
    expect((await store.getBatch("b"))?.counts.completed).toBe(3000);
  }, 120_000);

  test("finish what those had that are killed, and end no job twice", async () => {
    const { path, store } = await place();
    await accept(store, "b", 8000);
    const workers = [1, 2, 3, 4].map(() => startWorker(path, "b"));
    for (const worker of workers.slice(0, 2)) {
      for (const end = Date.now() + 30_000; worker.entries().length < 16 && Date.now() < end; ) {
        await new Promise((done) => setTimeout(done, 5));
      }
      worker.child.kill("SIGKILL");
    }
    // Those that are killed may be all there were so far.
    const more = startWorker(path, "b");
    for (const { ended } of [...workers.slice(2), more]) expect(await ended).toEqual([0, null]);
    expect((await store.getBatch("b"))?.counts).toMatchObject({ completed: 8000, pending: 0 });
    const told = (await allEvents(store)).filter(({ type }) => type === "job_succeeded");
    expect(new Set(told.map(({ entry }) => entry)).size).toBe(8000);
    expect(told).toHaveLength(8000);
  }, 120_000);
});

test("processes that make the file at the same time all find it made", async () => {
  const folder = await mkdtemp(join(tmpdir(), "quire-jobs-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const source = fileURLToPath(new URL("../src/index.ts", import.meta.url));
  const program = `import { sqliteJobStore } from ${JSON.stringify(source)};
    while (Date.now() < Number(process.argv[2]));
    for (let file = 0; file < 20; file++) await sqliteJobStore({ path: process.argv[1] + file }).close();`;
  const at = String(Date.now() + 3000);
  const children = [1, 2, 3].map(() =>
    spawn(
      process.execPath,
      ["--no-warnings", "--input-type=module", "-e", program, join(folder, "j"), at],
      { stdio: "inherit", env: { ...process.env, NODE_OPTIONS: "" } },
    ),
  );
  const ends = await Promise.all(children.map((child) => once(child, "close")));
  expect(ends).toEqual([
    [0, null],
    [0, null],
    [0, null],
  ]);
}, 60_000);
