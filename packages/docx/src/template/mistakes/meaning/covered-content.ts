import type { Diagnostic } from "@quire/contracts";
import { tagProblem } from "../../nodes/diagnostics.ts";
import { contentOf, descendants, type ElementNode, type TagNode } from "../../nodes/nodes.ts";
import { gridCells } from "../../nodes/table-grid.ts";

/**
 * Warns about cells with text or tags that a cell with `{{cell :: span(2)}}` covers, because they are not printed. A
 * number of the data is not known here, and in a row whose columns are repeated, the cells to the right may be copies.
 * The tags must have been placed.
 */
export function coveredContent(root: ElementNode): Diagnostic[] {
  const rows = [...descendants(root)].filter((node): node is ElementNode => {
    return node.kind === "element" && node.coversCells === true;
  });
  return rows.flatMap((row) => (repeatsColumns(row) ? [] : coveredIn(row)));
}

function repeatsColumns(row: ElementNode): boolean {
  return [...descendants(row)].some((node) => {
    return node.kind === "marker" && node.tag.directive.kind === "tablecolumn";
  });
}

function coveredIn(row: ElementNode): Diagnostic[] {
  const cells = gridCells(row).flatMap(({ cell }) => cell ?? []);
  const warnings: Diagnostic[] = [];
  let end = 0;
  for (const [index, cell] of cells.entries()) {
    const [tag, more] = cell.covers?.span ?? [];
    if (index < end || tag === undefined || more !== undefined) continue;
    end = index + spanOf(tag);
    const content = cells.slice(index + 1, end).flatMap((each) => printedIn(each) ?? []);
    if (content[0] !== undefined) warnings.push(warning(tag, content[0]));
  }
  return warnings;
}

/** Returns the number of cells that a tag covers; 1 if it depends on the data whether or how many it covers. */
function spanOf({ directive }: TagNode): number {
  const calls = directive.kind === "value" ? directive.modifiers : [];
  if (calls.some(({ name }) => name === "when")) return 1;
  const argument = calls.find(({ name }) => name === "span")?.arguments[0];
  return argument?.kind === "number" ? Number(argument.value) : 1;
}

/** Returns what a cell prints: a tag, or "text"; null for an empty cell. */
function printedIn(cell: ElementNode): string | null {
  const content = [...contentOf(cell)];
  const tag = content.find((node) => node.kind === "tag" && node.directive.kind === "value");
  if (tag?.kind === "tag") return tag.text;
  const isText = content.some((node) => {
    return node.kind === "text" && node.parent?.name === "w:t" && /[\p{L}\p{N}]/u.test(node.xml);
  });
  return isText ? "text" : null;
}

function warning(tag: TagNode, content: string): Diagnostic {
  const message = `${tag.text} covers the cell with ${content}, so its content is not printed.`;
  const hint = "Put the content into the first of the cells, and leave the others empty.";
  return { ...tagProblem(tag, "covered_cell", message, hint), severity: "warning" };
}
