import type { Claim, JobWorker, NewBatch } from "@quire/contracts";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newBatch, newJob } from "../../contracts/test/support/new-batch.ts";
import type { PostgresStores } from "../src/index.ts";
import { makePlace, type Place } from "./support/place.ts";

let place: Place;
let stores: PostgresStores;
let worker: JobWorker;

beforeAll(async () => {
  place = await makePlace();
  stores = place.open();
  worker = await stores.jobs.openWorker({ takes: "all", leaseMs: 60_000, keepFinishedMs: null });
  await accept(1, "known template");
});

afterAll(() => place.destroy());

/** Runs a call, and returns its result and how many requests it sent to the server. */
async function counted<T>(
  call: () => Promise<T>,
): Promise<{ readonly result: T; readonly trips: number }> {
  const { query } = pg.Client.prototype;
  let trips = 0;
  pg.Client.prototype.query = function (this: pg.Client, ...args: Parameters<typeof query>) {
    trips += 1;
    return query.apply(this, args);
  } as typeof query;
  try {
    return { result: await call(), trips };
  } finally {
    pg.Client.prototype.query = query;
  }
}

const trips = async (call: () => Promise<unknown>): Promise<number> => (await counted(call)).trips;

function accept(count: number, template: string, parts: Partial<NewBatch> = {}) {
  const templateBytes = Buffer.from(template);
  const batch = newBatch({ templateBytes, withEvents: true, ...parts });
  const data = new Uint8Array(100);
  const jobs = Array.from({ length: count }, (_, index) => newJob(`${batch.id} ${index}`, data));
  return stores.jobs.createBatch(batch, jobs, () => "hash", { isTaken: () => false });
}

async function claim(count: number): Promise<readonly Claim[]> {
  return (await worker.claim(count)).jobs;
}

function noteOf({ fileName }: Claim) {
  const rest = { pages: null, converter: null, errors: [], warnings: [] };
  return { status: "completed", sha256: "ab", name: fileName, size: 3, ...rest } as const;
}

function endOf(claimed: Claim) {
  const { name, size, ...rest } = noteOf(claimed);
  const outputFile = { ref: { type: "file", id: name }, version: "1", name, size } as const;
  return { type: "completed", result: { ...rest, outputFile } } as const;
}

test("a batch of a known template is accepted in one round trip, with and without a key", async () => {
  expect(await trips(() => accept(1, "known template"))).toBe(1);
  expect(await trips(() => accept(1, "known template", { idempotencyKey: "once" }))).toBe(1);
  expect(await trips(() => accept(1, "known template", { idempotencyKey: "once" }))).toBe(1);
  expect(await trips(() => accept(1000, "known template"))).toBe(1);
});

test("a batch of a new template is accepted in two round trips", async () => {
  expect(await trips(() => accept(1, "new template"))).toBe(2);
});

test("a large batch needs one round trip for each thousand entries, and two for its lease", async () => {
  expect(await trips(() => accept(10_000, "known template"))).toBe(11);
});

test("claims, notes and ends of 64 jobs need one round trip each", async () => {
  const { result: claims, trips: claiming } = await counted(() => claim(64));
  expect(claims.length).toBe(64);
  expect(claiming).toBe(1);
  expect(
    await trips(() => Promise.all(claims.map((each) => worker.note(each, noteOf(each))))),
  ).toBe(1);
  expect(
    await trips(() => Promise.all(claims.map((each) => worker.settle(each, endOf(each))))),
  ).toBe(1);
});

test("a template is transferred once, for any number of batches", async () => {
  const { batch } = await accept(1, "known template");
  const read = async () => new Uint8Array();
  await worker.pinned(batch.id, "letter.docx", read);
  const { result, trips: reading } = await counted(() =>
    worker.pinned(batch.id, "letter.docx", read),
  );
  expect(reading).toBe(1);
  expect(new TextDecoder().decode(result)).toBe("known template");
});

test("reads need one round trip each, and a job two", async () => {
  const { jobs } = stores;
  const { batch } = await accept(100, "known template");
  expect(await trips(() => jobs.getBatch(batch.id))).toBe(1);
  expect(await trips(() => jobs.getJob(batch.id, 7))).toBe(2);
  expect(await trips(() => jobs.listBatches({ limit: 10 }))).toBe(1);
  expect(await trips(() => jobs.listJobs({ batchId: batch.id, order: "entry", limit: 10 }))).toBe(
    1,
  );
  expect(await trips(() => jobs.listJobs({ tenant: "tenant", order: "entry", limit: 10 }))).toBe(1);
  expect(await trips(() => jobs.listJobs({ batchId: batch.id, order: "ended", limit: 10 }))).toBe(
    1,
  );
  expect(await trips(() => jobs.gauge.depth())).toBe(1);
  expect(await trips(() => worker.takeEvents(10))).toBe(1);
});

test("100 concurrent questions about the use of tenants take two requests, and each has its answer", async () => {
  await accept(3, "known template", { tenant: "a" });
  const tenants = Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? "a" : "nobody"));
  const ofJobs = await counted(() =>
    Promise.all(tenants.map((tenant) => stores.jobs.gauge.use(tenant))),
  );
  expect(ofJobs.trips).toBe(2);
  const alone = { a: await stores.jobs.gauge.use("a"), nobody: { waiting: 0, jobs: 0, bytes: 0 } };
  expect(alone.a).toMatchObject({ waiting: 3, jobs: 3 });
  expect(ofJobs.result).toEqual(tenants.map((tenant) => alone[tenant as keyof typeof alone]));
  const ofFiles = await counted(() =>
    Promise.all(tenants.map((tenant) => stores.files.use(tenant))),
  );
  expect(ofFiles.trips).toBe(2);
  expect(ofFiles.result[1]).toEqual({ files: 0, bytes: 0 });
});
