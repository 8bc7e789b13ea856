import { randomBytes } from "node:crypto";
import {
  type CatalogChangeOptions,
  type CatalogEntry,
  type CatalogKey,
  type CatalogVersion,
  foldName,
  type Leftover,
  type NewCatalogVersion,
  serviceStoreProblems,
} from "@quire/contracts";
import type { Database, Row } from "../database/database.ts";
import { numberOrNull, textOrNull } from "../database/records.ts";

/** The types of items in the database. Folders are listed first. */
export const TYPE = { folder: 0, file: 1 } as const satisfies Record<CatalogEntry["type"], number>;

/** Converts a number in the database to a type. */
export function typeOf(type: Row[string] | undefined): CatalogEntry["type"] {
  return type === TYPE.folder ? "folder" : "file";
}

const VERSION_COLUMNS = `version.id AS version_id, version.storage_id AS version_storage_id,
  version.storage_version, version.size, version.sha1, version.created_at AS version_created_at,
  version.created_by AS version_created_by`;

const ENTRY_COLUMNS = `item.no, item.id, item.tenant, item.parent_no, parent.id AS parent_id, item.type,
  item.name, item.folded, item.created_at, item.created_by, item.modified_at, item.storage_id,
  item.children, item.versions, ${VERSION_COLUMNS}`;

const ENTRY_TABLES = `catalog_item AS item
  LEFT JOIN catalog_item AS parent ON parent.no = item.parent_no
  LEFT JOIN catalog_version AS version ON version.no = item.version_no`;

/** The query for {@link entryOf}. Callers add the condition. */
export const SELECT_ENTRIES = `SELECT ${ENTRY_COLUMNS} FROM ${ENTRY_TABLES}`;

/** Returns the tenant's item with this id. */
export function itemById(database: Database, tenant: string, id: string): Row | undefined {
  return database.get(`${SELECT_ENTRIES} WHERE item.id = ? AND item.tenant = ?`, id, tenant);
}

/** Returns the tenant's root. */
export function rootOf(database: Database, tenant: string): Row | undefined {
  return database.get(`${SELECT_ENTRIES} WHERE item.tenant = ? AND item.parent_no IS NULL`, tenant);
}

/** Returns the row of a folder of the tenant. Throws `not_found` if it does not exist. */
export function folderById(database: Database, tenant: string, id: string): Row {
  const row = itemById(database, tenant, id);
  if (row?.type !== TYPE.folder) throw serviceStoreProblems.noFolder(id);
  return row;
}

/** Returns the row of a file of the tenant. Throws `not_found` if it does not exist. */
export function fileById(database: Database, tenant: string, id: string): Row {
  const row = itemById(database, tenant, id);
  if (row?.type !== TYPE.file) throw serviceStoreProblems.noFile(id);
  return row;
}

/** Returns the tenant's item with this key. */
export function itemByKey(database: Database, tenant: string, key: CatalogKey): Row | undefined {
  if ("id" in key) return itemById(database, tenant, key.id);
  if ("storageId" in key) {
    return database.get(
      `${SELECT_ENTRIES} WHERE item.no =
         (SELECT item_no FROM catalog_place WHERE type = ? AND storage_id = ? AND tenant = ?)`,
      TYPE[key.type],
      key.storageId,
      tenant,
    );
  }
  return database.get(
    `${SELECT_ENTRIES} WHERE item.folded = ? AND item.parent_no =
       (SELECT no FROM catalog_item WHERE id = ? AND tenant = ?)`,
    foldName(key.name),
    key.parentId,
    tenant,
  );
}

/** Whether an item of the folder, other than `itemNo`, has the name. */
export function isNameTaken(
  database: Database,
  folderNo: number,
  name: string,
  itemNo: number | null = null,
): boolean {
  const row = database.get(
    "SELECT no FROM catalog_item WHERE parent_no = ? AND folded = ?",
    folderNo,
    foldName(name),
  );
  return row !== undefined && row.no !== itemNo;
}

/** Throws `conflict` if the file is no longer in the state `ifStill`. */
export function assertStill(row: Row, { ifStill }: CatalogChangeOptions): void {
  if (ifStill === undefined) return;
  const isSame = row.versions === ifStill.versions && row.modified_at === ifStill.modifiedAt;
  if (!isSame) throw serviceStoreProblems.changed(String(row.id));
}

/** Throws `conflict` if the storage's file or folder belongs to another item, or is a leftover. */
export function assertFree(
  database: Database,
  tenant: string,
  { type, storageId }: Leftover,
  itemNo: number | null = null,
): void {
  const standing = database.get(
    "SELECT item_no FROM catalog_place WHERE type = ? AND storage_id = ? AND tenant = ?",
    TYPE[type],
    storageId,
    tenant,
  );
  if (standing !== undefined && standing.item_no !== itemNo) {
    throw serviceStoreProblems.stoodFor(type, storageId);
  }
  const leftover = database.get(
    "SELECT 1 FROM catalog_leftover WHERE type = ? AND storage_id = ?",
    TYPE[type],
    storageId,
  );
  if (leftover !== undefined) throw serviceStoreProblems.leftOver(type, storageId);
}

/** Links an item to a file or folder of the storage. */
export function stand(
  database: Database,
  tenant: string,
  itemNo: number,
  { type, storageId }: Leftover,
): void {
  database.run(
    "INSERT OR IGNORE INTO catalog_place VALUES (?, ?, ?, ?)",
    TYPE[type],
    storageId,
    tenant,
    itemNo,
  );
}

/** Adds a version of a file and makes it the current one. */
export function insertVersion(
  database: Database,
  itemNo: number,
  version: NewCatalogVersion,
  now: number,
): void {
  const row = database.get(
    `INSERT INTO catalog_version (id, item_no, storage_id, storage_version, size, sha1, created_at, created_by)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING no`,
    newId(),
    itemNo,
    version.storageId,
    version.storageVersion,
    version.size,
    version.sha1,
    now,
    version.createdBy,
  );
  database.run(
    "UPDATE catalog_item SET version_no = ?, versions = versions + 1, modified_at = ? WHERE no = ?",
    Number(row?.no),
    now,
    itemNo,
  );
}

/** Returns the versions of a file, newest first, or only the version with this id. */
export function versionsOf(
  database: Database,
  itemNo: number,
  versionId: string | undefined,
): CatalogVersion[] {
  const of = `SELECT ${VERSION_COLUMNS} FROM catalog_version AS version WHERE item_no = ?`;
  const rows =
    versionId === undefined
      ? database.all(`${of} ORDER BY no DESC`, itemNo)
      : database.all(`${of} AND id = ?`, itemNo, versionId);
  return rows.map(versionOf);
}

/** Converts a row of {@link SELECT_ENTRIES} to an entry. */
export function entryOf(row: Row): CatalogEntry {
  const common = {
    id: String(row.id),
    tenant: String(row.tenant),
    parentId: textOrNull(row.parent_id),
    name: String(row.name),
    createdAt: Number(row.created_at),
    createdBy: textOrNull(row.created_by),
  };
  if (row.type === TYPE.folder)
    return { type: "folder", ...common, storageId: String(row.storage_id) };
  return {
    type: "file",
    ...common,
    version: versionOf(row),
    versions: Number(row.versions),
    modifiedAt: Number(row.modified_at),
  };
}

function versionOf(row: Row): CatalogVersion {
  return {
    id: String(row.version_id),
    storageId: String(row.version_storage_id),
    storageVersion: String(row.storage_version),
    size: numberOrNull(row.size) ?? 0,
    sha1: textOrNull(row.sha1),
    createdAt: Number(row.version_created_at),
    createdBy: textOrNull(row.version_created_by),
  };
}

/** Number of items that are removed in one transaction. */
const ERASE = 500;

/**
 * Removes some items of a tenant without recording leftovers. Returns true if there may be more. Call it within a
 * transaction.
 */
export function eraseSome(database: Database, tenant: string): boolean {
  const items = database.all("SELECT no FROM catalog_item WHERE tenant = ? LIMIT ?", tenant, ERASE);
  for (const { no } of items) {
    database.run("DELETE FROM catalog_place WHERE item_no = ?", Number(no));
    database.run("DELETE FROM catalog_version WHERE item_no = ?", Number(no));
    database.run("DELETE FROM catalog_item WHERE no = ?", Number(no));
  }
  return items.length > 0;
}

/** Returns a new id: a URL-safe path segment that cannot be guessed. */
export function newId(): string {
  return randomBytes(16).toString("hex");
}
