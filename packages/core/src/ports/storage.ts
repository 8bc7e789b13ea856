/** A file in a storage. The id is opaque to the engine: a path below the root for `fs`, a key for S3. */
export interface FileRef {
  readonly type: "file";
  readonly id: string;
}

/** A folder in a storage. */
export interface FolderRef {
  readonly type: "folder";
  readonly id: string;
}

/** Options that every storage operation takes. */
export interface StorageOptions {
  /** Rejects with `aborted` as soon as that is possible without leaving anything half done. */
  readonly signal?: AbortSignal;
}

/** Options of {@link Storage.read}. */
export interface ReadOptions extends StorageOptions {
  /** The version wanted; the current one when absent. */
  readonly version?: string;
}

/** What is known of a file without its bytes. */
export interface FileInfo {
  readonly ref: FileRef;
  /** Changes when the bytes change. Storages without versions of their own give the SHA-256. */
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
  /** The caller's own copy: changing it changes nothing in the storage. */
  readonly bytes: Uint8Array;
}

/** One entry of a folder: a file or a folder, with its name in it. */
export interface FolderEntry {
  readonly ref: FileRef | FolderRef;
  readonly name: string;
}

/** Options of {@link Storage.list}. */
export interface ListOptions extends StorageOptions {
  /** At most this many entries in the page. Default 1000. */
  readonly limit?: number;
  /** `nextMarker` of the page before; the first page when absent. */
  readonly marker?: string;
}

/** A page of a listing. */
export interface FolderPage {
  readonly entries: readonly FolderEntry[];
  /** Pass it to get the next page; null at the end. */
  readonly nextMarker: string | null;
}

/**
 * Where templates are read and documents are written. Every method rejects with a `QuireError`:
 * `forbidden` for an id that would leave the storage's root or that is not an id of this storage at
 * all, `storage_failed` (with `cause`) when the medium fails, `aborted` for its signal.
 * Methods may be called concurrently. `conformance/storage.ts` is this contract as tests.
 */
export interface Storage {
  /**
   * The bytes and the identity of one version of a file.
   * Rejects `not_found` when there is no such file, when the id names a folder, and when the version
   * asked for is not (or no longer) there.
   */
  read(file: FileRef, options?: ReadOptions): Promise<StoredFile>;

  /**
   * Creates a file in a folder: the whole file under a new name, or nothing. It is durable when the
   * promise resolves, and a reader never sees a part of it. Bytes that come as a stream are read to their end, without
   * being held all at once where the medium allows that; when the stream throws, that is what is rejected, and nothing is created.
   * Of a stream that is not read to its end, whatever the reason, `return()` is called. A chunk is the caller's again when the
   * next one is asked for.
   * Rejects `conflict` when the name is taken, also by a concurrent call: exactly one of them wins,
   * and nothing is ever overwritten. Rejects `not_found` when the folder is not there and
   * `item_name_invalid` when the name is not one plain path segment.
   */
  create(
    folder: FolderRef,
    name: string,
    bytes: Uint8Array | AsyncIterable<Uint8Array>,
    options?: StorageOptions,
  ): Promise<FileInfo>;

  /** What is known of the current version of a file; null when there is none. */
  stat(file: FileRef, options?: StorageOptions): Promise<FileInfo | null>;

  /**
   * What `stat` gives for the file of a name in a folder; null when there is none, or no such folder.
   * What it finds is durable when the promise resolves, also when its creator died before it was.
   * Rejects `item_name_invalid` like `create`.
   */
  find(folder: FolderRef, name: string, options?: StorageOptions): Promise<FileInfo | null>;

  /**
   * A page of what stands directly in a folder, in a fixed order. What the storage itself uses
   * (temporary files) is not listed. Rejects `not_found` when the folder is not there, and
   * `invalid_request` for a limit that is no whole number from 1. A marker that is none of this
   * folder's pages may be rejected likewise, or lead to some page.
   */
  list(folder: FolderRef, options?: ListOptions): Promise<FolderPage>;

  /**
   * Whether a name is taken in a folder, by a file or a folder whose name has the same folded form (see `foldName`). Only for
   * a storage that can tell this fast: an engine then asks for the few names of a small batch, and does not list the
   * folder. What others have put there lately may be overlooked, for `create` meets it. Rejects like `list` and `create`.
   */
  isTaken?(folder: FolderRef, name: string, options?: StorageOptions): Promise<boolean>;

  /** Removes a file with all its versions. Removing what is not there is not an error. */
  remove(file: FileRef, options?: StorageOptions): Promise<void>;

  /**
   * Makes a folder in a folder; one that is there stays as it is. It is durable when the promise resolves. Rejects
   * `conflict` when a file has the name, `not_found` when the folder around it is not there, and
   * `item_name_invalid` like `create`. Where folders need not be made it only gives the folder.
   */
  createFolder(folder: FolderRef, name: string, options?: StorageOptions): Promise<FolderRef>;

  /**
   * Removes an empty folder. What is not there is not an error. Rejects `conflict` for one that is not empty, and `forbidden`
   * for the root.
   */
  removeFolder(folder: FolderRef, options?: StorageOptions): Promise<void>;
}
