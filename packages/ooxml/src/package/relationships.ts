import { malformed } from "../limits/refusal.ts";
import { type Place, type ScanBounds, scanElements } from "../xml/scan.ts";
import { localName, type ScannedAttribute } from "../xml/scan-tag.ts";

/**
 * Maximum length of a target. Longer ones are treated as an attack: Word writes addresses of at most 2,083 characters.
 */
const MAX_TARGET = 32_768;

/** One relationship of a part (ECMA-376 part 2, clause 9). */
export interface Relationship {
  /** Unique among the relationships of its part: `rId4`. */
  readonly id: string;
  /** The URI of its type. */
  readonly type: string;
  /**
   * The last segment of the type, for example `header` or `officeDocument`. The transitional and the strict
   * form of the standard have different URIs with the same last segment.
   */
  readonly kind: string;
  /** The target as written. */
  readonly target: string;
  /** The target part, or null when the target is outside the package or missing. */
  readonly part: string | null;
  /** Whether the target is outside the package. */
  readonly external: boolean;
}

/** A relationship and its position in the file. */
export interface PlacedRelationship extends Relationship, Place {}

/** Returns the name of the part with the relationships of a part (`""` for the package itself). */
export function relationshipsPartOf(part: string): string {
  const slash = part.lastIndexOf("/") + 1;
  return `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`;
}

/** Returns the part that the relationships in a relationships part belong to, or null for any other part. */
export function ownerOf(part: string): string | null {
  const slash = part.lastIndexOf("/") + 1;
  const folder = part.slice(0, slash).toLowerCase();
  const file = part.slice(slash);
  const holds = folder === "_rels/" || folder.endsWith("/_rels/");
  if (!holds || !file.toLowerCase().endsWith(".rels")) return null;
  return part.slice(0, slash - "_rels/".length) + file.slice(0, -".rels".length);
}

/**
 * Reads a relationships part. `find` returns a part's name as in the zip for any spelling of it, or null. Throws
 * `invalid_template` when two relationships have the same id: two parsers would then read two different
 * documents.
 */
export function parseRelationships(
  owner: string,
  xml: Buffer,
  find: (name: string) => string | null,
  bounds?: ScanBounds,
): PlacedRelationship[] {
  const part = relationshipsPartOf(owner);
  const ids = new Set<string>();
  const types = new Map<string, KnownType>();
  const read = (name: string, attributes: readonly ScannedAttribute[]): Relationship | null => {
    if (localName(name) !== "Relationship") return null;
    const given = (wanted: string): string =>
      attributes.find((attribute) => attribute.name === wanted)?.value ?? "";
    const id = given("Id");
    if (ids.has(id))
      throw malformed(part, `it has two relationships with the id ${id.slice(0, 100)}`);
    ids.add(id);
    const target = given("Target");
    if (target.length > MAX_TARGET) {
      throw malformed(part, `it has a target of more than ${MAX_TARGET} characters`);
    }
    const external =
      given("TargetMode").trim().toLowerCase() === "external" || leavesPackage(target);
    const resolved = external ? null : find(resolveTarget(owner, target));
    return { id, ...knownType(given("Type"), types), target, part: resolved, external };
  };
  return scanElements(part, xml, read, bounds);
}

/** A relationship type and its kind. */
type KnownType = Pick<Relationship, "type" | "kind">;

/** Each type is kept only once: a part may have 65,000 relationships of one type. */
function knownType(type: string, types: Map<string, KnownType>): KnownType {
  const known = types.get(type) ?? { type, kind: kindOf(type) };
  types.set(type, known);
  return known;
}

/** The strict form of the standard has other names for these two kinds. */
const KINDS: ReadonlyMap<string, string> = new Map([
  ["extendedProperties", "extended-properties"],
  ["customProperties", "custom-properties"],
]);

function kindOf(type: string): string {
  const kind = type.slice(type.lastIndexOf("/") + 1);
  return KINDS.get(kind) ?? kind;
}

/**
 * Whether a target names another machine or file, regardless of its mode. Some readers ignore line ends in a target.
 */
function leavesPackage(target: string): boolean {
  return /^\s*(?:[a-z][a-z\d+.-]*:|\/\/|\\\\)/i.test(target.replace(/[\t\r\n]/g, ""));
}

/** Resolves a target relative to the folder of the part that owns the relationship. */
function resolveTarget(owner: string, target: string): string {
  const [reference = ""] = target.trim().replaceAll("\\", "/").split(/[?#]/, 1);
  const path = reference.startsWith("/")
    ? reference
    : `${owner.slice(0, owner.lastIndexOf("/") + 1)}${reference}`;
  const segments: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  return segments.join("/");
}
