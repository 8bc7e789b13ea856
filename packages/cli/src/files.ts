import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, readlink, realpath, rename, rm, stat } from "node:fs/promises";
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

/** Throws `invalid_request` when a file to write is one of those that are read, also by a link. */
export async function refuseToReplace(path: string, inputs: readonly string[]): Promise<void> {
  const target = await realpath(path).catch(() => null);
  if (target === null) return;
  for (const input of inputs) {
    if ((await realpath(input).catch(() => null)) !== target) continue;
    throw new QuireError(
      "invalid_request",
      `The output ${JSON.stringify(path)} is the same file as ${JSON.stringify(input)}, which would be lost. Name another output.`,
    );
  }
}

/**
 * Writes the one file a command makes, replacing what is there: whole or not at all, because it is
 * written beside it first. The new file has the old one's mode; a symbolic link stays one, and what it
 * leads to is replaced. Rejects `storage_failed`.
 */
export async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  let temporary: string | null = null;
  try {
    const target = await linkTarget(path);
    const old = await stat(target).catch(() => null);
    temporary = join(dirname(target), `.quire-tmp-${randomUUID()}`);
    const file = await open(temporary, "wx", old === null ? 0o666 : old.mode & 0o777);
    try {
      if (old !== null) await file.chmod(old.mode & 0o777); // the umask took some of it
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, target);
  } catch (cause) {
    if (temporary !== null) await rm(temporary, { force: true }).catch(() => {});
    throw unwritable(path, cause);
  }
}

/** Where a path leads when its links are followed, also when nothing is there yet. */
async function linkTarget(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  }
  const link = await readlink(path).catch(() => null);
  return link === null ? path : linkTarget(resolve(await realpath(dirname(path)), link));
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
