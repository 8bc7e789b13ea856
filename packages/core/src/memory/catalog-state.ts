import { randomBytes } from "node:crypto";
import { foldName } from "../batch/output-names.ts";
import { serviceStoreProblems } from "../batch/service-store-problems.ts";
import type {
  CatalogEntry,
  CatalogVersion,
  Leftover,
  NewCatalogVersion,
} from "../ports/file-catalog.ts";

/** A file or a folder as the memory keeps it. */
export interface MemoryItem {
  readonly id: string;
  readonly tenant: string;
  readonly parent: MemoryItem | null;
  readonly createdAt: number;
  readonly createdBy: string | null;
  name: string;
  modifiedAt: number;
  /** Of a folder; null for a file. */
  readonly storageId: string | null;
  /** Of a file, the newest last; empty for a folder. */
  readonly versions: CatalogVersion[];
  /** What stands in a folder, by the folded name. */
  readonly children: Map<string, MemoryItem>;
}

/** What waits to be removed from the storage. */
export interface MemoryLeftover extends Leftover {
  /** Whoever has it in hand has it until then. */
  freeAt: number;
}

/** The trees of all tenants, and what has become of no use in the storage. */
export class CatalogState {
  readonly items = new Map<string, MemoryItem>();
  readonly roots = new Map<string, MemoryItem>();
  /** In the order in which they came. */
  readonly leftovers = new Map<string, MemoryLeftover>();
  /** How many of them were forgotten. */
  forgotten = 0;
  /** What stands for a file or folder of the storage, of each tenant. */
  readonly #places = new Map<string, Map<string, MemoryItem>>();

  /** What a tenant has under an id, if it is of that type. */
  find(tenant: string, id: string, type?: CatalogEntry["type"]): MemoryItem | null {
    const item = this.items.get(id);
    if (item === undefined || item.tenant !== tenant) return null;
    return (type ?? typeOf(item)) === typeOf(item) ? item : null;
  }

  standingFor(tenant: string, { type, storageId }: Leftover): MemoryItem | null {
    return this.#places.get(keyOf({ type, storageId }))?.get(tenant) ?? null;
  }

  /** Puts an item in its place, for what it stands for in the storage. */
  put(item: MemoryItem): void {
    this.items.set(item.id, item);
    item.parent?.children.set(foldName(item.name), item);
    for (const place of placesOf(item)) this.stand(item, place);
  }

  stand(item: MemoryItem, place: Leftover): void {
    const standing = this.#places.get(keyOf(place)) ?? new Map<string, MemoryItem>();
    this.#places.set(keyOf(place), standing.set(item.tenant, item));
  }

  /** Takes an item away; what nothing stands for any more is left over. */
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

  /** Removes all items of a tenant, with its root, without leftovers. */
  erase(tenant: string): void {
    for (const item of [...this.items.values()])
      if (item.tenant === tenant) this.items.delete(item.id);
    this.roots.delete(tenant);
    for (const [key, standing] of this.#places) {
      if (standing.delete(tenant) && standing.size === 0) this.#places.delete(key);
    }
  }

  /** What was left over is not in the storage any more. */
  forget(leftover: MemoryLeftover): void {
    this.leftovers.delete(keyOf(leftover));
    this.forgotten += 1;
  }

  /** Throws `conflict` when the item is not to stand for it. */
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

/** The id of something new. */
export function newId(): string {
  return randomBytes(16).toString("hex");
}

export function newVersion(version: NewCatalogVersion, createdAt: number): CatalogVersion {
  const { storageId, storageVersion, size, sha1, createdBy } = version;
  return { id: newId(), storageId, storageVersion, size, sha1, createdAt, createdBy };
}

/** What is told of an item. */
export function entryOf(item: MemoryItem): CatalogEntry {
  const { id, tenant, parent, name, createdAt, createdBy, storageId, versions, modifiedAt } = item;
  const common = { id, tenant, parentId: parent?.id ?? null, name, createdAt, createdBy };
  const version = versions.at(-1);
  if (storageId !== null || version === undefined) {
    return { type: "folder", ...common, storageId: storageId ?? "" };
  }
  return { type: "file", ...common, version, versions: versions.length, modifiedAt };
}

/** What an item stands for in the storage, each once. */
function placesOf({ storageId, versions }: MemoryItem): Leftover[] {
  if (storageId !== null) return [{ type: "folder", storageId }];
  const ids = new Set(versions.map((version) => version.storageId));
  return [...ids].map((id) => ({ type: "file", storageId: id }));
}

function keyOf({ type, storageId }: Leftover): string {
  return `${type} ${storageId}`;
}
