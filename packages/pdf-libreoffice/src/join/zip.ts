import { isQuireError } from "@quire/contracts";
import { RENDERED_LIMITS } from "@quire/ooxml/internal/limits/limits";
import { type ArchiveEntry, inflate, openArchive } from "@quire/ooxml/internal/package/archive";
import { entryOf, stored } from "@quire/ooxml/internal/package/zip";
import { refuse } from "./refusal.ts";

/** Reads the entries of a zip by name, in order. Refuses bytes that are not a zip, and an ambiguous zip. */
export function readZip(bytes: Uint8Array): ReadonlyMap<string, ArchiveEntry> {
  const entries = orRefuse("an unusual zip structure", () => openArchive(bytes, RENDERED_LIMITS));
  return new Map([...entries.values()].map((entry) => [entry.name, entry]));
}

/** Reads the content of an entry. Refuses a damaged entry. */
export function contentOf(entry: ArchiveEntry): Buffer {
  const content = orRefuse("a part is damaged", () => inflate(entry));
  return Buffer.from(content.buffer, content.byteOffset, content.length);
}

/** Whether two entries have the same content. May return false for equal entries. */
export function sameContent(a: ArchiveEntry, b: ArchiveEntry): boolean {
  const sameFacts = a.crc32 === b.crc32 && a.size === b.size && a.method === b.method;
  return sameFacts && Buffer.compare(a.raw, b.raw) === 0;
}

/** Returns an entry with this content, uncompressed because LibreOffice reads it only once, from memory. */
export function storedPart(name: string, content: Buffer): ArchiveEntry {
  return entryOf(name, stored(content));
}

/** Returns the result of `read`. Refuses documents that the gate rejects. */
function orRefuse<T>(reason: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!isQuireError(error)) throw error;
    return refuse(reason);
  }
}
