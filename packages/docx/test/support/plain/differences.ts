import { inspect, isDeepStrictEqual } from "node:util";
import { type Diagnostic, isQuireError } from "@quire/contracts";

/** The documented properties of a thrown error. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** The result of a function, or its rejection. */
export type Outcome<T> = { readonly value: T } | { readonly refusal: Refusal };

/** Returns the outcome of a function. Rethrows errors that are not a QuireError. */
export function outcomeOf<T>(compute: () => T): Outcome<T> {
  try {
    return { value: compute() };
  } catch (error) {
    if (!isQuireError(error)) throw error;
    const { code, message, diagnostics } = error;
    return { refusal: { code, message, diagnostics } };
  }
}

/** Returns the first difference between two sets of parts as a sentence, or null if they are equal. */
export function differenceOfParts(
  expected: ReadonlyMap<string, Uint8Array>,
  actual: ReadonlyMap<string, Uint8Array>,
): string | null {
  const names = [...expected.keys()].join("\n");
  const given = [...actual.keys()].join("\n");
  for (const [name, content] of expected) {
    const other = actual.get(name);
    if (other === undefined) return `The part ${name} is missing.`;
    const at = firstDifference(content, other);
    if (at !== null)
      return `The part ${name} differs at byte ${at}:\n${around(content, other, at)}`;
  }
  if (names === given) return null;
  const added = [...actual.keys()].filter((name) => !expected.has(name));
  if (added.length > 0) return `The part ${added[0]} is unexpected.`;
  return `The parts are in a different order:\n${names}\ninstead of\n${given}`;
}

/** Returns the first difference between two values as a sentence, or null if they are equal. */
export function differenceOfValues(
  what: string,
  expected: unknown,
  actual: unknown,
): string | null {
  if (isDeepStrictEqual(expected, actual)) return null;
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const at = expected.findIndex((each, index) => !isDeepStrictEqual(each, actual[index]));
    const index = at === -1 ? expected.length : at;
    return `${what}: number ${index} of ${expected.length} and ${actual.length} differs:\n${both(expected[index], actual[index])}`;
  }
  return `${what} differ:\n${both(expected, actual)}`;
}

function both(expected: unknown, actual: unknown): string {
  const shown = (value: unknown): string => inspect(value, { depth: 4, maxStringLength: 400 });
  return `plain: ${shown(expected)}\n  src: ${shown(actual)}`;
}

function firstDifference(expected: Uint8Array, actual: Uint8Array): number | null {
  if (Buffer.compare(expected, actual) === 0) return null;
  const shorter = Math.min(expected.length, actual.length);
  for (let at = 0; at < shorter; at++) if (expected[at] !== actual[at]) return at;
  return shorter;
}

/** Returns the content before and after a position. */
function around(expected: Uint8Array, actual: Uint8Array, at: number): string {
  const part = (bytes: Uint8Array, from: number, to: number): string =>
    JSON.stringify(Buffer.from(bytes.subarray(Math.max(0, from), to)).toString("utf8"));
  return [
    `before: ${part(expected, at - 160, at)}`,
    ` plain: ${part(expected, at, at + 120)}`,
    `   src: ${part(actual, at, at + 120)}`,
  ].join("\n");
}
