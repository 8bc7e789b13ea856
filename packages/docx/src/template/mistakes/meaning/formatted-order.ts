import type { Diagnostic } from "@quire/contracts";
import { expressionsOf } from "../../../language/directive.ts";
import { lostFormat, orderedText, sortedText } from "../../../language/formatted/order.ts";
import { allOf } from "../../../language/grammar/expression.ts";
import { tagProblem } from "../../nodes/diagnostics.ts";
import type { TagNode } from "../../nodes/nodes.ts";

/** Warns about sorting and comparing dates and numbers as the text that a function makes of them. */
export function formattedOrder(tag: TagNode): Diagnostic[] {
  return expressionsOf(tag.directive)
    .flatMap(allOf)
    .flatMap((expression) => {
      const doubt =
        expression.kind === "call"
          ? (sortedText(expression) ?? lostFormat(expression))
          : expression.kind === "compare"
            ? orderedText(expression)
            : null;
      if (doubt === null) return [];
      const [message, hint] = doubt;
      const problem = tagProblem(
        tag,
        "doubtful_comparison",
        `In the tag ${tag.text}, ${message}.`,
        hint,
      );
      return [{ ...problem, severity: "warning" as const }];
    });
}
