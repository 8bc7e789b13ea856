const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const STRICT = "http://purl.oclc.org/ooxml/wordprocessingml/main";

/** Returns a part without definitions. `strict`: whether it uses the strict form of the standard. */
export function emptyPart(root: "w:numbering" | "w:styles", strict = false): string {
  return `${HEAD}<${root} xmlns:w="${strict ? STRICT : MAIN}"></${root}>`;
}

/** Returns the part with an end tag for its root element. */
function opened(xml: string, root: string): string {
  return xml.replace(/\/>\s*$/, `></${root}>`);
}

/** Elements to add to a numbering part, as XML. */
export interface MoreLists {
  /** The `w:abstractNum` elements. */
  readonly definitions: string;
  /** The `w:num` elements. */
  readonly lists: string;
  /** The `w:numPicBullet` elements. */
  readonly pictures?: string;
}

/** Adds lists to a numbering part. `xml`: canonical XML, or null if the part is missing. */
export function withLists(
  xml: string | null,
  { definitions, lists, pictures = "" }: MoreLists,
): string {
  const whole = opened(xml ?? emptyPart("w:numbering"), "w:numbering");
  // The order in the schema: pictures, definitions, lists, and then an element that only Word uses.
  const end = whole.search(/<w:numIdMacAtCleanup|<\/w:numbering>\s*$/);
  const firstList = whole.search(/<w:num[ >]/);
  const split = firstList === -1 ? end : firstList;
  const start = whole.indexOf(">", whole.indexOf("<w:numbering")) + 1;
  return (
    whole.slice(0, start) +
    pictures +
    whole.slice(start, split) +
    definitions +
    whole.slice(split, end) +
    lists +
    whole.slice(end)
  );
}

/** Adds styles (`w:style`) to a styles part, which is canonical XML. */
export function withStyles(xml: string, styles: string): string {
  return opened(xml, "w:styles").replace(/<\/w:styles>\s*$/, () => `${styles}</w:styles>`);
}

/** Returns the attributes of the root element of a part, which is canonical XML. */
export function rootAttributes(xml: string, root: string): string {
  const start = xml.indexOf(`<${root}`) + root.length + 1;
  return xml.slice(start, xml.indexOf(">", start)).replace(/\/$/, "");
}

/** Replaces the attributes of the root element of a part, which is canonical XML. */
export function withRootAttributes(xml: string, root: string, attributes: string): string {
  const start = xml.indexOf(`<${root}`) + root.length + 1;
  const end = start + rootAttributes(xml, root).length;
  return xml.slice(0, start) + attributes + xml.slice(end);
}
