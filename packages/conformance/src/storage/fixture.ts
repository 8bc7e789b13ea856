import type { FolderRef, Storage } from "@quire/contracts";

/** A new, empty storage for one case of `storageConformance`. */
export interface StorageFixture {
  /** The storage under test. */
  readonly storage: Storage;
  /** An existing, empty folder, which is not the root. */
  readonly folder: FolderRef;
  /** The folder that contains `folder`. */
  readonly parent: FolderRef;
  /** False if an empty folder is not listed. Default true. */
  readonly listsEmptyFolders?: boolean;
  /**
   * Opens another handle to the same storage, as another process would. If absent (a storage in memory has only one
   * handle), the cases about two handles use `storage` twice.
   */
  readonly open?: () => Promise<Storage> | Storage;
  /**
   * Opens a storage whose medium accepts each request and never responds, such as a server that hangs. If absent, skip
   * the case that needs it.
   */
  readonly unresponsive?: () => Promise<Storage> | Storage;
  /** Called after the case, even if the case fails. */
  readonly destroy?: () => Promise<void> | void;
}

/** The body of a case; throws if the storage breaks the contract. */
export type StorageCase = (place: StorageFixture) => Promise<void>;

/** Returns another handle to the same storage, or the same handle if there is only one. */
export async function secondHandle(place: StorageFixture): Promise<Storage> {
  return (await place.open?.()) ?? place.storage;
}
