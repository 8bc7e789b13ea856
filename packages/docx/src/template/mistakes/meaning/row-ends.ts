import type { Diagnostic } from "@quire/contracts";
import { withTags } from "../../../language/delimiters/wording.ts";
import { tagProblem } from "../../nodes/diagnostics.ts";
import type { TagNode } from "../../nodes/nodes.ts";

/**
 * Warns about a `tablerow` whose tag is at the end of the row above, or whose end tag is at the start of the row below:
 * each of these rows is repeated as a whole. `tags`: all tags of the part, in document order.
 */
export function rowEnds(tags: readonly TagNode[]): Diagnostic[] {
  const open: number[] = [];
  return tags.flatMap((tag, at) => {
    if (tag.directive.kind === "tablerow") open.push(at);
    if (tag.directive.kind !== "endtablerow") return [];
    const from = open.pop() ?? at;
    const start = tags[from];
    if (start === undefined || isInRow(start, tag)) return [];
    return [
      ...(startAbove(start, tags[from + 1]) ?? headings(start, tags.slice(from + 1, at))),
      ...endBelow(tag, { before: tags[at - 1], after: tags[at + 1] }),
    ];
  });
}

/** `Name ¦ Price{{tablerow i in items}}`, the row of headings. */
function startAbove(start: TagNode, next: TagNode | undefined): Diagnostic[] | null {
  const [before, after] = textAround(start);
  const isLast = after === "" && (before !== "" || (start.place.cell ?? 1) > 1);
  if (!isLast || next === undefined || isInRow(start, next)) return null;
  const message = `The row that ends with ${start.text} is repeated for each item, too.`;
  const hint = withTags`To print it once, put ${start.text} at the start of the row after it.`;
  return [{ ...tagProblem(start, "list_in_loop", message, hint), severity: "warning" }];
}

/** `{{tablerow i in items}}Name ¦ Price`, the row of headings: it has no other tag, and a row after it uses the item. */
function headings(start: TagNode, inside: readonly TagNode[]): Diagnostic[] {
  const { directive } = start;
  const [, after] = textAround(start);
  if (directive.kind !== "tablerow" || after === "" || inside.length === 0) return [];
  if (inside.some((tag) => isInRow(start, tag))) return [];
  const message = `The row that begins with ${start.text} uses nothing of '${directive.alias}', but it is repeated for each item.`;
  const hint = withTags`To print it once, put ${start.text} at the start of the row after it.`;
  return [{ ...tagProblem(start, "list_in_loop", message, hint), severity: "warning" }];
}

/** `{{endtablerow}}Total ¦ {{total}}`, the row of the total. */
function endBelow(
  end: TagNode,
  { before, after }: Readonly<Record<"before" | "after", TagNode | undefined>>,
): Diagnostic[] {
  const [textBefore, textAfter] = textAround(end);
  if (end.place.cell !== 1 || textBefore !== "") return [];
  if (before !== undefined && isInRow(before, end)) return [];
  if (textAfter === "" && (after === undefined || !isInRow(after, end))) return [];
  const message = `The row that begins with ${end.text} is repeated for each item, too.`;
  const hint = withTags`To print it once, put ${end.text} at the end of the row before it.`;
  return [{ ...tagProblem(end, "list_in_loop", message, hint), severity: "warning" }];
}

function isInRow({ place: one }: TagNode, { place: other }: TagNode): boolean {
  return one.part === other.part && one.table === other.table && one.row === other.row;
}

/** Returns the text of the paragraph before and after a tag. */
function textAround({ near, text }: TagNode): readonly [string, string] {
  const at = near.indexOf(text);
  return [near.slice(0, at).trim(), near.slice(at + text.length).trim()];
}
