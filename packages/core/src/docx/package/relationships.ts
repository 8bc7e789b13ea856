import { malformed } from "./refusal.ts";
import { type ScanBounds, scanElements } from "./scan.ts";

/** One relationship of a part (ECMA-376 part 2, clause 9). */
export interface Relationship {
  readonly id: string;
  /** The URI of its type. */
  readonly type: string;
  /**
   * The last segment of the type, for example `header` or `officeDocument`: the transitional and the
   * strict form of the standard have different URIs that end in the same word.
   */
  readonly kind: string;
  /** The target as it is written. */
  readonly target: string;
  /** The part that is the target; null when it lies outside of the package or is not there. */
  readonly part: string | null;
  /** Whether the target lies outside of the package. */
  readonly external: boolean;
}

/** A relationship and where it is written. */
export interface PlacedRelationship extends Relationship {
  readonly start: number;
  readonly end: number;
}

/** The name of the part that holds the relationships of a part (`""` for the package itself). */
export function relationshipsPartOf(part: string): string {
  const slash = part.lastIndexOf("/") + 1;
  return `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`;
}

/** The part whose relationships a part holds, or null when it is no relationships part. */
export function ownerOf(part: string): string | null {
  const slash = part.lastIndexOf("/") + 1;
  const folder = part.slice(0, slash).toLowerCase();
  const file = part.slice(slash);
  const holds = folder === "_rels/" || folder.endsWith("/_rels/");
  if (!holds || !file.toLowerCase().endsWith(".rels")) return null;
  return part.slice(0, slash - "_rels/".length) + file.slice(0, -".rels".length);
}

/**
 * Reads a relationships part. `find` gives the name of a part by another spelling of it, or null.
 * Throws `invalid_template` when two relationships have one id: then two parsers read two documents.
 */
export function parseRelationships(
  owner: string,
  xml: Buffer,
  find: (name: string) => string | null,
  bounds?: ScanBounds,
): PlacedRelationship[] {
  const part = relationshipsPartOf(owner);
  const relationships: PlacedRelationship[] = [];
  const ids = new Set<string>();
  for (const { name, attributes, start, end } of scanElements(part, xml, bounds)) {
    if (name.slice(name.indexOf(":") + 1) !== "Relationship") continue;
    const given = new Map(attributes.map((attribute) => [attribute.name, attribute.value]));
    const id = given.get("Id") ?? "";
    if (ids.has(id)) throw malformed(part, `it holds two relationships with the id ${id}`);
    ids.add(id);
    const type = given.get("Type") ?? "";
    const target = given.get("Target") ?? "";
    const mode = given.get("TargetMode") ?? "";
    const external = mode.trim().toLowerCase() === "external" || leavesPackage(target);
    const resolved = external ? null : find(resolveTarget(owner, target));
    relationships.push({
      id,
      type,
      kind: kindOf(type),
      target,
      part: resolved,
      external,
      start,
      end,
    });
  }
  return relationships;
}

/** The strict form writes these two in another way. */
const KINDS: ReadonlyMap<string, string> = new Map([
  ["extendedProperties", "extended-properties"],
  ["customProperties", "custom-properties"],
]);

function kindOf(type: string): string {
  const kind = type.slice(type.lastIndexOf("/") + 1);
  return KINDS.get(kind) ?? kind;
}

/** Whether a target names another machine or file, whatever its mode says. */
function leavesPackage(target: string): boolean {
  return /^\s*(?:[a-z][a-z\d+.-]*:|\/\/|\\\\)/i.test(target);
}

/** Resolves a target against the folder of the part that owns the relationship. */
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
