import type { Diagnostic } from "../../errors.ts";
import { type ArchiveEntry, inflate, release } from "./archive.ts";
import { cleanPart, type ForbiddenTargets } from "./clean-part.ts";
import { cleanProperties } from "./clean-properties.ts";
import { isHyperlink, leadsToXml, removalOf, rootBehind } from "./clean-relationships.ts";
import { cleanSvg } from "./clean-svg.ts";
import { CONTENT_TYPES_PART, extensionOf, isMacroType, isXmlType } from "./content-types.ts";
import { looksLikeXml, utf8Of } from "./decode.ts";
import { Edits } from "./edits.ts";
import { mayHold } from "./quick-look.ts";
import { ownerOf, type PlacedRelationship, relationshipsPartOf } from "./relationships.ts";
import { type RemovalCode, Removals } from "./removals.ts";
import { ownersIn, type PackageSource } from "./source.ts";
import { deflatedEntry } from "./zip.ts";

/** What is to be different in a package so that nothing made from it fetches, runs or opens anything. */
export interface Cleaning {
  readonly dropped: ReadonlySet<string>;
  /** The parts that change, as they are to be. */
  readonly changed: ReadonlyMap<string, ArchiveEntry>;
  /** The XML parts that contained the wanted text before cleaning. */
  readonly holding: ReadonlySet<string>;
  /** What was removed. */
  readonly warnings: readonly Diagnostic[];
}

/**
 * Looks at every part of a package. Throws `invalid_template` when one is damaged or hostile,
 * `limit_exceeded` when there is too much of it. Parts that need no cleaning are not in the result. `wanted`
 * is a text to search for at the same time, without characters that XML escapes.
 */
export function cleanPackage(source: PackageSource, wanted: string | null = null): Cleaning {
  const removals = new Removals();
  const types = source.find(CONTENT_TYPES_PART);
  const dropped = droppedParts(source, removals);
  const targets = forbiddenTargets(source, dropped, removals);
  const uses = usesOfParts(source);
  // Compressed at once: a hostile file has many large parts.
  const changed = new Map<string, ArchiveEntry>();
  const holding = new Set<string>();
  for (const entry of source.entries) {
    const { name } = entry;
    const owner = ownerOf(name);
    let text: Buffer | null = null;
    if (dropped.has(name)) release(entry, inflate(entry));
    else if (owner !== null) text = cleanRelationships(source, owner, name);
    else if (name === types) text = cleanTypes(source, dropped);
    else {
      const about = { uses: uses.get(name) ?? NO_USES, targets: targets.get(name) ?? NO_TARGETS };
      const look = (xml: Buffer): void => {
        if (wanted !== null && mayHold(xml, wanted)) holding.add(name);
      };
      text = cleanEntry(source, entry, { ...about, look }, removals);
    }
    if (text !== null) changed.set(name, deflatedEntry(name, text));
  }
  return { dropped, changed, holding, warnings: removals.warnings() };
}

const NO_TARGETS: ForbiddenTargets = new Map();

const NO_USES: Uses = { xml: false, picture: false, properties: false, roots: new Set() };

/** Why a relationship has no place in this package, or null when it has. */
function removalIn(
  { contentTypes }: PackageSource,
  relationship: PlacedRelationship,
): RemovalCode | null {
  const { part } = relationship;
  return removalOf(relationship, part === null ? undefined : contentTypes.of(part));
}

function cleanTypes(
  { contentTypes, entries }: PackageSource,
  dropped: ReadonlySet<string>,
): Buffer | null {
  const kept = entries.map(({ name }) => name).filter((name) => !dropped.has(name));
  return contentTypes.rewritten(dropped, kept);
}

/** Notes every relationship that goes, and lists for each part those that it may not name. */
function forbiddenTargets(
  source: PackageSource,
  dropped: ReadonlySet<string>,
  removals: Removals,
): Map<string, ForbiddenTargets> {
  const all = new Map<string, ForbiddenTargets>();
  for (const owner of ownersIn(source)) {
    const ownPart = source.find(owner);
    if (ownPart !== null && dropped.has(ownPart)) continue;
    const targets = new Map<string, RemovalCode | "hyperlink">();
    for (const relationship of source.relationshipsOf(owner)) {
      const code = removalIn(source, relationship);
      if (code !== null) {
        const part = owner === "" ? relationshipsPartOf("") : owner;
        removals.addRelationship(
          code,
          part,
          relationship.id,
          relationship.part ?? relationship.kind,
        );
        targets.set(relationship.id, code);
      } else if (isHyperlink(relationship)) {
        targets.set(relationship.id, "hyperlink");
      }
    }
    if (ownPart !== null) all.set(ownPart, targets);
  }
  return all;
}

/** The parts that nothing leads to any more, and macros that nothing leads to at all. */
function droppedParts(source: PackageSource, removals: Removals): Set<string> {
  const before = reachable(source, () => true);
  const after = reachable(source, (relationship) => removalIn(source, relationship) === null);
  const types = source.find(CONTENT_TYPES_PART);
  const dropped = new Set<string>();
  for (const { name } of source.entries) {
    // These belong to the package, whatever a relationship says.
    if (after.has(name) || name === types || ownerOf(name) !== null) continue;
    const isStrayMacro = !before.has(name) && isMacroType(source.contentTypes.of(name));
    if (isStrayMacro) removals.add("removed_macros", name, name);
    if (isStrayMacro || before.has(name)) dropped.add(name);
  }
  for (const { name } of source.entries) {
    const owner = ownerOf(name);
    const part = owner === null ? null : source.find(owner);
    if (part !== null && dropped.has(part)) dropped.add(name);
  }
  return dropped;
}

function reachable(
  source: PackageSource,
  follows: (relationship: PlacedRelationship) => boolean,
): Set<string> {
  const found = new Set<string>();
  const open = [""];
  for (let owner = open.pop(); owner !== undefined; owner = open.pop()) {
    for (const relationship of source.relationshipsOf(owner)) {
      const { part } = relationship;
      if (part === null || found.has(part) || !follows(relationship)) continue;
      found.add(part);
      open.push(part);
    }
  }
  return found;
}

/** What the relationships that lead to a part say of it. */
interface Uses {
  readonly xml: boolean;
  readonly picture: boolean;
  /** Whether it holds the properties that Word gives a document itself. */
  readonly properties: boolean;
  /** The root elements that it must have. */
  readonly roots: ReadonlySet<string>;
}

function usesOfParts(source: PackageSource): Map<string, Uses> {
  const uses = new Map<string, Uses>();
  for (const owner of ownersIn(source)) {
    for (const relationship of source.relationshipsOf(owner)) {
      const { part, kind } = relationship;
      if (part === null) continue;
      const known = uses.get(part) ?? NO_USES;
      const root = rootBehind(relationship);
      uses.set(part, {
        xml: known.xml || leadsToXml(relationship),
        picture: known.picture || kind === "image",
        properties: known.properties || kind === "extended-properties",
        roots:
          root === undefined || known.roots.has(root)
            ? known.roots
            : new Set([...known.roots, root]),
      });
    }
  }
  return uses;
}

function cleanRelationships(source: PackageSource, owner: string, name: string): Buffer | null {
  const edits = new Edits();
  for (const relationship of source.relationshipsOf(owner)) {
    const { start, end } = relationship;
    if (removalIn(source, relationship) !== null) edits.remove(start, end);
  }
  return edits.isEmpty ? null : edits.applyTo(source.readXml(name));
}

/** What is known of a part beside its content. */
interface About {
  readonly uses: Uses;
  readonly targets: ForbiddenTargets;
  /** Is shown the part when it is XML. */
  readonly look: (xml: Buffer) => void;
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
  { uses, targets, look }: About,
  removals: Removals,
): Buffer | null {
  const type = source.contentTypes.of(name) ?? "";
  if (!isXmlType(name, type) && !uses.xml && !looksLikeXml(content)) return null;
  const text = utf8Of(name, content);
  look(text);
  const isPicture = type === "image/svg+xml" || extensionOf(name) === "svg" || uses.picture;
  let clean = text;
  if (isPicture) clean = cleanSvg(name, clean, removals, source.bounds) ?? clean;
  if (uses.properties) clean = cleanProperties(name, clean, removals, source.bounds) ?? clean;
  const about = { targets, roots: uses.roots };
  clean = cleanPart(name, clean, about, removals, source.bounds) ?? clean;
  return clean === text ? null : clean;
}
