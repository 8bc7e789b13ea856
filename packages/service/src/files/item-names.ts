import { foldName, isQuireError, parseFileName, QuireError } from "@quire/core/host";

/**
 * Names that file systems may resolve to the hidden folder, including its short name. Invisible characters are removed
 * before matching.
 */
const RESERVED = /^(\.quire|quire~\d+)$/u;
const SHOWS_NOTHING = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * Returns the name in its stored form (NFC). Throws `item_name_invalid` for names that `parseFileName` rejects, and for
 * the name of the hidden folder.
 */
export function parseItemName(name: string): string {
  const parsed = parseFileName(name);
  if (!RESERVED.test(foldName(parsed).replace(SHOWS_NOTHING, ""))) return parsed;
  throw new QuireError(
    "item_name_invalid",
    `The name ${JSON.stringify(name)} is reserved for files of the service. Choose another name.`,
  );
}

/** Whether an item in the storage can be added to the catalog under its unchanged name. */
export function isItemName(name: string): boolean {
  try {
    return parseItemName(name) === name;
  } catch (error) {
    if (isQuireError(error) && error.code === "item_name_invalid") return false;
    throw error;
  }
}

/** Returns the names on a path below a tenant's root; none for `""`. Throws `forbidden` for an invalid path. */
export function parsePath(path: string): readonly string[] {
  if (path === "") return [];
  try {
    return path.split("/").map(parseItemName);
  } catch (cause) {
    throw new QuireError(
      "forbidden",
      `The path ${JSON.stringify(path)} is not a valid path below the tenant's root. Join plain names with "/", ` +
        'without "." or ".." and without a leading or trailing "/", or use an id.',
      { cause },
    );
  }
}

/** The parsed id of a file or folder. */
export type ParsedId =
  | { readonly by: "root" }
  | { readonly by: "id"; readonly id: string }
  | { readonly by: "path"; readonly path: readonly string[] }
  | { readonly by: "none" };

const PATH_PREFIX = "path:";
/** Ids that a catalog may assign: one URL-safe path segment. */
const CATALOG_ID = /^(?!\.{1,2}$)[A-Za-z0-9._~-]{1,200}$/;

/**
 * Parses an id: a catalog id, the `"0"` of the root folder, or `path:` followed by a path below the root. Throws
 * `forbidden` for an invalid path.
 */
export function parseId(id: string): ParsedId {
  if (id === "0") return { by: "root" };
  if (id.startsWith(PATH_PREFIX)) {
    const path = parsePath(id.slice(PATH_PREFIX.length));
    return path.length === 0 ? { by: "root" } : { by: "path", path };
  }
  return CATALOG_ID.test(id) ? { by: "id", id } : { by: "none" };
}
