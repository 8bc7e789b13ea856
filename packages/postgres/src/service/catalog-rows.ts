import { randomBytes } from "node:crypto";
import {
  type CatalogEntry,
  type CatalogVersion,
  type QuireError,
  serviceStoreProblems,
} from "@quire/contracts";
import type { Row } from "../database/database.ts";
import { fromText } from "../database/text.ts";

/** The types of items in the database. Folders are listed first. */
export const TYPE = { folder: 0, file: 1 } as const satisfies Record<CatalogEntry["type"], number>;

/** Converts a number in the database to a type. */
export function typeOf(type: unknown): CatalogEntry["type"] {
  return type === TYPE.folder ? "folder" : "file";
}

/** The columns of {@link versionOf}. */
export const VERSION_COLUMNS = `version.id AS version_id, version.storage_id AS version_storage_id,
  version.storage_version, version.size, version.sha1, version.created_at AS version_created_at,
  version.created_by AS version_created_by`;

/** Converts a row of the view `catalog_entry`. */
export function entryOf(row: Row): CatalogEntry {
  const common = {
    id: fromText(row.id),
    tenant: fromText(row.tenant),
    parentId: fromText(row.parent_id),
    name: fromText(row.name),
    createdAt: row.created_at,
    createdBy: fromText(row.created_by),
  };
  if (row.type === TYPE.folder) {
    return { type: "folder", ...common, storageId: fromText(row.storage_id) };
  }
  const { versions, modified_at } = row;
  return { type: "file", ...common, version: versionOf(row), versions, modifiedAt: modified_at };
}

export function versionOf(row: Row): CatalogVersion {
  return {
    id: fromText(row.version_id),
    storageId: fromText(row.version_storage_id),
    storageVersion: fromText(row.storage_version),
    size: row.size,
    sha1: fromText(row.sha1),
    createdAt: row.version_created_at,
    createdBy: fromText(row.version_created_by),
  };
}

/** What came of a change, as the functions of the database report it. */
type Outcome =
  | "done"
  | "no_folder"
  | "no_file"
  | "no_entry"
  | "name_taken"
  | "stood_for"
  | "left_over"
  | "changed"
  | "is_root"
  | "not_empty";

/** What the message of an error is about. */
export interface Subject {
  /** The id of the folder, file or entry that is missing or has changed. */
  readonly id?: string;
  /** The name that is taken, or the name of the folder that is not empty. */
  readonly name?: string;
  readonly type?: CatalogEntry["type"];
  readonly storageId?: string;
}

/** Returns the error of an outcome; null if the change was made. */
export function problemOf(outcome: Outcome, subject: Subject): QuireError | null {
  const { id = "", name = "", type = "file", storageId = "" } = subject;
  const problems = {
    done: () => null,
    no_folder: () => serviceStoreProblems.noFolder(id),
    no_file: () => serviceStoreProblems.noFile(id),
    no_entry: () => serviceStoreProblems.noEntry(id),
    name_taken: () => serviceStoreProblems.nameTaken(name),
    stood_for: () => serviceStoreProblems.stoodFor(type, storageId),
    left_over: () => serviceStoreProblems.leftOver(type, storageId),
    changed: () => serviceStoreProblems.changed(id),
    is_root: () => serviceStoreProblems.isRoot(),
    not_empty: () => serviceStoreProblems.notEmpty(name),
  } as const satisfies Record<Outcome, () => QuireError | null>;
  return problems[outcome]();
}

/** Returns a new id: a URL-safe path segment that cannot be guessed. */
export function newId(): string {
  return randomBytes(16).toString("hex");
}
