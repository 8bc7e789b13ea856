import { setImmediate as nextTurn } from "node:timers/promises";
import {
  type CatalogChangeOptions,
  type CatalogEntry,
  type CatalogFile,
  type CatalogFolder,
  type CatalogKey,
  type CatalogPage,
  type CatalogQuery,
  type CatalogRemoveOptions,
  type CatalogUse,
  type CatalogVersion,
  type FileCatalog,
  foldName,
  type Leftover,
  type NewCatalogEntry,
  type NewCatalogVersion,
  serviceStoreProblems,
} from "@quire/contracts";
import type { Database, Row } from "../database/database.ts";
import { useOf } from "../database/tenant-use.ts";
import type { Writer } from "../database/writer.ts";
import { listFolder } from "./catalog-list.ts";
import {
  assertFree,
  assertStill,
  entryOf,
  eraseSome,
  fileById,
  folderById,
  insertVersion,
  isNameTaken,
  itemById,
  itemByKey,
  newId,
  rootOf,
  stand,
  TYPE,
  versionsOf,
} from "./catalog-rows.ts";
import { countDiscarded, leaveOver, sweepLeftovers } from "./leftovers.ts";

/** Creates a file catalog in the file of a job store. The job store closes it. */
export function sqliteFileCatalog(database: Database, writer: Writer): FileCatalog {
  return new SqliteFileCatalog(database, writer);
}

class SqliteFileCatalog implements FileCatalog {
  readonly #database: Database;
  readonly #writer: Writer;

  constructor(database: Database, writer: Writer) {
    this.#database = database;
    this.#writer = writer;
  }

  async root(tenant: string, storageId: string): Promise<CatalogFolder> {
    const known = rootOf(this.#database, tenant);
    const root = known ?? (await this.#writer.write(() => this.#makeRoot(tenant, storageId)));
    return entryOf(root) as CatalogFolder;
  }

  #makeRoot(tenant: string, storageId: string): Row {
    // Another call may have created the root in the meantime.
    const known = rootOf(this.#database, tenant);
    if (known !== undefined) return known;
    assertFree(this.#database, tenant, { type: "folder", storageId });
    return this.#insert(tenant, null, { type: "folder", name: "", createdBy: null, storageId });
  }

  async find(tenant: string, key: CatalogKey): Promise<CatalogEntry | null> {
    const row = itemByKey(this.#database, tenant, key);
    return row === undefined ? null : entryOf(row);
  }

  async list(tenant: string, folderId: string, query: CatalogQuery): Promise<CatalogPage> {
    return listFolder(this.#database, tenant, folderId, query);
  }

  async add(tenant: string, entry: NewCatalogEntry): Promise<CatalogEntry> {
    const database = this.#database;
    return this.#writer.write(() => {
      const folderNo = Number(folderById(database, tenant, entry.parentId).no);
      if (isNameTaken(database, folderNo, entry.name)) {
        throw serviceStoreProblems.nameTaken(entry.name);
      }
      const { storageId } = entry.type === "folder" ? entry : entry.version;
      assertFree(database, tenant, { type: entry.type, storageId });
      return entryOf(this.#insert(tenant, folderNo, entry));
    });
  }

  /** Writes an item that the caller has checked. */
  #insert(
    tenant: string,
    folderNo: number | null,
    entry: Omit<NewCatalogEntry & { type: "file" }, "parentId"> | NewFolder,
  ): Row {
    const database = this.#database;
    const { storageId } = entry.type === "folder" ? entry : entry.version;
    const now = Date.now();
    const id = newId();
    const row = database.get(
      `INSERT INTO catalog_item (id, tenant, parent_no, type, name, folded, created_at, created_by,
         modified_at, storage_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING no`,
      id,
      tenant,
      folderNo,
      TYPE[entry.type],
      entry.name,
      foldName(entry.name),
      now,
      entry.createdBy,
      now,
      entry.type === "folder" ? storageId : null,
    );
    const no = Number(row?.no);
    if (entry.type === "file") insertVersion(database, no, entry.version, now);
    stand(database, tenant, no, { type: entry.type, storageId });
    if (folderNo !== null) this.#countChild(folderNo, 1);
    return this.#row(tenant, id);
  }

  async addVersion(
    tenant: string,
    fileId: string,
    version: NewCatalogVersion,
    options: CatalogChangeOptions = {},
  ): Promise<CatalogFile> {
    const database = this.#database;
    return this.#writer.write(() => {
      const file = fileById(database, tenant, fileId);
      assertStill(file, options);
      const no = Number(file.no);
      const place = { type: "file", storageId: version.storageId } as const;
      assertFree(database, tenant, place, no);
      insertVersion(database, no, version, Date.now());
      stand(database, tenant, no, place);
      return entryOf(this.#row(tenant, fileId)) as CatalogFile;
    });
  }

  async versions(
    tenant: string,
    fileId: string,
    versionId?: string,
  ): Promise<readonly CatalogVersion[]> {
    const { no } = fileById(this.#database, tenant, fileId);
    return versionsOf(this.#database, Number(no), versionId);
  }

  async rename(
    tenant: string,
    id: string,
    name: string,
    options: CatalogChangeOptions = {},
  ): Promise<CatalogEntry> {
    const database = this.#database;
    return this.#writer.write(() => {
      const row = this.#row(tenant, id);
      const { no, parent_no } = row;
      if (typeof parent_no !== "number") throw serviceStoreProblems.isRoot();
      assertStill(row, options);
      if (isNameTaken(database, parent_no, name, Number(no))) {
        throw serviceStoreProblems.nameTaken(name);
      }
      database.run(
        "UPDATE catalog_item SET name = ?, folded = ?, modified_at = max(?, modified_at + 1) WHERE no = ?",
        name,
        foldName(name),
        Date.now(),
        Number(no),
      );
      return entryOf(this.#row(tenant, id));
    });
  }

  async remove(tenant: string, id: string, options: CatalogRemoveOptions = {}): Promise<void> {
    const { gone } = options;
    const database = this.#database;
    await this.#writer.write(() => {
      const row = itemById(database, tenant, id);
      if (row === undefined) return;
      assertStill(row, options);
      if (gone !== undefined && row.version_storage_id !== gone) return;
      if (typeof row.parent_no !== "number") throw serviceStoreProblems.isRoot();
      if (row.children !== 0) throw serviceStoreProblems.notEmpty(String(row.name));
      const no = Number(row.no);
      leaveOver(database, no, gone ?? null);
      database.run("DELETE FROM catalog_version WHERE item_no = ?", no);
      database.run("DELETE FROM catalog_item WHERE no = ?", no);
      this.#countChild(row.parent_no, -1);
    });
  }

  sweep(discard: (leftover: Leftover) => Promise<void>): Promise<void> {
    return sweepLeftovers(this.#database, this.#writer, discard);
  }

  async eraseTenant(tenant: string): Promise<number> {
    const { files } = await this.use(tenant);
    while (await this.#writer.write(() => eraseSome(this.#database, tenant))) await nextTurn();
    return files;
  }

  async use(tenant?: string): Promise<CatalogUse> {
    const [files = 0, bytes = 0] = useOf(this.#database, ["files", "file_bytes"], tenant);
    return { files, bytes };
  }

  async discarded(): Promise<number> {
    return countDiscarded(this.#database);
  }

  #countChild(folderNo: number, more: 1 | -1): void {
    this.#database.run(
      "UPDATE catalog_item SET children = children + ? WHERE no = ?",
      more,
      folderNo,
    );
  }

  /** Returns the tenant's item with this id. Throws `not_found` if it does not exist. */
  #row(tenant: string, id: string): Row {
    const row = itemById(this.#database, tenant, id);
    if (row === undefined) throw serviceStoreProblems.noEntry(id);
    return row;
  }
}

type NewFolder = Omit<NewCatalogEntry & { type: "folder" }, "parentId">;
