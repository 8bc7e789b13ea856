import { nearest } from "@quire/contracts";
import { LOOP_VARIABLES, type PathExpression } from "../../language/grammar/expression.ts";
import {
  FUNCTIONS,
  type FunctionName,
  type FunctionSignature,
  isFunction,
} from "../../language/grammar/functions.ts";
import { functionMeant, nearestFunction } from "../../language/grammar/functions-elsewhere.ts";
import { isModifier } from "../../language/grammar/modifier-signatures.ts";
import type { Evaluation } from "./evaluation.ts";
import { resolve } from "./scope.ts";

/** Recognizes `note.uppercase` for a value without keys. */
export function modifierMeant(
  { head, source, rest }: PathExpression,
  env: Evaluation,
): string | null {
  const last = rest.at(-1);
  if (last === undefined || !isModifier(last) || !source.endsWith(`.${last}`)) return null;
  const before = source.slice(0, -last.length - 1);
  const value = resolve({ kind: "path", source: before, head, rest: rest.slice(0, -1) }, env);
  return value === undefined || typeof value === "object" ? null : `${before} :: ${last}`;
}

/** Recognizes `due.year` and `items.size`, which are functions. */
export function functionOfValue(
  { head, source, rest }: PathExpression,
  env: Evaluation,
): string | null {
  const last = rest.at(-1);
  if (last === undefined || !source.endsWith(`.${last}`)) return null;
  const name = isFunction(`$${last}`) ? (`$${last}` as FunctionName) : functionMeant(last);
  const before = source.slice(0, -last.length - 1);
  const value = resolve({ kind: "path", source: before, head, rest: rest.slice(0, -1) }, env);
  const isObject = typeof value === "object" && !Array.isArray(value);
  if (name === null || value === undefined || isObject) return null;
  const { required, example }: FunctionSignature = FUNCTIONS[name];
  return `${before}.${name.slice(1)}${required === 0 ? "()" : example}`;
}

/** Returns the built-in variable or function that a name probably means: `$Index`, `now`, or `index` in a loop. */
export function ownNameMeant({ head, rest }: PathExpression, env: Evaluation): string | null {
  if (head === null || rest.length > 0) return null;
  let inLoop = false;
  for (let at = env.scope; at !== null; at = at.outer) inLoop ||= at.index !== null;
  if (inLoop && head === "index") return "$index";
  if (head === "now" || head === "today") return `$${head}`;
  if (!head.startsWith("$")) return null;
  const variable = inLoop ? nearest(head, LOOP_VARIABLES) : null;
  if (variable !== null) return variable;
  const name = nearestFunction(head);
  return name === null ? null : `${name}(path)`;
}
