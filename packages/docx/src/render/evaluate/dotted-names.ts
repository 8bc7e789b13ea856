import { type Wording, withTags } from "../../language/delimiters/wording.ts";
import type { PathExpression } from "../../language/grammar/expression.ts";
import {
  FUNCTIONS,
  type FunctionName,
  type FunctionSignature,
  isFunction,
} from "../../language/grammar/functions.ts";
import { functionMeant } from "../../language/grammar/functions-elsewhere.ts";
import { isModifier, type ModifierName } from "../../language/grammar/modifier-signatures.ts";
import type { Evaluation } from "./context/evaluation.ts";
import { resolve } from "./context/scope.ts";

/** Recognizes `note.uppercase` for a value without keys. */
export function modifierMeant(
  { head, source, rest }: PathExpression,
  env: Evaluation,
): string | null {
  const last = rest.at(-1);
  if (last === undefined || !isModifier(last) || !source.endsWith(`.${last}`)) return null;
  const before = source.slice(0, -last.length - 1);
  const value = resolve({ kind: "path", source: before, head, rest: rest.slice(0, -1) }, env);
  if (value === undefined && !NO_KEYS.has(last)) return null;
  return typeof value === "object" ? null : `${before} :: ${last}`;
}

/** Returns the hint for a modifier without a value, such as `{{mergeAcross}}`; null for other names. */
export function hintForModifierAlone({ head, rest }: PathExpression): Wording | null {
  if (head === null || rest.length > 0 || !ALONE.has(head)) return null;
  return withTags`'${head}' is a modifier and belongs to the tag of a value: {{name :: ${head}}}.`;
}

const ALONE: ReadonlySet<string> = new Set([
  ...(["merge", "mergeAcross", "bold", "italic", "underline", "strike"] as const),
  ...(["uppercase", "lowercase", "capitalize", "optional", "shrink"] as const),
] satisfies ModifierName[]);

/** Modifiers whose names are probably not keys of a value that is missing. */
const NO_KEYS: ReadonlySet<string> = new Set([
  ...(["optional", "uppercase", "lowercase", "capitalize", "checkbox", "qrcode"] as const),
  ...(["bold", "italic", "underline", "strike"] as const),
] satisfies ModifierName[]);

/** Recognizes `due.year` and `items.size`, which are functions. */
export function functionOfValue(
  { head, source, rest }: PathExpression,
  env: Evaluation,
): string | null {
  const last = rest.at(-1);
  if (last === undefined || !source.endsWith(`.${last}`)) return null;
  const small = `$${last.charAt(0).toLowerCase()}${last.slice(1)}`;
  const name = isFunction(small) ? small : (functionMeant(last) ?? inOtherCase(small));
  const before = source.slice(0, -last.length - 1);
  const value = resolve({ kind: "path", source: before, head, rest: rest.slice(0, -1) }, env);
  const isObject = typeof value === "object" && !Array.isArray(value);
  if (name === null || value === undefined || isObject) return null;
  return `${before}.${called(name)}`;
}

/** Returns the function whose name has other letters in uppercase, such as `$titleCase` for `$titlecase`; or null. */
function inOtherCase(name: string): FunctionName | null {
  const known = Object.keys(FUNCTIONS).find((each) => each.toLowerCase() === name.toLowerCase());
  return (known as FunctionName | undefined) ?? null;
}

/** Recognizes several functions or modifiers that are written like keys: `name.trim.uppercase`. */
export function chainMeant({ head, source, rest }: PathExpression, env: Evaluation): string | null {
  const from = rest.findLastIndex((key) => !isFunction(`$${key}`) && !isModifier(key)) + 1;
  const names = rest.slice(from);
  const ending = names.map((name) => `.${name}`).join("");
  if (names.length < 2 || !source.endsWith(ending)) return null;
  const before = source.slice(0, -ending.length);
  const value = resolve({ kind: "path", source: before, head, rest: rest.slice(0, from) }, env);
  if (value === undefined || (typeof value === "object" && !Array.isArray(value))) return null;
  if (names.every((name) => isFunction(`$${name}`))) {
    return before + names.map((name) => `.${called(`$${name}` as FunctionName)}`).join("");
  }
  return names.every(isModifier) ? `${before} :: ${names.join(", ")}` : null;
}

/** Returns a function with an example of its arguments: `split(",")`. */
export function called(name: FunctionName): string {
  const { required, example }: FunctionSignature = FUNCTIONS[name];
  return `${name.slice(1)}${required === 0 ? "()" : example}`;
}
