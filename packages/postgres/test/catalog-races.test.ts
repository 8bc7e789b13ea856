import { setTimeout as sleep } from "node:timers/promises";
import { type CatalogEntry, type FileCatalog, isQuireError } from "@quire/contracts";
import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { makePlace, type Place } from "./support/place.ts";

const TENANTS = ["a", "b"] as const;

/** Opens four catalogs over one database, as four processes would. */
async function fourCatalogs(): Promise<{ place: Place; catalogs: readonly FileCatalog[] }> {
  const place = await makePlace();
  onTestFinished(place.destroy);
  return { place, catalogs: Array.from({ length: 4 }, () => place.open().files) };
}

/** Returns the value of a call, or null if it was rejected with `conflict` or `not_found`. */
async function orNull<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (isQuireError(error) && ["conflict", "not_found"].includes(error.code)) return null;
    throw error;
  }
}

/** Returns pseudo-random integers below `limit`, always the same for a seed. */
function randomizer(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % limit;
  };
}

async function deadlocks(place: Place): Promise<number> {
  const { rows } = await place.query(
    "SELECT deadlocks::int, pg_stat_clear_snapshot() FROM pg_stat_database WHERE datname = current_database()",
  );
  return rows[0].deadlocks;
}

function newFile(parentId: string, name: string, storageId: string) {
  const version = { storageId, storageVersion: "1", size: 1, sha1: null, createdBy: null };
  return { type: "file", parentId, name, createdBy: null, version } as const;
}

test("sweeps discard exactly the files that no tenant refers to, whatever happens at the same time", async () => {
  const { place, catalogs } = await fourCatalogs();
  const roots = await Promise.all(
    TENANTS.map((tenant) => catalogs[0]?.root(tenant, `root-${tenant}`)),
  );
  /** The files that are in the storage. */
  const stored = new Set<string>();
  let discards = 0;
  const discard =
    (catalog: FileCatalog) =>
    async ({ storageId }: { storageId: string }): Promise<void> => {
      for (const tenant of TENANTS) {
        const holder = await catalog.find(tenant, { type: "file", storageId });
        if (holder !== null) throw new Error(`${storageId} is still in use.`);
      }
      stored.delete(storageId);
      discards += 1;
    };
  const lane = async (catalog: FileCatalog, number: number): Promise<void> => {
    const random = randomizer(number);
    for (let round = 0; round < 60; round++) {
      const at = random(2);
      const [tenant, rootId] = [TENANTS[at] ?? "", roots[at]?.id ?? ""];
      const storageId = `file-${random(3)}`;
      const name = `${number}-${round}`;
      const added = await orNull(catalog.add(tenant, newFile(rootId, name, storageId)));
      if (added !== null) stored.add(storageId);
      const next = `file-${random(3)}`;
      const holder = added ?? (await catalog.find(tenant, { type: "file", storageId }));
      if (holder === null) continue;
      const { version } = newFile(rootId, name, next);
      if ((await orNull(catalog.addVersion(tenant, holder.id, version))) !== null) stored.add(next);
      await catalog.remove(tenant, holder.id);
      if (random(2) === 0) await catalog.sweep(discard(catalog));
    }
  };
  await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map((n) => lane(catalogs[n % 4] as FileCatalog, n)));
  await catalogs[0]?.sweep(discard(catalogs[0]));
  const { rows } = await place.query(
    "SELECT DISTINCT storage_id FROM quire.catalog_place WHERE type = 1",
  );
  expect([...stored].sort()).toEqual(rows.map(({ storage_id }) => storage_id).sort());
  expect(discards).toBeGreaterThan(10);
  const { rows: left } = await place.query("SELECT * FROM quire.catalog_leftover");
  expect(left).toEqual([]);
  expect(await deadlocks(place)).toBe(0);
}, 120_000);

test("additions, renames, removals and erasures at the same time cause no deadlock, and leave correct counts", async () => {
  const { place, catalogs } = await fourCatalogs();
  const [first] = catalogs;
  const lane = async (catalog: FileCatalog, number: number): Promise<void> => {
    const random = randomizer(100 + number);
    const own: CatalogEntry[] = [];
    for (let round = 0; round < 40; round++) {
      const tenant = TENANTS[random(2)] ?? "";
      const root = await orNull(catalog.root(tenant, `root-${tenant}`));
      if (root === null) continue;
      const name = () => `name-${random(6)}`;
      const folderName = name();
      const folder = await catalog.find(tenant, { parentId: root.id, name: folderName });
      const parentId = folder?.type === "folder" ? folder.id : root.id;
      const adding = Array.from({ length: 5 }, (_, n) =>
        orNull(catalog.add(tenant, newFile(parentId, name(), `${number}-${round}-${n}`))),
      );
      const entry = {
        type: "folder",
        parentId,
        name: name(),
        createdBy: null,
        storageId: `${number}-${round}`,
      } as const;
      adding.push(orNull(catalog.add(tenant, entry)));
      for (const added of await Promise.all(adding)) if (added !== null) own.push(added);
      await Promise.all(
        own
          .splice(0, 4)
          .flatMap((each) => [
            orNull(catalog.rename(each.tenant, each.id, name())),
            orNull(catalog.remove(each.tenant, each.id)),
          ]),
      );
      if (random(25) === 0) await catalog.eraseTenant(tenant);
    }
  };
  await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map((n) => lane(catalogs[n % 4] as FileCatalog, n)));
  for (const tenant of TENANTS) {
    const { rows } = await place.query(
      `SELECT item.no, item.id, (SELECT count(*)::int FROM quire.catalog_item WHERE parent_no = item.no) AS entries
       FROM quire.catalog_item AS item WHERE tenant = $1 AND type = 0`,
      [tenant],
    );
    for (const { id, entries } of rows) {
      expect((await first?.list(tenant, id, { limit: 1 }))?.total).toBe(entries);
    }
    const { rows: used } = await place.query(
      `SELECT (SELECT count(*)::int FROM quire.catalog_item WHERE tenant = $1 AND parent_no IS NOT NULL) AS files,
         (SELECT count(*)::int FROM quire.catalog_item WHERE tenant = $1 AND type = 1) AS bytes`,
      [tenant],
    );
    expect(await first?.use(tenant)).toEqual(used[0]);
  }
  const { rows: orphans } = await place.query(
    `SELECT * FROM quire.catalog_item AS item WHERE parent_no IS NOT NULL
       AND NOT EXISTS (SELECT FROM quire.catalog_item WHERE no = item.parent_no)`,
  );
  expect(orphans).toEqual([]);
  expect(await deadlocks(place)).toBe(0);
}, 120_000);

describe("while a transaction of another process is not committed,", () => {
  /** Two tenants whose files "a" both refer to the file "x" in the storage, and a transaction. */
  async function twoTenants() {
    const { place, catalogs } = await fourCatalogs();
    const catalog = catalogs[0] as FileCatalog;
    const client = new pg.Client(place.url);
    await client.connect();
    await client.query("BEGIN");
    onTestFinished(() => client.end());
    const roots = await Promise.all(TENANTS.map((tenant) => catalog.root(tenant, tenant)));
    const rootIds = roots.map(({ id }) => id);
    const swept: string[] = [];
    const sweep = () => catalog.sweep(async ({ storageId }) => void swept.push(storageId));
    const addX = (at: 0 | 1) => catalog.add(TENANTS[at], newFile(rootIds[at] ?? "", "a", "x"));
    const remove = (id: string) =>
      client.query("SELECT * FROM quire.catalog_remove('a', $1, NULL, NULL, NULL)", [id]);
    /** Adds a file with the id "i" in the transaction. */
    const add = async (tenant: string, parentId: string | undefined, storageId: string) => {
      const item = { n: 1, tenant, parent_id: parentId, type: 1, id: "i", name: "f", folded: "f" };
      const version = { storage_id: storageId, version_id: "v", storage_version: "1", size: 1 };
      const drafts = JSON.stringify([{ ...item, ...version }]);
      const added = await client.query("SELECT outcome FROM quire.catalog_add($1)", [drafts]);
      expect(added.rows).toEqual([{ outcome: "done" }]);
    };
    return { place, catalog, client, rootIds, swept, sweep, addX, add, remove };
  }

  /** Whether a promise is settled after a time in which a call that does not have to wait would end. */
  async function isWaiting(promise: Promise<unknown>): Promise<boolean> {
    return (await Promise.race([promise, sleep(300, "waiting")])) === "waiting";
  }

  test("a sweep waits for the addition of a file that it could discard, and keeps the file", async () => {
    const { catalog, client, rootIds, swept, sweep, addX, add, place } = await twoTenants();
    const own = await addX(0);
    await add("b", rootIds[1], "x");
    await catalog.remove("a", own.id);
    const sweeping = sweep();
    expect(await isWaiting(sweeping)).toBe(true);
    await client.query("COMMIT");
    await sweeping;
    expect(swept).toEqual([]);
    expect((await catalog.find("b", { type: "file", storageId: "x" }))?.id).toBe("i");
    expect((await place.query("SELECT * FROM quire.catalog_leftover")).rows).toEqual([]);
    await catalog.remove("b", "i");
    await sweep();
    expect(swept).toEqual(["x"]);
  });

  test("the removal of the last entry of a file waits for the removal of the other one, and records the file", async () => {
    const { catalog, client, swept, sweep, addX, remove } = await twoTenants();
    const [own, other] = [await addX(0), await addX(1)];
    await remove(own.id);
    const removing = catalog.remove("b", other.id);
    expect(await isWaiting(removing)).toBe(true);
    await client.query("COMMIT");
    await removing;
    await sweep();
    expect(swept).toEqual(["x"]);
  });

  test("a file that is being removed is still a leftover if it was one before", async () => {
    const { client, swept, sweep, addX, remove, place } = await twoTenants();
    const own = await addX(0);
    // As after an addition that committed while another tenant removed the same file.
    await place.query("INSERT INTO quire.catalog_leftover (type, storage_id) VALUES (1, 'x')");
    await remove(own.id);
    const sweeping = sweep();
    expect(await isWaiting(sweeping)).toBe(true);
    await client.query("COMMIT");
    await sweeping;
    expect(swept).toEqual(["x"]);
  });

  test("an addition waits for the removal of an entry with this name, and succeeds", async () => {
    const { catalog, client, rootIds, addX, remove } = await twoTenants();
    const own = await addX(0);
    await remove(own.id);
    const adding = catalog.add("a", newFile(rootIds[0] ?? "", "A", "y"));
    expect(await isWaiting(adding)).toBe(true);
    await client.query("COMMIT");
    expect((await adding).name).toBe("A");
  });

  test("a folder with a new file is not removed", async () => {
    const { catalog, client, rootIds, add } = await twoTenants();
    const entry = { parentId: rootIds[0] ?? "", name: "d", createdBy: null, storageId: "d" };
    const folder = await catalog.add("a", { type: "folder", ...entry });
    await add("a", folder.id, "y");
    const removing = orNull(catalog.remove("a", folder.id).then(() => "removed"));
    expect(await isWaiting(removing)).toBe(true);
    await client.query("COMMIT");
    expect(await removing).toBeNull();
    expect((await catalog.list("a", folder.id, { limit: 1 })).total).toBe(1);
  });

  test("other additions to the same folder do not wait", async () => {
    const { catalog, client, rootIds, add } = await twoTenants();
    // Every eighth connection uses the same row of a counter. This one uses its own.
    await client.query(
      "CREATE OR REPLACE FUNCTION quire.slot() RETURNS smallint LANGUAGE sql AS 'SELECT 99::smallint'",
    );
    await add("a", rootIds[0], "x");
    expect((await catalog.add("a", newFile(rootIds[0] ?? "", "b", "y"))).name).toBe("b");
    await client.query("COMMIT");
    expect((await catalog.list("a", rootIds[0] ?? "", { limit: 1 })).total).toBe(2);
    expect(await catalog.use("a")).toEqual({ files: 2, bytes: 2 });
  });
});
