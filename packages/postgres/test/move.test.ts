import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { MOVED_TABLES, type MovedRow, type StoresSource } from "@quire/contracts";
import { createEngine, renderInProcess } from "@quire/core";
import { sqliteStores } from "@quire/jobs-sqlite";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { manyRuns } from "../../contracts/test/support/runs.ts";
import { openSource } from "../../jobs-sqlite/src/move/sqlite-source.ts";
import { diagnosePostgres, moveToPostgres, type PostgresStores } from "../src/index.ts";
import { type DataFolder, makeDataFolder } from "./support/data-folder.ts";
import { makeEmptyPlace, type Place } from "./support/place.ts";
import { answersOf, handedOutBy } from "./support/store-answers.ts";

let folder: DataFolder;
beforeAll(async () => {
  folder = await makeDataFolder();
});
afterAll(() => folder.remove());

/** The limit of the other stores, which they report. */
const LIKE_SQLITE = { maxWaiting: 5_000_000 };
/** Small steps. In the long form, every table has several. */
const SMALL = { rows: manyRuns(40, 3), bytes: manyRuns(1_000_000, 100_000) };

async function newPlace(): Promise<Place> {
  const place = await makeEmptyPlace();
  onTestFinished(() => place.destroy());
  return place;
}

/** Returns a copy of the folder that was never moved, in the state in which the move leaves its jobs. */
async function unmoved(): Promise<PostgresStores> {
  const path = await folder.copy();
  const source = openSource(path, SMALL);
  await source.begin("nowhere");
  source.close();
  await rm(`${path}-moved`);
  const stores = sqliteStores({ path });
  onTestFinished(() => stores.close());
  return stores;
}

/** Moves a folder completely. */
async function moved(place: Place, path: string): Promise<void> {
  const source = openSource(path, SMALL);
  await moveToPostgres(source, { url: place.url });
  source.close();
}

test("the stores in the database give the same answers as those in the folder", async () => {
  const place = await newPlace();
  await moved(place, await folder.copy());
  const [sqlite, postgres] = [await unmoved(), place.open(LIKE_SQLITE)];
  expect(await answersOf(postgres)).toEqual(await answersOf(sqlite));
  expect(await handedOutBy(postgres)).toEqual(await handedOutBy(sqlite));
});

test("the folder of these tests has a value in every column, and fills every table", async () => {
  const path = await folder.copy();
  const source = openSource(path, SMALL);
  await source.begin("nowhere");
  const empty: string[] = [];
  for (const table of MOVED_TABLES) {
    const rows = await rowsOf(source, table);
    expect([table.name, rows.length]).toEqual([table.name, source.count(table)]);
    for (const [index, column] of Object.keys(table.columns).entries()) {
      const isUsed = rows.some(
        (row) => row[index] !== null && row[index] !== 0 && row[index] !== "",
      );
      if (!isUsed) empty.push(`${table.name}.${column}`);
    }
  }
  source.close();
  expect(empty).toEqual([]);
  const place = await newPlace();
  await moved(place, await folder.copy());
  const { rows: tables } = await place.query(
    "SELECT relname AS name FROM pg_class WHERE relnamespace = 'quire'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition",
  );
  const unused: string[] = [];
  for (const { name } of tables) {
    const { rows } = await place.query(`SELECT 1 FROM quire.${name} LIMIT 1`);
    if (rows.length === 0) unused.push(name);
  }
  expect(unused).toEqual(["worker"]);
});

test("a move that is interrupted after every step and at lost connections loses and doubles nothing", async () => {
  const place = await newPlace();
  const path = await folder.copy();
  let runs = 0;
  for (let isOver = false; !isOver; runs++) {
    const source =
      runs % 2 === 0 ? openSource(path, SMALL) : disconnecting(openSource(path, SMALL), place);
    let steps = 0;
    const end = moveToPostgres(source, {
      url: place.url,
      onProgress: ({ phase }) => {
        if (phase === "moving" && steps++ > 0) throw new Error("Interrupted.");
      },
    });
    isOver = await end.then(
      ({ moved }) => moved,
      (error: Error) => {
        expect(error.message).toMatch(/Interrupted\.|The move continues where it stopped/);
        return false;
      },
    );
    source.close();
  }
  expect(runs).toBeGreaterThan(MOVED_TABLES.length);
  const [sqlite, postgres] = [await unmoved(), place.open(LIKE_SQLITE)];
  expect(await answersOf(postgres)).toEqual(await answersOf(sqlite));
}, 120_000);

test("an engine on the database ends all jobs of the folder, and delivers its events", async () => {
  const place = await newPlace();
  await moved(place, await folder.copy());
  const stores = place.open();
  const before = await place.query("SELECT count(*)::int AS n FROM quire.event");
  await stores.jobs.holdTenant("held", false);
  // The delay of an hour has passed, and the engine has no converter.
  await place.query(
    "UPDATE quire.work SET ready_at = '-infinity'; UPDATE quire.run SET ready_at = '-infinity', needs_converter = false",
  );
  const events: string[] = [];
  const engine = createEngine({
    storage: folder.storage,
    jobs: stores.jobs,
    renderer: renderInProcess(),
    onEvent: ({ type }) => void events.push(type),
  });
  await expect
    .poll(async () => (await place.query("SELECT 1 FROM quire.run")).rows, { timeout: 25_000 })
    .toEqual([]);
  await expect
    .poll(async () => (await place.query("SELECT 1 FROM quire.event")).rows, { timeout: 25_000 })
    .toEqual([]);
  const counts = await place.query(
    `SELECT (SELECT count(*) FROM quire.job)::int AS jobs, (SELECT count(*) FROM quire.outcome)::int AS ended,
       (SELECT count(*) FROM quire.work)::int AS work, quire.waiting_jobs()::int AS waiting,
       (SELECT sum(accepted) FROM quire.batch)::int AS accepted, (SELECT sum(jobs) FROM quire.job_use)::int AS used,
       (SELECT sum(bytes) FROM quire.job_use)::int - (SELECT sum(bytes) FROM quire.batch)::int AS more_bytes`,
  );
  const { jobs } = counts.rows[0];
  expect(jobs).toBeGreaterThan(30);
  expect(counts.rows[0]).toEqual({
    jobs,
    ended: jobs,
    work: 0,
    waiting: 0,
    accepted: jobs,
    used: jobs,
    more_bytes: 0,
  });
  expect(events.length).toBeGreaterThan(before.rows[0].n);
  expect(events.filter((type) => type === "batch_finished").length).toBeGreaterThan(8);
  // New rows get higher numbers than all rows of the folder, also than deleted ones.
  const again = await engine.createBatch(
    {
      file: { type: "file", id: "letter.docx" },
      input_source: "api",
      destination_folder: { type: "folder", id: "out" },
      output_type: "docx",
      document_generation_data: [{ generated_file_name: "w 1", user_input: {} }],
    },
    { tenant: "acme" },
  );
  expect((await engine.listBatches({ limit: 1 })).items[0]?.id).toBe(again.id);
  await engine.close();
});

async function rowsOf(
  source: StoresSource,
  table: (typeof MOVED_TABLES)[number],
): Promise<MovedRow[]> {
  const rows: MovedRow[] = [];
  for (;;) {
    const next = await source.rows(table, rows.at(-1) ?? null);
    if (next.length === 0) return rows;
    rows.push(...next);
  }
}

/** A source during whose second read all connections to the database are lost. */
function disconnecting(source: StoresSource, place: Place): StoresSource {
  let reads = 0;
  return wrapped(source, {
    rows: async (table, after) => {
      if (++reads === 2) {
        await place.query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'quire' AND datname = current_database()",
        );
      }
      return source.rows(table, after);
    },
  });
}

/** A source with some other methods. */
function wrapped(source: StoresSource, methods: Partial<StoresSource>): StoresSource {
  return new Proxy(source, {
    get: (_, name) => {
      const own = Reflect.get(methods, name);
      if (own !== undefined) return own;
      const value = Reflect.get(source, name);
      return typeof value === "function" ? value.bind(source) : value;
    },
  });
}

describe("A move", () => {
  test("that was finished is not made again, even if the folder was not marked", async () => {
    const place = await newPlace();
    const path = await folder.copy();
    const killed = openSource(path, SMALL);
    const finish = async () => {
      throw new Error("Killed.");
    };
    await expect(moveToPostgres(wrapped(killed, { finish }), { url: place.url })).rejects.toThrow(
      "Killed.",
    );
    killed.close();
    expect(() => sqliteStores({ path })).toThrow(/is being moved to the database/);
    const source = openSource(path, SMALL);
    const onProgress = () => expect.unreachable();
    expect(await moveToPostgres(source, { url: place.url, onProgress })).toMatchObject({
      moved: false,
      tables: [],
    });
    source.close();
    expect(() => sqliteStores({ path })).toThrow(/was moved to the database .*, schema quire on/);
    await rm(`${path}-moved`);
    await sqliteStores({ path }).close();
  });

  test("into a database that has lost the moved data is not made again with the old data", async () => {
    const place = await newPlace();
    const path = await folder.copy();
    await moved(place, path);
    await place.query("DROP SCHEMA quire CASCADE");
    const source = openSource(path, SMALL);
    await expect(moveToPostgres(source, { url: place.url })).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringMatching(
        /was moved to .*no record of the move\..*remove the file ".*-moved"\.$/,
      ),
    });
    source.close();
  });

  test.each([
    [
      "UPDATE quire.job SET file_name = 'x' WHERE entry = 2",
      /table job in .* differs in file_name of the row with batch_no, entry = 1, 2/,
    ],
    [
      "UPDATE quire.chunk SET data = 'x'",
      /table chunk in .* differs in data of the row with batch_no, first_entry = 1, 1/,
    ],
    ["DELETE FROM quire.token WHERE no = 2", /table token in .* lacks the row with no = 2/],
    [
      "INSERT INTO quire.held_tenant VALUES ('other')",
      /table held_tenant in .* has 2 rows instead of 1/,
    ],
    ["UPDATE quire.run SET submitted = submitted + 1", /table batch in .* differs in submitted/],
    ["UPDATE quire.service_use SET files = files + 1", /table tenant_use in .* differs in files/],
  ])("reports the first difference after %s", async (sql, message) => {
    const place = await newPlace();
    const source = openSource(await folder.copy(), SMALL);
    let isCompared = false;
    const changing = wrapped(source, {
      rows: async (table, after) => {
        if (isCompared && after === null && table.name === "folder") await place.query(sql);
        return source.rows(table, after);
      },
    });
    const onProgress = ({ phase }: { readonly phase: string }): void => {
      isCompared = phase === "comparing";
    };
    const end = moveToPostgres(changing, { url: place.url, onProgress });
    await expect(end).rejects.toMatchObject({
      code: "job_store_failed",
      message: expect.stringMatching(message),
    });
    source.close();
    await expect(place.open().tokens.list()).rejects.toThrow(
      /unfinished move of .*quire migrate --from/,
    );
    expect(await diagnosePostgres({ url: place.url })).toContainEqual(
      expect.objectContaining({
        level: "problem",
        what: expect.stringMatching(/unfinished move of/),
      }),
    );
  });

  test("reports rows that it did not read", async () => {
    const place = await newPlace();
    const source = openSource(await folder.copy(), SMALL);
    const forgetful = wrapped(source, {
      rows: async (table, after) => {
        const rows = await source.rows(table, after);
        return table.name === "token" ? rows.slice(0, -1) : rows;
      },
    });
    await expect(moveToPostgres(forgetful, { url: place.url })).rejects.toThrow(
      /table token in .* has \d rows instead of \d/,
    );
    source.close();
  });

  test("of a row that PostgreSQL cannot store names the table, and says how to give up the move", async () => {
    const place = await newPlace();
    const path = await folder.copy();
    const database = new DatabaseSync(path);
    const name = randomBytes(3000).toString("hex");
    database.prepare("UPDATE held_tenant SET tenant = ?").run(name);
    database.close();
    for (let runs = 0; runs < 2; runs++) {
      const source = openSource(path, SMALL);
      await expect(moveToPostgres(source, { url: place.url })).rejects.toMatchObject({
        code: "job_store_failed",
        message: expect.stringMatching(
          /A row of the table held_tenant in .*cannot be moved to .*: index row size .*run DROP SCHEMA quire CASCADE, and remove the file ".*-moved"\.$/,
        ),
      });
      source.close();
    }
  });

  test("into a database with other data, another move or a worker is refused, and leaves the folder as it is", async () => {
    const [place, busy, others] = [await newPlace(), await newPlace(), await newPlace()];
    await others.query('CREATE SCHEMA quire; CREATE TABLE quire."Other data" AS SELECT 1');
    const path = await folder.copy();
    await moved(place, await folder.copy());
    const worker = await busy
      .open()
      .jobs.openWorker({ takes: "all", leaseMs: 15_000, keepFinishedMs: null });
    for (const [{ url }, message] of [
      [place, /data in the database .* that do not come from this move \(a move of ".*copy-/],
      [busy, /A service or a worker uses the database/],
      [others, /data in the database .* that do not come from this move \(in "Other data"\)/],
    ] as const) {
      const source = openSource(path, SMALL);
      await expect(moveToPostgres(source, { url })).rejects.toMatchObject({
        code: "conflict",
        message: expect.stringMatching(message),
      });
      source.close();
      await sqliteStores({ path }).close();
    }
    await worker.close();
    const source = openSource(path, SMALL);
    await moveToPostgres(source, { url: busy.url, schema: "other" });
    await expect(moveToPostgres(source, { url: place.url })).rejects.toThrow(
      /is being moved, or was moved, to .* schema other/,
    );
    source.close();
  });

  test("of two folders into one database at once moves one of them completely, and nothing of the other", async () => {
    const place = await newPlace();
    const sources = [
      openSource(await folder.copy(), SMALL),
      openSource(await folder.copy(), SMALL),
    ];
    // Each has found the database empty before one of them begins.
    const both = Promise.withResolvers<void>();
    let ready = 0;
    const ends = sources.map((source) =>
      moveToPostgres(
        wrapped(source, {
          begin: async (target) => {
            if (++ready === sources.length) both.resolve();
            await both.promise;
            await source.begin(target);
          },
        }),
        { url: place.url },
      ).catch((error) => error),
    );
    const results = await Promise.all(ends);
    for (const source of sources) source.close();
    expect(results.filter((result) => result.moved)).toHaveLength(1);
    expect(results).toContainEqual(
      expect.objectContaining({
        code: "conflict",
        message: expect.stringMatching(/A move of ".*copy-.*" to .* has just begun\. Nothing of/),
      }),
    );
    expect(await answersOf(place.open(LIKE_SQLITE))).toEqual(await answersOf(await unmoved()));
  });

  test("of one folder by two processes does not write rows twice", async () => {
    const place = await newPlace();
    const path = await folder.copy();
    const source = openSource(path, SMALL);
    let other: Promise<unknown> | undefined;
    // The folder is locked, so the second process is one on another machine with a copy.
    const end = moveToPostgres(source, {
      url: place.url,
      onProgress: () => {
        other ??= moveToPostgres(wrapped(source, { finish: async () => {} }), {
          url: place.url,
        }).catch((error) => error);
      },
    });
    const results = [await end.catch((error) => error), await other];
    expect(results).toContainEqual(
      expect.objectContaining({
        code: "conflict",
        message: expect.stringMatching(/Another process is moving/),
      }),
    );
    source.close();
    const again = openSource(path, SMALL);
    await moveToPostgres(again, { url: place.url });
    again.close();
    expect(await answersOf(place.open(LIKE_SQLITE))).toEqual(await answersOf(await unmoved()));
  });
});
