/** Small workbooks, with the same XML as spreadsheet programs write. */
import PizZip from "pizzip";

const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** A sheet: the XML of the cells in each row, or the whole content of `sheetData`. */
export interface TestSheet {
  readonly name?: string;
  readonly state?: "hidden" | "veryHidden";
  /** Null for a row that the sheet does not have. */
  readonly rows: readonly (readonly (string | null)[] | null)[] | string;
  /** The XML after `sheetData`. */
  readonly behind?: string;
}

/** The content of a workbook. */
export interface TestWorkbook {
  readonly sheets: readonly TestSheet[];
  /** The XML of each `si`, without the element itself. */
  readonly strings?: readonly string[];
  /** The format of each cell style, from 1: its code, or the number of a built-in format. Style 0 is General. */
  readonly formats?: readonly (string | number)[];
  readonly date1904?: boolean;
  /** Additional or replaced parts; null removes a part. */
  readonly parts?: Readonly<Record<string, string | null>>;
}

/** Creates the bytes of a workbook. */
export function xlsx({
  sheets,
  strings,
  formats = [],
  date1904,
  parts = {},
}: TestWorkbook): Uint8Array {
  const zip = new PizZip();
  const made: Record<string, string | null> = {
    "[Content_Types].xml": `<Types xmlns="${PACKAGE}/content-types"/>`,
    "_rels/.rels": relationships([["rId1", "officeDocument", "xl/workbook.xml"]]),
    "xl/workbook.xml": `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}">${date1904 ? '<workbookPr date1904="1"/>' : ""}<sheets>${sheets.map(sheetEntry).join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relationships([
      ...sheets.map(
        (_, index) => [`s${index}`, "worksheet", `worksheets/sheet${index + 1}.xml`] as const,
      ),
      ["st", "styles", "styles.xml"],
      ["sh", "sharedStrings", "/xl/sharedStrings.xml"],
    ]),
    "xl/styles.xml": styles(formats),
  };
  if (strings !== undefined) {
    const items = strings.map((item) => `<si>${item}</si>`).join("");
    made["xl/sharedStrings.xml"] = `<?xml version="1.0"?><sst xmlns="${MAIN}">${items}</sst>`;
  }
  for (const [index, { rows, behind = "" }] of sheets.entries()) {
    const data = typeof rows === "string" ? rows : rows.map(rowXml).join("");
    made[`xl/worksheets/sheet${index + 1}.xml`] =
      `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="${MAIN}"><sheetData>${data}</sheetData>${behind}</worksheet>`;
  }
  for (const [name, content] of Object.entries({ ...made, ...parts })) {
    if (content !== null) zip.file(name, content);
  }
  return zip.generate({ type: "uint8array", compression: "DEFLATE" });
}

function sheetEntry({ name, state }: TestSheet, index: number): string {
  const hidden = state === undefined ? "" : ` state="${state}"`;
  return `<sheet name="${name ?? `Sheet${index + 1}`}" sheetId="${index + 1}"${hidden} r:id="s${index}"/>`;
}

function rowXml(cells: readonly (string | null)[] | null, index: number): string {
  if (cells === null) return "";
  const placed = cells.map((cell, column) =>
    (cell ?? "").replace("<c", `<c r="${String.fromCharCode(65 + column)}${index + 1}"`),
  );
  return `<row r="${index + 1}">${placed.join("")}</row>`;
}

/** Creates a cell with a number and a style. */
export function n(value: number | string, style = 0): string {
  return `<c s="${style}"><v>${value}</v></c>`;
}

/** Creates a cell with an inline string. */
export function t(text: string): string {
  return `<c t="inlineStr"><is><t>${text}</t></is></c>`;
}

/** Creates a cell with a shared string. */
export function s(index: number): string {
  return `<c t="s"><v>${index}</v></c>`;
}

/** Creates a cell with a boolean. */
export function b(value: boolean): string {
  return `<c t="b"><v>${value ? 1 : 0}</v></c>`;
}

function styles(formats: readonly (string | number)[]): string {
  const codes = formats.flatMap((format, index) =>
    typeof format === "string"
      ? [`<numFmt numFmtId="${164 + index}" formatCode="${format.replaceAll('"', "&quot;")}"/>`]
      : [],
  );
  const xfs = formats.map(
    (format, index) => `<xf numFmtId="${typeof format === "number" ? format : 164 + index}"/>`,
  );
  return `<styleSheet xmlns="${MAIN}"><numFmts>${codes.join("")}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${xfs.join("")}</cellXfs></styleSheet>`;
}

function relationships(all: readonly (readonly [string, string, string])[]): string {
  const each = all.map(
    ([id, kind, target]) =>
      `<Relationship Id="${id}" Type="${OFFICE}/${kind}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${PACKAGE}/relationships">${each.join("")}</Relationships>`;
}
