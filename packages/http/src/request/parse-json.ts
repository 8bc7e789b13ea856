import { isUtf8 } from "node:buffer";
import { setImmediate as nextTurn } from "node:timers/promises";
import { hasBackslashKey, losesDigits } from "@quire/core";
import { invalid } from "../wire/problem.ts";
import type { JsonBounds, JsonPlace } from "./json-bounds.ts";

/** Shorter texts are parsed at once: that takes a millisecond or two. */
const AT_ONCE_BYTES = 256 * 1024;
/** Of longer ones so much at a time. */
const PIECE_BYTES = 256 * 1024;

/**
 * Parses a JSON text that was watched as it came. A number of more digits than JavaScript keeps is a text of the same digits.
 * A long text is parsed entry by entry, and others have their turn in between. Throws a 400 for what is no JSON, or not UTF-8.
 */
export async function parseJson(
  bytes: Buffer,
  { longNumbers, entries }: Pick<JsonBounds, "longNumbers" | "entries">,
  atOnceBytes = AT_ONCE_BYTES,
): Promise<unknown> {
  if (!isUtf8(bytes)) {
    throw invalid([{ path: "", code: "not_utf8", message: "The body is not UTF-8." }]);
  }
  if (hasBackslashKey(bytes)) {
    const message = "A key is a single backslash, which Node may take for other keys. Rename it.";
    throw invalid([{ path: "", code: "wrong_value", message }]);
  }
  const exact = (place: JsonPlace) => exactNumber(bytes, place);
  if (bytes.length <= atOnceBytes || entries === null) {
    return parse(replaced(bytes, [0, bytes.length], longNumbers.flatMap(exact)));
  }
  const parsed: unknown[] = [];
  const outside: Replacement[] = [];
  let next = 0;
  let turnEnd = PIECE_BYTES;
  for (const place of entries) {
    const [start, end] = place;
    if (end > turnEnd) {
      await nextTurn();
      turnEnd = end + PIECE_BYTES;
    }
    const within: Replacement[] = [];
    for (let number = longNumbers[next]; number !== undefined; number = longNumbers[++next]) {
      if (number[0] >= end) break;
      (number[0] < start ? outside : within).push(...exact(number));
    }
    // A list of one number: nothing else that stands there is a list, since all others are entries themselves.
    outside.push({ start, end, by: `[${parsed.length}]` });
    parsed.push(parse(replaced(bytes, place, within)));
  }
  await nextTurn();
  const all = outside.concat(longNumbers.slice(next).flatMap(exact));
  return withEntries(parse(replaced(bytes, [0, bytes.length], all)), parsed);
}

/** Bytes of a text in whose place something else is parsed. */
interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly by: string;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(TEXT.decode(bytes)) as unknown;
  } catch {
    // V8's own message quotes the text, which may be anybody's data.
    throw invalid([{ path: "", code: "not_json", message: "The body is no JSON." }]);
  }
}

const TEXT = new TextDecoder();

function replaced(
  bytes: Buffer,
  [start, end]: JsonPlace,
  replacements: readonly Replacement[],
): Uint8Array {
  if (replacements.length === 0) return bytes.subarray(start, end);
  const pieces: Uint8Array[] = [];
  let copied = start;
  for (const place of replacements) {
    pieces.push(bytes.subarray(copied, place.start), Buffer.from(place.by));
    copied = place.end;
  }
  pieces.push(bytes.subarray(copied, end));
  return Buffer.concat(pieces);
}

/** The number as a text, when it would lose digits. */
function exactNumber(bytes: Buffer, [start, end]: JsonPlace): Replacement[] {
  const source = bytes.toString("latin1", start, end);
  if (!JSON_NUMBER.test(source) || !losesDigits(source) || isKey(bytes, end)) return [];
  return [{ start, end, by: JSON.stringify(source) }];
}

/** Whether a colon follows: a number is no key, and must not become one. */
function isKey(bytes: Buffer, end: number): boolean {
  let at = end;
  while (BLANKS.has(bytes[at])) at += 1;
  return bytes[at] === COLON;
}

const BLANKS: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0a, 0x0d]);
const COLON = 0x3a;

/** What is none stays as it is, and is no JSON. */
const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?$/;

/** Puts the entries in the place of their numbers. */
function withEntries(around: unknown, entries: readonly unknown[]): unknown {
  for (const list of childrenOf(around)) {
    if (!isContainer(list)) continue;
    for (const [key, place] of Object.entries(list)) {
      if (!Array.isArray(place)) continue;
      const value = entries[place[0] as number];
      // Not by assignment: a key may be __proto__.
      Object.defineProperty(list, key, {
        value,
        writable: true,
        enumerable: true,
        configurable: true,
      });
    }
  }
  return around;
}

function childrenOf(value: unknown): unknown[] {
  return isContainer(value) ? Object.values(value) : [];
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
