import { constants, existsSync, readlinkSync } from "node:fs";
import { type FileHandle, lstat, open, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { nullWhenMissing } from "./fs-errors.ts";
import { isInside, type Located, leadsOut, locate, parseId, ROOT } from "./locate.ts";
import { SharedWork } from "./shared-work.ts";

/**
 * A reference to a folder below the root. Until it is released, it refers to the same folder, even if something else
 * takes the folder's path. An entry directly below `path` that is not a link is in that folder.
 */
export interface HeldFolder {
  /**
   * On Linux, a path through the descriptor of the open folder: links and renames do not affect it. On other systems,
   * the folder's real path, which {@link verify} checks again.
   */
  readonly path: string;
  /**
   * Returns the path of an entry. Throws ENAMETOOLONG if the entry's real path is longer than the system allows,
   * because no process could open the entry by that path.
   */
  entry(name: string): string;
  /** Rejects `forbidden` if the folder is no longer below the root. Call this before you use a result. */
  verify(): Promise<void>;
  /** Call this once for each time that the folder was returned. */
  release(): Promise<void>;
}

/** The location of an entry that is not a link: its real folder and its name. */
export interface HeldPlace {
  readonly folder: HeldFolder;
  readonly name: string;
  /** Whether the entry is a regular file. */
  readonly isFile: boolean;
}

/**
 * Node has no `openat`. A path through the descriptor of an open folder has the same effect. The kernel answers from
 * memory where such a path leads, so `readlinkSync` does not block, and is ten times faster than `readlink`.
 */
const DESCRIPTORS = "/proc/self/fd";

/** Opens a path without read permission. Linux only; Node has no constant for it. */
const O_PATH = 0o10000000;

/** Opens a folder, but not a link or a file that has taken its place. */
const FLAGS = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;

const CAN_PIN = process.platform === "linux" && hasDescriptors();

/** PATH_MAX on Linux, without the terminating NUL. */
const MAX_PATH_BYTES = 4095;

/** Whether {@link DESCRIPTORS} is accessible. False where Node's permission model hides it. */
function hasDescriptors(): boolean {
  try {
    return existsSync(DESCRIPTORS);
  } catch {
    return false;
  }
}

/** Opens folders below a root. Concurrent callers share one descriptor per folder. */
export class FolderHolder {
  readonly #root: string;
  readonly #pins: boolean;
  readonly #lookups = new SharedWork((id) => locate(this.#root, id));
  /** Open folders by real path. */
  readonly #open = new Map<string, PinnedFolder>();

  /** `pins` says whether paths go through descriptors of open folders. */
  constructor(root: string, pins = CAN_PIN) {
    this.#root = root;
    this.#pins = pins;
  }

  /** Opens a folder. Returns null if the id does not name a folder. Rejects `forbidden` as {@link locate} does. */
  async folder(id: string): Promise<HeldFolder | null> {
    const found = await this.#lookups.do(id);
    return found === null ? null : this.#hold(id, found);
  }

  /**
   * Finds the real location of a file or folder; null for the root and missing entries. Rejects as {@link folder} does.
   */
  async place(id: string): Promise<HeldPlace | null> {
    const segments = parseId(id);
    const name = segments.at(-1);
    if (name === undefined) return null;
    // Concurrent callers share the lookup of their folder.
    const folder = await this.folder(segments.slice(0, -1).join("/") || ROOT);
    const place = folder === null ? null : await placeIn(folder, name);
    return place === "link" ? this.#targetOf(id) : place;
  }

  /** The real location of what a link leads to. */
  async #targetOf(id: string): Promise<HeldPlace | null> {
    const found = await locate(this.#root, id);
    if (found === null || found.path === found.root) return null;
    const folder = await this.#hold(id, { ...found, path: dirname(found.path) });
    const place = folder === null ? null : await placeIn(folder, basename(found.path));
    return place === "link" ? null : place; // the target has just been replaced by a link
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
    // The folder is taken first, so that no other caller closes it during the check.
    if (known?.take()) {
      if (known.isAt(path)) return known;
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

/** An entry of a folder. Releases the folder if the entry is missing or a link. */
async function placeIn(folder: HeldFolder, name: string): Promise<HeldPlace | "link" | null> {
  let place: HeldPlace | "link" | null = null;
  try {
    const found = await nullWhenMissing(lstat(join(folder.path, name)));
    if (found?.isSymbolicLink()) place = "link";
    else if (found !== null) place = { folder, name, isFile: found.isFile() };
    return place;
  } finally {
    if (place === null || place === "link") await folder.release();
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

  /** Whether this folder is currently at the given real path. */
  isAt(path: string): boolean {
    return readlinkSync(this.path) === path;
  }

  /** Adds a user. Returns false if the folder is already closed. */
  take(): boolean {
    if (this.#users === 0) return false;
    this.#users += 1;
    return true;
  }

  async verify(): Promise<void> {
    if (!isInside(this.#located.root, readlinkSync(this.path))) throw leadsOut(this.#id);
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
