import { lstat, mkdir, readdir, rmdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { nullWhenMissing, systemCode } from "./problems.ts";
import { sweep } from "./temporary-files.ts";

/** A folder within another one: where that stands, and the name in it. */
export interface FolderPlace {
  /** The path of the folder around it. */
  readonly parent: string;
  readonly name: string;
}

/** Makes a folder. False when something stood there already, whatever it was. */
export async function makeFolder({ parent, name }: FolderPlace): Promise<boolean> {
  try {
    await mkdir(join(parent, name));
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** Whether something other than a folder has the name, even a broken link. */
export async function isOther({ parent, name }: FolderPlace): Promise<boolean> {
  const found = await nullWhenMissing(lstat(join(parent, name)));
  return found !== null && !found.isDirectory();
}

/**
 * Removes a folder that is empty except for leftovers of dead writers. `target` is the path of the open folder. False
 * when anything else is in it. Of a symbolic link to a folder, only the link is removed.
 */
export async function removeEmptyFolder(
  { parent, name }: FolderPlace,
  target: string,
): Promise<boolean> {
  const path = join(parent, name);
  if ((await nullWhenMissing(lstat(path)))?.isSymbolicLink()) return removeLink(path, target);
  if (await removed(path)) return true;
  await sweep(target);
  return removed(path);
}

/** Whether there is no such folder any more. */
async function removed(path: string): Promise<boolean> {
  try {
    await nullWhenMissing(rmdir(path));
    return true;
  } catch (error) {
    // POSIX allows both.
    if (["ENOTEMPTY", "EEXIST"].includes(systemCode(error) ?? "")) return false;
    throw error;
  }
}

async function removeLink(path: string, target: string): Promise<boolean> {
  await sweep(target);
  if (((await nullWhenMissing(readdir(target))) ?? []).length > 0) return false;
  await nullWhenMissing(unlink(path));
  return true;
}
