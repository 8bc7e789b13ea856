import { constants, existsSync } from "node:fs";
import { type FileHandle, lstat, open, readlink, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isInside, leadsOut, locate, realRootOf } from "./locate.ts";
import { nullWhenMissing } from "./problems.ts";
import { SharedWork } from "./shared-work.ts";

/**
 * A folder below the root that remains the same until it is released, even if something else takes its place. An entry
 * directly below `path` that is not a link is in that folder.
 */
export interface HeldFolder {
  /**
   * On Linux a path through the open folder, which links and renamed folders do not affect. Elsewhere its real path,
   * which {@link verify} checks again.
   */
  readonly path: string;
  /**
   * The path of an entry. Throws ENAMETOOLONG when the real path is longer than the system allows: nobody could reach
   * it by that.
   */
  entry(name: string): string;
  /** Rejects `forbidden` when the folder is no longer below the root. Call it before a result is used. */
  verify(): Promise<void>;
  /** Call it once for each time the folder was returned. */
  release(): Promise<void>;
}

/** A file, by its real folder. */
export interface HeldPlace {
  readonly folder: HeldFolder;
  readonly name: string;
}

/** Node has no `openat`: a path through the descriptor of an open folder does the same. */
const DESCRIPTORS = "/proc/self/fd";

/** Opens a path without read permission. Only Linux has it, and Node has no constant for it. */
const O_PATH = 0o10000000;

/** Opens a folder, and nothing that has taken its place, such as a link. */
const FLAGS = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;

const CAN_PIN = process.platform === "linux" && hasDescriptors();

/** PATH_MAX of Linux, without the NUL at its end. */
const MAX_PATH_BYTES = 4095;

/** The real paths of an entry and of the root. */
interface Located {
  readonly path: string;
  readonly root: string;
}

/** False where Node's permissions hide that folder. */
function hasDescriptors(): boolean {
  try {
    return existsSync(DESCRIPTORS);
  } catch {
    return false;
  }
}

/** Opens folders of a root. Concurrent users of a folder share one descriptor. */
export class FolderHolder {
  readonly #root: string;
  readonly #pins: boolean;
  readonly #lookups = new SharedWork((id) => this.#locate(id));
  /** By their real paths. */
  readonly #open = new Map<string, PinnedFolder>();

  /** `pins`: whether paths go through open folders. */
  constructor(root: string, pins = CAN_PIN) {
    this.#root = root;
    this.#pins = pins;
  }

  /** Null when the id names no folder. Rejects `forbidden` as {@link locate} does. */
  async folder(id: string): Promise<HeldFolder | null> {
    const found = await this.#lookups.do(id);
    return found === null ? null : this.#hold(id, found);
  }

  /** The real place of a file or folder; null when it does not exist, and for the root. Rejects likewise. */
  async place(id: string): Promise<HeldPlace | null> {
    const found = await this.#locate(id);
    if (found === null || found.path === found.root) return null;
    const folder = await this.#hold(id, { ...found, path: dirname(found.path) });
    return folder === null ? null : { folder, name: basename(found.path) };
  }

  async #locate(id: string): Promise<Located | null> {
    const path = await locate(this.#root, id);
    return path === null ? null : { path, root: await realRootOf(this.#root) };
  }

  async #hold(id: string, { path, root }: Located): Promise<HeldFolder | null> {
    const folder = this.#pins ? await this.#pin(id, path, root) : await namedFolder(id, path, root);
    try {
      await folder?.verify();
    } catch (error) {
      await folder?.release();
      throw error;
    }
    return folder;
  }

  async #pin(id: string, path: string, root: string): Promise<HeldFolder | null> {
    const known = this.#open.get(path);
    // Taken first, so that nobody closes it during the check.
    if (known?.take()) {
      if (await known.isAt(path)) return known;
      await known.release();
    }
    const handle = await nullWhenMissing(open(path, FLAGS));
    if (handle === null) return null;
    const folder = new PinnedFolder(id, handle, { path, root }, () => {
      if (this.#open.get(path) === folder) this.#open.delete(path);
    });
    this.#open.set(path, folder);
    return folder;
  }
}

class PinnedFolder implements HeldFolder {
  readonly path: string;
  #users = 1;
  readonly #id: string;
  readonly #handle: FileHandle;
  readonly #located: Located;
  readonly #forget: () => void;

  constructor(id: string, handle: FileHandle, located: Located, forget: () => void) {
    this.path = `${DESCRIPTORS}/${handle.fd}`;
    this.#id = id;
    this.#handle = handle;
    this.#located = located;
    this.#forget = forget;
  }

  entry(name: string): string {
    if (Buffer.byteLength(join(this.#located.path, name)) > MAX_PATH_BYTES) {
      throw Object.assign(new Error("ENAMETOOLONG: name too long"), { code: "ENAMETOOLONG" });
    }
    return join(this.path, name);
  }

  /** Whether this is the folder at a real path now. */
  async isAt(path: string): Promise<boolean> {
    return (await readlink(this.path)) === path;
  }

  /** Adds a user. False when it has been closed. */
  take(): boolean {
    if (this.#users === 0) return false;
    this.#users += 1;
    return true;
  }

  async verify(): Promise<void> {
    if (!isInside(this.#located.root, await readlink(this.path))) throw leadsOut(this.#id);
  }

  async release(): Promise<void> {
    this.#users -= 1;
    if (this.#users > 0) return;
    this.#forget();
    await this.#handle.close();
  }
}

async function namedFolder(id: string, path: string, root: string): Promise<HeldFolder | null> {
  const found = await nullWhenMissing(lstat(path));
  return found?.isDirectory() === true ? new NamedFolder(id, path, root) : null;
}

class NamedFolder implements HeldFolder {
  readonly path: string;
  readonly #id: string;
  readonly #root: string;

  constructor(id: string, path: string, root: string) {
    this.path = path;
    this.#id = id;
    this.#root = root;
  }

  entry(name: string): string {
    return join(this.path, name);
  }

  async verify(): Promise<void> {
    const now = await nullWhenMissing(realpath(this.path));
    if (now !== null && (now !== this.path || !isInside(this.#root, now))) throw leadsOut(this.#id);
  }

  async release(): Promise<void> {}
}
