/** Character codes. The last two sets are the brackets of lists and objects. */
const NEWLINE = 0x0a;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/**
 * Returns the line, from 1, on which each item of a JSON list begins; empty if the JSON is not a list. `text` must be
 * valid JSON.
 */
export function itemLines(text: string): number[] {
  if (!text.trimStart().startsWith("[")) return [];
  const lines: number[] = [];
  let line = 1;
  let depth = 0;
  let begins = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === NEWLINE) line += 1;
    if (character <= 0x20) continue;
    if (begins && !CLOSING.has(character)) lines.push(line);
    begins = false;
    if (character === QUOTE) at = endOfString(text, at);
    else if (OPENING.has(character)) begins = depth++ === 0;
    else if (CLOSING.has(character)) depth -= 1;
    else if (character === COMMA) begins = depth === 1;
  }
  return lines;
}

/** Returns the index of the closing quote of a string. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) {
    at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  }
  return at;
}
