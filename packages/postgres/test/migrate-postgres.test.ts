import { describe, expect, onTestFinished, test } from "vitest";
import { diagnosePostgres, migratePostgres, postgresStores } from "../src/index.ts";
import { SCHEMA_STEPS } from "../src/schema/migrations.ts";
import { makeEmptyPlace, makePlace, type Place } from "./support/place.ts";

const VERSION = SCHEMA_STEPS.steps.length;

const TOKEN = {
  id: "a",
  hash: "h",
  user: "ann",
  enterprise: "acme",
  scopes: [],
  createdAt: 1,
  expiresAt: null,
};

async function emptyPlace(): Promise<Place> {
  const place = await makeEmptyPlace();
  onTestFinished(() => place.destroy());
  return place;
}

/** Creates a user that may connect and nothing else, and returns its URL of the database. */
async function limitedUser(place: Place): Promise<{ readonly name: string; readonly url: string }> {
  const name = `service_${new URL(place.url).pathname.slice(-12)}`;
  await place.query(`CREATE USER ${name}`);
  onTestFinished(async () => {
    await place.query(`DROP OWNED BY ${name}`);
    await place.query(`DROP USER ${name}`);
  });
  return { name, url: Object.assign(new URL(place.url), { username: name }).href };
}

/** Returns the findings that are not as they should be. The shared server does not sync, to be faster. */
async function complaints(url: string, more: object = {}): Promise<string[]> {
  const findings = await diagnosePostgres({ url, ...more });
  return findings
    .filter(({ level, what }) => level !== "ok" && !what.startsWith("durability: fsync is off"))
    .map(({ what }) => what);
}

describe("migratePostgres", () => {
  test("creates the tables once, even if several processes call it at the same time", async () => {
    const { url, query } = await emptyPlace();
    const done = await Promise.all([1, 2, 3].map(() => migratePostgres({ url })));
    expect(done.map(({ now }) => now)).toEqual([VERSION, VERSION, VERSION]);
    expect(await migratePostgres({ url })).toEqual({ before: VERSION, now: VERSION });
    expect((await query("SELECT count(*)::int AS n FROM quire.version")).rows).toEqual([{ n: 1 }]);
  });

  test("uses the given schema", async () => {
    const { url } = await emptyPlace();
    await migratePostgres({ url, schema: "documents" });
    const other = postgresStores({ url, schema: "documents", migrate: false });
    expect(await other.tokens.list()).toEqual([]);
    await other.close();
    await expect(migratePostgres({ url, schema: "Documents" })).rejects.toMatchObject({
      code: "invalid_request",
    });
  });

  test("gives a user that may not create tables the rights of a service", async () => {
    const place = await emptyPlace();
    const { name, url } = await limitedUser(place);
    const stores = postgresStores({ url });
    await expect(stores.tokens.list()).rejects.toThrow(
      /lacks a right \(permission denied for .*--grant-to/,
    );
    await stores.close();
    expect(await complaints(url)).toEqual([
      expect.stringMatching(/no tables yet, and this user may not/),
    ]);
    await migratePostgres({ url: place.url });
    expect(await complaints(url)).toEqual([expect.stringMatching(/no right to use the schema/)]);
    await migratePostgres({ url: place.url, grantTo: name });
    expect(await complaints(url)).toEqual([]);
    const granted = postgresStores({ url, migrate: false });
    onTestFinished(() => granted.close());
    await granted.tokens.add(TOKEN);
    expect(await granted.tokens.list()).toEqual([TOKEN]);
    const worker = await granted.jobs.openWorker({
      takes: "all",
      leaseMs: 15_000,
      keepFinishedMs: 0,
    });
    while (await worker.tidy());
    await worker.close();
    // Old partitions are dropped and new ones are added by any worker.
    await place.query(`SET ROLE ${name}; SELECT quire.add_partition(77), quire.drop_partition()`);
    await place.query(`REVOKE DELETE ON quire.work FROM ${name}`);
    expect(await complaints(url)).toEqual([
      expect.stringMatching(/no right to .*DELETE on work\.$/),
    ]);
  });

  test("reports a user that does not exist", async () => {
    const { url } = await emptyPlace();
    await expect(migratePostgres({ url, grantTo: "nobody-here" })).rejects.toThrow(
      /the user does not exist\. Create it/,
    );
  });
});

describe("Stores that must not migrate", () => {
  test("reject a database without tables, until somebody creates them", async () => {
    const { url, open } = await emptyPlace();
    await expect(open({ migrate: false }).tokens.list()).rejects.toThrow(
      /no tables of Quire in the schema "quire"\. Run `quire migrate`/,
    );
    await migratePostgres({ url });
    expect(await open({ migrate: false }).tokens.list()).toEqual([]);
  });

  test("reject the tables of a newer release that does not support this one", async () => {
    const place = await makePlace();
    onTestFinished(() => place.destroy());
    await place.query("UPDATE quire.version SET current = 99, oldest_compatible = 99");
    const newer = /newer release of Quire in the schema "quire"\. Update Quire/;
    await expect(place.open().tokens.list()).rejects.toThrow(newer);
    await expect(migratePostgres({ url: place.url })).rejects.toThrow(newer);
    expect(await complaints(place.url)).toContainEqual(expect.stringMatching(newer));
    await place.query("UPDATE quire.version SET oldest_compatible = 1");
    expect(await place.open().tokens.list()).toEqual([]);
  });
});
