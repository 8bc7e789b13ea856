import {
  type CatalogEntry,
  type CatalogFile,
  type CatalogFolder,
  type CatalogPage,
  type CatalogVersion,
  type FileRef,
  type FolderRef,
  type Storage,
  type StoredFile,
  throwIfAborted,
} from "@quire/core/host";
import { KeptValues } from "../kept-values.ts";
import { current } from "./current.ts";
import type { FilesContext } from "./files-context.ts";
import type {
  Actor,
  ChangeOptions,
  Files,
  FilesOptions,
  ListFilesOptions,
  ReadFileOptions,
  UploadOptions,
} from "./files-types.ts";
import { makeFolder } from "./folders.ts";
import { createHomes, type Home } from "./homes.ts";
import { type Incoming, incoming } from "./incoming.ts";
import { holderOf, locate, type Sought } from "./locate.ts";
import { parseItemName } from "./names.ts";
import { createPickUps } from "./pick-ups.ts";
import { hasCode, missing, taken } from "./problems.ts";
import { addHidden, addHiddenVersion, hide } from "./put-away.ts";
import { type FileContent, readFile } from "./read-file.ts";
import { removeEntry } from "./remove.ts";
import { createSweeper } from "./sweeper.ts";
import { tenantStorage } from "./tenant-storage.ts";

const MAX_FILE_BYTES = 100 * 1024 * 1024;
/** The limits of the cache of templates, for all tenants. */
const MAX_KEPT = 1000;
const MAX_KEPT_BYTES = 32_000_000;

/** Creates files over a storage and a catalog. There is nothing to close. */
export function createFiles(options: FilesOptions): Files {
  const { storage, catalog, maxFileBytes = MAX_FILE_BYTES, now = Date.now } = options;
  const homes = createHomes(storage, catalog);
  const kept = new KeptValues<StoredFile>(MAX_KEPT, MAX_KEPT_BYTES);
  const sweeper = createSweeper(storage, catalog);
  const base = { storage, catalog, homes, sweeper, kept, quotas: options.quotas ?? null };
  return new TenantFiles({ ...base, maxFileBytes, pickUps: createPickUps(base, now) });
}

class TenantFiles implements Files {
  readonly #context: FilesContext;

  constructor(context: FilesContext) {
    this.#context = context;
  }

  storageOf(tenant: string): Storage {
    return tenantStorage(this.#context, tenant);
  }

  async resolve(tenant: string, { type, id }: FileRef | FolderRef): Promise<CatalogEntry> {
    const home = await this.#context.homes.of(tenant);
    return type === "folder" ? this.#folder(home, id) : this.#currentFile(home, id);
  }

  async createFolder(who: Actor, parentId: string, name: string): Promise<CatalogFolder> {
    const parsed = parseItemName(name);
    const home = await this.#context.homes.of(who.tenant);
    await this.#context.quotas?.admitFile(who.tenant, 0);
    const parent = await this.#folder(home, parentId);
    return makeFolder(this.#context, home, parent, parsed, who.user);
  }

  async list(tenant: string, folderId: string, options: ListFilesOptions): Promise<CatalogPage> {
    const home = await this.#context.homes.of(tenant);
    const folder = await this.#folder(home, folderId);
    if (options.marker === undefined) await this.#context.pickUps.recent(home, folder);
    const { limit, offset, marker } = options;
    return this.#context.catalog.list(tenant, folder.id, { limit, offset, marker });
  }

  upload(
    who: Actor,
    parentId: string,
    name: string,
    bytes: AsyncIterable<Uint8Array>,
    options: UploadOptions = {},
  ): Promise<CatalogFile> {
    return this.#receive(who, bytes, options, async (home, content) => {
      const parsed = parseItemName(name);
      const folder = await this.#folder(home, parentId);
      await this.#requireFree(home, folder, parsed, options.signal);
      const hidden = await hide(this.#context, home, content, withSignal(options));
      const file = { folder, name: parsed, createdBy: who.user };
      return addHidden(this.#context, home, file, hidden);
    });
  }

  uploadVersion(
    who: Actor,
    fileId: string,
    bytes: AsyncIterable<Uint8Array>,
    options: UploadOptions & ChangeOptions = {},
  ): Promise<CatalogFile> {
    const { ifStill } = options;
    return this.#receive(who, bytes, options, async (home, content) => {
      const { id } = await this.#file(home, fileId);
      const hidden = await hide(this.#context, home, content, withSignal(options));
      return addHiddenVersion(this.#context, home, { id, ifStill }, hidden, who.user);
    });
  }

  async rename(
    tenant: string,
    fileId: string,
    name: string,
    { ifStill }: ChangeOptions = {},
  ): Promise<CatalogFile> {
    const parsed = parseItemName(name);
    const home = await this.#context.homes.of(tenant);
    const file = await this.#file(home, fileId);
    const folder = await this.#folder(home, file.parentId ?? "");
    await this.#requireFree(home, folder, parsed, undefined, file.id);
    try {
      const renamed = await this.#context.catalog.rename(tenant, file.id, parsed, { ifStill });
      if (renamed.type === "file") return renamed;
    } catch (error) {
      throw hasCode(error, "conflict") ? taken(parsed, error) : error;
    }
    throw missing("file", fileId);
  }

  async remove(
    tenant: string,
    id: string,
    options: ChangeOptions & { readonly recursive?: boolean } = {},
  ): Promise<void> {
    const home = await this.#context.homes.of(tenant);
    const entry = await this.#entry(home, id, "any");
    await removeEntry(this.#context, home, entry, options);
  }

  async read(tenant: string, fileId: string, options: ReadFileOptions = {}): Promise<FileContent> {
    throwIfAborted(options.signal);
    const home = await this.#context.homes.of(tenant);
    const file = await this.#file(home, fileId);
    const { version } = options;
    const wanted = version === undefined ? {} : { version };
    return readFile(this.#context, home, file, { ...wanted, ...withSignal(options) });
  }

  async versions(tenant: string, fileId: string): Promise<readonly CatalogVersion[]> {
    const home = await this.#context.homes.of(tenant);
    const { id } = await this.#currentFile(home, fileId);
    return this.#context.catalog.versions(tenant, id);
  }

  async version(tenant: string, fileId: string, versionId: string): Promise<CatalogVersion | null> {
    const versions = await this.versions(tenant, fileId);
    return versions.find(({ id }) => id === versionId) ?? null;
  }

  sweep(): Promise<void> {
    return this.#context.sweeper.sweep();
  }

  async #receive(
    { tenant }: Actor,
    bytes: AsyncIterable<Uint8Array>,
    { sha1, signal }: UploadOptions,
    body: (home: Home, content: Incoming) => Promise<CatalogFile>,
  ): Promise<CatalogFile> {
    const content = incoming(bytes, { maxBytes: this.#context.maxFileBytes, sha1, signal });
    try {
      throwIfAborted(signal);
      await this.#context.quotas?.admitFile(tenant, 0);
      return await body(await this.#context.homes.of(tenant), content);
    } finally {
      await content.close();
    }
  }

  async #requireFree(
    home: Home,
    folder: CatalogFolder,
    name: string,
    signal?: AbortSignal,
    except?: string,
  ): Promise<void> {
    const holder = await holderOf(this.#context, home, folder, name, signal);
    if (holder !== null && holder.id !== except) throw taken(name);
  }

  async #entry(home: Home, id: string, sought: Sought): Promise<CatalogEntry> {
    const entry = await locate(this.#context, home, id, sought);
    if (entry === null) throw missing(sought === "any" ? "file or folder" : sought, id);
    return entry;
  }

  async #folder(home: Home, id: string): Promise<CatalogFolder> {
    const entry = await this.#entry(home, id, "folder");
    if (entry.type === "folder") return entry;
    throw missing("folder", id);
  }

  async #file(home: Home, id: string): Promise<CatalogFile> {
    const entry = await this.#entry(home, id, "file");
    if (entry.type === "file") return entry;
    throw missing("file", id);
  }

  async #currentFile(home: Home, id: string): Promise<CatalogFile> {
    const file = await current(this.#context, home, await this.#file(home, id), undefined);
    if (file === null) throw missing("file", id);
    return file;
  }
}

function withSignal({ signal }: { readonly signal?: AbortSignal | undefined }): {
  readonly signal?: AbortSignal;
} {
  return signal === undefined ? {} : { signal };
}
