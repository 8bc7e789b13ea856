import { valueBytes } from "../../../deflate/value-bytes.ts";
import type { PathExpression } from "../../../language/grammar/expression.ts";
import type { TextMode } from "../../../program/tag-ops.ts";
import { isImageText } from "../../../values/image/sources.ts";
import { hasEntities } from "../../../values/rich/read/entities.ts";
import { holdsForbidden, isProgramText, plainXml, textXml } from "../../../values/text.ts";
import type { Evaluation } from "./evaluation.ts";
import { hasOwn } from "./scope.ts";
import { doubtfulName } from "./section-keys.ts";

/**
 * Returns the output of a plain value, as XML: a string, a number or a boolean. Returns null for any other value, and
 * for strings that may be HTML or images, that have entities such as `&amp;`, that a program wrote in place of a value,
 * or that contain characters that XML forbids. Such values need the general code.
 */
export function plainText(value: unknown, mode: TextMode): string | null {
  switch (typeof value) {
    case "string":
      return ofText(value, mode);
    case "number":
      return ofNumber(value);
    case "boolean":
      return value ? "true" : "false";
    default:
      return null;
  }
}

/**
 * Adds the output of {@link plainText} to the values of the current line. For any other value, adds nothing and
 * returns false.
 */
export function addPlainValue(value: unknown, mode: TextMode): boolean {
  if (typeof value === "string") {
    if (mayBeImage(value) || isProgramText(value)) return false;
    if (valueBytes.addPlain(value)) return true;
    const xml = ofSpecialText(value, mode);
    return xml !== null && valueBytes.addXml(xml);
  }
  if (Number.isInteger(value) && valueBytes.addInteger(value as number)) return true;
  const text = plainText(value, mode);
  return text !== null && valueBytes.addPlain(text);
}

/** Numbers that are not between these are printed with an exponent, which {@link ofNumber} does not support. */
const LARGE = 1e21;
const SMALL = 1e-6;

function ofNumber(value: number): string | null {
  const size = Math.abs(value);
  return (size < LARGE && size >= SMALL) || value === 0 ? String(value) : null;
}

/** The length of the shortest data URI of an image. */
const SHORTEST_IMAGE = 13;

/** The first characters of strings that may be images: data URIs, base64, and white space before them. */
const MAY_BE_IMAGE = flags(" \t\r\ndDiRU/P7");

/** Returns a table by ASCII code, with 1 for each of these characters. */
function flags(characters: string): Uint8Array {
  const table = new Uint8Array(128);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}

function mayBeImage(text: string): boolean {
  return (
    text.length >= SHORTEST_IMAGE && MAY_BE_IMAGE[text.charCodeAt(0)] === 1 && isImageText(text)
  );
}

function ofText(text: string, mode: TextMode): string | null {
  if (mayBeImage(text) || isProgramText(text)) return null;
  return SPECIAL.test(text) ? ofSpecialText(text, mode) : text;
}

/** Characters that XML escapes, or that must not occur in text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression searches for these characters
const SPECIAL = /[&<>\u0000-\u001f\u2028\u2029\ud800-\uffff]/;

function ofSpecialText(text: string, mode: TextMode): string | null {
  if (text.includes("<") || hasEntities(text) || holdsForbidden(text)) return null;
  return mode === "run" ? textXml(text) : plainXml(text);
}

/**
 * Returns the value at a path with only keys of objects, as `resolve` finds it. Returns undefined if the value is
 * missing, if the path needs lists or keys with dots, or if there is something to report.
 */
export function plainValue(path: PathExpression, env: Evaluation): unknown {
  const { head, rest } = path;
  const { scope, data } = env;
  let value = head === null ? (scope === null ? data : scope.item) : headOf(head, path, env);
  for (let at = 0; at < rest.length; at++) value = ownValue(value, rest[at] as string);
  return value;
}

function headOf(head: string, path: PathExpression, env: Evaluation): unknown {
  let inSections = false;
  for (let at = env.scope; at !== null; at = at.outer) {
    if (at.alias === head) return inSections && doubtfulName(path, env) ? undefined : at.item;
    if (at.alias === null) inSections = true;
  }
  return inSections ? inItems(head, path, env) : ownValue(env.data, head);
}

/** Like {@link plainValue}, for a path within sections whose items may have the name. */
function inItems(head: string, path: PathExpression, env: Evaluation): unknown {
  const { rest, source } = path;
  for (let at = env.scope; at !== null; at = at.outer) {
    if (at.alias !== null) continue;
    if (Array.isArray(at.item)) return undefined;
    if (hasOwn(at.item, head)) return at.item[head];
    // In flat data, the whole path is one key. Keys that only other items have are reported.
    if (rest.length > 0 && hasOwn(at.item, source)) return undefined;
    if (env.sections.have(at, path, env)) return undefined;
  }
  return ownValue(env.data, head);
}

function ownValue(value: unknown, key: string): unknown {
  return !Array.isArray(value) && hasOwn(value, key) ? value[key] : undefined;
}

const EMPTY = {};

/**
 * Whether a value is an object whose keys can be read directly. Its prototype must be `Object.prototype`, to which no
 * enumerable key has been added.
 */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  for (const _key in EMPTY) return false;
  return true;
}
