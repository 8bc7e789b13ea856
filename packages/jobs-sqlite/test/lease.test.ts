import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { Database } from "../src/database/database.ts";
import { monotonicMs } from "../src/database/machine.ts";
import { Writer } from "../src/database/writer.ts";
import { sqliteJobStore } from "../src/index.ts";
import { Heartbeat } from "../src/lease/heartbeat.ts";
import { JobTransitions } from "../src/lease/job-transitions.ts";
import { Lease } from "../src/lease/lease.ts";

async function newFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "quire-jobs-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, "jobs.db");
}

/** Opens a lease that is renewed while the event loop is blocked for at most `maxStillMs` milliseconds. */
async function leaseWhileSeen(maxStillMs: number): Promise<{ lease: Lease; expiresAt(): number }> {
  const database = new Database(await newFile());
  const heartbeat = new Heartbeat(database.path, maxStillMs);
  onTestFinished(async () => {
    await heartbeat.close();
    database.close();
  });
  const writer = new Writer(database);
  const context = { database, writer, transitions: new JobTransitions(database), heartbeat };
  const lease = await Lease.open(context, { leaseMs: 700, renewMs: 70 });
  return {
    lease,
    expiresAt: () => Number(database.get("SELECT expires_at FROM worker")?.expires_at),
  };
}

/** Blocks the event loop until a condition holds. Has its own time limit, since the test's limit is blocked too. */
function blockUntil(isSo: () => boolean): void {
  const never = new Int32Array(new SharedArrayBuffer(4));
  for (let looks = 0; !isSo() && looks < 1000; looks++) Atomics.wait(never, 0, 0, 20);
}

test("a batch whose accepting worker is gone is deleted, with its names", async () => {
  const path = await newFile();
  const store = sqliteJobStore({ path });
  const file = new DatabaseSync(path);
  file.exec(`INSERT INTO folder (id) VALUES ('out');
    INSERT INTO batch (id, state, tenant, weight, template_id, template_version, folder_no, output_type,
      needs_converter, on_conflict, with_events, settings, created_at, worker_no)
    VALUES ('half', 0, '', 1, 't', '1', 1, 'docx', 0, 'fail', 0, '{}', 0, 4711);
    INSERT INTO job (batch_no, entry, is_bad, status, file_name) VALUES (1, 1, 0, 0, 'a.docx');
    INSERT INTO name VALUES (1, 'a.docx', 1)`);
  const worker = await store.openWorker({
    takes: "all",
    leaseMs: 15_000,
    keepFinishedMs: null,
  });
  while (await worker.tidy());
  for (const table of ["batch", "job", "name"]) {
    expect(file.prepare(`SELECT * FROM ${table}`).all()).toEqual([]);
  }
  await store.close();
  file.close();
});

test("the file remains in place when the working directory changes", async () => {
  const path = await newFile();
  const before = process.cwd();
  process.chdir(dirname(path));
  try {
    const store = sqliteJobStore({ path: basename(path) });
    process.chdir(before);
    const worker = await store.openWorker({
      takes: "all",
      leaseMs: 15_000,
      keepFinishedMs: null,
    });
    expect(worker.isHeld).toBe(true);
    await store.close();
  } finally {
    process.chdir(before);
  }
});

describe("a lease", () => {
  test("cannot be renewed without the file of its store, but the process continues", async () => {
    const heartbeat = new Heartbeat(join(dirname(await newFile()), "none", "jobs.db"));
    await expect(heartbeat.ready()).rejects.toThrow("unable to open database file");
    await heartbeat.close();
  });

  test("holds while the event loop is blocked, but not if it is blocked for too long", async () => {
    const patient = await leaseWhileSeen(60_000);
    const strict = await leaseWhileSeen(300);
    const end = patient.expiresAt();
    blockUntil(() => monotonicMs() > end && !strict.lease.isHeld);
    expect(patient.lease.isHeld).toBe(true);
    expect(strict.lease.isHeld).toBe(false);
    expect(strict.expiresAt()).toBeLessThan(monotonicMs());
  });

  test("that no other worker took is renewed when the event loop continues", async () => {
    const { lease } = await leaseWhileSeen(300);
    blockUntil(() => !lease.isHeld);
    expect(lease.isHeld).toBe(false);
    while (!lease.isHeld) await wait(20);
  });

  test("from before a restart of the machine is deleted, even if the boot id is not available", async () => {
    const path = await newFile();
    await sqliteJobStore({ path }).close();
    const file = new DatabaseSync(path);
    // The clock of a process that cannot read the boot id, recorded after a long uptime.
    const uptime = monotonicMs() + 1e9;
    file.exec(`UPDATE queue SET clock = ${uptime}`);
    file.exec(`INSERT INTO worker (boot, process, expires_at) VALUES ('', '', ${uptime + 15_000})`);
    const store = sqliteJobStore({ path });
    const worker = await store.openWorker({
      takes: "all",
      leaseMs: 15_000,
      keepFinishedMs: null,
    });
    const left = file.prepare("SELECT expires_at FROM worker").all();
    expect(left).toHaveLength(1);
    expect(Number(left[0]?.expires_at)).toBeLessThan(uptime);
    expect(worker.isHeld).toBe(true);
    await store.close();
    file.close();
  });
});
