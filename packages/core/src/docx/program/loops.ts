import { withArticle } from "./compare.ts";
import { isTruthy } from "./evaluate.ts";
import { hintForMissing } from "./near-miss.ts";
import type { Op } from "./ops.ts";
import type { Rendering } from "./rendering.ts";
import { pointerOf, resolve, type Scope } from "./scope.ts";

/** The items of a list to repeat. What is no list, and what is missing, is told and repeats nothing. */
export function listOf(
  { origin, alias, collection, optional }: Extract<Op, { op: "repeat" }>,
  { env, findings }: Rendering,
): readonly unknown[] {
  env.opened?.set(alias, origin.text);
  const value = resolve(collection, env);
  if (Array.isArray(value)) return value;
  if (value !== undefined) {
    findings.add(origin, {
      severity: "error",
      code: "invalid_value",
      message: `The tag ${origin.text} repeats '${collection.source}', which is ${withArticle(value)} and not a list.`,
      hint: "Give a list: [ … ].",
      pointer: pointerOf(collection, env),
    });
  } else if (!optional) {
    findings.notProvided(
      origin,
      collection.source,
      pointerOf(collection, env),
      () => hintForMissing(collection, env),
      "Add it to the data, or write :: optional in the tag.",
    );
  }
  return [];
}

/**
 * The turns of a section, by docxtemplater's rules: a list repeats, an object is the item of one turn,
 * anything else that counts as true shows once, with the items around. An inverted section shows once
 * when there is nothing to show.
 */
export function sectionTurns(
  { origin, condition, inverted, bookmarks }: Extract<Op, { op: "section" }>,
  outer: Scope | null,
  rendering: Rendering,
): readonly (Scope | null)[] {
  const { env, findings } = rendering;
  const plain = condition.kind === "path" && !inverted;
  const value = findings.guard(
    origin,
    // A section that is not there is told below.
    () => (plain ? resolve(condition, env) : rendering.condition(origin, condition)),
  );
  const empty = !isTruthy(value);
  if (inverted) return empty ? [outer] : [];
  if (value === undefined && plain) {
    findings.warn(
      origin,
      "missing_section",
      `The tag '${condition.source}' was not provided in the input data, so its section is left out.`,
      pointerOf(condition, env),
      () => hintForMissing(condition, env),
    );
  }
  if (empty) return [];
  if (condition.kind !== "path" || typeof value !== "object" || value instanceof Date)
    return [outer];
  const base = { alias: null, path: condition, outer, bookmarks };
  if (Array.isArray(value)) env.spend(value.length);
  if (!Array.isArray(value))
    return [{ ...base, item: value, index: null, length: 1, ids: null, names: null }];
  return value.map((item: unknown, index) => ({
    ...base,
    item,
    index,
    length: value.length,
    ids: null,
    names: null,
  }));
}

/** The number for an attribute that depends on how many columns there are. */
export function columnCount(
  { compute, base, repeated }: Extract<Op, { op: "columns" }>,
  { env }: Rendering,
): number {
  let count = 0;
  for (const { columns, collection } of repeated) {
    const value = resolve(collection, env);
    count += columns * (Array.isArray(value) ? value.length : 0);
  }
  return compute === "sum" ? base + count : Math.max(Math.floor(base / Math.max(count, 1)), 1);
}
