import { type Margins, SIDES, type TablePart, type TablePlace } from "../fit/text-styles.ts";
import {
  attributesOf,
  childNamed,
  closest,
  descendants,
  type ElementNode,
  type TagNode,
} from "./nodes/nodes.ts";
import { gridCells, rowsOf } from "./nodes/table-grid.ts";
import type { BoxPlan } from "./nodes/tag-uses.ts";
import { type BoxProblem, newForm, textBoxAround } from "./text-boxes.ts";

/**
 * Notes that text in a box shrinks. `isAll`: whether the tag shrinks all text of the box, not only its own. Returns why
 * this is not possible, or null.
 */
export function shrinkIn(box: ElementNode, tag: TagNode, isAll: boolean): BoxProblem | null {
  if (box.shrunk === undefined) {
    const plan = box.name === "w:tc" ? cellPlan(box) : textBoxAround(box);
    if (typeof plan === "string") return plan;
    box.shrunk = { plan, first: tag, tags: [], isTwin: newForm(box) !== box };
  }
  if (isAll) box.shrunk.tags.push(tag);
  return null;
}

/** Returns the cell or the text box around a run, or null. */
export function boxAround(run: ElementNode): ElementNode | null {
  return closest(run, "w:tc", "w:txbxContent");
}

function cellPlan(cell: ElementNode): BoxPlan | BoxProblem {
  const row = closest(cell, "w:tr");
  const table = closest(row, "w:tbl");
  if (row === null || table === null) return "no width";
  const properties = childNamed(cell, "w:tcPr");
  const direction = valIn(childNamed(properties, "w:textDirection"));
  if (direction !== null && !/^(?:lrTb|lrTbV|lr|tb)$/.test(direction)) return "turned";
  const width = widthOf(cell, row, table);
  if (width === "no width") return width;
  const height = attributesOf(
    childNamed(childNamed(row, "w:trPr"), "w:trHeight")?.attributes ?? "",
  );
  const isExact = height["w:hRule"] === "exact";
  const tableProperties = childNamed(table, "w:tblPr");
  return {
    width,
    height: isExact ? (lengthOf(height["w:val"]) ?? null) : null,
    margins: marginsOf(childNamed(tableProperties, "w:tblCellMar")),
    wraps: true,
    isRough: false,
    table: placeOf(cell, row, table),
  };
}

/** Returns the width of a cell; null if it depends on the number of columns. */
function widthOf(
  cell: ElementNode,
  row: ElementNode,
  table: ElementNode,
): number | null | "no width" {
  const own = childNamed(childNamed(cell, "w:tcPr"), "w:tcW");
  const { "w:w": width, "w:type": type = "dxa" } = attributesOf(own?.attributes ?? "");
  const twips = type === "dxa" ? lengthOf(width) : undefined;
  if (twips !== undefined && twips > 0) return own?.computed === undefined ? twips : null;
  const layout = attributesOf(
    childNamed(childNamed(table, "w:tblPr"), "w:tblLayout")?.attributes ?? "",
  );
  if (layout["w:type"] !== "fixed" && type !== "pct") return "no width";
  const found = gridCells(row).find((each) => each.cell === cell);
  const columns = childNamed(table, "w:tblGrid")?.children ?? [];
  if (found === undefined || found.span?.computed !== undefined) return "no width";
  let sum = 0;
  for (const column of columns.slice(found.from, found.to)) {
    const each =
      column.kind === "element" && column.computed === undefined
        ? lengthOf(attributesOf(column.attributes)["w:w"])
        : undefined;
    if (each === undefined) return "no width";
    sum += each;
  }
  return sum > 0 ? sum : "no width";
}

function marginsOf(element: ElementNode | null): Partial<Margins> {
  const margins: Partial<Record<keyof Margins, number>> = {};
  for (const child of element?.children ?? []) {
    if (child.kind !== "element") continue;
    const { "w:w": width, "w:type": type = "dxa" } = attributesOf(child.attributes);
    const side = SIDES.get(child.name);
    const twips = type === "dxa" ? lengthOf(width) : undefined;
    if (side !== undefined && twips !== undefined) margins[side] = twips;
  }
  return margins;
}

/** Returns where a cell is in its table, for the conditional formats of the table's style. */
function placeOf(cell: ElementNode, row: ElementNode, table: ElementNode): TablePlace {
  const properties = childNamed(table, "w:tblPr");
  const look = attributesOf(childNamed(properties, "w:tblLook")?.attributes ?? "");
  const bits = Number.parseInt(look["w:val"] ?? "0", 16);
  const rows = [...rowsOf(table)];
  const cells = gridCells(row).filter((each) => each.cell !== null);
  const isIn: Readonly<Record<TablePart, boolean>> = {
    lastCol: cells.at(-1)?.cell === cell,
    firstCol: cells[0]?.cell === cell,
    lastRow: rows.at(-1) === row,
    firstRow: rows[0] === row,
  };
  const parts = PARTS.filter(([part, name, bit]) => {
    const own = look[name];
    const isOn = own === undefined ? (bits & bit) !== 0 : own !== "0" && own !== "false";
    return isOn && isIn[part];
  });
  return {
    style: valIn(childNamed(properties, "w:tblStyle")),
    parts: parts.map(([part]) => part),
  };
}

/** The parts of a table with the attributes and the bits of `w:tblLook`. Later parts take precedence. */
const PARTS: readonly (readonly [TablePart, string, number])[] = [
  ["lastCol", "w:lastColumn", 0x100],
  ["firstCol", "w:firstColumn", 0x80],
  ["lastRow", "w:lastRow", 0x40],
  ["firstRow", "w:firstRow", 0x20],
];

function valIn(element: ElementNode | null): string | null {
  return attributesOf(element?.attributes ?? "")["w:val"] ?? null;
}

function lengthOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}

/** Returns the tags with `shrink` in cells whose width depends on other cells, or on a tag for their column. */
export function shrinksWithoutWidth(
  root: ElementNode,
): { readonly tag: TagNode; readonly problem: BoxProblem }[] {
  const found: { readonly tag: TagNode; readonly problem: BoxProblem }[] = [];
  for (const node of descendants(root)) {
    if (node.kind !== "element" || node.shrunk === undefined) continue;
    const { shrunk, covers } = node;
    const isCovering = covers !== undefined && (covers.span.length > 0 || covers.merge !== null);
    if (isCovering) found.push({ tag: shrunk.first, problem: "covers" });
    else if (hasGivenWidth(node)) found.push({ tag: shrunk.first, problem: "given width" });
  }
  return found;
}

/** Whether tags set the width of a column of a cell. */
function hasGivenWidth(cell: ElementNode): boolean {
  const row = cell.name === "w:tc" ? closest(cell, "w:tr") : null;
  const place = row && gridCells(row).find((each) => each.cell === cell);
  const columns = childNamed(closest(row, "w:tbl"), "w:tblGrid")?.children ?? [];
  const own = columns.filter((node) => node.kind === "element").slice(place?.from, place?.to);
  return (
    place != null && own.some(({ sizing }) => sizing?.kind === "column" && sizing.tags.length > 0)
  );
}
