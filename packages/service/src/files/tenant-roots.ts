import type { CatalogFolder, FileCatalog, FolderRef, Storage } from "@quire/core/host";
import { hasCode, storageMissing } from "./file-errors.ts";
import { HIDDEN_FOLDER, STORAGE_ROOT, TENANTS_FOLDER, tenantFolder } from "./storage-layout.ts";

/** A tenant's folders in the catalog and in the storage. */
export interface TenantRoot {
  readonly tenant: string;
  /** The root folder in the catalog. All paths of the tenant start here. */
  readonly folder: CatalogFolder;
  /** Contains the uploaded bytes, as files with random names that never change. */
  readonly hidden: FolderRef;
}

/** Finds the folders of tenants. */
export interface TenantRoots {
  /** Creates the tenant's folders on first use. Rejects `storage_failed` if that is not possible. */
  of(tenant: string): Promise<TenantRoot>;

  /**
   * Whether this storage contains the tenant's files. A volume that is not mounted, or another bucket, looks like a
   * storage from which everything was removed.
   */
  isSame(root: TenantRoot): Promise<boolean>;

  /** Makes the next call of {@link of} create the tenant's folders again. */
  forget(tenant: string): void;
}

const MAX_CACHED = 10_000;
/** The name of a file in the hidden folder that is written when the tenant is created. */
export const MARKER = "README.txt";
const MARKER_BYTES = new TextEncoder().encode(
  "The document service keeps uploaded files here. This file marks the folder as the right one.\n" +
    "Do not change or remove anything in this folder.\n",
);

/** Creates the tenants' folders in a storage and a catalog. Caches the folders that were created. */
export function createTenantRoots(storage: Storage, catalog: FileCatalog): TenantRoots {
  return new StoredTenantRoots(storage, catalog);
}

class StoredTenantRoots implements TenantRoots {
  readonly #storage: Storage;
  readonly #catalog: FileCatalog;
  readonly #roots = new Map<string, Promise<TenantRoot>>();

  constructor(storage: Storage, catalog: FileCatalog) {
    this.#storage = storage;
    this.#catalog = catalog;
  }

  async of(tenant: string): Promise<TenantRoot> {
    const known = this.#roots.get(tenant);
    if (known !== undefined && (await this.#isThere(await known))) return known;
    if (this.#roots.get(tenant) !== known) return this.of(tenant);
    if (this.#roots.size >= MAX_CACHED) this.#roots.clear();
    const root = this.#open(tenant).catch((error: unknown) => {
      this.forget(tenant);
      throw error;
    });
    this.#roots.set(tenant, root);
    return root;
  }

  /** Whether the catalog still has the tenant's root. False if the tenant was erased in the meantime. */
  async #isThere({ tenant, folder }: TenantRoot): Promise<boolean> {
    return (await this.#catalog.find(tenant, { id: folder.id })) !== null;
  }

  async isSame(root: TenantRoot): Promise<boolean> {
    return (await this.#storage.find(root.hidden, MARKER)) !== null;
  }

  forget(tenant: string): void {
    this.#roots.delete(tenant);
  }

  async #open(tenant: string): Promise<TenantRoot> {
    const name = tenantFolder(tenant);
    try {
      const top: FolderRef = { type: "folder", id: STORAGE_ROOT };
      const tenants = await this.#storage.createFolder(top, TENANTS_FOLDER);
      const folder = await this.#storage.createFolder(tenants, name);
      const hidden = await this.#storage.createFolder(folder, HIDDEN_FOLDER);
      const key = { type: "folder", storageId: folder.id } as const;
      // If the marker of a known tenant is missing, this is probably a different storage, so the marker is not
      // restored.
      if ((await this.#catalog.find(tenant, key)) === null) await this.#mark(hidden);
      return { tenant, folder: await this.#catalog.root(tenant, folder.id), hidden };
    } catch (error) {
      throw hasCode(error, "not_found") ? storageMissing(error) : error;
    }
  }

  async #mark(hidden: FolderRef): Promise<void> {
    try {
      await this.#storage.create(hidden, MARKER, MARKER_BYTES);
    } catch (error) {
      if (!hasCode(error, "conflict")) throw error;
    }
  }
}
