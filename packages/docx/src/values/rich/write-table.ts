import type { RichCell, RichRow, RichTable } from "./model.ts";
import { LIST_INDENT } from "./model.ts";
import { valued } from "./properties.ts";

/** The width that columns share in `w:tblGrid`, in twentieths of a point: the text width of an A4 page. */
const GRID_WIDTH = 9026;

/** The whole width, in Word's fiftieths of a percent. */
const WHOLE = 5000;

const BORDERS = ["top", "left", "bottom", "right", "insideH", "insideV"]
  .map((side) => `<w:${side} w:val="single" w:sz="4" w:space="0" w:color="auto"/>`)
  .join("");

/** Writes a table. `content` writes the content of a cell, which must end with a paragraph. */
export function tableXml(
  table: RichTable,
  style: string | null,
  content: (cell: RichCell) => string,
): string {
  const grid = gridOf(table.columns);
  const columns = grid.map((width) => `<w:gridCol w:w="${width}"/>`).join("");
  const headers = headerRows(table.rows);
  const equal = new Set(table.columns).size === 1;
  const rows = table.rows.map((row, index) =>
    rowXml(row, index < headers, equal ? null : grid, grid.length, content),
  );
  return `<w:tbl>${propertiesXml(table, style)}<w:tblGrid>${columns}</w:tblGrid>${rows.join("")}</w:tbl>`;
}

function gridOf(shares: readonly number[]): number[] {
  return shares.map((share) => Math.max(1, Math.round(share * GRID_WIDTH)));
}

/** Returns the number of rows to repeat. Word repeats rows from the first one on, but not a whole table. */
function headerRows(rows: readonly RichRow[]): number {
  const first = rows.findIndex(({ header }) => !header);
  return first === -1 ? 0 : first;
}

function propertiesXml(table: RichTable, style: string | null): string {
  const { borders, width, direction, quote, indent, listDepth } = table;
  const left = indent + (quote + listDepth) * LIST_INDENT;
  const grid = borders && style === null ? `<w:tblBorders>${BORDERS}</w:tblBorders>` : "";
  return [
    "<w:tblPr>",
    borders && style !== null ? valued("w:tblStyle", style) : "",
    direction === "rtl" ? "<w:bidiVisual/>" : "",
    widthXml(width, left),
    left > 0 ? `<w:tblInd w:w="${left}" w:type="dxa"/>` : "",
    grid,
    '<w:tblLook w:val="04A0" w:firstRow="1" w:lastRow="0" w:firstColumn="1" w:lastColumn="0" w:noHBand="0" w:noVBand="1"/>',
    "</w:tblPr>",
  ].join("");
}

function widthXml(width: RichTable["width"], left: number): string {
  if (width !== null && "twips" in width) return `<w:tblW w:w="${width.twips}" w:type="dxa"/>`;
  const free = Math.max(0.2, (GRID_WIDTH - left) / GRID_WIDTH);
  const share = Math.round(WHOLE * Math.min(free, width?.share ?? 1));
  return `<w:tblW w:w="${share}" w:type="pct"/>`;
}

function rowXml(
  { cells }: RichRow,
  header: boolean,
  grid: readonly number[] | null,
  columns: number,
  content: (cell: RichCell) => string,
): string {
  let column = 0;
  const xml: string[] = [];
  for (const cell of cells) {
    const width = grid?.slice(column, column + cell.span).reduce((sum, part) => sum + part, 0);
    xml.push(`<w:tc>${cellPropertiesXml(cell, width ?? null)}${content(cell)}</w:tc>`);
    column += cell.span;
  }
  const after = columns > column ? valued("w:gridAfter", columns - column) : "";
  const properties = `${after}${header ? "<w:tblHeader/>" : ""}`;
  const rowProperties = properties === "" ? "" : `<w:trPr>${properties}</w:trPr>`;
  return `<w:tr>${rowProperties}${xml.join("")}</w:tr>`;
}

function cellPropertiesXml(cell: RichCell, width: number | null): string {
  const { span, merge, background, vertical } = cell;
  return [
    "<w:tcPr>",
    width === null ? '<w:tcW w:w="0" w:type="auto"/>' : `<w:tcW w:w="${width}" w:type="dxa"/>`,
    span > 1 ? valued("w:gridSpan", span) : "",
    merge === "start" ? valued("w:vMerge", "restart") : merge === "continue" ? "<w:vMerge/>" : "",
    background === null ? "" : `<w:shd w:val="clear" w:color="auto" w:fill="${background}"/>`,
    vertical === null ? "" : valued("w:vAlign", vertical),
    "</w:tcPr>",
  ].join("");
}
