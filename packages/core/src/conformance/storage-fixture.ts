import type { FolderRef, Storage } from "../ports/storage.ts";

/** A fresh place for one case of `storageConformance`. */
export interface StorageFixture {
  readonly storage: Storage;
  /** A folder that exists and is empty. It is not the root. */
  readonly folder: FolderRef;
  /** The folder in which `folder` stands. */
  readonly parent: FolderRef;
  /** False where a folder with nothing in it is not listed. Default true. */
  readonly listsEmptyFolders?: boolean;
  /**
   * Another handle on the same place, as another process would have one. Without it (a storage in
   * memory has only one) the cases about two handles run with `storage` twice.
   */
  readonly open?: () => Promise<Storage> | Storage;
  /** Called after the case, whatever its outcome. */
  readonly destroy?: () => Promise<void> | void;
}

/** The body of a case; throws when the storage breaks the contract. */
export type StorageCase = (place: StorageFixture) => Promise<void>;

/** Another handle on the same place, or the same one where there is only one. */
export async function secondHandle(place: StorageFixture): Promise<Storage> {
  return (await place.open?.()) ?? place.storage;
}
