import type { Diagnostic } from "@quire/contracts";
import type { Expression } from "../../language/grammar/expression.ts";
import { written } from "../../language/literal-conditions.ts";
import { withTags } from "../../language/wording.ts";
import { tagProblem } from "../nodes/diagnostics.ts";
import type { TagNode } from "../nodes/nodes.ts";

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
