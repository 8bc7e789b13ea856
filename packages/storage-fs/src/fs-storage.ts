import { createHash, hash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, lstat, open, stat, unlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import {
  type FileInfo,
  type FileRef,
  type FolderPage,
  type FolderRef,
  isByteStream,
  type ListOptions,
  QuireError,
  type ReadOptions,
  readPieces,
  type Storage,
  type StorageOptions,
  type StoredFile,
  throwIfAborted,
} from "@quire/core/host";
import { createFile, syncFolder } from "./create-file.ts";
import { type FolderPlace, isOther, makeFolder, removeEmptyFolder } from "./folders.ts";
import { listFolder } from "./list-folder.ts";
import { locate, parseId, ROOT } from "./locate.ts";
import { type Attempt, nullWhenMissing, systemCode, toQuireError } from "./problems.ts";
import { changed, missing, notEmpty, parseName, rootStays, taken } from "./refusals.ts";
import { SharedWork } from "./shared-work.ts";
import { sweep } from "./temporary-files.ts";

/** What {@link fsStorage} needs. */
export interface FsStorageOptions {
  /** The folder that holds everything. Relative to the working directory at the time of the call. */
  readonly root: string;
}

/**
 * A storage over a folder of the local file system. Ids are paths below `root` with `/` between the
 * segments, `"."` is `root` itself. It must exist: every operation rejects `not_found` until it does.
 * Only regular files and folders are seen, and no id leads out of `root`, also not through a
 * symbolic link. The version of a file is the SHA-256 of its bytes; `stat` therefore reads the whole
 * file. The root itself cannot be removed: that rejects `forbidden`. Throws `invalid_request` for an empty `root`.
 */
export function fsStorage(options: FsStorageOptions): Storage {
  if (options.root === "") {
    throw new QuireError(
      "invalid_request",
      "The storage's root is an empty path. Give fsStorage the path of a folder.",
    );
  }
  return new FsStorage(resolve(options.root));
}

/** Does not wait for a writer when the path turns into a FIFO, nor follow it when it turns into a link. */
const READ_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
const CHUNK_BYTES = 256 * 1024;
/** Of more folders it is forgotten that they were swept. */
const MAX_SWEPT = 1000;

class FsStorage implements Storage {
  readonly #root: string;
  readonly #swept = new Map<string, Promise<void>>();
  readonly #folders = new SharedWork((id) => this.#locateFolder(id));
  readonly #syncs = new SharedWork(syncFolder);
  readonly #sync = (path: string): Promise<void> => this.#syncs.do(path);

  constructor(root: string) {
    this.#root = root;
  }

  read(file: FileRef, options: ReadOptions = {}): Promise<StoredFile> {
    return attempt(readAttempt(file, options), async () => {
      const bytes = await this.#withFile(file.id, async (handle) => {
        return new Uint8Array(await handle.readFile({ signal: options.signal }));
      });
      if (bytes === null) throw missing("file", file.id);
      const sha256 = hash("sha256", bytes);
      if (options.version !== undefined && options.version !== sha256) {
        throw changed(file.id, options.version);
      }
      return { ...describe(file.id, bytes.length, sha256), sha256, bytes };
    });
  }

  create(
    folder: FolderRef,
    name: string,
    bytes: Uint8Array | AsyncIterable<Uint8Array>,
    options: StorageOptions = {},
  ): Promise<FileInfo> {
    const { signal } = options;
    const failed = `The file ${JSON.stringify(name)} cannot be created in ${where(folder)}`;
    const create = (content: Uint8Array | AsyncIterable<Uint8Array>): Promise<FileInfo> =>
      attempt({ failed, place: where(folder), access: "writable", signal }, async () => {
        const checked = parseName(name);
        const path = await this.#folders.do(folder.id);
        await this.#sweepOnce(path);
        const how = { signal, syncFolder: this.#sync };
        const written = await whileThere(folder, createFile(path, checked, content, how));
        if (written === null) throw taken(failed);
        return describe(childOf(folder, checked), written.size, written.sha256);
      });
    return isByteStream(bytes)
      ? readPieces(bytes, { pieceBytes: CHUNK_BYTES, signal }, create)
      : create(bytes);
  }

  stat(file: FileRef, options: StorageOptions = {}): Promise<FileInfo | null> {
    return attempt(readAttempt(file, options), () =>
      this.#withFile(file.id, async (handle) => {
        const { size, sha256 } = await measure(handle, options.signal);
        return describe(file.id, size, sha256);
      }),
    );
  }

  async find(
    folder: FolderRef,
    name: string,
    options: StorageOptions = {},
  ): Promise<FileInfo | null> {
    parseId(folder.id);
    const file: FileRef = { type: "file", id: childOf(folder, parseName(name)) };
    const found = await this.stat(file, options);
    // Who created it may have died before its name was synced.
    if (found !== null) await this.#syncFolderOf(folder, readAttempt(file, options));
    return found;
  }

  list(folder: FolderRef, options: ListOptions = {}): Promise<FolderPage> {
    const failed = `The folder ${JSON.stringify(folder.id)} cannot be listed`;
    const { signal } = options;
    const tried: Attempt = { failed, place: where(folder), access: "readable", signal };
    return attempt(tried, async () => {
      const path = await this.#locateFolder(folder.id);
      const page = await listFolder({ root: this.#root, id: folder.id, path }, options);
      if (page === null) throw missing("folder", folder.id);
      return page;
    });
  }

  remove(file: FileRef, options: StorageOptions = {}): Promise<void> {
    const place = `the folder of ${JSON.stringify(file.id)}`;
    const failed = `The file ${JSON.stringify(file.id)} cannot be removed`;
    const tried: Attempt = { failed, place, access: "writable", signal: options.signal };
    return attempt(tried, async () => {
      const target = await locate(this.#root, file.id);
      if (target === null || !(await nullWhenMissing(stat(target)))?.isFile()) return;
      // The entry itself: of a file that is a symbolic link, the link goes and its target stays.
      const entry = await this.#entryOf(file.id);
      if (entry === null || entry === "root") return;
      await nullWhenMissing(unlink(join(entry.parent, entry.name)));
    });
  }

  createFolder(
    folder: FolderRef,
    name: string,
    { signal }: StorageOptions = {},
  ): Promise<FolderRef> {
    const failed = `The folder ${JSON.stringify(name)} cannot be made in ${where(folder)}`;
    const tried: Attempt = { failed, place: where(folder), access: "writable", signal };
    return attempt(tried, async () => {
      const checked = parseName(name);
      const parent = await this.#folders.do(folder.id);
      const id = childOf(folder, checked);
      const place = { parent, name: checked };
      while (!(await whileThere(folder, makeFolder(place)))) {
        if (await this.#isFolder(id)) break;
        if (await isOther(place)) throw taken(failed);
        // What had the name was removed meanwhile.
      }
      // Also for one that is there: who made it may have died before its name was synced.
      await whileThere(folder, this.#sync(parent));
      return { type: "folder", id };
    });
  }

  removeFolder(folder: FolderRef, { signal }: StorageOptions = {}): Promise<void> {
    const failed = `The folder ${JSON.stringify(folder.id)} cannot be removed`;
    const place = `the folder around ${JSON.stringify(folder.id)}`;
    return attempt({ failed, place, access: "writable", signal }, async () => {
      const entry = await this.#entryOf(folder.id);
      if (entry === "root") throw rootStays();
      if (entry === null || !(await this.#isFolder(folder.id))) return;
      if (!(await removeEmptyFolder(entry))) throw notEmpty(failed);
    });
  }

  /** Runs the body on an open regular file and closes it; null when the id names none. */
  async #withFile<T>(id: string, body: (handle: FileHandle) => Promise<T>): Promise<T | null> {
    const path = await locate(this.#root, id);
    // Asked before opening: opening a device can have effects of its own.
    if (path === null || !(await nullWhenMissing(lstat(path)))?.isFile()) return null;
    const handle = await nullWhenMissing(open(path, READ_FLAGS));
    if (handle === null) return null;
    try {
      return (await handle.stat()).isFile() ? await body(handle) : null;
    } finally {
      await handle.close();
    }
  }

  #syncFolderOf(folder: FolderRef, tried: Attempt): Promise<void> {
    return attempt(tried, async () => {
      const path = await locate(this.#root, folder.id);
      if (path !== null) await this.#sync(path);
    });
  }

  /** Where this storage writes for the first time, processes before it may have left something. */
  #sweepOnce(folder: string): Promise<void> {
    if (this.#swept.size > MAX_SWEPT) this.#swept.clear();
    const swept = this.#swept.get(folder) ?? sweep(folder);
    this.#swept.set(folder, swept);
    return swept;
  }

  async #locateFolder(id: string): Promise<string> {
    const path = await locate(this.#root, id);
    if (path === null || !(await nullWhenMissing(stat(path)))?.isDirectory()) {
      throw missing("folder", id);
    }
    return path;
  }

  async #isFolder(id: string): Promise<boolean> {
    const path = await locate(this.#root, id);
    return path !== null && (await nullWhenMissing(stat(path)))?.isDirectory() === true;
  }

  /** Where the entry of an id stands, which may be a link to what the id names; null when the folder around it is gone. */
  async #entryOf(id: string): Promise<FolderPlace | "root" | null> {
    const name = parseId(id).at(-1);
    if (name === undefined) return "root";
    const parent = await locate(this.#root, dirname(id));
    return parent === null ? null : { parent, name };
  }
}

/** What was begun in a folder that was there; `not_found` when it was removed meanwhile. */
async function whileThere<T>(folder: FolderRef, begun: Promise<T>): Promise<T> {
  try {
    return await begun;
  } catch (error) {
    throw systemCode(error) === "ENOENT" ? missing("folder", folder.id) : error;
  }
}

async function attempt<T>(tried: Attempt, body: () => Promise<T>): Promise<T> {
  try {
    throwIfAborted(tried.signal);
    return await body();
  } catch (error) {
    throw toQuireError(error, tried);
  }
}

function readAttempt(file: FileRef, { signal }: StorageOptions): Attempt {
  const id = JSON.stringify(file.id);
  const failed = `The file ${id} cannot be read`;
  return { failed, place: `the file ${id}`, access: "readable", signal };
}

/** Size and hash of an open file, in one pass and with little memory. */
async function measure(
  handle: FileHandle,
  signal: AbortSignal | undefined,
): Promise<{ size: number; sha256: string }> {
  const sha256 = createHash("sha256");
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let size = 0;
  for (;;) {
    throwIfAborted(signal);
    const { bytesRead } = await handle.read(buffer);
    if (bytesRead === 0) return { size, sha256: sha256.digest("hex") };
    sha256.update(buffer.subarray(0, bytesRead));
    size += bytesRead;
  }
}

function childOf(folder: FolderRef, name: string): string {
  return folder.id === ROOT ? name : `${folder.id}/${name}`;
}

function describe(id: string, size: number, version: string): FileInfo {
  return { ref: { type: "file", id }, version, name: parseId(id).at(-1) ?? id, size };
}

function where(folder: FolderRef): string {
  return `the folder ${JSON.stringify(folder.id)}`;
}
