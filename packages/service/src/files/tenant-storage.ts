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
import { createDocument } from "./create-document.ts";
import { current } from "./current.ts";
import type { FilesContext } from "./files-context.ts";
import { makeFolder } from "./folders.ts";
import type { Home } from "./homes.ts";
import { type Bytes, incoming } from "./incoming.ts";
import { byPath, holderOf, knownHolderOf, locate, type Sought } from "./locate.ts";
import { parseId, parseItemName, parsePath } from "./names.ts";
import { missing, taken } from "./problems.ts";
import { readFile } from "./read-file.ts";
import { removeEntry } from "./remove.ts";

/** The files of one tenant as a storage; see `Files.storageOf`. */
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
    const home = await this.#enter(options);
    const entry = await this.#file(home, file, options);
    if (entry === null) throw missing("file", file.id);
    const {
      file: now,
      version,
      bytes,
      sha256,
    } = await readFile(this.#context, home, entry, options);
    return { ...infoOf(now), version: version.id, size: version.size, sha256, bytes };
  }

  async create(
    folder: FolderRef,
    name: string,
    bytes: Bytes,
    options: StorageOptions = {},
  ): Promise<FileInfo> {
    const content = incoming(bytes, options);
    try {
      const home = await this.#enter(options);
      const parent = await this.#requireFolder(home, folder);
      const file = { folder: parent, name: parseItemName(name), createdBy: null };
      const size = "byteLength" in bytes ? bytes.byteLength : 0;
      await this.#context.quotas?.admitFile(this.#tenant, size);
      return infoOf(await createDocument(this.#context, home, file, content, options));
    } finally {
      await content.close();
    }
  }

  async stat(file: FileRef, options: StorageOptions = {}): Promise<FileInfo | null> {
    const home = await this.#enter(options);
    const entry = await this.#file(home, file, options);
    const now = entry && (await current(this.#context, home, entry, options.signal));
    return now && infoOf(now);
  }

  async find(
    folder: FolderRef,
    name: string,
    options: StorageOptions = {},
  ): Promise<FileInfo | null> {
    const home = await this.#enter(options);
    const parsed = parseItemName(name);
    const parent = await this.#folder(home, folder);
    if (parent === null) return null;
    const found = await holderOf(this.#context, home, parent, parsed, options.signal);
    return found?.type === "file" ? infoOf(found) : null;
  }

  async list(folder: FolderRef, options: ListOptions = {}): Promise<FolderPage> {
    const home = await this.#enter(options);
    const parent = await this.#requireFolder(home, folder);
    const { limit = DEFAULT_LIMIT, marker } = options;
    if (!Number.isInteger(limit) || limit < 1) throw noLimit(folder.id);
    // Does not look for items that others have added, since an engine lists for every batch. `create` finds them.
    const query = { limit: Math.min(limit, MAX_LISTED), marker };
    const page = await this.#context.catalog.list(this.#tenant, parent.id, query);
    // Lets other requests run between the pages of a large folder.
    if (page.nextMarker !== null) await nextTurn();
    const entries = page.items.map(({ type, id, name }) => ({ ref: { type, id }, name }));
    return { entries, nextMarker: page.nextMarker };
  }

  async isTaken(folder: FolderRef, name: string, options: StorageOptions = {}): Promise<boolean> {
    const home = await this.#enter(options);
    const file = { folder: await this.#requireFolder(home, folder), name: parseItemName(name) };
    return (await knownHolderOf(this.#context, home, file, options.signal)) !== null;
  }

  async remove(file: FileRef, options: StorageOptions = {}): Promise<void> {
    const home = await this.#enter(options);
    const entry = await this.#find(home, file.id, "file");
    if (entry !== null) await removeEntry(this.#context, home, entry);
  }

  async createFolder(
    folder: FolderRef,
    name: string,
    options: StorageOptions = {},
  ): Promise<FolderRef> {
    const home = await this.#enter(options);
    const parent = await this.#requireFolder(home, folder);
    const parsed = parseItemName(name);
    const key = { parentId: parent.id, name: parsed };
    const known = await this.#context.catalog.find(this.#tenant, key);
    if (known !== null) return folderRef(known, parsed);
    try {
      return folderRef(
        await makeFolder(this.#context, home, parent, parsed, null, options),
        parsed,
      );
    } catch (error) {
      const made = await this.#context.catalog.find(this.#tenant, key);
      if (made?.type !== "folder") throw error;
      return folderRef(made, parsed);
    }
  }

  async removeFolder(folder: FolderRef, options: StorageOptions = {}): Promise<void> {
    const home = await this.#enter(options);
    const entry = await this.#folder(home, folder);
    if (entry !== null) await removeEntry(this.#context, home, entry);
  }

  async #enter({ signal }: StorageOptions): Promise<Home> {
    throwIfAborted(signal);
    return this.#context.homes.of(this.#tenant);
  }

  async #requireFolder(home: Home, { id }: FolderRef): Promise<CatalogFolder> {
    const folder = await this.#folder(home, { type: "folder", id });
    if (folder === null) throw missing("folder", id);
    return folder;
  }

  async #folder(home: Home, { id }: FolderRef): Promise<CatalogFolder | null> {
    const entry = await this.#find(home, id, "folder");
    return entry?.type === "folder" ? entry : null;
  }

  /** Also accepts a plain path, since templates name their includes that way. */
  async #file(
    home: Home,
    { id }: FileRef,
    { signal }: StorageOptions,
  ): Promise<CatalogFile | null> {
    const entry = await this.#find(home, id, "file");
    if (entry !== null) return entry.type === "file" ? entry : null;
    if (parseId(id).by === "path" || id === "0") return null;
    const found = await byPath(this.#context, home, parsePath(id), "file", signal);
    return found?.type === "file" ? found : null;
  }

  async #find(home: Home, id: string, sought: Sought): Promise<CatalogEntry | null> {
    // A path that leaves the root, or an invalid path, is forbidden. Any other text is an unknown id.
    if (parseId(id).by === "none") parsePath(id === "" ? "/" : id);
    return locate(this.#context, home, id, sought);
  }
}

function infoOf({ id, name, version }: CatalogFile): FileInfo {
  return { ref: { type: "file", id }, version: version.id, name, size: version.size };
}

function folderRef(entry: CatalogEntry, name: string): FolderRef {
  if (entry.type === "folder") return { type: "folder", id: entry.id };
  throw taken(name);
}

function noLimit(id: string): QuireError {
  return new QuireError(
    "invalid_request",
    `The folder ${JSON.stringify(id)} cannot be listed: the limit must be an integer of at least 1. ` +
      "Pass such a limit, or omit it for 1000.",
  );
}
