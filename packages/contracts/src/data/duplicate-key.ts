import { pointerOf } from "./json-pointer.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/**
 * Returns the JSON Pointer of the first key that an object in the JSON repeats; null if no object repeats a key.
 * `value` is the result of `JSON.parse`, which silently keeps only the last of several equal keys. A reviver may have
 * replaced numbers in it. Takes about as long as parsing.
 */
export function duplicateKey(json: string, value: unknown): string | null {
  // Each key has a colon, so only JSON with duplicate keys has more colons than the parsed value has keys.
  return colonsOf(json) === keysOf(value) ? null : firstDuplicate(json);
}

function colonsOf(json: string): number {
  let colons = 0;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === COLON) colons += 1;
    else if (code === QUOTE) at = endOfString(json, at);
  }
  return colons;
}

/** Returns the index of the quote that ends the string at `start`. */
function endOfString(json: string, start: number): number {
  let at = start + 1;
  for (; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) break;
    if (code === BACKSLASH) at += 1;
  }
  return at;
}

function keysOf(value: unknown): number {
  let keys = 0;
  const open: object[] = [];
  const look = (inner: unknown): void => {
    if (typeof inner === "object" && inner !== null) open.push(inner);
  };
  look(value);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (Array.isArray(next)) {
      for (const item of next) look(item);
      continue;
    }
    const values = Object.values(next);
    keys += values.length;
    for (const item of values) look(item);
  }
  return keys;
}

/** An open object or list. */
interface Container {
  /** The keys that have been read; null for a list. */
  readonly keys: Set<string> | null;
  /** The current key or index. */
  step: string | number;
  isBeforeKey: boolean;
}

function firstDuplicate(json: string): string | null {
  const open: Container[] = [];
  for (let at = 0; at < json.length; at += 1) {
    const inner = open.at(-1);
    switch (json[at]) {
      case "{":
        open.push({ keys: new Set(), step: "", isBeforeKey: true });
        break;
      case "[":
        open.push({ keys: null, step: 0, isBeforeKey: false });
        break;
      case "}":
      case "]":
        open.pop();
        break;
      case ",":
        if (typeof inner?.step === "number") inner.step += 1;
        else if (inner !== undefined) inner.isBeforeKey = true;
        break;
      case '"': {
        const end = endOfString(json, at);
        if (inner?.isBeforeKey && inner.keys !== null) {
          inner.step = JSON.parse(json.slice(at, end + 1)) as string;
          inner.isBeforeKey = false;
          if (inner.keys.has(inner.step)) return pointerTo(open);
          inner.keys.add(inner.step);
        }
        at = end;
      }
    }
  }
  return null;
}

function pointerTo(open: readonly Container[]): string {
  return pointerOf(open.map(({ step }) => step));
}
