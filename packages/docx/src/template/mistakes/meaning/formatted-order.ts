import type { Diagnostic } from "@quire/contracts";
import { expressionsOf } from "../../../language/directive.ts";
import { lostFormat, orderedText, sortedText } from "../../../language/formatted/order.ts";
import { allOf } from "../../../language/grammar/expression.ts";
import { tagProblem } from "../../nodes/diagnostics.ts";
import type { TagNode } from "../../nodes/nodes.ts";

/**
 * Warns about sorting and comparing dates and numbers as the text that a function makes of them, and about a printed date
 * that loses its format.
 */
export function formattedOrder(tag: TagNode): Diagnostic[] {
  const { directive } = tag;
  const printed = directive.kind === "value" && directive.modifiers.length === 0;
  const lost = printed ? lostFormat(directive.expression) : null;
  const ordered = expressionsOf(directive)
    .flatMap(allOf)
    .map((expression) => {
      if (expression.kind === "call") return sortedText(expression);
      return expression.kind === "compare" ? orderedText(expression) : null;
    });
  return [lost, ...ordered].flatMap((doubt) => {
    if (doubt === null) return [];
    const [message, hint] = doubt;
    const text = `In the tag ${tag.text}, ${message}.`;
    const problem = tagProblem(tag, "doubtful_comparison", text, hint);
    return [{ ...problem, severity: "warning" as const }];
  });
}
