import { lstat, mkdir, readdir, rmdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { nullWhenMissing, systemCode } from "./fs-errors.ts";
import { removeLeftovers } from "./temporary-files.ts";

/** The location of a folder: its parent folder and its name. */
export interface FolderPlace {
  /** The path of the parent folder. */
  readonly parent: string;
  readonly name: string;
}

/** Creates a folder. Returns false if an entry of any kind already has the name. */
export async function makeFolder({ parent, name }: FolderPlace): Promise<boolean> {
  try {
    await mkdir(join(parent, name));
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** Whether an entry that is not a folder has the name. A symbolic link counts, even if it is broken. */
export async function isOther({ parent, name }: FolderPlace): Promise<boolean> {
  const found = await nullWhenMissing(lstat(join(parent, name)));
  return found !== null && !found.isDirectory();
}

/**
 * Removes a folder that is empty except for temporary files of dead processes. `target` is the path of the open folder.
 * Returns false if the folder contains anything else. If a symbolic link leads to the folder, removes only the link.
 */
export async function removeEmptyFolder(
  { parent, name }: FolderPlace,
  target: string,
): Promise<boolean> {
  const path = join(parent, name);
  if ((await nullWhenMissing(lstat(path)))?.isSymbolicLink()) return removeLink(path, target);
  if (await removed(path)) return true;
  await removeLeftovers(target);
  return removed(path);
}

/** Removes a folder. Returns false if the folder is not empty; a missing folder is not an error. */
async function removed(path: string): Promise<boolean> {
  try {
    await nullWhenMissing(rmdir(path));
    return true;
  } catch (error) {
    // POSIX allows either code for a folder that is not empty.
    if (["ENOTEMPTY", "EEXIST"].includes(systemCode(error) ?? "")) return false;
    throw error;
  }
}

async function removeLink(path: string, target: string): Promise<boolean> {
  await removeLeftovers(target);
  if (((await nullWhenMissing(readdir(target))) ?? []).length > 0) return false;
  await nullWhenMissing(unlink(path));
  return true;
}
