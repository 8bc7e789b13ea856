import type { Expression } from "../../../language/grammar/expression.ts";
import { spellExpression } from "../../../language/grammar/spell.ts";
import { written } from "../../../language/literal-conditions.ts";

/** Returns the hint for a list that is compared with a single value, as in `items.where(paid) == 0`. */
export function hintForList(operator: "==" | "!=", list: Expression, other: Expression): string {
  const search = "To look for an element of a list, write 'contains' instead of '=='.";
  if (other.kind === "literal" && other.value === "" && list.kind === "path") {
    const test = `${list.source} isEmpty`;
    return `To ask whether the list is empty, write ${operator === "==" ? test : `not (${test})`}.`;
  }
  if (other.kind === "number" && list.kind === "call") {
    const test = Number(other.text) === 0 ? ", or test it with isEmpty" : "";
    return `For the number of the items write .count() after the list, as in .count() ${operator} ${other.text}${test}.`;
  }
  if (other.kind === "number" && list.kind === "path")
    return `For the number of the items write ${list.source}.count() ${operator} ${other.text}. ${search}`;
  const [, of, key] =
    /^(.+)\.([\p{L}_][\p{L}\p{N}_]*)$/u.exec(list.kind === "path" ? list.source : "") ?? [];
  if (key === undefined || other.kind !== "literal" || typeof other.value !== "boolean")
    return search;
  const isTrue = (operator === "==") === other.value;
  const [one, opposite] = isTrue ? [key, `not ${key}`] : [`not ${key}`, key];
  return `For one of the items write ${of}.count(${one}) > 0, and for all of them ${of}.count(${opposite}) == 0.`;
}

/** Returns the hint for a comparison with several values in brackets, as in `status == ["open", "late"]`, or null. */
export function hintForSides(
  operator: "==" | "!=",
  left: Expression,
  right: Expression,
): string | null {
  if (right.kind !== "list") return null;
  const texts = right.items.map(written);
  const values = texts.includes(null) ? '"open", "late"' : texts.join(", ");
  return `For one of several values, write ${written(left) ?? "status"} ${operator === "!=" ? "not in" : "in"} [${values}].`;
}

/** Returns the hint for `gifts.where(year == 2026) > 0`: the number of the items; null for other comparisons. */
export function hintForSelected(
  { operator, left, right }: Extract<Expression, { kind: "compare" }>,
  one: unknown,
): string | null {
  if (!Array.isArray(one) || left.kind !== "call" || right.kind !== "number") return null;
  const isSelected = left.name === "$where" && left.arguments.length === 2;
  const count = spellExpression({
    ...left,
    name: "$count",
    arguments: isSelected ? left.arguments : [left],
  });
  const any = operator === ">" && Number(right.text) === 0;
  return `Write ${count} ${operator} ${right.text}${any ? `, or ${spellExpression(left)} alone` : ""}.`;
}
