import { unescapeText } from "../package/xml.ts";
import { attributesOf, type ElementNode } from "./nodes.ts";
import { type Delimiters, scanTags } from "./scan.ts";

/** Attributes that an author writes text into. */
const WRITTEN = new Set(["descr", "title", "alt", "w:tooltip", "w:instr"]);

/** Elements that are the alternative text of a table, in their `w:val`. */
const TABLE_TEXTS = new Set(["w:tblCaption", "w:tblDescription"]);

/** Elements whose relationship is a link. */
const LINKS = new Set(["w:hyperlink", "a:hlinkClick"]);

/** The attributes of an element that an author writes text into, by their names, unescaped. */
export function writtenAttributes({
  name: element,
  attributes,
}: ElementNode): [name: string, value: string][] {
  const isWritten = (name: string): boolean =>
    WRITTEN.has(name) || (name === "w:val" && TABLE_TEXTS.has(element));
  return Object.entries(attributesOf(attributes)).flatMap(([name, value]) =>
    value !== undefined && isWritten(name) ? [[name, unescapeAttribute(value)]] : [],
  );
}

/**
 * Where an element leads that is a link, with its tags as they were written: Word spells the braces of
 * an address as `%7B`. Null for other elements.
 */
export function linkAddress(
  { name, attributes }: ElementNode,
  targets: ReadonlyMap<string, string>,
  { start, end }: Delimiters,
): string | null {
  if (!LINKS.has(name)) return null;
  const target = targets.get(attributesOf(attributes)["r:id"] ?? "");
  return target === undefined ? null : decodeTags(target, start, end);
}

/** The target with the percent signs within and around its tags decoded; what is no tag stays as it is. */
function decodeTags(target: string, start: string, end: string): string {
  const open = encodeURIComponent(start);
  if (!target.toLowerCase().includes(open.toLowerCase())) return target;
  const braces = target.replaceAll(/%7b/gi, "{").replaceAll(/%7d/gi, "}");
  const { pieces } = scanTags(braces, { start, end });
  return pieces
    .map((piece) => {
      if (piece.kind === "text") return piece.text;
      try {
        return `${start}${decodeURIComponent(piece.content)}${end}`;
      } catch {
        return piece.text;
      }
    })
    .join("");
}

function unescapeAttribute(value: string): string {
  return unescapeText(
    value.replaceAll("&quot;", '"').replaceAll("&#9;", "\t").replaceAll("&#10;", "\n"),
  );
}
