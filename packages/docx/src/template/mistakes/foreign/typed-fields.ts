import type { Delimiters } from "../../../language/delimiters/delimiters.ts";
import { spell, withTags } from "../../../language/delimiters/wording.ts";
import { directiveOf } from "../../../language/directive.ts";

/** A field of Word that is typed as text with braces: `{ IF … }` or `{ = … }`. */
export interface TypedField {
  readonly text: string;
  /** The offset of this text in the searched text. */
  readonly at: number;
}

/** Represents a character of a tag in the searched text. */
const TAG = "\0";

/** The limits keep the time linear. */
const FIELD = /\{\s{0,3}(?:IF\s[^{}]{1,200}["”][^{}]{0,100}|=[^{}]{1,100})\}/g;

/** Finds IF fields and formulas of Word that are typed as text. Tags in the text must have been replaced with `\0`. */
export function typedFields(text: string): TypedField[] {
  return [...text.matchAll(FIELD)]
    .filter(({ 0: field }) => isFormula(field) || /^\{\s*IF\s.*[=<>]/s.test(field))
    .map(({ 0: field, index }) => ({ text: field, at: index }));
}

/** Whether a formula has a function, a switch, or a tag with an operator. Other text in braces may be mathematics. */
function isFormula(field: string): boolean {
  if (!/^\{\s*=/.test(field)) return false;
  const isComputed = field.includes(TAG) && /[-+*/]/.test(field);
  return isComputed || /[A-Z]{2,}\(|\\#/.test(field);
}

/** Returns the tags in place of a typed field. `written`: the field with its tags. */
export function hintForField(written: string, delimiters: Delimiters): string {
  const { start, end } = delimiters;
  const plain = written.slice(1, -1).replaceAll(start, "").replaceAll(end, "").trim();
  return spell(
    /^IF\s/.test(plain) ? conditionFor(plain) : formulaFor(plain.replace(/^=\s*/, "")),
    delimiters,
  );
}

const QUOTED = `["“”„]([^"“”„]*)["“”]`;
const CONDITION = new RegExp(
  String.raw`^IF\s+["“”]?\s*([\p{L}_][\p{L}\p{N}_.]*)\s*["“”]?\s*(=|<>|<=|>=|<|>)\s*(?:${QUOTED}|([\p{L}\p{N}_.]+))\s+${QUOTED}(?:\s+${QUOTED})?$`,
  "u",
);
const OPERATORS: Readonly<Record<string, string>> = { "=": "==", "<>": "!=" };

/** `IF customer.title = "Ms" "Dear Ms" "Dear Mr"`. */
function conditionFor(field: string): ReturnType<typeof withTags> {
  const [, path, sign = "", text, bare = "", then = "", otherwise = ""] =
    CONDITION.exec(field) ?? [];
  if (path === undefined) return withTags`Write {{if condition}} … {{else}} … {{endif}}.`;
  const value = text === undefined ? bare : `"${text}"`;
  const condition = `${path} ${OPERATORS[sign] ?? sign} ${value}`;
  const other = otherwise === "" ? "" : withTags`{{else}}${otherwise}`;
  return withTags`Write {{if ${condition}}}${then}${other}{{endif}}.`;
}

/** `invoice.total * 1.19 \# "0.00"`, and `SUM(ABOVE)`. */
function formulaFor(formula: string): ReturnType<typeof withTags> {
  const [, value = formula, pattern = ""] =
    /^(.*?)(?:\s*\\#\s*["“”]?([^"“”]*)["“”]?)?$/s.exec(formula) ?? [];
  const tag = `${value.trim()}${pattern === "" ? "" : ` :: number("${pattern.trim()}")`}`;
  if (/[A-Z]{2,}\(/.test(value) || directiveOf(tag)?.kind !== "value") {
    return withTags`To add up a list write {{items.sum(price)}}, with the names of your list and of its key.`;
  }
  return withTags`Write {{${tag}}}.`;
}
