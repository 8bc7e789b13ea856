import assert from "node:assert/strict";
import {
  type CatalogEntry,
  type ErrorCode,
  type FileCatalog,
  isQuireError,
  memoryFileCatalog,
  memoryStorage,
  type QuireError,
  type Storage,
} from "@quire/core";
import { createFiles } from "../../../src/files/create-files.ts";
import type { Actor, Files, FilesOptions } from "../../../src/files/files-types.ts";

/** A service over a storage and a catalog. Only the test moves its clock. */
export interface Place {
  readonly files: Files;
  readonly storage: Storage;
  readonly catalog: FileCatalog;
  /** Moves the clock far enough for folders to be read again. */
  later(): void;
  /** Opens another service over the same storage and catalog, as after a restart. */
  open(options?: Partial<FilesOptions>): Files;
}

export function makePlace(options: Partial<FilesOptions> = {}): Place {
  let time = 1_000_000;
  const { storage = memoryStorage(), catalog = memoryFileCatalog() } = options;
  const open = (more: Partial<FilesOptions> = {}): Files =>
    createFiles({ storage, catalog, now: () => time, ...options, ...more });
  return {
    files: open(),
    storage,
    catalog,
    later: () => {
      time += 10_000;
    },
    open,
  };
}

export const ANNA: Actor = { tenant: "acme", user: "anna" };
export const EVE: Actor = { tenant: "evil", user: "eve" };

export function text(content: string): Uint8Array {
  return new TextEncoder().encode(content);
}

/** Yields the bytes of each string as one chunk. */
export async function* stream(...contents: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const content of contents) yield text(content);
}

export function file(id: string): { readonly type: "file"; readonly id: string } {
  return { type: "file", id };
}

export function folder(id: string): { readonly type: "folder"; readonly id: string } {
  return { type: "folder", id };
}

export const ROOT = folder("0");
/** The folder of `ANNA`'s tenant in the storage. */
export const ACME = folder("tenants/acme");
export const HIDDEN = folder("tenants/acme/.quire");

/** Returns the content of a file of `ANNA`'s tenant. */
export async function contentOf(files: Files, id: string, version?: string): Promise<string> {
  const { bytes } = await files.read("acme", id, { version });
  return new TextDecoder().decode(bytes);
}

/** Returns the names in a folder of a tenant, by default `ANNA`'s. */
export async function namesIn(files: Files, id = "0", tenant = "acme"): Promise<string[]> {
  return (await listed(files, id, tenant)).map(({ name }) => name);
}

export async function listed(
  files: Files,
  id = "0",
  tenant = "acme",
): Promise<readonly CatalogEntry[]> {
  return (await files.list(tenant, id, { limit: 1000 })).items;
}

/** Returns the names in a folder of the storage, without the `README.txt` of Quire's hidden folder. */
export async function stored(
  storage: Storage,
  where: { readonly type: "folder"; readonly id: string },
): Promise<string[]> {
  const { entries } = await storage.list(where);
  return entries.map(({ name }) => name).filter((name) => name !== "README.txt");
}

/** Fails unless the promise rejects with an error that has this code. Returns the error. */
export async function rejects(promise: Promise<unknown>, code: ErrorCode): Promise<QuireError> {
  const error: unknown = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  assert.ok(isQuireError(error), `It should have been rejected with ${code}: ${String(error)}`);
  assert.equal(error.code, code, error.message);
  assert.match(error.message, /\.$/);
  return error;
}
