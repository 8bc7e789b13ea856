/** The data folder of a service that was killed in the middle of everything. */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Claim, JobResult, JobStore, JobWorker, OutputNote, Storage } from "@quire/contracts";
import {
  type BatchRequest,
  type CreateBatchOptions,
  createEngine,
  type EngineOptions,
  memoryStorage,
  renderInProcess,
  type StreamedBatchRequest,
} from "@quire/core";
import { copyJobStore, type SqliteStores, sqliteJobStore, sqliteStores } from "@quire/jobs-sqlite";
import { docx } from "../../../cli/test/support/docx.ts";

const HOUR_MS = 3_600_000;
/** Has characters that a text of PostgreSQL cannot contain, or that the store escapes. */
const ODD = "o\\dd\0 ü";
/** All tenants. The jobs of `held` are held. */
export const TENANTS = ["acme", "globex", "held", ODD, "idle"] as const;
const LETTER = { type: "file", id: "letter.docx" } as const;

/** A data folder, and the storage of its batches. */
export interface DataFolder {
  readonly storage: Storage;
  /** Returns the path of `quire.db` in a new copy of the folder. */
  copy(): Promise<string>;
  remove(): Promise<void>;
}

/** Makes a folder with rows of every kind and state. */
export async function makeDataFolder(): Promise<DataFolder> {
  const folder = await mkdtemp(join(tmpdir(), "quire-move-"));
  const [live, path] = [join(folder, "live.db"), join(folder, "quire.db")];
  const storage = memoryStorage({
    folders: ["out", "more"],
    files: {
      "letter.docx": docx(["Dear {{name}}"]),
      // Over 1 MB, so it is not in the database.
      "large.docx": docx(["Dear {{name}}", randomBytes(1_500_000).toString("hex")]),
      "main.docx": docx(['{{include "part.docx"}}']),
      "part.docx": docx(["Part for {{name}}"]),
    },
  });
  await finishBatches(live, storage);
  const stores = sqliteStores({ path: live });
  const stop = new AbortController();
  await fillJobs(stores.jobs, live, storage, stop.signal);
  await fillService(stores);
  // A snapshot while a worker has jobs and events, and a batch is being accepted.
  await copyJobStore(live, path);
  stop.abort();
  await stores.close();
  changeRows(path);
  let copies = 0;
  return {
    storage,
    copy: async () => {
      const to = join(folder, `copy-${copies++}.db`);
      await copyJobStore(path, to);
      return to;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

type Submit = (
  id: string,
  names: readonly string[],
  more?: CreateBatchOptions & {
    readonly request?: Partial<StreamedBatchRequest> | Partial<BatchRequest>;
  },
) => Promise<string>;

/** Opens an engine over the file, and closes it afterwards. */
async function withEngine(
  path: string,
  options: Omit<EngineOptions, "jobs">,
  body: (submit: Submit, store: JobStore) => Promise<void>,
): Promise<void> {
  const jobs = sqliteJobStore({ path });
  const engine = createEngine({ jobs, keepEvents: true, renderer: renderInProcess(), ...options });
  await body(async (tenant, names, { request, ...more } = {}) => {
    const batch = await engine.createBatch(
      {
        file: LETTER,
        input_source: "api",
        destination_folder: { type: "folder", id: "out" },
        output_type: "docx",
        document_generation_data: names.map((name) => ({
          generated_file_name: name,
          user_input: name.startsWith("no ") ? {} : { name },
        })),
        ...request,
      } as BatchRequest,
      { tenant, ...more },
    );
    return batch.id;
  }, jobs);
  await engine.close();
}

/** Batches that an engine has finished. */
async function finishBatches(path: string, storage: Storage): Promise<void> {
  await withEngine(path, { storage }, async (submit, store) => {
    const ids = [
      await submit("acme", ["Ann", "no name", "Bo"], { idempotencyKey: "first", caller: "ann" }),
      await submit("acme", ["same", "same"], { request: { on_conflict: "fail" } }),
      await submit("globex", ["Cy"], { request: { file: { type: "file", id: "main.docx" } } }),
      await submit(ODD, ["Di"], {
        request: { file: { type: "file", id: "large.docx" } },
        idempotencyKey: ODD,
        caller: ODD,
        trace: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
      }),
      await submit("globex", [], { request: { document_generation_data: oneInvalid() } }),
      await submit("globex", ["deleted"]),
    ];
    for (const id of ids) while ((await store.getBatch(id))?.status !== "finished") await pause();
  });
}

/** Entries of which one becomes a job without data. */
async function* oneInvalid(): AsyncGenerator<object> {
  yield { generated_file_name: "valid", user_input: { name: "Ed" } };
  yield { generated_file_name: "in/valid", user_input: {} };
}

/** Batches with jobs in every state, and workers in the middle of their work. */
async function fillJobs(
  store: JobStore,
  path: string,
  storage: Storage,
  stop: AbortSignal,
): Promise<void> {
  const worker = await store.openWorker({ takes: "all", leaseMs: HOUR_MS, keepFinishedMs: null });
  const events = await worker.takeEvents(3);
  await worker.tellEvents(events.slice(0, 1).map(({ sequence }) => sequence));
  await withEngine(path, { storage, work: false }, async (submit) => {
    await fillMixed(worker, submit);
    await fillCancelled(store, worker, submit);
    await fillRetried(store, worker, submit);
    await submit("globex", ["suspect", "poison", "usual"], { weight: 3 });
    await submit("held", ["held 1", "held 2"], { request: { on_conflict: "fail" } });
    await store.holdTenant("held", true);
    await submit("acme", ["w 1", "w 2", "w 3"], { idempotencyKey: "waiting", weight: 2 });
    await submit("acme", ["w 1"], {
      earlierResult: () => resultOf("w 0.docx"),
      request: { destination_folder: { type: "folder", id: "more" } },
    });
  });
  await acceptForever(store, stop);
}

async function fillMixed(worker: JobWorker, submit: Submit): Promise<void> {
  await submit("acme", ["m 1", "m 2", "m 3", "m 4", "m 5", "m 6", "m 7"]);
  const [done, failed, delayed, noted, begun] = (await worker.claim(5)).jobs as Claim[];
  if (done && failed && delayed && noted && begun) {
    await worker.note(done, noteOf(done.fileName));
    await worker.settle(done, { type: "completed", result: resultOf(done.fileName) });
    await worker.note(failed, noteOf(failed.fileName));
    await worker.settle(failed, { type: "failed", failure: FAILURE });
    await worker.settle(delayed, { type: "again", failure: FAILURE, delayMs: HOUR_MS });
    await worker.note(noted, noteOf(noted.fileName));
    await worker.setBegun(begun, true);
  }
}

async function fillCancelled(store: JobStore, worker: JobWorker, submit: Submit): Promise<void> {
  const id = await submit("globex", ["c 1", "c 2", "c 3"]);
  const claim = await claimOf(store, worker, id);
  await worker.note(claim, noteOf(claim.fileName));
  // Its job in progress ends later.
  await store.cancelBatch(id);
  await store.cancelBatch(await submit("globex", ["d 1", "d 2"]));
}

async function fillRetried(store: JobStore, worker: JobWorker, submit: Submit): Promise<void> {
  const id = await submit(ODD, ["r 1", "r 2", "r 3", "r 4"]);
  for (const type of ["failed", "completed", "failed", "completed"] as const) {
    const claim = await claimOf(store, worker, id);
    await worker.settle(
      claim,
      type === "failed" ? { type, failure: FAILURE } : { type, result: resultOf(claim.fileName) },
    );
  }
  await store.retryFailed(id, { isTaken: () => false });
  // Jobs that were never begun, next to jobs that were.
  const other = await submit(ODD, ["s 1", "s 2", "s 3"]);
  const claim = await claimOf(store, worker, other);
  await store.cancelBatch(other);
  await worker.settle(claim, { type: "failed", failure: FAILURE });
  await store.retryFailed(other, { isTaken: () => false });
}

/** Starts to accept a batch whose entries never end. */
async function acceptForever(store: JobStore, stop: AbortSignal): Promise<void> {
  const written = Promise.withResolvers<void>();
  const [known] = (await store.listBatches({ limit: 1 })).items;
  async function* entries() {
    for (let index = 0; index < 250; index++) {
      yield {
        requestedName: `draft ${index}`,
        fileName: `draft ${index}.docx`,
        input: { encoding: "json", bytes: Buffer.from("{}"), locale: null, timeZone: null },
        failure: null,
      } as const;
    }
    written.resolve();
    await new Promise((_, reject) => stop.addEventListener("abort", () => reject(stop.reason)));
  }
  if (known === undefined) throw new Error("There is no batch.");
  const draft = {
    ...known,
    id: "draft",
    idempotencyKey: "draft",
    templateBytes: Buffer.from("a draft"),
    needsConverter: false,
    withEvents: true,
  };
  store
    .createBatch(draft, entries(), () => "hash", { isTaken: () => false, signal: stop })
    .catch(() => {});
  await written.promise;
}

/** Claims the next job of a batch. Jobs of others that it gets are put back. */
async function claimOf(store: JobStore, worker: JobWorker, batchId: string): Promise<Claim> {
  const { items } = await store.listBatches({ limit: 100 });
  const batches = items.map(({ id }) => id).filter((id) => id !== batchId);
  const { jobs } = await worker.claim(1, { without: { tenants: [], batches } });
  if (jobs[0] === undefined) throw new Error("The batch has no job that is ready.");
  return jobs[0];
}

async function fillService(stores: SqliteStores): Promise<void> {
  for (const tenant of TENANTS) {
    const { files, templates, tokens, webhooks, tenants } = stores;
    const slug = tenant.replaceAll("\0", "0");
    const root = await files.root(tenant, `tenants/${slug}`);
    const common = { createdBy: tenant, parentId: root.id };
    const folder = await files.add(tenant, {
      ...common,
      type: "folder",
      name: "Über\\uns",
      storageId: `tenants/${slug}/uns`,
    });
    const version = (name: string) => ({
      storageId: `tenants/${slug}/${name}`,
      storageVersion: `v-${name}`,
      size: name.length,
      sha1: null,
      createdBy: tenant,
    });
    for (const name of ["a.docx", "B.docx", "gone.docx"]) {
      const within = { ...common, parentId: folder.id, type: "file", name } as const;
      const file = await files.add(tenant, { ...within, version: version(name) });
      if (name === "a.docx") {
        await files.addVersion(tenant, file.id, { ...version("a2.docx"), sha1: "ab" });
        await templates.mark({ tenant, fileId: file.id, markedBy: tenant });
      }
      if (name === "B.docx") await files.rename(tenant, file.id, "c.docx");
      if (name === "gone.docx") await files.remove(tenant, file.id);
    }
    await templates.mark({ tenant, fileId: "nothing", markedBy: null });
    await templates.unmark(tenant, "nothing");
    await tokens.add({
      id: `id ${tenant}`,
      hash: `hash ${tenant}`,
      user: "ann",
      enterprise: tenant,
      scopes: ["read", "o\\dd"],
      createdAt: 1,
      expiresAt: tenant === "idle" ? null : Date.now() + HOUR_MS,
    });
    for (const name of ["w1", "w2", "gone"]) {
      await webhooks.add({
        id: `${name} ${slug}`,
        tenant,
        target: { type: "folder", id: folder.id },
        address: `https://hooks.example/${slug}`,
        triggers: ["DOCGEN.BATCH_FINISHED"],
        createdBy: tenant,
        createdAt: 2,
      });
    }
    await webhooks.enqueue(
      ["sent", "waits", "again"].map((name) => ({
        id: `${name} ${slug}`,
        webhookId: `w1 ${slug}`,
        body: JSON.stringify({ name, tenant }),
        giveUpAt: Date.now() + HOUR_MS,
      })),
    );
    await webhooks.settle(`sent ${slug}`, { type: "done" });
    await webhooks.remove(tenant, `gone ${slug}`);
    const line = { at: 3, by: tenant, action: "quota", counts: { batches: 1 } };
    await tenants.change(tenant, { quotas: { jobs: 7 }, erasing: tenant, suspendedAt: 4 }, line);
  }
  let discarded = 0;
  await stores.files.sweep(async () => {
    if (++discarded > 2) throw new Error("The others remain.");
  });
  await stores.webhooks.take(2, HOUR_MS);
}

/** States into which no short test gets. */
function changeRows(path: string): void {
  const database = new DatabaseSync(path);
  const note = JSON.stringify([noteOf("poison.docx")]);
  database.exec(`UPDATE job SET deaths = 2, begun = 1, attempts = 2 WHERE requested_name = 'suspect';
    UPDATE job SET deaths = 5, attempts = 5, failures = 1, notes = '${note}' WHERE requested_name = 'poison';
    UPDATE batch SET state = 3, id = 'deleted ' || no WHERE no =
      (SELECT batch_no FROM job WHERE requested_name = 'deleted');
    UPDATE catalog_leftover SET free_at = 5;
    UPDATE batch SET needs_converter = 1 WHERE tenant = 'held'`);
  database.close();
}

const FAILURE = {
  code: "render_failed",
  message: 'It failed: a "quote" and a back\\slash.',
  diagnostics: [],
  retryable: false,
  cause: null,
} as const;

function noteOf(name: string): OutputNote {
  return {
    status: "completed",
    sha256: "0".repeat(64),
    pages: null,
    converter: null,
    errors: [],
    warnings: [],
    name,
    size: 7,
  };
}

function resultOf(name: string): JobResult {
  const { name: _, size, ...note } = noteOf(name);
  const ref = { type: "file", id: `out/${name}` } as const;
  return { ...note, outputFile: { ref, version: "1", name, size } };
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 10));
}
