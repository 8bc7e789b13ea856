import { valueBytes } from "../deflate/value-bytes.ts";
import type { PathExpression } from "../template/language/expression.ts";
import { isImageText } from "../values/image/sources.ts";
import { holdsForbidden, plainXml, textXml } from "../values/text.ts";
import type { Evaluation } from "./evaluation.ts";
import type { TextMode } from "./ops.ts";
import { hasOwn } from "./scope.ts";
import { doubtfulName } from "./section-keys.ts";

/**
 * What an ordinary value prints, as XML: a text, a number, a boolean. Null for any other value, and for
 * texts that may be HTML, images or hold what XML cannot: those take the longer way.
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

/** Adds what {@link plainText} has to the values of the line that is read; false, and nothing is added, for any other value. */
export function addPlainValue(value: unknown, mode: TextMode): boolean {
  if (typeof value === "string") {
    if (mayBeImage(value)) return false;
    if (valueBytes.addPlain(value)) return true;
    const xml = ofSpecialText(value, mode);
    return xml !== null && valueBytes.addXml(xml);
  }
  if (Number.isInteger(value) && valueBytes.addInteger(value as number)) return true;
  const text = plainText(value, mode);
  return text !== null && valueBytes.addPlain(text);
}

/** From here on numbers are printed with an exponent, which {@link ofNumber} leaves to others. */
const LARGE = 1e21;
const SMALL = 1e-6;

function ofNumber(value: number): string | null {
  const size = Math.abs(value);
  return (size < LARGE && size >= SMALL) || value === 0 ? String(value) : null;
}

/** No data URI of an image is shorter. */
const SHORTEST_IMAGE = 13;

/** How texts begin that may be images: data URIs and base64, and blanks before them. */
const MAY_BE_IMAGE = flags(" \t\r\ndDiR/P7");

/** By code of ASCII, 1 for these characters. */
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
  if (mayBeImage(text)) return null;
  return SPECIAL.test(text) ? ofSpecialText(text, mode) : text;
}

/** What XML escapes, or what may be no text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const SPECIAL = /[&<>\u0000-\u001f\u2028\u2029\ud800-\uffff]/;

function ofSpecialText(text: string, mode: TextMode): string | null {
  if (text.includes("<") || holdsForbidden(text)) return null;
  return mode === "run" ? textXml(text) : plainXml(text);
}

/**
 * The value at a path that names nothing but keys of objects, as `resolve` finds it; undefined when
 * it is missing, where the path needs lists or keys with dots, and where there is something to report.
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

/** The same with sections around, whose items may have the name. */
function inItems(head: string, path: PathExpression, env: Evaluation): unknown {
  const { rest, source } = path;
  for (let at = env.scope; at !== null; at = at.outer) {
    if (at.alias !== null) continue;
    if (Array.isArray(at.item)) return undefined;
    if (hasOwn(at.item, head)) return at.item[head];
    // Flat data have all of the path as one key; and what other items have is reported.
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
 * Whether a value is an object whose keys can be read as they are: no other than its own are there, but
 * for those of `Object.prototype` as the language defines it.
 */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  for (const _key in EMPTY) return false;
  return true;
}
