/** Nodes of a release work with the tables of the next one, so that nodes can be replaced one by one. */

import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { JobStore, JobWorker } from "@quire/contracts";
import { expect, onTestFinished, test } from "vitest";
import { newBatch, newJob } from "../../contracts/test/support/new-batch.ts";
import { migrate } from "../src/database/migrate.ts";
import { SCHEMA_STEPS } from "../src/schema/migrations.ts";
import { makePlace, type Place } from "./support/place.ts";
import { intolerable, readCatalog, type SchemaCatalog } from "./support/schema-catalog.ts";

const VERSION = SCHEMA_STEPS.steps.length;

/** The file with the schema of a version. The file of a released version never changes. */
function recordOf(version: number): string {
  return fileURLToPath(new URL(`./schemas/${version}.json`, import.meta.url));
}

async function newPlace(): Promise<Place> {
  const place = await makePlace();
  onTestFinished(() => place.destroy());
  return place;
}

test("the schema of this version is recorded (after a change: vitest -u)", async () => {
  const catalog = await readCatalog(await newPlace());
  await expect(`${JSON.stringify(catalog, null, 2)}\n`).toMatchFileSnapshot(recordOf(VERSION));
});

test("nodes of every release that is compatible tolerate the schema of this version", async () => {
  const now = await readCatalog(await newPlace());
  for (let version = SCHEMA_STEPS.oldestCompatible; version <= VERSION; version++) {
    const old: SchemaCatalog = JSON.parse(readFileSync(recordOf(version), "utf8"));
    expect(intolerable(old, now)).toEqual([]);
  }
});

test.each([
  ["DROP TABLE quire.held_tenant", "held_tenant.tenant was text not null: undefined"],
  ["ALTER TABLE quire.run DROP COLUMN bytes", "run.bytes was"],
  ["ALTER TABLE quire.run RENAME COLUMN bytes TO size", "run.bytes was"],
  ["ALTER TABLE quire.run ALTER COLUMN pending TYPE bigint", "run.pending was integer not null"],
  ["ALTER TABLE quire.work ALTER COLUMN notes SET NOT NULL", "work.notes was text: text not null"],
  ["ALTER TABLE quire.job ADD COLUMN more int NOT NULL", "job.more is needed"],
  ["CREATE UNIQUE INDEX one_run ON quire.run (tenant)", "run + CREATE UNIQUE INDEX one_run"],
  ["DROP INDEX quire.batch_key", "batch - CREATE UNIQUE INDEX batch_key"],
  ["ALTER TABLE quire.run ADD CHECK (weight < 9)", "run + run_weight_check CHECK"],
  ["ALTER TYPE quire.claimed DROP ATTRIBUTE notes CASCADE", "claimed.notes was text"],
  ["ALTER FUNCTION quire.announce() RENAME TO wake", "announce - () void"],
  [
    "CREATE FUNCTION quire.announce(kind text DEFAULT '') RETURNS void LANGUAGE sql AS 'SELECT'",
    "announce + (kind text) void",
  ],
  ["ALTER SEQUENCE quire.batch_no RENAME TO batch_number", "sequences - batch_no"],
])("a step with %s would be noticed", async (step, change) => {
  const place = await newPlace();
  const old = await readCatalog(place);
  await place.query(step);
  const found = intolerable(old, await readCatalog(place));
  expect(found[0]).toContain(change);
});

/** A step as the next release may have it: it adds, and replaces the body of functions. */
async function nextStep(place: Place): Promise<string> {
  const { rows: tables } = await place.query(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'quire'::regnamespace
     AND relkind IN ('r', 'p') AND NOT relispartition AND relname <> 'version' ORDER BY relname`,
  );
  const { rows: functions } = await place.query(
    `SELECT pg_get_functiondef(oid) AS text FROM pg_proc WHERE pronamespace = 'quire'::regnamespace ORDER BY oid`,
  );
  expect([tables.length > 20, functions.length > 50]).toEqual([true, true]);
  return [
    ...tables.map(
      ({ name }) =>
        `ALTER TABLE quire.${name} ADD COLUMN next_1 int, ADD COLUMN next_2 int NOT NULL DEFAULT 7`,
    ),
    "CREATE TABLE quire.next (no bigint PRIMARY KEY)",
    "CREATE INDEX run_next ON quire.run (next_1)",
    "CREATE FUNCTION quire.next_function() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    ...functions.map(({ text }) => text),
  ].join(";\n");
}

test("a store makes its jobs while another node brings the tables to the next version", async () => {
  const place = await newPlace();
  const old = await readCatalog(place);
  const { jobs } = place.open();
  const worker = await jobs.openWorker({ takes: "all", leaseMs: 60_000, keepFinishedMs: null });
  const ids: string[] = [];
  for (let round = 0; round < 8; round++) ids.push(await makeBatch(jobs, worker));

  // One batch is in progress, and its events wait, when the tables change.
  const open = await accept(jobs);
  const { jobs: begun } = await worker.claim(3);
  const step = await nextStep(place);
  const steps = { steps: [...SCHEMA_STEPS.steps, step], oldestCompatible: VERSION };
  const { url } = place;
  const settings = { steps, migrate: true, allowDataLoss: true };
  const migrating = migrate({ url, directUrl: url, schema: "quire" }, settings);
  let isDone = false;
  void migrating.finally(() => {
    isDone = true;
  });
  while (!isDone) ids.push(await makeBatch(jobs, worker));
  expect(await migrating).toEqual({ before: VERSION, now: VERSION + 1 });
  expect(intolerable(old, await readCatalog(place))).toEqual([]);

  for (const claim of begun) await worker.settle(claim, COMPLETED);
  for (let round = 0; round < 8; round++) ids.push(await makeBatch(jobs, worker));
  for (const id of [...ids, open]) {
    expect(await jobs.getBatch(id)).toMatchObject({ status: "finished", counts: { completed: 5 } });
  }
  const events = await worker.takeEvents(10_000);
  expect(events.filter(({ type }) => type === "batch_finished").length).toBe(ids.length + 1);
  while (await worker.tidy());
  // A node of this release that starts now, and the other stores.
  const late = place.open();
  expect(await makeBatch(late.jobs, worker)).toEqual(expect.any(String));
  const token = { id: "a", hash: "h", user: "ann", enterprise: "acme", scopes: [], createdAt: 1 };
  await late.tokens.add({ ...token, expiresAt: null });
  expect((await late.tokens.list()).map(({ user }) => user)).toEqual(["ann"]);
  const root = await late.files.root("acme", "tenants/acme");
  await late.files.add("acme", {
    parentId: root.id,
    createdBy: null,
    type: "folder",
    name: "a",
    storageId: "a",
  });
  expect((await late.files.list("acme", root.id, { limit: 10 })).items.length).toBe(1);
}, 60_000);

const COMPLETED = {
  type: "completed",
  result: {
    status: "completed",
    outputFile: { ref: { type: "file", id: "out/a.docx" }, version: "1", name: "a.docx", size: 3 },
    sha256: "ab",
    pages: null,
    converter: null,
    errors: [],
    warnings: [],
  },
} as const;

/** Accepts a batch of five jobs. */
async function accept(jobs: JobStore): Promise<string> {
  const batch = newBatch({ idempotencyKey: randomUUID(), withEvents: true });
  const entries = Array.from({ length: 5 }, (_, index) => newJob(`${batch.id} ${index}`));
  await jobs.createBatch(batch, entries, () => "hash", { isTaken: () => false });
  return batch.id;
}

/** Accepts a batch, and makes all jobs that wait. */
async function makeBatch(jobs: JobStore, worker: JobWorker): Promise<string> {
  const id = await accept(jobs);
  for (;;) {
    const { jobs: claims } = await worker.claim(10);
    if (claims.length === 0) return id;
    await Promise.all(claims.map((claim) => worker.settle(claim, COMPLETED)));
  }
}
