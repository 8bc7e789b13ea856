import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  type ErrorCode,
  type FileRef,
  type FolderEntry,
  type FolderRef,
  isQuireError,
  type Storage,
} from "@quire/contracts";

/** Ids outside a storage, or invalid ids. */
export const OUTSIDE = ["../x", "..", "/etc/passwd", "a/../../x", "a\0b", ""] as const;

/** Returns the UTF-8 bytes of a string. */
export function text(content: string): Uint8Array {
  return new TextEncoder().encode(content);
}

/** Returns bytes that repeat every 64 KiB, so that tests notice if a part of any other length is lost or repeated. */
export function pattern(size: number, seed: number): Uint8Array {
  const bytes = new Uint8Array(size);
  for (let index = 0; index < size; index += 1)
    bytes[index] = (index * 31 + (index >> 8) + seed) & 255;
  return bytes;
}

/** Returns the SHA-256 in lower-case hex. */
export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Returns a reference to a file by id. */
export function file(id: string): FileRef {
  return { type: "file", id };
}

/** Returns a reference to a folder by id. */
export function folder(id: string): FolderRef {
  return { type: "folder", id };
}

/** Fails unless the promise rejects with a `QuireError` of that code and a valid message. */
export async function rejects(promise: Promise<unknown>, code: ErrorCode): Promise<void> {
  const error: unknown = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  assert.notEqual(error, null, `It should have been rejected with ${code}, but it resolved.`);
  assert.ok(
    isQuireError(error),
    `It should have been rejected with a QuireError: ${String(error)}`,
  );
  assert.equal(error.code, code, error.message);
  assert.match(error.message, /\.$/, "The message should end with a full stop.");
}

/** Fails unless the bytes are equal. The message reports the sizes, not the bytes. */
export function sameBytes(actual: Uint8Array, expected: Uint8Array): void {
  const same = Buffer.compare(actual, expected) === 0;
  assert.ok(same, `The ${actual.length} bytes are not the ${expected.length} expected ones.`);
}

/** Reads all entries of a folder, page by page. */
export async function listAll(
  storage: Storage,
  where: FolderRef,
  limit: number,
): Promise<FolderEntry[]> {
  const entries: FolderEntry[] = [];
  let marker: string | null = null;
  do {
    const page = await storage.list(where, marker === null ? { limit } : { limit, marker });
    assert.ok(page.entries.length <= limit, "A page should not be longer than its limit.");
    entries.push(...page.entries);
    assert.ok(entries.length < 1000, "The pages of a small folder should end.");
    marker = page.nextMarker;
  } while (marker !== null);
  return entries;
}

/** Returns the names in a folder, in the order of the listing. */
export async function namesIn(storage: Storage, where: FolderRef): Promise<string[]> {
  return (await listAll(storage, where, 1000)).map(({ name }) => name);
}
