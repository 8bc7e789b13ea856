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

/**
 * Reads a page of a folder's entries, sorted by name in UTF-16 code units. Returns null if the path is not a folder.
 */
export async function listFolder(
  folder: ListedFolder,
  options: ListOptions,
): Promise<FolderPage | null> {
  const { limit = 1000, marker, signal } = options;
  if (!Number.isInteger(limit) || limit < 1) {
    throw invalid(folder.id, "the limit must be an integer of at least 1", "Pass a valid limit");
  }
  const after = marker === undefined ? null : decodeMarker(marker, folder.id);
  const directory = await nullWhenMissing(
    opendir(folder.path, { encoding: NAMES, bufferSize: 512 }),
  );
  if (directory === null) return null;
  const { names, others } = await namesAfter(directory, after, signal);
  const entries: FolderEntry[] = [];
  for (const name of names) {
    throwIfAborted(signal);
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

/**
 * Node reads names as bytes, to detect names that are not UTF-8; its types do not allow this for `opendir`. Bun and
 * Deno can only read names as text, with U+FFFD in place of bytes that are not UTF-8.
 */
const NAMES = (isNode() ? "buffer" : "utf8") as BufferEncoding;

/** The entries of a folder. For a million files, this holds little more than their names. */
interface Names {
  /** The sorted names that can be part of an id. Excludes temporary files and names that are not UTF-8. */
  readonly names: readonly string[];
  /** The entries that are not plain files. */
  readonly others: ReadonlyMap<string, Dirent>;
}

async function namesAfter(
  directory: Dir,
  after: string | null,
  signal: AbortSignal | undefined,
): Promise<Names> {
  const names: string[] = [];
  const others = new Map<string, Dirent>();
  for await (const entry of directory) {
    throwIfAborted(signal);
    const name = nameOf(entry.name);
    if (name === null || (after !== null && name <= after) || idProblem(name) !== null) continue;
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
