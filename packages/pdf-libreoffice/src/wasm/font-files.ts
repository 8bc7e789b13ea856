import { readdir } from "node:fs/promises";
import { join } from "node:path";

const FONT = /\.(?:ttf|otf|ttc)$/i;

/** The font files in some folders and those below, in the order of their names. */
export async function fontFilesIn(folders: readonly string[]): Promise<string[]> {
  const lists = await Promise.all(
    folders.map(async (folder) => {
      const files = await readdir(folder, { recursive: true, withFileTypes: true });
      return files
        .filter((file) => file.isFile() && FONT.test(file.name))
        .map((file) => join(file.parentPath, file.name))
        .sort();
    }),
  );
  return lists.flat();
}
