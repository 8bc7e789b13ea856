/** The measurements of batches: each part of the work alone, and the engine, which does all of the parts. */
import { randomUUID } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";
import {
  createEngine,
  type JobStore,
  type NewBatch,
  type NewJob,
  renderPool,
  type Storage,
} from "@quire/core";
import { sqliteJobStore } from "@quire/jobs-sqlite";
import { libreOffice } from "@quire/pdf-libreoffice";
import { fsStorage } from "@quire/storage-fs";
import { s3Storage } from "@quire/storage-s3";
import pLimit from "p-limit";

/** A measurement in a separate process. */
export interface PartTask {
  readonly part: "accept" | "drain" | "render" | "convert" | "write" | "engine";
  readonly documents: number;
  readonly output: "docx" | "pdf";
  /** A folder that contains only `template.docx` and `data.json` (the entries of a batch). */
  readonly folder: string;
  /** The bucket for the documents. If null, they are written to the folder. */
  readonly bucket: { readonly name: string; readonly endpoint: string } | null;
  /** Whether the engine's batches are durable. */
  readonly durable: boolean;
}

/** The default concurrency of an engine. */
const AT_ONCE = Math.min(32 * cpus().length, 256);

/** Runs one part. Returns its duration in milliseconds, without the preparation. */
export async function measurePart(task: PartTask): Promise<number> {
  switch (task.part) {
    case "accept":
      return accept(task);
    case "drain":
      return drain(task);
    case "render":
      return render(task);
    case "convert":
      return convert(task);
    case "write":
      return write(task);
    case "engine":
      return engine(task);
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function forEach(
  documents: number,
  work: (index: number) => Promise<unknown>,
): Promise<void> {
  const limit = pLimit(AT_ONCE);
  const indexes = Array.from({ length: documents }, (_, index) => index);
  await limit.map(indexes, (index) => work(index));
}

type EntryData = (index: number) => Record<string, unknown>;

/** Returns the data of the entries. All entries differ, so that a converter cannot reuse documents. */
async function dataOf({ folder }: PartTask): Promise<EntryData> {
  const list: readonly { readonly user_input: { readonly invoice: object } }[] = JSON.parse(
    await readFile(join(folder, "data.json"), "utf8"),
  );
  return (index) => {
    const data = list[index % list.length]?.user_input;
    return { ...data, invoice: { ...data?.invoice, number: `R-${index}` } };
  };
}

async function render(task: PartTask): Promise<number> {
  const data = await dataOf(task);
  const pool = renderPool();
  const template = pool.open(await readFile(join(task.folder, "template.docx")));
  try {
    return await timed(() => forEach(task.documents, (index) => template.render(data(index))));
  } finally {
    await pool.close();
  }
}

/**
 * Returns a function from the index to a rendered document. Renders as many documents as needed, but at most a
 * thousand, which then repeat.
 */
async function rendered(task: PartTask): Promise<(index: number) => Uint8Array> {
  const data = await dataOf(task);
  const pool = renderPool();
  const template = pool.open(await readFile(join(task.folder, "template.docx")));
  const documents: Uint8Array[] = [];
  await forEach(Math.min(task.documents, 1000), async (index) => {
    documents.push((await template.render(data(index))).bytes);
  });
  await pool.close();
  return (index) => documents[index % documents.length] ?? new Uint8Array();
}

async function convert(task: PartTask): Promise<number> {
  const document = await rendered(task);
  const converter = libreOffice();
  try {
    return await timed(() =>
      forEach(task.documents, (index) =>
        converter.convert(document(index), { rendered: true, group: "one" }),
      ),
    );
  } finally {
    await converter.close();
  }
}

async function write(task: PartTask): Promise<number> {
  const document = await rendered(task);
  const storage = await storageOf(task);
  return timed(() =>
    forEach(task.documents, (index) =>
      storage.create({ type: "folder", id: "out" }, `${index}.${task.output}`, document(index)),
    ),
  );
}

async function engine(task: PartTask): Promise<number> {
  const data = await dataOf(task);
  const { folder, documents, output, durable } = task;
  const own = createEngine({
    storage: await storageOf(task),
    ...(output === "pdf" ? { converter: libreOffice() } : {}),
    ...(durable ? { jobs: sqliteJobStore({ path: join(folder, "jobs.db") }) } : {}),
  });
  async function* entries() {
    for (let index = 0; index < documents; index++) {
      yield { generated_file_name: String(index), user_input: data(index) };
    }
  }
  try {
    return await timed(async () => {
      const batch = await own.createBatch({
        file: { type: "file", id: "template.docx" },
        input_source: "api",
        destination_folder: { type: "folder", id: "out" },
        output_type: output,
        document_generation_data: entries(),
      });
      let made = 0;
      for await (const { status } of own.jobs(batch.id)) if (status === "completed") made += 1;
      if (made !== documents) throw new Error(`Only ${made} of ${documents} were created.`);
    });
  } finally {
    await own.close();
  }
}

async function storageOf({ folder, bucket }: PartTask): Promise<Storage> {
  if (bucket === null) {
    await mkdir(join(folder, "out"), { recursive: true });
    return fsStorage({ root: folder });
  }
  const prefix = randomUUID();
  const storage = s3Storage({ bucket: bucket.name, endpoint: bucket.endpoint, prefix });
  const bytes = await readFile(join(folder, "template.docx"));
  await storage.create({ type: "folder", id: "." }, "template.docx", bytes);
  return storage;
}

async function accept(task: PartTask): Promise<number> {
  const store = sqliteJobStore({ path: join(task.folder, "jobs.db") });
  try {
    return await timed(() => acceptInto(store, task.documents));
  } finally {
    await store.close();
  }
}

async function drain(task: PartTask): Promise<number> {
  const store = sqliteJobStore({ path: join(task.folder, "jobs.db") });
  await acceptInto(store, task.documents);
  const worker = await store.openWorker({
    takes: "all",
    leaseMs: 15_000,
    keepFinishedMs: null,
  });
  try {
    return await timed(async () => {
      for (let left = task.documents; left > 0; ) {
        const { jobs } = await worker.claim(16);
        left -= jobs.length;
        await Promise.all(
          jobs.map(async (claim) => {
            await worker.note(claim, { ...RESULT, name: claim.fileName, size: 10_000 });
            const ref = { type: "file", id: claim.fileName } as const;
            const outputFile = { ref, version: RESULT.sha256, name: claim.fileName, size: 10_000 };
            await worker.settle(claim, { type: "completed", result: { ...RESULT, outputFile } });
          }),
        );
      }
    });
  } finally {
    await store.close();
  }
}

const RESULT = {
  status: "completed",
  sha256: "0".repeat(64),
  pages: null,
  converter: null,
  errors: [],
  warnings: [],
} as const;

async function acceptInto(store: JobStore, jobs: number): Promise<void> {
  const batch: NewBatch = {
    id: randomUUID(),
    tenant: "",
    weight: 1,
    caller: null,
    idempotencyKey: null,
    template: { type: "file", id: "template.docx", version: "1" },
    templateBytes: Buffer.alloc(20_000),
    folder: { type: "folder", id: "out" },
    outputType: "docx",
    needsConverter: false,
    onConflict: "rename",
    withEvents: false,
    settings: "{}",
    trace: null,
  };
  await store.createBatch(batch, newJobs(jobs), () => "", { isTaken: () => false });
}

/** Yields entries of 1 kB that all differ. */
function* newJobs(count: number): Generator<NewJob> {
  for (let job = 0; job < count; job++) {
    const text = `${job}:`.repeat(1000).slice(0, 1000);
    const bytes = Buffer.from(JSON.stringify({ text }));
    yield {
      requestedName: String(job),
      fileName: `${job}.docx`,
      input: { encoding: "json", bytes, locale: null, timeZone: null },
      failure: null,
    };
  }
}
