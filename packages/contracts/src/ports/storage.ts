/** A file in a storage. The id is opaque to the engine: a path below the root for `fs`, a key for S3. */
export interface FileRef {
  readonly type: "file";
  /** Valid only in the storage that returned it. Other ids may be rejected as `forbidden` or `not_found`. */
  readonly id: string;
}

/** A folder in a storage. */
export interface FolderRef {
  readonly type: "folder";
  /** Opaque like a file's id. The root is `"."` for `fs` and S3. */
  readonly id: string;
}

/** Options that every storage operation takes. */
export interface StorageOptions {
  /**
   * Cancels the operation. The call rejects `aborted` as soon as that is possible without leaving anything half done.
   */
  readonly signal?: AbortSignal;
}

/** Options of {@link Storage.read}. */
export interface ReadOptions extends StorageOptions {
  /** The version to read. Default: the current one. */
  readonly version?: string;
}

/** Metadata of a file. */
export interface FileInfo {
  /** Pass it to `read`, `stat` and `remove`. */
  readonly ref: FileRef;
  /** Changes when the bytes change. Storages without versions use the SHA-256. */
  readonly version: string;
  /** The last segment: the file's name within its folder. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
}

/** One version of a file: its identity and its bytes. */
export interface StoredFile extends FileInfo {
  /** SHA-256 of the bytes, in lower-case hex. */
  readonly sha256: string;
  /** The caller's copy: changes to it do not affect the storage. */
  readonly bytes: Uint8Array;
}

/** One entry of a folder: a file or a folder, with its name. */
export interface FolderEntry {
  /** Its `type` distinguishes files from folders. */
  readonly ref: FileRef | FolderRef;
  /** The last segment, as it was created: the entry's name within its folder. */
  readonly name: string;
}

/** Options of {@link Storage.list}. */
export interface ListOptions extends StorageOptions {
  /** Maximum number of entries in the page. Default 1000. */
  readonly limit?: number;
  /** `nextMarker` of the page before. Default: the first page. */
  readonly marker?: string;
}

/** A page of a listing. */
export interface FolderPage {
  /** In the order of the listing. At most `limit` entries. */
  readonly entries: readonly FolderEntry[];
  /** Pass it to get the next page; null at the end. */
  readonly nextMarker: string | null;
}

/**
 * Where the engine reads templates and writes documents. Every method rejects with a `QuireError`: `forbidden` for an
 * id that would leave the storage's root or that is not an id of this storage at all, `storage_failed` (with `cause`)
 * if the medium fails, `aborted` if the signal is aborted. Methods may be called concurrently. `conformance/storage.ts`
 * tests this contract.
 */
export interface Storage {
  /**
   * Returns the bytes and the metadata of one version of a file. Rejects `not_found` if the file does not exist, if the
   * id names a folder, or if the requested version does not exist or no longer exists.
   */
  read(file: FileRef, options?: ReadOptions): Promise<StoredFile>;

  /**
   * Creates a file in a folder: the whole file under a new name, or nothing. The file is durable when the promise
   * resolves, and a reader never sees a partial file.
   *
   * A stream is read to its end; if the medium allows, its bytes are not all held in memory. If the stream throws, the
   * call rejects with that error and creates nothing. If the stream is not read to its end, for any reason, its
   * `return()` is called. The caller may reuse a chunk when the next one is requested.
   *
   * Rejects `conflict` if the name is taken, even by a concurrent call: exactly one call wins, and nothing is ever
   * overwritten. Rejects `not_found` if the folder does not exist, and `item_name_invalid` if the name is not one plain
   * path segment.
   */
  create(
    folder: FolderRef,
    name: string,
    bytes: Uint8Array | AsyncIterable<Uint8Array>,
    options?: StorageOptions,
  ): Promise<FileInfo>;

  /** Returns the metadata of the current version of a file; null if the file does not exist. */
  stat(file: FileRef, options?: StorageOptions): Promise<FileInfo | null>;

  /**
   * Returns the result of `stat` for the file with this name in a folder; null if the file or the folder does not
   * exist. The file is durable when the promise resolves, even if its creator died before making it durable. Rejects
   * `item_name_invalid` like `create`.
   */
  find(folder: FolderRef, name: string, options?: StorageOptions): Promise<FileInfo | null>;

  /**
   * Returns a page of the direct entries of a folder, in a fixed order, without the storage's temporary files. Rejects
   * `not_found` if the folder does not exist, and `invalid_request` if the limit is not a positive integer. A marker
   * that is not from a page of this folder may be rejected with the same code, or may return an arbitrary page.
   */
  list(folder: FolderRef, options?: ListOptions): Promise<FolderPage>;

  /**
   * Whether a name is taken in a folder, by a file or a folder whose name has the same folded form (see `foldName`).
   * Implement it only if it is fast: for a small batch, an engine then calls it for each name instead of listing the
   * folder. It may miss names that other processes have added recently: `create` detects equal names. It must not report
   * a name that was removed, and it must know at once what this handle has created. Rejects like `list` and
   * `create`.
   */
  isTaken?(folder: FolderRef, name: string, options?: StorageOptions): Promise<boolean>;

  /**
   * Whether a file is found only under the name that it was created with, up to Unicode normalization, as in S3. Absent
   * or false: `find` may find it under other names, too, as in a case-insensitive file system.
   */
  readonly hasExactNames?: boolean;

  /** Removes a file with all its versions. Removing a missing file is not an error. */
  remove(file: FileRef, options?: StorageOptions): Promise<void>;

  /**
   * Creates a folder in a folder; an existing folder is not changed. It is durable when the promise resolves. Rejects
   * `conflict` if a file has the name, `not_found` if the parent folder does not exist, and `item_name_invalid` like
   * `create`. In a storage without real folders, it only returns the reference.
   */
  createFolder(folder: FolderRef, name: string, options?: StorageOptions): Promise<FolderRef>;

  /**
   * Removes an empty folder. Removing a missing folder is not an error. Rejects `conflict` for a folder that is not
   * empty, and `forbidden` for the root.
   */
  removeFolder(folder: FolderRef, options?: StorageOptions): Promise<void>;
}
