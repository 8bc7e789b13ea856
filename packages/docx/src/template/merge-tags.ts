import type { Diagnostic } from "@quire/contracts";
import { type Wording, withTags } from "../language/delimiters/wording.ts";
import type { Directive } from "../language/directive.ts";
import { lookTarget } from "../language/looks.ts";
import { CELL_ORDER } from "../values/rich/properties.ts";
import { tagProblem } from "./nodes/diagnostics.ts";
import {
  ancestors,
  childNamed,
  closest,
  contentOf,
  descendants,
  type ElementNode,
  element,
  isVisible,
  type TagNode,
} from "./nodes/nodes.ts";
import { insertInOrder, propertiesOf } from "./nodes/properties.ts";

type Merge = "merge" | "mergeAcross";

/**
 * Prepares the cells of tags with `merge`, which become one cell with the cells below them that have the same text. The
 * blocks must have been placed. Returns a problem for each tag whose cell cannot be merged.
 */
export function placeMerges(tags: readonly TagNode[]): Diagnostic[] {
  return tags.flatMap((tag) => {
    const { directive } = tag;
    return hasMerge(directive, "merge") ? (placeMerge(tag) ?? []) : [];
  });
}

function placeMerge(tag: TagNode): Diagnostic | null {
  const cell = cellAround(tag, "merge");
  if ("severity" in cell) return cell;
  const properties = propertiesOf(cell, "w:tcPr");
  const known = childNamed(properties, "w:vMerge");
  if (known?.mergedBy !== undefined) {
    return mergeProblem(
      tag,
      "is the second tag with 'merge' in its cell",
      "Leave out one of the two.",
    );
  }
  if (known !== null) {
    return mergeProblem(
      tag,
      "is in a cell that is merged in the template",
      "Split the cell in Word: 'merge' merges the rows of the document.",
    );
  }
  const hidden = hiddenValue(tag, cell, "merge");
  if (hidden !== null) return hidden;
  const made = element("w:vMerge", "");
  made.mergedBy = tag;
  insertInOrder(properties, made, CELL_ORDER);
  return null;
}

/** Whether a tag has this modifier. */
export function hasMerge(directive: Directive, merge: Merge): boolean {
  return directive.kind === "value" && directive.modifiers.some(({ name }) => name === merge);
}

/** Returns a problem if a cell prints another value that its tag with a merge would hide in other cells; or null. */
export function hiddenValue(tag: TagNode, cell: ElementNode, merge: Merge): Diagnostic | null {
  const other = hasKey(tag, merge) ? null : otherValue(tag, cell, merge);
  if (other === null) return null;
  const of = merge === "merge" ? "rows" : "columns";
  return mergeProblem(
    tag,
    `merges cells by its own text, so ${other.text} in the same cell would be hidden in the further ${of}`,
    `Write ${merge}(key) with a value that the merged ${of} have in common, or put the other tag into another cell.`,
  );
}

/** Returns the cell that a tag merges, or the problem of a tag without such a cell. */
export function cellAround(tag: TagNode, merge: Merge): ElementNode | Diagnostic {
  const cell = closest(tag, "w:tc");
  const row = cell === null ? null : closest(cell, "w:tr");
  if (cell === null || row === null) {
    return mergeProblem(
      tag,
      "is not in a cell of a table",
      `Put it into a cell, or leave out '${merge}'.`,
    );
  }
  const box = closest(tag, "w:txbxContent");
  if (box !== null && ancestors(box).includes(cell)) {
    return mergeProblem(tag, "is in a text box", "Put it into the text of the cell itself.");
  }
  const block = blockWithin(cell, tag);
  if (block === null) return cell;
  return mergeProblem(
    tag,
    `is in the block ${block.text}, which begins in the same cell, so the cell may be merged without its text`,
    withTags`Put it outside of the block. For a condition write {{$if(condition, value, "") :: ${merge}}}.`,
  );
}

/** Returns the innermost block around a tag that begins in its cell, or null. */
function blockWithin(cell: ElementNode, tag: TagNode): TagNode | null {
  const open: TagNode[] = [];
  for (const node of descendants(cell)) {
    if (node === tag) break;
    if (node.kind !== "marker") continue;
    const { kind } = node.tag.directive;
    if (kind.startsWith("end")) open.pop();
    else if (kind !== "else" && kind !== "elseif") open.push(node.tag);
  }
  return open.at(-1) ?? null;
}

/** Whether a cell shows something besides a tag. */
export function printsBeside(tag: TagNode, cell: ElementNode): boolean {
  for (const node of contentOf(cell)) if (node !== tag && isVisible(node)) return true;
  return false;
}

function hasKey({ directive }: TagNode, merge: Merge): boolean {
  const calls = directive.kind === "value" ? directive.modifiers : [];
  return calls.some(({ name, arguments: given }) => name === merge && given.length > 0);
}

/** Returns another tag of a cell that prints a value, or null. */
export function otherValue(tag: TagNode, cell: ElementNode, merge: Merge): TagNode | null {
  for (const node of descendants(cell)) {
    if (node.kind !== "tag" || node === tag || node.directive.kind !== "value") continue;
    const { expression, modifiers } = node.directive;
    if (
      !hasMerge(node.directive, merge) &&
      (lookTarget(expression, modifiers) ?? "text") === "text"
    )
      return node;
  }
  return null;
}

/** Returns the problem of a tag whose cell cannot be merged with others. */
export function mergeProblem(tag: TagNode, why: string, hint: Wording): Diagnostic {
  return tagProblem(tag, "merge_outside", `The tag ${tag.text} ${why}.`, hint);
}
