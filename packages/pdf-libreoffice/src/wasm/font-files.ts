import { readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";

const FONT = /\.(?:ttf|otf|ttc|otc)$/i;

/**
 * Finds the font files in these folders and their subfolders, sorted by name within each folder. Follows links, and
 * skips files and folders that cannot be read.
 */
export async function fontFilesIn(folders: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  const seen = new Set<string>();
  for (const folder of folders) await collect(folder, files, seen);
  return files;
}

async function collect(folder: string, files: string[], seen: Set<string>): Promise<void> {
  const real = await realpath(folder).catch(() => null);
  if (real === null || seen.has(real)) return; // links may be circular
  seen.add(real);
  for (const name of (await readdir(real).catch(() => [])).sort()) {
    const path = join(real, name);
    const found = await stat(path).catch(() => null);
    if (found?.isDirectory()) await collect(path, files, seen);
    else if (found?.isFile() && FONT.test(name)) files.push(path);
  }
}
