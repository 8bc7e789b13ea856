import type { RecordPage } from "./job-store.ts";

/** One version of a file, and where its bytes are. */
export interface CatalogVersion {
  /** Opaque, one URL-safe path segment. */
  readonly id: string;
  /** The storage's id of the file that has the bytes. */
  readonly storageId: string;
  /** The file's version in the storage. If the storage has a different one, somebody else has changed the file. */
  readonly storageVersion: string;
  /** In bytes. */
  readonly size: number;
  /** SHA-1 of the bytes, in lower-case hex; null if it has not been computed. */
  readonly sha1: string | null;
  /** Milliseconds since 1970, by the wall clock. */
  readonly createdAt: number;
  /** Who created the version; null if unknown. */
  readonly createdBy: string | null;
}

/** What files and folders have in common. */
interface CatalogItem {
  /** Opaque, one URL-safe path segment. Never changes, even when the item is renamed. */
  readonly id: string;
  /** The tenant that owns the item. No other tenant ever sees it. */
  readonly tenant: string;
  /** The id of the folder that contains it; null for the root. */
  readonly parentId: string | null;
  /** Unique within its folder, compared by its folded form (see `foldName`). `""` for the root. */
  readonly name: string;
  /** Milliseconds since 1970, by the wall clock. */
  readonly createdAt: number;
  /** Who created the item; null if unknown. Later versions have their own creator. */
  readonly createdBy: string | null;
}

/** A folder, and the folder of the storage that it represents. */
export interface CatalogFolder extends CatalogItem {
  readonly type: "folder";
  /** The id of the folder in the storage. */
  readonly storageId: string;
}

/** A file with its current version. */
export interface CatalogFile extends CatalogItem {
  readonly type: "file";
  /** The current version: the newest one. */
  readonly version: CatalogVersion;
  /** How many versions the file has had: 1 at first, and 1 more for each new version. */
  readonly versions: number;
  /** When the file last got a new version or name. Milliseconds since 1970, by the wall clock. */
  readonly modifiedAt: number;
}

/** An entry of a folder. */
export type CatalogEntry = CatalogFolder | CatalogFile;

/** A file or a folder to add. The catalog assigns its ids. */
export type NewCatalogEntry =
  | ({
      readonly type: "folder";
      /** The id of the folder in the storage. */
      readonly storageId: string;
    } & NewItem)
  | ({
      readonly type: "file";
      /** Its first version. */
      readonly version: NewCatalogVersion;
    } & NewItem);

/** What a new file and a new folder have in common. */
interface NewItem {
  /** The id of the folder in the catalog that will contain it. */
  readonly parentId: string;
  /** Unique within the folder, compared by its folded form (see `foldName`). */
  readonly name: string;
  /** Who creates it, for `CatalogItem.createdBy`; null if unknown. */
  readonly createdBy: string | null;
}

/** A version to add: the catalog assigns its id and time. */
export type NewCatalogVersion = Omit<CatalogVersion, "id" | "createdAt">;

/** The key of a lookup: an id, a name in a folder, or the id of a file or folder in the storage. */
export type CatalogKey =
  | {
      /** The permanent id of the entry. */
      readonly id: string;
    }
  | {
      /** The id of the folder in the catalog. */
      readonly parentId: string;
      /** Compared by its folded form (see `foldName`). */
      readonly name: string;
    }
  | {
      /** Needed because a file and a folder in the storage may have the same id. */
      readonly type: CatalogEntry["type"];
      /** Its id in the storage. */
      readonly storageId: string;
    };

/** Options of {@link FileCatalog.list}. */
export interface CatalogQuery {
  /** Maximum number of entries in the page: a positive integer. */
  readonly limit: number;
  /** Number of entries to skip at the beginning. Default 0. Not together with `marker`. */
  readonly offset?: number | undefined;
  /** `nextMarker` of the page before. */
  readonly marker?: string | undefined;
}

/** The state of a file when a caller read it. Every change to the file changes one of these fields. */
export type CatalogFileState = Pick<CatalogFile, "versions" | "modifiedAt">;

/** Options of methods that change an entry. */
export interface CatalogChangeOptions {
  /** Rejects `conflict` without changing anything if the entry is a file in a different state. Default: any state. */
  readonly ifStill?: CatalogFileState | undefined;
}

/** Options of {@link FileCatalog.remove}. */
export interface CatalogRemoveOptions extends CatalogChangeOptions {
  /**
   * The storage id of a file that is missing from the storage. It is not recorded as a leftover, because somebody may
   * put another file under this id. If the current version has a different storage id, nothing is removed, because
   * somebody has added a version since. Default: the item is removed in any case, and all its storage ids are recorded
   * as leftovers.
   */
  readonly gone?: string | undefined;
}

/** A page of the entries of a folder. */
export interface CatalogPage extends RecordPage<CatalogEntry> {
  /** The number of entries in the folder. */
  readonly total: number;
}

/** A file or folder to remove from the storage, because nothing in the catalog refers to it any more. */
export interface Leftover {
  /** Which method of the storage removes it: `remove` or `removeFolder`. */
  readonly type: "file" | "folder";
  /** Its id in the storage. For a file, the storage id of one of its versions. */
  readonly storageId: string;
}

/** A tenant's usage of a catalog. */
export interface CatalogUse {
  /** Number of file versions and folders, not counting the root. */
  readonly files: number;
  /** Total size of all versions. */
  readonly bytes: number;
}

/**
 * Permanent ids for files and folders of a storage, independent of their names. A service needs them for a storage that
 * has only paths or keys. Each tenant has a separate tree with a root. Every method rejects with a `QuireError`:
 * `job_store_failed` if the medium fails or the catalog is closed, `not_found` for a folder or file that the tenant
 * does not have, even if another tenant has it. Writes are durable when the promise resolves. Methods may be called
 * concurrently, also on several handles to the same database. The creator closes the catalog.
 * `conformance/file-catalog.ts` tests this contract.
 */
export interface FileCatalog {
  /**
   * Returns the tenant's root folder. The first call creates it and connects it to this folder of the storage. Rejects
   * `conflict` if it must be created and that folder is waiting for `sweep`.
   */
  root(tenant: string, storageId: string): Promise<CatalogFolder>;

  /** Finds an entry; null if the tenant has no such entry. A file is found by the storage id of any of its versions. */
  find(tenant: string, key: CatalogKey): Promise<CatalogEntry | null>;

  /**
   * Lists the direct entries of a folder: first folders, then files, both sorted by the code points of the folded name.
   * Entries added after the first page do not shift later pages that are read by marker. Rejects `invalid_request` for
   * an invalid limit or offset, and for a marker that does not belong to this folder.
   */
  list(tenant: string, folderId: string, query: CatalogQuery): Promise<CatalogPage>;

  /**
   * Adds a file or a folder. Rejects `conflict` if the name is taken in the folder, or if another entry of the tenant
   * refers to the same file or folder of the storage, or if that file or folder is waiting for `sweep`. If several
   * calls compete, exactly one wins.
   */
  add(tenant: string, entry: NewCatalogEntry): Promise<CatalogEntry>;

  /**
   * Adds a version and makes it the current one. Rejects `conflict` for its storage id as {@link add} does, except that
   * other versions of this file may have the same storage id.
   */
  addVersion(
    tenant: string,
    fileId: string,
    version: NewCatalogVersion,
    options?: CatalogChangeOptions,
  ): Promise<CatalogFile>;

  /** Returns all versions of a file, newest first, or only `versionId`. Empty if the file has no such version. */
  versions(tenant: string, fileId: string, versionId?: string): Promise<readonly CatalogVersion[]>;

  /** Renames an entry. Rejects `conflict` if another entry has the name, or if the entry is a root. */
  rename(
    tenant: string,
    id: string,
    name: string,
    options?: CatalogChangeOptions,
  ): Promise<CatalogEntry>;

  /**
   * Removes a file with all its versions, or a folder, from the catalog. Records the files and folders of the storage
   * that no tenant refers to any more (see `sweep`). Rejects `conflict` for a folder that is not empty, and for a root.
   * Removing a missing entry is not an error.
   */
  remove(tenant: string, id: string, options?: CatalogRemoveOptions): Promise<void>;

  /**
   * Calls `discard` for each leftover that {@link remove} has recorded: files before folders, inner folders before
   * outer ones. Forgets a leftover when `discard` resolves, and keeps it for a later call when `discard` rejects. For
   * ten minutes after a call takes a leftover, other calls skip it. If several calls run at once, the last one to end
   * discards the folders. If the process ends before a discarded leftover is forgotten, `discard` may be called for it
   * again.
   */
  sweep(discard: (leftover: Leftover) => Promise<void>): Promise<void>;

  /**
   * Returns a counter that only grows, shared by all tenants and handles. It grows before an id that {@link sweep} has
   * discarded can be used again. Read it before a file is put into the storage and again after the file is added to the
   * catalog: if both values are equal, no sweep has discarded the file because of an earlier file with the same id.
   */
  discarded(): Promise<number>;

  /**
   * Returns the usage of a tenant; without `tenant`, the maximum of each number over all tenants. Updated with each
   * change, so the cost does not grow with the catalog. Leftovers for {@link sweep} do not count.
   */
  use(tenant?: string): Promise<CatalogUse>;

  /**
   * Removes all versions and folders of a tenant from the catalog, including its root. The caller removes the
   * bytes: nothing is left for {@link sweep}. Returns the approximate number of versions and folders removed. After an
   * interruption, call it again to finish.
   */
  eraseTenant(tenant: string): Promise<number>;
}
