import { parseFileName, QuireError } from "@quire/contracts";
import { isTempName, TEMP_PREFIX } from "./locate.ts";

/** Normalizes a name. Throws `item_name_invalid` for an invalid name, and for a name of an unfinished file. */
export function parseName(name: string): string {
  const parsed = parseFileName(name);
  if (!isTempName(parsed)) return parsed;
  throw new QuireError(
    "item_name_invalid",
    `The file name ${JSON.stringify(name)} begins with ${JSON.stringify(TEMP_PREFIX)}, which this ` +
      "storage reserves for unfinished files. Choose another name.",
  );
}

/** Returns the error for a file or folder that does not exist. */
export function missing(type: "file" | "folder", id: string): QuireError {
  return new QuireError(
    "not_found",
    `There is no ${type} ${JSON.stringify(id)} below the storage's root. Check the id, or create the ` +
      `${type}.`,
  );
}

/** Returns the error for a version that is not the current one. */
export function changed(id: string, version: string): QuireError {
  return new QuireError(
    "not_found",
    `The file ${JSON.stringify(id)} has no version ${JSON.stringify(version)}: ` +
      "it was changed, and only the current version is kept. Read the file without a version.",
  );
}

/** Returns the error for a name that is already in use; `failed` describes the failure. */
export function taken(failed: string): QuireError {
  return new QuireError(
    "conflict",
    `${failed}: the name is taken. Choose another name, or remove the file or folder that has it.`,
  );
}

/** Returns the error for the removal of a folder that is not empty. */
export function notEmpty(failed: string): QuireError {
  return new QuireError("conflict", `${failed}: it is not empty. Remove its contents first.`);
}

/** Returns the error for the removal of the root folder. */
export function rootStays(): QuireError {
  return new QuireError(
    "forbidden",
    "The root folder cannot be removed: it belongs to the storage itself. Remove folders in it.",
  );
}
