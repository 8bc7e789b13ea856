import { afterAll, beforeAll, expect, test } from "vitest";
import { Database } from "../src/database/database.ts";
import { SCHEMA_STEPS } from "../src/schema/migrations.ts";
import { makePlace, type Place } from "./support/place.ts";

let place: Place;

beforeAll(async () => {
  place = await makePlace();
});

afterAll(() => place.destroy());

/** Opens a database with one connection. `pooler`: whether the URL leads to a pooler. */
function open(pooler = false) {
  const { url } = place;
  const directUrl = pooler ? `${url}${url.includes("?") ? "&" : "?"}application_name=direct` : url;
  const options = { connections: 1, steps: SCHEMA_STEPS, migrate: true, allowDataLoss: true };
  const database = new Database({ url, directUrl, schema: "quire" }, options);
  return Object.assign(database, { [Symbol.asyncDispose]: () => database.close() });
}

const PREPARED = "SELECT statement FROM pg_prepared_statements";

async function preparedIn(database: Database): Promise<readonly string[]> {
  return (await database.all(PREPARED)).map(({ statement }) => statement);
}

test("each statement is prepared once on a connection", async () => {
  await using database = open();
  for (const value of [1, 2, 3]) {
    expect(await database.get("SELECT $1::int AS value", [value])).toEqual({ value });
    const inTransaction = database.transaction(({ all }) => all("SELECT $1::int", [value]));
    expect(await inTransaction).toEqual([{ int4: value }]);
  }
  const texts = await preparedIn(database);
  expect(texts.filter((text) => text.includes("::int")).toSorted()).toEqual([
    "SELECT $1::int",
    "SELECT $1::int AS value",
  ]);
});

test("a name means the same statement in every process, whatever ran before", async () => {
  const names = async (...statements: readonly string[]): Promise<unknown[]> => {
    await using database = open();
    for (const sql of statements) await database.all(sql);
    const sql = "SELECT name, statement FROM pg_prepared_statements ORDER BY statement";
    const rows = await database.all(sql);
    return rows.filter(({ statement }) => statements.includes(statement));
  };
  const [one, other] = ["SELECT 1 AS one", "SELECT 2 AS two"];
  expect(await names(one, other)).toEqual(await names(other, one));
  expect(await names(one, other)).toHaveLength(2);
});

test("nothing is prepared behind a pooler, which changes the connections", async () => {
  await using database = open(true);
  await database.get("SELECT 1 AS one");
  expect(await preparedIn(database)).toEqual([]);
});

test("a statement that the connection has lost runs again, and no more statements are prepared", async () => {
  await using database = open();
  expect(await database.get("SELECT 1 AS one")).toEqual({ one: 1 });
  await database.all("DEALLOCATE ALL");
  expect(await database.get("SELECT 1 AS one")).toEqual({ one: 1 });
  expect(await database.get("SELECT 2 AS two")).toEqual({ two: 2 });
  expect(await preparedIn(database)).toEqual([]);
});

test("a statement runs again if its result has other columns after an update of the tables", async () => {
  await using database = open();
  await database.all("CREATE TEMPORARY TABLE thing (a int)");
  await database.all("INSERT INTO thing VALUES (1)");
  const read = () => database.get("SELECT * FROM thing");
  expect(await read()).toEqual({ a: 1 });
  await database.all("ALTER TABLE thing ADD b int DEFAULT 2");
  expect(await read()).toEqual({ a: 1, b: 2 });
});
