import type { RecordPage } from "./job-store.ts";

/** One version of a file, and where its bytes are. */
export interface CatalogVersion {
  /** Opaque, one URL-safe path segment. */
  readonly id: string;
  /** The id of the file in the storage that has the bytes. */
  readonly storageId: string;
  /** Its version there: when the storage has another one now, somebody else has changed the file. */
  readonly storageVersion: string;
  /** In bytes. */
  readonly size: number;
  /** SHA-1 of the bytes, in lower-case hex; null when nobody has computed it. */
  readonly sha1: string | null;
  /** Milliseconds since 1970, by the wall clock. */
  readonly createdAt: number;
  /** Who has made it; null when that is not known. */
  readonly createdBy: string | null;
}

interface CatalogItem {
  /** Opaque, one URL-safe path segment; the same for as long as the item is there, whatever its name. */
  readonly id: string;
  /** Whose it is: nobody else ever sees it. */
  readonly tenant: string;
  /** Of the folder that it is in; null for the root. */
  readonly parentId: string | null;
  /** Unique within its folder, compared by its folded form (see `foldName`). `""` for the root. */
  readonly name: string;
  /** Milliseconds since 1970, by the wall clock. */
  readonly createdAt: number;
  readonly createdBy: string | null;
}

/** A folder, and the folder of the storage that it stands for. */
export interface CatalogFolder extends CatalogItem {
  readonly type: "folder";
  readonly storageId: string;
}

/** A file with its current version. */
export interface CatalogFile extends CatalogItem {
  readonly type: "file";
  readonly version: CatalogVersion;
  /** How many versions it has had, from 1: grows with each. */
  readonly versions: number;
  /** When it last got a version or a name. Milliseconds since 1970, by the wall clock. */
  readonly modifiedAt: number;
}

/** What stands in a folder. */
export type CatalogEntry = CatalogFolder | CatalogFile;

/** What a file or a folder is added as. The catalog gives it its ids. */
export type NewCatalogEntry =
  | ({ readonly type: "folder"; readonly storageId: string } & NewItem)
  | ({ readonly type: "file"; readonly version: NewCatalogVersion } & NewItem);

interface NewItem {
  readonly parentId: string;
  readonly name: string;
  readonly createdBy: string | null;
}

/** A version as it is added: the catalog gives it its id and its time. */
export type NewCatalogVersion = Omit<CatalogVersion, "id" | "createdAt">;

/** What is looked for: an id, a name in a folder, or what stands for a file or folder of the storage. */
export type CatalogKey =
  | { readonly id: string }
  | { readonly parentId: string; readonly name: string }
  | { readonly type: CatalogEntry["type"]; readonly storageId: string };

/** Options of {@link FileCatalog.list}. */
export interface CatalogQuery {
  readonly limit: number;
  /** So many entries are left out at the beginning, from 0. Default 0. Not together with `marker`. */
  readonly offset?: number | undefined;
  /** `nextMarker` of the page before. */
  readonly marker?: string | undefined;
}

/** How a file was when somebody saw it: each change of it changes one of these. */
export type CatalogFileState = Pick<CatalogFile, "versions" | "modifiedAt">;

/** Options of what changes an entry. */
export interface CatalogChangeOptions {
  /** Rejects `conflict`, and changes nothing, when it is a file that is not so any more. Default: however it is. */
  readonly ifStill?: CatalogFileState | undefined;
}

/** Options of {@link FileCatalog.remove}. */
export interface CatalogRemoveOptions extends CatalogChangeOptions {
  /**
   * The id of a file of the storage that is not there any more: nothing of it is noted, since somebody may put another file
   * there. Nothing is removed when the current version is not of it: somebody has added another one meanwhile. Default: the
   * item is removed whatever it has, and all that it stood for is noted.
   */
  readonly gone?: string | undefined;
}

/** A page of what stands in a folder. */
export interface CatalogPage extends RecordPage<CatalogEntry> {
  /** How many there are in the folder. */
  readonly total: number;
}

/** What is to be removed from the storage, since nothing in the catalog stands for it any more. */
export interface Leftover {
  readonly type: "file" | "folder";
  readonly storageId: string;
}

/** A tenant's use of a catalog. */
export interface CatalogUse {
  /** Versions of files, and folders except the root. */
  readonly files: number;
  /** Of all versions. */
  readonly bytes: number;
}

/**
 * Ids that stay with files and folders of a storage, whatever their names become: what a service over a storage
 * needs that has only paths or keys. Each tenant has a tree of its own, below a root. Every method rejects with a
 * `QuireError`: `job_store_failed` when the medium fails or the catalog is closed, `not_found` for a folder or file
 * that the tenant has not, also when another one has it. What is written is durable when the promise
 * resolves. Methods may be called concurrently, by several handles of one place. Who made it closes it.
 * `conformance/file-catalog.ts` is this contract as tests.
 */
export interface FileCatalog {
  /**
   * The tenant's root folder, which is made with this folder of the storage when it is asked for first. Rejects
   * `conflict` when it is to be made and that folder waits for `sweep`.
   */
  root(tenant: string, storageId: string): Promise<CatalogFolder>;

  /** Null when the tenant has none. A file is found by what any of its versions has in the storage. */
  find(tenant: string, key: CatalogKey): Promise<CatalogEntry | null>;

  /**
   * What stands directly in a folder: folders first, each by name in code points of its folded form. What is added
   * after the first page does not move the pages that follow it by marker. Rejects `invalid_request` for a limit or
   * offset that is none, and for a marker that is none of this folder's.
   */
  list(tenant: string, folderId: string, query: CatalogQuery): Promise<CatalogPage>;

  /**
   * Adds a file or a folder. Rejects `conflict` when the name is taken in the folder, or when something else of the tenant
   * stands for the same file or folder of the storage, or when that waits for `sweep`; exactly one of several at once
   * wins.
   */
  add(tenant: string, entry: NewCatalogEntry): Promise<CatalogEntry>;

  /**
   * Adds a version, which is the current one from now on. Rejects `conflict` like {@link add} for what it has in the
   * storage, but for what other versions of this file have.
   */
  addVersion(
    tenant: string,
    fileId: string,
    version: NewCatalogVersion,
    options?: CatalogChangeOptions,
  ): Promise<CatalogFile>;

  /** A version of a file, or all of them from the newest on. Empty when it has no such version. */
  versions(tenant: string, fileId: string, versionId?: string): Promise<readonly CatalogVersion[]>;

  /** Gives another name. Rejects `conflict` when it is taken by something else, and for a root. */
  rename(
    tenant: string,
    id: string,
    name: string,
    options?: CatalogChangeOptions,
  ): Promise<CatalogEntry>;

  /**
   * Takes a file with all its versions, or a folder, out of the catalog, and notes what becomes of no use in the storage,
   * since no tenant has anything else that stands for it (see `sweep`). Rejects `conflict` for a folder that is not empty, and for a root. What is not there is not an error.
   */
  remove(tenant: string, id: string, options?: CatalogRemoveOptions): Promise<void>;

  /**
   * Calls `discard` for what {@link remove} has noted, files before folders and folders from the inside out, and forgets
   * what it resolves for; what it rejects for is tried with a later call. What one call has in hand no other one
   * has, unless it is still there ten minutes later; folders are left to whoever ends last. `discard` may be called
   * again for what it has resolved for, when the process ended before that was forgotten.
   */
  sweep(discard: (leftover: Leftover) => Promise<void>): Promise<void>;

  /**
   * A number that only grows, for all tenants and handles: before what {@link sweep} has discarded may be stood for again. A
   * file that was put into the storage after one call, and was added to the catalog before another one that gives the same,
   * was not discarded for what had its id before.
   */
  discarded(): Promise<number>;

  /**
   * The use of a tenant; without a tenant, the maximum of each number over all tenants. Updated with each change, so
   * the cost does not grow with the catalog. Leftovers for {@link sweep} do not count.
   */
  use(tenant?: string): Promise<CatalogUse>;

  /**
   * Removes all versions and folders of a tenant from the catalog, with its root, and leaves nothing for {@link sweep}:
   * the caller removes the bytes. Returns about how many versions and folders it removed. After an interruption, call
   * it again to finish.
   */
  eraseTenant(tenant: string): Promise<number>;
}
