import {
  type CatalogChangeOptions,
  type CatalogEntry,
  foldName,
  type NewCatalogEntry,
  type NewCatalogVersion,
} from "@quire/contracts";
import { Batcher } from "../database/batcher.ts";
import type { Database, Row } from "../database/database.ts";
import { toText } from "../database/text.ts";
import { entryOf, newId, problemOf, type Subject, TYPE } from "./catalog-rows.ts";

interface Addition {
  readonly tenant: string;
  readonly entry: NewCatalogEntry;
}

interface NewVersion {
  readonly tenant: string;
  readonly fileId: string;
  readonly version: NewCatalogVersion;
  readonly options: CatalogChangeOptions;
}

/** Adds entries and versions to a catalog. Concurrent additions share a statement. */
export class CatalogWrites {
  readonly #database: Database;
  readonly #additions: Batcher<Addition, Row>;
  readonly #versions: Batcher<NewVersion, Row>;

  constructor(database: Database) {
    this.#database = database;
    this.#additions = new Batcher((values) =>
      this.#send("quire.catalog_add", values.map(additionDraft)),
    );
    this.#versions = new Batcher(
      (values) => this.#send("quire.catalog_add_versions", values.map(versionDraft)),
      ({ fileId }) => fileId,
    );
  }

  /** See `FileCatalog.add`. */
  async add(tenant: string, entry: NewCatalogEntry): Promise<CatalogEntry> {
    const { parentId: id, name, type } = entry;
    const { storageId } = entry.type === "folder" ? entry : entry.version;
    const row = await this.#additions.add({ tenant, entry });
    return entryOrProblem(row, { id, name, type, storageId });
  }

  /** See `FileCatalog.addVersion`. */
  async addVersion(
    tenant: string,
    fileId: string,
    version: NewCatalogVersion,
    options: CatalogChangeOptions,
  ): Promise<CatalogEntry> {
    const row = await this.#versions.add({ tenant, fileId, version, options });
    return entryOrProblem(row, { id: fileId, storageId: version.storageId });
  }

  /** Returns a row with the outcome and the entry for each draft. */
  #send(name: string, drafts: readonly object[]): Promise<Row[]> {
    const numbered = drafts.map((draft, index) => ({ ...draft, n: index + 1 }));
    return this.#database.all(
      `SELECT change.outcome, (change.entry).* FROM ${name}($1) AS change ORDER BY n`,
      [JSON.stringify(numbered)],
    );
  }
}

/** Returns the entry of a row with an outcome. Throws the problem if the change was not made. */
export function entryOrProblem(row: Row | undefined, subject: Subject): CatalogEntry {
  const problem = problemOf(row?.outcome, subject);
  if (row === undefined || problem !== null) throw problem;
  return entryOf(row);
}

/** The type `catalog_draft` of the database. */
function additionDraft({ tenant, entry }: Addition): object {
  const common = {
    tenant: toText(tenant),
    parent_id: toText(entry.parentId),
    type: TYPE[entry.type],
    id: newId(),
    name: toText(entry.name),
    folded: toText(foldName(entry.name)),
    created_by: toText(entry.createdBy),
  };
  if (entry.type === "folder") return { ...common, storage_id: toText(entry.storageId) };
  const { created_by, ...version } = versionColumns(entry.version);
  return { ...common, ...version, version_created_by: created_by };
}

/** The type `catalog_change` of the database. */
function versionDraft({ tenant, fileId, version, options }: NewVersion): object {
  return {
    tenant: toText(tenant),
    id: toText(fileId),
    ...versionColumns(version),
    still_versions: options.ifStill?.versions,
    still_modified_at: options.ifStill?.modifiedAt,
  };
}

function versionColumns(version: NewCatalogVersion) {
  return {
    version_id: newId(),
    storage_id: toText(version.storageId),
    storage_version: toText(version.storageVersion),
    size: version.size,
    sha1: toText(version.sha1),
    created_by: toText(version.createdBy),
  };
}
