// The two tables of figures on the invoice: its items, and the sums with the VAT of each rate.

import { AlignmentType, type Table, TableBorders, type TableCell, type TableRow } from "docx";
import { HAIRLINE, TEAL } from "./invoice-page.ts";
import { type Content, cell, paragraph, row, rule, table, widthOf } from "./kit.ts";
import { torn } from "./torn.ts";

const ITEM_COLUMNS = [3018, 1560, 1680, 1680, 1700] as const;
const SUM_COLUMNS = [3300, 3900] as const;
const RIGHT = { alignment: AlignmentType.RIGHT };

export function itemsTable(): Table {
  const titles = ["Description", "Quantity", "Unit price", "VAT", "Amount"];
  const head = titles.map((title, column) =>
    figure([paragraph("TableHead", title, aligned(column))], column, TEAL),
  );
  const description = [
    paragraph("TableText", [
      torn("{{tablerow item in items}}", { runs: 9 }),
      torn("{{item.description}}", { runs: 4 }),
    ]),
    paragraph("TemplateTag", "{{if item.detail isPresent}}"),
    paragraph("Small", "{{item.detail}}"),
    paragraph("TemplateTag", "{{endif}}"),
  ];
  const figures: Content[] = [
    ["{{item.quantity :: number}} ", torn("{{item.unit :: optional}}", { runs: 5 })],
    torn('{{item.unitPrice :: currency("EUR")}}', { runs: 3 }),
    "{{item.taxRate :: percent}}",
    [
      torn('{{item.quantity * item.unitPrice :: currency("EUR")}}', { runs: 6 }),
      torn("{{endtablerow}}", { runs: 2 }),
    ],
  ];
  const item = [
    figure(description, 0),
    ...figures.map((content, at) => figure([paragraph("TableText", content, RIGHT)], at + 1)),
  ];
  return table(ITEM_COLUMNS, [row(head, { tableHeader: true }), row(item)], { padding: 110 });
}

function aligned(column: number): typeof RIGHT | Record<never, never> {
  return column === 0 ? {} : RIGHT;
}

function figure(
  children: ReturnType<typeof paragraph>[],
  column: number,
  fill?: string,
): TableCell {
  return cell(children, {
    width: widthOf(ITEM_COLUMNS[column] ?? 0),
    margins: { top: 80, bottom: 80, left: 90, right: 90 },
    ...(fill === undefined ? PLAIN : filled(fill)),
  });
}

const PLAIN = { borders: { ...TableBorders.NONE, bottom: rule(HAIRLINE) } };

/** Fills a cell. Borders in the fill colour close the hairline gaps that viewers show between filled cells. */
function filled(fill: string) {
  const edge = rule(fill);
  return { shading: { fill }, borders: { top: edge, bottom: edge, left: edge, right: edge } };
}

export function sumsTable(): Table {
  const rows = [
    sumRow("Body", "Net total", torn('{{$sum(taxes.net) :: currency("EUR")}}', { runs: 3 })),
    sumRow(
      "Body",
      [
        torn("{{tablerow tax in taxes}}", { runs: 4 }),
        'VAT {{tax.rate :: percent}} of {{tax.net :: currency("EUR")}}',
      ],
      ['{{tax.amount :: currency("EUR")}}', "{{endtablerow}}"],
    ),
    tagRow("{{if invoice.deposit > 0}}"),
    sumRow("Body", "Deposit received", '{{-invoice.deposit :: currency("EUR")}}'),
    tagRow("{{endif}}"),
    sumRow("GrandTotal", "Total to pay", [
      torn('{{$sum(taxes.net) + $sum(taxes.amount) - invoice.deposit :: currency("EUR")}}', {
        runs: 7,
        noise: "page-break",
      }),
    ]),
  ];
  const [label, value] = SUM_COLUMNS;
  const indent = ITEM_COLUMNS.reduce((sum, column) => sum + column, 0) - label - value;
  return table(SUM_COLUMNS, rows, { indent, padding: 90 });
}

/** Creates a row with only a block tag, across both columns. */
function tagRow(tag: string): TableRow {
  return row([cell([paragraph("TemplateTag", tag, { keepNext: true })], { columnSpan: 2 })]);
}

function sumRow(style: string, label: Content, value: Content): TableRow {
  const last = style === "GrandTotal";
  const edge = last ? { top: rule(TEAL, 12) } : { bottom: rule(HAIRLINE) };
  const options = {
    borders: { ...TableBorders.NONE, ...edge },
    margins: { top: last ? 120 : 70, bottom: 70, left: 90, right: 90 },
  };
  const [labelWidth, valueWidth] = SUM_COLUMNS;
  return row([
    cell([paragraph(style, label, { keepNext: true })], { ...options, width: widthOf(labelWidth) }),
    cell([paragraph(style, value, { ...RIGHT, keepNext: !last })], {
      ...options,
      width: widthOf(valueWidth),
    }),
  ]);
}
