import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { WebhookRecord } from "@quire/core";
import { expect, onTestFinished, test } from "vitest";
import { sqliteStores } from "../src/index.ts";
import { MIGRATIONS } from "../src/migrations.ts";

/** The steps of the schema that were there before batches had a trace. */
const BEFORE = 2;
/** Those before what jobs tell was bounded. */
const UNBOUNDED = 3;

const BATCH = {
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

const isTaken = () => false;

function newJobs(names: readonly string[]) {
  const input = {
    encoding: "json",
    bytes: Buffer.from("{}"),
    locale: null,
    timeZone: null,
  } as const;
  return names.map((name) => ({
    requestedName: name,
    fileName: `${name}.docx`,
    input,
    failure: null,
  }));
}

async function newPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "quire-jobs-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, "jobs.db");
}

test("a job store of before there was a service opens, and goes on with the jobs that it has", async () => {
  const path = await newPath();
  const jobs = newJobs(["a", "b"]);

  const made = sqliteStores({ path });
  await made.jobs.createBatch(BATCH, jobs, () => "hash", { isTaken });
  await made.close();
  asBefore(path);

  const { jobs: store, files, close } = sqliteStores({ path });
  const found = await store.getBatch("before");
  expect(found).toMatchObject({ status: "running", trace: null, counts: { submitted: 2 } });
  expect(await store.gauge.depth()).toMatchObject({
    submitted: 2,
    pending: 0,
    oldestAt: found?.createdAt,
  });
  const again = await store.createBatch({ ...BATCH, id: "new" }, jobs, () => "hash", { isTaken });
  expect(again).toMatchObject({ created: false, batch: { id: "before" } });
  const worker = await store.openWorker({
    canConvert: true,
    leaseMs: 15_000,
    keepFinishedMs: null,
  });
  const { jobs: claims } = await worker.claim(10);
  expect(claims.map(({ fileName }) => fileName)).toEqual(["a.docx", "b.docx"]);
  const root = await files.root("t", "out");
  expect(await files.list("t", root.id, { limit: 1 })).toMatchObject({ total: 0 });
  await close();
});

test("what an older release kept at great length is short once the store is opened", async () => {
  const path = await newPath();
  const made = sqliteStores({ path });
  await made.jobs.createBatch(BATCH, newJobs(["a", "b", "c", "d"]), () => "hash", { isTaken });
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
  file.exec(`PRAGMA user_version = ${UNBOUNDED}`);
  file.close();

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

/** What is sent of a job that has told much, or nothing. */
function bodyOf(id: string) {
  const errors = Array.from({ length: 100 }, () => "b".repeat(20_000));
  return { id, source: { id: "j", failures: id === "long" ? { errors, warnings: [] } : null } };
}

/** Makes the file one of the schema before: what that had not is taken away. */
function asBefore(path: string): void {
  const old = new DatabaseSync(":memory:");
  for (const sql of MIGRATIONS.slice(0, BEFORE)) old.exec(sql);
  const known = schemaOf(old);
  old.close();
  const file = new DatabaseSync(path);
  for (const [name, type] of schemaOf(file)) {
    if (!known.has(name) && type === "index" && !name.startsWith("sqlite_"))
      file.exec(`DROP INDEX ${name}`);
  }
  for (const [name, type] of schemaOf(file)) {
    if (!known.has(name) && type === "table") file.exec(`DROP TABLE ${name}`);
  }
  file.exec("ALTER TABLE batch DROP COLUMN trace");
  file.exec(`PRAGMA user_version = ${BEFORE}`);
  expect(schemaOf(file)).toEqual(known);
  file.close();
}

function schemaOf(file: DatabaseSync): Map<string, string> {
  const rows = file.prepare("SELECT name, type FROM sqlite_schema ORDER BY name").all();
  return new Map(rows.map(({ name, type }) => [String(name), String(type)]));
}
