import { ownersIn, type PackageSource } from "../package/source.ts";
import { leadsToPicture, leadsToXml, rootBehind } from "./clean-relationships.ts";

/** How relationships use a part. */
export interface Uses {
  readonly xml: boolean;
  readonly picture: boolean;
  /** Whether the part has document properties other than title and author. */
  readonly properties: boolean;
  /** The root elements that it may have. */
  readonly roots: ReadonlySet<string>;
}

const PROPERTIES: ReadonlySet<string> = new Set(["extended-properties", "custom-properties"]);

/** A part without a relationship that leads to it. */
export const NO_USES: Uses = { xml: false, picture: false, properties: false, roots: new Set() };

/** Returns the uses of each part that a relationship leads to. */
export function usesOfParts(source: PackageSource): Map<string, Uses> {
  const uses = new Map<string, Uses>();
  for (const owner of ownersIn(source)) {
    for (const relationship of source.relationshipsOf(owner)) {
      const { part, kind } = relationship;
      if (part === null) continue;
      const known = uses.get(part) ?? NO_USES;
      const root = rootBehind(relationship);
      uses.set(part, {
        xml: known.xml || leadsToXml(relationship),
        picture: known.picture || leadsToPicture(relationship),
        properties: known.properties || PROPERTIES.has(kind),
        roots:
          root === undefined || known.roots.has(root)
            ? known.roots
            : new Set([...known.roots, root]),
      });
    }
  }
  return uses;
}
