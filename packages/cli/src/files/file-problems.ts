import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join, parse, resolve } from "node:path";
import { nearest, QuireError } from "@quire/core/host";
import { type Io, pathIn } from "../terminal/io.ts";

/** The folder for relative paths. */
type Cwd = Pick<Io, "cwd">;

/** Returns the system's code of an error, such as `ENOENT`; null for other errors. */
export function systemCode(error: unknown): string | null {
  const code = error instanceof Error && "code" in error ? error.code : null;
  return typeof code === "string" ? code : null;
}

/**
 * Returns the error for a file that cannot be read: `not_found`, with the reason and the file that is probably meant.
 * `isKind` tests whether a file has the expected kind, by its name.
 */
export function unreadable(
  io: Cwd,
  path: string,
  cause: unknown,
  isKind: (name: string) => boolean = () => false,
): QuireError {
  return new QuireError("not_found", whyUnreadable(io, path, systemCode(cause), isKind), { cause });
}

function whyUnreadable(
  io: Cwd,
  path: string,
  code: string | null,
  isKind: (name: string) => boolean,
): string {
  const file = JSON.stringify(path);
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
      return missing(io, path);
    case "EISDIR":
      return `${file} is a folder. Name a file in it${exampleIn(io, path, isKind)}.`;
    case "EACCES":
    case "EPERM":
      return `The file ${file} cannot be read: this user has no permission. Change the permissions of the file, or run Quire as its owner.`;
    case "ENAMETOOLONG":
      return `The file ${file} cannot be read: its name is too long. Name a file of this computer; data cannot be written into the command.`;
    default:
      return `The file ${file} cannot be read${code === null ? "" : ` (${code})`}. Check the disk or the network share that holds it.`;
  }
}

function missing(io: Cwd, path: string): string {
  const wrong = `The file ${JSON.stringify(path)} does not exist.`;
  const typed = typedWrongly(io, path);
  if (typed !== null) return `${wrong} ${typed}`;
  const folder = missingFolder(io, path);
  if (folder !== null) {
    const near = nearFile(io, folder);
    const meant = near === null ? "" : ` Did you mean ${JSON.stringify(near)}?`;
    return `${wrong} The folder ${JSON.stringify(folder)} does not exist.${meant || ` ${whereFrom(io)}`}`;
  }
  const near = nearFile(io, path);
  return near === null
    ? `${wrong} Check its name. ${whereFrom(io)}`
    : `${wrong} Did you mean ${JSON.stringify(near)}?`;
}

function whereFrom({ cwd }: Cwd): string {
  return `Relative paths begin in the folder ${JSON.stringify(resolve(cwd))}.`;
}

/** The start of a URL. */
const URL_START = /^[a-z][a-z0-9+.-]+:\/\//i;

/** Returns a hint for a path that the shell would have changed, or that comes from a word processor or from Windows. */
function typedWrongly(io: Cwd, path: string): string | null {
  if (path === "-") return "Only --data reads standard input. Write the file to disk first.";
  if (URL_START.test(path)) return "Files must be on this computer. Download it first.";
  const exists = (other: string): boolean => other !== path && existsSync(pathIn(io, other));
  const unquoted = path.replace(/^[\s"'“”„‟«»‘’`]+|[\s"'“”„‟«»‘’`]+$/gu, "");
  if (unquoted !== path) {
    return exists(unquoted)
      ? `Type it without the quotes and spaces that are part of this name: \`${unquoted}\`.`
      : 'Quotes and spaces are part of this name. Type straight quotes ("), or none.';
  }
  const slashes = path.replaceAll("\\", "/");
  if (exists(slashes)) return `Write "/" between folders: \`${slashes}\`.`;
  if (path.startsWith("~")) {
    return "The shell replaces ~ only at the beginning of a word without quotes. Write the whole path.";
  }
  if (/[*?]/.test(path)) return "No file matches this pattern. Check the folder and the pattern.";
  return path.includes("{{") ? "A path has no tags. Write the name of one file." : null;
}

/** Returns the outermost folder of a path that does not exist; null if the whole folder of the file exists. */
export function missingFolder(io: Cwd, path: string): string | null {
  let folder = dirname(path);
  let found: string | null = null;
  while (!existsSync(pathIn(io, folder)) && folder !== dirname(folder)) {
    found = folder;
    folder = dirname(folder);
  }
  return found;
}

/**
 * Returns the file or folder next to a path that has the most similar name, or the same name with another extension.
 */
function nearFile(io: Cwd, path: string): string | null {
  const folder = dirname(path);
  const names = namesIn(io, folder).filter((name) => !name.startsWith("."));
  const name = basename(path);
  const stem = (each: string): string => parse(each).name.toLowerCase();
  const near = nearest(name, names) ?? names.find((each) => stem(each) === stem(name)) ?? null;
  return near === null ? null : join(folder, near);
}

function namesIn(io: Cwd, folder: string): string[] {
  try {
    return readdirSync(pathIn(io, folder)).sort().slice(0, MAX_NAMES);
  } catch {
    return [];
  }
}

/** Maximum number of names in a folder to search for a similar name. */
const MAX_NAMES = 10_000;

/** Names an example of a file in a folder, for a message, or an empty string. */
function exampleIn(io: Cwd, folder: string, isKind: (name: string) => boolean): string {
  const name = namesIn(io, folder).find(isKind);
  return name === undefined ? "" : `, for example ${JSON.stringify(join(folder, name))}`;
}

/** Returns the error for a file or folder that cannot be written: `storage_failed`, with the reason and what to do. */
export function unwritable(io: Cwd, path: string, cause: unknown): QuireError {
  const code = systemCode(cause);
  const reason = URL_START.test(path)
    ? "it is a URL, and only quire run writes to buckets. Name a file on this computer."
    : whyUnwritable(io, path, code);
  return reason === null
    ? new QuireError(
        "storage_failed",
        `${JSON.stringify(path)} cannot be written${code === null ? "" : ` (${code})`}. Check the disk or the network share that holds it.`,
        { cause },
      )
    : new QuireError("storage_failed", `${JSON.stringify(path)} cannot be written: ${reason}`);
}

/** Returns why a file or folder cannot be written, as the end of a sentence; null for an unusual error. */
export function whyUnwritable(io: Cwd, path: string, code: string | null): string | null {
  switch (code) {
    case "ENOENT": {
      const folder = missingFolder(io, path);
      return folder === null
        ? null
        : `the folder ${JSON.stringify(dirname(path))} does not exist. Create it first, or choose a different one.`;
    }
    case "EEXIST":
      return "it is a file, but a folder is needed. Name another folder, or move the file away.";
    case "ENOTDIR":
      return "a part of the path is a file, not a folder. Choose another path.";
    case "EISDIR":
    case "ENOTEMPTY":
      return `it is a folder. Name a file, for example ${JSON.stringify(join(path, "letter.docx"))}.`;
    case "EACCES":
    case "EPERM":
      return "this user has no permission. Change the permissions of the folder, or choose a different one.";
    case "EROFS":
      return "its file system is read-only. Choose a folder on a different disk.";
    case "ENOSPC":
    case "EDQUOT":
      return "there is no space left on the disk. Free some space, or name a folder on another disk.";
    case "ENAMETOOLONG":
      return "the name is too long. Choose a shorter one.";
    default:
      return null;
  }
}

/** Adds the name of the file to an error of the compiler, which does not know the name. */
export function withName(error: QuireError, path: string): QuireError {
  const [, end] = /This file cannot be used as a Word template: (.+)$/s.exec(error.message) ?? [];
  if (end === undefined) return error;
  const advice = /^it is (?:empty|not a zip archive)/.test(end)
    ? " Name a .docx file that Word or LibreOffice has saved."
    : "";
  const { code, cause, retryable, diagnostics } = error;
  return new QuireError(
    code,
    `The file ${JSON.stringify(path)} cannot be used as a Word document: ${end}${advice}`,
    { cause, retryable, diagnostics },
  );
}
