import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { MOVED_TABLES } from "@quire/contracts";
import { expect, onTestFinished, test } from "vitest";
import { newBatch, newJob } from "../../contracts/test/support/new-batch.ts";
import { copyJobStore, sqliteSource, sqliteStores } from "../src/index.ts";
import { LEFT_TABLES, SOURCE_TABLES } from "../src/move/source-tables.ts";

async function newPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "quire-source-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, "quire.db");
}

async function newStore(): Promise<string> {
  const path = await newPath();
  await sqliteStores({ path }).close();
  return path;
}

test("a move knows every table and every column of the schema, and no others", async () => {
  const database = new DatabaseSync(await newStore());
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all()
    .map(({ name }) => String(name));
  const known = MOVED_TABLES.map(({ name }) => name);
  expect([...known, ...Object.keys(LEFT_TABLES)].sort()).toEqual(tables.sort());
  for (const { name, columns } of MOVED_TABLES) {
    const { left = {}, columns: computed = {} } = SOURCE_TABLES[name] ?? {};
    const moved = Object.keys(columns);
    const all = database.prepare(`SELECT name FROM pragma_table_info('${name}')`).all();
    const present = all.map((column) => String(column.name));
    const others = present.filter((column) => !moved.includes(column));
    expect([name, others.sort()]).toEqual([name, Object.keys(left).sort()]);
    const missing = moved.filter((column) => !present.includes(column));
    expect([name, missing.filter((column) => computed[column] === undefined)]).toEqual([name, []]);
  }
  database.close();
});

test("a file that another process has open is not moved, and the error names the process", async () => {
  const path = await newStore();
  const program = `const { sqliteStores } = await import(${JSON.stringify(new URL("../dist/index.js", import.meta.url).href)});
    const stores = sqliteStores({ path: ${JSON.stringify(path)} });
    await stores.tokens.list();
    console.log("open");
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program]);
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  expect(() => sqliteSource({ path })).toThrow(
    new RegExp(`quire\\.db" is in use by the process ${child.pid}\\. Stop every service`),
  );
  child.kill("SIGKILL");
  await once(child, "exit");
  sqliteSource({ path }).close();
}, 30_000);

test("while a file is moved, nothing else opens it, also after a restart", async () => {
  const path = await newStore();
  const source = sqliteSource({ path });
  const other = new DatabaseSync(path);
  expect(() => other.prepare("SELECT * FROM job").all()).toThrow(/database is locked/);
  other.close();
  await source.begin("the database example");
  source.close();
  const being =
    /is being moved to the database example\..* is not finished.*Run the same command again/;
  expect(() => sqliteStores({ path })).toThrow(being);
  const again = sqliteSource({ path });
  expect([again.id, again.target]).toEqual([source.id, "the database example"]);
  await again.finish();
  again.close();
  const done = /was moved to the database example on .*remove the file ".*quire\.db-moved"/;
  expect(() => sqliteStores({ path })).toThrow(done);
  expect((await stat(`${path}-moved`)).mode & 0o777).toBe(0o600);
  await rm(`${path}-moved`);
  await sqliteStores({ path }).close();
}, 30_000);

test("a move that another release has begun is not continued", async () => {
  const path = await newStore();
  const source = sqliteSource({ path });
  await source.begin("the database example");
  source.close();
  const mark = { id: source.id, target: "x", schema: 1, clock: 0, begunAt: "", finishedAt: null };
  await writeFile(`${path}-moved`, JSON.stringify(mark));
  expect(() => sqliteSource({ path })).toThrow(/was begun by another release of Quire/);
  await writeFile(`${path}-moved`, "{");
  expect(() => sqliteSource({ path })).toThrow(/quire\.db-moved" is damaged/);
});

test("a missing, unreadable or empty file, another file and a file of a newer release are rejected", async () => {
  const path = await newPath();
  expect(() => sqliteSource({ path })).toThrow(/does not exist/);
  await symlink(path, path);
  expect(() => sqliteSource({ path })).toThrow(/it cannot be opened/);
  await rm(path);
  await writeFile(path, "");
  expect(() => sqliteSource({ path })).toThrow(/is empty, so it is not a job store/);
  expect((await stat(path)).size).toBe(0);
  await writeFile(
    path,
    "not a database, but long enough to have a header of one hundred bytes, which is what SQLite reads first.",
  );
  expect(() => sqliteSource({ path })).toThrow(/it is not a SQLite file/);
  const newer = await newStore();
  const database = new DatabaseSync(newer);
  database.exec("PRAGMA user_version = 999");
  database.close();
  expect(() => sqliteSource({ path: newer })).toThrow(/created by a newer version of Quire/);
});

test("jobs of workers whose lease has not expired wait again, because nothing has the file open", async () => {
  const path = await newStore();
  const copy = join(path, "..", "copy.db");
  const stores = sqliteStores({ path });
  await stores.jobs.createBatch(newBatch(), [newJob("a")], () => "hash", { isTaken: () => false });
  const worker = await stores.jobs.openWorker({
    takes: "all",
    leaseMs: 600_000,
    keepFinishedMs: null,
  });
  expect((await worker.claim(1)).jobs).toHaveLength(1);
  await copyJobStore(path, copy);
  await worker.close();
  await stores.close();
  const source = sqliteSource({ path: copy });
  await source.begin("the database example");
  const table = MOVED_TABLES.find(({ name }) => name === "job");
  const [row] = table ? await source.rows(table, null) : [];
  const values = Object.keys(table?.columns ?? {}).map((name, index) => [name, row?.[index]]);
  expect(Object.fromEntries(values)).toMatchObject({
    status: 0,
    attempts: 1,
    deaths: 1,
    input_bytes: 2,
  });
  source.close();
});
