import type { PackageLimits } from "../limits/limits.ts";
import { notWord, tooLarge, tooMany } from "../limits/refusal.ts";
import { utf8Of } from "../xml/decode.ts";
import { nameKey } from "../xml/part-names.ts";
import { fullBounds, MAX_LISTED, type ScanBounds } from "../xml/scan.ts";
import { type ArchiveEntry, inflate, openArchive } from "./archive.ts";
import { CONTENT_TYPES_PART, type ContentTypes, parseContentTypes } from "./content-types.ts";
import {
  ownerOf,
  type PlacedRelationship,
  parseRelationships,
  relationshipsPartOf,
} from "./relationships.ts";

/** What a file declares about itself. Its parts have not been checked yet. */
export interface PackageSource {
  readonly limits: PackageLimits;
  readonly bounds: ScanBounds;
  readonly entries: readonly ArchiveEntry[];
  readonly contentTypes: ContentTypes;
  /** Returns the relationships of a part, or of the package itself (`""`). */
  relationshipsOf(part: string): readonly PlacedRelationship[];
  /** Returns the name of a part as in the zip, by any spelling of the name, or null. */
  find(name: string): string | null;
  /** Returns the UTF-8 of an XML part. Throws `invalid_template` when the part is missing or is not text. */
  readXml(part: string): Buffer;
}

/** Opens a package. Throws `invalid_template` or `limit_exceeded`. */
export function openSource(bytes: Uint8Array, limits: PackageLimits): PackageSource {
  const archive = openArchive(bytes, limits);
  const bounds = fullBounds(limits);
  const find = (name: string): string | null => archive.get(nameKey(name))?.name ?? null;
  const entryOf = (part: string): ArchiveEntry => {
    const entry = archive.get(nameKey(part));
    if (entry === undefined) throw notWord(`it has no ${part}`);
    return entry;
  };
  const readXml = (part: string): Buffer => utf8Of(part, inflate(entryOf(part)));
  let listBytes = 0;
  const readList = (part: string): Buffer => {
    listBytes += entryOf(part).size;
    if (listBytes <= limits.listBytes) return readXml(part);
    throw tooLarge("the list of its parts and links", listBytes, limits.listBytes);
  };
  const contentTypes = parseContentTypes(readList(CONTENT_TYPES_PART), bounds);
  let listed = 0;
  const relationships = new Map<string, readonly PlacedRelationship[]>();
  const relationshipsOf = (part: string): readonly PlacedRelationship[] => {
    const key = nameKey(part);
    const found = relationships.get(key);
    if (found !== undefined) return found;
    const holder = find(relationshipsPartOf(part));
    const list = holder === null ? [] : parseRelationships(part, readList(holder), find, bounds);
    listed += list.length;
    if (listed > MAX_LISTED) throw tooMany("relationships", MAX_LISTED);
    relationships.set(key, list);
    return list;
  };
  const entries = [...archive.values()];
  return { limits, bounds, entries, contentTypes, relationshipsOf, find, readXml };
}

/** Returns every part that has relationships, and the package itself (`""`) if it has any. */
export function ownersIn({ entries }: PackageSource): string[] {
  return entries.flatMap(({ name }) => ownerOf(name) ?? []);
}

const MAIN_DOCUMENT: ReadonlySet<string> = new Set([
  "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument",
  "http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument",
]);

/**
 * Returns the main document, found by its relationship, because Word Online writes `word/document2.xml`. Throws
 * `invalid_template` unless `isMain` accepts its content type.
 */
export function findMainPart(
  { relationshipsOf, contentTypes }: PackageSource,
  isMain: (type: string) => boolean,
): string {
  const found = relationshipsOf("").filter(({ type }) => MAIN_DOCUMENT.has(type));
  const [main] = found;
  if (main === undefined) throw notWord("it does not name a main document");
  const { part, target } = main;
  if (part === null) throw notWord(`its main document ${target} is not in it`);
  if (found.some((other) => other.part !== part)) throw notWord("it names two main documents");
  const type = contentTypes.of(part) ?? "(none)";
  if (!isMain(type)) throw notWord(`its main part ${part} has the content type ${type}`);
  return part;
}
