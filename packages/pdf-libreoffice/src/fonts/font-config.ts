import { existsSync } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { type Diagnostic, QuireError } from "@quire/contracts";
import { escapeXml } from "../office/escape-xml.ts";

/** The host's settings that determine where its fonts are. */
export interface FontConfigHost {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
}

const USUAL_FOLDER = "/etc/fonts";

/** Homebrew's folders for both processor types. */
const HOMEBREW_FOLDERS = ["/opt/homebrew/etc/fonts", "/usr/local/etc/fonts"];

/**
 * Returns a configuration for `FONTCONFIG_FILE` that includes the host's own configuration and adds `folders`.
 * Fontconfig caches the contents of all folders in `cacheDir`. All paths are absolute.
 */
export function fontConfig(
  folders: readonly string[],
  cacheDir: string,
  host: FontConfigHost = { environment: process.env, platform: process.platform },
): string {
  const include = `  <include ignore_missing="yes">${escapeXml(hostFile(host))}</include>`;
  const dirs = folders.map((folder) => `  <dir>${escapeXml(folder)}</dir>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <cachedir>${escapeXml(cacheDir)}</cachedir>
${[include, ...dirs].join("\n")}
</fontconfig>
`;
}

/** Returns the file that fontconfig would read first: the first candidate that exists. */
function hostFile({ environment, platform }: FontConfigHost): string {
  const name = environment.FONTCONFIG_FILE || "fonts.conf";
  if (isAbsolute(name)) return name;
  const folders = [
    ...(environment.FONTCONFIG_PATH ?? "").split(":").filter(isAbsolute),
    ...(platform === "darwin" ? HOMEBREW_FOLDERS : []),
    USUAL_FOLDER,
  ];
  const files = folders.map((folder) => join(folder, name));
  return files.find((file) => existsSync(file)) ?? join(USUAL_FOLDER, name);
}

/** Where LibreOffice may have its own fonts, relative to the folder of its program. */
const OFFICE_FOLDERS = ["../share/fonts/truetype", "../Resources/fonts/truetype"];

/**
 * Finds the folders with LibreOffice's own fonts, which fontconfig does not know. The Document Foundation's packages
 * contain about 100 fonts; Debian's packages contain none.
 */
export async function officeFontFolders(sofficePath: string): Promise<string[]> {
  try {
    const program = dirname(await realpath(sofficePath));
    const folders = OFFICE_FOLDERS.map((folder) => join(program, folder));
    const found = await Promise.all(
      folders.map(async (folder) => ((await hasFiles(folder)) ? [folder] : [])),
    );
    return found.flat();
  } catch {
    return [];
  }
}

async function hasFiles(folder: string): Promise<boolean> {
  return (await readdir(folder).catch(() => [])).length > 0;
}

/**
 * Resolves folders to absolute paths. Rejects with `invalid_request` and a diagnostic for each path that does not
 * exist, cannot be read, is not a folder, or cannot be passed to fontconfig.
 */
export async function checkFontFolders(folders: readonly string[]): Promise<string[]> {
  const problems = await Promise.all(folders.map(problemOf));
  const diagnostics = problems.flatMap((problem) => problem ?? []);
  const [first] = diagnostics;
  if (first === undefined) return folders.map((folder) => resolve(folder));
  const more = diagnostics.length - 1;
  throw new QuireError(
    "invalid_request",
    more === 0
      ? first.message
      : `${first.message} The diagnostics list ${more} more in fontFolders.`,
    { diagnostics },
  );
}

async function problemOf(folder: string, index: number): Promise<Diagnostic | null> {
  const reason = await reasonAgainst(folder);
  if (reason === null) return null;
  return {
    severity: "error",
    code: "wrong_value",
    message: `The font folder ${JSON.stringify(folder)} ${reason}.`,
    hint: "List folders that contain font files (.ttf, .otf, .ttc).",
    pointer: `/fontFolders/${index}`,
  };
}

async function reasonAgainst(folder: string): Promise<string | null> {
  if (folder.trim() === "") return "is an empty path";
  // XML cannot represent control characters, and fontconfig trims white space.
  if (/\p{Cc}|^\s|\s$/u.test(folder))
    return "has control characters in its name, or white space at either end";
  try {
    return (await stat(folder)).isDirectory() ? null : "is not a folder";
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    return isMissing ? "does not exist" : "cannot be read";
  }
}
