import { gunzipSync } from "node:zlib";
import { tooLarge } from "../limits/refusal.ts";
import { type ArchiveEntry, inflate, release } from "../package/archive.ts";
import { extensionOf, isXmlType } from "../package/content-types.ts";
import type { PackageSource } from "../package/source.ts";
import { deflatedEntry } from "../package/zip.ts";
import { isSound, MAX_DEPTH } from "../picture/check-picture.ts";
import { isGzip, nameOf, sniff } from "../picture/sniff.ts";
import { looksLikeXml, utf8Of } from "../xml/decode.ts";
import type { ScanBounds } from "../xml/scan.ts";
import { cleanSvg } from "./clean-svg.ts";
import type { Removals } from "./removals.ts";
import type { Uses } from "./uses.ts";

/** The result of checking the pictures of a package. */
export interface CleanedPictures {
  /** Parts that are used as pictures but are not valid pictures, each with its actual kind. */
  readonly rejected: ReadonlyMap<string, string>;
  /** Changed SVG pictures, with their new content. */
  readonly changed: ReadonlyMap<string, ArchiveEntry>;
  /** Pictures that are not XML and need no further checks. */
  readonly done: ReadonlySet<string>;
}

/**
 * Checks every part that is used or declared as a picture. Readers go by the content and ignore the name and the type,
 * so the content must begin like a picture of a known kind and have a valid structure. Pixels are not decoded.
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
    if (kept === null) rejected.set(name, nameOf(content) ?? "a file of an unknown kind");
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
  /** The number of bytes that are still available for unpacking compressed pictures. */
  #left: number;

  constructor(bounds: ScanBounds) {
    this.#bounds = bounds;
    this.#left = bounds.limits.totalBytes;
  }

  /** Returns a safe picture unchanged, an SVG without its links and scripts, and null for anything else. */
  clean(part: string, bytes: Uint8Array, removals: Removals, depth = 0): Uint8Array | null {
    if (depth > MAX_DEPTH) return null;
    const content = isGzip(bytes) ? this.#unpacked(part, bytes) : bytes;
    const type = content === null ? null : sniff(content);
    if (content === null || type === null) return null;
    if (type !== "svg") return isSound(type, content, depth) ? bytes : null;
    const text = utf8Of(part, content);
    const inner = (picture: Uint8Array): Uint8Array | null =>
      this.clean(part, picture, removals, depth + 1);
    // Compressed SVGs are stored unpacked, because readers may disagree about where a gzip file ends.
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
