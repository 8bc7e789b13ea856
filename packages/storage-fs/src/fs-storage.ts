import { createHash, hash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, lstat, open, stat, unlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import {
  type FileInfo,
  type FileRef,
  type FolderPage,
  type FolderRef,
  type ListOptions,
  parseFileName,
  QuireError,
  type ReadOptions,
  type Storage,
  type StorageOptions,
  type StoredFile,
  throwIfAborted,
} from "@quire/core";
import { createFile, syncFolder } from "./create-file.ts";
import { listFolder } from "./list-folder.ts";
import { isTempName, locate, parseId, ROOT, TEMP_PREFIX } from "./locate.ts";
import { type Attempt, nullWhenMissing, toQuireError } from "./problems.ts";
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
 * file. Throws `invalid_request` for an empty `root`.
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
        throw new QuireError(
          "not_found",
          `The file ${JSON.stringify(file.id)} has no version ${JSON.stringify(options.version)}: ` +
            "it was changed, and only the current version is kept. Read it without a version.",
        );
      }
      return { ...describe(file.id, bytes.length, sha256), sha256, bytes };
    });
  }

  create(
    folder: FolderRef,
    name: string,
    bytes: Uint8Array,
    options: StorageOptions = {},
  ): Promise<FileInfo> {
    const where = `the folder ${JSON.stringify(folder.id)}`;
    const failed = `The file ${JSON.stringify(name)} cannot be created in ${where}`;
    const tried: Attempt = { failed, place: where, access: "writable", signal: options.signal };
    return attempt(tried, async () => {
      const checked = parseName(name);
      const path = await this.#folders.do(folder.id);
      const sha256 = hash("sha256", bytes);
      await this.#sweepOnce(path);
      const how = { signal: options.signal, syncFolder: this.#sync };
      if (!(await createFile(path, checked, bytes, how))) {
        throw new QuireError(
          "conflict",
          `${failed}: the name is taken. Choose another name, or remove what has it.`,
        );
      }
      return describe(childOf(folder, checked), bytes.length, sha256);
    });
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
    const place = `the folder ${JSON.stringify(folder.id)}`;
    const failed = `The folder ${JSON.stringify(folder.id)} cannot be listed`;
    const tried: Attempt = { failed, place, access: "readable", signal: options.signal };
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
      const folder = await locate(this.#root, dirname(file.id));
      const name = parseId(file.id).at(-1);
      if (folder === null || name === undefined) return;
      await nullWhenMissing(unlink(join(folder, name)));
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

function parseName(name: string): string {
  const parsed = parseFileName(name);
  if (!isTempName(parsed)) return parsed;
  throw new QuireError(
    "item_name_invalid",
    `The file name ${JSON.stringify(name)} begins with ${JSON.stringify(TEMP_PREFIX)}, which this ` +
      "storage keeps for unfinished files. Choose another name.",
  );
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

function missing(type: "file" | "folder", id: string): QuireError {
  return new QuireError(
    "not_found",
    `There is no ${type} ${JSON.stringify(id)} below the storage's root. Check the id, or put the ` +
      `${type} there.`,
  );
}
