import { type CatalogFile, type FileInfo, foldName, type StorageOptions } from "@quire/core/host";
import { adoptFound } from "./adopt-found.ts";
import { type ByteSource, byteSource } from "./byte-source.ts";
import { hasCode, nameTaken, notFound, removedDuringCreation } from "./file-errors.ts";
import type { FilesContext } from "./files-context.ts";
import { remakeFolder } from "./folders.ts";
import { knownHolderOf } from "./locate.ts";
import { addHidden, type NewFile, removeQuietly, versionOf, writeHidden } from "./store-upload.ts";
import type { TenantRoot } from "./tenant-roots.ts";

/**
 * Creates a document under its name in the folder of the storage, and then adds it to the catalog. If the process ends
 * between these two steps, a later adoption adds the document. The document is hidden like an upload if another item of
 * the catalog has the name in the storage, or if an item of this name waits for removal. Rejects like a storage's
 * `create`. Rejects `storage_failed` if a streamed document was removed together with an older one of the same name.
 */
export async function createDocument(
  context: FilesContext,
  root: TenantRoot,
  file: NewFile,
  bytes: ByteSource,
  options: StorageOptions,
): Promise<CatalogFile> {
  await requireFree(context, root, file, options.signal);
  // A stream can be read only once, so whether the document is visible or hidden must be decided before reading it.
  const isHeld = !bytes.isRepeatable && (await nameInStorage(context, file, options)) !== null;
  const discarded = await context.catalog.discarded();
  const info = isHeld ? null : await createVisible(context, file, bytes, options);
  if (info !== null) {
    const added = await addVisible(context, root, file, info, bytes);
    const isHidden = added.version.storageId !== info.ref.id;
    if (isHidden || (await context.catalog.discarded()) === discarded) return added;
    return verifyStored(context, root, file, { added, info }, bytes);
  }
  await requireForeign(context, root, file, options);
  return addHidden(context, root, file, await writeHidden(context, root, bytes, options));
}

async function requireFree(
  context: FilesContext,
  root: TenantRoot,
  file: NewFile,
  signal: AbortSignal | undefined,
): Promise<void> {
  if ((await knownHolderOf(context, root, file, signal)) !== null) throw nameTaken(file.name);
}

/** Creates the document under its name. Returns null if the name is already taken in the storage. */
async function createVisible(
  context: FilesContext,
  { folder, name }: NewFile,
  bytes: ByteSource,
  options: StorageOptions,
): Promise<FileInfo | null> {
  const place = { type: "folder", id: folder.storageId } as const;
  const create = () =>
    bytes.consume((source) => context.storage.create(place, name, source, options));
  try {
    return await create();
  } catch (error) {
    if (hasCode(error, "conflict") && bytes.isRepeatable) return null;
    if (!hasCode(error, "not_found") || !bytes.isRepeatable) throw error;
  }
  // The folder was removed from the storage, but the catalog still has it and its content.
  await remakeFolder(context, folder);
  return create();
}

function nameInStorage(
  { storage }: FilesContext,
  { folder, name }: NewFile,
  options: StorageOptions,
): Promise<FileInfo | null> {
  return storage.find({ type: "folder", id: folder.storageId }, name, options);
}

/**
 * Adopts the storage's item with this name. Rejects `conflict` if the storage's item with this name has the same name in the
 * catalog.
 */
async function requireForeign(
  context: FilesContext,
  root: TenantRoot,
  file: NewFile,
  options: StorageOptions,
): Promise<void> {
  const { catalog } = context;
  const info = await nameInStorage(context, file, options);
  const key = { type: "file", storageId: info?.ref.id ?? "" } as const;
  const holder = info && (await catalog.find(root.tenant, key));
  if (holder && foldName(holder.name) !== foldName(file.name)) return;
  if (info !== null && holder === null) await adoptFound(context, root, file.folder, info);
  await requireFree(context, root, file, options.signal);
}

/** Adds a document that is in its folder of the storage to the catalog. */
async function addVisible(
  context: FilesContext,
  root: TenantRoot,
  file: NewFile,
  info: FileInfo,
  bytes: ByteSource,
): Promise<CatalogFile> {
  const { folder, name, createdBy } = file;
  const version = versionOf(info, bytes.sha1(), createdBy);
  const entry = { type: "file", parentId: folder.id, name, createdBy, version } as const;
  try {
    const added = await context.catalog.add(root.tenant, entry);
    if (added.type === "file") return added;
    throw nameTaken(name);
  } catch (error) {
    if (hasCode(error, "conflict")) return settleConflict(context, root, file, info, bytes);
    if (!hasCode(error, "not_found")) throw error; // it may have been added: a later adoption finds it
    await removeQuietly(context, info);
    throw notFound("folder", folder.id);
  }
}

/**
 * Makes sure that the bytes of a document in the catalog exist. A concurrent sweep may have removed an older document
 * with the same storage id, and with it the bytes of this document.
 */
async function verifyStored(
  context: FilesContext,
  root: TenantRoot,
  file: NewFile,
  { added, info }: { readonly added: CatalogFile; readonly info: FileInfo },
  bytes: ByteSource,
): Promise<CatalogFile> {
  if (await isThere(context, info)) return added;
  await context.catalog.remove(root.tenant, added.id, { gone: info.ref.id });
  if (!bytes.isRepeatable) throw removedDuringCreation(file.name);
  return addHidden(context, root, file, await writeHidden(context, root, bytes, {}));
}

/** Whether the storage still has exactly the created file. If versions are hashes, this reads the file. */
async function isThere({ storage }: FilesContext, info: FileInfo): Promise<boolean> {
  return (await storage.stat(info.ref))?.version === info.version;
}

/** Resolves a conflict: the document is in its folder of the storage, but the catalog rejected its name. */
async function settleConflict(
  context: FilesContext,
  root: TenantRoot,
  file: NewFile,
  info: FileInfo,
  bytes: ByteSource,
): Promise<CatalogFile> {
  const { folder, name } = file;
  const holder = await context.catalog.find(root.tenant, { parentId: folder.id, name });
  if (holder?.type === "file" && isAdopted(holder, info)) return holder;
  try {
    if (holder !== null) throw nameTaken(name);
    // In the storage, the name still belongs to another item of the catalog, or to an item that waits for removal and
    // may be removed at any time.
    const again = bytes.isRepeatable ? bytes : await readBack(context, file, info);
    return await addHidden(context, root, file, await writeHidden(context, root, again, {}));
  } finally {
    await removeUnlisted(context, root, info);
  }
}

/** Whether an adoption has already added this created document. False for another file with the same storage id. */
function isAdopted({ version, versions }: CatalogFile, { ref, version: made }: FileInfo): boolean {
  return versions === 1 && version.storageId === ref.id && version.storageVersion === made;
}

/** Removes the created file, unless it is a version of a file or has been replaced by somebody else. */
async function removeUnlisted(
  context: FilesContext,
  root: TenantRoot,
  info: FileInfo,
): Promise<void> {
  const { catalog } = context;
  const { id } = info.ref;
  try {
    const holder = await catalog.find(root.tenant, { type: "file", storageId: id });
    const versions = holder === null ? [] : await catalog.versions(root.tenant, holder.id);
    const isListed = versions.some(
      ({ storageId, storageVersion }) => storageId === id && storageVersion === info.version,
    );
    if (!isListed && (await isThere(context, info))) await removeQuietly(context, info);
  } catch {
    // The document remains for a later adoption. This error must not hide the original error.
  }
}

async function readBack(
  { storage }: FilesContext,
  { name }: NewFile,
  info: FileInfo,
): Promise<ByteSource> {
  try {
    const { version, bytes } = await storage.read(info.ref);
    if (version === info.version) return byteSource(bytes, {});
  } catch (error) {
    throw hasCode(error, "not_found") ? removedDuringCreation(name, error) : error;
  }
  throw removedDuringCreation(name);
}
