import type { Diagnostic } from "@quire/contracts";
import { expressionsOf } from "../language/directive.ts";
import { type Expression, loopsAskedBy, pathsOf } from "../language/grammar/expression.ts";
import { CELL_ORDER } from "../values/rich/properties.ts";
import { columnsOf, widthIn } from "./complete-grids.ts";
import { inBlock } from "./look-problems.ts";
import { tagProblem } from "./nodes/diagnostics.ts";
import {
  childNamed,
  closest,
  detach,
  type ElementNode,
  element,
  type TagNode,
  type TemplateNode,
} from "./nodes/nodes.ts";
import { insertInOrder, propertiesOf } from "./nodes/properties.ts";
import { gridCells, rowsOf } from "./nodes/table-grid.ts";

/** The opening tags of the blocks around each node, outermost first. */
type Blocks = ReadonlyMap<TemplateNode, readonly TagNode[]>;

/**
 * Prepares a table for a tag such as `{{column :: width("3cm")}}` in one of its cells. The grid of the table decides on
 * the width, once for the column or for each of its repetitions. Returns a problem if the tag does not mean one column, or
 * if its width would not be the same for all rows.
 */
export function placeColumnWidth(
  tag: TagNode,
  cell: ElementNode,
  blocks: Blocks,
): Diagnostic | null {
  const row = closest(cell, "w:tr");
  const table = closest(row, "w:tbl");
  if (row === null || table === null) return noColumn(tag);
  const problem = blockProblem(tag, { cell, row, table }, blocks);
  if (problem !== null) return problem;
  const own = gridCells(row).find((each) => each.cell === cell);
  const covers = own === undefined ? 1 : own.to - own.from;
  if (covers > 1 || (cell.covers?.span.length ?? 0) > 0) return ofSeveral(tag);
  const column = columnsOf(table)[own?.from ?? -1];
  if (column === undefined) return noColumn(tag);
  if (column.sizing === undefined) prepareTable(table, blocks);
  if (column.sizing?.kind === "column") column.sizing.tags.push(tag);
  detach(tag);
  return null;
}

/** Returns the problem of a tag in a block on which the width may depend, other than a repeated column; or null. */
function blockProblem(
  tag: TagNode,
  { cell, row, table }: Record<"cell" | "row" | "table", ElementNode>,
  blocks: Blocks,
): Diagnostic | null {
  const around = (node: TemplateNode): readonly TagNode[] => blocks.get(node) ?? [];
  const inner = around(tag)[around(cell).length];
  if (inner !== undefined) return inBlock(tag, "column", around(tag).at(-1), false);
  const columns = around(cell).slice(around(row).length);
  for (const block of around(row).slice(around(table).length)) {
    const { directive } = block;
    const repeats = "alias" in directive || (directive.kind === "section" && !directive.inverted);
    if (!repeats) return inConditionalRow(tag, block);
    const [, ...given] = expressionsOf(tag.directive);
    if (given.some((each) => dependsOn(each, block, columns))) return inRepeatedRow(tag, block);
  }
  return null;
}

/** Whether a value depends on the item of a block around its row. `columns`: the blocks that repeat its column. */
function dependsOn(value: Expression, row: TagNode, columns: readonly TagNode[]): boolean {
  const name = aliasOf(row);
  const isOfColumn = columns.length > 0;
  const isOfRow = (head: string | null): boolean =>
    head === null
      ? !isOfColumn
      : head === name || (name === null && !columns.some((each) => aliasOf(each) === head));
  const heads = pathsOf(value).map(({ head }) => head);
  const asked = loopsAskedBy(value).filter((loop) => loop === null || loop === name);
  return heads.some(isOfRow) || asked.some((loop) => loop !== null || !isOfColumn);
}

/** Returns the name that a loop gives to its item; null for a section. */
function aliasOf({ directive }: TagNode): string | null {
  return "alias" in directive ? directive.alias : null;
}

/** Marks everything in a table that has a width. Missing elements are added. */
function prepareTable(table: ElementNode, blocks: Blocks): void {
  const columns = columnsOf(table);
  const turns = (node: ElementNode): number =>
    (blocks.get(node) ?? [])
      .slice(blocks.get(table)?.length ?? 0)
      .filter(({ directive }) => directive.kind === "tablecolumn").length;
  const rows = [...rowsOf(table)];
  const whole = columns.reduce((sum, each) => sum + widthIn(each), 0);
  for (const [column, each] of columns.entries()) {
    each.sizing = { kind: "column", column, turns: turns(each), tags: [], whole };
  }
  prepareProperties(table);
  for (const row of rows) {
    const exceptions = childNamed(row, "w:tblPrEx");
    for (const name of ["w:tblW", "w:tblLayout"]) {
      const known = childNamed(exceptions, name);
      if (known !== null) known.sizing = { kind: "table" };
    }
    for (const { cell, width: known, from, to } of gridCells(row)) {
      const width = known ?? (cell === null ? null : addWidth(cell));
      // The grid lacks only columns that Word does not allow.
      if (width === null || to > columns.length) continue;
      width.sizing = { kind: "cell", from, to, turns: turns(cell ?? row) };
    }
  }
}

function addWidth(cell: ElementNode): ElementNode {
  const made = element("w:tcW", "");
  insertInOrder(propertiesOf(cell, "w:tcPr"), made, CELL_ORDER);
  return made;
}

function prepareProperties(table: ElementNode): void {
  const properties = propertiesOf(table, "w:tblPr");
  for (const name of ["w:tblW", "w:tblLayout"]) {
    const known = childNamed(properties, name);
    const size = known ?? element(name, "");
    size.sizing = { kind: "table" };
    if (known === null) insertInOrder(properties, size, TABLE_ORDER);
  }
}

/** The order of the properties of a table in the schema. */
const TABLE_ORDER: ReadonlyMap<string, number> = new Map(
  "tblStyle tblpPr tblOverlap bidiVisual tblStyleRowBandSize tblStyleColBandSize tblW jc tblCellSpacing tblInd tblBorders shd tblLayout tblCellMar tblLook tblCaption tblDescription tblPrChange"
    .split(" ")
    .map((name, index) => [`w:${name}`, index]),
);

function ofSeveral(tag: TagNode): Diagnostic {
  return tagProblem(
    tag,
    "look_outside",
    `${tag.text} sets the width of one column, but its cell covers several columns.`,
    "Put it into a cell that covers one column, in another row. If no row has such a cell, split this one in Word.",
  );
}

function noColumn(tag: TagNode): Diagnostic {
  return tagProblem(
    tag,
    "look_outside",
    `${tag.text} is in a column that Word does not allow: a table has at most 63.`,
    "Divide the table into several tables.",
  );
}

function inRepeatedRow(tag: TagNode, { text }: TagNode): Diagnostic {
  return tagProblem(
    tag,
    "look_in_block",
    `${tag.text} sets the width of a column for all rows, but it uses the item of ${text}, which repeats its row.`,
    "Put it into a row that does not repeat, such as the headings, and use a value from outside of that loop.",
  );
}

function inConditionalRow(tag: TagNode, { text }: TagNode): Diagnostic {
  return tagProblem(
    tag,
    "look_in_block",
    `${tag.text} sets the width of a column for all rows, but its row is in the block ${text}.`,
    'Put it into a row outside of the block. For a condition, write it into the tag: :: width("3cm"), when(condition).',
  );
}
