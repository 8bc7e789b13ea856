import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { QuireError } from "@quire/contracts";
import { assertFontLimits, facesOf } from "@quire/docx/internal/values/image/fonts/font-set";

const FONT = /\.(?:ttf|otf|ttc|otc)$/i;
const WEB_FONT = /\.(?:woff2?|eot)$/i;

/** Maximum number of files and folders in the folder. */
const MAX_ENTRIES = 10_000;

/**
 * Reads the font files in a folder and its subfolders (.ttf, .otf, .ttc and .otc), for `svgFonts` of `renderPool` and
 * `renderInProcess` and for `fonts` of `prepareImages`. They are sorted by their paths, so that the order is the same on
 * each machine. Other files and hidden files are ignored; links to folders are not followed. Rejects with
 * `invalid_request`, naming the file: for a folder that does not exist or has no fonts, for a font that is damaged or
 * compressed for web pages (WOFF), and for more than 100 files or 50 MB.
 */
export async function readFontFolder(folder: string): Promise<readonly Uint8Array[]> {
  const paths = await fontsBelow(folder);
  if (paths.length === 0) {
    throw invalid(`The folder ${JSON.stringify(folder)} has no font files (.ttf, .otf or .ttc).`);
  }
  const what = `The folder ${JSON.stringify(folder)}`;
  assertFontLimits(paths.length, 0, what);
  const sizes = await Promise.all(paths.map(sizeOf));
  assertFontLimits(
    paths.length,
    sizes.reduce((sum, size) => sum + size, 0),
    what,
  );
  const files: Uint8Array[] = [];
  for (const path of paths) {
    const bytes = await readFile(path).catch((cause: unknown) => {
      throw unreadable(path, cause);
    });
    facesOf(bytes, `The font file ${JSON.stringify(path)}`);
    files.push(bytes);
  }
  return files;
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

function unreadable(path: string, cause: unknown): QuireError {
  return invalid(
    `The font file ${JSON.stringify(path)} cannot be read. Check the file and its permissions.`,
    cause,
  );
}

/** Returns the paths of the fonts in ascending order. */
async function fontsBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (cause: unknown) => {
      throw invalid(
        `The folder ${JSON.stringify(folder)} for fonts cannot be read. Name an existing folder with .ttf or .otf files.`,
        cause,
      );
    },
  );
  if (entries.length > MAX_ENTRIES) {
    throw invalid(
      `The folder ${JSON.stringify(folder)} has more than ${MAX_ENTRIES} files. Name a folder that has only the fonts.`,
    );
  }
  const keyed = entries
    .filter(({ name }) => !name.startsWith(".") && (FONT.test(name) || WEB_FONT.test(name)))
    .filter((entry) => entry.isFile() || entry.isSymbolicLink())
    .map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return { path, key: relative(folder, path).replaceAll(sep, "/") };
    })
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  return keyed.map(({ path }) => path);
}

function invalid(message: string, cause?: unknown): QuireError {
  return new QuireError("invalid_request", message, cause === undefined ? {} : { cause });
}
