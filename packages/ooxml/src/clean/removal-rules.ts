import { CONTENT_TYPES_PART, isMacroType } from "../package/content-types.ts";
import { ownerOf, type PlacedRelationship, relationshipsPartOf } from "../package/relationships.ts";
import { ownersIn, type PackageSource } from "../package/source.ts";
import type { ForbiddenTargets } from "./clean-part.ts";
import { isHyperlink, leadsToPicture, removalOf } from "./clean-relationships.ts";
import type { RemovalCode, Removals } from "./removals.ts";
import type { Uses } from "./uses.ts";

/** Parts that are used as pictures but are not valid pictures, each with its actual kind. */
export type Rejected = ReadonlyMap<string, string>;

/** The parts to remove from a package. */
export interface Dropped {
  readonly parts: ReadonlySet<string>;
  /** Parts without a relationship that leads to them, with the reason for removal. */
  readonly strays: ReadonlyMap<string, RemovalCode>;
}

/** Decides which parts to remove from a package, based on relationships and the kinds of pictures. */
export interface RemovalRules {
  /** Returns why a relationship has to be removed, or null if it is kept. */
  removalOf(relationship: PlacedRelationship): RemovalCode | null;
  /** Returns the parts that have become unreachable, and macros and rejected pictures that were never reachable. */
  droppedParts(): Dropped;
  /** Records all removals, and lists for each part the relationships that it may not use. */
  forbiddenTargets(dropped: Dropped, removals: Removals): Map<string, ForbiddenTargets>;
}

export function removalRules(
  source: PackageSource,
  uses: ReadonlyMap<string, Uses>,
  rejected: Rejected = new Map(),
): RemovalRules {
  const { contentTypes } = source;
  const removal = (relationship: PlacedRelationship): RemovalCode | null => {
    const { part } = relationship;
    const code = removalOf(relationship, part === null ? undefined : contentTypes.of(part));
    if (code !== null || part === null || !rejected.has(part)) return code;
    // A text part is kept as text, even if it is also used as a picture.
    const isText = uses.get(part)?.xml === true && !leadsToPicture(relationship);
    return isText ? null : "removed_picture";
  };
  return {
    removalOf: removal,
    droppedParts: () => droppedParts(source, removal, rejected),
    forbiddenTargets({ parts, strays }, removals) {
      const all = new Map<string, ForbiddenTargets>();
      for (const owner of ownersIn(source)) {
        const ownPart = source.find(owner);
        if (ownPart !== null && parts.has(ownPart)) continue;
        const note = (code: RemovalCode, { id, part, kind }: PlacedRelationship): void => {
          const holder = owner === "" ? relationshipsPartOf("") : owner;
          removals.addRelationship(code, holder, id, shownAs(part, rejected) ?? kind);
        };
        const targets = targetsOf(source.relationshipsOf(owner), removal, note);
        if (ownPart !== null) all.set(ownPart, targets);
      }
      for (const [name, code] of strays) removals.add(code, name, shownAs(name, rejected) ?? "");
      return all;
    },
  };
}

/** Returns why a part that no relationship leads to has to be removed, or undefined if it is kept. */
function strayRemoval(
  { contentTypes }: PackageSource,
  rejected: Rejected,
  name: string,
): RemovalCode | undefined {
  if (isMacroType(contentTypes.of(name))) return "removed_macros";
  return rejected.has(name) ? "removed_picture" : undefined;
}

function droppedParts(
  source: PackageSource,
  removal: RemovalRules["removalOf"],
  rejected: Rejected,
): Dropped {
  const before = reachable(source, () => true);
  const after = reachable(source, (relationship) => removal(relationship) === null);
  const types = source.find(CONTENT_TYPES_PART);
  const parts = new Set<string>();
  const strays = new Map<string, RemovalCode>();
  for (const { name } of source.entries) {
    // Content types and relationships belong to the package itself.
    if (after.has(name) || name === types || ownerOf(name) !== null) continue;
    const code = before.has(name) ? undefined : strayRemoval(source, rejected, name);
    if (code !== undefined) strays.set(name, code);
    if (code !== undefined || before.has(name)) parts.add(name);
  }
  for (const { name } of source.entries) {
    const owner = ownerOf(name);
    const part = owner === null ? null : source.find(owner);
    if (part !== null && parts.has(part)) parts.add(name);
  }
  return { parts, strays };
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

/** Returns the relationships that the elements of a part must not use. `note` records each removal. */
function targetsOf(
  relationships: readonly PlacedRelationship[],
  removal: RemovalRules["removalOf"],
  note: (code: RemovalCode, relationship: PlacedRelationship) => void,
): ForbiddenTargets {
  const forbidden = new Map<string, RemovalCode | "hyperlink">();
  const noPictures = new Set<string>();
  for (const relationship of relationships) {
    const code = removal(relationship);
    if (code !== null) {
      note(code, relationship);
      forbidden.set(relationship.id, code);
    } else if (isHyperlink(relationship)) {
      forbidden.set(relationship.id, "hyperlink");
    } else if (!leadsToPicture(relationship)) {
      noPictures.add(relationship.id);
    }
  }
  return { forbidden, noPictures };
}

/**
 * Returns the name of a part for a report, with its actual kind if it is a rejected picture, or null if there is no
 * part.
 */
function shownAs(part: string | null, rejected: Rejected): string | null {
  const kind = part === null ? undefined : rejected.get(part);
  return kind === undefined ? part : `${part} (${kind})`;
}
