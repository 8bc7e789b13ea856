import {
  assertLimit,
  type CatalogChangeOptions,
  type CatalogEntry,
  type CatalogFile,
  type CatalogFolder,
  type CatalogKey,
  type CatalogPage,
  type CatalogQuery,
  type CatalogRemoveOptions,
  type CatalogUse,
  type CatalogVersion,
  type FileCatalog,
  foldName,
  type Leftover,
  type NewCatalogEntry,
  type NewCatalogVersion,
  parseMarker,
  serviceStoreProblems,
  toMarker,
} from "@quire/contracts";
import {
  CatalogState,
  entryOf,
  type MemoryItem,
  type MemoryLeftover,
  newId,
  newVersion,
  typeOf,
} from "./catalog-state.ts";
import { maxUseOf } from "./max-use.ts";

/** Options of {@link memoryFileCatalog}. */
export interface MemoryFileCatalogOptions {
  /** The wall clock, in milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
}

/**
 * Creates a file catalog in memory: the reference implementation of the port, for tests and trials. Each call of `list`
 * sorts the whole folder. It does not have to be closed.
 */
export function memoryFileCatalog(options: MemoryFileCatalogOptions = {}): FileCatalog {
  return new MemoryFileCatalog(options.now ?? Date.now);
}

const NONE: CatalogUse = { files: 0, bytes: 0 };

/** How long a sweep has exclusive access to a leftover. */
const HAND_MS = 600_000;

class MemoryFileCatalog implements FileCatalog {
  readonly #state = new CatalogState();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  async root(tenant: string, storageId: string): Promise<CatalogFolder> {
    const known = this.#state.roots.get(tenant);
    if (known !== undefined) return entryOf(known) as CatalogFolder;
    this.#state.assertFree(tenant, { type: "folder", storageId });
    const root = this.#newItem(tenant, null, { name: "", createdBy: null }, storageId, []);
    this.#state.roots.set(tenant, root);
    return entryOf(root) as CatalogFolder;
  }

  async find(tenant: string, key: CatalogKey): Promise<CatalogEntry | null> {
    const item = this.#find(tenant, key);
    return item === null ? null : entryOf(item);
  }

  #find(tenant: string, key: CatalogKey): MemoryItem | null {
    if ("id" in key) return this.#state.find(tenant, key.id);
    if ("storageId" in key) return this.#state.standingFor(tenant, key);
    const folder = this.#state.find(tenant, key.parentId, "folder");
    return folder?.children.get(foldName(key.name)) ?? null;
  }

  async list(tenant: string, folderId: string, query: CatalogQuery): Promise<CatalogPage> {
    const { limit, offset = 0, marker } = query;
    assertLimit(limit);
    const isOffset = Number.isSafeInteger(offset) && offset >= 0;
    if (!isOffset || (query.offset !== undefined && marker !== undefined)) {
      throw serviceStoreProblems.badOffset();
    }
    const folder = this.#folder(tenant, folderId);
    const [type, folded] = parseMarker(folderId, marker, ["number", "string"]);
    const last = type === undefined ? null : ([Number(type), String(folded)] as const);
    const places = [...folder.children].map(([name, item]) => ({
      item,
      place: [typeOf(item) === "folder" ? 0 : 1, name] as const,
    }));
    places.sort((a, b) => comparePlaces(a.place, b.place));
    const rest = places
      .filter(({ place }) => last === null || comparePlaces(place, last) > 0)
      .slice(offset);
    const page = rest.slice(0, limit);
    const end = rest.length > limit ? page.at(-1) : undefined;
    return {
      items: page.map(({ item }) => entryOf(item)),
      total: places.length,
      nextMarker: end === undefined ? null : toMarker(folderId, end.place),
    };
  }

  async add(tenant: string, entry: NewCatalogEntry): Promise<CatalogEntry> {
    const parent = this.#folder(tenant, entry.parentId);
    if (parent.children.has(foldName(entry.name))) throw serviceStoreProblems.nameTaken(entry.name);
    const { storageId } = entry.type === "folder" ? entry : entry.version;
    this.#state.assertFree(tenant, { type: entry.type, storageId });
    const versions = entry.type === "folder" ? [] : [newVersion(entry.version, this.#now())];
    const folderId = entry.type === "folder" ? storageId : null;
    return entryOf(this.#newItem(tenant, parent, entry, folderId, versions));
  }

  #newItem(
    tenant: string,
    parent: MemoryItem | null,
    { name, createdBy }: Pick<NewCatalogEntry, "name" | "createdBy">,
    storageId: string | null,
    versions: CatalogVersion[],
  ): MemoryItem {
    const createdAt = versions[0]?.createdAt ?? this.#now();
    const item: MemoryItem = {
      id: newId(),
      tenant,
      parent,
      createdAt,
      createdBy,
      name,
      modifiedAt: createdAt,
      storageId,
      versions,
      children: new Map(),
    };
    this.#state.put(item);
    return item;
  }

  async addVersion(
    tenant: string,
    fileId: string,
    version: NewCatalogVersion,
    options: CatalogChangeOptions = {},
  ): Promise<CatalogFile> {
    const file = this.#file(tenant, fileId);
    assertStill(file, options);
    const place = { type: "file", storageId: version.storageId } as const;
    this.#state.assertFree(tenant, place, file);
    const added = newVersion(version, this.#now());
    file.versions.push(added);
    file.modifiedAt = added.createdAt;
    this.#state.stand(file, place);
    return entryOf(file) as CatalogFile;
  }

  async versions(
    tenant: string,
    fileId: string,
    versionId?: string,
  ): Promise<readonly CatalogVersion[]> {
    const { versions } = this.#file(tenant, fileId);
    return versions.filter(({ id }) => (versionId ?? id) === id).reverse();
  }

  async rename(
    tenant: string,
    id: string,
    name: string,
    options: CatalogChangeOptions = {},
  ): Promise<CatalogEntry> {
    const item = this.#state.find(tenant, id);
    if (item === null) throw serviceStoreProblems.noEntry(id);
    if (item.parent === null) throw serviceStoreProblems.isRoot();
    assertStill(item, options);
    const { children } = item.parent;
    const other = children.get(foldName(name)) ?? item;
    if (other !== item) throw serviceStoreProblems.nameTaken(name);
    children.delete(foldName(item.name));
    item.name = name;
    item.modifiedAt = Math.max(this.#now(), item.modifiedAt + 1);
    children.set(foldName(name), item);
    return entryOf(item);
  }

  async remove(tenant: string, id: string, options: CatalogRemoveOptions = {}): Promise<void> {
    const { gone } = options;
    const item = this.#state.find(tenant, id);
    if (item === null) return;
    assertStill(item, options);
    if (gone !== undefined && item.versions.at(-1)?.storageId !== gone) return;
    if (item.parent === null) throw serviceStoreProblems.isRoot();
    if (item.children.size > 0) throw serviceStoreProblems.notEmpty(item.name);
    this.#state.take(item, gone);
  }

  async sweep(discard: (leftover: Leftover) => Promise<void>): Promise<void> {
    const tried = new Set<MemoryLeftover>();
    for (let next = this.#next(tried); next !== undefined; next = this.#next(tried)) {
      tried.add(next);
      const freeAt = this.#now() + HAND_MS;
      next.freeAt = freeAt;
      let isDone = true;
      try {
        await discard({ type: next.type, storageId: next.storageId });
      } catch {
        isDone = false;
      }
      // Another sweep may have leased the leftover by now.
      if (next.freeAt !== freeAt) continue;
      if (isDone) this.#state.forget(next);
      else next.freeAt = 0;
    }
  }

  async eraseTenant(tenant: string): Promise<number> {
    const { files } = await this.use(tenant);
    this.#state.erase(tenant);
    return files;
  }

  async use(tenant?: string): Promise<CatalogUse> {
    const uses = new Map<string, CatalogUse>();
    for (const item of this.#state.items.values()) {
      const { files, bytes } = uses.get(item.tenant) ?? NONE;
      const folder = typeOf(item) === "folder" && item.parent !== null ? 1 : 0;
      const size = item.versions.reduce((sum, version) => sum + version.size, 0);
      uses.set(item.tenant, { files: files + folder + item.versions.length, bytes: bytes + size });
    }
    return tenant === undefined ? maxUseOf(NONE, uses.values()) : (uses.get(tenant) ?? NONE);
  }

  async discarded(): Promise<number> {
    return this.#state.forgotten;
  }

  /**
   * Returns the next leftover to discard: a folder only if no leftover is leased, because a leased one may be in it.
   */
  #next(tried: ReadonlySet<MemoryLeftover>): MemoryLeftover | undefined {
    const now = this.#now();
    const leftovers = [...this.#state.leftovers.values()];
    const free = leftovers.filter((each) => each.freeAt <= now && !tried.has(each));
    const file = free.find(({ type }) => type === "file");
    if (file !== undefined || leftovers.some(({ freeAt }) => freeAt > now)) return file;
    return free[0];
  }

  #folder(tenant: string, id: string): MemoryItem {
    const folder = this.#state.find(tenant, id, "folder");
    if (folder === null) throw serviceStoreProblems.noFolder(id);
    return folder;
  }

  #file(tenant: string, id: string): MemoryItem {
    const file = this.#state.find(tenant, id, "file");
    if (file === null) throw serviceStoreProblems.noFile(id);
    return file;
  }
}

function assertStill(
  { id, versions, modifiedAt }: MemoryItem,
  { ifStill }: CatalogChangeOptions,
): void {
  if (ifStill === undefined) return;
  const isSame = versions.length === ifStill.versions && modifiedAt === ifStill.modifiedAt;
  if (!isSame) throw serviceStoreProblems.changed(id);
}

/**
 * Compares entries: folders first, then by the code points of the folded name. (JavaScript compares strings by code
 * units, whose order differs beyond U+D7FF.)
 */
function comparePlaces(a: readonly [number, string], b: readonly [number, string]): number {
  return a[0] - b[0] || Buffer.compare(Buffer.from(a[1]), Buffer.from(b[1]));
}
