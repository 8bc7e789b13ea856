import type { CatalogFile, CatalogVersion, ReadOptions, StoredFile } from "@quire/core/host";
import type { CatalogContext } from "./catalog-context.ts";
import { hasCode, notFound, versionNotFound } from "./file-errors.ts";
import { isVisible, recordChange, removeMissing } from "./reconcile.ts";
import { isBelow } from "./storage-layout.ts";
import type { TenantRoot } from "./tenant-roots.ts";

/** Maximum size of cached files in bytes. */
const MAX_CACHED_BYTES = 4_000_000;

/** The bytes of a version of a file. */
export interface FileContent {
  /** The file after reading. It has a new version if it was changed in the storage. */
  readonly file: CatalogFile;
  /** The version that was read. */
  readonly version: CatalogVersion;
  /** A copy that belongs to the caller. */
  readonly bytes: Uint8Array;
  /** The SHA-256 of the bytes, in lower-case hex. */
  readonly sha256: string;
}

/**
 * Reads a version of a file, or its current state. A file that was changed in the storage gets a new version. Rejects
 * `not_found` for a version that does not exist or whose bytes no longer exist.
 */
export async function readFile(
  context: CatalogContext,
  root: TenantRoot,
  file: CatalogFile,
  { version, signal }: ReadOptions,
): Promise<FileContent> {
  if (version === undefined && isVisible(root, file))
    return readCurrent(context, root, file, signal);
  const found = await findVersion(context, file, version);
  try {
    const { bytes, sha256 } = await readVersion(context, root, found, signal);
    return { file, version: found, bytes, sha256 };
  } catch (error) {
    throw hasCode(error, "not_found") ? versionNotFound(file.id, found.id) : error;
  }
}

/** Caches hidden files, so that many small batches read their template only once. */
async function readVersion(
  { storage, cache }: CatalogContext,
  root: TenantRoot,
  { storageId, storageVersion }: CatalogVersion,
  signal: AbortSignal | undefined,
): Promise<StoredFile> {
  const key = JSON.stringify([storageId, storageVersion]);
  const known = cache.get(key);
  // This is a copy, so that callers cannot change the cached bytes.
  if (known !== undefined) return { ...known, bytes: new Uint8Array(known.bytes) };
  const ref = { type: "file", id: storageId } as const;
  const options = { version: storageVersion, ...withSignal(signal) };
  const read = await storage.read(ref, options);
  if (isBelow(root.hidden.id, storageId) && read.bytes.length <= MAX_CACHED_BYTES) {
    cache.set(key, { ...read, bytes: new Uint8Array(read.bytes) });
  }
  return read;
}

async function findVersion(
  { catalog }: CatalogContext,
  file: CatalogFile,
  version: string | undefined,
): Promise<CatalogVersion> {
  if (version === undefined || version === file.version.id) return file.version;
  const [found] = await catalog.versions(file.tenant, file.id, version);
  if (found === undefined) throw versionNotFound(file.id, version);
  return found;
}

async function readCurrent(
  context: CatalogContext,
  root: TenantRoot,
  file: CatalogFile,
  signal: AbortSignal | undefined,
): Promise<FileContent> {
  const { storageId } = file.version;
  let stored: StoredFile;
  try {
    stored = await context.storage.read({ type: "file", id: storageId }, withSignal(signal));
  } catch (error) {
    if (!hasCode(error, "not_found")) throw error;
    await removeMissing(context, root, new Map([[storageId, file.id]]));
    throw notFound("file", file.id);
  }
  const { bytes, sha256 } = stored;
  const now = await recordChange(context, root, file, stored);
  if (now.version.storageVersion === stored.version) {
    return { file: now, version: now.version, bytes, sha256 };
  }
  // The file got another version while it was being read.
  return readFile(context, root, now, { version: now.version.id, ...withSignal(signal) });
}

function withSignal(signal: AbortSignal | undefined): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
