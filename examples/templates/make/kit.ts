// The few building blocks that the templates share: paragraphs, cells, tables, styles.

import {
  BorderStyle,
  type IBorderOptions,
  type IParagraphOptions,
  type IParagraphStyleOptions,
  type IRunOptions,
  type IStylesOptions,
  type ITableCellOptions,
  type ITableRowOptions,
  LineRuleType,
  Paragraph,
  type ParagraphChild,
  Table,
  TableBorders,
  TableCell,
  TableLayoutType,
  TableRow,
  TextRun,
  WidthType,
} from "docx";

/** A4 in twentieths of a point. */
export const A4 = { width: 11906, height: 16838 };

type Inline = string | ParagraphChild | readonly ParagraphChild[];
export type Content = string | readonly Inline[];

export function paragraph(
  style: string,
  content: Content,
  options: Omit<IParagraphOptions, "style" | "children" | "text"> = {},
): Paragraph {
  const parts = typeof content === "string" ? [content] : content;
  const children = parts.flatMap((part) => (typeof part === "string" ? new TextRun(part) : part));
  return new Paragraph({ ...options, style, children });
}

/** Creates a paragraph with only a block tag. Rendering removes this paragraph. */
export function blockTag(tag: string | readonly ParagraphChild[]): Paragraph {
  return paragraph("TemplateTag", typeof tag === "string" ? tag : [tag]);
}

export function cell(
  children: ITableCellOptions["children"],
  options: Omit<ITableCellOptions, "children"> = {},
): TableCell {
  return new TableCell({ ...options, children });
}

export function row(
  children: readonly TableCell[],
  options: Omit<ITableRowOptions, "children"> = {},
): TableRow {
  return new TableRow({ cantSplit: true, ...options, children });
}

/** Creates a table with fixed column widths and without borders. Cells draw their own borders. */
export function table(
  columnWidths: readonly number[],
  rows: readonly TableRow[],
  options: {
    readonly indent?: number;
    readonly padding?: number;
    readonly rightToLeft?: boolean;
  } = {},
): Table {
  const { indent = 0, padding = 0, rightToLeft } = options;
  const width = columnWidths.reduce((sum, column) => sum + column, 0);
  return new Table({
    rows,
    columnWidths,
    width: { size: width, type: WidthType.DXA },
    indent: { size: indent, type: WidthType.DXA },
    layout: TableLayoutType.FIXED,
    borders: TableBorders.NONE,
    margins: { top: 0, bottom: 0, left: padding, right: padding },
    ...(rightToLeft === true ? { visuallyRightToLeft: true } : {}),
  });
}

export function widthOf(size: number): { size: number; type: typeof WidthType.DXA } {
  return { size, type: WidthType.DXA };
}

export function rule(color: string, size = 4): IBorderOptions {
  return { style: BorderStyle.SINGLE, size, color, space: 0 };
}

export interface Look {
  readonly font: string;
  /** The font of Chinese, Japanese and Korean characters. Default: none, so Word chooses one. */
  readonly eastAsianFont?: string;
  /** The language of the text. Default British English. */
  readonly language?: IRunOptions["language"];
  /** Whether the runs of all paragraphs are right to left. */
  readonly rightToLeft?: boolean;
  readonly ink: string;
  readonly muted: string;
  /** The font size in half-points. */
  readonly size: number;
  /** Space after a body paragraph, in twentieths of a point. */
  readonly after: number;
  /** Line height in 240ths of a line. */
  readonly line: number;
}

/** Creates the document defaults, the style of block tags, and the template's own paragraph styles. */
export function stylesOf(look: Look, own: readonly IParagraphStyleOptions[]): IStylesOptions {
  const { font, eastAsianFont, ink, muted, size, after, line, rightToLeft } = look;
  const language = look.language ?? { value: "en-GB", eastAsia: "zh-CN", bidirectional: "he-IL" };
  const eastAsia = eastAsianFont === undefined ? {} : { eastAsia: eastAsianFont };
  const fonts = { ascii: font, hAnsi: font, cs: font, ...eastAsia };
  return {
    default: { document: { run: { font: fonts, size, color: ink, language } } },
    paragraphStyles: [
      {
        id: "Body",
        name: "Body",
        quickFormat: true,
        ...(rightToLeft === true ? { run: { rightToLeft } } : {}),
        paragraph: { spacing: { after, line, lineRule: LineRuleType.AUTO } },
      },
      {
        id: "Picture",
        name: "Picture",
        basedOn: "Body",
        paragraph: { spacing: { after: 0, line: 240, lineRule: LineRuleType.AUTO } },
      },
      { id: "TemplateTag", name: "Template Tag", basedOn: "Body", run: { size: 15, color: muted } },
      ...own,
    ],
  };
}
