import { kindOf, printValue } from "../../format/print.ts";
import {
  type Expression,
  isPlainName,
  type PathExpression,
} from "../../language/grammar/expression.ts";
import { MODIFIERS, type Signature } from "../../language/grammar/modifier-signatures.ts";
import { isLook, type LookTarget } from "../../language/looks.ts";
import { directionMeant } from "../../language/mistakes/merges.ts";
import {
  isCount,
  isMerge,
  type ModifierArgument,
  type ModifierCall,
} from "../../language/modifiers.ts";
import { currencyMeant } from "../../values/arguments/argument-meant.ts";
import { argumentProblem } from "../../values/arguments/modifier-arguments.ts";
import { timeZoneMeant } from "../../values/arguments/time-zone-meant.ts";
import { hasModifier } from "../../values/modifiers.ts";
import { EvaluationError, withArticle } from "./compare/compare.ts";
import type { Evaluation } from "./context/evaluation.ts";
import { placeOf } from "./context/pointers.ts";
import { keyOfItem, noteSameKey } from "./doubts/same-keys.ts";
import { evaluate, holds } from "./evaluate.ts";
import {
  countMissing,
  currencyIn,
  currencyOfText,
  noteCountry,
  otherArgument,
} from "./hints/argument-hints.ts";
import { hintForArgument, hintForMissing } from "./suggestions.ts";

/** The modifiers of a tag with the values of their arguments, or the path of an argument that has no value. */
export type Resolved =
  | { readonly modifiers: readonly ModifierCall[]; readonly missing?: never }
  | { readonly modifiers?: never; readonly missing: PathExpression | null };

/**
 * Replaces the arguments that come from the data with their values. A `default` without a value is omitted. `target`:
 * the element that the tag changes, or null. Throws {@link EvaluationError} for a value that the modifier does not take.
 */
export function resolveArguments(
  modifiers: readonly ModifierCall[],
  env: Evaluation,
  target: LookTarget | null = null,
): Resolved {
  const condition = modifiers.find(({ name }) => name === "when")?.arguments[0];
  const when = condition === undefined ? null : resolve("when", 0, condition, env, target);
  if (when?.value !== "0") return resolveAll(modifiers, env, target);
  // Looks that do not apply need no values, such as a color that is missing.
  const off: ModifierCall = { name: "when", arguments: [when] };
  const others = target === null ? modifiers.filter(({ name }) => !isLook(name)) : [];
  const { modifiers: known, missing } = resolveAll(others, env, target);
  return known === undefined ? { missing } : { modifiers: [...known, off] };
}

function resolveAll(
  modifiers: readonly ModifierCall[],
  env: Evaluation,
  target: LookTarget | null,
): Resolved {
  const resolved: ModifierCall[] = [];
  // Without its key, a cell is only not merged.
  const isLess = (name: ModifierCall["name"]): boolean =>
    name === "default" || (name.startsWith("merge") && hasModifier(modifiers, "optional"));
  for (const call of modifiers) {
    const given: ModifierArgument[] = [];
    let isLeftOut = false;
    for (const [index, argument] of call.arguments.entries()) {
      const known = resolve(call.name, index, argument, env, target);
      if (known !== null) given.push(known);
      else if (isLess(call.name)) isLeftOut = true;
      else {
        const { expression } = argument;
        return { missing: expression?.kind === "path" ? expression : null };
      }
    }
    if (!isLeftOut) resolved.push({ ...call, arguments: given });
  }
  return { modifiers: resolved };
}

/**
 * Returns the hint for an argument without a value. A key of `merge` or `mergeAcross` is never text, but a direction may
 * be meant.
 */
export function hintForMissingArgument(
  modifiers: readonly ModifierCall[],
  path: PathExpression,
  env: Evaluation,
): string | null {
  const call = modifiers.find(({ arguments: [first] }) => first?.expression === path);
  // These words are not names of values.
  if (call?.name === "numbering" || call?.name === "fit")
    return `Text goes in quotes: "${path.source}".`;
  const counted = countMissing(modifiers, path, env, () => hintForMissing(path, env, false));
  if (counted !== null) return counted;
  if (call === undefined || !isMerge(call.name))
    return hintForArgument(path, env, exampleOf(modifiers, path));
  return directionMeant(call.name, path.source) ?? hintForMissing(path, env);
}

/** Returns an example of the argument that is a path, as written in a tag, or null. */
function exampleOf(modifiers: readonly ModifierCall[], path: PathExpression): string | null {
  const call = modifiers.find((each) =>
    each.arguments.some(({ expression }) => expression === path),
  );
  if (call === undefined || call.arguments[0]?.expression !== path) return null;
  return /^\(("[^"]*"|\d+)/.exec(MODIFIERS[call.name].example)?.[1] ?? null;
}

/** Returns a value of the data as an argument; null for a list or an object. */
function printedArgument(value: unknown): ModifierArgument | null {
  const { text } = Array.isArray(value) ? {} : printValue(value);
  if (text === undefined) return null;
  return { kind: typeof value === "string" ? "string" : "number", value: text };
}

/** An argument of a modifier: its index, and the element that its tag changes, or null. */
interface ArgumentPlace {
  readonly name: ModifierCall["name"];
  readonly index: number;
  readonly target: LookTarget | null;
}

/** Returns why a modifier does not take a value of the data, as the rest of a sentence; null if it does. */
function problemOf(
  { name, index, target }: ArgumentPlace,
  known: ModifierArgument | null,
  value: unknown,
): string | null {
  const { arguments: kinds }: Signature = MODIFIERS[name];
  const isNumber = kinds[index] === "number";
  if (known !== null && (!isNumber || isCount(known.value)))
    return argumentProblem(name, index, known, target);
  if (isNumber && known !== null && /^-\d+$/.test(known.value))
    return `is ${known.value}, but the least is ${name === "span" ? 1 : 0}`;
  const count = typeof value === "string" ? "a whole number" : "a whole number of up to 6 digits";
  return `is ${withArticle(value)}, not ${isNumber ? count : "text or a number"}`;
}

function resolve(
  name: ModifierCall["name"],
  index: number,
  argument: ModifierArgument,
  env: Evaluation,
  target: LookTarget | null,
): ModifierArgument | null {
  const { expression } = argument;
  if (expression === undefined) return argument;
  const { arguments: kinds }: Signature = MODIFIERS[name];
  if (kinds[index] === "condition") {
    return { kind: "number", value: holds(expression, env) ? "1" : "0" };
  }
  const value = evaluate(expression, env);
  if (value === undefined) return null;
  noteSameKey(name, expression, env);
  const known = printedArgument(value);
  const why = problemOf({ name, index, target }, known, value);
  if (why === null && known !== null) {
    noteCountry(name, expression, value, env);
    return known;
  }
  const place = placeOf(expression, env);
  const hint = hintForData({ name, target }, expression, value, env);
  throw Object.assign(
    new EvaluationError(`the argument of '${name}' ${why}`),
    place === undefined ? {} : { pointer: place },
    hint === null ? {} : { hint },
  );
}

/** Returns the hint for an argument of the data that its modifier does not take; null if the message says enough. */
function hintForData(
  { name, target }: Pick<ArgumentPlace, "name" | "target">,
  expression: Expression,
  value: unknown,
  env: Evaluation,
): string | null {
  if (name === "currency" && typeof value === "string")
    return currencyMeant(value) ?? currencyOfText(expression, value);
  if (name === "timeZone" && typeof value === "string") return timeZoneMeant(value);
  if (expression.kind !== "path") return null;
  const { source } = expression;
  if (name === "currency" && kindOf(value) === "object") return currencyIn(source, value as object);
  if (isMerge(name)) return hintForMergeKey(name, expression, value, env);
  const meant = otherArgument(name, expression, value, env);
  if (meant !== null) return meant;
  if ((name === "width" || name === "height") && kindOf(value) === "number") {
    const share =
      target === "column" ? `, or for a share of the table $concat(${source}, "%")` : "";
    return `Write the unit, as in ${name}($concat(${source}, "cm"))${share}.`;
  }
  if (name === "fill" || name === "color") {
    return typeof value === "string" ? hintForColor(name, source, value) : null;
  }
  return null;
}

/** Returns the hint for a list or an object as the key of merged cells. */
function hintForMergeKey(
  name: "merge" | "mergeAcross",
  path: PathExpression,
  value: unknown,
  env: Evaluation,
): string | null {
  const own = Array.isArray(value) ? keyOfItem(path, env) : null;
  if (own !== null) return `Name the value of one item: write ${name}(${own}).`;
  if (kindOf(value) !== "object") return null;
  const keys = Object.keys(value as object).filter(isPlainName);
  const key = keys.find((each) => {
    const found: unknown = Object.getOwnPropertyDescriptor(value, each)?.value;
    return kindOf(found) === "text" || kindOf(found) === "number";
  });
  return `The key of '${name}' is an object: name one of its keys, as in ${name}(${path.source}.${key ?? "key"}).`;
}

/** What others write for no color. */
const NO_COLOR = /^(?:none|no ?fill|transparent|auto|automatic|inherit|null|-|–)$/i;

/** Returns the hint for text of the data that is not a color. */
function hintForColor(name: "fill" | "color", source: string, value: string): string {
  const joined = value.replace(/\s+/g, "");
  if (joined !== value && argumentProblem(name, 0, { kind: "string", value: joined }) === null) {
    return `Names of colors have no spaces: write ${name}(${source}.replace(" ", "")).`;
  }
  if (NO_COLOR.test(value.trim()))
    return `Empty text changes nothing: write ${name}($if(${source} == "${value}", "", ${source})).`;
  return `The value of '${source}' is not a color: put a name such as red, or #C00000, into the data in its place.`;
}
