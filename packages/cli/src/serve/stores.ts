import { access, mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { isQuireError, QuireError } from "@quire/core/host";
import { type SqliteStores, sqliteStores } from "@quire/jobs-sqlite";
import { realCause } from "../files/command-files.ts";
import { systemCode, whyUnwritable } from "../files/file-problems.ts";
import type { Io } from "../terminal/io.ts";

const DATABASE = "quire.db";

/** Opens the stores of a data folder, and creates the folder if it is missing. The caller closes the stores. */
export async function openStores(io: Io, data: string, maxWaiting?: number): Promise<SqliteStores> {
  const folder = resolve(io.cwd, data);
  try {
    // Only the owner may read the folder.
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const code = systemCode(await realCause(io, data, cause));
    const why = whyUnwritable(io, data, code) ?? "the file system failed.";
    throw new QuireError(
      "storage_failed",
      `The data folder ${JSON.stringify(folder)} cannot be created: ${why} Choose it with --data.`,
      { cause },
    );
  }
  try {
    const path = join(folder, DATABASE);
    return sqliteStores({ path, ...(maxWaiting === undefined ? {} : { maxWaiting }) });
  } catch (cause) {
    throw isQuireError(cause) ? unusable(folder, cause) : cause;
  }
}

/** Opens the stores of an existing data folder. Rejects `not_found` if it has no database. */
export async function openExistingStores(io: Io, data: string): Promise<SqliteStores> {
  const folder = resolve(io.cwd, data);
  await access(join(folder, DATABASE)).catch((cause: unknown) => {
    throw new QuireError(
      "not_found",
      `There is no service in the data folder ${JSON.stringify(folder)}. Name the data folder of quire serve with --data.`,
      { cause },
    );
  });
  return openStores(io, data);
}

function unusable(folder: string, { code, message, cause, retryable }: QuireError): QuireError {
  const why = message.replace(/^The job store ".*?" failed: /s, "");
  return new QuireError(
    code,
    `The data folder ${JSON.stringify(folder)} cannot be used: ${why} Or choose another folder with --data.`,
    { cause, retryable },
  );
}
