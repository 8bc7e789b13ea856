import type { ArchiveEntry } from "./archive.ts";
import { CONTENT_TYPES_PART, extensionOf } from "./content-types.ts";
import { nameKey } from "./names.ts";
import type { DocxPackage } from "./open.ts";
import { deflated, stored, writeZip } from "./zip.ts";

/** Writes copies of one package in which some parts are different. */
export interface PackageWriter {
  /**
   * The package with these parts in place of its own, or beside them: text is written as UTF-8. All
   * other entries are copied as they are, compressed or not. The content types stand first, then the
   * package's entries in their order, then new ones by name. The same parts give the same bytes.
   */
  write(parts: ReadonlyMap<string, string | Uint8Array>): Uint8Array;
}

/** Pictures of these kinds are compressed already. */
const COMPRESSED: ReadonlySet<string> = new Set(["png", "jpg", "jpeg", "gif"]);

/** A writer of copies of an opened package. */
export function createWriter({ entries }: Pick<DocxPackage, "entries">): PackageWriter {
  const first = nameKey(CONTENT_TYPES_PART);
  const own = new Set(entries.map(({ name }) => name));
  const order = entries.toSorted((a, b) => rank(a, first) - rank(b, first));
  return {
    write(parts) {
      const replaced = order.map((entry) => {
        const content = parts.get(entry.name);
        return content === undefined ? entry : entryOf(entry.name, content);
      });
      const added = [...parts]
        .filter(([name]) => !own.has(name))
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, content]) => entryOf(name, content));
      return writeZip([...replaced, ...added]);
    },
  };
}

function rank({ name }: ArchiveEntry, first: string): number {
  return nameKey(name) === first ? 0 : 1;
}

function entryOf(name: string, content: string | Uint8Array): ArchiveEntry {
  if (typeof content === "string") return deflated(name, Buffer.from(content));
  return COMPRESSED.has(extensionOf(name)) ? stored(name, content) : deflated(name, content);
}
