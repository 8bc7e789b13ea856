import type { Diagnostic } from "@quire/contracts";
import { withTags } from "../language/delimiters/wording.ts";
import type { ModifierName } from "../language/grammar/modifier-signatures.ts";
import { CELL_ORDER } from "../values/rich/properties.ts";
import { fieldStep } from "./blocks/nesting.ts";
import { cellAround, hasMerge, hiddenValue, mergeProblem, printsBeside } from "./merge-tags.ts";
import {
  childNamed,
  descendants,
  type ElementNode,
  element,
  indexInParent,
  insertAt,
  type TagNode,
} from "./nodes/nodes.ts";
import { insertInOrder, propertiesOf } from "./nodes/properties.ts";
import { gridCells } from "./nodes/table-grid.ts";

/**
 * Prepares the rows with tags that make a cell cover the ones to its right: `mergeAcross` and `span`. Each cell of such
 * a row gets into a block, because a covered cell is not printed. The looks and the vertical merges must have been placed.
 * Returns a problem for each tag whose cell cannot cover others.
 */
export function placeCovers(root: ElementNode, tags: readonly TagNode[]): Diagnostic[] {
  const across = tags.filter(({ directive }) => hasMerge(directive, "mergeAcross"));
  const problems = across.flatMap((tag) => placeAcross(tag) ?? []);
  const isSpanning = tags.some(({ directive }) => {
    return directive.kind === "value" && directive.modifiers.some(({ name }) => name === "span");
  });
  if (across.length === 0 && !isSpanning) return problems;
  const rows = [...descendants(root)].filter((node): node is ElementNode => {
    return node.kind === "element" && node.name === "w:tr";
  });
  return [...problems, ...rows.flatMap(prepareRow)];
}

function placeAcross(tag: TagNode): Diagnostic | null {
  const cell = cellAround(tag, "mergeAcross");
  if ("severity" in cell) return cell;
  cell.covers ??= { span: [], merge: null, isAlone: false };
  if (cell.covers.merge !== null) {
    return mergeProblem(
      tag,
      "is the second tag with 'mergeAcross' in its cell",
      "Leave out one of the two.",
    );
  }
  cell.covers.merge = tag;
  cell.covers.isAlone = printsText(tag) && !printsBeside(tag, cell);
  return hiddenValue(tag, cell, "mergeAcross");
}

/** Modifiers whose output is more than the text of the value, or that compare another value. */
const MORE_THAN_TEXT: ReadonlySet<ModifierName> = new Set([
  ...(["link", "qrcode", "barcode", "html", "markdown"] as const),
  ...(["width", "height", "fit", "checkbox"] as const),
]);

function printsText({ directive }: TagNode): boolean {
  if (directive.kind !== "value") return false;
  return directive.modifiers.every(({ name, arguments: given }) => {
    return !MORE_THAN_TEXT.has(name) && (name !== "mergeAcross" || given.length === 0);
  });
}

/** Prepares all cells of a row if one of them may cover others. */
function prepareRow(row: ElementNode): Diagnostic[] {
  const cells = gridCells(row).flatMap(({ cell }) => cell ?? []);
  const covering = cells.filter(({ covers }) => covers !== undefined);
  const [first] = covering.flatMap(({ covers }) => covers?.span[0] ?? covers?.merge ?? []);
  if (first === undefined) return [];
  const problems = covering.flatMap((cell) => mergedOtherwise(cell, cells, row) ?? []);
  if (!repeatsColumns(row))
    problems.push(...cells.flatMap((_, at) => withoutNeighbor(cells, at) ?? []));
  if (cells.some(cutsField)) {
    problems.push(
      mergeProblem(
        first,
        "merges cells of a row in which a Word field begins in one cell and ends in another",
        "Press Alt+F9 in Word to see the fields, and keep each of them in one cell.",
      ),
    );
  }
  row.coversCells = true;
  for (const cell of covering) prepareSize(cell);
  for (const cell of cells) {
    cell.covers ??= { span: [], merge: null, isAlone: false };
    surround(cell, first);
  }
  return problems;
}

/** Returns a problem if no cell beside one with `mergeAcross` has it, too: then nothing is ever merged. */
function withoutNeighbor(cells: readonly ElementNode[], at: number): Diagnostic | null {
  const [before, tag, after] = [at - 1, at, at + 1].map((index) => cells[index]?.covers?.merge);
  if (tag === null || tag === undefined || before || after) return null;
  return mergeProblem(
    tag,
    "merges nothing, because no cell beside it has 'mergeAcross'",
    withTags`Write 'mergeAcross' into the tag of each cell to merge, or cover a fixed number of cells with {{cell :: span(2)}}.`,
  );
}

/** Returns a problem if a cell that covers others, or one of those, is merged in another way, too. */
function mergedOtherwise(
  cell: ElementNode,
  cells: readonly ElementNode[],
  row: ElementNode,
): Diagnostic | null {
  const { span = [], merge = null } = cell.covers ?? {};
  const tag = span[0] ?? merge;
  if (tag === null || !reachOf(cell, cells, row).some(isMerged)) return null;
  const other = childNamed(childNamed(cell, "w:tcPr"), "w:vMerge")?.mergedBy;
  if (other !== undefined) {
    return mergeProblem(
      tag,
      `merges its cell with cells beside it, and ${other.text} merges the same cell with cells below it`,
      "A cell can be merged in one of these ways only: leave out 'merge', or the modifier of this tag.",
    );
  }
  return mergeProblem(
    tag,
    "merges cells of a row of which one is merged with other cells",
    "Split that cell in Word and leave out 'merge' there, or do not merge the cells of this row.",
  );
}

/** Returns the cells that a cell may cover, itself included. If columns are repeated, they may also be to its left. */
function reachOf(
  cell: ElementNode,
  cells: readonly ElementNode[],
  row: ElementNode,
): readonly ElementNode[] {
  const tags = cell.covers?.span ?? [];
  if (tags.length === 0) return [cell];
  if (repeatsColumns(row)) return cells;
  const from = cells.indexOf(cell);
  return cells.slice(from, from + Math.max(...tags.map(fixedSpan)));
}

function repeatsColumns(row: ElementNode): boolean {
  return [...descendants(row)].some((node) => {
    return node.kind === "marker" && node.tag.directive.kind === "tablecolumn";
  });
}

/** Returns the number of cells that a tag covers, or infinity if it depends on the data. */
function fixedSpan({ directive }: TagNode): number {
  const calls = directive.kind === "value" ? directive.modifiers : [];
  const argument = calls.find(({ name }) => name === "span")?.arguments[0];
  return argument?.kind === "number" ? Number(argument.value) : Number.POSITIVE_INFINITY;
}

function isMerged(cell: ElementNode): boolean {
  const properties = childNamed(cell, "w:tcPr");
  return ["w:vMerge", "w:hMerge"].some((name) => childNamed(properties, name) !== null);
}

/** Whether a field begins in a cell and ends in another. */
function cutsField(cell: ElementNode): boolean {
  let open = 0;
  for (const node of descendants(cell)) {
    if (node.kind === "element") open += fieldStep(node);
    if (open < 0) return true;
  }
  return open > 0;
}

/** Marks the properties of a cell that depend on the cells that it covers. */
function prepareSize(cell: ElementNode): void {
  const properties = propertiesOf(cell, "w:tcPr");
  const width = childNamed(properties, "w:tcW");
  if (width !== null) width.covering = "width";
  const known = childNamed(properties, "w:gridSpan");
  const columns = known ?? element("w:gridSpan", "");
  columns.covering = "columns";
  if (known === null) insertInOrder(properties, columns, CELL_ORDER);
}

/** Puts a cell into a block that leaves it out if another cell covers it. `tag`: the tag to name in messages. */
function surround(cell: ElementNode, tag: TagNode): void {
  const { parent } = cell;
  if (parent === null) return;
  const condition = { kind: "literal", value: true } as const;
  const open: TagNode = { ...tag, directive: { kind: "if", condition }, parent: null, cell };
  const close: TagNode = { ...tag, directive: { kind: "endif" }, parent: null, cell };
  insertAt(parent, indexInParent(cell), { kind: "marker", tag: open, parent: null });
  insertAt(parent, indexInParent(cell) + 1, { kind: "marker", tag: close, parent: null });
}
