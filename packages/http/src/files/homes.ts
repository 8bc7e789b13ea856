import type { CatalogFolder, FileCatalog, FolderRef, Storage } from "@quire/core/host";
import { HIDDEN_FOLDER, STORAGE_ROOT, TENANTS_FOLDER, tenantFolder } from "./names.ts";
import { hasCode, storageAway } from "./problems.ts";

/** Where a tenant's files are. */
export interface Home {
  readonly tenant: string;
  readonly root: CatalogFolder;
  /** Has the uploaded bytes, as files of random names that never change. */
  readonly hidden: FolderRef;
}

/** The tenants' folders in the storage. */
export interface Homes {
  /** Makes the tenant's folders when it is asked for first. Rejects `storage_failed` when that is not possible. */
  of(tenant: string): Promise<Home>;

  /**
   * Whether the storage is the one that the tenant's files were put into. A medium that is not mounted, or another
   * bucket, looks like one from which everything was removed.
   */
  isSame(home: Home): Promise<boolean>;

  /** Makes the tenant's folders anew with the next {@link of}. */
  forget(tenant: string): void;
}

const MAX_HOMES = 10_000;
/** Stands in the hidden folder since the tenant's beginning. */
export const MARKER = "README.txt";
const MARKER_BYTES = new TextEncoder().encode(
  "The document service keeps uploaded files here, and knows by this file that it has the right folder.\n" +
    "Change or remove nothing in this folder.\n",
);

/** The tenants' folders over a storage and a catalog, which remember those that they have made. */
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

  /** False when the tenant has been erased since. */
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
      // Not put back where it is missing: then this is not the folder that it was.
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
