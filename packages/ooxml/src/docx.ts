import { Buffer } from "node:buffer";
import type { Diagnostic } from "@quire/contracts";
import { LRUCache } from "lru-cache";
import { cleanPackage } from "./clean/clean.ts";
import { isHyperlink } from "./clean/clean-relationships.ts";
import { contentHash } from "./content-hash.ts";
import { DEFAULT_LIMITS, RENDERED_LIMITS } from "./limits/limits.ts";
import { type DocxPackage, OpenedPackage } from "./open.ts";
import { type ArchiveEntry, openArchive } from "./package/archive.ts";
import { CONTENT_TYPES_PART, isDocxType, MAIN_TYPES } from "./package/content-types.ts";
import { ownerOf } from "./package/relationships.ts";
import { findMainPart, openSource, ownersIn, type PackageSource } from "./package/source.ts";
import { createWriter, type PartContent } from "./write.ts";
import { nameKey } from "./xml/part-names.ts";

/** A Word document that does not load, run or open anything. Links to click on are kept. */
export interface Docx
  extends Pick<
    DocxPackage,
    | "mainPart"
    | "storyParts"
    | "parts"
    | "entries"
    | "has"
    | "readText"
    | "readBytes"
    | "relationshipsOf"
    | "contentTypeOf"
    | "partByKind"
  > {
  /** The whole document; the original bytes if nothing was removed. */
  readonly bytes: Uint8Array;
  /** Warnings about removed content. */
  readonly warnings: readonly Diagnostic[];
  /** Returns a copy with these parts replaced or added. */
  write(parts: ReadonlyMap<string, string | Uint8Array>): Uint8Array;
}

/** Options of {@link openDocx}. */
export interface OpenDocxOptions {
  /**
   * Whether the bytes come from `Template.render`, which has checked everything. If so, only the relationships are
   * checked, and the size is not limited again. Default false.
   */
  readonly rendered?: boolean;
}

/**
 * Opens a Word document (`.docx`, `.dotx`, `.docm`, `.dotm`) for reading or converting, not rendering: tags are text.
 * Removes everything that would load, run or open something. Throws `invalid_template` if the bytes are not a Word
 * document, or are damaged or hostile. Throws `limit_exceeded` if the document is too large.
 */
export function openDocx(bytes: Uint8Array, options: OpenDocxOptions = {}): Docx {
  if (options.rendered === true) {
    const rendered = openRendered(bytes);
    if (rendered !== null) return rendered;
  }
  const source = openSource(bytes, DEFAULT_LIMITS);
  const mainPart = findMainPart(source, (type) => MAIN_TYPES.has(type));
  const { dropped, changed, warnings } = cleanPackage(source);
  if (dropped.size === 0 && changed.size === 0) {
    return new OpenedDocx(mainPart, source.entries, bytes, warnings);
  }
  const entries = source.entries
    .filter(({ name }) => !dropped.has(name))
    .map((entry) => changed.get(entry.name) ?? entry);
  return new OpenedDocx(mainPart, entries, createWriter({ entries }).write(new Map()), warnings);
}

/** Opened documents by their skeleton. Documents of one template have the same skeleton, which is read only once. */
const KNOWN = new LRUCache<string, OpenedDocx>({ max: 32 });

const NOTHING = new Uint8Array();

/**
 * Opens a rendered document. Returns null if anything leads outside the package: Quire does not render such documents.
 */
function openRendered(bytes: Uint8Array): OpenedDocx | null {
  const archive = openArchive(bytes, RENDERED_LIMITS);
  const entries = [...archive.values()];
  const key = skeletonOf(entries);
  const known = KNOWN.get(key);
  if (known !== undefined) return new OpenedDocx(known.mainPart, entries, bytes, [], known);
  const source = openSource(bytes, RENDERED_LIMITS);
  const mainPart = findMainPart(source, isDocxType);
  if (linksOut(source)) return null;
  // The first document is kept without its contents: only its names, content types and relationships.
  const skeleton = entries.map((entry) => ({
    ...entry,
    raw: isSkeleton(entry.name) ? new Uint8Array(entry.raw) : NOTHING,
  }));
  KNOWN.set(key, new OpenedDocx(mainPart, skeleton, NOTHING, []));
  return new OpenedDocx(mainPart, entries, bytes, []);
}

/** Returns a hash of all names, of the content types and of all relationships. */
function skeletonOf(entries: readonly ArchiveEntry[]): string {
  const pieces = entries.flatMap(({ name, raw, method }) =>
    isSkeleton(name)
      ? [Buffer.from(`${name}\0${method} ${raw.length}\0`), raw]
      : [Buffer.from(`${name}\0`)],
  );
  return contentHash(Buffer.concat(pieces));
}

function isSkeleton(name: string): boolean {
  return ownerOf(name) !== null || nameKey(name) === nameKey(CONTENT_TYPES_PART);
}

/** Whether a relationship leads outside the package and is not a link to click on. */
function linksOut(source: PackageSource): boolean {
  return ownersIn(source).some((owner) =>
    source
      .relationshipsOf(owner)
      .some((relationship) => relationship.external && !isHyperlink(relationship)),
  );
}

class OpenedDocx extends OpenedPackage implements Docx {
  readonly bytes: Uint8Array;
  #main: string | undefined;

  constructor(
    mainPart: string,
    entries: readonly ArchiveEntry[],
    bytes: Uint8Array,
    warnings: readonly Diagnostic[],
    like?: OpenedDocx,
  ) {
    super(mainPart, entries, warnings, like);
    this.bytes = bytes;
  }

  /** Cached, because the main part is read several times. */
  override readText(part: string): string {
    if (part !== this.mainPart) return super.readText(part);
    this.#main ??= super.readText(part);
    return this.#main;
  }

  write(parts: ReadonlyMap<string, PartContent>): Uint8Array {
    return createWriter(this).write(parts, 1);
  }
}
