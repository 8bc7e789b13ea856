import { fstatSync } from "node:fs";
import { type FileHandle, lstat, readdir, unlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import {
  checkOptions,
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
  takenIndex,
} from "@quire/contracts";
import { createFile, syncFolder } from "./create-file.ts";
import { type FolderPlace, isOther, makeFolder, removeEmptyFolder } from "./folders.ts";
import { type Attempt, attempt, nullWhenMissing, readAttempt, systemCode } from "./fs-errors.ts";
import { FolderHolder, type HeldFolder } from "./held-folder.ts";
import { FolderLists } from "./list-folder.ts";
import { childOf, describe, parseId } from "./locate.ts";
import { CHUNK_BYTES, measure, openFile, readWhole } from "./open-file.ts";
import { changed, missing, notEmpty, parseName, rootStays, taken } from "./refusals.ts";
import { SharedWork } from "./shared-work.ts";
import { removeLeftovers } from "./temporary-files.ts";

/** Options of {@link fsStorage}. */
export interface FsStorageOptions {
  /** The folder that holds all files. A relative path is resolved against the working directory when it is passed. */
  readonly root: string;
}

/**
 * Creates a storage in a folder of the local file system. Ids are paths below `root`, with `/` between the segments;
 * `"."` is `root` itself. `root` must exist: until it does, every operation rejects `not_found`. The storage sees only
 * regular files and folders, and ids cannot lead out of `root`, not even through a symbolic link. The version of a file
 * is the SHA-256 of its bytes, so `stat` reads the whole file. The root itself cannot be removed: that rejects
 * `forbidden`. Throws `invalid_request` for an unknown option, and for a missing or empty `root`.
 */
export function fsStorage(options: FsStorageOptions): Storage {
  checkOptions("fsStorage()", options, { root: true });
  if (typeof options?.root !== "string" || options.root === "") {
    throw new QuireError(
      "invalid_request",
      'The option root of fsStorage() must be the path of a folder: fsStorage({ root: "documents" }).',
    );
  }
  return new FsStorage(resolve(options.root));
}

/** Maximum number of swept folders to remember. */
const MAX_SWEPT = 1000;

class FsStorage implements Storage {
  readonly #root: string;
  readonly #swept = new Map<string, Promise<void>>();
  readonly #folders: FolderHolder;
  readonly #syncs = new SharedWork(syncFolder);
  readonly #lists = new FolderLists();
  readonly #taken = takenIndex({
    exists: (folder, name) => this.#exists(folder, name),
    names: (folder) => this.#names(folder),
  });
  readonly #sync = (path: string): Promise<void> => this.#syncs.do(path);

  constructor(root: string) {
    this.#root = root;
    this.#folders = new FolderHolder(root);
  }

  read(file: FileRef, options: ReadOptions = {}): Promise<StoredFile> {
    return attempt(readAttempt(file, options), async () => {
      const found = await this.#withFile(file.id, (handle, size) =>
        readWhole(handle, size, options.signal),
      );
      if (found === null) throw missing("file", file.id);
      const { bytes, sha256 } = found;
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
        const written = await this.#inFolder(folder, async (held) => {
          await this.#sweepOnce(folder.id, held);
          const how = { signal, syncFolder: this.#sync };
          return createFile(held, checked, content, how);
        });
        if (written === null) throw taken(failed);
        this.#taken.add(folder, checked);
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
    // The file's writer may have died before it synced the folder.
    if (found !== null) await this.#syncFolderOf(folder, readAttempt(file, options));
    return found;
  }

  list(folder: FolderRef, options: ListOptions = {}): Promise<FolderPage> {
    const failed = `The folder ${JSON.stringify(folder.id)} cannot be listed`;
    const { signal } = options;
    const tried: Attempt = { failed, place: where(folder), access: "readable", signal };
    return attempt(tried, async () => {
      const { id } = folder;
      const page = await this.#inFolder(folder, async (held) => {
        const listed = await this.#lists.page({ root: this.#root, id, path: held.path }, options);
        await held.verify();
        return listed;
      });
      if (page === null) throw missing("folder", folder.id);
      return page;
    });
  }

  isTaken(folder: FolderRef, name: string, options: StorageOptions = {}): Promise<boolean> {
    const failed = `The name ${JSON.stringify(name)} cannot be looked up in ${where(folder)}`;
    const { signal } = options;
    return attempt({ failed, place: where(folder), access: "readable", signal }, () =>
      this.#taken.isTaken(folder, parseName(name), options),
    );
  }

  remove(file: FileRef, options: StorageOptions = {}): Promise<void> {
    const place = `the folder of ${JSON.stringify(file.id)}`;
    const failed = `The file ${JSON.stringify(file.id)} cannot be removed`;
    const tried: Attempt = { failed, place, access: "writable", signal: options.signal };
    return attempt(tried, async () => {
      if (!(await this.#isFile(file.id))) return;
      // Removes the entry itself. For a symbolic link, this is only the link.
      await this.#atEntry(file.id, ({ parent, name }) =>
        nullWhenMissing(unlink(join(parent, name))),
      );
    });
  }

  createFolder(
    folder: FolderRef,
    name: string,
    { signal }: StorageOptions = {},
  ): Promise<FolderRef> {
    const failed = `The folder ${JSON.stringify(name)} cannot be created in ${where(folder)}`;
    const tried: Attempt = { failed, place: where(folder), access: "writable", signal };
    return attempt(tried, async () => {
      const checked = parseName(name);
      const id = childOf(folder, checked);
      await this.#inFolder(folder, async (held) => {
        const place = { parent: dirname(held.entry(checked)), name: checked };
        while (!(await makeFolder(place))) {
          if (await this.#isFolder(id)) break;
          if (await isOther(place)) throw taken(failed);
          // The entry that had the name has since been removed: try again.
        }
        await held.verify();
        // Also sync an existing folder: its creator may have died before it synced the parent.
        await this.#sync(held.path);
      });
      this.#taken.add(folder, checked);
      return { type: "folder", id };
    });
  }

  removeFolder(folder: FolderRef, { signal }: StorageOptions = {}): Promise<void> {
    const failed = `The folder ${JSON.stringify(folder.id)} cannot be removed`;
    const place = `the folder around ${JSON.stringify(folder.id)}`;
    return attempt({ failed, place, access: "writable", signal }, async () => {
      if (parseId(folder.id).length === 0) throw rootStays();
      const isEmpty = await this.#held(folder.id, async (target) =>
        this.#atEntry(folder.id, (entry) => removeEmptyFolder(entry, target.path)),
      );
      if (isEmpty === false) throw notEmpty(failed);
    });
  }

  /** Runs the body on an open regular file and closes it. Null if the id does not name a regular file. */
  async #withFile<T>(
    id: string,
    body: (handle: FileHandle, size: number) => Promise<T>,
  ): Promise<T | null> {
    const place = await this.#folders.place(id);
    if (place === null) return null;
    const handle = await openFile(place).finally(() => place.folder.release());
    if (handle === null) return null;
    try {
      const found = fstatSync(handle.fd); // does not block, because the file is open
      return found.isFile() ? await body(handle, found.size) : null;
    } finally {
      await handle.close();
    }
  }

  /** Whether the id names a regular file, even if the file is not readable. */
  async #isFile(id: string): Promise<boolean> {
    const place = await this.#folders.place(id);
    await place?.folder.release();
    return place?.isFile ?? false;
  }

  #exists(folder: FolderRef, name: string): Promise<boolean> {
    return this.#inFolder(folder, async (held) => {
      const found = await nullWhenMissing(lstat(held.entry(name)));
      await held.verify();
      return found !== null;
    });
  }

  #names(folder: FolderRef): Promise<readonly string[]> {
    return this.#inFolder(folder, async (held) => {
      const names = await readdir(held.path);
      await held.verify();
      return names;
    });
  }

  async #isFolder(id: string): Promise<boolean> {
    return (await this.#held(id, async () => true)) ?? false;
  }

  #syncFolderOf(folder: FolderRef, tried: Attempt): Promise<void> {
    return attempt(tried, async () => {
      await this.#held(folder.id, ({ path }) => this.#sync(path));
    });
  }

  /** Removes temporary files of earlier processes before the first write to a folder. */
  #sweepOnce(id: string, { path }: HeldFolder): Promise<void> {
    if (this.#swept.size > MAX_SWEPT) this.#swept.clear();
    const swept = this.#swept.get(id) ?? removeLeftovers(path);
    this.#swept.set(id, swept);
    return swept;
  }

  /** Runs the body in a folder. Rejects `not_found` if the folder does not exist or is removed during the call. */
  async #inFolder<T>(folder: FolderRef, body: (held: HeldFolder) => Promise<T>): Promise<T> {
    try {
      const done = await this.#held(folder.id, async (held) => ({ value: await body(held) }));
      if (done !== null) return done.value;
    } catch (error) {
      if (systemCode(error) !== "ENOENT") throw error;
    }
    throw missing("folder", folder.id);
  }

  /** Runs the body in a folder and releases the folder. Returns null if the id does not name a folder. */
  async #held<T>(id: string, body: (held: HeldFolder) => Promise<T>): Promise<T | null> {
    const held = await this.#folders.folder(id);
    if (held === null) return null;
    try {
      return await body(held);
    } finally {
      await held.release();
    }
  }

  /** Runs the body on the directory entry of an id, which may be a link. Returns null if the parent folder is gone. */
  #atEntry<T>(id: string, body: (entry: FolderPlace) => Promise<T>): Promise<T | null> {
    const name = parseId(id).at(-1) ?? "";
    return this.#held(dirname(id), ({ path }) => body({ parent: path, name }));
  }
}

function where(folder: FolderRef): string {
  return `the folder ${JSON.stringify(folder.id)}`;
}
