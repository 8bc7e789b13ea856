import type { Diagnostic } from "@quire/contracts";
import { withTags } from "../../../language/delimiters/wording.ts";
import { expressionsOf } from "../../../language/directive.ts";
import { allOf, type Expression } from "../../../language/grammar/expression.ts";
import { spellExpression } from "../../../language/grammar/spell.ts";
import { written } from "../../../language/literal-conditions.ts";
import { tagProblem } from "../../nodes/diagnostics.ts";
import type { TagNode } from "../../nodes/nodes.ts";

/** A tag with a condition. */
interface Branch {
  readonly tag: TagNode;
  readonly condition: Expression;
}

/**
 * Warns about a branch that is never reached, because an earlier one is true whenever its condition is:
 * `{{if total > 1000}} … {{elseif total > 5000}}`. The blocks of the part must be valid. `tags`: all tags of the part,
 * in document order.
 */
export function branchOrder(tags: readonly TagNode[]): Diagnostic[] {
  const open: Branch[][] = [];
  const warnings: Diagnostic[] = [];
  for (const tag of tags) {
    const { directive } = tag;
    if (directive.kind === "if") open.push([{ tag, condition: directive.condition }]);
    else if (directive.kind === "endif") open.pop();
    else if (directive.kind === "elseif") {
      const branch = { tag, condition: directive.condition };
      const earlier = open.at(-1)?.find(({ condition }) => covers(condition, branch.condition));
      if (earlier !== undefined) warnings.push(neverReached(branch, earlier));
      open.at(-1)?.push(branch);
    }
  }
  return warnings;
}

function neverReached({ tag, condition }: Branch, earlier: Branch): Diagnostic {
  const limit = limitOf(condition);
  const first = limit === null || isSame(condition, earlier.condition) ? null : limit.isUpper;
  const hint =
    first === null
      ? "Leave it out, or correct one of the two conditions."
      : withTags`Put the condition with the ${first ? "smaller" : "larger"} number first.`;
  const message = `${tag.text} is never reached: ${earlier.tag.text} is already true then.`;
  return { ...tagProblem(tag, "doubtful_order", message, hint), severity: "warning" };
}

/** Warns about conditions of one tag that cannot both matter: `total > 100 or total < 1000` is always true. */
export function doubtfulLimits(tag: TagNode): Diagnostic[] {
  return expressionsOf(tag.directive)
    .flatMap(allOf)
    .flatMap((expression) => {
      const problem = limitProblem(expression) ?? unreachedChoice(expression);
      if (problem === null) return [];
      const [message, hint] = problem;
      const warning = tagProblem(
        tag,
        "doubtful_order",
        `In the tag ${tag.text}, ${message}.`,
        hint,
      );
      return [{ ...warning, severity: "warning" as const }];
    });
}

type Problem = readonly [message: string, hint: string];

function limitProblem(expression: Expression): Problem | null {
  if (expression.kind !== "and" && expression.kind !== "or") return null;
  const limits = [limitOf(expression.left), limitOf(expression.right)];
  const [upper] = limits.filter((each) => each?.isUpper === true);
  const [lower] = limits.filter((each) => each?.isUpper === false);
  if (!upper || !lower || upper.path !== lower.path) return null;
  if (expression.kind === "or") {
    return lower.number < upper.number
      ? [`'${spellExpression(expression)}' is always true`, `For values between them write 'and'.`]
      : null;
  }
  return lower.number > upper.number
    ? [`'${spellExpression(expression)}' is never true`, "For values outside them write 'or'."]
    : null;
}

/** `$if(total >= 0, "A", $if(total >= 4, "B", "C"))`. */
function unreachedChoice(expression: Expression): Problem | null {
  if (expression.kind !== "call" || expression.name !== "$if") return null;
  const [first, , other] = expression.arguments;
  if (first === undefined || other?.kind !== "call" || other.name !== "$if") return null;
  const [second] = other.arguments;
  if (second === undefined || !covers(first, second)) return null;
  return [
    `'${spellExpression(second)}' is never reached, because '${spellExpression(first)}' is already true then`,
    `Ask for '${spellExpression(second)}' first.`,
  ];
}

/** Whether `condition` is true whenever `other` is true. */
function covers(condition: Expression, other: Expression): boolean {
  if (isSame(condition, other)) return true;
  const [one, two] = [limitOf(condition), limitOf(other)];
  if (one === null || two === null || one.path !== two.path || one.isUpper !== two.isUpper) {
    return false;
  }
  const distance = one.isUpper ? one.number - two.number : two.number - one.number;
  return distance > 0 || (distance === 0 && (one.isIncluded || !two.isIncluded));
}

function isSame(condition: Expression, other: Expression): boolean {
  const text = written(condition);
  return text !== null && text === written(other);
}

/** What a condition such as `total > 1000` asks. */
interface Limit {
  readonly path: string;
  readonly number: number;
  readonly isUpper: boolean;
  readonly isIncluded: boolean;
}

function limitOf(condition: Expression): Limit | null {
  if (condition.kind !== "compare" || !/^[<>]/.test(condition.operator)) return null;
  const { left, right, operator } = condition;
  const isTurned = left.kind === "number";
  const [side, limit] = isTurned ? [right, left] : [left, right];
  if (side.kind !== "path" || limit.kind !== "number") return null;
  return {
    path: side.source,
    number: Number(limit.text),
    isUpper: operator.startsWith("<") !== isTurned,
    isIncluded: operator.endsWith("="),
  };
}
