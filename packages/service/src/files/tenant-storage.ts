import { setImmediate as nextTurn } from "node:timers/promises";
import {
  type CatalogEntry,
  type CatalogFile,
  type CatalogFolder,
  type FileInfo,
  type FileRef,
  type FolderPage,
  type FolderRef,
  type ListOptions,
  QuireError,
  type ReadOptions,
  type Storage,
  type StorageOptions,
  type StoredFile,
  throwIfAborted,
} from "@quire/core/host";
import { type Bytes, byteSource } from "./byte-source.ts";
import { createDocument } from "./create-document.ts";
import { nameTaken, notFound } from "./file-errors.ts";
import type { FilesContext } from "./files-context.ts";
import { makeFolder } from "./folders.ts";
import { parseId, parseItemName, parsePath } from "./item-names.ts";
import { byPath, holderOf, knownHolderOf, locate, type Sought } from "./locate.ts";
import { readFile } from "./read-file.ts";
import { reconcileFile } from "./reconcile.ts";
import { removeEntry } from "./remove.ts";
import type { TenantRoot } from "./tenant-roots.ts";

/** Returns the files of one tenant as a storage; see `Files.storageOf`. */
export function tenantStorage(context: FilesContext, tenant: string): Storage {
  return new TenantStorage(context, tenant);
}

const DEFAULT_LIMIT = 1000;
/** The maximum number of entries per page. */
const MAX_LISTED = 1000;

class TenantStorage implements Storage {
  readonly #context: FilesContext;
  readonly #tenant: string;

  constructor(context: FilesContext, tenant: string) {
    this.#context = context;
    this.#tenant = tenant;
  }

  async read(file: FileRef, options: ReadOptions = {}): Promise<StoredFile> {
    const root = await this.#enter(options);
    const entry = await this.#file(root, file, options);
    if (entry === null) throw notFound("file", file.id);
    const {
      file: now,
      version,
      bytes,
      sha256,
    } = await readFile(this.#context, root, entry, options);
    return { ...infoOf(now), version: version.id, size: version.size, sha256, bytes };
  }

  async create(
    folder: FolderRef,
    name: string,
    bytes: Bytes,
    options: StorageOptions = {},
  ): Promise<FileInfo> {
    const content = byteSource(bytes, options);
    try {
      const root = await this.#enter(options);
      const parent = await this.#requireFolder(root, folder);
      const file = { folder: parent, name: parseItemName(name), createdBy: null };
      const size = "byteLength" in bytes ? bytes.byteLength : 0;
      await this.#context.quotas?.admitFile(this.#tenant, size);
      return infoOf(await createDocument(this.#context, root, file, content, options));
    } finally {
      await content.close();
    }
  }

  async stat(file: FileRef, options: StorageOptions = {}): Promise<FileInfo | null> {
    const root = await this.#enter(options);
    const entry = await this.#file(root, file, options);
    const now = entry && (await reconcileFile(this.#context, root, entry, options.signal));
    return now && infoOf(now);
  }

  async find(
    folder: FolderRef,
    name: string,
    options: StorageOptions = {},
  ): Promise<FileInfo | null> {
    const root = await this.#enter(options);
    const parsed = parseItemName(name);
    const parent = await this.#folder(root, folder);
    if (parent === null) return null;
    const found = await holderOf(this.#context, root, parent, parsed, options.signal);
    return found?.type === "file" ? infoOf(found) : null;
  }

  async list(folder: FolderRef, options: ListOptions = {}): Promise<FolderPage> {
    const root = await this.#enter(options);
    const parent = await this.#requireFolder(root, folder);
    const { limit = DEFAULT_LIMIT, marker } = options;
    if (!Number.isInteger(limit) || limit < 1) throw invalidLimit(folder.id);
    // This does not look for items that other programs have added, because an engine lists the folder for every batch.
    // `create` finds them.
    const query = { limit: Math.min(limit, MAX_LISTED), marker };
    const page = await this.#context.catalog.list(this.#tenant, parent.id, query);
    // Other requests run between the pages of a large folder.
    if (page.nextMarker !== null) await nextTurn();
    const entries = page.items.map(({ type, id, name }) => ({ ref: { type, id }, name }));
    return { entries, nextMarker: page.nextMarker };
  }

  async isTaken(folder: FolderRef, name: string, options: StorageOptions = {}): Promise<boolean> {
    const root = await this.#enter(options);
    const file = { folder: await this.#requireFolder(root, folder), name: parseItemName(name) };
    return (await knownHolderOf(this.#context, root, file, options.signal)) !== null;
  }

  async remove(file: FileRef, options: StorageOptions = {}): Promise<void> {
    const root = await this.#enter(options);
    const entry = await this.#find(root, file.id, "file");
    if (entry !== null) await removeEntry(this.#context, root, entry);
  }

  async createFolder(
    folder: FolderRef,
    name: string,
    options: StorageOptions = {},
  ): Promise<FolderRef> {
    const root = await this.#enter(options);
    const parent = await this.#requireFolder(root, folder);
    const parsed = parseItemName(name);
    const key = { parentId: parent.id, name: parsed };
    const known = await this.#context.catalog.find(this.#tenant, key);
    if (known !== null) return folderRef(known, parsed);
    try {
      return folderRef(
        await makeFolder(this.#context, root, parent, parsed, null, options),
        parsed,
      );
    } catch (error) {
      const made = await this.#context.catalog.find(this.#tenant, key);
      if (made?.type !== "folder") throw error;
      return folderRef(made, parsed);
    }
  }

  async removeFolder(folder: FolderRef, options: StorageOptions = {}): Promise<void> {
    const root = await this.#enter(options);
    const entry = await this.#folder(root, folder);
    if (entry !== null) await removeEntry(this.#context, root, entry);
  }

  async #enter({ signal }: StorageOptions): Promise<TenantRoot> {
    throwIfAborted(signal);
    return this.#context.tenantRoots.of(this.#tenant);
  }

  async #requireFolder(root: TenantRoot, { id }: FolderRef): Promise<CatalogFolder> {
    const folder = await this.#folder(root, { type: "folder", id });
    if (folder === null) throw notFound("folder", id);
    return folder;
  }

  async #folder(root: TenantRoot, { id }: FolderRef): Promise<CatalogFolder | null> {
    const entry = await this.#find(root, id, "folder");
    return entry?.type === "folder" ? entry : null;
  }

  /** Returns the file with this id. Also accepts a plain path, because includes in templates are plain paths. */
  async #file(
    root: TenantRoot,
    { id }: FileRef,
    { signal }: StorageOptions,
  ): Promise<CatalogFile | null> {
    const entry = await this.#find(root, id, "file");
    if (entry !== null) return entry.type === "file" ? entry : null;
    if (parseId(id).by === "path" || id === "0") return null;
    const found = await byPath(this.#context, root, parsePath(id), "file", signal);
    return found?.type === "file" ? found : null;
  }

  async #find(root: TenantRoot, id: string, sought: Sought): Promise<CatalogEntry | null> {
    // An invalid path, or one that leaves the root, is forbidden. Any other string is an unknown id.
    if (parseId(id).by === "none") parsePath(id === "" ? "/" : id);
    return locate(this.#context, root, id, sought);
  }
}

function infoOf({ id, name, version }: CatalogFile): FileInfo {
  return { ref: { type: "file", id }, version: version.id, name, size: version.size };
}

function folderRef(entry: CatalogEntry, name: string): FolderRef {
  if (entry.type === "folder") return { type: "folder", id: entry.id };
  throw nameTaken(name);
}

function invalidLimit(id: string): QuireError {
  return new QuireError(
    "invalid_request",
    `The folder ${JSON.stringify(id)} cannot be listed: the limit must be an integer of at least 1. ` +
      "Pass a valid limit, or omit it to use 1000.",
  );
}
