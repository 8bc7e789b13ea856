import type { CatalogEntry, CatalogFile, CatalogFolder, CatalogVersion } from "@quire/core/host";

/** The id of the root folder in requests and responses. The catalog may use another id. */
export const ROOT_ID = "0";
const ROOT_NAME = "All Files";

/** Returns a file in the format of the hosted service, with its folder. */
export function wireFile(file: CatalogFile, parent: CatalogFolder) {
  const { version } = file;
  return {
    type: "file" as const,
    id: file.id,
    name: file.name,
    etag: etagOf(file),
    ...(version.sha1 === null ? {} : { sha1: version.sha1 }),
    size: version.size,
    parent: wireParent(parent),
    file_version: { type: "file_version" as const, id: version.id },
    created_at: new Date(file.createdAt).toISOString(),
    modified_at: new Date(file.modifiedAt).toISOString(),
    created_by: userOf(file.createdBy),
  };
}

/** Returns a folder in the format of the hosted service; `parent` is null for the root. */
export function wireFolder(folder: CatalogFolder, parent: CatalogFolder | null) {
  return {
    ...wireParent(folder),
    parent: parent && wireParent(parent),
    created_at: new Date(folder.createdAt).toISOString(),
    created_by: userOf(folder.createdBy),
  };
}

export function wireEntry(entry: CatalogEntry, parent: CatalogFolder) {
  return entry.type === "file" ? wireFile(entry, parent) : wireFolder(entry, parent);
}

export function wireVersion({ id, sha1, size, createdAt }: CatalogVersion) {
  return {
    type: "file_version" as const,
    id,
    ...(sha1 === null ? {} : { sha1 }),
    size,
    created_at: new Date(createdAt).toISOString(),
  };
}

/** Returns the etag of a file. It changes with each new version and each rename. */
export function etagOf({ versions, modifiedAt }: CatalogFile): string {
  return `${versions}-${modifiedAt.toString(36)}`;
}

function wireParent({ id, name, parentId }: CatalogFolder) {
  const isRoot = parentId === null;
  return {
    type: "folder" as const,
    id: isRoot ? ROOT_ID : id,
    name: isRoot ? ROOT_NAME : name,
  };
}

function userOf(id: string | null) {
  return id === null ? null : { type: "user" as const, id };
}
