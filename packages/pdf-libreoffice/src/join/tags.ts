import { refuse } from "./refusal.ts";

/** A parsed tag. All occurrences of the same tag share one object. */
export interface Tag {
  readonly text: string;
  /** The name with its prefix. */
  readonly name: string;
  /** Whether this is an end tag: `</x>`. */
  readonly closes: boolean;
  /** Whether this is the tag of an empty element: `<x/>`. */
  readonly empty: boolean;
  /** The attributes as written: escapes are not decoded. */
  readonly attributes: ReadonlyMap<string, TagAttribute>;
  /** The names of the attributes with relationship ids. */
  readonly relations: readonly string[];
}

/** The value of an attribute and its position in the tag. */
export interface TagAttribute {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

const NAME = /<(\/?)([\w.:-]+)/y;
const ATTRIBUTE = /\s+([\w.:-]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
const END = /\s*(\/?)>/y;

/** The namespaces of the known prefixes. A part that binds one of these prefixes to another namespace is refused. */
const NAMESPACES: ReadonlyMap<string, string> = new Map([
  ["w", "http://schemas.openxmlformats.org/wordprocessingml/2006/main"],
  ["r", "http://schemas.openxmlformats.org/officeDocument/2006/relationships"],
  ["wp", "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"],
  ["a", "http://schemas.openxmlformats.org/drawingml/2006/main"],
  ["pic", "http://schemas.openxmlformats.org/drawingml/2006/picture"],
  ["m", "http://schemas.openxmlformats.org/officeDocument/2006/math"],
  ["mc", "http://schemas.openxmlformats.org/markup-compatibility/2006"],
  ["w14", "http://schemas.microsoft.com/office/word/2010/wordml"],
  ["w15", "http://schemas.microsoft.com/office/word/2012/wordml"],
  ["wp14", "http://schemas.microsoft.com/office/word/2010/wordprocessingDrawing"],
  ["a14", "http://schemas.microsoft.com/office/drawing/2010/main"],
  ["a16", "http://schemas.microsoft.com/office/drawing/2014/main"],
]);

/**
 * Reads tags and caches them, because the same tags occur again and again. The gate's scanner takes 1.3 to 1.6 times as
 * long (`npm run bench:readers`). Create one reader for each group, so that the cache ends with the group.
 */
export class TagReader {
  readonly #known = new Map<string, Tag>();

  /** Reads the tag whose `<` is at `start`. Refuses comments, CDATA and anything else that is not a tag. */
  read(xml: string, start: number): Tag {
    const text = xml.slice(start, xml.indexOf(">", start) + 1);
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const tag = parseTag(text);
    this.#known.set(text, tag);
    return tag;
  }
}

function parseTag(text: string): Tag {
  NAME.lastIndex = 0;
  const [, slash, name = ""] = NAME.exec(text) ?? refuse("unusual XML syntax");
  const attributes = new Map<string, TagAttribute>();
  let at = NAME.lastIndex;
  for (;;) {
    ATTRIBUTE.lastIndex = at;
    const found = ATTRIBUTE.exec(text);
    if (found === null) break;
    at = ATTRIBUTE.lastIndex;
    const [, attribute = "", double, single] = found;
    const value = double ?? single ?? "";
    checkNamespace(attribute, value);
    attributes.set(attribute, { value, start: at - 1 - value.length, end: at - 1 });
  }
  END.lastIndex = at;
  const end = END.exec(text);
  if (end === null || END.lastIndex !== text.length) refuse("unusual XML syntax");
  const relations = [...attributes.keys()].filter((attribute) => attribute.startsWith("r:"));
  return { text, name, closes: slash === "/", empty: end[1] === "/", attributes, relations };
}

function checkNamespace(attribute: string, value: string): void {
  if (!attribute.startsWith("xmlns")) return;
  const usual = NAMESPACES.get(attribute.slice("xmlns:".length));
  if (usual !== undefined && usual !== value) refuse("unusual XML prefixes");
}

/** Whether a switch such as `<w:titlePg/>` is on. */
export function isOn({ attributes }: Tag): boolean {
  const value = attributes.get("w:val")?.value ?? "1";
  return value !== "0" && value !== "false" && value !== "off";
}
