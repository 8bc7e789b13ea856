import type { Diagnostic } from "../../../errors.ts";
import type { Place } from "../nodes.ts";
import type { Delimiters } from "../scan.ts";
import { placeOf } from "./diagnostics.ts";

/** The problem of a delimiter without its counterpart; `near` is the text around it. */
export function strayDelimiter(
  code: "unclosed_tag" | "unopened_tag",
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
    hint: hintFor(near, delimiters),
    template: { ...placeOf(place), near },
  };
}

function hintFor(near: string, { start, end }: Delimiters): string {
  const brace = near.includes(start + start[0]) || near.includes(end + (end.at(-1) ?? ""));
  if (brace) {
    return `A character of '${start}' directly beside it cannot be told from it: put a space between them.`;
  }
  return `Write each tag as ${start}name${end}, within one paragraph; write \\${start} for the characters themselves.`;
}
