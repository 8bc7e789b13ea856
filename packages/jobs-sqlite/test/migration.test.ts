import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { WebhookRecord } from "@quire/contracts";
import { expect, onTestFinished, test } from "vitest";
import { addShortening } from "../src/database/long-records.ts";
import { MIGRATIONS } from "../src/database/migrations.ts";
import { type SqliteStores, sqliteStores } from "../src/index.ts";

/**
 * Number of migrations in stores from before batches had a trace, before messages were bounded, and before usage was
 * counted.
 */
const BEFORE = { trace: 2, bound: 3, uses: 4 } as const;

const batch = {
  id: "before",
  tenant: "",
  weight: 1,
  caller: null,
  idempotencyKey: "key",
  template: { type: "file", id: "t.docx", version: "1" },
  templateBytes: Buffer.from("template"),
  folder: { type: "folder", id: "out" },
  outputType: "docx",
  needsConverter: false,
  onConflict: "fail",
  withEvents: true,
  settings: "{}",
  trace: null,
} as const;
const input = {
  encoding: "json",
  bytes: Buffer.from("{}"),
  locale: null,
  timeZone: null,
} as const;
const jobs = newJobs(["a", "b"]);
const isTaken = () => false;

test("the usage of tenants in an older store is counted when it is opened", async () => {
  const path = await newPath();
  const made = sqliteStores({ path });
  await made.jobs.createBatch(batch, jobs, () => "hash", { isTaken });
  const { id } = await made.files.root("", "tenants/x");
  const common = { parentId: id, createdBy: null };
  await made.files.add("", { ...common, type: "folder", name: "docs", storageId: "docs" });
  const version = { storageId: "a", storageVersion: "1", size: 7, sha1: null, createdBy: null };
  await made.files.add("", { ...common, type: "file", name: "a", version });
  const target = { type: "folder", id: "0" } as const;
  const webhook = { id: "w", tenant: "", target, address: "https://x.example", triggers: ["A"] };
  await made.webhooks.add({ ...webhook, createdBy: "ann", createdAt: 1 });
  const delivery = { webhookId: "w", body: "{}", giveUpAt: Date.now() + 60_000 };
  await made.webhooks.enqueue(["d1", "d2"].map((name) => ({ ...delivery, id: name })));
  await made.webhooks.settle("d1", { type: "done" });
  const before = await usesOf(made);
  await made.close();
  asBefore(path, BEFORE.uses);
  const opened = sqliteStores({ path });
  expect(await usesOf(opened)).toEqual(before);
  expect(before).toMatchObject([
    { waiting: 2, jobs: 2 },
    { files: 2, bytes: 7 },
    { webhooks: 1, deliveries: 1 },
  ]);
  await opened.close();
});

function newJobs(names: readonly string[]) {
  return names.map((name) => ({
    requestedName: name,
    fileName: `${name}.docx`,
    input,
    failure: null,
  }));
}

function usesOf({ jobs: { gauge }, files, webhooks }: SqliteStores) {
  return Promise.all([gauge.use(""), files.use(""), webhooks.use("")]);
}

async function newPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "quire-jobs-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, "jobs.db");
}

test("a job store older than the service opens, and continues with its jobs", async () => {
  const path = await newPath();
  const made = sqliteStores({ path });
  await made.jobs.createBatch(batch, jobs, () => "hash", { isTaken });
  const use = await made.jobs.gauge.use("");
  await made.close();
  asBefore(path, BEFORE.trace);

  const { jobs: store, files, close } = sqliteStores({ path });
  expect(await store.gauge.use("")).toEqual({ ...use, bytes: expect.any(Number) });
  const found = await store.getBatch("before");
  expect(found).toMatchObject({ status: "running", trace: null, counts: { submitted: 2 } });
  expect(await store.gauge.depth()).toMatchObject({
    submitted: 2,
    pending: 0,
    oldestAt: { docx: found?.createdAt, pdf: null },
  });
  const again = await store.createBatch({ ...batch, id: "new" }, jobs, () => "hash", { isTaken });
  expect(again).toMatchObject({ created: false, batch: { id: "before" } });
  const worker = await store.openWorker({
    takes: "all",
    leaseMs: 15_000,
    keepFinishedMs: null,
  });
  const { jobs: claims } = await worker.claim(10);
  expect(claims.map(({ fileName }) => fileName)).toEqual(["a.docx", "b.docx"]);
  const root = await files.root("t", "out");
  expect(await files.list("t", root.id, { limit: 1 })).toMatchObject({ total: 0 });
  await close();
});

test("long records of an older release are shortened when the store is opened", async () => {
  const path = await newPath();
  const made = sqliteStores({ path });
  await made.jobs.createBatch(batch, newJobs(["a", "b", "c", "d"]), () => "hash", { isTaken });
  await made.webhooks.add(WEBHOOK);
  const delivery = { webhookId: "w", giveUpAt: Date.now() + 60_000 };
  await made.webhooks.enqueue(
    ["long", "short"].map((id) => ({ ...delivery, id, body: JSON.stringify(bodyOf(id)) })),
  );
  await made.close();
  const long = "b".repeat(20_000);
  const problem = (severity: string) => ({ severity, code: "missing_value", message: long });
  const problems = (severity: string) => Array.from({ length: 100 }, () => problem(severity));
  const failure = { code: "invalid_data", message: long, retryable: false, cause: long };
  const result = { status: "completed_with_error", sha256: "abc", pages: 3, converter: null };
  const outputFile = { ref: { type: "file", id: "o" }, version: "1", name: "b.docx", size: 7 };
  const told = { errors: problems("error"), warnings: [] };
  const notes = [{ ...result, ...told, name: "b.docx", size: 7 }];
  const file = new DatabaseSync(path);
  const update = file.prepare(
    "UPDATE job SET status = ?, failure = ?, result = ?, notes = ? WHERE entry = ?",
  );
  const failed = JSON.stringify({ ...failure, diagnostics: problems("error") });
  update.run(4, failed, null, JSON.stringify(notes), 1);
  update.run(3, null, JSON.stringify({ ...result, ...told, outputFile }), null, 2);
  const short = { ...failure, message: "Wrong.", cause: null, diagnostics: [problem("error")] };
  update.run(4, JSON.stringify(short), null, null, 3);
  file.close();
  asBefore(path, BEFORE.bound);

  const { jobs: store, webhooks, close } = sqliteStores({ path });
  const { items } = await store.listJobs({ batchId: "before", order: "entry", limit: 10 });
  expect(JSON.stringify(items).length).toBeLessThan(200_000);
  const cut = `${"b".repeat(199)}…`;
  const told100 = Array.from({ length: 100 }, () => ({ ...problem("error"), message: cut }));
  expect(items[0]?.failure).toEqual({
    ...failure,
    message: cut,
    cause: `${"b".repeat(3_999)}…`,
    diagnostics: told100,
  });
  expect(items[1]).toMatchObject({
    result: { ...result, outputFile, errors: told100, warnings: [] },
  });
  expect(items[2]?.failure).toEqual(short);
  expect(items[3]).toMatchObject({ failure: null, result: null });
  const after = new DatabaseSync(path, { readOnly: true });
  const [noted] = after.prepare("SELECT notes FROM job WHERE notes IS NOT NULL").all();
  after.close();
  expect(JSON.parse(String(noted?.notes))).toMatchObject([
    { ...result, name: "b.docx", size: 7, errors: told100, warnings: [] },
  ]);
  const bodies = (await webhooks.take(10, 1_000)).map(({ body }) => JSON.parse(body));
  expect(bodies[0].source).toMatchObject({
    id: "j",
    failures: { errors: [cut, cut, cut, "… and 97 more: the job has them."], warnings: [] },
  });
  expect(bodies[1]).toEqual(bodyOf("short"));
  await close();
});

const WEBHOOK: WebhookRecord = {
  id: "w",
  tenant: "",
  target: { type: "folder", id: "0" },
  address: "https://example.com",
  triggers: [],
  createdBy: "ann",
  createdAt: 0,
};

/** Returns the body of a delivery: with many long problems for the id "long", otherwise without problems. */
function bodyOf(id: string) {
  const errors = Array.from({ length: 100 }, () => "b".repeat(20_000));
  return { id, source: { id: "j", failures: id === "long" ? { errors, warnings: [] } : null } };
}

/** Reverts a store to an older schema by dropping what that schema did not have. */
function asBefore(path: string, steps: number): void {
  const old = new DatabaseSync(":memory:");
  addShortening(old);
  for (const sql of MIGRATIONS.slice(0, steps)) old.exec(sql);
  const known = schemaOf(old);
  old.close();
  const file = new DatabaseSync(path);
  for (const [name, type] of schemaOf(file)) {
    if (!known.has(name) && type === "trigger") file.exec(`DROP TRIGGER ${name}`);
  }
  for (const [name, type] of schemaOf(file)) {
    if (!known.has(name) && type === "index" && !name.startsWith("sqlite_"))
      file.exec(`DROP INDEX ${name}`);
  }
  for (const [name, type] of schemaOf(file)) {
    if (!known.has(name) && type === "table") file.exec(`DROP TABLE ${name}`);
  }
  file.exec("ALTER TABLE batch DROP COLUMN bytes");
  file.exec("ALTER TABLE job DROP COLUMN begun");
  for (const name of ["place", "size"]) file.exec(`ALTER TABLE file DROP COLUMN ${name}`);
  if (steps === BEFORE.trace) file.exec("ALTER TABLE batch DROP COLUMN trace");
  file.exec(`PRAGMA user_version = ${steps}`);
  expect(schemaOf(file)).toEqual(known);
  file.close();
}

function schemaOf(file: DatabaseSync): Map<string, string> {
  const rows = file.prepare("SELECT name, type FROM sqlite_schema ORDER BY name").all();
  return new Map(rows.map(({ name, type }) => [String(name), String(type)]));
}
