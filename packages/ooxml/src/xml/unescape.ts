const AMPERSAND = 38;
const SEMICOLON = 59;

/**
 * Unescapes any XML text in UTF-8, from one position to another. References to unknown entities are kept. Uses
 * no more memory than the result, however much is escaped.
 */
export function unescapedText(xml: Buffer, from: number, to: number): string {
  let first = from;
  while (first < to && xml[first] !== AMPERSAND) first += 1;
  if (first === to) return xml.toString("utf8", from, to);
  // A character takes fewer bytes than a reference to it.
  const text = Buffer.allocUnsafe(to - from);
  let length = xml.copy(text, 0, from, first);
  for (let at = first; at < to; ) {
    const byte = xml[at] ?? 0;
    const end = byte === AMPERSAND ? referenceEnd(xml, at + 1, to) : -1;
    const character = end === -1 ? -1 : referred(xml, at + 1, end);
    if (character === -1) {
      text[length] = byte;
      length += 1;
      at += 1;
    } else {
      if (character < 0x80) text[length] = character;
      length += character < 0x80 ? 1 : text.write(String.fromCodePoint(character), length);
      at = end + 1;
    }
  }
  return text.toString("utf8", 0, length);
}

/**
 * Returns the position after the reference that begins at an ampersand, or -1 if it does not refer to a character that
 * XML allows.
 */
export function allowedReferenceEnd(xml: Buffer, at: number): number {
  const end = referenceEnd(xml, at + 1, xml.length);
  const code = end === -1 ? -1 : referred(xml, at + 1, end);
  return isAllowed(code) ? end + 1 : -1;
}

/** Whether XML allows a character. */
function isAllowed(code: number): boolean {
  if (code < 0x20) return code === 9 || code === 10 || code === 13;
  return !((code >= 0xd800 && code <= 0xdfff) || code === 0xfffe || code === 0xffff);
}

/** Returns the position of the semicolon of a reference, or -1 when none follows the letters, digits and `#`. */
function referenceEnd(xml: Buffer, from: number, to: number): number {
  let at = from;
  while (at < to && IN_REFERENCE[xml[at] ?? 0] === 1) at += 1;
  return at < to && xml[at] === SEMICOLON ? at : -1;
}

const IN_REFERENCE: Uint8Array = Uint8Array.from({ length: 256 }, (_, code) =>
  /[\dA-Za-z#]/.test(String.fromCharCode(code)) ? 1 : 0,
);

const ENTITIES: ReadonlyMap<string, number> = new Map(
  [
    ["amp", "&"],
    ["lt", "<"],
    ["gt", ">"],
    ["quot", '"'],
    ["apos", "'"],
  ].map(([name = "", character = ""]) => [name, character.charCodeAt(0)]),
);

const NUMBER_SIGN = 35;
const LOWER_X = 120;

/** Returns the code point of the reference between `&` and `;`, or -1 if it is unknown. */
function referred(xml: Buffer, from: number, end: number): number {
  if (xml[from] !== NUMBER_SIGN) {
    return end - from > 4 ? -1 : (ENTITIES.get(xml.toString("latin1", from, end)) ?? -1);
  }
  const isHex = xml[from + 1] === LOWER_X;
  const base = isHex ? 16 : 10;
  const first = from + (isHex ? 2 : 1);
  let code = first === end ? -1 : 0;
  for (let at = first; at < end && code !== -1; at += 1) {
    const digit = DIGITS[xml[at] ?? 0] ?? NO_DIGIT;
    code = digit < base ? code * base + digit : -1;
    if (code > 0x10ffff) code = -1;
  }
  return code;
}

const NO_DIGIT = 255;

const DIGITS: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) => {
  const digit = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(digit) ? NO_DIGIT : digit;
});
