import { kindOf } from "../format/print.ts";
import { type Wording, withTags } from "../language/delimiters/wording.ts";
import {
  type Expression,
  hasPlace,
  isSectionValue,
  noPlace,
  type PathExpression,
  sourceOf,
} from "../language/grammar/expression.ts";
import { type ColumnsOp, isRestOp } from "../program/column-op.ts";
import type { Op } from "../program/ops.ts";
import type { TagOrigin } from "../program/tag-ops.ts";
import { isColumnList } from "../template/blocks/column-list.ts";
import { MAX_SERIES } from "../template/charts/number-series.ts";
import { functionOfResult } from "./evaluate/built-in-meant.ts";
import { EvaluationError, isTruthy, withArticle } from "./evaluate/compare/compare.ts";
import type { Evaluation } from "./evaluate/context/evaluation.ts";
import { noteElements } from "./evaluate/context/origins.ts";
import { pointerOf } from "./evaluate/context/pointers.ts";
import { hasOwn, resolve, resolveHead } from "./evaluate/context/scope.ts";
import { noteJoined } from "./evaluate/doubts/joined-items.ts";
import { evaluate, holds } from "./evaluate/evaluate.ts";
import { checkCounted } from "./evaluate/hidden-items.ts";
import { repeatedInGroup } from "./evaluate/hints/items-of-groups.ts";
import { hintForList, repeatedFallback } from "./evaluate/hints/repeated-values.ts";
import { hintForMissing } from "./evaluate/suggestions.ts";
import type { Rendering } from "./rendering.ts";

/**
 * Returns the items of a list to repeat. A value that is missing or not a list repeats nothing, and is reported unless
 * it is missing and optional.
 */
export function listOf(
  { origin, alias, collection, shape, optional, mayJoin }: Extract<Op, { op: "repeat" }>,
  rendering: Rendering,
): readonly unknown[] {
  const { diagnostics } = rendering;
  rendering.env.opened ??= new Map();
  rendering.env.opened.set(alias, origin.text);
  const env = aroundTable(collection, rendering.env);
  const value =
    shape === null
      ? rendering.valueAt(origin, collection, env)
      : diagnostics.guard(origin, () => rendering.valueOf(origin, shape, env), []);
  if (Array.isArray(value)) {
    if (shape?.kind === "list") noteElements(value, shape, env.scope);
    checkOuterNames(origin, alias, value, rendering);
    noteJoined({ origin, list: collection, alias, mayJoin }, value, env, diagnostics);
    checkCounted(origin, { alias, path: collection, items: value }, rendering);
    return value;
  }
  const instead = repeatedFallback(shape);
  const missed = value === undefined ? (instead?.key ?? missedIn(shape, env)) : undefined;
  const path = missed ?? chosenIn(shape, env) ?? collection;
  const pointer = pointerOf(path, env);
  if (value !== undefined) {
    const text = instead?.key === null && !isThere(collection, env) ? instead.hint : null;
    const message = `The tag ${origin.text} repeats ${repeated(path, value, text !== null)}.`;
    diagnostics.add(
      origin,
      { severity: "error", code: "invalid_value", message, pointer },
      () => text ?? hintForList(value, path.source, shape),
    );
  } else if (!optional && shape?.kind === "member" && functionOfResult(shape) !== null)
    diagnostics.withoutResult(origin, functionOfResult(shape));
  else if (!optional && (!hasPlace(path) || (shape !== null && isThere(path, env))))
    diagnostics.withoutResult(origin);
  else if (!optional) {
    diagnostics.notProvided(
      origin,
      path.source,
      pointer,
      () =>
        instead?.hint ??
        swapped(alias, path, env) ??
        repeatedInGroup(origin.text, { alias, shape }, path, env) ??
        hintForMissing(path, env),
      "Add it to the data, or write :: optional in the tag.",
    );
  }
  return [];
}

/** Returns the path without a value that functions need; undefined for a list that no function shapes. */
function missedIn(shape: Expression | null, env: Evaluation): PathExpression | undefined {
  return shape === null ? undefined : env.missed.at(-1);
}

/** Returns what a block repeats, as the end of a sentence. `isText`: whether it is a text of the tag. */
function repeated(path: PathExpression, value: unknown, isText: boolean): string {
  if (isText) return "the text after '??', which is not a list";
  return hasPlace(path)
    ? `'${path.source}', which is ${withArticle(value)} and not a list`
    : `${withArticle(value)}, which is not a list`;
}

/** Whether the list that functions shape is in the data, so that only their result is missing. */
function isThere(path: PathExpression, env: Evaluation): boolean {
  return resolve(path, env) !== undefined;
}

/** Returns the hint for a loop with the list in place of the name of its item. */
function swapped(alias: string, { source }: PathExpression, env: Evaluation): Wording | null {
  return Array.isArray(resolveHead(alias, env))
    ? withTags`The name of the item comes before 'in': {{for ${source} in ${alias}}}.`
    : null;
}

function chosenIn(shape: Expression | null, env: Evaluation): PathExpression | null {
  return shape === null ? null : chosenPath(shape, env);
}

/** Returns the path that the value of a list expression comes from, for this data; null without a path. */
function chosenPath(list: Expression, env: Evaluation): PathExpression | null {
  const [first, one, other] = list.kind === "call" ? list.arguments : [];
  if (list.kind === "call" && list.name === "$if" && one !== undefined && other !== undefined) {
    return chosenPath(first !== undefined && holds(first, env) ? one : other, env);
  }
  return first === undefined ? sourceOf(list) : chosenPath(first, env);
}

/**
 * How a section is shown: once for each item, with the keys of the item as names, or once with the surrounding names.
 */
export type SectionTurns =
  | {
      readonly items: readonly unknown[];
      readonly isList: boolean;
      /** The path that the items come from. */
      readonly path: PathExpression;
    }
  | "around"
  | "nothing";

/**
 * Returns the iterations of a section, by docxtemplater's rules: a list repeats; an object is the item of one
 * iteration; any other value that counts as true shows the section once and adds no item to the scope. An inverted
 * section is shown once if there is nothing to show.
 */
export function sectionTurns(
  { origin, condition, inverted, mayJoin, hasInverse }: Extract<Op, { op: "section" }>,
  rendering: Rendering,
): SectionTurns {
  const { env, diagnostics } = rendering;
  const plain = condition.kind === "path" && !inverted;
  const value = diagnostics.guard(
    origin,
    // A missing section is reported below.
    () => (plain ? rendering.sectionAt(origin, condition) : rendering.condition(origin, condition)),
  );
  const empty = !isTruthy(value);
  if (inverted) return empty ? "around" : "nothing";
  if (value === undefined && plain) reportMissing(origin, condition, hasInverse, rendering);
  if (empty) return "nothing";
  if (!isSectionValue(condition) || typeof value !== "object" || value instanceof Date)
    return "around";
  const path = sourceOf(condition) ?? noPlace();
  if (!Array.isArray(value)) return { items: [value], isList: false, path };
  env.spend(value.length);
  noteJoined({ origin, list: path, alias: null, mayJoin }, value, env, diagnostics);
  checkWholeLists(origin, path, value, rendering);
  return { items: value, isList: true, path };
}

/**
 * Reports a section without a value. If an inverted section covers that case, the section is reported only if its name
 * seems to be wrong.
 */
export function reportMissing(
  origin: TagOrigin,
  condition: PathExpression,
  hasInverse: boolean,
  { env, diagnostics }: Rendering,
): void {
  if (isOfSibling(condition, env)) return;
  const hint = (): Wording | null =>
    repeatedInGroup(origin.text, { alias: null, shape: null }, condition, env) ??
    hintForMissing(condition, env);
  if (hasInverse && hint() === null) return;
  diagnostics.warn(
    origin,
    "missing_section",
    `The tag '${condition.source}' was not provided in the input data, so its section is left out.`,
    pointerOf(condition, env),
    hint,
  );
}

/** Whether another item of the list has the key: then it is optional, and its name is right. */
function isOfSibling({ head }: PathExpression, { scope, spend }: Evaluation): boolean {
  if (head === null || scope === null || scope.items === null) return false;
  spend(scope.items.length);
  return scope.items.some((item) => hasOwn(item, head));
}

/**
 * Returns the environment in which a list is looked up: for a `tablecolumn`, outside its table; for other lists, where
 * they are written.
 */
function aroundTable(list: PathExpression, env: Evaluation): Evaluation {
  if (!isColumnList(list)) return env;
  let { scope } = env;
  while (scope !== null && list.inTable.has(scope.path)) scope = scope.outer;
  return scope === env.scope ? env : { ...env, scope };
}

/** Returns the number for an attribute that depends on the number of columns, or of series in a chart. */
export function columnCount(op: ColumnsOp, { env, diagnostics }: Rendering): number {
  const { compute, base, repeated, series } = op;
  const { scope } = env;
  // The lists of the series before this one are looked up outside of its loop.
  const around = series === undefined ? env : { ...env, scope: scope?.outer ?? null };
  const turns = repeated.map((list) => turnsOfColumn(list, around));
  if (isRestOp(op)) {
    const removed = op.widths.filter((_width, index) => turns[index] === 0);
    return Math.max(base - removed.reduce((sum, width) => sum + width, 0), 0);
  }
  if (compute === "share") return Math.max(Math.floor(base / Math.max(turns[0] ?? 0, 1)), 1);
  const own = series === undefined ? 0 : (scope?.index ?? 0);
  const count = repeated.reduce(
    (sum, { columns }, at) => sum + columns * (turns[at] ?? 0),
    base + own,
  );
  if (series !== undefined && count >= MAX_SERIES) {
    const problem = `makes more than ${MAX_SERIES} series, which is the most that Word accepts in a chart`;
    diagnostics.invalid(series, problem, undefined, () => FEWER_SERIES);
  }
  return count;
}

const FEWER_SERIES = withTags`Show fewer of them, as in {{for s in sellers.sort(total desc).limit(20)}}.`;

/** Returns the number of repetitions of a column. A list that cannot be computed is reported by its tag. */
function turnsOfColumn(
  { collection, shape }: ColumnsOp["repeated"][number],
  env: Evaluation,
): number {
  const around = aroundTable(collection, env);
  try {
    const value = shape === null ? resolve(collection, around) : evaluate(shape, around);
    return Array.isArray(value) ? value.length : 0;
  } catch (error) {
    if (error instanceof EvaluationError) return 0;
    throw error;
  }
}

/**
 * Warns about paths in a loop that lead to a value outside it, although the items have other values of that name:
 * `total` in `{{for i in items}}`.
 */
function checkOuterNames(
  { outer, text }: TagOrigin,
  alias: string,
  items: readonly unknown[],
  { env, diagnostics }: Rendering,
): void {
  if (outer === undefined) return;
  for (const [path, origin] of outer) {
    const { head } = path;
    const around = head === null ? undefined : resolveHead(head, env);
    if (head === null || around === undefined) continue;
    if (!items.some((item) => differs(item, head, around))) continue;
    const message = `In ${text}, the tag ${origin.text} uses '${head}' from outside the loop, which is the same in every repetition, although each item has its own '${head}'.`;
    const hint = (): string => `For the value of the item write '${alias}.${path.source}'.`;
    diagnostics.warn(origin, "same_for_all_items", message, pointerOf(path, env), hint);
  }
}

/** Whether an item has another value of the same kind for a key. */
function differs(item: unknown, key: string, around: unknown): boolean {
  return hasOwn(item, key) && item[key] !== around && kindOf(item[key]) === kindOf(around);
}

/** Warns about paths in a section of a list that lead to the whole list: `items.price` in `{{#items}}`. */
function checkWholeLists(
  { outer, text }: TagOrigin,
  { source }: PathExpression,
  items: readonly unknown[],
  { env, diagnostics }: Rendering,
): void {
  if (outer === undefined) return;
  for (const [path, origin] of outer) {
    const { head } = path;
    if (head === null || items.some((item) => hasOwn(item, head))) continue;
    const message = `'${path.source}' in ${origin.text} means the values of all items of '${source}' at once, in every repetition of ${text}.`;
    const hint = (): string => `Did you mean '${path.source.slice(source.length + 1)}'?`;
    diagnostics.warn(origin, "list_in_loop", message, pointerOf(path, env), hint);
  }
}
