import { Buffer } from "node:buffer";
import type { DocxPackage } from "./open.ts";
import type { ArchiveEntry } from "./package/archive.ts";
import { CONTENT_TYPES_PART, extensionOf } from "./package/content-types.ts";
import { deflated, type EntryContent, entryOf, stored, ZipPlan } from "./package/zip.ts";
import { nameKey } from "./xml/part-names.ts";

/** A compressed part. */
export interface Compressed {
  readonly crc32: number;
  /** The size in bytes before compression. */
  readonly size: number;
  /** A complete DEFLATE stream (RFC 1951), in pieces. */
  readonly pieces: readonly Uint8Array[];
}

/** The content of a part. Text is written as UTF-8. */
export type PartContent = string | Uint8Array | Compressed;

/** Writes copies of a package with some parts changed. */
export interface PackageWriter {
  /**
   * Returns the package with these parts replaced or added. `level`: zlib's level for parts that are not
   * compressed yet. `omitted`: parts that this copy does not have. All other entries are copied unchanged. The
   * content types come first, then the package's entries in order, then new ones by name. The same parts give the same
   * bytes.
   */
  write(
    parts: ReadonlyMap<string, PartContent>,
    level?: number,
    omitted?: ReadonlySet<string>,
  ): Uint8Array;
}

/** File extensions of pictures that are already compressed. */
const COMPRESSED: ReadonlySet<string> = new Set(["png", "jpg", "jpeg", "gif"]);

const NOTHING: ReadonlySet<string> = new Set();

/**
 * Creates a writer for copies of an opened package. `settled`: parts that are added or replaced in every copy. Writing
 * is fastest if only the `usual` parts differ between copies.
 */
export function createWriter(
  { entries }: Pick<DocxPackage, "entries">,
  settled: ReadonlyMap<string, string | Uint8Array> = new Map(),
  usual: readonly string[] = [],
): PackageWriter {
  return new Writer(inOrder(entries), settled, usual);
}

function inOrder(entries: readonly ArchiveEntry[]): ArchiveEntry[] {
  const first = nameKey(CONTENT_TYPES_PART);
  const rank = ({ name }: ArchiveEntry): number => (nameKey(name) === first ? 0 : 1);
  return entries.toSorted((a, b) => rank(a) - rank(b));
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

class Writer implements PackageWriter {
  readonly #entries: readonly ArchiveEntry[];
  /** Settled parts that the package does not have. */
  readonly #added: ReadonlyMap<string, PartContent>;
  readonly #usual: readonly string[];
  readonly #plan: ZipPlan;

  constructor(
    entries: readonly ArchiveEntry[],
    settled: ReadonlyMap<string, PartContent>,
    usual: readonly string[],
  ) {
    const own = new Set(entries.map(({ name }) => name));
    const differing = new Set(usual);
    this.#entries = entries.map((entry) => settledEntry(entry.name, settled) ?? entry);
    this.#added = new Map([...settled].filter(([name]) => !own.has(name)).toSorted(byName));
    this.#usual = entries.map(({ name }) => name).filter((name) => differing.has(name));
    const planned = this.#entries.map((entry) => (differing.has(entry.name) ? entry.name : entry));
    const added = [...this.#added.keys()].flatMap((name) => settledEntry(name, settled) ?? []);
    this.#plan = new ZipPlan([...planned, ...added]);
  }

  write(
    parts: ReadonlyMap<string, PartContent>,
    level = 6,
    omitted: ReadonlySet<string> = NOTHING,
  ): Uint8Array {
    const contents: EntryContent[] = [];
    for (const name of this.#usual) {
      const content = parts.get(name);
      if (content === undefined) break;
      contents.push(contentOf(name, content, level));
    }
    const isUsual = contents.length === parts.size && parts.size === this.#usual.length;
    if (isUsual && omitted.size === 0) return this.#plan.write(contents);
    return this.#writeOther(parts, level, omitted);
  }

  /** Writes a copy in which parts other than the usual ones differ. */
  #writeOther(
    parts: ReadonlyMap<string, PartContent>,
    level: number,
    omitted: ReadonlySet<string>,
  ): Uint8Array {
    const entries = this.#entries.filter(({ name }) => !omitted.has(name));
    const names = entries.map(({ name }) => name);
    const own = new Set(names);
    const contents = entries.map(({ name, raw, ...facts }): EntryContent => {
      const content = parts.get(name);
      return content === undefined ? { ...facts, pieces: [raw] } : contentOf(name, content, level);
    });
    const added = [...new Map([...this.#added, ...parts])].filter(
      ([name]) => !own.has(name) && !omitted.has(name),
    );
    for (const [name, content] of added.toSorted(byName)) {
      names.push(name);
      contents.push(contentOf(name, content, level));
    }
    return new ZipPlan(names).write(contents);
  }
}

/** Returns the entry of a part that is the same in every copy, or null for any other part. */
function settledEntry(
  name: string,
  settled: ReadonlyMap<string, PartContent>,
): ArchiveEntry | null {
  const content = settled.get(name);
  return content === undefined ? null : entryOf(name, contentOf(name, content, 6));
}

function contentOf(name: string, content: PartContent, level: number): EntryContent {
  if (typeof content === "string") return deflated(Buffer.from(content), level);
  if (!(content instanceof Uint8Array)) return { method: 8, ...content };
  return COMPRESSED.has(extensionOf(name)) ? stored(content) : deflated(content, level);
}
