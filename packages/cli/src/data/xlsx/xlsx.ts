import { fileLabel } from "../../entries/entry.ts";
import { localNotation, NEUTRAL } from "../../entries/notation.ts";
import type { Table, TableRow } from "../table.ts";
import { openArchive, type XlsxArchive } from "./archive.ts";
import { readMergedRanges } from "./merged-cells.ts";
import { columnLetters, type SheetContext, SheetReader } from "./sheet.ts";
import { readStrings } from "./strings.ts";
import { type NumberForm, readStyles } from "./styles.ts";
import { readWorkbook, type Workbook } from "./workbook.ts";
import { parseXml } from "./xml.ts";

/** Options for reading a workbook. */
export interface XlsxOptions {
  /** The name of a sheet. Default: the first visible sheet. */
  readonly sheet?: string | undefined;
  /** The locale of numbers and dates that are stored as text. */
  readonly dataLocale?: string | undefined;
}

/** A sheet of Excel's maximum size with short strings has about two billion bytes. */
const MAX_SHEET_BYTES = 4_000_000_000;
const MAX_STRINGS_BYTES = 1_000_000_000;
const MAX_STYLES_BYTES = 100_000_000;

/**
 * Opens a sheet of a workbook (.xlsx), which is read as a stream; the workbook's shared strings are kept in memory.
 * First, the whole sheet is checked for damage. Throws `invalid_data` for any other file, a damaged file or an unknown
 * sheet, and `limit_exceeded` if a part of the file is too large.
 */
export async function openXlsx(path: string, options: XlsxOptions): Promise<Table> {
  const label = fileLabel(path);
  const { sheet, dataLocale } = options;
  const archive = await openArchive(path, label);
  try {
    const workbook = await readWorkbook(archive, label, sheet);
    const context: SheetContext = {
      label,
      from1904: workbook.from1904,
      strings: await stringsOf(archive, label, workbook),
      forms: await formsOf(archive, label, workbook),
      merged: await readMergedRanges(archive.read(workbook.sheetPart, MAX_SHEET_BYTES)),
    };
    const place = `the sheet ${JSON.stringify(workbook.sheetName)} of ${label}`;
    return {
      label,
      notation: dataLocale === undefined ? NEUTRAL : localNotation(dataLocale),
      place: (line) => `Row ${line} of ${place}`,
      columnPlace: (index) => `column ${columnLetters(index)}`,
      isSparse: true,
      rows: () => readRows(path, workbook, context),
    };
  } finally {
    archive.close();
  }
}

async function* readRows(
  path: string,
  { sheetPart: part }: Workbook,
  context: SheetContext,
): AsyncGenerator<TableRow, void, undefined> {
  const { label } = context;
  const archive = await openArchive(path, label);
  try {
    const reader = new SheetReader(context);
    const content = archive.read(part, MAX_SHEET_BYTES);
    yield* parseXml({ label, part }, content, reader, () => reader.taken());
  } finally {
    archive.close();
  }
}

async function stringsOf(
  archive: XlsxArchive,
  label: string,
  { stringsPart: part }: Workbook,
): Promise<readonly string[]> {
  if (part === null) return [];
  return readStrings({ label, part }, archive.read(part, MAX_STRINGS_BYTES));
}

async function formsOf(
  archive: XlsxArchive,
  label: string,
  { stylesPart: part }: Workbook,
): Promise<readonly NumberForm[]> {
  if (part === null) return [];
  return readStyles({ label, part }, archive.read(part, MAX_STYLES_BYTES));
}
