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
import { LRUCache } from "lru-cache";
import { createAdoptions } from "./adoptions.ts";
import { type ByteSource, byteSource } from "./byte-source.ts";
import { hasCode, nameTaken, notFound } from "./file-errors.ts";
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
import { parseItemName } from "./item-names.ts";
import { holderOf, locate, type Sought } from "./locate.ts";
import { type FileContent, readFile } from "./read-file.ts";
import { reconcileFile } from "./reconcile.ts";
import { removeEntry } from "./remove.ts";
import { addHidden, addHiddenVersion, writeHidden } from "./store-upload.ts";
import { createSweeper } from "./sweeper.ts";
import { createTenantRoots, type TenantRoot } from "./tenant-roots.ts";
import { tenantStorage } from "./tenant-storage.ts";

const MAX_FILE_BYTES = 100 * 1024 * 1024;
/** The maximum number of files and bytes in the cache of templates, for all tenants together. */
const MAX_CACHED = 1000;
const MAX_CACHED_BYTES = 32_000_000;

/** Creates the {@link Files} of a storage and a catalog. They do not need to be closed. */
export function createFiles(options: FilesOptions): Files {
  const { storage, catalog, maxFileBytes = MAX_FILE_BYTES, now = Date.now } = options;
  const tenantRoots = createTenantRoots(storage, catalog);
  const cache = new LRUCache<string, StoredFile>({
    max: MAX_CACHED,
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: ({ bytes }) => Math.max(1, bytes.length),
  });
  const sweeper = createSweeper(storage, catalog);
  const base = { storage, catalog, tenantRoots, sweeper, cache, quotas: options.quotas ?? null };
  return new TenantFiles({ ...base, maxFileBytes, adoptions: createAdoptions(base, now) });
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
    const root = await this.#context.tenantRoots.of(tenant);
    return type === "folder" ? this.#folder(root, id) : this.#reconciledFile(root, id);
  }

  async createFolder(who: Actor, parentId: string, name: string): Promise<CatalogFolder> {
    const parsed = parseItemName(name);
    const root = await this.#context.tenantRoots.of(who.tenant);
    await this.#context.quotas?.admitFile(who.tenant, 0);
    const parent = await this.#folder(root, parentId);
    return makeFolder(this.#context, root, parent, parsed, who.user);
  }

  async list(tenant: string, folderId: string, options: ListFilesOptions): Promise<CatalogPage> {
    const root = await this.#context.tenantRoots.of(tenant);
    const folder = await this.#folder(root, folderId);
    const { limit, offset, marker } = options;
    // Reading the whole folder of the storage for each page would make a listing quadratic.
    const isFirstPage = marker === undefined && (offset ?? 0) === 0;
    if (isFirstPage) await this.#context.adoptions.recent(root, folder);
    return this.#context.catalog.list(tenant, folder.id, { limit, offset, marker });
  }

  upload(
    who: Actor,
    parentId: string,
    name: string,
    bytes: AsyncIterable<Uint8Array>,
    options: UploadOptions = {},
  ): Promise<CatalogFile> {
    return this.#receive(who, bytes, options, async (root, content) => {
      const parsed = parseItemName(name);
      const folder = await this.#folder(root, parentId);
      await this.#requireFree(root, folder, parsed, options.signal);
      const hidden = await writeHidden(this.#context, root, content, withSignal(options));
      const file = { folder, name: parsed, createdBy: who.user };
      return addHidden(this.#context, root, file, hidden);
    });
  }

  uploadVersion(
    who: Actor,
    fileId: string,
    bytes: AsyncIterable<Uint8Array>,
    options: UploadOptions & ChangeOptions = {},
  ): Promise<CatalogFile> {
    const { ifStill } = options;
    return this.#receive(who, bytes, options, async (root, content) => {
      const { id } = await this.#file(root, fileId);
      const hidden = await writeHidden(this.#context, root, content, withSignal(options));
      return addHiddenVersion(this.#context, root, { id, ifStill }, hidden, who.user);
    });
  }

  async rename(
    tenant: string,
    fileId: string,
    name: string,
    { ifStill }: ChangeOptions = {},
  ): Promise<CatalogFile> {
    const parsed = parseItemName(name);
    const root = await this.#context.tenantRoots.of(tenant);
    const file = await this.#file(root, fileId);
    const folder = await this.#folder(root, file.parentId ?? "");
    await this.#requireFree(root, folder, parsed, undefined, file.id);
    try {
      const renamed = await this.#context.catalog.rename(tenant, file.id, parsed, { ifStill });
      if (renamed.type === "file") return renamed;
    } catch (error) {
      throw hasCode(error, "conflict") ? nameTaken(parsed, error) : error;
    }
    throw notFound("file", fileId);
  }

  async remove(
    tenant: string,
    id: string,
    options: ChangeOptions & { readonly recursive?: boolean } = {},
  ): Promise<void> {
    const root = await this.#context.tenantRoots.of(tenant);
    const entry = await this.#entry(root, id, "any");
    await removeEntry(this.#context, root, entry, options);
  }

  async read(tenant: string, fileId: string, options: ReadFileOptions = {}): Promise<FileContent> {
    throwIfAborted(options.signal);
    const root = await this.#context.tenantRoots.of(tenant);
    const file = await this.#file(root, fileId);
    const { version } = options;
    const wanted = version === undefined ? {} : { version };
    return readFile(this.#context, root, file, { ...wanted, ...withSignal(options) });
  }

  async versions(tenant: string, fileId: string): Promise<readonly CatalogVersion[]> {
    const root = await this.#context.tenantRoots.of(tenant);
    const { id } = await this.#reconciledFile(root, fileId);
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
    body: (root: TenantRoot, content: ByteSource) => Promise<CatalogFile>,
  ): Promise<CatalogFile> {
    const content = byteSource(bytes, { maxBytes: this.#context.maxFileBytes, sha1, signal });
    try {
      throwIfAborted(signal);
      await this.#context.quotas?.admitFile(tenant, 0);
      return await body(await this.#context.tenantRoots.of(tenant), content);
    } finally {
      await content.close();
    }
  }

  async #requireFree(
    root: TenantRoot,
    folder: CatalogFolder,
    name: string,
    signal?: AbortSignal,
    except?: string,
  ): Promise<void> {
    const holder = await holderOf(this.#context, root, folder, name, signal);
    if (holder !== null && holder.id !== except) throw nameTaken(name);
  }

  async #entry(root: TenantRoot, id: string, sought: Sought): Promise<CatalogEntry> {
    const entry = await locate(this.#context, root, id, sought);
    if (entry === null) throw notFound(sought === "any" ? "file or folder" : sought, id);
    return entry;
  }

  async #folder(root: TenantRoot, id: string): Promise<CatalogFolder> {
    const entry = await this.#entry(root, id, "folder");
    if (entry.type === "folder") return entry;
    throw notFound("folder", id);
  }

  async #file(root: TenantRoot, id: string): Promise<CatalogFile> {
    const entry = await this.#entry(root, id, "file");
    if (entry.type === "file") return entry;
    throw notFound("file", id);
  }

  async #reconciledFile(root: TenantRoot, id: string): Promise<CatalogFile> {
    const file = await reconcileFile(this.#context, root, await this.#file(root, id), undefined);
    if (file === null) throw notFound("file", id);
    return file;
  }
}

function withSignal({ signal }: { readonly signal?: AbortSignal | undefined }): {
  readonly signal?: AbortSignal;
} {
  return signal === undefined ? {} : { signal };
}
