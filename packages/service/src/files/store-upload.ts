import { randomUUID } from "node:crypto";
import type {
  CatalogEntry,
  CatalogFile,
  CatalogFolder,
  FileInfo,
  NewCatalogVersion,
  StorageOptions,
} from "@quire/core/host";
import type { ByteSource } from "./byte-source.ts";
import type { CatalogContext } from "./catalog-context.ts";
import { hasCode, nameTaken, notFound, storageMissing } from "./file-errors.ts";
import type { ChangeOptions } from "./files-types.ts";
import type { TenantRoot } from "./tenant-roots.ts";

/** A file to add to a folder. */
export interface NewFile {
  readonly folder: CatalogFolder;
  readonly name: string;
  readonly createdBy: string | null;
}

/** Bytes in the hidden folder that are not yet in the catalog. */
export interface HiddenBytes {
  readonly info: FileInfo;
  /** The SHA-1 of the bytes in lower-case hex. */
  readonly sha1: string;
}

/**
 * Writes bytes into the tenant's hidden folder under a unique name. Rejects `quota_exceeded` if the bytes exceed the
 * tenant's quota.
 */
export async function writeHidden(
  context: CatalogContext,
  root: TenantRoot,
  bytes: ByteSource,
  options: StorageOptions,
): Promise<HiddenBytes> {
  const hidden = await createHidden(context, root, bytes, options);
  try {
    await context.quotas?.admitFile(root.tenant, hidden.info.size);
    return hidden;
  } catch (error) {
    await removeQuietly(context, hidden.info);
    throw error;
  }
}

async function createHidden(
  { storage, tenantRoots }: CatalogContext,
  root: TenantRoot,
  bytes: ByteSource,
  options: StorageOptions,
): Promise<HiddenBytes> {
  try {
    const info = await bytes.consume((source) =>
      storage.create(root.hidden, randomUUID(), source, options),
    );
    return { info, sha1: bytes.sha1() };
  } catch (error) {
    if (!hasCode(error, "not_found")) throw error;
    tenantRoots.forget(root.tenant);
    throw storageMissing(error);
  }
}

/** Returns the record of a version for the catalog. */
export function versionOf(
  { ref, version, size }: FileInfo,
  sha1: string | null,
  createdBy: string | null,
): NewCatalogVersion {
  return { storageId: ref.id, storageVersion: version, size, sha1, createdBy };
}

/**
 * Adds a file with hidden bytes to the catalog. If that fails, removes the bytes, unless the outcome is unknown.
 * Rejects `conflict` if the name is taken, and `not_found` if the folder no longer exists.
 */
export async function addHidden(
  context: CatalogContext,
  { tenant }: TenantRoot,
  { folder, name, createdBy }: NewFile,
  { info, sha1 }: HiddenBytes,
): Promise<CatalogFile> {
  const { catalog } = context;
  const version = versionOf(info, sha1, createdBy);
  const entry = { type: "file", parentId: folder.id, name, createdBy, version } as const;
  try {
    return asFile(await catalog.add(tenant, entry));
  } catch (error) {
    const added = await catalog.find(tenant, { type: "file", storageId: info.ref.id });
    if (added !== null) return asFile(added);
    await removeQuietly(context, info);
    if (hasCode(error, "not_found")) throw notFound("folder", folder.id);
    throw hasCode(error, "conflict") ? nameTaken(name, error) : error;
  }
}

/** Adds hidden bytes as a version, like {@link addHidden}. Rejects `conflict` if the file does not match `ifStill`. */
export async function addHiddenVersion(
  context: CatalogContext,
  { tenant }: TenantRoot,
  { id: fileId, ifStill }: { readonly id: string } & ChangeOptions,
  { info, sha1 }: HiddenBytes,
  createdBy: string | null,
): Promise<CatalogFile> {
  const { catalog } = context;
  try {
    return await catalog.addVersion(tenant, fileId, versionOf(info, sha1, createdBy), { ifStill });
  } catch (error) {
    const file = await catalog.find(tenant, { type: "file", storageId: info.ref.id });
    if (file !== null) return asFile(file);
    await removeQuietly(context, info);
    throw hasCode(error, "not_found") ? notFound("file", fileId) : error;
  }
}

/** Removes unused bytes. If that fails, they remain hidden, because the failure must not replace the original error. */
export async function removeQuietly({ storage }: CatalogContext, info: FileInfo): Promise<void> {
  try {
    await storage.remove(info.ref);
  } catch {}
}

/** Returns the entry as a file, because it was added as a file. */
function asFile(entry: CatalogEntry): CatalogFile {
  if (entry.type === "file") return entry;
  throw notFound("file", entry.id);
}
