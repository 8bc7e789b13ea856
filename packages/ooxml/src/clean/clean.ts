import type { Diagnostic } from "@quire/contracts";
import { type ArchiveEntry, inflate, release } from "../package/archive.ts";
import { CONTENT_TYPES_PART, isXmlType } from "../package/content-types.ts";
import { ownerOf } from "../package/relationships.ts";
import type { PackageSource } from "../package/source.ts";
import { deflatedEntry } from "../package/zip.ts";
import { looksLikeXml, utf8Of } from "../xml/decode.ts";
import { Edits } from "../xml/edits.ts";
import { mayHold } from "../xml/quick-look.ts";
import { cleanPart, type ForbiddenTargets } from "./clean-part.ts";
import { cleanPictures } from "./clean-pictures.ts";
import { cleanProperties } from "./clean-properties.ts";
import { type RemovalRules, removalRules } from "./removal-rules.ts";
import { Removals } from "./removals.ts";
import { NO_USES, type Uses, usesOfParts } from "./uses.ts";

/** The changes to a package after which documents based on it do not load, run or open anything. */
export interface Cleaning {
  readonly dropped: ReadonlySet<string>;
  /** The changed parts, with their new content. */
  readonly changed: ReadonlyMap<string, ArchiveEntry>;
  /** The XML parts that may have contained the wanted text before cleaning; see `mayHold`. */
  readonly holding: ReadonlySet<string>;
  /** Warnings about removed content. */
  readonly warnings: readonly Diagnostic[];
}

/**
 * Checks every part of a package. Throws `invalid_template` when a part is damaged or hostile, and `limit_exceeded`
 * when the package is too large. Parts that do not need cleaning are not in the result. In the same pass, searches the
 * parts for `wanted`: the delimiter that starts a tag, without characters that XML escapes.
 */
export function cleanPackage(source: PackageSource, wanted: string | null = null): Cleaning {
  const removals = new Removals();
  const types = source.find(CONTENT_TYPES_PART);
  const uses = usesOfParts(source);
  const removed = removalRules(source, uses).droppedParts().parts;
  const pictures = cleanPictures(source, uses, removed, removals);
  const rules = removalRules(source, uses, pictures.rejected);
  const all = rules.droppedParts();
  const targets = rules.forbiddenTargets(all, removals);
  const dropped = all.parts;
  // Compressed immediately, because a hostile file may have many large parts.
  const changed = new Map<string, ArchiveEntry>();
  const holding = new Set<string>();
  for (const given of source.entries) {
    const { name } = given;
    const cleaned = pictures.changed.get(name);
    const entry = cleaned ?? given;
    const owner = ownerOf(name);
    let text: Buffer | null = null;
    if (cleaned !== undefined && !dropped.has(name)) changed.set(name, cleaned);
    if (pictures.done.has(name)) continue;
    if (dropped.has(name)) release(entry, inflate(entry));
    else if (owner !== null) text = cleanRelationships(source, rules, owner, name);
    else if (name === types) text = cleanTypes(source, dropped);
    else {
      const about = { uses: uses.get(name) ?? NO_USES, targets: targets.get(name) ?? NO_TARGETS };
      const look = (xml: Buffer): void => {
        if (wanted !== null && mayHold(xml, wanted)) holding.add(name);
      };
      text = cleanEntry(source, entry, { ...about, look, wanted }, removals);
    }
    if (text !== null) changed.set(name, deflatedEntry(name, text));
  }
  return { dropped, changed, holding, warnings: removals.warnings() };
}

const NO_TARGETS: ForbiddenTargets = { forbidden: new Map(), noPictures: new Set() };

function cleanTypes(
  { contentTypes, entries }: PackageSource,
  dropped: ReadonlySet<string>,
): Buffer | null {
  const kept = entries.map(({ name }) => name).filter((name) => !dropped.has(name));
  return contentTypes.rewritten(dropped, kept);
}

function cleanRelationships(
  source: PackageSource,
  rules: RemovalRules,
  owner: string,
  name: string,
): Buffer | null {
  const edits = new Edits();
  for (const relationship of source.relationshipsOf(owner)) {
    const { start, end } = relationship;
    if (rules.removalOf(relationship) !== null) edits.remove(start, end);
  }
  return edits.isEmpty ? null : edits.applyTo(source.readXml(name));
}

/** The properties of a part besides its content. */
interface About {
  readonly uses: Uses;
  readonly targets: ForbiddenTargets;
  /** Called with the part if it is XML. */
  readonly look: (xml: Buffer) => void;
  /** The start of tags, or null if there are no tags. */
  readonly wanted: string | null;
}

function cleanEntry(
  source: PackageSource,
  entry: ArchiveEntry,
  about: About,
  removals: Removals,
): Buffer | null {
  const content = inflate(entry);
  const changed = cleanContent(source, entry.name, content, about, removals);
  release(entry, content);
  return changed;
}

function cleanContent(
  source: PackageSource,
  name: string,
  content: Uint8Array,
  { uses, targets, look, wanted }: About,
  removals: Removals,
): Buffer | null {
  const type = source.contentTypes.of(name) ?? "";
  if (!isXmlType(name, type) && !uses.xml && !looksLikeXml(content)) return null;
  const text = utf8Of(name, content);
  look(text);
  let clean = text;
  if (uses.properties) {
    clean = cleanProperties(name, clean, removals, source.bounds, wanted) ?? clean;
  }
  const about = { targets, roots: uses.roots };
  clean = cleanPart(name, clean, about, removals, source.bounds) ?? clean;
  return clean === text ? null : clean;
}
