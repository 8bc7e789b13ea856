import { randomBytes } from "node:crypto";
import {
  type CatalogEntry,
  type CatalogVersion,
  foldName,
  type Leftover,
  type NewCatalogVersion,
  serviceStoreProblems,
} from "@quire/contracts";

/** A file or a folder in memory. */
export interface MemoryItem {
  readonly id: string;
  readonly tenant: string;
  readonly parent: MemoryItem | null;
  readonly createdAt: number;
  readonly createdBy: string | null;
  name: string;
  modifiedAt: number;
  /** The id of a folder in the storage; null for a file. */
  readonly storageId: string | null;
  /** The versions of a file, oldest first; empty for a folder. */
  readonly versions: CatalogVersion[];
  /** The entries of a folder, by folded name. */
  readonly children: Map<string, MemoryItem>;
}

/** A file or folder that waits to be removed from the storage. */
export interface MemoryLeftover extends Leftover {
  /** When the lease of the current sweep ends. */
  freeAt: number;
}

/** The trees of all tenants, and the leftovers in the storage. */
export class CatalogState {
  readonly items = new Map<string, MemoryItem>();
  readonly roots = new Map<string, MemoryItem>();
  /** The leftovers, in the order in which they were recorded. */
  readonly leftovers = new Map<string, MemoryLeftover>();
  /** The number of leftovers that were forgotten. */
  forgotten = 0;
  /** For each file or folder of the storage, the item of each tenant that refers to it. */
  readonly #places = new Map<string, Map<string, MemoryItem>>();

  /** Returns the tenant's item with this id; null if it does not exist or has another type. */
  find(tenant: string, id: string, type?: CatalogEntry["type"]): MemoryItem | null {
    const item = this.items.get(id);
    if (item === undefined || item.tenant !== tenant) return null;
    return (type ?? typeOf(item)) === typeOf(item) ? item : null;
  }

  standingFor(tenant: string, { type, storageId }: Leftover): MemoryItem | null {
    return this.#places.get(keyOf({ type, storageId }))?.get(tenant) ?? null;
  }

  /** Adds an item and its references to the storage. */
  put(item: MemoryItem): void {
    this.items.set(item.id, item);
    item.parent?.children.set(foldName(item.name), item);
    for (const place of placesOf(item)) this.stand(item, place);
  }

  stand(item: MemoryItem, place: Leftover): void {
    const standing = this.#places.get(keyOf(place)) ?? new Map<string, MemoryItem>();
    this.#places.set(keyOf(place), standing.set(item.tenant, item));
  }

  /** Removes an item. Files and folders in the storage that no item refers to any more become leftovers. */
  take(item: MemoryItem, gone?: string): void {
    this.items.delete(item.id);
    item.parent?.children.delete(foldName(item.name));
    for (const place of placesOf(item)) {
      const standing = this.#places.get(keyOf(place));
      standing?.delete(item.tenant);
      if (standing === undefined || standing.size > 0) continue;
      this.#places.delete(keyOf(place));
      if (place.type === "file" && place.storageId === gone) continue;
      this.leftovers.set(keyOf(place), { ...place, freeAt: 0 });
    }
  }

  /** Removes all items of a tenant, including its root. Records no leftovers. */
  erase(tenant: string): void {
    for (const item of [...this.items.values()])
      if (item.tenant === tenant) this.items.delete(item.id);
    this.roots.delete(tenant);
    for (const [key, standing] of this.#places) {
      if (standing.delete(tenant) && standing.size === 0) this.#places.delete(key);
    }
  }

  /** Forgets a leftover that is no longer in the storage. */
  forget(leftover: MemoryLeftover): void {
    this.leftovers.delete(keyOf(leftover));
    this.forgotten += 1;
  }

  /** Throws `conflict` if the item must not refer to this file or folder of the storage. */
  assertFree(tenant: string, place: Leftover, item?: MemoryItem): void {
    const { type, storageId } = place;
    const standing = this.standingFor(tenant, place);
    if (standing !== null && standing !== item) {
      throw serviceStoreProblems.stoodFor(type, storageId);
    }
    if (this.leftovers.has(keyOf(place))) throw serviceStoreProblems.leftOver(type, storageId);
  }
}

export function typeOf({ storageId }: MemoryItem): CatalogEntry["type"] {
  return storageId === null ? "file" : "folder";
}

/** Returns a new random id. */
export function newId(): string {
  return randomBytes(16).toString("hex");
}

export function newVersion(version: NewCatalogVersion, createdAt: number): CatalogVersion {
  const { storageId, storageVersion, size, sha1, createdBy } = version;
  return { id: newId(), storageId, storageVersion, size, sha1, createdAt, createdBy };
}

/** Converts an item to an entry of the port. */
export function entryOf(item: MemoryItem): CatalogEntry {
  const { id, tenant, parent, name, createdAt, createdBy, storageId, versions, modifiedAt } = item;
  const common = { id, tenant, parentId: parent?.id ?? null, name, createdAt, createdBy };
  const version = versions.at(-1);
  if (storageId !== null || version === undefined) {
    return { type: "folder", ...common, storageId: storageId ?? "" };
  }
  return { type: "file", ...common, version, versions: versions.length, modifiedAt };
}

/** Returns the files or the folder in the storage that an item refers to, each once. */
function placesOf({ storageId, versions }: MemoryItem): Leftover[] {
  if (storageId !== null) return [{ type: "folder", storageId }];
  const ids = new Set(versions.map((version) => version.storageId));
  return [...ids].map((id) => ({ type: "file", storageId: id }));
}

function keyOf({ type, storageId }: Leftover): string {
  return `${type} ${storageId}`;
}
