import type { Directive } from "../../language/directive.ts";
import type { TagNode } from "../nodes/nodes.ts";
import type { EscapedTag } from "../tags/escapes.ts";
import { kindEndedBy } from "./open-blocks.ts";

/** A block tag that is text because of a backslash before it, and its paragraph. */
export type EscapedBlockTag = EscapedTag & { readonly paragraph: number };

/**
 * Returns a hint if a backslash probably precedes the counterpart of the tag; otherwise null. `escaped` comes from
 * {@link unpaired}.
 */
export function backslashHint(
  { directive, place: { paragraph } }: TagNode,
  escaped: readonly EscapedBlockTag[],
): string | null {
  const meant =
    escaped.findLast((each) => each.paragraph <= paragraph && goesOn(each.directive, directive)) ??
    escaped.find((each) => each.paragraph >= paragraph && goesOn(directive, each.directive));
  if (meant === undefined) return null;
  const { text } = meant;
  return `A backslash turns ${text} into text: remove it, or write \\${text} to print a backslash and keep the tag.`;
}

/** Maximum number of escaped tags to search for each problem. */
const MAX_KEPT = 100;

/** Returns the tags of a part that follow backslashes and do not form blocks among themselves. */
export function unpaired(escaped: readonly EscapedBlockTag[]): EscapedBlockTag[] {
  const left: EscapedBlockTag[] = [];
  for (const each of escaped) {
    const open = left.at(-1)?.directive;
    if (open === undefined || !goesOn(open, each.directive)) left.push(each);
    else if (each.directive.kind !== "else" && each.directive.kind !== "elseif") left.pop();
  }
  return left.slice(0, MAX_KEPT);
}

/** Whether a tag may continue or end the block of another tag. */
function goesOn(open: Directive, tag: Directive): boolean {
  switch (tag.kind) {
    case "else":
    case "elseif":
      return open.kind === "if";
    case "endsection":
      return open.kind === "section" && (tag.name === null || tag.name === open.name);
    default:
      return kindEndedBy(tag.kind) === open.kind;
  }
}
