import { lookTarget } from "../language/looks.ts";
import {
  childNamed,
  closest,
  type ElementNode,
  element,
  indexInParent,
  insertAt,
  type TagNode,
} from "./nodes/nodes.ts";
import { gridCells, rowsOf } from "./nodes/table-grid.ts";

/**
 * Gives a width to each column of a table in which tags set the widths of columns. Word accepts tables without them, but
 * the columns that no tag changes would not keep their width. The columns must not have been spread yet.
 */
export function completeGrids(tags: readonly TagNode[]): void {
  const tables = new Set<ElementNode>();
  for (const tag of tags) {
    const { directive } = tag;
    if (directive.kind !== "value") continue;
    const isOfColumn = lookTarget(directive.expression, directive.modifiers) === "column";
    const table = isOfColumn ? closest(tag, "w:tbl") : null;
    if (table !== null) tables.add(table);
  }
  for (const table of tables) completeGrid(table);
}

/** Maximum number of columns of a table in Word. */
const MAX_COLUMNS = 63;
/** The width that columns share if nothing else is known, in twentieths of a point: the text width of an A4 page. */
const TEXT_WIDTH = 9026;
/** If no column is wider than this, another program wrote the grid, and Word takes the widths of the cells. */
const PLACEHOLDER = 100;

function completeGrid(table: ElementNode): void {
  const cells = [...rowsOf(table)].flatMap(gridCells);
  const grid = gridOf(table);
  const columns = columnsOf(table);
  const count = cells.reduce((most, { to }) => Math.max(most, Math.min(to, MAX_COLUMNS)), 0);
  const isReal = columns.some((each) => widthIn(each) > PLACEHOLDER);
  while (columns.length < count) {
    const made = element("w:gridCol", "");
    const last = columns.at(-1);
    insertAt(grid, last === undefined ? 0 : indexInParent(last) + 1, made);
    columns.push(made);
  }
  const byCells = widthsOfCells(cells);
  for (const [index, column] of columns.entries()) {
    if (isReal && / w:w="\d{1,9}"/.test(column.attributes)) continue;
    const width = byCells[index] ?? Math.round(TEXT_WIDTH / columns.length);
    column.attributes = ` w:w="${width}"`;
  }
}

function gridOf(table: ElementNode): ElementNode {
  const known = childNamed(table, "w:tblGrid");
  if (known !== null) return known;
  const made = element("w:tblGrid", "");
  const properties = childNamed(table, "w:tblPr");
  insertAt(table, properties === null ? 0 : indexInParent(properties) + 1, made);
  return made;
}

/** Returns the columns of a table's grid. */
export function columnsOf(table: ElementNode): ElementNode[] {
  const children = childNamed(table, "w:tblGrid")?.children ?? [];
  return children.filter((node): node is ElementNode => {
    return node.kind === "element" && node.name === "w:gridCol";
  });
}

/** Returns the first width of a cell in each column that covers no other column. */
function widthsOfCells(cells: ReturnType<typeof gridCells>): (number | undefined)[] {
  const widths: (number | undefined)[] = [];
  for (const { width, from, to } of cells) {
    if (to === from + 1 && to <= MAX_COLUMNS && widthIn(width) > 0) widths[from] ??= widthIn(width);
  }
  return widths;
}

/** Returns the width in an element, in twentieths of a point; 0 if it is missing or in another unit. */
export function widthIn(of: ElementNode | null): number {
  const attributes = of?.attributes ?? "";
  const isTwips = !attributes.includes(" w:type=") || attributes.includes(' w:type="dxa"');
  return isTwips ? Number(/ w:w="(\d{1,9})"/.exec(attributes)?.[1] ?? 0) : 0;
}
