import { createHash } from "node:crypto";
import { QuireError } from "@quire/core/host";
import { isItemName } from "./item-names.ts";

/**
 * The folder within a tenant's root that holds the uploaded bytes. It is not reachable by any name, path or listing.
 */
export const HIDDEN_FOLDER = ".quire";

/** The folder in the storage's root that contains the folders of all tenants. */
export const TENANTS_FOLDER = "tenants";

/** The id of the storage's root, which is the same for all storages of Quire. */
export const STORAGE_ROOT = ".";

/** Tenant names that are also folder names. They work on all file systems, even case-insensitive ones. */
const PLAIN_TENANT = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const MAX_SLUG = 40;

/**
 * Returns the name of a tenant's folder. It is unique for each tenant, even if case is ignored. Throws
 * `invalid_request` for a tenant with a lone surrogate, because systems store it in different ways.
 */
export function tenantFolder(tenant: string): string {
  if (PLAIN_TENANT.test(tenant) && isItemName(tenant)) return tenant;
  if (!tenant.isWellFormed()) {
    throw new QuireError(
      "invalid_request",
      `The tenant ${JSON.stringify(tenant)} contains a lone surrogate. Use well-formed text.`,
    );
  }
  const slug = tenant
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, MAX_SLUG);
  // No plain tenant name begins with "_".
  return `_${slug}-${createHash("sha256").update(tenant).digest("hex").slice(0, 32)}`;
}

/** Whether a storage id is in a folder, at any depth. */
export function isBelow(folderId: string, id: string): boolean {
  return id.startsWith(`${folderId}/`);
}
