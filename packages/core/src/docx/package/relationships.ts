import { parseXml } from "./xml.ts";

/** One relationship of a part (ECMA-376 part 2, clause 9). */
export interface Relationship {
  /** The last segment of the relationship's type URI, for example `header` or `officeDocument`. */
  readonly kind: string;
  /** The part's name within the package, without the leading slash; null for an external target. */
  readonly target: string | null;
}

/** The name of the part that holds the relationships of a part (`""` for the package itself). */
export function relationshipsPartOf(part: string): string {
  const slash = part.lastIndexOf("/") + 1;
  return `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`;
}

/**
 * Reads a relationships part. The kind is enough to tell relationships apart: the transitional and
 * the strict form of the standard have different URIs that end in the same word.
 */
export function parseRelationships(owner: string, xml: string): Relationship[] {
  const relationships: Relationship[] = [];
  parseXml(relationshipsPartOf(owner), xml, {
    open(name, attributes) {
      if (localName(name) !== "Relationship") return;
      const { Type = "", Target = "", TargetMode } = attributes;
      relationships.push({
        kind: Type.slice(Type.lastIndexOf("/") + 1),
        target: TargetMode === "External" ? null : resolveTarget(owner, Target),
      });
    },
    close() {},
  });
  return relationships;
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

/** Resolves a target against the folder of the part that owns the relationship. */
function resolveTarget(owner: string, target: string): string {
  const path = target.startsWith("/")
    ? target
    : `${owner.slice(0, owner.lastIndexOf("/") + 1)}${target}`;
  const segments: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  return segments.join("/");
}
