import { setTimeout as sleep } from "node:timers/promises";
import { type CatalogFile, type FileCatalog, isQuireError } from "@quire/contracts";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { type PostgresStores, postgresStores } from "../src/index.ts";
import { startPostgres } from "./support/postgres-server.ts";

const LANES = 6;
const KILLS = 3;

/** What callers know of a file, from the calls that were confirmed. */
interface Known {
  readonly id: string;
  readonly name: string;
  readonly storageIds: string[];
  versions: number;
  /** `unknown`: the answer to the removal was lost. */
  removed: "no" | "yes" | "unknown";
}

/** Returns the value of a call, or null if the server failed. */
async function orNull<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (!isQuireError(error) || error.code !== "job_store_failed") throw error;
    expect(error.retryable).toBe(true);
    return null;
  }
}

/** Adds files with two versions, and removes every second one, until the signal. */
async function lane(
  files: FileCatalog,
  rootId: string,
  number: number,
  signal: AbortSignal,
): Promise<Known[]> {
  const known: Known[] = [];
  const version = { storageVersion: "1", size: 1, sha1: null, createdBy: null };
  for (let round = 0; !signal.aborted; round++) {
    const name = `${number}-${round}`;
    const [first, second] = [name, `${name}-2`].map((storageId) => ({ ...version, storageId }));
    if (first === undefined || second === undefined) continue;
    const entry = { type: "file", parentId: rootId, name, createdBy: null } as const;
    const added = await orNull(files.add("t", { ...entry, version: first }));
    if (added === null) await sleep(20);
    if (added === null) continue;
    const { id } = added;
    const file: Known = { id, name, storageIds: [name], versions: 1, removed: "no" };
    known.push(file);
    const changed = await orNull(files.addVersion("t", id, second));
    if (changed !== null) {
      file.versions = 2;
      file.storageIds.push(second.storageId);
    }
    if (round % 2 === 1) continue;
    const isGone = await orNull(files.remove("t", id).then(() => true));
    file.removed = isGone ? "yes" : "unknown";
  }
  return known;
}

/** Queries for inconsistent rows: each should return no rows. */
const FAULTS = [
  `SELECT 'version without file', * FROM quire.catalog_version
     WHERE item_no NOT IN (SELECT no FROM quire.catalog_item WHERE type = 1)`,
  `SELECT 'wrong versions', no FROM quire.catalog_item AS item WHERE type = 1 AND (versions, version_no) IS DISTINCT FROM
     (SELECT (count(*)::int, max(no)) FROM quire.catalog_version WHERE item_no = item.no)`,
  `SELECT 'version without place', * FROM quire.catalog_version AS version WHERE NOT EXISTS
     (SELECT FROM quire.catalog_place WHERE storage_id = version.storage_id AND item_no = version.item_no)`,
  `SELECT 'place without version', * FROM quire.catalog_place AS place WHERE type = 1 AND NOT EXISTS
     (SELECT FROM quire.catalog_version WHERE storage_id = place.storage_id AND item_no = place.item_no)`,
  `SELECT 'leftover in use', * FROM quire.catalog_leftover WHERE storage_id IN
     (SELECT storage_id FROM quire.catalog_place)`,
  `SELECT 'name twice', parent_no, folded FROM quire.catalog_item GROUP BY parent_no, folded HAVING count(*) > 1`,
  `SELECT 'wrong count', * FROM (SELECT (SELECT sum(entries) FROM quire.catalog_count) AS counted,
     (SELECT count(*) FROM quire.catalog_item WHERE parent_no IS NOT NULL) AS real) AS sums
     WHERE counted IS DISTINCT FROM real`,
  `SELECT 'wrong use', * FROM (SELECT (SELECT sum(files) FROM quire.service_use) AS counted,
     (SELECT count(*) FROM quire.catalog_version) AS real) AS sums WHERE counted IS DISTINCT FROM real`,
];

test("a killed server has everything that was confirmed, and nothing partial", async () => {
  const server = await startPostgres();
  const opened: PostgresStores[] = [];
  onTestFinished(async () => {
    for (const stores of opened) await stores.close();
    await server.destroy();
  });
  const open = (): FileCatalog => {
    const stores = postgresStores({ url: server.url, connections: 4 });
    opened.push(stores);
    return stores.files;
  };
  const catalogs = [open(), open()];
  const [files] = catalogs as [FileCatalog];
  const root = await files.root("t", "out");
  const ending = new AbortController();
  const lanes = Array.from({ length: LANES }, (_, n) =>
    lane(catalogs[n % 2] ?? files, root.id, n, ending.signal),
  );
  for (let kill = 0; kill < KILLS; kill++) {
    await sleep(400 + 150 * kill);
    await server.kill();
    await server.start();
  }
  await sleep(300);
  ending.abort();
  const known = (await Promise.all(lanes)).flat();
  expect(known.length).toBeGreaterThan(100);
  expect(known.filter(({ removed }) => removed === "yes").length).toBeGreaterThan(20);

  const client = new pg.Client(server.url);
  await client.connect();
  onTestFinished(() => client.end());
  for (const fault of FAULTS) expect((await client.query(fault)).rows).toEqual([]);
  const { rows: leftovers } = await client.query("SELECT storage_id FROM quire.catalog_leftover");
  const left = new Set(leftovers.map(({ storage_id }) => storage_id));
  const stored = new Map<string, CatalogFile>();
  for (let marker: string | undefined; ; ) {
    const page = await files.list("t", root.id, { limit: 1000, marker });
    for (const item of page.items) if (item.type === "file") stored.set(item.id, item);
    if (page.nextMarker === null) break;
    marker = page.nextMarker;
  }
  for (const { id, name, storageIds, versions, removed } of known) {
    const file = stored.get(id);
    if (removed === "no") expect(file).toMatchObject({ name });
    if (removed === "yes") expect(file).toBeUndefined();
    if (file === undefined) for (const storageId of storageIds) expect(left).toContain(storageId);
    else expect(file.versions).toBeGreaterThanOrEqual(versions);
  }
}, 120_000);
