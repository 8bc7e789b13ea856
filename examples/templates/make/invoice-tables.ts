// The two tables of figures on the invoice.

import {
  AlignmentType,
  type Table,
  TableBorders,
  type TableCell,
  type TableRow,
  TextRun,
} from "docx";
import { HAIRLINE, MUTED, TEAL } from "./invoice-page.ts";
import { type Content, cell, paragraph, row, rule, table, widthOf } from "./kit.ts";
import { torn } from "./torn.ts";

const ITEM_COLUMNS = [5038, 1400, 1500, 1700] as const;
const TOTAL_COLUMNS = [2400, 1900] as const;
const RIGHT = { alignment: AlignmentType.RIGHT };

export function itemsTable(): Table {
  const titles = ["Description", "Quantity", "Unit price", "Amount"];
  const head = titles.map((title, column) => figure("TableHead", title, column, TEAL));
  const description = [
    torn("{{tablerow item in invoice.items}}", { runs: 9 }),
    torn("{{item.description}}", { runs: 4 }),
    "{{if item.detail isPresent}}",
    new TextRun({ text: ", {{item.detail}}", color: MUTED }),
    "{{endif}}",
  ];
  const amount = ["{{item.amount}}", torn("{{endtablerow}}", { runs: 2 })];
  const contents: Content[] = [
    description,
    ["{{item.quantity}} ", torn("{{item.unit :: optional}}", { runs: 5 })],
    "{{item.unitPrice}}",
    amount,
  ];
  const item = contents.map((content, column) => figure("TableText", content, column));
  return table(ITEM_COLUMNS, [row(head, { tableHeader: true }), row(item)], { padding: 110 });
}

function figure(style: string, content: Content, column: number, fill?: string): TableCell {
  return cell([paragraph(style, content, column === 0 ? {} : RIGHT)], {
    width: widthOf(ITEM_COLUMNS[column] ?? 0),
    margins: { top: 90, bottom: 90, left: 110, right: 110 },
    ...(fill === undefined ? PLAIN : filled(fill)),
  });
}

const PLAIN = { borders: { ...TableBorders.NONE, bottom: rule(HAIRLINE) } };

/** Borders in the fill colour close the hairline gaps that viewers show between filled cells. */
function filled(fill: string) {
  const edge = rule(fill);
  return { shading: { fill }, borders: { top: edge, bottom: edge, left: edge, right: edge } };
}

export function totalsTable(): Table {
  const rows = [
    totalRow("Body", "Subtotal", [torn("{{invoice.subtotal}}", { runs: 3 })]),
    tagRow("{{if invoice.discount isPresent}}"),
    totalRow("Body", "{{invoice.discountLabel}}", ["−", "{{invoice.discount}}"]),
    tagRow("{{endif}}"),
    totalRow("Body", "{{invoice.vatLabel}}", "{{invoice.vat}}"),
    totalRow("GrandTotal", "Total", [torn("{{invoice.total}}", { runs: 7, noise: "page-break" })]),
  ];
  const [label, value] = TOTAL_COLUMNS;
  const indent = ITEM_COLUMNS.reduce((sum, column) => sum + column, 0) - label - value;
  return table(TOTAL_COLUMNS, rows, { indent, padding: 110 });
}

/** A row with only a block tag, across both columns. */
function tagRow(tag: string): TableRow {
  return row([cell([paragraph("TemplateTag", tag, { keepNext: true })], { columnSpan: 2 })]);
}

function totalRow(style: string, label: Content, value: Content): TableRow {
  const last = style === "GrandTotal";
  const edge = last ? { top: rule(TEAL, 12) } : { bottom: rule(HAIRLINE) };
  const options = {
    borders: { ...TableBorders.NONE, ...edge },
    margins: { top: last ? 120 : 70, bottom: 70, left: 110, right: 110 },
  };
  const [labelWidth, valueWidth] = TOTAL_COLUMNS;
  return row([
    cell([paragraph(style, label, { keepNext: true })], { ...options, width: widthOf(labelWidth) }),
    cell([paragraph(style, value, { ...RIGHT, keepNext: !last })], {
      ...options,
      width: widthOf(valueWidth),
    }),
  ]);
}
