import type { CallExpression, Expression } from "../../../language/grammar/expression.ts";
import { spellExpression } from "../../../language/grammar/spell.ts";
import type { Evaluation } from "../context/evaluation.ts";

/** Records `rooms.first(rate)`: as a condition, a number is true unless it is 0. */
export function noteNumberCondition(
  { name, arguments: [of, condition] }: CallExpression,
  count: number,
  items: { valueOrMissing(expression: Expression, index: number): unknown },
  env: Evaluation,
): void {
  if (of === undefined || condition?.kind !== "path" || count < 2) return;
  const isNumber = (index: number): boolean =>
    typeof items.valueOrMissing(condition, index) === "number";
  if (!isNumber(0) || !isNumber(count - 1)) return;
  const list = spellExpression(of);
  env.doubts.push({
    code: "same_for_all_items",
    message: (tag) =>
      `In the tag ${tag}, '${name.slice(1)}' takes an item whose '${condition.source}' is not 0.`,
    hint: `For the item with the least number write ${list}.sort(${condition.source}).first(), and for the one with the greatest ${list}.sort(${condition.source}).last(). For numbers that are not 0 write ${condition.source} != 0.`,
    pointers: [],
    isMissing: false,
  });
}
