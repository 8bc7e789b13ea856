import { placeOf, START, type State } from "../builder.ts";
import { parseColor } from "../colors.ts";
import { parseLength } from "../css.ts";
import { childElements, type HtmlElement } from "../element.ts";
import { formatWithin } from "../format.ts";
import type { RichBlock, RichCell, RichFormat, RichTable } from "../model.ts";
import {
  columnShares,
  layOut,
  type MergeAllowance,
  type SourceCell,
  type SourceRow,
} from "../table.ts";
import type { RichWarnings } from "../warnings.ts";
import { alignmentOf, directionOf } from "./state.ts";

/** Reads the content of a cell, which is nested `levels` elements below the table. */
export type CellReader = (cell: HtmlElement, state: State, levels: number) => readonly RichBlock[];

/** The result of reading a table. */
export interface ReadTable {
  /** The content above the table. */
  readonly captions: readonly HtmlElement[];
  /** Null for a table without cells. */
  readonly table: RichTable | null;
  /** Content that has no place in the table and is put below it. */
  readonly left: readonly RichBlock[];
}

/** Properties that cells take from their row, their section and their table. */
interface Surroundings {
  readonly format: RichFormat;
  readonly align: State["align"];
  readonly background: string | null;
  readonly vertical: RichCell["vertical"];
  readonly direction: State["direction"];
}

/** Reads a table element. `read` reads its cells, in source order. */
export function readTable(
  element: HtmlElement,
  state: State,
  read: CellReader,
  { warnings, merges }: { readonly warnings: RichWarnings; readonly merges: MergeAllowance },
): ReadTable {
  const around: Surroundings = {
    format: state.format,
    align: null,
    background: null,
    vertical: null,
    direction: state.direction,
  };
  const children = childElements(element.node);
  const rows = rowsOf(children, within(around, element), state, read);
  const grid = layOut(rows, merges, warnings);
  const captions = children.filter(({ name }) => name === "caption");
  const left = grid.left.flatMap(({ blocks }) => blocks);
  if (grid.rows.length === 0) return { captions, table: null, left };
  const table: RichTable = {
    kind: "table",
    ...placeOf(state),
    columns: columnShares(rows, grid.columns),
    rows: grid.rows,
    borders: !/^(?:none|0(?:px)?)\b/.test(bordersOf(element)),
    width: widthOf(element),
    direction: directionOf(element) ?? state.direction,
  };
  return { captions, table, left };
}

function bordersOf({ attributes, style }: HtmlElement): string {
  return style.get("border") ?? style.get("border-style") ?? attributes.get("border") ?? "";
}

function widthOf({ attributes, style }: HtmlElement): RichTable["width"] {
  const length = parseLength(style.get("width") ?? attributes.get("width"));
  if (length === null) return null;
  if ("share" in length) return length.share > 0 && length.share < 1 ? length : null;
  const twips = Math.round(length.points * 20);
  return twips > 0 && twips <= 31_680 ? { twips } : null;
}

const SECTIONS = ["thead", "tbody", "tfoot"];

/** Returns the rows, with header rows first and footer rows last. */
function rowsOf(
  children: readonly HtmlElement[],
  around: Surroundings,
  state: State,
  read: CellReader,
): SourceRow[] {
  const sections = children
    .filter(({ name }) => SECTIONS.includes(name))
    .sort((a, b) => rank(a) - rank(b));
  return sections.flatMap((section, index) => {
    const inSection = within(around, section);
    const header = section.name === "thead";
    return childElements(section.node)
      .filter(({ name }) => name === "tr")
      .map((row) => ({
        header,
        section: index,
        cells: cellsOf(row, within(inSection, row), state, read),
      }));
  });
}

/** Returns the order of a table's sections: headers, then bodies, then footers. */
function rank({ name }: HtmlElement): number {
  return SECTIONS.indexOf(name);
}

function cellsOf(
  row: HtmlElement,
  around: Surroundings,
  state: State,
  read: CellReader,
): SourceCell[] {
  return childElements(row.node)
    .filter(({ name }) => name === "td" || name === "th")
    .map((cell) => {
      const { attributes, style } = cell;
      const inCell = within(around, cell);
      const align = inCell.align ?? (cell.name === "th" ? "center" : null);
      const { format, background, vertical, direction } = inCell;
      const { href, space } = state;
      const blocks = read(cell, { ...START, format, align, direction, href, space }, 3);
      const width = parseLength(style.get("width") ?? attributes.get("width"));
      const rows = whole(attributes.get("rowspan"), 0);
      const span = whole(attributes.get("colspan"), 1);
      return { rows, span, width, background, vertical, blocks };
    });
}

/** Reads the attribute as a number. Returns 1 if it is not a number or is less than `minimum`. */
function whole(text: string | undefined, minimum: number): number {
  const match = /^\s{0,9}(\d{1,9})/.exec(text ?? "");
  const number = match === null ? 1 : Number(match[1]);
  return number < minimum ? 1 : number;
}

function within(outer: Surroundings, element: HtmlElement): Surroundings {
  const { name, attributes, style } = element;
  const { background, ...format } = formatWithin(outer.format, name, attributes, style);
  // The background of a cell is a property of the cell, because it fills more than the area behind its text.
  const own = background === outer.format.background ? null : background;
  const ground = own ?? parseColor(attributes.get("bgcolor") ?? "") ?? outer.background;
  return {
    format:
      outer.format.background === undefined
        ? format
        : { ...format, background: outer.format.background },
    align: alignmentOf(element) ?? outer.align,
    background: ground,
    vertical: verticalOf(element) ?? outer.vertical,
    direction: directionOf(element) ?? outer.direction,
  };
}

const VERTICALS: ReadonlyMap<string, RichCell["vertical"]> = new Map([
  ["top", "top"],
  ["middle", "center"],
  ["center", "center"],
  ["bottom", "bottom"],
]);

function verticalOf({ attributes, style }: HtmlElement): RichCell["vertical"] {
  return (
    VERTICALS.get(style.get("vertical-align") ?? attributes.get("valign")?.toLowerCase() ?? "") ??
    null
  );
}
