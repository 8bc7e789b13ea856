import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { sqliteStores } from "../src/index.ts";
import { MIGRATIONS } from "../src/migrations.ts";

/** The steps of the schema that were there before batches had a trace. */
const BEFORE = 2;

test("a job store of before there was a service opens, and goes on with the jobs that it has", async () => {
  const folder = await mkdtemp(join(tmpdir(), "quire-jobs-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "jobs.db");
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
  const jobs = ["a", "b"].map((name) => ({
    requestedName: name,
    fileName: `${name}.docx`,
    input,
    failure: null,
  }));
  const isTaken = () => false;

  const made = sqliteStores({ path });
  await made.jobs.createBatch(batch, jobs, () => "hash", { isTaken });
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
  const again = await store.createBatch({ ...batch, id: "new" }, jobs, () => "hash", { isTaken });
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
