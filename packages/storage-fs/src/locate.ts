import { realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { type FileInfo, type FolderRef, QuireError } from "@quire/contracts";
import { nullWhenMissing } from "./fs-errors.ts";

/** The id of the root folder. */
export const ROOT = ".";

/** The prefix of the names of unfinished files. Ids and listings exclude such names. */
export const TEMP_PREFIX = ".quire-tmp-";

/** Whether the name belongs to an unfinished file. Ignores case, because file systems may fold it. */
export function isTempName(name: string): boolean {
  return name.toLowerCase().startsWith(TEMP_PREFIX);
}

/** The real paths of an entry and of the root. */
export interface Located {
  readonly path: string;
  readonly root: string;
}

/**
 * Finds the real path of a file or folder; null if the file or folder does not exist. Rejects `forbidden` for an
 * invalid id, and for an id that leads out of the root through a symbolic link.
 */
export async function locate(root: string, id: string): Promise<Located | null> {
  const segments = parseId(id);
  const realRoot = await realRootOf(root);
  let path = realRoot;
  // Resolved one segment at a time from the top, so that no path beyond a link that leads out is ever accessed.
  for (const segment of segments) {
    const next = await nullWhenMissing(realpath(join(path, segment)));
    if (next === null) return null;
    if (!isInside(realRoot, next)) throw leadsOut(id);
    path = next;
  }
  return { path, root: realRoot };
}

/** Returns the error for an id that leads out of the root. */
export function leadsOut(id: string): QuireError {
  return new QuireError(
    "forbidden",
    `The id ${JSON.stringify(id)} leads out of the storage's root through a symbolic link. ` +
      "Put the file itself below the root, or choose a root that contains both.",
  );
}

/** Splits an id into segments; empty for the root. Throws `forbidden` for an invalid id. */
export function parseId(id: string): readonly string[] {
  if (id === ROOT) return [];
  const problem = idProblem(id);
  if (problem !== null) {
    throw new QuireError(
      "forbidden",
      `The id ${JSON.stringify(id)} ${problem}. Use a path below the storage's root, its segments ` +
        'joined by "/", or "." for the root folder.',
    );
  }
  return id.split("/");
}

/** The id of an entry of a folder. */
export function childOf(folder: FolderRef, name: string): string {
  return folder.id === ROOT ? name : `${folder.id}/${name}`;
}

/** The metadata of a file. */
export function describe(id: string, size: number, version: string): FileInfo {
  return { ref: { type: "file", id }, version, name: parseId(id).at(-1) ?? id, size };
}

/** Returns why an id is invalid, as the end of a sentence ("it …"); null if the id is valid. */
export function idProblem(id: string): string | null {
  if (id.includes("\0")) return "contains a NUL character";
  if (id.includes("\\")) return "contains a backslash";
  if (!id.isWellFormed()) return "contains a lone surrogate";
  if (id.startsWith("/")) return "is an absolute path";
  for (const segment of id.split("/")) {
    if (segment === "") return "is empty or has an empty segment";
    if (segment === "..") return 'has a segment ".."';
    if (segment === ".") return 'has a segment "."';
    if (isTempName(segment)) return "names a temporary file of the storage";
  }
  return null;
}

/** Returns the real path of the root. Rejects `not_found` if the root is not a folder. */
export async function realRootOf(root: string): Promise<string> {
  const path = await nullWhenMissing(realpath(root));
  if (path !== null && (await stat(path)).isDirectory()) return path;
  throw new QuireError(
    "not_found",
    `The storage's root ${JSON.stringify(root)} ${path === null ? "does not exist" : "is not a folder"}. ` +
      "Create the folder, or pass the path of an existing folder to fsStorage.",
  );
}

/** Whether a real path is the root or below it. */
export function isInside(realRoot: string, path: string): boolean {
  const prefix = realRoot.endsWith(sep) ? realRoot : realRoot + sep;
  return path === realRoot || path.startsWith(prefix);
}
