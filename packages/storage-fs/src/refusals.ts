import { parseFileName, QuireError } from "@quire/core/host";
import { isTempName, TEMP_PREFIX } from "./locate.ts";

/** The name in its stored form. Rejects `item_name_invalid` for what is none, and for names of unfinished files. */
export function parseName(name: string): string {
  const parsed = parseFileName(name);
  if (!isTempName(parsed)) return parsed;
  throw new QuireError(
    "item_name_invalid",
    `The file name ${JSON.stringify(name)} begins with ${JSON.stringify(TEMP_PREFIX)}, which this ` +
      "storage keeps for unfinished files. Choose another name.",
  );
}

/** What is rejected for a file or a folder that is not there. */
export function missing(type: "file" | "folder", id: string): QuireError {
  return new QuireError(
    "not_found",
    `There is no ${type} ${JSON.stringify(id)} below the storage's root. Check the id, or put the ` +
      `${type} there.`,
  );
}

/** What is rejected for a version that is not the current one. */
export function changed(id: string, version: string): QuireError {
  return new QuireError(
    "not_found",
    `The file ${JSON.stringify(id)} has no version ${JSON.stringify(version)}: ` +
      "it was changed, and only the current version is kept. Read it without a version.",
  );
}

/** What is rejected for a name that something has; `failed` is what did not come about. */
export function taken(failed: string): QuireError {
  return new QuireError(
    "conflict",
    `${failed}: the name is taken. Choose another name, or remove what has it.`,
  );
}

/** What is rejected for the removal of a folder in which something is. */
export function notEmpty(failed: string): QuireError {
  return new QuireError("conflict", `${failed}: it is not empty. Remove what is in it first.`);
}

/** What is rejected for the removal of the root. */
export function rootStays(): QuireError {
  return new QuireError(
    "forbidden",
    "The root folder cannot be removed: it belongs to the storage itself. Remove folders in it.",
  );
}
