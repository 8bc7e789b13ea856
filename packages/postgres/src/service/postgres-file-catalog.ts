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
import { Batcher } from "../database/batcher.ts";
import type { Database } from "../database/database.ts";
import { fromText, toText } from "../database/text.ts";
import { CatalogFinds } from "./catalog-finds.ts";
import { listFolder } from "./catalog-list.ts";
import { entryOf, newId, problemOf, TYPE, VERSION_COLUMNS, versionOf } from "./catalog-rows.ts";
import { CatalogWrites, entryOrProblem } from "./catalog-writes.ts";
import { sweepLeftovers } from "./leftovers.ts";
import { ServiceUse } from "./service-use.ts";

/** Number of items that one statement erases. */
const ERASE = 500;

/** Creates a file catalog in a database. The creator of the database closes it. */
export function postgresFileCatalog(database: Database): FileCatalog {
  return new PostgresFileCatalog(database);
}

class PostgresFileCatalog implements FileCatalog {
  readonly #database: Database;
  readonly #finds: CatalogFinds;
  readonly #writes: CatalogWrites;
  /** Concurrent callers of `discarded` share a statement that begins after their calls. */
  readonly #discarded: Batcher<null, number>;
  readonly #use: ServiceUse<"files" | "file_bytes">;

  constructor(database: Database) {
    this.#database = database;
    this.#finds = new CatalogFinds(database);
    this.#writes = new CatalogWrites(database);
    this.#use = new ServiceUse(database, ["files", "file_bytes"]);
    this.#discarded = new Batcher(async (values) => {
      const row = await database.get("SELECT discarded FROM quire.catalog_sweep WHERE id = 1");
      return values.map(() => row?.discarded);
    });
  }

  async root(tenant: string, storageId: string): Promise<CatalogFolder> {
    const known = await this.#database.get(
      "SELECT * FROM quire.catalog_entry WHERE tenant = $1 AND parent_no IS NULL",
      [toText(tenant)],
    );
    if (known !== undefined) return entryOf(known) as CatalogFolder;
    const row = await this.#database.get(
      "SELECT root.outcome, (root.entry).* FROM quire.catalog_root($1, $2, $3) AS root",
      [toText(tenant), newId(), toText(storageId)],
    );
    return entryOrProblem(row, { type: "folder", storageId }) as CatalogFolder;
  }

  async find(tenant: string, key: CatalogKey): Promise<CatalogEntry | null> {
    return this.#finds.find(tenant, key);
  }

  async list(tenant: string, folderId: string, query: CatalogQuery): Promise<CatalogPage> {
    return listFolder(this.#database, tenant, folderId, query);
  }

  async add(tenant: string, entry: NewCatalogEntry): Promise<CatalogEntry> {
    return this.#writes.add(tenant, entry);
  }

  async addVersion(
    tenant: string,
    fileId: string,
    version: NewCatalogVersion,
    options: CatalogChangeOptions = {},
  ): Promise<CatalogFile> {
    return (await this.#writes.addVersion(tenant, fileId, version, options)) as CatalogFile;
  }

  async versions(
    tenant: string,
    fileId: string,
    versionId?: string,
  ): Promise<readonly CatalogVersion[]> {
    const isWanted = versionId === undefined ? "" : "AND version.id = $3";
    const rows = await this.#database.all(
      `SELECT ${VERSION_COLUMNS} FROM quire.catalog_item AS item
         LEFT JOIN quire.catalog_version AS version ON version.item_no = item.no ${isWanted}
       WHERE item.id = $1 AND item.tenant = $2 AND item.type = ${TYPE.file} ORDER BY version.no DESC`,
      [fileId, tenant, ...(versionId === undefined ? [] : [versionId])].map((text) => toText(text)),
    );
    if (rows.length === 0) throw serviceStoreProblems.noFile(fileId);
    return rows.filter(({ version_id }) => version_id !== null).map(versionOf);
  }

  async rename(
    tenant: string,
    id: string,
    name: string,
    { ifStill }: CatalogChangeOptions = {},
  ): Promise<CatalogEntry> {
    const row = await this.#database.get(
      "SELECT change.outcome, (change.entry).* FROM quire.catalog_rename($1, $2, $3, $4, $5, $6) AS change",
      [
        ...[tenant, id, name, foldName(name)].map((text) => toText(text)),
        ...[ifStill?.versions, ifStill?.modifiedAt],
      ],
    );
    return entryOrProblem(row, { id, name });
  }

  async remove(
    tenant: string,
    id: string,
    { gone, ifStill }: CatalogRemoveOptions = {},
  ): Promise<void> {
    const row = await this.#database.get("SELECT * FROM quire.catalog_remove($1, $2, $3, $4, $5)", [
      ...[tenant, id, gone ?? null].map((text) => toText(text)),
      ...[ifStill?.versions, ifStill?.modifiedAt],
    ]);
    const problem = problemOf(row?.outcome, { id, name: fromText(row?.name ?? "") });
    if (problem !== null) throw problem;
  }

  sweep(discard: (leftover: Leftover) => Promise<void>): Promise<void> {
    return sweepLeftovers(this.#database, discard);
  }

  async discarded(): Promise<number> {
    return this.#discarded.add(null);
  }

  async use(tenant?: string): Promise<CatalogUse> {
    const { files, file_bytes: bytes } = await this.#use.of(tenant);
    return { files, bytes };
  }

  async eraseTenant(tenant: string): Promise<number> {
    let erased = 0;
    for (let after = 0; ; ) {
      const row = await this.#database.get(`SELECT * FROM quire.catalog_erase($1, $2, ${ERASE})`, [
        toText(tenant),
        after,
      ]);
      erased += row?.files ?? 0;
      // Entries may have been added to a folder just before it was erased.
      if (row?.last === null && after === 0) return erased;
      after = row?.last ?? 0;
    }
  }
}
