import type { Names } from "./expressions.ts";
import { strip } from "./inline.ts";
import { type Block, containerOf, type Pen, paragraphId, type Strip } from "./pen.ts";

/** A cell: the XML of its properties and its blocks. */
interface Cell {
  readonly properties: string;
  readonly content: Block[];
}

/** Returns a table whose rows or columns repeat, and whose cells are merged. */
export function table(pen: Pen, names: Names, depth: number): string {
  const { random } = pen;
  if (random.oneIn(5)) return columnTable(pen, names, depth);
  if (random.oneIn(5)) return mergedTable(pen, names, depth);
  const width = 1 + random.below(3);
  const merges = !random.oneIn(3);
  const rows = random.several(1, 3, () => group(pen, { names, depth, width, merges })).flat();
  return tableXml(random.oneIn(3) ? [] : Array.from({ length: width }, () => 2000), rows);
}

/** Returns a table with vertically merged cells in the first column, in which some rows depend on the data. */
export function mergedTable(pen: Pen, names: Names, depth: number): string {
  const { random, tags } = pen;
  const rows = Array.from({ length: 3 + random.below(4) }, () => {
    const { open, close, inner, middles } = tags.block(names);
    const merge = random.pick(["", RESTART, RESTART, CONTINUE, CONTINUE, CONTINUE]);
    const whole = middles.length > 0 || random.oneIn(2);
    const text = strip(pen, whole ? names : inner, Math.max(depth, 4));
    const first: Strip = whole ? text : [{ text: open }, ...text];
    const last: Strip = whole ? [{ text: "x" }] : [{ text: "y" }, { text: close }];
    return rowXml(pen, [
      { properties: merge, content: [{ properties: "", strip: first }] },
      { properties: "", content: [{ properties: "", strip: last }] },
    ]);
  });
  return tableXml([2000, 2000], rows);
}

interface RowFacts {
  readonly names: Names;
  readonly depth: number;
  readonly width: number;
  readonly merges: boolean;
}

/** Returns rows, or a block around rows with its tags in these rows or in separate rows. */
function group(pen: Pen, facts: RowFacts): string[] {
  const { random, tags } = pen;
  const { names, depth, width } = facts;
  random.budget -= 1;
  if (random.budget < 0 || depth > 5 || random.oneIn(3)) return [rowXml(pen, cells(pen, facts))];
  const word = random.oneIn(2) ? "tablerow" : "for";
  const { open, middles, close, inner } = tags.block(names, word);
  const within = { ...facts, names: inner, depth: depth + 1 };
  const single = word === "tablerow" || (random.oneIn(2) && middles.length === 0);
  if (single && (width > 1 || word === "tablerow")) {
    const first = cells(pen, within);
    const rows = [first, ...(random.oneIn(4) ? [cells(pen, within)] : [])];
    addFirst(pen, first, open);
    addLast(pen, rows.at(-1) ?? first, close);
    return rows.map((row) => rowXml(pen, row));
  }
  const tagRow = (tag: string): string => {
    const empty = Array.from({ length: width }, () => ({ properties: "", content: [] as Block[] }));
    addFirst(pen, empty, tag);
    return rowXml(pen, empty);
  };
  const body = (): string[] =>
    random.oneIn(8) ? [] : random.several(1, 2, () => group(pen, within)).flat();
  const others = middles.flatMap((middle) => [tagRow(middle), ...body()]);
  const rows = [tagRow(open), ...body(), ...others, tagRow(close)];
  if (!random.oneIn(6)) return rows;
  return [
    `<w:sdt><w:sdtPr><w:id w:val="${pen.draft.next()}"/></w:sdtPr><w:sdtContent>${rows.join("")}</w:sdtContent></w:sdt>`,
  ];
}

function cells(pen: Pen, { names, depth, width, merges }: RowFacts): Cell[] {
  const { random } = pen;
  return Array.from({ length: width }, (_, column) => {
    const merge = merges && column === 0 ? random.pick(["", RESTART, CONTINUE, CONTINUE]) : "";
    const sized = random.oneIn(2) ? '<w:tcW w:w="2000" w:type="dxa"/>' : "";
    const content = random.oneIn(4)
      ? pen.blocks(pen, names, depth + 2)
      : [{ properties: "", strip: strip(pen, names, depth + 1) }];
    return { properties: sized + merge, content };
  });
}

const RESTART = '<w:vMerge w:val="restart"/>';
const CONTINUE = "<w:vMerge/>";

function addFirst({ random }: Pen, row: readonly Cell[], tag: string): void {
  const content = row[0]?.content;
  const first = content?.[0];
  if (typeof first === "object" && !random.oneIn(4)) first.strip.unshift({ text: tag });
  else content?.unshift({ properties: "", strip: [{ text: tag }] });
}

function addLast({ random }: Pen, row: readonly Cell[], tag: string): void {
  const content = row.at(-1)?.content;
  const last = content?.at(-1);
  if (typeof last === "object" && !random.oneIn(4)) last.strip.push({ text: tag });
  else content?.push({ properties: "", strip: [{ text: tag }] });
}

function rowXml(pen: Pen, row: readonly Cell[], before = ""): string {
  const xml = row.map(
    ({ properties, content }) =>
      `<w:tc><w:tcPr>${properties}</w:tcPr>${containerOf(pen, content)}</w:tc>`,
  );
  const header = pen.random.oneIn(6) ? "<w:trPr><w:tblHeader/></w:trPr>" : before;
  const id = pen.random.oneIn(8) ? paragraphId(pen) : "";
  return `<w:tr${id}>${header}${xml.join("")}</w:tr>`;
}

function tableXml(widths: readonly number[], rows: readonly string[]): string {
  const grid = widths.map((width) => `<w:gridCol w:w="${width}"/>`).join("");
  return `<w:tbl><w:tblPr/><w:tblGrid>${grid}</w:tblGrid>${rows.join("")}</w:tbl>`;
}

/** Returns a table in which one or two columns repeat, also below cells that cover all of them. */
function columnTable(pen: Pen, names: Names, depth: number): string {
  const { random, tags } = pen;
  const { open, close, inner } = tags.columns();
  const repeated = random.oneIn(3) ? 2 : 1;
  const text = (scope: Names): Strip => strip(pen, scope, Math.max(depth, 3));
  const cell = (content: Strip, properties = ""): Cell => ({
    properties: `<w:tcW w:w="1500" w:type="dxa"/>${properties}`,
    content: [{ properties: "", strip: content }],
  });
  const isSized = random.oneIn(2);
  const columns = Array.from({ length: repeated }, (_, index) =>
    cell([
      ...(index === 0 ? [{ text: open }] : []),
      ...text(inner),
      ...(isSized ? [{ text: tags.columnWidth(inner) }] : []),
      ...(index === repeated - 1 ? [{ text: close }] : []),
    ]),
  );
  const beside = random.oneIn(3) ? 0 : 1;
  const others = (): Cell[] => Array.from({ length: beside }, () => cell(text(names)));
  const rows = [[...others(), ...columns, ...others()]];
  for (let row = random.below(4); row > 0; row--) {
    const merges = random.oneIn(3);
    const below = Array.from({ length: repeated }, () => {
      if (merges) return cell([{ text: tags.across(inner) }]);
      const spans = random.oneIn(8) ? [{ text: tags.span(inner) }] : [];
      return cell([...text(inner), ...spans]);
    });
    const span = `<w:gridSpan w:val="${repeated + beside}"/>`;
    const covered = random.oneIn(2);
    rows.push(
      covered ? [cell(text(names), span), ...others()] : [...others(), ...below, ...others()],
    );
  }
  const widths = Array.from({ length: repeated + 2 * beside }, () => 1500);
  return tableXml(
    widths,
    rows.map((row) => rowXml(pen, row)),
  );
}
