import { type CatalogFile, type FileInfo, foldName, type StorageOptions } from "@quire/core/host";
import type { FilesContext } from "./files-context.ts";
import { remakeFolder } from "./folders.ts";
import type { Home } from "./homes.ts";
import { type Incoming, incoming } from "./incoming.ts";
import { knownHolderOf } from "./locate.ts";
import { hasCode, missing, sweptAway, taken } from "./problems.ts";
import { addHidden, hide, type NewFile, removeQuietly, versionOf } from "./put-away.ts";

/**
 * Creates a document under its own name in the folder of the storage, and then adds it to the catalog. When the process
 * ends in between, it is picked up from there. Where the storage's name is held by what has another name in the catalog,
 * or waits to be removed, the document is hidden like what is uploaded. Rejects like `create` of a storage, and
 * `storage_failed` when a stream that was written was removed again with what had its place before.
 */
export async function createDocument(
  context: FilesContext,
  home: Home,
  file: NewFile,
  bytes: Incoming,
  options: StorageOptions,
): Promise<CatalogFile> {
  await requireFree(context, home, file, options.signal);
  // A stream can be read only once: where it goes is found out before.
  const isHeld = !bytes.isRepeatable && (await nameInStorage(context, file, options)) !== null;
  const discarded = await context.catalog.discarded();
  const info = isHeld ? null : await createVisible(context, file, bytes, options);
  if (info !== null) {
    const added = await addVisible(context, home, file, info, bytes);
    const isHidden = added.version.storageId !== info.ref.id;
    if (isHidden || (await context.catalog.discarded()) === discarded) return added;
    return makeSure(context, home, file, { added, info }, bytes);
  }
  await requireForeign(context, home, file, options);
  return addHidden(context, home, file, await hide(context, home, bytes, options));
}

async function requireFree(
  context: FilesContext,
  home: Home,
  file: NewFile,
  signal: AbortSignal | undefined,
): Promise<void> {
  if ((await knownHolderOf(context, home, file, signal)) !== null) throw taken(file.name);
}

/** Null when the storage has the name. */
async function createVisible(
  context: FilesContext,
  { folder, name }: NewFile,
  bytes: Incoming,
  options: StorageOptions,
): Promise<FileInfo | null> {
  const place = { type: "folder", id: folder.storageId } as const;
  const create = () => bytes.into((source) => context.storage.create(place, name, source, options));
  try {
    return await create();
  } catch (error) {
    if (hasCode(error, "conflict") && bytes.isRepeatable) return null;
    if (!hasCode(error, "not_found") || !bytes.isRepeatable) throw error;
  }
  // Somebody else has removed the folder from the storage; what the catalog has in it is still there.
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

/** Rejects `conflict` when what has the name in the storage has it in the catalog too, also from now on. */
async function requireForeign(
  context: FilesContext,
  home: Home,
  file: NewFile,
  options: StorageOptions,
): Promise<void> {
  const { catalog, pickUps } = context;
  const info = await nameInStorage(context, file, options);
  const key = { type: "file", storageId: info?.ref.id ?? "" } as const;
  const holder = info && (await catalog.find(home.tenant, key));
  if (holder && foldName(holder.name) !== foldName(file.name)) return;
  await pickUps.fresh(home, file.folder);
  await requireFree(context, home, file, options.signal);
}

/** Adds a document that stands in its folder to the catalog. */
async function addVisible(
  context: FilesContext,
  home: Home,
  file: NewFile,
  info: FileInfo,
  bytes: Incoming,
): Promise<CatalogFile> {
  const { folder, name, createdBy } = file;
  const version = versionOf(info, bytes.sha1(), createdBy);
  const entry = { type: "file", parentId: folder.id, name, createdBy, version } as const;
  try {
    const added = await context.catalog.add(home.tenant, entry);
    if (added.type === "file") return added;
    throw taken(name);
  } catch (error) {
    if (hasCode(error, "conflict")) return settleConflict(context, home, file, info, bytes);
    if (!hasCode(error, "not_found")) throw error; // it may be added: it stays, to be found
    await removeQuietly(context, info);
    throw missing("folder", folder.id);
  }
}

/**
 * Sees to it that a document has its bytes that is in the catalog: when something was swept while it was made, that may have
 * been what had its place in the storage before, and the document with it.
 */
async function makeSure(
  context: FilesContext,
  home: Home,
  file: NewFile,
  { added, info }: { readonly added: CatalogFile; readonly info: FileInfo },
  bytes: Incoming,
): Promise<CatalogFile> {
  if (await isThere(context, info)) return added;
  await context.catalog.remove(home.tenant, added.id, { gone: info.ref.id });
  if (!bytes.isRepeatable) throw sweptAway(file.name);
  return addHidden(context, home, file, await hide(context, home, bytes, {}));
}

/** Whether the storage still has what was created, and nothing else in its place. Reads it where versions are hashes. */
async function isThere({ storage }: FilesContext, info: FileInfo): Promise<boolean> {
  return (await storage.stat(info.ref))?.version === info.version;
}

/** What becomes of a document that stands in its folder, and that the catalog did not take under its name. */
async function settleConflict(
  context: FilesContext,
  home: Home,
  file: NewFile,
  info: FileInfo,
  bytes: Incoming,
): Promise<CatalogFile> {
  const { folder, name } = file;
  const holder = await context.catalog.find(home.tenant, { parentId: folder.id, name });
  if (holder?.type === "file" && isPickedUp(holder, info)) return holder;
  try {
    if (holder !== null) throw taken(name);
    // What had the storage's name before is still known, or waits to be removed: who removes it may do so any time.
    const again = bytes.isRepeatable ? bytes : await readBack(context, file, info);
    return await addHidden(context, home, file, await hide(context, home, again, {}));
  } finally {
    await removeUnlisted(context, home, info);
  }
}

/** Whether a file is what was created, picked up before we could add it: not one that has only its place in the storage. */
function isPickedUp({ version, versions }: CatalogFile, { ref, version: made }: FileInfo): boolean {
  return versions === 1 && version.storageId === ref.id && version.storageVersion === made;
}

/** Removes what was created, unless it is a version of some file, or somebody else's by now. */
async function removeUnlisted(context: FilesContext, home: Home, info: FileInfo): Promise<void> {
  const { catalog } = context;
  const { id } = info.ref;
  try {
    const holder = await catalog.find(home.tenant, { type: "file", storageId: id });
    const versions = holder === null ? [] : await catalog.versions(home.tenant, holder.id);
    const isListed = versions.some(
      ({ storageId, storageVersion }) => storageId === id && storageVersion === info.version,
    );
    if (!isListed && (await isThere(context, info))) await removeQuietly(context, info);
  } catch {
    // It stays, to be found: it must not hide what became of the document.
  }
}

async function readBack(
  { storage }: FilesContext,
  { name }: NewFile,
  info: FileInfo,
): Promise<Incoming> {
  try {
    const { version, bytes } = await storage.read(info.ref);
    if (version === info.version) return incoming(bytes, {});
  } catch (error) {
    throw hasCode(error, "not_found") ? sweptAway(name, error) : error;
  }
  throw sweptAway(name);
}
