import type {
  CatalogEntry,
  CatalogFile,
  CatalogFileState,
  CatalogFolder,
  CatalogPage,
  CatalogVersion,
  FileCatalog,
  FileRef,
  FolderRef,
  Storage,
} from "@quire/core/host";
import type { TenantQuotas } from "../quotas.ts";
import type { FileContent } from "./read-file.ts";

/** What `createFiles` needs. It closes neither storage nor catalog. */
export interface FilesOptions {
  /** Has all tenants' files, each tenant's below `tenants/<name>`. Its ids are paths. */
  readonly storage: Storage;
  readonly catalog: FileCatalog;
  /** The most bytes that a file may have that is uploaded. Default 100 MiB. */
  readonly maxFileBytes?: number;
  /** Limits files and bytes of each tenant. Files that others put into the storage count, too. Default: no limits. */
  readonly quotas?: TenantQuotas;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
}

/** Who does something. The user is noted with what comes of it. */
export interface Actor {
  readonly tenant: string;
  readonly user: string | null;
}

/** Options of what changes a file. */
export interface ChangeOptions {
  /** Rejects `conflict`, and changes nothing, when the file is not so any more. Default: however it is. */
  readonly ifStill?: CatalogFileState | undefined;
}

/** Options of an upload. */
export interface UploadOptions {
  /** The SHA-1 of the bytes, in hex of either case: bytes with another one are refused. */
  readonly sha1?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Options of {@link Files.list}. */
export interface ListFilesOptions {
  readonly limit: number;
  /** So many entries are left out at the beginning. Default 0. Not together with `marker`. */
  readonly offset?: number | undefined;
  /** `nextMarker` of the page before. */
  readonly marker?: string | undefined;
}

/** Options of {@link Files.read}. */
export interface ReadFileOptions {
  /** The version wanted; the current one when absent. */
  readonly version?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The files and folders of all tenants, by ids that stay with them. An id is that of the catalog, `"0"` for the tenant's
 * root folder, or `path:` and a path below it. Names in a folder differ by more than case. What others put into a tenant's
 * folders of the storage is found there when they are listed or when it is named; what others change is a new version when
 * the file itself is asked for. Every method rejects with a `QuireError`: `not_found` for what the tenant has not,
 * also when another one has it; `forbidden` for a path that leads elsewhere; `storage_failed` and `job_store_failed`
 * when the storage or the catalog fails; `aborted` for its signal.
 *
 * Nothing that is listed is ever without its bytes, and nothing that was acknowledged is lost, also when the process is
 * killed at any point. What may stay behind then are bytes of an upload that was not acknowledged: they
 * are hidden, in the way of nothing, and stay.
 */
export interface Files {
  /**
   * The tenant's files for an engine. Ids are as above; a file may also be read by a plain path, when nothing has that text
   * as its id. Listing gives what is known of the folder, without looking for what others have put there. A document is a file of its own name in its folder of the storage; one that was created there
   * without getting into the catalog, since the process ended, is found again by `find`. A version is one of the catalog.
   */
  storageOf(tenant: string): Storage;

  /** The file or folder of an id. */
  resolve(tenant: string, ref: FileRef | FolderRef): Promise<CatalogEntry>;

  /** Rejects `conflict` when the name is taken, `item_name_invalid` for one that none may have. */
  createFolder(who: Actor, parentId: string, name: string): Promise<CatalogFolder>;

  /** Folders first, each by name. Sizes are those of the last version that the catalog knows. */
  list(tenant: string, folderId: string, options: ListFilesOptions): Promise<CatalogPage>;

  /**
   * Adds a file. Its bytes are read once the name was found to be free, and appear whole or not at all; a source that is not read
   * to its end is given back (`return()`). Rejects `conflict` when the name is taken, also by then; `item_name_invalid`;
   * `limit_exceeded` for too many bytes; and `invalid_request` with the diagnostic `sha1_mismatch` for others than said.
   */
  upload(
    who: Actor,
    parentId: string,
    name: string,
    bytes: AsyncIterable<Uint8Array>,
    options?: UploadOptions,
  ): Promise<CatalogFile>;

  /** Adds a version, which is the current one from now on. Like {@link upload}. */
  uploadVersion(
    who: Actor,
    fileId: string,
    bytes: AsyncIterable<Uint8Array>,
    options?: UploadOptions & ChangeOptions,
  ): Promise<CatalogFile>;

  /** Gives a file another name; its id and its bytes stay. Rejects `conflict` and `item_name_invalid`. */
  rename(
    tenant: string,
    fileId: string,
    name: string,
    options?: ChangeOptions,
  ): Promise<CatalogFile>;

  /**
   * Removes a file with all its versions, or a folder. Rejects `conflict` for a folder that is not empty, unless it is
   * to go with all that is in it, and `forbidden` for the root.
   */
  remove(
    tenant: string,
    id: string,
    options?: ChangeOptions & { readonly recursive?: boolean },
  ): Promise<void>;

  /** Rejects `not_found` also for a version whose bytes somebody else has replaced. */
  read(tenant: string, fileId: string, options?: ReadFileOptions): Promise<FileContent>;

  /** From the newest on. */
  versions(tenant: string, fileId: string): Promise<readonly CatalogVersion[]>;

  /** Removes from the storage what was removed before and could not be then. For when a service starts. */
  sweep(): Promise<void>;
}
