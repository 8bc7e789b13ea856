import { isSectionValue, noPlace, sourceOf } from "../../../src/language/grammar/expression.ts";
import type { Op } from "../../../src/program/ops.ts";
import { isTruthy } from "../../../src/render/evaluate/compare/compare.ts";
import type { Scope } from "../../../src/render/evaluate/context/scope.ts";
import { noteJoined } from "../../../src/render/evaluate/doubts/joined-items.ts";
import { reportMissing } from "../../../src/render/loops.ts";
import type { Rendering } from "../../../src/render/rendering.ts";

/**
 * Returns the iterations of a section, by docxtemplater's rules: a list repeats, an object is the item of one
 * iteration, and any other truthy value shows the section once and adds no item to the scope. An inverted section is
 * shown once if the value is falsy or an empty list.
 */
export function sectionTurns(
  { origin, condition, inverted, mayJoin, hasInverse, bookmarks }: Extract<Op, { op: "section" }>,
  outer: Scope | null,
  rendering: Rendering,
): readonly (Scope | null)[] {
  const { env, diagnostics } = rendering;
  const plain = condition.kind === "path" && !inverted;
  const value = diagnostics.guard(
    origin,
    // Missing values are reported below.
    () => (plain ? rendering.valueAt(origin, condition) : rendering.condition(origin, condition)),
  );
  const empty = !isTruthy(value);
  if (inverted) return empty ? [outer] : [];
  if (value === undefined && plain) reportMissing(origin, condition, hasInverse, rendering);
  if (empty) return [];
  const path = sourceOf(condition) ?? noPlace();
  const isPlain = typeof value !== "object" || value instanceof Date;
  if (!isSectionValue(condition) || isPlain) return [outer];
  const base = { alias: null, path, outer, bookmarks };
  if (Array.isArray(value)) env.spend(value.length);
  if (!Array.isArray(value))
    return [{ ...base, item: value, items: null, index: null, length: 1, ids: null, names: null }];
  noteJoined({ origin, list: path, alias: null, mayJoin }, value, env, diagnostics);
  return value.map((item: unknown, index) => ({
    ...base,
    item,
    items: value,
    index,
    length: value.length,
    ids: null,
    names: null,
  }));
}
