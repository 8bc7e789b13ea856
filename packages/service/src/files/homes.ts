import type { CatalogFolder, FileCatalog, FolderRef, Storage } from "@quire/core/host";
import { HIDDEN_FOLDER, STORAGE_ROOT, TENANTS_FOLDER, tenantFolder } from "./names.ts";
import { hasCode, storageAway } from "./problems.ts";

/** The place of a tenant's files. */
export interface Home {
  readonly tenant: string;
  readonly root: CatalogFolder;
  /** Holds the uploaded bytes, as files with random names that never change. */
  readonly hidden: FolderRef;
}

/** The tenants' folders in the storage. */
export interface Homes {
  /** Creates the tenant's folders on first use. Rejects `storage_failed` if that is not possible. */
  of(tenant: string): Promise<Home>;

  /**
   * Whether this storage holds the tenant's files. A volume that is not mounted, or another bucket,
   * looks like a storage from which everything was removed.
   */
  isSame(home: Home): Promise<boolean>;

  /** Makes the next {@link of} create the tenant's folders again. */
  forget(tenant: string): void;
}

const MAX_HOMES = 10_000;
/** A file in the hidden folder, which is written when the tenant is created. */
export const MARKER = "README.txt";
const MARKER_BYTES = new TextEncoder().encode(
  "The document service keeps uploaded files here. This file marks the folder as the right one.\n" +
    "Do not change or remove anything in this folder.\n",
);

/** Creates the tenants' folders over a storage and a catalog. Caches the folders that it has created. */
export function createHomes(storage: Storage, catalog: FileCatalog): Homes {
  return new TenantHomes(storage, catalog);
}

class TenantHomes implements Homes {
  readonly #storage: Storage;
  readonly #catalog: FileCatalog;
  readonly #homes = new Map<string, Promise<Home>>();

  constructor(storage: Storage, catalog: FileCatalog) {
    this.#storage = storage;
    this.#catalog = catalog;
  }

  async of(tenant: string): Promise<Home> {
    const known = this.#homes.get(tenant);
    if (known !== undefined && (await this.#isThere(await known))) return known;
    if (this.#homes.get(tenant) !== known) return this.of(tenant);
    if (this.#homes.size >= MAX_HOMES) this.#homes.clear();
    const home = this.#open(tenant).catch((error: unknown) => {
      this.forget(tenant);
      throw error;
    });
    this.#homes.set(tenant, home);
    return home;
  }

  /** False if the tenant has been erased since. */
  async #isThere({ tenant, root }: Home): Promise<boolean> {
    return (await this.#catalog.find(tenant, { id: root.id })) !== null;
  }

  async isSame(home: Home): Promise<boolean> {
    return (await this.#storage.find(home.hidden, MARKER)) !== null;
  }

  forget(tenant: string): void {
    this.#homes.delete(tenant);
  }

  async #open(tenant: string): Promise<Home> {
    const name = tenantFolder(tenant);
    try {
      const top: FolderRef = { type: "folder", id: STORAGE_ROOT };
      const tenants = await this.#storage.createFolder(top, TENANTS_FOLDER);
      const folder = await this.#storage.createFolder(tenants, name);
      const hidden = await this.#storage.createFolder(folder, HIDDEN_FOLDER);
      const key = { type: "folder", storageId: folder.id } as const;
      // If the marker of a known tenant is missing, this is a different folder, so the marker is not restored.
      if ((await this.#catalog.find(tenant, key)) === null) await this.#mark(hidden);
      return { tenant, root: await this.#catalog.root(tenant, folder.id), hidden };
    } catch (error) {
      throw hasCode(error, "not_found") ? storageAway(error) : error;
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
