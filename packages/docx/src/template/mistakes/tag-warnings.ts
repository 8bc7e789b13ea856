import type { Diagnostic } from "@quire/contracts";
import { tagProblem } from "../nodes/diagnostics.ts";
import type { TagNode } from "../nodes/nodes.ts";
import { quotedName } from "./look-alikes.ts";

/** Returns the warnings that result from a tag's own text. */
export function tagWarnings(tag: TagNode): Diagnostic[] {
  return [quotedName(tag, tag.delimiters), lostBreak(tag)].filter((each) => each !== null);
}

/** Warns about a lost break. A lost line break matters only in a tag that prints a value. */
function lostBreak(tag: TagNode): Diagnostic | null {
  const { lost = null, directive, text } = tag;
  if (lost === null || (lost === "line" && directive.kind !== "value")) return null;
  const problem = tagProblem(
    tag,
    "break_in_tag",
    `The tag ${text} has a ${lost} break between its delimiters. The document loses the break.`,
    "Put the break before or after the tag.",
  );
  return { ...problem, severity: "warning" };
}
