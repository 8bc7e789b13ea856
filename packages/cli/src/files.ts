import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, realpath, rename, rm } from "node:fs/promises";
import { basename, dirname, join, parse, relative, resolve, sep } from "node:path";
import { QuireError } from "@quire/core";
import { unreadable } from "./data/entry.ts";

/** Reads a file that was named on the command line. Rejects `not_found`. */
export async function readInput(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

/**
 * Writes the one file a command makes, replacing what is there: whole or not at all, because it is
 * written beside it first. Rejects `storage_failed`.
 */
export async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = join(dirname(path), `.quire-tmp-${randomUUID()}`);
  try {
    const file = await open(temporary, "wx");
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (cause) {
    await rm(temporary, { force: true }).catch(() => {});
    throw unwritable(path, cause);
  }
}

/** Makes sure that a folder is there and can be written to. Rejects `storage_failed`. */
export async function prepareFolder(path: string): Promise<void> {
  const probe = join(path, `.quire-tmp-${randomUUID()}`);
  try {
    await mkdir(path, { recursive: true });
    await (await open(probe, "wx")).close();
    await rm(probe);
  } catch (cause) {
    throw unwritable(path, cause);
  }
}

function unwritable(path: string, cause: unknown): QuireError {
  const reason = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
  return new QuireError(
    "storage_failed",
    `${JSON.stringify(path)} cannot be written${reason}. Check that the folder exists, that you may write there and that the disk is not full.`,
    { cause },
  );
}

/** Two paths as ids of one storage: its root is the deepest folder that holds both. */
export interface SharedRoot {
  readonly root: string;
  readonly fileId: string;
  readonly folderId: string;
}

/** Finds the storage root for a template file and an output folder, links resolved. */
export async function sharedRoot(file: string, folder: string): Promise<SharedRoot> {
  const realFile = await realpath(file);
  const realFolder = await realpath(folder);
  const volume = parse(realFile).root;
  if (parse(realFolder).root !== volume) {
    throw new QuireError(
      "invalid_request",
      "The template and the output folder must be on the same volume.",
    );
  }
  const a = segments(dirname(realFile));
  const b = segments(realFolder);
  let shared = 0;
  while (shared < a.length && a[shared] === b[shared]) shared += 1;
  const root = resolve(volume, ...a.slice(0, shared));
  return {
    root,
    fileId: segments(relative(root, realFile)).join("/"),
    folderId: segments(relative(root, realFolder)).join("/") || ".",
  };
}

function segments(path: string): string[] {
  return path
    .slice(parse(path).root.length)
    .split(sep)
    .filter((segment) => segment !== "");
}

/** A file's name without its folder and extension. */
export function stem(path: string): string {
  return basename(path).replace(/\.[^.]*$/, "");
}
