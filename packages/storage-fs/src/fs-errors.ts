import {
  abortedError,
  type ErrorCode,
  type FileRef,
  isQuireError,
  QuireError,
  type StorageOptions,
  throwIfAborted,
} from "@quire/contracts";

/** An operation of the storage, described for error messages. */
export interface Attempt {
  /** The failure as a sentence, for example `The file "a.docx" cannot be created`. */
  readonly failed: string;
  /** The location that the operation needs, for example `the folder "out"`. */
  readonly place: string;
  /** The access to this location that the operation needs. */
  readonly access: "readable" | "writable";
  readonly signal: AbortSignal | undefined;
}

interface Reason {
  readonly why: (attempt: Attempt) => string;
  readonly fix: string;
  readonly retryable?: boolean;
  /** Default `storage_failed`. */
  readonly code?: ErrorCode;
}

const NO_PERMISSION: Reason = {
  why: ({ place, access }) => `${place} is not ${access} for this process`,
  fix: "Give this permission to the user that runs Quire, or choose a storage root where that user has it.",
};
const FULL: Reason = {
  why: ({ place }) => `there is no space left for ${place}`,
  fix: "Free some space or raise the quota, then try again.",
  retryable: true,
};
const TOO_MANY_FILES: Reason = {
  why: () => "too many files are open",
  fix: "Raise the limit on open files (ulimit -n), or run fewer jobs at once.",
  retryable: true,
};
const NO_HARD_LINKS: Reason = {
  why: ({ place }) =>
    `the file system of ${place} has no hard links, which Quire needs to create complete files ` +
    "without replacing other files",
  fix: "Put the storage's root on a file system with hard links, for example ext4, xfs, APFS or NTFS.",
};

const REASONS: Readonly<Record<string, Reason>> = {
  EACCES: NO_PERMISSION,
  EPERM: NO_PERMISSION,
  EROFS: {
    why: ({ place, access }) => `${place} is not ${access}: its file system is read-only`,
    fix: "Mount it for writing, or use another storage root.",
    retryable: true,
  },
  ENOSPC: FULL,
  EDQUOT: FULL,
  EFBIG: {
    why: () => "the file is larger than the file system or the process's limit allows",
    fix: "Raise the limit (ulimit -f), or make the document smaller.",
  },
  EMFILE: TOO_MANY_FILES,
  ENFILE: TOO_MANY_FILES,
  ENAMETOOLONG: {
    why: () => "the name or the whole path is longer than the file system allows",
    fix: "Choose a shorter name, or a folder that is less deeply nested.",
    // Only the caller can fix this, by choosing another name.
    code: "item_name_invalid",
  },
};
const UNKNOWN: Reason = {
  why: ({ place }) => `the file system failed on ${place}`,
  fix: "Check the disk and the mount that hold the storage's root.",
  retryable: true,
};
const LINK_REFUSALS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

/** The operating system's codes for a path that does not exist. */
const MISSING = new Set(["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG"]);

/** Returns the code of an error from the operating system; null for other errors. */
export function systemCode(error: unknown): string | null {
  const code = error instanceof Error && "code" in error ? error.code : null;
  return typeof code === "string" ? code : null;
}

/** Resolves with the promise's value, or with null if the path does not exist. */
export async function nullWhenMissing<T>(promise: Promise<T>): Promise<T | null> {
  try {
    return await promise;
  } catch (error) {
    if (MISSING.has(systemCode(error) ?? "")) return null;
    throw error;
  }
}

/** Runs an operation. Errors become the `QuireError` that the port specifies. */
export async function attempt<T>(tried: Attempt, body: () => Promise<T>): Promise<T> {
  try {
    throwIfAborted(tried.signal);
    return await body();
  } catch (error) {
    throw toQuireError(error, tried);
  }
}

/** A read of a file. */
export function readAttempt(file: FileRef, { signal }: StorageOptions): Attempt {
  const id = JSON.stringify(file.id);
  const failed = `The file ${id} cannot be read`;
  return { failed, place: `the file ${id}`, access: "readable", signal };
}

/** Converts an error into the `QuireError` that the port specifies. Returns a `QuireError` unchanged. */
export function toQuireError(error: unknown, attempt: Attempt): QuireError {
  if (isQuireError(error)) return error;
  const code = systemCode(error);
  if (attempt.signal?.aborted && code === "ABORT_ERR") return abortedError(attempt.signal);
  const reason = reasonOf(error, code);
  return new QuireError(
    reason.code ?? "storage_failed",
    `${attempt.failed}: ${reason.why(attempt)}${code === null ? "" : ` (${code})`}. ${reason.fix}`,
    { cause: error, retryable: reason.retryable ?? false },
  );
}

function reasonOf(error: unknown, code: string | null): Reason {
  if (code === null) return UNKNOWN;
  const isLink = error instanceof Error && "syscall" in error && error.syscall === "link";
  if (isLink && LINK_REFUSALS.has(code)) return NO_HARD_LINKS;
  return REASONS[code] ?? UNKNOWN;
}
