import type { Expression, PathExpression } from "../../language/grammar/expression.ts";
import { closest, type ElementNode } from "../nodes/nodes.ts";
import type { Block } from "./blocks.ts";

/** The list of a `tablecolumn`. Its path has the same meaning in every row of the table. */
export interface ColumnList extends PathExpression {
  /** The lists of the blocks within the table. Names in the path do not refer to the items of these blocks. */
  readonly inTable: ReadonlySet<Expression>;
}

/** Returns the list of a `tablecolumn` so that its path is evaluated outside the table. */
export function columnList(
  list: PathExpression,
  table: ElementNode,
  blocks: readonly Block[],
): ColumnList {
  const inTable = new Set<Expression>();
  for (const { open } of blocks) {
    const over = itemsOf(open.directive);
    if (over !== null && closest(open, "w:tbl") === table) inTable.add(over);
  }
  return { ...list, inTable };
}

/** Whether a path is the list of a `tablecolumn`. */
export function isColumnList(path: PathExpression): path is ColumnList {
  return "inTable" in path;
}

/** Returns the expression that provides a block's items; null for a block without items. */
function itemsOf(directive: Block["open"]["directive"]): Expression | null {
  if ("collection" in directive) return directive.collection;
  return directive.kind === "section" && !directive.inverted ? directive.condition : null;
}
