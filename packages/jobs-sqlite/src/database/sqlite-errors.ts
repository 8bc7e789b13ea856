import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { isQuireError, QuireError } from "@quire/contracts";

/** Primary result codes of SQLite (https://sqlite.org/rescode.html). */
const BUSY = 5;
const LOCKED = 6;
const READ_ONLY = 8;
const IO_ERROR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANNOT_OPEN = 14;
const NOT_A_DATABASE = 26;

interface Reason {
  readonly why: string;
  readonly fix: string;
  readonly retryable?: boolean;
}

const REASONS: Readonly<Record<number, Reason>> = {
  [BUSY]: {
    why: "another process has kept it locked for too long",
    fix: "Check what that process is doing, then try again.",
    retryable: true,
  },
  [LOCKED]: {
    why: "another process has kept it locked for too long",
    fix: "Check what that process is doing, then try again.",
    retryable: true,
  },
  [READ_ONLY]: {
    why: "it cannot be written",
    fix: "Give the user that runs Quire write permission for the file and its folder.",
  },
  [IO_ERROR]: {
    why: "the disk failed",
    fix: "Committed work is safe. Check the disk, then restart the process.",
  },
  [CORRUPT]: {
    why: "the file is damaged",
    fix: "Restore the file from a backup. `PRAGMA integrity_check` describes the damage.",
  },
  [FULL]: {
    why: "there is no space left on the disk",
    fix: "Free some space, then try again.",
    retryable: true,
  },
  [CANNOT_OPEN]: {
    why: "it cannot be opened",
    fix: "Check that its folder exists and that the user that runs Quire may write to it.",
  },
  [NOT_A_DATABASE]: {
    why: "it is not a SQLite file",
    fix: "Pass the path of a job store, or of a file that does not exist yet.",
  },
};

function unknown(error: unknown): Reason {
  return { why: "SQLite reported an error", fix: `The error is: ${String(error)}` };
}

/** Converts an error from SQLite into the `QuireError` that the port specifies. Returns a `QuireError` unchanged. */
export function toQuireError(error: unknown, path: string): QuireError {
  if (isQuireError(error)) return error;
  const found = codeOf(error) ?? (hasSystemCode(error) ? CANNOT_OPEN : null);
  // On some file systems, a full disk is an I/O error.
  const code = found === IO_ERROR && isDiskFull(path) ? FULL : found;
  const { why, fix, retryable = false } = (code !== null && REASONS[code]) || unknown(error);
  return new QuireError(
    "job_store_failed",
    `The job store ${JSON.stringify(path)} failed: ${why}. ${fix}`,
    { cause: error, retryable },
  );
}

function isDiskFull(path: string): boolean {
  try {
    return statfsSync(dirname(path)).bavail === 0;
  } catch {
    return false;
  }
}

/** Returns the error for a failed sync of the write-ahead log. */
export function syncFailure(cause: unknown, path: string): QuireError {
  const error = new Error("The write-ahead log could not be synced.", { cause });
  return toQuireError(Object.assign(error, { errcode: IO_ERROR }), path);
}

/** Whether the error came from the operating system when the file was opened. SQLite's errors have no `syscall`. */
function hasSystemCode(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}

/** Whether another process has locked the file. */
export function isBusy(error: unknown): boolean {
  const code = codeOf(isQuireError(error) ? error.cause : error);
  return code === BUSY || code === LOCKED;
}

/** Whether the handle is unreliable after this error: a failed sync may have lost pages. */
export function isFatal(error: unknown): boolean {
  const code = codeOf(error);
  return code === IO_ERROR || code === CORRUPT || code === NOT_A_DATABASE;
}

function codeOf(error: unknown): number | null {
  const code = error instanceof Error && "errcode" in error ? error.errcode : null;
  return typeof code === "number" ? code & 0xff : null;
}
