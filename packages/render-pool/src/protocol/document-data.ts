import { Buffer } from "node:buffer";
import { deserialize, serialize } from "node:v8";
import { cutPointer, duplicateKey, pointerStep, QuireError, unreadable } from "@quire/contracts";
import type { RenderData } from "@quire/docx/internal/render/evaluate/context/scope";
import { parseExactly } from "./exact-json.ts";

/** How data is encoded for another process: as JSON, or as V8's structured clone if JSON would change the data. */
export type DataEncoding = "json" | "structured";

/** Encoded data. */
export interface EncodedData {
  readonly encoding: DataEncoding;
  readonly bytes: Uint8Array;
}

/**
 * Maximum number of arrays and objects in JSON. Data with more, usually because values are shared, is sent as a
 * structured clone.
 */
const MAX_JSON_CONTAINERS = 1_000_000;
const MAX_JSON_DEPTH = 100;

/** Limits for all data that is sent to a process. */
const MAX_CONTAINERS = 10_000_000;
const MAX_CHARACTERS = 256_000_000;

/**
 * Encodes data so that {@link decodeData} returns equal data. Preserves dates, `undefined`, shared references, and
 * numbers that JSON lacks. Throws `invalid_data` for values that would change (functions, and objects that are printed
 * as something other than their own values), and `limit_exceeded` for data that is too large.
 */
export function encodeData(data: object): EncodedData {
  try {
    return encoded(data);
  } catch (error) {
    throw unreadable(data, error);
  }
}

function encoded(data: object): EncodedData {
  if (data instanceof Uint8Array) return { encoding: "json", bytes: data };
  if (isJson(data, 0, { containers: MAX_JSON_CONTAINERS, characters: MAX_CHARACTERS })) {
    return { encoding: "json", bytes: Buffer.from(JSON.stringify(data)) };
  }
  assertCloneable(data);
  try {
    return { encoding: "structured", bytes: serialize(data) };
  } catch (cause) {
    if (cause instanceof RangeError) throw tooLarge("it is nested too deeply");
    throw unsendable("", "an object of an unsupported kind", cause);
  }
}

/**
 * Decodes data that {@link encodeData} has encoded. Throws `invalid_data` for JSON that {@link readJsonData} rejects.
 */
export function decodeData({ encoding, bytes }: EncodedData): RenderData {
  return encoding === "json" ? readJsonData(bytes) : deserialize(bytes);
}

/** Parses data from JSON. Throws `invalid_data` for invalid JSON and a repeated key in an object. */
export function readJsonData(bytes: Uint8Array): RenderData {
  const { buffer, byteOffset, byteLength } = bytes;
  const text = Buffer.from(buffer, byteOffset, byteLength).toString("utf8");
  let data: RenderData;
  try {
    data = parseExactly(text) as RenderData;
  } catch {
    // The parser's own message quotes the data, so it must not be used.
    throw new QuireError(
      "invalid_data",
      "The data of the document is not valid JSON. Pass the UTF-8 bytes of one JSON object.",
    );
  }
  const pointer = duplicateKey(text, data);
  if (pointer === null) return data;
  const message = `The data has the key ${cutPointer(pointer)} twice, so its value is ambiguous. Remove one of them.`;
  throw new QuireError("invalid_data", message, {
    diagnostics: [{ severity: "error", code: "duplicate_key", message, pointer }],
  });
}

interface Allowance {
  containers: number;
  characters: number;
}

/** Whether JSON preserves the value exactly and the value is within the limits. */
function isJson(value: unknown, depth: number, left: Allowance): boolean {
  switch (typeof value) {
    case "string":
      left.characters -= value.length;
      return left.characters >= 0;
    case "number":
      return Number.isFinite(value) && !Object.is(value, -0);
    case "boolean":
      return true;
    case "object":
      return value === null || isJsonContainer(value, depth, left);
    default:
      return false;
  }
}

function isJsonContainer(value: object, depth: number, left: Allowance): boolean {
  left.containers -= 1;
  if (depth > MAX_JSON_DEPTH || left.containers < 0 || "toJSON" in value) return false;
  const prototype = Object.getPrototypeOf(value);
  if (Array.isArray(value)) {
    if (prototype !== Array.prototype) return false;
    for (let index = 0; index < value.length; index++) {
      if (!isJson(value[index], depth + 1, left)) return false;
    }
    return true;
  }
  if (prototype !== Object.prototype && prototype !== null) return false;
  const keys = Object.keys(value);
  if (keys.length !== Object.getOwnPropertyNames(value).length) return false;
  for (const key of keys) {
    left.characters -= key.length;
    if (!isJson((value as Record<string, unknown>)[key], depth + 1, left)) return false;
  }
  return true;
}

/**
 * Throws for values that a structured clone would lose, and for data that is too large. Handles any depth and circular
 * references.
 */
function assertCloneable(data: object): void {
  const seen = new Set<object>([data]);
  const open: { readonly value: object; readonly pointer: string }[] = [
    { value: data, pointer: "" },
  ];
  let characters = 0;
  const look = (value: unknown, pointer: string): void => {
    if (typeof value === "function" || typeof value === "symbol") throw unsendable(pointer, "code");
    if (typeof value === "string") characters += value.length;
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    open.push({ value, pointer });
  };
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, pointer } = next;
    if (seen.size > MAX_CONTAINERS || characters > MAX_CHARACTERS) {
      throw tooLarge("it contains too many strings, lists and objects");
    }
    if (value instanceof Date || ArrayBuffer.isView(value)) continue;
    if ("toJSON" in value && typeof value.toJSON === "function") {
      throw unsendable(pointer, "an object with a toJSON method");
    }
    const names = Object.getOwnPropertyNames(value);
    const keys = Object.keys(value);
    if (names.length - (Array.isArray(value) ? 1 : 0) !== keys.length) {
      throw unsendable(pointer, "an object with hidden properties");
    }
    for (const key of keys) {
      characters += key.length;
      look((value as Record<string, unknown>)[key], `${pointer}/${pointerStep(key)}`);
    }
  }
}

function unsendable(pointer: string, what: string, cause?: unknown): QuireError {
  const message =
    `The data${pointer === "" ? "" : ` (at ${pointer})`} contains ${what}, which can neither be sent to the ` +
    "rendering process nor stored. Use only strings, numbers, booleans, dates, and lists and plain objects of these.";
  return new QuireError("invalid_data", message, {
    diagnostics: [{ severity: "error", code: "invalid_value", message, pointer }],
    ...(cause === undefined ? {} : { cause }),
  });
}

function tooLarge(why: string): QuireError {
  return new QuireError(
    "limit_exceeded",
    `The data of the document is too large to be sent to the rendering process: ${why}. Make it smaller.`,
  );
}
