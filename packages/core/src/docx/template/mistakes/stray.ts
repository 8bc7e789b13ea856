import type { Diagnostic } from "../../../errors.ts";
import type { StrayDelimiter } from "../braces.ts";
import type { Breach } from "../broken-tags.ts";
import type { Delimiters } from "../delimiters.ts";
import type { Place, TagNode } from "../nodes.ts";
import { withTags } from "../wording.ts";
import { placeOf, tagProblem } from "./diagnostics.ts";

/** The problem of a tag of which a delimiter is missing, or a part of one. `meant` is its content. */
export function brokenTagProblem(tag: TagNode, breach: Breach, meant: string): Diagnostic {
  const { start, end } = tag.delimiters;
  const isUnclosed = breach === "endCut" || breach === "endMissing";
  return tagProblem(
    tag,
    isUnclosed ? "unclosed_tag" : "unopened_tag",
    isUnclosed
      ? `The tag ${tag.text} is not closed with '${end}'.`
      : `The tag ${tag.text} is not opened with '${start}'.`,
    withTags`Write {{${meant}}}, or \\${isUnclosed ? start : end} for the characters themselves.`,
  );
}

/** The problem of a delimiter without its counterpart; `near` is the text around it. */
export function strayDelimiter(
  code: StrayDelimiter,
  place: Place,
  near: string,
  delimiters: Delimiters,
): Diagnostic {
  const { start, end } = delimiters;
  return {
    severity: "error",
    code,
    message:
      code === "unclosed_tag"
        ? `A tag is opened with '${start}' and not closed with '${end}' in the same paragraph.`
        : `A '${end}' closes a tag that was not opened with '${start}'.`,
    hint: hintFor(code, near, delimiters),
    template: { ...placeOf(place), near },
  };
}

function hintFor(code: string, near: string, { start, end }: Delimiters): string {
  const isBeside =
    near.includes(start + start[0]) ||
    (near.includes(start) && near.includes(end + (end.at(-1) ?? "")));
  if (isBeside) {
    return `A character of '${start}' directly beside it cannot be told from it: put a space between them.`;
  }
  const text = code === "unclosed_tag" ? start : end;
  return `Write each tag as ${start}name${end}, within one paragraph; write \\${text} for the characters themselves.`;
}
