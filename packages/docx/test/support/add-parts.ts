import PizZip from "pizzip";
import { relationshipsPartOf } from "../../../ooxml/src/package/relationships.ts";

const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** A part to add to a Word file. */
export interface AddedPart {
  readonly name: string;
  readonly xml: string | Uint8Array;
  readonly type: string;
  /** The relationship type, or the last path segment of an Office type. */
  readonly kind: string;
  readonly id: string;
  /** The part that has the relationship. Default: the main part. */
  readonly owner?: string;
}

/** Returns a Word file with further parts; the main part is `word/document.xml`. */
export function withParts(bytes: Uint8Array, parts: readonly AddedPart[]): Uint8Array {
  const zip = new PizZip(bytes);
  const read = (name: string): string => zip.file(name)?.asText() ?? "";
  const types = new Map<string, string>();
  for (const { name, xml, type, kind, id, owner = "word/document.xml" } of parts) {
    zip.file(name, xml);
    types.set(name, type);
    const relationships = relationshipsPartOf(owner);
    const uri = kind.includes(":") ? kind : `${OFFICE}/${kind}`;
    const before =
      read(relationships) || `<Relationships xmlns="${RELATIONSHIPS}"></Relationships>`;
    const added = `<Relationship Id="${id}" Type="${uri}" Target="/${name}"/></Relationships>`;
    zip.file(relationships, before.replace("</Relationships>", added));
  }
  const overrides = [...types]
    .map(([name, type]) => `<Override PartName="/${name}" ContentType="${type}"/>`)
    .join("");
  const list = "[Content_Types].xml";
  zip.file(list, read(list).replace("</Types>", `${overrides}</Types>`));
  return zip.generate({ type: "uint8array", compression: "DEFLATE" });
}

const RELATIONSHIPS = "http://schemas.openxmlformats.org/package/2006/relationships";

/** Returns a Word file with one changed part. */
export function withFile(
  bytes: Uint8Array,
  name: string,
  change: (xml: string) => string,
): Uint8Array {
  const zip = new PizZip(bytes);
  zip.file(name, change(zip.file(name)?.asText() ?? ""));
  return zip.generate({ type: "uint8array", compression: "DEFLATE" });
}
