import { losesDigits } from "@quire/contracts";
import { parse } from "lossless-json";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Matches every number that could lose digits. Only text with such numbers needs a reviver, which is slow. */
const MANY_DIGITS = /\d[\d.]{15}/;

/**
 * Parses JSON of users like `JSON.parse`, with two differences. A number with more digits than JavaScript can
 * represent becomes a string of the same digits. And keys are always right: V8 may read a key with an escape sequence
 * as another key that the process has seen before, even in another text. After the key `ab\`, `"ab\n"` may become
 * `ab\` (nodejs/node#63785; Node 24 and 26, not 22). Throws an error, which may quote the text, if it is not valid.
 */
export function parseExactly(json: string): unknown {
  if (!hasEscapedKey(json)) return parseNatively(json);
  const written = withoutNeedlessEscapes(json);
  if (hasEscapedKey(written)) return parse(json, null, EXACT);
  try {
    return parseNatively(written);
  } catch {
    // The error must refer to the text of the user.
    return parse(json, null, EXACT);
  }
}

function parseNatively(json: string): unknown {
  return MANY_DIGITS.test(json) ? JSON.parse(json, exactNumber) : JSON.parse(json);
}

/** Matches an escape sequence of JSON. */
const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|.)/gs;

/**
 * Returns the same JSON with characters outside ASCII unescaped.
 * Python writes keys such as `"gr\u00f6\u00dfe"` by default, and a parser that is not the native one is slow.
 */
function withoutNeedlessEscapes(json: string): string {
  return json.replace(ESCAPE, (all: string, code: string | undefined) => {
    const unit = code === undefined ? 0 : Number.parseInt(code, 16);
    return unit < 0x80 ? all : String.fromCharCode(unit);
  });
}

/** Whether JSON has a key with an escape sequence. */
function hasEscapedKey(json: string): boolean {
  // In valid JSON, backslashes are only in strings.
  for (let at = json.indexOf("\\"); at !== -1; at = json.indexOf("\\", at)) {
    for (; at < json.length && json.charCodeAt(at) !== QUOTE; at += 1) {
      if (json.charCodeAt(at) === BACKSLASH) at += 1;
    }
    at += 1;
    while (isSpace(json.charCodeAt(at))) at += 1;
    if (json[at] === ":") return true;
  }
  return false;
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

const EXACT = {
  parseNumber: (source: string) => (losesDigits(source) ? source : Number(source)),
  // As in `JSON.parse`, the last value counts.
  onDuplicateKey: ({ newValue }: { readonly newValue: unknown }) => newValue,
};

function exactNumber(_key: string, value: unknown, { source }: { source?: string } = {}): unknown {
  return typeof value === "number" && source !== undefined && losesDigits(source) ? source : value;
}
