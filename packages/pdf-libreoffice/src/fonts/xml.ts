// Finds elements in the text of a part without reading all of its XML, which the gate has checked. The gate's scanner
// takes 1.2 to 1.8 times as long for the main part alone as this file does for all fonts of a document
// (`npm run bench:readers`).
import { unescapeXml } from "@quire/ooxml/internal/xml/escape";

/** The namespaces of WordprocessingML and DrawingML, in both variants of the standard. */
const WORD = [
  "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
  "http://purl.oclc.org/ooxml/wordprocessingml/main",
];
const DRAWING = [
  "http://schemas.openxmlformats.org/drawingml/2006/main",
  "http://purl.oclc.org/ooxml/drawingml/main",
];

/** Changes the prefix of WordprocessingML in the XML of a part to `w:`, which nearly every program uses. */
export function withWordPrefix(xml: string): string {
  return withPrefix(xml, "w", WORD);
}

/** Changes the prefix of DrawingML in the XML of a part to `a:`. */
export function withDrawingPrefix(xml: string): string {
  return withPrefix(xml, "a", DRAWING);
}

/**
 * Changes the prefix of a namespace. Documents that Quire rendered have the usual prefixes, so only their start is
 * read.
 */
function withPrefix(xml: string, usual: string, namespaces: readonly string[]): string {
  for (const namespace of namespaces) {
    const at = xml.indexOf(namespace);
    if (at < 0) continue;
    const declared = /xmlns(?::([\w.-]+))?\s*=\s*["']$/.exec(xml.slice(Math.max(0, at - 80), at));
    if (declared === null) continue;
    const prefix = declared[1];
    if (prefix === usual) return xml;
    if (prefix === undefined) {
      return xml.replaceAll(/<(\/?)([A-Za-z]\w*)(?=[\s>/])/g, `<$1${usual}:$2`);
    }
    return xml
      .replaceAll(`<${prefix}:`, `<${usual}:`)
      .replaceAll(`</${prefix}:`, `</${usual}:`)
      .replaceAll(` ${prefix}:`, ` ${usual}:`);
  }
  return xml;
}

const LESS = "<";
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const GREATER = 0x3e;
const SLASH = 0x2f;

/** Returns the index of the `>` of the tag that starts at `at`; the length of the XML if there is none. */
export function endOfTag(xml: string, at: number): number {
  let quote = 0;
  for (let place = at; place < xml.length; place += 1) {
    const code = xml.charCodeAt(place);
    if (quote !== 0) {
      if (code === quote) quote = 0;
    } else if (code === QUOTE || code === APOSTROPHE) quote = code;
    else if (code === GREATER) return place;
  }
  return xml.length;
}

/** Whether the tag whose `>` is at `end` is an element without content. */
export function isEmptyTag(xml: string, end: number): boolean {
  return xml.charCodeAt(end - 1) === SLASH;
}

/** Returns the value of an attribute in a tag; null if it is missing. */
export function attributeOf(tag: string, name: string): string | null {
  for (let at = tag.indexOf(name); at >= 0; at = tag.indexOf(name, at + 1)) {
    if (tag.charCodeAt(at - 1) > 0x20) continue; // the end of a longer name
    let place = at + name.length;
    while (tag.charCodeAt(place) <= 0x20) place += 1;
    if (tag[place] !== "=") continue;
    place += 1;
    while (tag.charCodeAt(place) <= 0x20) place += 1;
    const end = tag.indexOf(tag[place] ?? '"', place + 1);
    return unescapeXml(tag.slice(place + 1, end < 0 ? tag.length : end));
  }
  return null;
}

/** An element found in XML. */
export interface FoundElement {
  /** The start tag, without the brackets. */
  readonly tag: string;
  /** The text between the tags; empty for an empty element. */
  readonly content: string;
  /** The index after the element. */
  readonly end: number;
}

/**
 * Returns the first element with this name from an index on, or null. Does not handle nested elements of
 * the same name: the content ends at the first end tag.
 */
export function elementIn(xml: string, name: string, from = 0): FoundElement | null {
  for (let at = xml.indexOf(LESS + name, from); at >= 0; at = xml.indexOf(LESS + name, at + 1)) {
    const next = xml.charCodeAt(at + 1 + name.length);
    if (next !== SLASH && next !== GREATER && !(next <= 0x20)) continue;
    const tagEnd = endOfTag(xml, at);
    const tag = xml.slice(at + 1, tagEnd);
    if (isEmptyTag(xml, tagEnd)) return { tag, content: "", end: tagEnd + 1 };
    const close = xml.indexOf(`</${name}>`, tagEnd);
    const stop = close < 0 ? xml.length : close;
    return { tag, content: xml.slice(tagEnd + 1, stop), end: stop + 1 };
  }
  return null;
}

/** Yields all elements with this name, in order. */
export function* elementsIn(xml: string, name: string): Generator<FoundElement> {
  let found = elementIn(xml, name);
  while (found !== null) {
    yield found;
    found = elementIn(xml, name, found.end);
  }
}

/** Returns an attribute of the first element with this name; null if the element or the attribute is missing. */
export function attributeIn(xml: string, name: string, attribute: string): string | null {
  const found = elementIn(xml, name);
  return found === null ? null : attributeOf(found.tag, attribute);
}

/** Whether an on/off property is on; null if the property is missing. */
export function toggleIn(xml: string, name: string): boolean | null {
  const found = elementIn(xml, name);
  if (found === null) return null;
  const value = attributeOf(found.tag, "w:val");
  return value !== "0" && value !== "false" && value !== "off";
}
