import type { JobStore } from "@quire/contracts";
import { expect, onTestFinished, test } from "vitest";
import { newBatch, newJob } from "../../contracts/test/support/new-batch.ts";
import { makePlace, type Place } from "./support/place.ts";

async function newPlace(): Promise<Place> {
  const place = await makePlace();
  onTestFinished(() => place.destroy());
  return place;
}

async function accept(store: JobStore, count: number): Promise<string> {
  const batch = newBatch();
  const jobs = Array.from({ length: count }, (_, index) => newJob(`letter ${index}`));
  await store.createBatch(batch, jobs, () => "hash", { isTaken: () => false });
  return batch.id;
}

async function finishAll(store: JobStore): Promise<void> {
  const worker = await store.openWorker({ takes: "all", leaseMs: 60_000, keepFinishedMs: null });
  for (let left = 1; left > 0; ) {
    const { jobs } = await worker.claim(64);
    left = jobs.length;
    for (const claim of jobs) await worker.settle(claim, { type: "failed", failure: FAILURE });
  }
  await worker.close();
}

const FAILURE = {
  code: "invalid_data",
  message: "The data is not what the template needs.",
  diagnostics: [],
  retryable: false,
  cause: null,
} as const;

const partitionsWithJobs = async (place: Place): Promise<string[]> => {
  const { rows } = await place.query(
    "SELECT relname AS name FROM pg_class WHERE oid IN (SELECT tableoid FROM quire.job) ORDER BY 1",
  );
  return rows.map(({ name }) => name);
};

test("an old partition gets no more batches, and is dropped when all its batches have expired", async () => {
  const place = await newPlace();
  const { jobs } = place.open();
  const old = await accept(jobs, 200);
  await place.query("SELECT quire.roll_partitions(interval '0', 1000000000)");
  const recent = await accept(jobs, 3);
  expect(await partitionsWithJobs(place)).toEqual(["job_0", "job_1"]);
  await finishAll(jobs);
  await place.query("UPDATE quire.batch SET finished_at = 0 WHERE id = $1", [old]);
  await place.query("UPDATE quire.partition SET made_at = made_at - interval '2 hours'");

  const worker = await jobs.openWorker({ takes: "all", leaseMs: 60_000, keepFinishedMs: 1000_000 });
  while (await worker.tidy());
  expect(await jobs.getBatch(old)).toBeNull();
  expect((await jobs.getBatch(recent))?.counts.failed).toBe(3);
  expect(await partitionsWithJobs(place)).toEqual(["job_1"]);
  const { rows } = await place.query("SELECT to_regclass('quire.outcome_0') AS dropped");
  expect(rows).toEqual([{ dropped: null }]);
  expect(await jobs.gauge.use("tenant")).toMatchObject({ waiting: 0, jobs: 3 });
});

test("a partition with a batch that has not expired is kept", async () => {
  const place = await newPlace();
  const { jobs } = place.open();
  const [first, second] = [await accept(jobs, 2), await accept(jobs, 2)];
  await place.query("SELECT quire.roll_partitions(interval '0', 1000000000)");
  await finishAll(jobs);
  await place.query("UPDATE quire.batch SET finished_at = 0 WHERE id = $1", [first]);
  await place.query("UPDATE quire.partition SET made_at = made_at - interval '2 hours'");
  const worker = await jobs.openWorker({ takes: "all", leaseMs: 60_000, keepFinishedMs: 1000_000 });
  while (await worker.tidy());
  expect(await jobs.getBatch(first)).toBeNull();
  const page = await jobs.listJobs({ batchId: second, order: "entry", limit: 10 });
  expect(page.items.length).toBe(2);
});

test("an erased tenant leaves no rows, also in old partitions", async () => {
  const place = await newPlace();
  const { jobs } = place.open();
  await accept(jobs, 5);
  await place.query("SELECT quire.roll_partitions(interval '0', 1000000000)");
  await accept(jobs, 5);
  expect(await jobs.eraseTenant("tenant")).toBe(0);
  expect(await partitionsWithJobs(place)).toEqual([]);
  const { rows } = await place.query(
    "SELECT (SELECT count(*) FROM quire.name) + (SELECT count(*) FROM quire.outcome) + (SELECT count(*) FROM quire.pin) AS rows",
  );
  expect(Number(rows[0].rows)).toBe(0);
  expect(await jobs.gauge.use("tenant")).toEqual({ waiting: 0, jobs: 0, bytes: 0 });
});

test("partitions are kept ahead when several processes add them at once", async () => {
  const place = await newPlace();
  await Promise.all(
    Array.from({ length: 8 }, () =>
      place.query("SELECT quire.roll_partitions(interval '1 day', 1)"),
    ),
  );
  const { rows } = await place.query("SELECT no::int FROM quire.partition ORDER BY no");
  expect(rows.map(({ no }) => no)).toEqual([0, 1, 2]);
});
