import { leadsToPicture, leadsToXml, rootBehind } from "./clean-relationships.ts";
import { ownersIn, type PackageSource } from "./source.ts";

/** What the relationships that lead to a part say of it. */
export interface Uses {
  readonly xml: boolean;
  readonly picture: boolean;
  /** Whether it holds the properties that Word gives a document itself. */
  readonly properties: boolean;
  /** The root elements that it must have. */
  readonly roots: ReadonlySet<string>;
}

/** Of a part that nothing leads to. */
export const NO_USES: Uses = { xml: false, picture: false, properties: false, roots: new Set() };

/** What is said of each part that something leads to. */
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
