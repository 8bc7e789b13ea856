import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

/**
 * Returns a path that always leads to this folder. Hostile code in LibreOffice can write to the parent folder and could
 * replace the folder with a link. The folder stays open until this process ends. On systems other than Linux, returns
 * the path itself.
 */
export function heldFolder(path: string): string {
  if (process.platform !== "linux") return path;
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
  return `/proc/self/fd/${openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)}`;
}

/** Reads a file. Returns null if the file is missing, a link, or not a regular file. */
export function readPlainFile(path: string): Buffer | null {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  let file: number;
  try {
    file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    return fstatSync(file).isFile() ? readFileSync(file) : null;
  } finally {
    closeSync(file);
  }
}
