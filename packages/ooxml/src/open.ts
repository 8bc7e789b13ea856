import type { Diagnostic } from "@quire/contracts";
import { cleanPackage } from "./clean/clean.ts";
import { DEFAULT_LIMITS, type PackageLimits } from "./limits/limits.ts";
import { notWord, tooLarge } from "./limits/refusal.ts";
import { type ArchiveEntry, inflate, release } from "./package/archive.ts";
import {
  CONTENT_TYPES_PART,
  type ContentTypes,
  MAIN_TYPES,
  parseContentTypes,
} from "./package/content-types.ts";
import {
  parseRelationships,
  type Relationship,
  relationshipsPartOf,
} from "./package/relationships.ts";
import { findMainPart, openSource } from "./package/source.ts";
import { utf8Of } from "./xml/decode.ts";
import { nameKey } from "./xml/part-names.ts";

/**
 * An opened Word file. Content that documents must not contain has been removed, such as macros and links to other
 * files. Part names may be given in any case. Immutable.
 */
export interface DocxPackage {
  /** The main document, found by its relationship, because Word Online writes `word/document2.xml`. */
  readonly mainPart: string;
  /** The main document, then every part with running text that it refers to, in the order of its relationships. */
  readonly storyParts: readonly string[];
  /** The names of all parts, as in the zip. */
  readonly parts: readonly string[];
  /** Warnings about removed content. */
  readonly warnings: readonly Diagnostic[];
  /** The text of `[Content_Types].xml`. */
  readonly contentTypesXml: string;
  /** The entries of the zip, in order. */
  readonly entries: readonly ArchiveEntry[];
  /** Whether the package has a part with this name. */
  has(part: string): boolean;
  /** Whether an XML part may contain the text that was given on opening; always true if none was given. */
  mayHold(part: string): boolean;
  /** Returns the text of an XML part. Throws `invalid_template` when the part is missing or is not text. */
  readText(part: string): string;
  /** Returns the content of a part. Throws `invalid_template` when it is missing. */
  readBytes(part: string): Uint8Array;
  /**
   * Returns the relationships of a part, or of the package itself (`""`). Returns an empty list if the part has none or
   * does not exist.
   */
  relationshipsOf(part: string): readonly Relationship[];
  /**
   * Returns the content type of a part, in lowercase and without parameters, or undefined if the package does not
   * define it.
   */
  contentTypeOf(part: string): string | undefined;
  /**
   * Returns the first part of a kind (`styles`, `core-properties`) to which the main part or the package has a
   * relationship.
   */
  partByKind(kind: string): string | null;
}

/** Kinds of relationships whose targets contain paragraphs. */
const STORY_KINDS = new Set(["header", "footer", "footnotes", "endnotes", "comments"]);

/** Other kinds of relationships whose targets count towards the text limit. */
const READ_KINDS = [
  "styles",
  "numbering",
  "core-properties",
  "extended-properties",
  "custom-properties",
];

/**
 * Opens the bytes of a Word file (`.docx`, `.dotx`, `.docm`, `.dotm`), which must not change afterwards. Each part is
 * checked before other code reads it. Content that would load, run or open something is removed and reported in
 * `warnings`. Rejects with `invalid_template`, with a specific message for each way in which a file can be of another
 * type, damaged or hostile. Rejects with `limit_exceeded` if the file is too large. `wanted` is the text for {@link
 * DocxPackage.mayHold}, without characters that XML escapes.
 */
export async function openPackage(
  bytes: Uint8Array,
  limits: Partial<PackageLimits> = {},
  wanted: string | null = null,
): Promise<DocxPackage> {
  const source = openSource(bytes, { ...DEFAULT_LIMITS, ...limits });
  const mainPart = findMainPart(source, (type) => MAIN_TYPES.has(type));
  const { dropped, changed, holding, warnings } = cleanPackage(source, wanted);
  const entries = source.entries
    .filter(({ name }) => !dropped.has(name))
    .map((entry) => changed.get(entry.name) ?? entry);
  const found = wanted === null ? null : holding;
  const docx = new OpenedPackage(mainPart, entries, warnings, undefined, found);
  const { textBytes } = source.limits;
  const read = new Set([
    ...docx.storyParts,
    ...READ_KINDS.flatMap((kind) => docx.partByKind(kind) ?? []),
  ]);
  const size = [...read].reduce((sum, part) => sum + docx.sizeOf(part), 0);
  if (size > textBytes) throw tooLarge("its text", size, textBytes);
  return docx;
}

/** A package whose parts were all checked. */
export class OpenedPackage implements DocxPackage {
  readonly mainPart: string;
  readonly storyParts: readonly string[];
  readonly parts: readonly string[];
  readonly warnings: readonly Diagnostic[];
  readonly entries: readonly ArchiveEntry[];
  readonly contentTypesXml: string;
  readonly #holding: ReadonlySet<string> | null;
  readonly #types: ContentTypes;
  readonly #byKey: ReadonlyMap<string, ArchiveEntry>;
  readonly #relationships: Map<string, readonly Relationship[]>;

  /**
   * `like` is a package with the same parts, types and relationships. `holding` contains the parts that may have the
   * wanted text, or is null if no text is wanted.
   */
  constructor(
    mainPart: string,
    entries: readonly ArchiveEntry[],
    warnings: readonly Diagnostic[],
    like?: OpenedPackage,
    holding: ReadonlySet<string> | null = null,
  ) {
    this.mainPart = mainPart;
    this.#holding = holding;
    this.entries = entries;
    this.warnings = warnings;
    this.parts = entries.map(({ name }) => name);
    this.#byKey = new Map(entries.map((entry) => [nameKey(entry.name), entry]));
    this.#relationships = like === undefined ? new Map() : like.#relationships;
    if (like !== undefined) {
      this.contentTypesXml = like.contentTypesXml;
      this.#types = like.#types;
      this.storyParts = like.storyParts;
      return;
    }
    const types = this.#readXml(CONTENT_TYPES_PART);
    this.contentTypesXml = types.toString("utf8");
    this.#types = parseContentTypes(types);
    const stories = this.relationshipsOf(mainPart).flatMap(({ kind, part }) =>
      part !== null && STORY_KINDS.has(kind) ? [part] : [],
    );
    this.storyParts = [...new Set([mainPart, ...stories])];
  }

  has(part: string): boolean {
    return this.#byKey.has(nameKey(part));
  }

  mayHold(part: string): boolean {
    return this.#holding?.has(part) ?? true;
  }

  readText(part: string): string {
    const entry = this.#entry(part);
    const content = inflate(entry);
    const text = utf8Of(part, content).toString("utf8");
    release(entry, content);
    return text;
  }

  readBytes(part: string): Uint8Array {
    return inflate(this.#entry(part));
  }

  sizeOf(part: string): number {
    return this.#entry(part).size;
  }

  relationshipsOf(part: string): readonly Relationship[] {
    const holder = relationshipsPartOf(part);
    const found = this.#relationships.get(holder);
    if (found !== undefined) return found;
    const find = (name: string): string | null => this.#byKey.get(nameKey(name))?.name ?? null;
    const list = this.has(holder) ? parseRelationships(part, this.#readXml(holder), find) : [];
    this.#relationships.set(holder, list);
    return list;
  }

  contentTypeOf(part: string): string | undefined {
    return this.#types.of(part);
  }

  partByKind(kind: string): string | null {
    const of = (owner: string): string | null =>
      this.relationshipsOf(owner).find((each) => each.kind === kind && each.part !== null)?.part ??
      null;
    return of(this.mainPart) ?? of("");
  }

  #readXml(part: string): Buffer {
    return utf8Of(part, this.readBytes(part));
  }

  #entry(part: string): ArchiveEntry {
    const entry = this.#byKey.get(nameKey(part));
    if (entry === undefined) throw notWord(`it has no ${part}`);
    return entry;
  }
}
