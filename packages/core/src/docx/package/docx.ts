import { Buffer } from "node:buffer";
import type { Diagnostic } from "../../errors.ts";
import { contentHash } from "../values/image/content-hash.ts";
import { type ArchiveEntry, openArchive } from "./archive.ts";
import { cleanPackage } from "./clean.ts";
import { isHyperlink } from "./clean-relationships.ts";
import { CONTENT_TYPES_PART, isDocxType, MAIN_TYPES } from "./content-types.ts";
import { DEFAULT_LIMITS, type PackageLimits } from "./limits.ts";
import { nameKey } from "./names.ts";
import { type DocxPackage, OpenedPackage } from "./open.ts";
import { ownerOf } from "./relationships.ts";
import { findMainPart, openSource, ownersIn, type PackageSource } from "./source.ts";
import { createWriter, type PartContent } from "./write.ts";

/** A Word document in which nothing fetches, runs or opens anything; links to click on stay. */
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
  /** The whole document: the bytes that were given when nothing had to be taken out. */
  readonly bytes: Uint8Array;
  /** What was taken out. */
  readonly warnings: readonly Diagnostic[];
  /** A copy with these parts in place of its own, or beside them. */
  write(parts: ReadonlyMap<string, string | Uint8Array>): Uint8Array;
}

/** Options of {@link openDocx}. */
export interface OpenDocxOptions {
  /**
   * The bytes come from `Template.render`, which looked at everything: of them only the relationships are
   * looked at, and their size is not bounded again. Default false.
   */
  readonly rendered?: boolean;
}

/** Larger than any document that was rendered: a converter takes those, too. */
const NO_LIMITS: PackageLimits = {
  ...DEFAULT_LIMITS,
  parts: Number.POSITIVE_INFINITY,
  totalBytes: Number.POSITIVE_INFINITY,
  partBytes: Number.POSITIVE_INFINITY,
  listBytes: Number.POSITIVE_INFINITY,
};

/**
 * Opens a Word document (`.docx`, `.dotx`, `.docm`, `.dotm`) that is to be read or converted, not rendered:
 * tags in it are text. What would fetch, run or open something is taken out of it. Throws
 * `invalid_template` when it is no Word document, is damaged or hostile, `limit_exceeded` when it is too
 * large.
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

/** Documents of a template have the same parts and relationships: what was read of them is read once. */
const KNOWN = new Map<string, OpenedDocx>();

const NOTHING = new Uint8Array();

/** So many templates are known; the oldest are forgotten first. */
const MAX_KNOWN = 32;

/** Null when something leads out of it: then it was not rendered by us. */
function openRendered(bytes: Uint8Array): OpenedDocx | null {
  const archive = openArchive(bytes, NO_LIMITS);
  const entries = [...archive.values()];
  const key = skeletonOf(entries);
  const known = KNOWN.get(key);
  if (known !== undefined) return new OpenedDocx(known.mainPart, entries, bytes, [], known);
  const source = openSource(bytes, NO_LIMITS);
  const mainPart = findMainPart(source, isDocxType);
  if (linksOut(source)) return null;
  // Of the first one no more is kept than what tells its parts.
  const skeleton = entries.map((entry) => ({
    ...entry,
    raw: isSkeleton(entry.name) ? Uint8Array.from(entry.raw) : NOTHING,
  }));
  KNOWN.set(key, new OpenedDocx(mainPart, skeleton, NOTHING, []));
  const [oldest] = KNOWN.keys();
  if (KNOWN.size > MAX_KNOWN && oldest !== undefined) KNOWN.delete(oldest);
  return new OpenedDocx(mainPart, entries, bytes, []);
}

/** A hash of all names, of the content types and of all relationships. */
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

/** Whether a relationship leads out of the package, other than a link to click on. */
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

  /** The main part is read several times. */
  override readText(part: string): string {
    if (part !== this.mainPart) return super.readText(part);
    this.#main ??= super.readText(part);
    return this.#main;
  }

  write(parts: ReadonlyMap<string, PartContent>): Uint8Array {
    return createWriter(this).write(parts, 1);
  }
}
