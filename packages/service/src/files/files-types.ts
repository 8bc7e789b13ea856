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
import type { TenantQuotas } from "../limits/quotas.ts";
import type { FileContent } from "./read-file.ts";

/** The options of `createFiles`. The caller closes the storage and the catalog. */
export interface FilesOptions {
  /** Holds the files of all tenants. The files of a tenant are in `tenants/<name>`. The storage's ids are paths. */
  readonly storage: Storage;
  /** Holds the ids, names and versions of the files. Must always be used with the same storage. */
  readonly catalog: FileCatalog;
  /** The maximum size of an uploaded file in bytes. Default: 100 MiB. */
  readonly maxFileBytes?: number;
  /** Limits the files and bytes of each tenant, including files that other programs add. Default: no limits. */
  readonly quotas?: TenantQuotas;
  /** Returns the time in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

/** The tenant and user of a change. The user is recorded as the creator. */
export interface Actor {
  /** The tenant that owns the files. */
  readonly tenant: string;
  /** The id of the user, unique within the tenant; null if no user made the change. */
  readonly user: string | null;
}

/** Options for changing a file. */
export interface ChangeOptions {
  /**
   * The state that the file must have. Otherwise rejects `conflict` and changes nothing. Default: any state is
   * accepted.
   */
  readonly ifStill?: CatalogFileState | undefined;
}

/** Options of an upload. */
export interface UploadOptions {
  /** The SHA-1 of the bytes, in lower- or upper-case hex. Bytes with a different SHA-1 are rejected. */
  readonly sha1?: string | undefined;
  /** When aborted, the upload stops, rejects `aborted` and adds nothing. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of {@link Files.list}. */
export interface ListFilesOptions {
  /** The maximum number of entries, a positive integer. */
  readonly limit: number;
  /** The number of entries to skip. Default: 0. Not allowed together with `marker`. */
  readonly offset?: number | undefined;
  /** `nextMarker` of the previous page. Default: the first page. */
  readonly marker?: string | undefined;
}

/** Options of {@link Files.read}. */
export interface ReadFileOptions {
  /** The id of a version. Default: the current version. */
  readonly version?: string | undefined;
  /** When aborted, reading stops and the call rejects `aborted`. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The files and folders of all tenants, by stable ids. An id is a catalog id, `"0"` for the tenant's root folder, or
 * `path:` followed by a path below the root. Names within a folder are unique, ignoring case. Other programs may change
 * a tenant's folders in the storage. An item that they add enters the catalog when its folder is listed or its path is
 * requested. A file that they change gets a new version when it is requested. Every method rejects with a `QuireError`:
 * `not_found` for items that the tenant does not have, even if another tenant has them; `forbidden` for a path that
 * leaves the root; `storage_failed` and `job_store_failed` if the storage or the catalog fails; `aborted` if the signal
 * is aborted.
 *
 * The bytes of a listed item always exist, and no acknowledged item is ever lost, even if the process is killed at any
 * point. If it is killed, the bytes of an upload that was not acknowledged may remain. They are hidden and affect
 * nothing.
 */
export interface Files {
  /**
   * Returns the tenant's files as a storage for an engine. Ids have the same forms as in {@link Files}. A file may also
   * be read by a plain path if no file has that string as its id. A listing returns what the catalog knows about the
   * folder and does not look for items that other programs have added. Documents are stored under their names in their
   * folders of the storage. If the process ended before such a document was in the catalog, `find` finds it. Version
   * ids are those of the catalog.
   */
  storageOf(tenant: string): Storage;

  /** Returns the file or folder with this id. */
  resolve(tenant: string, ref: FileRef | FolderRef): Promise<CatalogEntry>;

  /** Creates a folder. Rejects `conflict` if the name is taken, and `item_name_invalid` if it is not allowed. */
  createFolder(who: Actor, parentId: string, name: string): Promise<CatalogFolder>;

  /**
   * Lists folders and then files, each sorted by name. Sizes are those of the latest version that the catalog knows.
   */
  list(tenant: string, folderId: string, options: ListFilesOptions): Promise<CatalogPage>;

  /**
   * Adds a file. Reads the bytes after checking that the name is free. The file appears completely or not at all. If
   * the source is not read to its end, closes it (`return()`). Rejects `conflict` if the name is taken at the start or
   * at the end of the upload; `item_name_invalid`; `limit_exceeded` for too many bytes; and `invalid_request` with the
   * diagnostic `sha1_mismatch` for a different SHA-1.
   */
  upload(
    who: Actor,
    parentId: string,
    name: string,
    bytes: AsyncIterable<Uint8Array>,
    options?: UploadOptions,
  ): Promise<CatalogFile>;

  /** Adds a version, which becomes the current one. See {@link upload}. */
  uploadVersion(
    who: Actor,
    fileId: string,
    bytes: AsyncIterable<Uint8Array>,
    options?: UploadOptions & ChangeOptions,
  ): Promise<CatalogFile>;

  /** Renames a file. Its id and bytes do not change. Rejects `conflict` and `item_name_invalid`. */
  rename(
    tenant: string,
    fileId: string,
    name: string,
    options?: ChangeOptions,
  ): Promise<CatalogFile>;

  /**
   * Removes a file with all its versions, or a folder. Rejects `conflict` for a folder that is not empty, unless
   * `recursive` is true, and `forbidden` for the root.
   */
  remove(
    tenant: string,
    id: string,
    options?: ChangeOptions & { readonly recursive?: boolean },
  ): Promise<void>;

  /** Reads a version. Also rejects `not_found` for a version whose bytes have been replaced by somebody else. */
  read(tenant: string, fileId: string, options?: ReadFileOptions): Promise<FileContent>;

  /** Returns the versions of a file, newest first. */
  versions(tenant: string, fileId: string): Promise<readonly CatalogVersion[]>;

  /** Returns a version of a file; null if the file does not have it. */
  version(tenant: string, fileId: string, versionId: string): Promise<CatalogVersion | null>;

  /** Removes leftovers of earlier removals from the storage. Should be called when a service starts. */
  sweep(): Promise<void>;
}
