import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

/**
 * A path that always leads to this folder. Hostile code in LibreOffice could replace the folder by a link, since it can
 * write there. This process keeps the folder open until it ends. On other systems than Linux: the path itself.
 */
export function heldFolder(path: string): string {
  if (process.platform !== "linux") return path;
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
  return `/proc/self/fd/${openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)}`;
}

/** The bytes of a file; null when it is missing, a link, or not a plain file. */
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
