import { unescapeText } from "@quire/ooxml/internal/xml/escape";
import type { Delimiters } from "../../language/delimiters/delimiters.ts";
import { attributesOf, type ElementNode } from "../nodes/nodes.ts";
import { type Piece, readsAsTag, type ScannedText, scanTags } from "../nodes/scan.ts";

/** Attributes whose text is written by an author, and the elements to which this applies; null for any element. */
const WRITTEN: ReadonlyMap<string, readonly string[] | null> = new Map([
  ["descr", null],
  ["title", null],
  ["alt", null],
  ["w:tooltip", null],
  ["w:instr", null],
  ["tooltip", ["a:hlinkClick", "a:hlinkHover"]],
  // The text of a watermark, and of other WordArt.
  ["string", ["v:textpath"]],
  ["w:displayText", ["w:listItem"]],
  ["w:value", ["w:listItem"]],
  [
    "w:val",
    [
      ...["w:tblCaption", "w:tblDescription"],
      ...["w:listEntry", "w:default", "w:helpText", "w:statusText"],
    ],
  ],
]);

/**
 * Maximum number of characters that Word allows in the text attributes of a form field ([MS-OI29500] 2.1.515, 2.1.523).
 */
const MOST_CHARACTERS: ReadonlyMap<string, number> = new Map([
  ["w:listEntry", 255],
  ["w:default", 255],
  ["w:helpText", 255],
  ["w:statusText", 138],
]);

/** Elements whose relationship is a link. */
const LINKS = new Set(["w:hyperlink", "a:hlinkClick", "a:hlinkHover"]);

/** Whether an attribute of an element may contain tags. Both names have the usual namespace prefixes. */
export function isWritten(element: string, attribute: string): boolean {
  const elements = WRITTEN.get(attribute);
  return elements === null || elements?.includes(element) === true;
}

/** Maximum number of characters for a value in an attribute of this element; undefined if there is no limit. */
export function mostCharacters(element: string): number | undefined {
  return MOST_CHARACTERS.get(element);
}

/** Returns the attributes in canonical XML whose text is written by an author, escaped, and a few other attributes. */
export function writtenAttributesIn(xml: string): readonly string[] {
  return xml.match(WRITTEN_IN_XML) ?? [];
}

const WRITTEN_IN_XML = new RegExp(
  ` (?:${[...WRITTEN.keys()].filter((name) => name !== "w:val").join("|")})="[^"]*"` +
    `|<(?:${WRITTEN.get("w:val")?.join("|")}) [^>]*`,
  "g",
);

/** Returns the attributes of an element whose text is written by an author, by name, unescaped. */
export function writtenAttributes({
  name: element,
  attributes,
}: ElementNode): [name: string, value: string][] {
  return Object.entries(attributesOf(attributes)).flatMap(([name, value]) =>
    value !== undefined && isWritten(element, name) ? [[name, unescapeAttribute(value)]] : [],
  );
}

/**
 * Returns the target of a link element with its tags decoded, because Word writes the braces of an address as `%7B` and
 * `%7D`; null for other elements.
 */
export function linkTags(
  { name, attributes }: ElementNode,
  targets: ReadonlyMap<string, string>,
  delimiters: Delimiters,
): ScannedText | null {
  if (!LINKS.has(name)) return null;
  const target = targets.get(attributesOf(attributes)["r:id"] ?? "");
  return target === undefined ? null : scanAddress(target, delimiters);
}

/** Returns the tags of an address, with percent-encoding decoded. Other text is unchanged. */
function scanAddress(target: string, delimiters: Delimiters): ScannedText {
  const { start, end } = delimiters;
  const source = target.replaceAll(/%7b/gi, "{").replaceAll(/%7d/gi, "}");
  // Addresses may contain braces, as in JSON: single braces around anything other than a tag are text.
  const isTag = (content: string): boolean =>
    start.length > 1 || readsAsTag(decoded(content), true) || content.includes("::");
  const scanned = scanTags(source, delimiters, { isTag });
  const isEncoded = source !== target && !/[{}]/.test(target);
  const [open, close] = target.includes("%7B") ? ["%7B", "%7D"] : ["%7b", "%7d"];
  const pieces = scanned.pieces.map((piece): Piece => {
    if (piece.kind === "tag") {
      const content = decoded(piece.content);
      const nested = piece.nested === null ? null : decoded(piece.nested);
      return { ...piece, content, nested, text: `${start}${content}${end}` };
    }
    const text = piece.text.replaceAll("{", open).replaceAll("}", close);
    return isEncoded ? { ...piece, text } : piece;
  });
  return { ...scanned, pieces };
}

/** Returns the content of a tag with percent-encoding decoded; unchanged if the encoding is invalid. */
function decoded(content: string): string {
  try {
    return decodeURIComponent(content);
  } catch {
    return content;
  }
}

function unescapeAttribute(value: string): string {
  return unescapeText(
    value.replaceAll("&quot;", '"').replaceAll("&#9;", "\t").replaceAll("&#10;", "\n"),
  );
}
