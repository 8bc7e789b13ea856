import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

/**
 * A name for a folder that leads to this one whatever is put in its place later: what LibreOffice may write to, code in
 * it may also replace by a link. The folder is held until this process ends. Elsewhere than on Linux it is the path.
 */
export function heldFolder(path: string): string {
  if (process.platform !== "linux") return path;
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
  return `/proc/self/fd/${openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)}`;
}

/** The bytes of a file; null when there is none, or a link or anything else in its place. */
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
