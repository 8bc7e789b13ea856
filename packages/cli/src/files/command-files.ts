import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import {
  link,
  mkdir,
  open,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
} from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { isQuireError, QuireError } from "@quire/core/host";
import { type Io, pathIn } from "../terminal/io.ts";
import { missingFolder, systemCode, unreadable, unwritable } from "./file-problems.ts";

/** The folder for relative paths. */
type Cwd = Pick<Io, "cwd">;

/** Reads a file named on the command line. Rejects `not_found`. For `isKind`, see `unreadable`. */
export async function readInput(
  io: Cwd,
  path: string,
  isKind?: (name: string) => boolean,
): Promise<Uint8Array> {
  try {
    return await readFile(pathIn(io, path));
  } catch (cause) {
    throw unreadable(io, path, cause, isKind);
  }
}

/** Returns the error for an output whose name does not end in one of these extensions. */
export function badOutput(io: Cwd, path: string, extensions: readonly string[]): QuireError {
  const [extension = ""] = extensions;
  const isFolder = existsSync(join(pathIn(io, path), "."));
  const name = isFolder || /^\W*$/.test(stem(path)) ? "document" : stem(path);
  const example = join(isFolder ? path : dirname(path), `${name}${extension}`);
  return new QuireError(
    "invalid_request",
    `The output ${JSON.stringify(path)} must end in ${extensions.join(" or ")}, for example \`--out ${example}\`.`,
  );
}

/** Throws `invalid_request` if an output file is also an input file, even through a link. */
export async function refuseToReplace(
  io: Cwd,
  path: string,
  inputs: readonly string[],
): Promise<void> {
  const target = await realpath(pathIn(io, path)).catch(() => null);
  if (target === null) return;
  for (const input of inputs) {
    if ((await realpath(pathIn(io, input)).catch(() => null)) !== target) continue;
    throw new QuireError(
      "invalid_request",
      `The output ${JSON.stringify(path)} is the same file as ${JSON.stringify(input)}, which would be overwritten. Choose another name with --out.`,
    );
  }
}

/**
 * Writes the output file of a command and atomically replaces an existing file: it writes a temporary file in the same
 * folder first. The new file keeps the mode of the old one. For a symbolic link, it replaces the target and keeps the
 * link. Rejects `storage_failed`.
 */
export async function replaceFile(
  io: Cwd,
  path: string,
  bytes: Uint8Array | string,
): Promise<void> {
  await replaceFileWith(io, path, (write) => write(bytes));
}

/** Appends to the file. If that fails, rejects with the error of the system. */
export type Write = (content: Uint8Array | string) => Promise<void>;

/**
 * Like {@link replaceFile}, but `fill` writes the content in pieces. If `fill` rejects, the old file is kept. This
 * function then rejects with the same error, or with `storage_failed` for an error of the system.
 */
export async function replaceFileWith<Result>(
  io: Cwd,
  path: string,
  fill: (write: Write) => Promise<Result>,
): Promise<Result> {
  try {
    const target = await linkTarget(pathIn(io, path));
    const old = await stat(target).catch(() => null);
    return await withTemporary(target, fill, old?.mode ?? null, (temporary) =>
      rename(temporary, target),
    );
  } catch (cause) {
    throw isQuireError(cause) || !isFromSystem(cause) ? cause : unwritable(io, path, cause);
  }
}

/** Atomically writes a new file. Rejects `conflict` if the path exists, and `storage_failed` if writing fails. */
export async function createFile(io: Cwd, path: string, bytes: Uint8Array): Promise<void> {
  const target = pathIn(io, path);
  try {
    await withTemporary(
      target,
      (write) => write(bytes),
      null,
      (temporary) => link(temporary, target),
    );
  } catch (cause) {
    if (systemCode(cause) !== "EEXIST") throw unwritable(io, path, cause);
    throw new QuireError(
      "conflict",
      `${JSON.stringify(path)} already exists. To replace it, name it with --out.`,
    );
  }
}

/** Writes and syncs a temporary file in the target's folder, passes its path to `handOver`, and removes the file. */
async function withTemporary<Result>(
  target: string,
  fill: (write: Write) => Promise<Result>,
  mode: number | null,
  handOver: (temporary: string) => Promise<void>,
): Promise<Result> {
  const temporary = join(dirname(target), `.quire-tmp-${randomUUID()}`);
  try {
    const file = await open(temporary, "wx", mode === null ? 0o666 : mode & 0o777);
    let result: Result;
    try {
      if (mode !== null) await file.chmod(mode & 0o777); // the umask may have removed some bits
      result = await fill((content) => file.writeFile(content)); // each call appends
      await file.sync();
    } finally {
      await file.close();
    }
    await handOver(temporary);
    return result;
  } finally {
    await rm(temporary, { force: true }).catch(() => {});
  }
}

/** Follows the links of a path, even if their target does not exist yet. */
async function linkTarget(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
  }
  const link = await readlink(path).catch(() => null);
  return link === null ? path : linkTarget(resolve(await realpath(dirname(path)), link));
}

/** Creates a folder if it is missing, and checks that it is writable. Rejects `storage_failed`. */
export async function prepareFolder(io: Cwd, path: string): Promise<void> {
  const folder = pathIn(io, path);
  const probe = join(folder, `.quire-tmp-${randomUUID()}`);
  try {
    await mkdir(folder, { recursive: true });
    await (await open(probe, "wx")).close();
    await rm(probe);
  } catch (cause) {
    throw unwritable(io, path, await realCause(io, path, cause));
  }
}

/** Returns the real error of creating a folder. Node reports ENOENT for any error if it creates several at once. */
export async function realCause(io: Cwd, path: string, cause: unknown): Promise<unknown> {
  const first = missingFolder(io, join(path, "any"));
  if (systemCode(cause) !== "ENOENT" || first === null) return cause;
  return mkdir(pathIn(io, first)).then(
    () => cause,
    (error: unknown) => error,
  );
}

function isFromSystem(error: unknown): boolean {
  return error instanceof Error && "code" in error && "errno" in error;
}

/** Returns the name of a file without its folder and extension. */
export function stem(path: string): string {
  return basename(path).replace(/\.[^.]*$/, "");
}
