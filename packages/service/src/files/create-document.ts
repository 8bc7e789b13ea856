import { type CatalogFile, type FileInfo, foldName, type StorageOptions } from "@quire/core/host";
import type { FilesContext } from "./files-context.ts";
import { remakeFolder } from "./folders.ts";
import type { Home } from "./homes.ts";
import { type Incoming, incoming } from "./incoming.ts";
import { knownHolderOf } from "./locate.ts";
import { hasCode, missing, sweptAway, taken } from "./problems.ts";
import { addHidden, hide, type NewFile, removeQuietly, versionOf } from "./put-away.ts";

/**
 * Creates a document under its name in the folder of the storage, and then adds it to the catalog. If the process ends
 * between the two steps, a later pick-up adds it. If another item of the catalog occupies the name in the storage, or
 * if the name waits for removal, the document is hidden like an upload. Rejects like `create` of a storage. Rejects
 * `storage_failed` if a streamed document was removed together with an older one of its name.
 */
export async function createDocument(
  context: FilesContext,
  home: Home,
  file: NewFile,
  bytes: Incoming,
  options: StorageOptions,
): Promise<CatalogFile> {
  await requireFree(context, home, file, options.signal);
  // A stream can be read only once, so decide on its place first.
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

/** Null if the storage has the name already. */
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
  // Somebody else has removed the folder from the storage, but the catalog still has it and its content.
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

/** Picks up the folder. Rejects `conflict` if the item with this name in the storage has the name in the catalog. */
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

/** Adds a document that is in its folder of the storage to the catalog. */
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
    if (!hasCode(error, "not_found")) throw error; // it may have been added: keep it for a later pick-up
    await removeQuietly(context, info);
    throw missing("folder", folder.id);
  }
}

/**
 * Makes sure that a document in the catalog has its bytes. A sweep that ran in the meantime may have removed an older
 * document at the same place in the storage, and this one with it.
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

/** Whether the storage still has exactly the created file. Reads the file if versions are hashes. */
async function isThere({ storage }: FilesContext, info: FileInfo): Promise<boolean> {
  return (await storage.stat(info.ref))?.version === info.version;
}

/** Handles a document that is in its folder but that the catalog rejected under its name. */
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
    // The previous owner of the storage's name is still known or waits for removal, which may happen at any time.
    const again = bytes.isRepeatable ? bytes : await readBack(context, file, info);
    return await addHidden(context, home, file, await hide(context, home, again, {}));
  } finally {
    await removeUnlisted(context, home, info);
  }
}

/** Whether a pick-up added this created document before we did. False for a file that only has the same place. */
function isPickedUp({ version, versions }: CatalogFile, { ref, version: made }: FileInfo): boolean {
  return versions === 1 && version.storageId === ref.id && version.storageVersion === made;
}

/** Removes the created file, unless it is a version of a file or somebody else has replaced it. */
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
    // The document remains for a later pick-up. This error must not hide the first one.
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
