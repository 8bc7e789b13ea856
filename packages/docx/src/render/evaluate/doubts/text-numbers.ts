import { toDecimal } from "../../../format/decimal.ts";
import type {
  CallExpression,
  Expression,
  PathExpression,
} from "../../../language/grammar/expression.ts";
import { spellExpression } from "../../../language/grammar/spell.ts";
import { written } from "../../../language/literal-conditions.ts";
import { columnOf } from "../../../language/mistakes/read-calls.ts";
import type { TextOp } from "../../../program/tag-ops.ts";
import { compare } from "../compare/compare.ts";
import type { Diagnostics } from "../context/document-diagnostics.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { pointerOf } from "../context/pointers.ts";
import { along, holderOf, turnNamed } from "../context/scope.ts";

/** Matches text whose point may be between thousands, such as `1.200`. */
const THOUSANDS = /^\s*[-+]?[1-9]\d{0,2}\.\d{3}\s*$/;
/** Matches text with a point. */
const POINT = /^\s*[-+]?\d*\.\d+\s*$/;

/** Number of values of a list that are read. */
const MAX_VALUES = 100;

/** Records a computation with text such as `1.200`, which is read as 1.2 and may mean 1200. */
export function noteTextNumber(expression: Expression, value: unknown, env: Evaluation): void {
  const path = unclearPath(expression, value, env);
  if (path === null) return;
  const name = written(path) ?? path.source;
  env.doubts.push({
    code: "doubtful_computation",
    message: (tag) => `The tag ${tag} computes with '${name}', ${UNCLEAR}`,
    hint: hintFor(name),
    pointers: [pointerOf(path, env)],
    isMissing: false,
  });
}

const UNCLEAR =
  "which is text with a point before three digits. The point is read as the one before decimals.";

function hintFor(name: string): string {
  return `If the point is between thousands, write ${name}.toNumber(","). If it is before decimals, write ${name}.toNumber(".").`;
}

/** Returns the path to text whose point may be between thousands, unless other items have other decimals; or null. */
function unclearPath(
  expression: Expression,
  value: unknown,
  env: Evaluation,
): PathExpression | null {
  if (typeof value !== "string" || expression.kind !== "path" || !THOUSANDS.test(value))
    return null;
  return hasDecimals(valuesBeside(expression, env)) ? null : expression;
}

/** Returns the values of a path for the items of its loop or function. */
function valuesBeside(path: PathExpression, { scope, spend }: Evaluation): readonly unknown[] {
  const { head, rest } = path;
  if (head === null) return [];
  const named = turnNamed(head, scope);
  const items = (named ?? holderOf(path, scope))?.items ?? [];
  const keys = named === null ? [head, ...rest] : rest;
  return items.slice(0, MAX_VALUES).map((item) => along(keys, item, { spend }));
}

/** Whether a point in the values is clearly the one before decimals. */
function hasDecimals(values: readonly unknown[]): boolean {
  return values.some((value) =>
    typeof value === "string"
      ? POINT.test(value) && !THOUSANDS.test(value)
      : typeof value === "number" && !Number.isInteger(value),
  );
}

const OVER_LISTS: ReadonlySet<string> = new Set(["$sum", "$average", "$min", "$max"]);

/** Records a sum, or another number from a list, with text such as `1.200`. `list`: the list of the call. */
export function noteTextsOfList(call: CallExpression, list: unknown, env: Evaluation): void {
  if (!OVER_LISTS.has(call.name) || !Array.isArray(list)) return;
  const [of, key] = call.arguments;
  const some = list.slice(0, MAX_VALUES);
  let values: readonly unknown[] = some;
  if (key !== undefined) {
    if (key.kind !== "path" || key.head === null) return;
    const keys = [key.head, ...key.rest];
    values = some.map((item) => along(keys, item, { spend: env.spend }));
  }
  const isUnclear = values.some((value) => typeof value === "string" && THOUSANDS.test(value));
  if (!isUnclear || hasDecimals(values)) return;
  const name = call.name.slice(1);
  const whole = of?.kind === "path" ? of.source : "items";
  const column = key === undefined ? columnOf(whole) : null;
  const own = key === undefined ? (column?.key ?? "this") : (written(key) ?? "weight");
  const source = column?.list ?? whole;
  const meant = (sign: string): string => `${source}.${name}(${own}.toNumber("${sign}"))`;
  env.doubts.push({
    code: "doubtful_computation",
    message: (tag) =>
      `In the tag ${tag}, '${name}' reads text with a point before three digits. The point is read as the one before decimals.`,
    hint: `If the point is between thousands, write ${meant(",")}. If it is before decimals, write ${meant(".")}.`,
    pointers: of?.kind === "path" ? [pointerOf(of, env)] : [],
    isMissing: false,
  });
}

/** Matches text of up to three digits without a zero before them, as before a thousand. */
const BELOW_THOUSAND = /^\s*(?:0|[1-9]\d{0,2})\s*$/;

/**
 * Records texts that are ordered as numbers, some of them such as `1.200`, if they have another order as thousands.
 * `sortBy` returns the call with another key.
 */
export function noteTextsInOrder(
  values: readonly unknown[],
  by: Expression | null,
  env: Evaluation,
  sortBy: (key: string) => string,
): void {
  let least = Number.POSITIVE_INFINITY;
  let below = 0;
  for (const value of values) {
    if (value === undefined || value === null || value === "") continue;
    if (typeof value !== "string") return;
    if (THOUSANDS.test(value) && Number(value) > 0) least = Math.min(least, Number(value));
    else if (BELOW_THOUSAND.test(value)) below = Math.max(below, Number(value));
    else return;
  }
  if (below <= least) return;
  const key = by === null ? "this" : spellExpression(by);
  const meant = (sign: string): string => sortBy(`${key}.toNumber("${sign}")`);
  env.doubts.push({
    code: "doubtful_comparison",
    message: (tag) =>
      `The tag ${tag} orders numbers in texts, and some have a point before three digits. The point is read as the one before decimals.`,
    hint: `If the point is between thousands, write ${meant(",")}. If it is before decimals, write ${meant(".")}.`,
    pointers: [],
    isMissing: false,
  });
}

/** Records a comparison of text such as `1.200` with a number, if 1200 gives another result than 1.2. */
export function noteTextCompared(
  { operator, left, right }: Extract<Expression, { kind: "compare" }>,
  one: unknown,
  other: unknown,
  env: Evaluation,
): void {
  if (operator === "contains") return;
  const isLeft = typeof one === "string";
  const limit = isLeft ? other : one;
  if (typeof limit === "string" || toDecimal(limit) === null) return;
  const value = isLeft ? one : other;
  const path = unclearPath(isLeft ? left : right, value, env);
  if (path === null) return;
  const whole = String(value).replace(".", "");
  const sides = isLeft ? [whole, other] : [one, whole];
  const results = [[one, other], sides].map(([a, b]) => compare(operator, a, b, env.timeZone));
  if (results[0] === results[1]) return;
  const name = written(path) ?? path.source;
  env.doubts.push({
    code: "doubtful_comparison",
    message: (tag) => `The tag ${tag} compares '${name}', ${UNCLEAR}`,
    hint: hintFor(name),
    pointers: [pointerOf(path, env)],
    isMissing: false,
  });
}

/** Warns about text such as `1.200` that is formatted as a number with less than three decimals. */
export function noteTextFormatted(
  { origin, expression, modifiers }: Pick<TextOp, "origin" | "expression" | "modifiers">,
  value: string,
  env: Evaluation,
  diagnostics: Diagnostics,
): void {
  const format = modifiers.find(({ name }) => name === "number" || name === "currency");
  const path = format === undefined ? null : unclearPath(expression, value, env);
  if (format === undefined || path === null) return;
  const [given] = format.arguments;
  const printed = given === undefined || format.name === "currency" ? "" : String(given.value);
  if (/^[3-9]$|\.[0#]{3}/.test(printed)) return;
  const { source } = path;
  diagnostics.warn(
    origin,
    "doubtful_sign",
    `The tag ${origin.text} formats '${source}', ${UNCLEAR}`,
    pointerOf(path, env),
    () => hintFor(source),
  );
}
