import type { Diagnostic } from "@quire/contracts";
import { withTags } from "../../language/delimiters/wording.ts";
import { tagProblem } from "../nodes/diagnostics.ts";
import { closest, type ElementNode, type TagNode, type TemplateNode } from "../nodes/nodes.ts";
import { type PrintingBlock, printingBlocks } from "./printing-blocks.ts";

/**
 * Warns about a section that begins in the first cell of a table column, ends in the last cell, and prints only in this
 * column. Such a section repeats all rows, whereas in easy-template-x it repeats the column. The blocks of the part
 * must be valid. `tags`: all tags of the part, in document order.
 */
export function columnSections(tags: readonly TagNode[]): Diagnostic[] {
  return printingBlocks(tags)
    .filter(isColumn)
    .map(({ open }) => warning(open));
}

function isColumn({ open, close, values }: PrintingBlock): boolean {
  const { part, table, row, cell } = open.place;
  if (open.directive.kind !== "section" || open.directive.inverted || row !== 1) return false;
  const isSame = [close, ...values].every(
    ({ place, owner }) =>
      owner === null && place.part === part && place.table === table && place.cell === cell,
  );
  const [first] = values;
  // A row with only tags is the usual way to repeat rows.
  if (!isSame || first?.place.row !== 1 || close.place.row === 1) return false;
  const around = closest(first, "w:tbl");
  const rows = around === null ? [] : within(around, "w:tr");
  const cells = rows[0] === undefined ? [] : within(rows[0], "w:tc");
  return rows.length === close.place.row && cells.length > 1;
}

/** Returns the child elements with a name, including children of content controls. */
function within(parent: ElementNode, name: string): ElementNode[] {
  return parent.children.flatMap((node: TemplateNode): ElementNode[] => {
    if (node.kind !== "element") return [];
    if (node.name === name) return [node];
    return /^w:(?:sdt|sdtContent|customXml|ins)$/.test(node.name) ? within(node, name) : [];
  });
}

function warning(open: TagNode): Diagnostic {
  const { directive } = open;
  const path = directive.kind === "section" && directive.condition.kind === "path";
  const source = path ? directive.condition.source : "items";
  const list = source.includes(" ") ? `this["${source}"]` : source;
  const problem = tagProblem(
    open,
    "column_repeats_rows",
    `${open.text} begins and ends in one column of the table and repeats all of its rows. In easy-template-x it would repeat the column.`,
    withTags`To repeat the column, write {{tablecolumn item in ${list}}} … {{endtablecolumn}} in its top cell, and {{item.name}} for a value of each item. To repeat the rows, begin in the first cell and end in the last.`,
  );
  return { ...problem, severity: "warning" };
}
