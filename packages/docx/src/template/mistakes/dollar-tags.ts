import type { Diagnostic } from "@quire/contracts";
import { tagProblem } from "../nodes/diagnostics.ts";
import type { TagNode } from "../nodes/nodes.ts";

/**
 * Warns about a template with single braces in which each tag of the text has a dollar sign before it, as in
 * placeholders of other programs: the sign would be printed before each value. If only some tags have one, it belongs
 * to an amount.
 */
export function dollarTags(tags: readonly TagNode[]): Diagnostic[] {
  const inText = tags.filter(({ owner }) => owner === null);
  const [first] = inText;
  if (first?.delimiters.start !== "{") return [];
  if (!inText.every(({ near, text }) => near.includes(`$${text}`))) return [];
  const problem = tagProblem(
    first,
    "dollar_before_tags",
    `Each tag has a '$' before it, which is printed. $${first.text} is a placeholder of XDocReport, PHPWord, docx4j or docx-stamper.`,
    "Delete the '$' before each tag. For an amount in dollars write {amount :: currency(\"USD\")}.",
  );
  return [{ ...problem, severity: "warning" }];
}
