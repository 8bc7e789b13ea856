import type { JobStatus, JobStore, JobWorker } from "@quire/contracts";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { newBatch, newJob } from "../../contracts/test/support/new-batch.ts";
import { postgresJobStore } from "../src/jobs/postgres-job-store.ts";
import { makePlace, type Place } from "./support/place.ts";
import { ExplainingDatabase } from "./support/plans.ts";

const failure = {
  code: "internal",
  message: "",
  diagnostics: [],
  retryable: true,
  cause: null,
} as const;

async function newPlace(): Promise<Place> {
  const place = await makePlace();
  onTestFinished(() => place.destroy());
  return place;
}

function openWorker(store: JobStore, takes: "all" | "docx" = "all"): Promise<JobWorker> {
  return store.openWorker({ takes, leaseMs: 60_000, keepFinishedMs: null });
}

async function accept(store: JobStore, count: number): Promise<string> {
  const batch = newBatch({ caller: "caller", withEvents: true });
  const jobs = Array.from({ length: count }, (_, index) => newJob(`${batch.id} ${index}`));
  await store.createBatch(batch, jobs, () => "hash", { isTaken: () => false });
  return batch.id;
}

test("an event that is recorded while a worker waits for its turn is delivered with it", async () => {
  const place = await newPlace();
  const { jobs } = place.open();
  const worker = await openWorker(jobs);
  const first = await accept(jobs, 1);
  const client = new pg.Client(place.url);
  await client.connect();
  await client.query("BEGIN");
  await client.query("SELECT pg_advisory_xact_lock(1366651250, hashtext('quire.event'))");
  const taking = worker.takeEvents(10);
  await expect
    .poll(async () => {
      const { rows } = await place.query("SELECT 1 FROM pg_locks WHERE NOT granted");
      return rows.length;
    })
    .toBe(1);
  const second = await accept(jobs, 1);
  await client.query("COMMIT");
  await client.end();
  expect((await taking).map(({ batchId }) => batchId)).toEqual([first, second]);
});

/** Number of jobs of a large batch: most have ended, some wait to be tried again, and the others were never begun. */
const ALL = 20_000;
const ENDED = 12_000;
const WAITING = 3000;

/** Accepts a large batch, and ends some of its jobs as the functions of the store would. */
async function acceptLarge(place: Place, jobs: JobStore): Promise<string> {
  const batchId = await accept(jobs, ALL);
  const [{ no }] = (await place.query("SELECT no FROM quire.batch WHERE id = $1", [batchId])).rows;
  await place.query(`
    INSERT INTO quire.outcome (batch_no, entry, status, attempts, failure, ended_at, ended)
      SELECT ${no}, n, CASE WHEN n % 100 = 0 THEN 4 ELSE 2 END, 1, '{}', 0, n
      FROM generate_series(1, ${ENDED}) AS n;
    INSERT INTO quire.work (batch_no, entry, attempts)
      SELECT ${no}, n, 1 FROM generate_series(${ENDED + 1}, ${ENDED + WAITING}) AS n;
    UPDATE quire.run SET next_entry = ${ENDED + WAITING + 1}, submitted = ${ALL - ENDED},
      completed = ${ENDED} * 0.99, failed = ${ENDED} * 0.01, ended = ${ENDED} WHERE batch_no = ${no}`);
  return batchId;
}

test("a page of failed jobs reads only the batches that have some", async () => {
  const place = await newPlace();
  const { jobs } = place.open();
  const worker = await openWorker(jobs, "all");
  const batchId = await accept(jobs, 3);
  const { jobs: claims } = await worker.claim(3);
  for (const claim of claims) await worker.settle(claim, { type: "failed", failure });
  await addOtherBatches(place);
  const database = await explained(place);
  const store = postgresJobStore(database, 1_000_000);
  const { items } = await store.listJobs({
    tenant: "tenant",
    status: "failed",
    order: "entry",
    limit: 10,
  });
  expect(items.map(({ entry }) => entry)).toEqual([1, 2, 3]);
  expect(items[0]?.batchId).toBe(batchId);
  // One for the function, which reads the batch, and then its jobs.
  expect(database.count).toBe(3);
});

/** Adds running batches of the tenant. The jobs of those for PDFs need a converter. */
async function addOtherBatches(place: Place, type: "docx" | "pdf" = "pdf"): Promise<void> {
  const converts = type === "pdf";
  await place.query(`
    WITH many AS (
      INSERT INTO quire.batch (id, state, tenant, weight, template_id, template_version, folder_no, output_type,
          needs_converter, on_conflict, with_events, settings, created_at)
        SELECT '${type} ' || n, 1, 'tenant', 1, 't', '1', 1, '${type}', ${converts}, 'rename', false, '{}', n
        FROM generate_series(1, 3000) AS n RETURNING no, created_at
    )
    INSERT INTO quire.run (batch_no, tenant, weight, needs_converter, with_events, created_at, submitted, completed,
        completed_with_error, failed, ended, next_entry, virtual_time)
      SELECT no, 'tenant', 1, ${converts}, false, created_at, 1, 0, 0, 0, 0, 1, 0 FROM many`);
}

async function explained(place: Place): Promise<ExplainingDatabase> {
  const database = await ExplainingDatabase.connect(place.url);
  onTestFinished(() => database.close());
  return database;
}

test("a page of a rare state does not read the batches without such jobs", async () => {
  const place = await newPlace();
  const { jobs } = place.open();
  const worker = await openWorker(jobs);
  const finished = await accept(jobs, 2);
  for (const claim of (await worker.claim(2)).jobs) {
    await worker.settle(claim, { type: "failed", failure });
  }
  const running = await accept(jobs, 4);
  const { jobs: claims } = await worker.claim(2);
  for (const claim of claims.slice(0, 1)) await worker.settle(claim, { type: "failed", failure });
  await addOtherBatches(place);
  await place.query(`
    UPDATE quire.batch SET state = 2, finished_at = 1, completed = 1 WHERE output_type = 'pdf';
    DELETE FROM quire.run WHERE needs_converter; ANALYZE`);
  const database = await explained(place);
  const store = postgresJobStore(database, 1_000_000);
  for (const filter of [
    {},
    { tenant: "tenant" },
    { caller: "caller" },
    { template: "letter.docx" },
  ]) {
    const list = async (status: JobStatus) => {
      const { items } = await store.listJobs({ ...filter, status, order: "entry", limit: 10 });
      return items.map(({ batchId, entry }) => [batchId, entry]);
    };
    expect(await list("submitted")).toEqual([
      [running, 3],
      [running, 4],
    ]);
    expect(await list("pending")).toEqual([[running, 2]]);
    expect(await list("completed_with_error")).toEqual([]);
    expect(await list("failed")).toEqual([
      [running, 1],
      [finished, 1],
      [finished, 2],
    ]);
  }
  expect(database.count).toBeGreaterThan(16);
  expect(database.largeReads()).toEqual([]);
});

test("a page that begins after the last job of a batch is as long as others", async () => {
  const place = await newPlace();
  const { jobs } = place.open();
  const ids: string[] = [];
  for (let count = 0; count < 5; count++) ids.unshift(await accept(jobs, 1));
  const query = { tenant: "tenant", order: "entry", limit: 2 } as const;
  const pages: string[][] = [];
  for (let marker: string | undefined | null; marker !== null; ) {
    const page = await jobs.listJobs({ ...query, marker });
    pages.push(page.items.map(({ batchId }) => batchId));
    marker = page.nextMarker;
  }
  expect(pages).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
});

function upFrom(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}

test("pages of a large batch read only their own rows", async () => {
  const place = await newPlace();
  const { jobs } = place.open();
  const batchId = await acceptLarge(place, jobs);
  const { jobs: claims } = await (await openWorker(jobs)).claim(5);
  expect(claims.map(({ entry }) => entry)).toEqual(upFrom(ENDED + 1, 5));

  const database = await explained(place);
  const store = postgresJobStore(database, 1_000_000);
  const list = async (status: "submitted" | "pending" | "failed", marker?: string) => {
    const query = { batchId, status, order: "entry", limit: 10 } as const;
    const page = await store.listJobs({ ...query, marker });
    return [page.items.map(({ entry }) => entry), page.nextMarker] as const;
  };
  const [submitted, next] = await list("submitted");
  expect(submitted).toEqual(upFrom(ENDED + 6, 10));
  expect((await list("submitted", next ?? ""))[0]).toEqual(upFrom(ENDED + 16, 10));
  expect((await list("pending"))[0]).toEqual(upFrom(ENDED + 1, 5));
  expect((await list("failed"))[0].slice(0, 3)).toEqual([100, 200, 300]);
  await store.listJobs({ batchId, order: "entry", limit: 10 });
  const ended = await store.listJobs({ batchId, order: "ended", limit: 10 });
  expect(ended.items.map(({ entry }) => entry)).toEqual(upFrom(1, 10));
  await store.listJobs({ batchId, order: "ended", limit: 10, marker: ended.nextMarker ?? "" });
  await store.listJobs({ template: "letter.docx", order: "entry", limit: 10 });
  await store.listJobs({ caller: "caller", order: "entry", limit: 10 });
  await store.listBatches({ tenant: "tenant", limit: 10 });
  await store.getJob(batchId, ALL);
  await store.gauge.depth();
  await store.gauge.use("tenant");
  expect(database.count).toBeGreaterThan(10);
  expect(database.largeReads()).toEqual([]);
});

test("the age of the oldest job of each kind is read from one row, however many batches wait", async () => {
  const place = await newPlace();
  await addOtherBatches(place);
  const database = await explained(place);
  const { gauge } = postgresJobStore(database, 1_000_000);
  expect((await gauge.depth()).oldestAt).toEqual({ docx: null, pdf: 1 });
  await addOtherBatches(place, "docx");
  expect((await gauge.depth()).oldestAt).toEqual({ docx: 1, pdf: 1 });
  expect(database.largeReads()).toEqual([]);
});

test.each([
  ["without statistics", ""],
  ["with statistics of small tables", "ANALYZE"],
])(
  "claims, notes and ends of jobs of a large batch read only their own rows, %s",
  async (_, analyze) => {
    const place = await newPlace();
    const { jobs } = place.open();
    const database = await explained(place);
    const store = postgresJobStore(database, 1_000_000);
    await performAll(store);
    await place.query(analyze);
    // Functions keep plans that they made for small tables.
    for (let round = 0; round < 7; round++) await performAll(store);
    await acceptLarge(place, jobs);
    await addOtherBatches(place);
    database.forget();
    await performAll(store);
    expect(database.count).toBeGreaterThan(100);
    expect(database.largeReads()).toEqual([]);
  },
);

/** Performs each operation of a worker. */
async function performAll(store: JobStore): Promise<void> {
  const small = await accept(store, 20);
  const worker = await openWorker(store, "docx");
  const made = { sha256: "ab", pages: null, converter: null, errors: [], warnings: [] } as const;
  const { jobs: claims } = await worker.claim(40);
  await Promise.all(
    claims.map(async (claim, index) => {
      const { fileName: name } = claim;
      await worker.setBegun(claim, true);
      const other = index === 0 ? await worker.rename(claim) : name;
      await worker.note(claim, { ...made, status: "completed", name: other, size: 3 });
      const outputFile = {
        ref: { type: "file", id: other },
        version: "1",
        name: other,
        size: 3,
      } as const;
      const outcomes = [
        { type: "completed", result: { ...made, status: "completed", outputFile } },
        { type: "failed", failure },
        { type: "again", failure, delayMs: 0 },
        { type: "released" },
      ] as const;
      await worker.settle(claim, outcomes[index % 4] ?? outcomes[0]);
    }),
  );
  await worker.pinned(small, "letter.docx", async () => new Uint8Array());
  const events = await worker.takeEvents(50);
  await worker.tellEvents(events.map(({ sequence }) => sequence));
  await store.cancelBatch(small);
  for (const filter of [{ tenant: "tenant" }, { caller: "caller" }, { batchId: small }]) {
    await store.listJobs({ ...filter, order: "entry", limit: 10 });
  }
  const { jobs: left } = await worker.claim(40);
  for (const claim of left) await worker.settle(claim, { type: "failed", failure });
  await store.retryFailed(small, { isTaken: () => false }).catch(() => {});
  await store.cancelBatch(small);
  await worker.claim(1, { alone: true });
  await worker.tidy();
  await worker.close();
}
