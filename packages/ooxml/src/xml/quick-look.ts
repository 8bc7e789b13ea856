import type { Buffer } from "node:buffer";

/**
 * Whether a part, in UTF-8, contains the given text, or may contain it in the form of character references. The text
 * must not have characters that XML escapes.
 */
export function mayHold(xml: Buffer, text: string): boolean {
  if (xml.includes(text)) return true;
  return xml.includes("&#") && hasReferenceTo(xml.toString("latin1"), text);
}

/** Whether one of the given characters occurs as a reference, such as `&#123;`. */
export function hasReferenceTo(xml: string, characters: string): boolean {
  for (const [, code = ""] of xml.matchAll(/&#(x[\da-f]+|\d+);/gi)) {
    const number = /^x/i.test(code) ? Number.parseInt(code.slice(1), 16) : Number(code);
    if (number <= 0x10ffff && characters.includes(String.fromCodePoint(number))) return true;
  }
  return false;
}

/** Whether a character occurs outside the tags of XML. */
export function hasInText(xml: string, character: string): boolean {
  let from = 0;
  let found = -1;
  for (let open = xml.indexOf("<"); open !== -1; open = xml.indexOf("<", from)) {
    if (found < from) found = xml.indexOf(character, from);
    if (found === -1) return false;
    if (found < open) return true;
    from = xml.indexOf(">", open) + 1;
    if (from === 0) return true;
  }
  return xml.includes(character, from);
}
