import { type ErrorCode, isQuireError, QuireError } from "@quire/core/host";

/** Whether an error is a `QuireError` with one of these codes. */
export function hasCode(error: unknown, ...codes: readonly ErrorCode[]): error is QuireError {
  return isQuireError(error) && codes.includes(error.code);
}

/**
 * Returns the error for an item that does not exist or belongs to another tenant. The message does not reveal which.
 */
export function notFound(type: "file" | "folder" | "file or folder", id: string): QuireError {
  return new QuireError(
    "not_found",
    `There is no ${type} ${JSON.stringify(id)}. Check the id and its type.`,
  );
}

/** Returns the error for a version that the file does not have, or whose bytes no longer exist. */
export function versionNotFound(id: string, version: string): QuireError {
  return new QuireError(
    "not_found",
    `The file ${JSON.stringify(id)} does not have the version ${JSON.stringify(version)}, or no longer has it. ` +
      "Read it without a version, or use a version from its list of versions.",
  );
}

/** Returns the error for a name that is taken in the folder. */
export function nameTaken(name: string, cause?: unknown): QuireError {
  return new QuireError(
    "conflict",
    `The name ${JSON.stringify(name)} is already taken in this folder; names are compared without regard to case. ` +
      "Choose another name, or remove the existing item.",
    cause === undefined ? {} : { cause },
  );
}

/** Returns the error for a folder that is not empty. */
export function notEmpty(name: string, cause: unknown): QuireError {
  return new QuireError(
    "conflict",
    `The folder ${JSON.stringify(name)} is not empty. Remove its content first, or remove the folder recursively.`,
    { cause },
  );
}

/** Returns the error for the removal of a tenant's root. */
export function rootNotRemovable(): QuireError {
  return new QuireError(
    "forbidden",
    "The root folder cannot be removed. Remove its content instead.",
  );
}

/** Returns the error for a storage that does not contain the folder of a tenant's files. */
export function storageMissing(cause?: unknown): QuireError {
  return new QuireError(
    "storage_failed",
    "The storage no longer has the folder of these files. Check that the storage is available and that the service has used this storage before.",
    cause === undefined ? { retryable: true } : { retryable: true, cause },
  );
}

/**
 * Returns the error for a document that was removed before it was added to the catalog, and whose bytes cannot be read
 * again.
 */
export function removedDuringCreation(name: string, cause?: unknown): QuireError {
  return new QuireError(
    "storage_failed",
    `The document ${JSON.stringify(name)} was removed from the storage while it was being created, together with an earlier document of the same name. Create it again.`,
    cause === undefined ? { retryable: true } : { retryable: true, cause },
  );
}
