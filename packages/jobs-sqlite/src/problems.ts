import { isQuireError, QuireError } from "@quire/core/host";

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
    why: "another process has held it locked for too long",
    fix: "See what that process does, then try again.",
    retryable: true,
  },
  [LOCKED]: {
    why: "another process has held it locked for too long",
    fix: "See what that process does, then try again.",
    retryable: true,
  },
  [READ_ONLY]: {
    why: "it cannot be written",
    fix: "Give the user that runs Quire the permission to write the file and its folder.",
  },
  [IO_ERROR]: {
    why: "the disk failed",
    fix: "What was promised before is kept; check the disk, and start the process anew.",
  },
  [CORRUPT]: {
    why: "the file is damaged",
    fix: "Put a copy from a backup in its place; `PRAGMA integrity_check` tells what is wrong with it.",
  },
  [FULL]: {
    why: "no space is left for it",
    fix: "Free some space, then try again.",
    retryable: true,
  },
  [CANNOT_OPEN]: {
    why: "it cannot be opened",
    fix: "Check that its folder exists and that the user that runs Quire may write there.",
  },
  [NOT_A_DATABASE]: {
    why: "it is no SQLite file",
    fix: "Give the path of a job store, or of a file that does not exist yet.",
  },
};

const UNKNOWN: Reason = { why: "SQLite failed", fix: "What it said is in the cause." };

/** The error of the port for what SQLite threw; one of Quire stays itself. */
export function toQuireError(error: unknown, path: string): QuireError {
  if (isQuireError(error)) return error;
  const code = codeOf(error) ?? (hasSystemCode(error) ? CANNOT_OPEN : null);
  const { why, fix, retryable = false } = (code !== null && REASONS[code]) || UNKNOWN;
  return new QuireError(
    "job_store_failed",
    `The job store ${JSON.stringify(path)} failed: ${why}. ${fix}`,
    { cause: error, retryable },
  );
}

/** The system's own codes come from opening the file; SQLite's errors have others. */
function hasSystemCode(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}

/** Whether another process holds the file. */
export function isBusy(error: unknown): boolean {
  const code = codeOf(error);
  return code === BUSY || code === LOCKED;
}

/** Whether nothing that the handle says can be trusted after this error: a failed sync may have lost pages. */
export function isFatal(error: unknown): boolean {
  const code = codeOf(error);
  return code === IO_ERROR || code === CORRUPT || code === NOT_A_DATABASE;
}

function codeOf(error: unknown): number | null {
  const code = error instanceof Error && "errcode" in error ? error.errcode : null;
  return typeof code === "number" ? code & 0xff : null;
}
