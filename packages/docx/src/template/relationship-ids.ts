import { unescapeXml } from "@quire/ooxml/internal/xml/escape";

/** Matches the attributes that refer to a relationship of their part. */
const REFERENCE = / (?:r:[A-Za-z]+|o:relid)="([^"]*)"/g;

/** Returns the ids of the relationships to which canonical XML refers; null if it refers to none. */
export function relationshipIdsIn(xml: string): readonly string[] | null {
  const ids = new Set<string>();
  for (const [, id = ""] of xml.matchAll(REFERENCE)) if (id !== "") ids.add(unescapeXml(id));
  return ids.size === 0 ? null : [...ids];
}
