import { mkdtemp, open, readdir, rm, stat, truncate, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JobStore, JobWorker, NewBatch, NewJob } from "@quire/contracts";
import { expect, onTestFinished, test, vi } from "vitest";
import { newBatch, newJob } from "../../contracts/test/support/new-batch.ts";
import { copyJobStore, sqliteJobStore } from "../src/index.ts";

const LONG = Buffer.alloc(3_000_000, "A long template. ");
const OLD = new Date(Date.now() - 2 * 3_600_000);

interface Place {
  readonly path: string;
  readonly store: JobStore;
  /** Returns the names in the folder of large templates. */
  files(): Promise<string[]>;
  open(): JobStore;
}

async function place(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), "quire-jobs-"));
  const path = join(folder, "jobs.db");
  const stores: JobStore[] = [];
  const open = (): JobStore => {
    const store = sqliteJobStore({ path });
    stores.push(store);
    return store;
  };
  onTestFinished(async () => {
    for (const store of stores) await store.close();
    await rm(folder, { recursive: true, force: true });
  });
  const files = (): Promise<string[]> => readdir(`${path}-templates`).catch(() => []);
  return { path, store: open(), files, open };
}

function openWorker(store: JobStore, keepFinishedMs: number | null = null): Promise<JobWorker> {
  return store.openWorker({ leaseMs: 15_000, takes: "all", keepFinishedMs });
}

let lastBatch = 0;

function submit(
  store: JobStore,
  changes: Partial<NewBatch> = {},
  jobs: Iterable<NewJob> | AsyncIterable<NewJob> = [newJob("1")],
) {
  lastBatch += 1;
  const made = newBatch({
    id: `batch ${lastBatch}`,
    tenant: "",
    template: { type: "file", id: "t.docx", version: "1" },
    templateBytes: LONG,
    folder: { type: "folder", id: `out ${lastBatch}` },
    ...changes,
  });
  return store.createBatch(made, jobs, () => "hash", { isTaken: () => false });
}

const never = (): Promise<Uint8Array> => Promise.reject(new Error("Not now."));

test("a template of over 1 MB is stored outside of the database, once for all batches", async () => {
  const { path, store, files } = await place();
  const first = await submit(store);
  await submit(store);
  await submit(store, { templateBytes: Buffer.from("A short one.") });
  expect(await files()).toHaveLength(1);
  const { size, mode } = await stat(join(`${path}-templates`, (await files())[0] ?? ""));
  expect([size, mode & 0o777]).toEqual([LONG.length, 0o600]);
  expect((await stat(path)).size + (await stat(`${path}-wal`)).size).toBeLessThan(LONG.length);
  const pinned = await (await openWorker(store)).pinned(first.batch.id, "t.docx", never);
  expect(LONG.equals(pinned)).toBe(true);
});

test("a template, its folder and the folder's name are synced before the batch is accepted", async () => {
  const { path, store } = await place();
  const handle = await open(path);
  const sync = vi.spyOn(Object.getPrototypeOf(handle), "sync");
  onTestFinished(() => sync.mockRestore());
  await handle.close();
  async function* jobs(): AsyncGenerator<NewJob> {
    expect(sync).toHaveBeenCalledTimes(3);
    yield newJob("1");
  }
  await submit(store, {}, jobs());
  expect(sync).toHaveBeenCalledTimes(3);
});

test("equal concurrent templates are stored, and unused files are deleted", async () => {
  const { store, files, open } = await place();
  const stores = [store, open(), store, open()];
  const all = await Promise.all(stores.map((each) => submit(each)));
  expect(await files()).toHaveLength(1);
  const worker = await openWorker(store);
  for (const { batch } of all) {
    expect(LONG.equals(await worker.pinned(batch.id, "t.docx", never))).toBe(true);
  }
});

test("the file is deleted with the last batch that uses it, and when the tenant is erased", async () => {
  const { store, files } = await place();
  const batch = (await submit(store)).batch.id;
  await submit(store, { tenant: "other" });
  await store.cancelBatch(batch);
  const worker = await openWorker(store, 0);
  await new Promise((resolve) => setTimeout(resolve, 5));
  while (await worker.tidy());
  expect(await store.getBatch(batch)).toBeNull();
  expect(await files()).toHaveLength(1);
  await store.eraseTenant("other");
  expect(await files()).toEqual([]);
});

test("a batch that is not accepted leaves no file", async () => {
  const { store, files } = await place();
  await expect(submit(store, {}, [])).rejects.toMatchObject({ code: "invalid_request" });
  await submit(store, { idempotencyKey: "key", templateBytes: LONG.subarray(1) });
  expect(await files()).toHaveLength(1);
  const known = await submit(store, { idempotencyKey: "key" });
  expect(known.created).toBe(false);
  expect(await files()).toHaveLength(1);
  function* broken(): Generator<NewJob> {
    for (let number = 1; number <= 250; number += 1) yield newJob(`${number}`);
    throw new Error("The source is broken.");
  }
  await expect(submit(store, {}, broken())).rejects.toThrow("The source is broken.");
  const worker = await openWorker(store);
  while (await worker.tidy());
  expect(await files()).toHaveLength(1);
});

test("old files of dead processes are deleted, but not files in use", async () => {
  const { path, store, files } = await place();
  const { batch } = await submit(store);
  const [used = ""] = await files();
  const folder = `${path}-templates`;
  await writeFile(join(folder, "old"), "left");
  await writeFile(join(folder, "young"), "in work");
  for (const name of ["old", used]) await utimes(join(folder, name), OLD, OLD);
  const worker = await openWorker(store);
  expect((await files()).sort()).toEqual([used, "young"].sort());
  expect(LONG.equals(await worker.pinned(batch.id, "t.docx", never))).toBe(true);
});

test("a missing or truncated template causes an error that names the file", async () => {
  const { path, store, files } = await place();
  const { batch } = await submit(store);
  const [name = ""] = await files();
  const worker = await openWorker(store);
  const read = () => worker.pinned(batch.id, "t.docx", never);
  await truncate(join(`${path}-templates`, name), 1000);
  const problem = { code: "job_store_failed", message: expect.stringContaining(name) };
  await expect(read()).rejects.toMatchObject(problem);
  await rm(join(`${path}-templates`, name));
  await expect(read()).rejects.toMatchObject(problem);
});

test("a template that cannot be written rejects the batch, but the store accepts others", async () => {
  const { path, store } = await place();
  await writeFile(`${path}-templates`, "in the way");
  await expect(submit(store)).rejects.toMatchObject({ code: "job_store_failed", retryable: true });
  const small = await submit(store, { templateBytes: Buffer.from("A short one.") });
  expect(small.created).toBe(true);
});

test("a copy of a store in use has its batches and templates, and does not affect it", async () => {
  const { path, store } = await place();
  const { batch } = await submit(store);
  const copied = `${path}-copy`;
  await copyJobStore(path, copied);
  const copy = sqliteJobStore({ path: copied });
  onTestFinished(() => copy.close());
  const pinned = await (await openWorker(copy)).pinned(batch.id, "t.docx", never);
  expect(LONG.equals(pinned)).toBe(true);
  await copy.cancelBatch(batch.id);
  expect((await store.getBatch(batch.id))?.cancelled).toBe(false);
});

test("a file that is not a store cannot be copied", async () => {
  const { path } = await place();
  await writeFile(`${path}-other`, "no database");
  await expect(copyJobStore(`${path}-other`, `${path}-copy`)).rejects.toMatchObject({
    code: "job_store_failed",
  });
});
