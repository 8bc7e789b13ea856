import type { Diagnostic } from "@quire/contracts";
import { withTags } from "../../language/delimiters/wording.ts";
import { pathsOf } from "../../language/grammar/expression.ts";
import { tagProblem } from "../nodes/diagnostics.ts";
import {
  ancestors,
  childNamed,
  closest,
  type ElementNode,
  indexInParent,
  insertAt,
  type MarkerNode,
  type TagNode,
} from "../nodes/nodes.ts";
import { type GridCell, gridCells, rowsOf } from "../nodes/table-grid.ts";
import { type Block, blockTags } from "./blocks.ts";
import { columnList } from "./column-list.ts";
import { columnCondition, columnsWithin } from "./columns-within.ts";

/**
 * Replaces each `tablecolumn` with blocks around the cells of its columns: one block in every row of the table and one
 * in its grid. Later steps therefore need not know about columns. The repeated columns share their original width. A
 * cell that covers repeated and other columns then covers all repetitions. Returns the new blocks.
 */
export function spreadColumns(blocks: readonly Block[]): {
  readonly blocks: readonly Block[];
  readonly problems: readonly Diagnostic[];
} {
  const spread: Block[] = [];
  const problems: Diagnostic[] = [];
  const placed: Block[] = [];
  for (const block of blocks) {
    if (block.kind !== "tablecolumn") continue;
    const table = tableOf(block);
    const problem =
      table === null
        ? outsideTable(block)
        : (dependsOnRow(block, table, blocks) ?? repeatedAgain(block, table, placed));
    placed.push(block);
    if (problem !== null) problems.push(problem);
    else if (table !== null) {
      readOutside(block, table, blocks);
      const refused = spreadOver(table, block, spread);
      if (refused !== null) problems.push(refused);
    }
  }
  return { blocks: spread, problems };
}

function outsideTable(block: Block): Diagnostic {
  return tagProblem(
    block.open,
    "tablecolumn_outside_table",
    `The tags of ${block.open.text} are not in cells of the same table.`,
    withTags`Put {{tablecolumn …}} into the first cell of the column and {{endtablecolumn}} into a cell of the same or a later column.`,
  );
}

/** Returns the innermost table that contains both tags, if both are directly in its cells; otherwise null. */
function tableOf({ open, close }: Block): ElementNode | null {
  const table = closest(open, "w:tbl");
  return table !== null && table === closest(close, "w:tbl") ? table : null;
}

/** Returns a problem if the list depends on a row, because all rows must have the same columns; otherwise null. */
function dependsOnRow(
  block: Block,
  table: ElementNode,
  blocks: readonly Block[],
): Diagnostic | null {
  const { directive } = block.open;
  if (directive.kind !== "tablecolumn") return null;
  const heads = new Set(pathsOf(directive.shape ?? directive.collection).map(({ head }) => head));
  const around = blocks.find((each) => {
    if (each === block) return false;
    const { directive: own } = each.open;
    const isNamed = "alias" in own && heads.has(own.alias) && ancestors(each.open).includes(table);
    return isNamed || (heads.has(null) && isOverRows(each, table));
  });
  if (around === undefined) return null;
  return tagProblem(
    block.open,
    "tablecolumn_in_row",
    around.kind === "tablecolumn"
      ? `${block.open.text} takes its list from ${around.open.text}, but columns cannot be repeated within columns.`
      : `${block.open.text} takes its ${columnCondition(directive) === null ? "list" : "condition"} from ${around.open.text}, so its columns would differ from row to row.`,
    columnsWithin(block, around, table) ??
      "Use a list from outside the table, or write the columns into the template, with one tag for each value of a row.",
  );
}

/** Returns a problem if a block in another row repeats the same columns, so that each would be repeated for both lists. */
function repeatedAgain(
  block: Block,
  table: ElementNode,
  placed: readonly Block[],
): Diagnostic | null {
  const cells = [...rowsOf(table)].flatMap(gridCells);
  const range = rangeOf(block, cells);
  const row = closest(block.open, "w:tr");
  const other = placed.find((each) => {
    if (tableOf(each) !== table || closest(each.open, "w:tr") === row) return false;
    // The same condition twice has the same effect as once.
    if (/^.{1,9}tablecolumn\s+if\b/s.test(block.open.text) && each.open.text === block.open.text)
      return false;
    const own = rangeOf(each, cells);
    return range !== null && own !== null && overlaps(...own, range);
  });
  if (other === undefined) return null;
  return tagProblem(
    block.open,
    "tablecolumn_again",
    `${block.open.text} repeats columns that ${other.open.text} already repeats, so each of them would be repeated for both lists.`,
    withTags`Repeat the columns once, in the first row, and use its item in all rows. For headings above several columns write {{item.key :: mergeAcross}}.`,
  );
}

/** Whether a block encloses rows or cells of a table and has items. */
function isOverRows({ kind, open, close }: Block, table: ElementNode): boolean {
  if (kind === "tablecolumn" || closest(open, "w:tbl") !== table) return false;
  const { directive } = open;
  if (!("alias" in directive) && (directive.kind !== "section" || directive.inverted)) return false;
  return kind === "tablerow" || closest(open, "w:tc") !== closest(close, "w:tc");
}

/** Makes a `tablecolumn` read its list from outside the table, even if the item of a row has a key of that name. */
function readOutside({ open }: Block, table: ElementNode, blocks: readonly Block[]): void {
  const { directive } = open;
  if (directive.kind !== "tablecolumn") return;
  open.directive = { ...directive, collection: columnList(directive.collection, table, blocks) };
}

function spreadOver(table: ElementNode, block: Block, spread: Block[]): Diagnostic | null {
  const rows = [...rowsOf(table)].map(gridCells);
  const range = rangeOf(block, rows.flat());
  if (range === null) return outsideTable(block);
  const cut = rows
    .flat()
    .find(
      ({ from, to }) =>
        overlaps(from, to, range) && !within(from, to, range) && !holds(from, to, range),
    );
  if (cut !== undefined) {
    return tagProblem(
      block.open,
      "tablecolumn_cuts_cell",
      `${block.open.text} repeats only some of the columns that a merged cell covers.`,
      "Repeat all the columns that the merged cell covers, or split it.",
    );
  }
  const grid = childNamed(table, "w:tblGrid");
  const all = grid?.children.filter((node) => node.kind === "element") ?? [];
  for (const cells of rows) spreadOverRow(cells, range, all, block, spread);
  const columns = all.slice(...range);
  if (columns.length > 0) {
    for (const column of columns) shareWidth(column, block);
    surround(columns, block, spread);
  }
  return null;
}

type Range = readonly [from: number, to: number];

function rangeOf({ open, close }: Block, cells: readonly GridCell[]): Range | null {
  const first = cells.find(({ cell }) => cell === closest(open, "w:tc"));
  const last = cells.find(({ cell }) => cell === closest(close, "w:tc"));
  if (first === undefined || last === undefined || last.to <= first.from) return null;
  return [first.from, last.to];
}

function overlaps(from: number, to: number, range: Range): boolean {
  return from < range[1] && to > range[0];
}

function within(from: number, to: number, range: Range): boolean {
  return from >= range[0] && to <= range[1];
}

function holds(from: number, to: number, range: Range): boolean {
  return from <= range[0] && to >= range[1];
}

function spreadOverRow(
  cells: readonly GridCell[],
  range: Range,
  grid: readonly ElementNode[],
  block: Block,
  spread: Block[],
): void {
  const repeated: ElementNode[] = [];
  for (const { cell, span, width, from, to } of cells) {
    if (cell !== null && within(from, to, range)) {
      if (width !== null) shareWidth(width, block);
      repeated.push(cell);
    } else if (overlaps(from, to, range) && span !== null) {
      widen(span, to - from, { columns: range[1] - range[0], tag: block.open });
      if (width !== null) {
        const columns = grid.slice(from, to);
        narrow(width, shareOf(columns, range[0] - from, range[1] - from, to - from), block);
      }
    }
  }
  if (repeated.length > 0) surround(repeated, block, spread);
}

/** Extends a cell, or an omitted part of a row, over all repetitions of the columns that it covers. */
function widen(
  span: ElementNode,
  covered: number,
  repeated: { readonly columns: number; readonly tag: TagNode },
): void {
  const before = span.computed?.kind === "span" ? span.computed : null;
  span.computed = {
    kind: "span",
    others: (before?.others ?? covered) - repeated.columns,
    repeated: [...(before?.repeated ?? []), repeated],
  };
}

/** Makes an element that covers repeated columns narrower by the width of these columns if the list is empty. */
function narrow(element: ElementNode, share: number, block: Block): void {
  const whole = widthOf(element);
  if (whole === 0) return;
  const before = element.computed?.kind === "rest" ? element.computed.repeated : [];
  const repeated = [...before, { width: Math.round(whole * share), tag: block.open }];
  element.computed = { kind: "rest", whole, repeated };
}

/** Returns the share of a cell's width that belongs to its repeated columns, from 0 to 1. */
function shareOf(columns: readonly ElementNode[], from: number, to: number, all: number): number {
  const widths = columns.map(widthOf);
  const whole = sum(widths);
  const known = columns.length === all && widths.every((width) => width > 0);
  const [first, last] = [Math.max(from, 0), Math.min(to, all)];
  return known ? sum(widths.slice(first, last)) / whole : (last - first) / all;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function shareWidth(element: ElementNode, block: Block): void {
  const whole = widthOf(element);
  if (whole > 0) element.computed = { kind: "share", whole, tag: block.open };
}

/** Returns the number in the `w:w` of an element, or 0. */
function widthOf({ attributes }: ElementNode): number {
  return Number(/ w:w="(\d{1,9})"/.exec(attributes)?.[1] ?? 0);
}

/** Puts a new block around adjacent elements. */
function surround(elements: readonly ElementNode[], block: Block, spread: Block[]): void {
  const [first] = elements;
  const last = elements.at(-1);
  if (first === undefined || last === undefined || first.parent === null) return;
  const [open, close] = blockTags(block).map((tag): TagNode => ({ ...tag, parent: null }));
  if (open === undefined || close === undefined) return;
  insertAt(first.parent, indexInParent(first), marker(open));
  insertAt(first.parent, indexInParent(last) + 1, marker(close));
  spread.push({ kind: "tablecolumn", open, branches: [], close });
}

function marker(tag: TagNode): MarkerNode {
  return { kind: "marker", tag, parent: null };
}
