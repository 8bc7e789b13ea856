import type { Diagnostic } from "@quire/contracts";
import type { Delimiters } from "../../language/delimiters/delimiters.ts";
import { withTags } from "../../language/delimiters/wording.ts";
import { placeOf, tagProblem } from "../nodes/diagnostics.ts";
import type { Place, TagNode } from "../nodes/nodes.ts";
import type { Breach } from "../tags/broken-tags.ts";
import type { DelimiterProblem } from "../tags/lexer.ts";

/** Returns the problem of a tag with a missing or partial delimiter. `meant`: the content of the tag. */
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

/**
 * Returns the problem of a delimiter without a counterpart, or of one that a field edge separates from its counterpart.
 * `near`: the text around the delimiter.
 */
export function strayDelimiter(
  code: DelimiterProblem["code"],
  place: Place,
  near: string,
  delimiters: Delimiters,
): Diagnostic {
  return {
    severity: "error",
    code,
    message: MESSAGES[code](delimiters),
    hint: hintFor(code, near, delimiters),
    template: { ...placeOf(place), near },
  };
}

const MESSAGES: Readonly<Record<DelimiterProblem["code"], (delimiters: Delimiters) => string>> = {
  unclosed_tag: ({ start, end }) =>
    `A tag is opened with '${start}' and not closed with '${end}' in the same paragraph.`,
  unopened_tag: ({ start, end }) => `A '${end}' closes a tag that was not opened with '${start}'.`,
  tag_crosses_field: ({ start, end }) =>
    `A Word field begins or ends between '${start}' and '${end}', so its result would become part of the tag.`,
};

function hintFor(code: string, near: string, { start, end }: Delimiters): string {
  if (code === "tag_crosses_field") {
    return "Delete the tag and the field, and type the tag again before or after the field.";
  }
  const isBeside =
    near.includes(start + start[0]) ||
    (near.includes(start) && near.includes(end + (end.at(-1) ?? "")));
  if (isBeside) {
    return `A '${start[0]}' or '${end.at(-1)}' directly next to a tag cannot be told apart from the tag's delimiters: put a space between them.`;
  }
  const text = code === "unclosed_tag" ? start : end;
  return `Write each tag as ${start}name${end}, within one paragraph; write \\${text} for the characters themselves.`;
}
