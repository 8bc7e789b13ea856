import { isProxy } from "node:util/types";
import { isQuireError, QuireError } from "../errors.ts";
import { pointerStep } from "./json-pointer.ts";

/** Maximum number of objects to search for the throwing getter. */
const MAX_OBJECTS = 100_000;

/** The subject of the message for each code. */
const READ = {
  invalid_data: "The data of the document",
  invalid_request: "The request",
} as const;

/**
 * Returns the error to report if reading a caller's data or a request throws. Returns a `QuireError` unchanged. Reading
 * data may run the caller's code in getters, proxies and classes, so the data is to blame for errors in that code. If
 * the data contains no code, the cause is a bug in Quire, reported as `internal`.
 */
export function unreadable(
  data: unknown,
  cause: unknown,
  code: keyof typeof READ = "invalid_data",
): QuireError {
  if (isQuireError(cause)) return cause;
  const pointer = placeOfCode(data);
  if (pointer === null) {
    return new QuireError("internal", "The document could not be made because of a bug in Quire.", {
      cause,
    });
  }
  const at = pointer === "" ? "" : ` (at ${pointer})`;
  const message = `${READ[code]} cannot be read${at}: a getter, a proxy or a method of an object in it throws. Use only strings, numbers, booleans, dates, and lists and plain objects that contain these.`;
  const diagnostics = [{ severity: "error", code: "unreadable_value", message, pointer }] as const;
  return new QuireError(code, message, { diagnostics, cause });
}

interface Place {
  readonly value: unknown;
  readonly pointer: string;
}

/**
 * Returns the JSON Pointer of the getter that throws, or otherwise of the first value that may run code; null if the
 * data contains no code.
 */
function placeOfCode(data: unknown): string | null {
  const seen = new Set<unknown>();
  const open: Place[] = [{ value: data, pointer: "" }];
  let first: string | null = null;
  for (let next = open.pop(); next !== undefined && seen.size < MAX_OBJECTS; next = open.pop()) {
    const { value, pointer } = next;
    if (typeof value === "function") first ??= pointer;
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    seen.add(value);
    if (isProxy(value) || !isPlain(value)) first ??= pointer;
    if (isProxy(value)) continue;
    const thrower = lookInto(value, pointer, open);
    if (thrower?.throws) return thrower.pointer;
    first ??= thrower?.pointer ?? null;
  }
  return first;
}

/**
 * Adds the values of an object to `open`. Returns the first getter that throws, or otherwise the first getter; null if
 * the object has no getter.
 */
function lookInto(
  object: object,
  pointer: string,
  open: Place[],
): { readonly pointer: string; readonly throws: boolean } | null {
  let first: string | null = null;
  for (const [key, found] of Object.entries(Object.getOwnPropertyDescriptors(object))) {
    const place = `${pointer}/${pointerStep(key)}`;
    if (found.get === undefined) open.push({ value: found.value, pointer: place });
    else if (throws(found.get, object)) return { pointer: place, throws: true };
    else first ??= place;
  }
  return first === null ? null : { pointer: first, throws: false };
}

const PLAIN: ReadonlySet<unknown> = new Set([
  Object.prototype,
  Array.prototype,
  Date.prototype,
  null,
]);

function isPlain(value: object): boolean {
  return (
    PLAIN.has(Object.getPrototypeOf(value)) && Object.getOwnPropertySymbols(value).length === 0
  );
}

function throws(get: () => unknown, value: object): boolean {
  try {
    get.call(value);
    return false;
  } catch {
    return true;
  }
}
