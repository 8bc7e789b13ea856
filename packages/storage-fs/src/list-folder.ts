import { isUtf8 } from "node:buffer";
import type { Dir, Dirent } from "node:fs";
import { opendir, stat } from "node:fs/promises";
import {
  type FolderEntry,
  type FolderPage,
  isQuireError,
  type ListOptions,
  QuireError,
  throwIfAborted,
} from "@quire/contracts";
import { nullWhenMissing } from "./fs-errors.ts";
import { idProblem, locate, ROOT } from "./locate.ts";

/** A folder to list: its storage's root, its id and its path. */
export interface ListedFolder {
  readonly root: string;
  readonly id: string;
  readonly path: string;
}

type EntryType = FolderEntry["ref"]["type"];

/** The state of a folder when it was read. */
interface Snapshot {
  readonly names: readonly string[];
  /** The entries that are not plain files. */
  readonly others: ReadonlyMap<string, Dirent>;
  /** Identifies the state. Null if the folder may have changed since without a new state. */
  readonly state: string | null;
}

/** Maximum number of folders whose names are kept for the next page, and for how long. */
const MAX_KEPT = 8;
const KEPT_MS = 60_000;

/**
 * Lists folders page by page, sorted by name in UTF-16 code units. The names of a folder are kept for its next page, so
 * that a listing of unchanged folders takes time in proportion to their entries.
 */
export class FolderLists {
  readonly #kept = new Map<string, Snapshot>();
  #forget: NodeJS.Timeout | undefined;

  /** A page of the entries of a folder. Null if the path is not a folder. */
  async page(folder: ListedFolder, options: ListOptions): Promise<FolderPage | null> {
    const { limit = 1000, marker, signal } = options;
    if (!Number.isInteger(limit) || limit < 1) {
      throw invalid(folder.id, "the limit must be an integer of at least 1", "Pass a valid limit");
    }
    const after = marker === undefined ? null : decodeMarker(marker, folder.id);
    const snapshot = await this.#snapshot(folder, after !== null, signal);
    if (snapshot === null) return null;
    const page = await pageOf(folder, snapshot, { after, limit, signal });
    if (page.nextMarker !== null && snapshot.state !== null) this.#keep(folder.id, snapshot);
    else this.#kept.delete(folder.id);
    return page;
  }

  async #snapshot(
    { id, path }: ListedFolder,
    mayBeKept: boolean,
    signal: AbortSignal | undefined,
  ): Promise<Snapshot | null> {
    const state = await stateOf(path);
    const kept = mayBeKept ? this.#kept.get(id) : undefined;
    if (kept !== undefined && kept.state === state) return kept;
    const directory = await nullWhenMissing(opendir(path, { encoding: NAMES, bufferSize: 512 }));
    return directory === null ? null : { ...(await readNames(directory, signal)), state };
  }

  #keep(id: string, snapshot: Snapshot): void {
    this.#kept.delete(id);
    this.#kept.set(id, snapshot);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    clearTimeout(this.#forget);
    this.#forget = setTimeout(() => this.#kept.clear(), KEPT_MS).unref();
  }
}

/** Time after which a later change of a folder certainly gives it another time of change. */
const TICK_MS = 50;
/** The same for file systems that store times in seconds. */
const SECONDS_TICK_MS = 2000;

/** The state of a folder. Null if a later change may not show in it, or if the folder is missing. */
async function stateOf(path: string): Promise<string | null> {
  const found = await nullWhenMissing(stat(path, { bigint: true }));
  if (found === null) return null;
  const { dev, ino, mtimeNs, ctimeNs } = found;
  const last = mtimeNs > ctimeNs ? mtimeNs : ctimeNs;
  const tick = last % 1_000_000_000n === 0n ? SECONDS_TICK_MS : TICK_MS;
  const age = Date.now() - Number(last / 1_000_000n);
  return age < tick ? null : `${dev} ${ino} ${mtimeNs} ${ctimeNs}`;
}

interface WantedPage {
  readonly after: string | null;
  readonly limit: number;
  readonly signal: AbortSignal | undefined;
}

async function pageOf(
  folder: ListedFolder,
  { names, others }: Snapshot,
  { after, limit, signal }: WantedPage,
): Promise<FolderPage> {
  const entries: FolderEntry[] = [];
  for (let at = after === null ? 0 : firstAfter(names, after); at < names.length; at++) {
    throwIfAborted(signal);
    const name = names[at] ?? "";
    const id = folder.id === ROOT ? name : `${folder.id}/${name}`;
    const other = others.get(name);
    const type = other === undefined ? "file" : await typeOf(other, folder.root, id);
    if (type === null) continue;
    const last = entries.at(-1);
    if (entries.length === limit && last) {
      return { entries, nextMarker: Buffer.from(last.name).toString("base64url") };
    }
    entries.push({ ref: { type, id }, name });
  }
  return { entries, nextMarker: null };
}

/** The index of the first of the sorted names that is greater than `after`. */
function firstAfter(names: readonly string[], after: string): number {
  let [low, high] = [0, names.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((names[middle] ?? "") > after) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Node reads names as bytes, to detect names that are not UTF-8; its types do not allow this for `opendir`. Bun and
 * Deno can only read names as text, with U+FFFD in place of bytes that are not UTF-8.
 */
const NAMES = (isNode() ? "buffer" : "utf8") as BufferEncoding;

/**
 * The entries of a folder. For a million files, this holds little more than their names. Excludes temporary files and
 * names that are not UTF-8.
 */
async function readNames(
  directory: Dir,
  signal: AbortSignal | undefined,
): Promise<Pick<Snapshot, "names" | "others">> {
  const names: string[] = [];
  const others = new Map<string, Dirent>();
  for await (const entry of directory) {
    throwIfAborted(signal);
    const name = nameOf(entry.name);
    if (name === null || idProblem(name) !== null) continue;
    names.push(name);
    if (!entry.isFile()) others.set(name, entry);
  }
  return { names: names.sort(), others };
}

function isNode(): boolean {
  return process.versions.bun === undefined && process.versions.deno === undefined;
}

/** Converts a name to text. Returns null if the name is not UTF-8. */
function nameOf(name: string | Buffer): string | null {
  if (typeof name === "string") return name.includes("\ufffd") ? null : name;
  return isUtf8(name) ? name.toString() : null;
}

/**
 * Returns the type of an entry; null if it is neither a file nor a folder, or is a link that is broken or leaves the
 * root.
 */
async function typeOf(dirent: Dirent, root: string, id: string): Promise<EntryType | null> {
  if (!dirent.isSymbolicLink()) return kindOf(dirent);
  try {
    const found = await locate(root, id);
    const target = found === null ? null : await nullWhenMissing(stat(found.path));
    return target === null ? null : kindOf(target);
  } catch (error) {
    if (isQuireError(error) && error.code === "forbidden") return null;
    throw error;
  }
}

function kindOf(entry: { isFile(): boolean; isDirectory(): boolean }): EntryType | null {
  if (entry.isFile()) return "file";
  return entry.isDirectory() ? "folder" : null;
}

function decodeMarker(marker: string, id: string): string {
  const name = Buffer.from(marker, "base64url").toString();
  if (Buffer.from(name).toString("base64url") === marker) return name;
  throw invalid(
    id,
    "the marker is not from this storage",
    "Pass the nextMarker of the previous page",
  );
}

function invalid(id: string, why: string, fix: string): QuireError {
  return new QuireError(
    "invalid_request",
    `The folder ${JSON.stringify(id)} cannot be listed: ${why}. ${fix}, or omit it.`,
  );
}
