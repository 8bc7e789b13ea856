import type { Expression, PathExpression } from "../../language/expression.ts";
import { closest, type ElementNode } from "../nodes/nodes.ts";
import type { Block } from "./blocks.ts";

/** The list of a `tablecolumn`, which means the same in every row of its table. */
export interface ColumnList extends PathExpression {
  /** The expressions for the items of the blocks within the table. Names in the list do not refer to these items. */
  readonly inTable: ReadonlySet<Expression>;
}

/** The list of a `tablecolumn`, read from outside its table. */
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

/** The expression for the items of a block; null for a block without items. */
function itemsOf(directive: Block["open"]["directive"]): Expression | null {
  if ("collection" in directive) return directive.collection;
  return directive.kind === "section" && !directive.inverted ? directive.condition : null;
}
