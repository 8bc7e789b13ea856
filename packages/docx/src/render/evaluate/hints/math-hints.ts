import { type Wording, withTags } from "../../../language/delimiters/wording.ts";
import type { Expression, PathExpression } from "../../../language/grammar/expression.ts";
import { spellExpression } from "../../../language/grammar/spell.ts";
import { written } from "../../../language/literal-conditions.ts";
import type { MissingTag } from "./element-hints.ts";

/** `{{Math.round(total)}}`, which reads as a function on the value `Math`. */
export function mathHint(expression: Expression, { source }: PathExpression): Wording | null {
  if (source !== "Math" || expression.kind !== "call") return null;
  const given = expression.arguments.slice(1).map((each) => written(each) ?? "");
  const [value = "", ...others] = given;
  return value === "" || given.includes("")
    ? null
    : withTags`Write {{${value}.${expression.name.slice(1)}(${others.join(", ")})}}.`;
}

/** `{{Math.round(total * 100) / 100}}`, and other computations with such a function. */
export function roundHint({ text }: MissingTag, { source }: PathExpression): Wording | null {
  if (source !== "Math") return null;
  const [, value = "", factor = ""] =
    /Math\.round\(\s*([^()]+?)\s*\*\s*(10{1,6})\s*\)\s*\/\s*\2(?!\d)/.exec(text) ?? [];
  if (value !== "") return withTags`Write {{${value}.round(${String(factor.length - 1)})}}.`;
  return 'A function comes after its value: write total.round(2), total.round(0, "up") or total.abs() in place of Math.';
}

/**
 * Returns the hint for a computation with true or false, such as `hours * billable`: a value that counts only if the
 * condition holds. `operand`: the condition as it is written. Null for other computations.
 */
export function hintForBoolean(computation: Expression, operand: string): string | null {
  if (computation.kind !== "compute") return null;
  const { operator, left, right } = computation;
  const [one, other] = [spellExpression(left), spellExpression(right)];
  if (operator !== "*")
    return `To count true as 1 and false as 0, write $if(${operand}, 1, 0) in place of ${operand}.`;
  const factor = one === operand ? other : one;
  return `Write $if(${operand}, ${factor}, 0) in place of ${spellExpression(computation)}.`;
}
