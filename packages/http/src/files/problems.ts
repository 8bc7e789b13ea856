import { type ErrorCode, isQuireError, QuireError } from "@quire/core/host";

/** Whether an error is a `QuireError` with one of the codes. */
export function hasCode(error: unknown, ...codes: readonly ErrorCode[]): error is QuireError {
  return isQuireError(error) && codes.includes(error.code);
}

/** There is no such file or folder, or it is another tenant's: nobody learns which. */
export function missing(type: "file" | "folder" | "file or folder", id: string): QuireError {
  return new QuireError(
    "not_found",
    `There is no ${type} ${JSON.stringify(id)}. Check the id and whether it is that of a ${type}.`,
  );
}

/** A file has no such version, or its bytes are not there any more. */
export function missingVersion(id: string, version: string): QuireError {
  return new QuireError(
    "not_found",
    `The file ${JSON.stringify(id)} has no version ${JSON.stringify(version)}, or no longer. ` +
      "Read it without a version, or use one that its list of versions has.",
  );
}

/** The name is taken in the folder. */
export function taken(name: string, cause?: unknown): QuireError {
  return new QuireError(
    "conflict",
    `The name ${JSON.stringify(name)} is taken in the folder, where names differ by more than case. ` +
      "Choose another name, or remove what has it.",
    cause === undefined ? {} : { cause },
  );
}

/** The folder is not empty. */
export function notEmpty(name: string, cause: unknown): QuireError {
  return new QuireError(
    "conflict",
    `The folder ${JSON.stringify(name)} is not empty. Remove what is in it first, or have it removed with all of that.`,
    { cause },
  );
}

/** A tenant's root stays. */
export function rootStays(): QuireError {
  return new QuireError(
    "forbidden",
    "The root folder cannot be removed. Remove what is in it instead.",
  );
}

/** The folder that a tenant's files are in is not where it was. */
export function storageAway(cause?: unknown): QuireError {
  return new QuireError(
    "storage_failed",
    "The storage has not the folder that it had for these files. Check that it is there and is the one that this service has used before.",
    cause === undefined ? { retryable: true } : { retryable: true, cause },
  );
}

/** A document was removed again before it was in the catalog, and its bytes cannot be read a second time. */
export function sweptAway(name: string, cause?: unknown): QuireError {
  return new QuireError(
    "storage_failed",
    `The document ${JSON.stringify(name)} was removed from the storage while it was created, with an earlier one of its name that was being removed. Create it again.`,
    cause === undefined ? { retryable: true } : { retryable: true, cause },
  );
}
