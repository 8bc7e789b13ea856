import type { Diagnostic } from "@quire/contracts";
import { expressionsOf } from "../../../language/directive.ts";
import { allOf, type Expression } from "../../../language/grammar/expression.ts";
import { spellExpression } from "../../../language/grammar/spell.ts";
import { tagProblem } from "../../nodes/diagnostics.ts";
import type { TagNode } from "../../nodes/nodes.ts";

/** Warns about `[a, b].count()`, which is always the number of values that the tag has in the brackets. */
export function countedBrackets(tag: TagNode): Diagnostic[] {
  return expressionsOf(tag.directive)
    .flatMap(allOf)
    .flatMap((each) => {
      const list = countedList(each);
      return list === null ? [] : [warning(tag, list)];
    });
}

type ListExpression = Extract<Expression, { kind: "list" }>;

function countedList(expression: Expression): ListExpression | null {
  if (expression.kind !== "call" || expression.name !== "$count") return null;
  const [of, condition] = expression.arguments;
  if (of?.kind !== "list" || condition !== undefined || of.items.length === 0) return null;
  return of;
}

function warning(tag: TagNode, list: ListExpression): Diagnostic {
  const values = spellExpression(list);
  const problem = tagProblem(
    tag,
    "doubtful_count",
    `In the tag ${tag.text}, count() counts the values in the brackets, so the result is always ${list.items.length}.`,
    `To count only those that are filled or true, write ${values}.count(this). To count the elements of lists, write ${values}.map(this).count().`,
  );
  return { ...problem, severity: "warning" };
}
