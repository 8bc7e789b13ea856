import assert from "node:assert/strict";
import type {
  CatalogEntry,
  CatalogFile,
  CatalogFolder,
  FileCatalog,
  Leftover,
  NewCatalogVersion,
} from "@quire/contracts";
import type { ServiceCases, ServiceStoreFixture } from "../service-fixture.ts";

/** A new, empty catalog for one case of `fileCatalogConformance`. */
export interface FileCatalogFixture extends ServiceStoreFixture<FileCatalog> {
  /** Advances the clock of all handles by `ms` milliseconds. */
  readonly pass: (ms: number) => Promise<void> | void;
}

/** Cases of the suite by name. */
export type FileCatalogCases = ServiceCases<FileCatalog, FileCatalogFixture>;

/** The tenant of the cases. */
export const TENANT = "Bücher & Söhne";

/** Returns a version whose bytes are in this file of the storage. */
export function newVersion(
  storageId: string,
  parts: Partial<NewCatalogVersion> = {},
): NewCatalogVersion {
  return { storageId, storageVersion: "v1", size: 3, sha1: null, createdBy: null, ...parts };
}

/** Returns the id of the tenant's root. */
export async function rootId(catalog: FileCatalog, tenant = TENANT): Promise<string> {
  return (await catalog.root(tenant, `tenants/${tenant}`)).id;
}

/** Adds a file. By default, its id in the storage consists of its folder and name. */
export async function addFile(
  catalog: FileCatalog,
  parentId: string,
  name: string,
  { storageId = `${parentId}/${name}`, tenant = TENANT } = {},
): Promise<CatalogFile> {
  const version = newVersion(storageId);
  const file = await catalog.add(tenant, {
    type: "file",
    parentId,
    name,
    createdBy: null,
    version,
  });
  assert.equal(file.type, "file");
  return file as CatalogFile;
}

/** Adds a folder. By default, its id in the storage consists of its parent folder and name. */
export async function addFolder(
  catalog: FileCatalog,
  parentId: string,
  name: string,
  { storageId = `${parentId}/${name}`, tenant = TENANT } = {},
): Promise<CatalogFolder> {
  const folder = await catalog.add(tenant, {
    type: "folder",
    parentId,
    name,
    createdBy: null,
    storageId,
  });
  assert.equal(folder.type, "folder");
  return folder as CatalogFolder;
}

/** Returns the names of entries, in order. */
export function namesOf(entries: readonly CatalogEntry[]): string[] {
  return entries.map(({ name }) => name);
}

/** Runs a sweep that discards all leftovers. Returns them as `type id`. */
export async function swept(catalog: FileCatalog): Promise<string[]> {
  const given: string[] = [];
  await catalog.sweep(async (leftover) => void given.push(inWords(leftover)));
  return given;
}

export function inWords({ type, storageId }: Leftover): string {
  return `${type} ${storageId}`;
}
