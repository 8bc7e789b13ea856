import { gunzipSync } from "node:zlib";
import { isSound, MAX_DEPTH } from "../picture/check-picture.ts";
import { isGzip, nameOf, sniff } from "../picture/sniff.ts";
import { type ArchiveEntry, inflate, release } from "./archive.ts";
import { cleanSvg } from "./clean-svg.ts";
import { extensionOf, isXmlType } from "./content-types.ts";
import { looksLikeXml, utf8Of } from "./decode.ts";
import { tooLarge } from "./refusal.ts";
import type { Removals } from "./removals.ts";
import type { ScanBounds } from "./scan.ts";
import type { PackageSource } from "./source.ts";
import type { Uses } from "./uses.ts";
import { deflatedEntry } from "./zip.ts";

/** What became of the pictures of a package. */
export interface CleanedPictures {
  /** The parts that are no pictures, though they are used as such, each with what it is instead. */
  readonly rejected: ReadonlyMap<string, string>;
  /** SVG pictures that change, as they are to be. */
  readonly changed: ReadonlyMap<string, ArchiveEntry>;
  /** Pictures that are no XML, of which nothing more is to be looked at. */
  readonly done: ReadonlySet<string>;
}

/**
 * Looks at every part that is used as a picture, or said to be one. A reader opens it by its content, whatever its
 * name and type are, and so it must begin as a picture of a known kind and be made as one; nothing is decoded.
 */
export function cleanPictures(
  source: PackageSource,
  uses: ReadonlyMap<string, Uses>,
  dropped: ReadonlySet<string>,
  removals: Removals,
): CleanedPictures {
  const cleaner = new PictureCleaner(source.bounds);
  const rejected = new Map<string, string>();
  const changed = new Map<string, ArchiveEntry>();
  const done = new Set<string>();
  for (const entry of source.entries) {
    const { name } = entry;
    const type = source.contentTypes.of(name) ?? "";
    const isPicture = uses.get(name)?.picture === true || type.startsWith("image/");
    if (dropped.has(name) || (!isPicture && extensionOf(name) !== "svg")) continue;
    const content = inflate(entry);
    const kept = cleaner.clean(name, content, removals);
    if (kept === null) rejected.set(name, nameOf(content) ?? "a file of no known kind");
    else if (kept !== content) changed.set(name, deflatedEntry(name, kept));
    const isXml = isXmlType(name, type) || uses.get(name)?.xml === true || looksLikeXml(content);
    if (!isXml && kept === content) done.add(name);
    release(entry, content);
  }
  return { rejected, changed, done };
}

/** Cleans the pictures of one package. */
class PictureCleaner {
  readonly #bounds: ScanBounds;
  /** How many more bytes compressed pictures may have. */
  #left: number;

  constructor(bounds: ScanBounds) {
    this.#bounds = bounds;
    this.#left = bounds.limits.totalBytes;
  }

  /** A picture as it may stay: the same bytes when it is fine, an SVG without what would fetch or run. Null for all else. */
  clean(part: string, bytes: Uint8Array, removals: Removals, depth = 0): Uint8Array | null {
    if (depth > MAX_DEPTH) return null;
    const content = isGzip(bytes) ? this.#unpacked(part, bytes) : bytes;
    const type = content === null ? null : sniff(content);
    if (content === null || type === null) return null;
    if (type !== "svg") return isSound(type, content, depth) ? bytes : null;
    const text = utf8Of(part, content);
    const inner = (picture: Uint8Array): Uint8Array | null =>
      this.clean(part, picture, removals, depth + 1);
    // What is compressed does not stay so: two readers may find two ends of it.
    const same = content === bytes ? bytes : text;
    return cleanSvg(part, text, removals, this.#bounds, inner) ?? same;
  }

  #unpacked(part: string, bytes: Uint8Array): Uint8Array | null {
    const { totalBytes, partBytes } = this.#bounds.limits;
    const maxOutputLength = Math.max(1, Math.min(this.#left, partBytes));
    try {
      const content = gunzipSync(bytes, { maxOutputLength });
      this.#left -= content.length;
      return content;
    } catch (error) {
      const isLong = error instanceof RangeError;
      if (isLong)
        throw tooLarge(`its picture ${part}`, maxOutputLength + 1, Math.min(totalBytes, partBytes));
      return null;
    }
  }
}
