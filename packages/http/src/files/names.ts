import { createHash } from "node:crypto";
import { foldName, isQuireError, parseFileName, QuireError } from "@quire/core/host";

/** The folder within a tenant's root that has the uploaded bytes. No name, path, or listing leads to it. */
export const HIDDEN_FOLDER = ".quire";

/** The folder of the storage's root that has a folder for each tenant. */
export const TENANTS_FOLDER = "tenants";

/** The id of the storage's own root, in every storage of Quire. */
export const STORAGE_ROOT = ".";

/** What file systems take for the hidden folder: also without characters that show nothing, and by its short name. */
const RESERVED = /^(\.quire|quire~\d+)$/u;
const SHOWS_NOTHING = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * The name in its stored form (NFC). Throws `item_name_invalid` for what `parseFileName` refuses, and for the name
 * of the hidden folder.
 */
export function parseItemName(name: string): string {
  const parsed = parseFileName(name);
  if (!RESERVED.test(foldName(parsed).replace(SHOWS_NOTHING, ""))) return parsed;
  throw new QuireError(
    "item_name_invalid",
    `The name ${JSON.stringify(name)} is kept for the service's own files. Choose another name.`,
  );
}

/** Whether something of the storage can be in the catalog under its own name, as it is. */
export function isItemName(name: string): boolean {
  try {
    return parseItemName(name) === name;
  } catch (error) {
    if (isQuireError(error) && error.code === "item_name_invalid") return false;
    throw error;
  }
}

/** The names on a path below a tenant's root, none for `""`. Throws `forbidden` for what is no such path. */
export function parsePath(path: string): readonly string[] {
  if (path === "") return [];
  try {
    return path.split("/").map(parseItemName);
  } catch (cause) {
    throw new QuireError(
      "forbidden",
      `The path ${JSON.stringify(path)} is none below the tenant's root. Join plain names by "/", ` +
        'without "." or ".." and without a "/" at either end, or use an id.',
      { cause },
    );
  }
}

/** A tenant's name that is the name of its folder as it is: on every file system, whatever it makes of case. */
const PLAIN_TENANT = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const MAX_SLUG = 40;

/**
 * The name of a tenant's folder: another one for each tenant, also where case makes no difference. Throws
 * `invalid_request` for a tenant with a lone surrogate, which is not the same everywhere.
 */
export function tenantFolder(tenant: string): string {
  if (PLAIN_TENANT.test(tenant) && isItemName(tenant)) return tenant;
  if (!tenant.isWellFormed()) {
    throw new QuireError(
      "invalid_request",
      `The tenant ${JSON.stringify(tenant)} holds a lone surrogate. Name it by well-formed text.`,
    );
  }
  const slug = tenant
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, MAX_SLUG);
  // No plain name begins with "_".
  return `_${slug}-${createHash("sha256").update(tenant).digest("hex").slice(0, 32)}`;
}

/** What an id of a file or folder says. */
export type ParsedId =
  | { readonly by: "root" }
  | { readonly by: "id"; readonly id: string }
  | { readonly by: "path"; readonly path: readonly string[] }
  | { readonly by: "none" };

const PATH_PREFIX = "path:";
/** What a catalog may give as an id: one URL-safe segment. */
const CATALOG_ID = /^(?!\.{1,2}$)[A-Za-z0-9._~-]{1,200}$/;

/**
 * An id, the `"0"` of the root folder, or `path:` and a path below the root. Throws `forbidden` for a path that is none.
 */
export function parseId(id: string): ParsedId {
  if (id === "0") return { by: "root" };
  if (id.startsWith(PATH_PREFIX)) {
    const path = parsePath(id.slice(PATH_PREFIX.length));
    return path.length === 0 ? { by: "root" } : { by: "path", path };
  }
  return CATALOG_ID.test(id) ? { by: "id", id } : { by: "none" };
}

/** Whether a storage's id is that of something in a folder, however deep. */
export function isBelow(folderId: string, id: string): boolean {
  return id.startsWith(`${folderId}/`);
}
