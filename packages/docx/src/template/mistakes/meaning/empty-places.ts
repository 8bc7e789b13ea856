import { spell, type Wording, withTags } from "../../../language/delimiters/wording.ts";
import { type Expression, loopsAskedBy, pathsOf } from "../../../language/grammar/expression.ts";
import { spellExpression } from "../../../language/grammar/spell.ts";
import { ownRows, tagsAroundRow } from "../../blocks/own-rows.ts";
import type { EmptyPlace } from "../../nodes/counted-tag.ts";
import { childNamed, descendants, type ElementNode, type TagNode } from "../../nodes/nodes.ts";
import { gridCells } from "../../nodes/table-grid.ts";
import { isBlank, shownIn, stepOf, wholeBlock } from "../../nodes/whole-block.ts";

/**
 * Marks the conditions and loops that may leave an empty row or column: all content of its cells is in blocks with one
 * condition. The renderer warns about them. The blocks must have been placed.
 */
export function markEmptyPlaces(root: ElementNode): void {
  for (const node of descendants(root)) {
    if (node.kind !== "element" || node.name !== "w:tbl") continue;
    const rows = rowsIn(node);
    markRows(rows);
    markColumns(rows);
  }
}

interface Row {
  readonly row: ElementNode;
  /** The tags of the blocks around the row, in the table. */
  readonly around: readonly TagNode[];
}

/** Returns the rows of a table, without the rows of nested tables. */
function rowsIn(table: ElementNode): Row[] {
  const rows: Row[] = [];
  const open: TagNode[] = [];
  const visit = (parent: ElementNode): void => {
    for (const node of parent.children) {
      if (node.kind === "marker") {
        const step = stepOf(node.tag);
        if (step === "end") open.pop();
        if (step === "begin") open.push(node.tag);
      }
      if (node.kind !== "element") continue;
      if (node.name === "w:tr") rows.push({ row: node, around: [...open] });
      else visit(node);
    }
  };
  visit(table);
  return rows;
}

function markRows(rows: readonly Row[]): void {
  const counts = new Map<TagNode, number>();
  for (const tag of rows.flatMap(({ around }) => around)) {
    counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  for (const { row, around } of rows) {
    const isLooped = around.some(({ directive }) => directive.kind !== "if");
    // The only row of a table, or a row with a height, is a box, which may be empty.
    if (!isLooped && (rows.length === 1 || hasHeight(row))) continue;
    const cells = gridCells(row).flatMap(({ cell }) => cell ?? []);
    if (cells.some((cell) => isMerged(cell)) || repeatsColumns(row)) continue;
    const block = commonBlock(cells);
    if (block === null || cells.every(printsItsCondition)) continue;
    const loop = around.at(-1);
    const place =
      loop !== undefined && counts.get(loop) === 1 ? emptyFor(loop, block, "row") : null;
    if (loop !== undefined && place !== null) loop.counted ??= place;
    else block.emptyRow = spell(hintFor(block, around, cells.length), block.delimiters);
  }
}

function hintFor(block: TagNode, around: readonly TagNode[], cells: number): Wording {
  if (cells === 1) return ownRows(block, around);
  const [before, after] = tagsAroundRow(block, around);
  return withTags`To hide the row, put ${before} at the beginning of its first cell and ${after} at the end of its last cell, and leave out the conditions in the cells.`;
}

function hasHeight(row: ElementNode): boolean {
  return childNamed(childNamed(row, "w:trPr"), "w:trHeight") !== null;
}

function isMerged(cell: ElementNode): boolean {
  return childNamed(childNamed(cell, "w:tcPr"), "w:vMerge") !== null;
}

function repeatsColumns({ children }: ElementNode): boolean {
  return children.some((node) => {
    return node.kind === "marker" && node.tag.directive.kind === "tablecolumn";
  });
}

/** `{{if note}}{{note}}{{endif}}`, which prints a value if there is one. */
function printsItsCondition(cell: ElementNode): boolean {
  const directive = wholeBlock(cell)?.directive;
  const [shown, more] = shownIn(cell);
  if (directive?.kind !== "if" || shown?.kind !== "tag" || more !== undefined) return false;
  const paths = shown.directive.kind === "value" ? pathsOf(shown.directive.expression) : [];
  const asked = new Set(pathsOf(directive.condition).map(({ source }) => source));
  return paths.length > 0 && paths.every(({ source }) => asked.has(source));
}

/** Returns the tag of the first of the blocks that contain all content of these cells, if they have one condition. */
function commonBlock(cells: readonly ElementNode[]): TagNode | null {
  const blocks = cells.map(wholeBlock);
  const [first = null] = blocks;
  const isCommon = blocks.every(
    (each) => each !== null && conditionOf(each) === conditionOf(first),
  );
  return isCommon ? first : null;
}

function conditionOf(tag: TagNode | null): string | null {
  return tag?.directive.kind === "if" ? spellExpression(tag.directive.condition) : null;
}

function markColumns(rows: readonly Row[]): void {
  for (const { open, cells } of columnsIn(rows)) {
    const filled = cells.filter((cell) => !isBlank(cell));
    const block = commonBlock(filled);
    if (block === null || filled.every(printsItsCondition)) continue;
    const place = emptyFor(open, block, "column");
    if (place !== null) open.counted ??= place;
  }
}

interface Columns {
  /** The tag around the cells of the first of the rows. */
  readonly open: TagNode;
  readonly cells: ElementNode[];
}

/** Returns the cells between the tags of each `tablecolumn`, which encloses cells of every row. */
function columnsIn(rows: readonly Row[]): Iterable<Columns> {
  // The tags in the other rows are copies with the same place.
  const columns = new Map<TagNode["place"], Columns>();
  for (const { row } of rows) {
    let current: Columns | null = null;
    for (const node of row.children) {
      if (node.kind === "marker") {
        const { tag } = node;
        if (tag.directive.kind === "endtablecolumn") current = null;
        if (tag.directive.kind !== "tablecolumn") continue;
        current = columns.get(tag.place) ?? { open: tag, cells: [] };
        columns.set(tag.place, current);
      } else if (node.kind === "element" && node.name === "w:tc") current?.cells.push(node);
    }
  }
  return columns.values();
}

/** Returns the empty place of the items that a block leaves out; null if its condition is not about items. */
function emptyFor(
  { directive }: TagNode,
  block: TagNode,
  empty: EmptyPlace["empty"],
): EmptyPlace | null {
  if (!("alias" in directive) || block.directive.kind !== "if") return null;
  const { kind, alias, collection, shape } = directive;
  const { condition } = block.directive;
  if (!isOfItem(condition, alias)) return null;
  const list = `${spellExpression(shape ?? collection)}.where(${spellExpression(condition)})`;
  return { empty, condition, block: block.text, hint: `${kind} ${alias} in ${list}` };
}

function isOfItem(condition: Expression, alias: string): boolean {
  return (
    loopsAskedBy(condition).length === 0 && pathsOf(condition).some(({ head }) => head === alias)
  );
}
