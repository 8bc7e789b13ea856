// invoice.docx: items and totals in tables, conditional rows, notes and payment instructions.

import {
  AlignmentType,
  Document,
  type Paragraph,
  type Table,
  TableBorders,
  TextRun,
  VerticalAlign,
} from "docx";
import { bankFooter, HAIRLINE, INVOICE_STYLES, letterhead, runningHeader } from "./invoice-page.ts";
import { itemsTable, totalsTable } from "./invoice-tables.ts";
import { A4, blockTag, cell, paragraph, row, rule, stylesOf, table, widthOf } from "./kit.ts";
import { torn } from "./torn.ts";

const PALE = "EEF4F4";
const MARGIN = 1134;

export function invoiceTemplate(): Document {
  const look = { font: "Calibri", ink: "1F2A30", muted: "9AA8AC", size: 20, after: 0, line: 264 };
  return new Document({
    styles: stylesOf(look, INVOICE_STYLES),
    sections: [
      {
        properties: {
          titlePage: true,
          page: {
            size: A4,
            margin: {
              top: 1900,
              bottom: 1900,
              left: MARGIN,
              right: MARGIN,
              header: 680,
              footer: 560,
            },
          },
        },
        headers: { first: letterhead(), default: runningHeader() },
        footers: { first: bankFooter(), default: bankFooter() },
        children: [
          paragraph("InvoiceTitle", "Invoice"),
          addressTable(),
          paragraph("Body", "", { spacing: { after: 200 } }),
          itemsTable(),
          paragraph("Gap", ""),
          totalsTable(),
          ...note(),
          paymentBox(),
        ],
      },
    ],
  });
}

function addressTable(): Table {
  const customer = [
    paragraph("Label", "Bill to"),
    paragraph("Body", [torn("{{customer.name}}", { runs: 5, first: { bold: true, size: 24 } })]),
    paragraph("Body", "{{customer.street}}"),
    paragraph("Body", [torn("{{customer.city}}", { runs: 3, noise: "grammar" })]),
    paragraph("Body", "{{customer.country :: uppercase}}"),
    blockTag("{{if customer.vatId isPresent}}"),
    paragraph("Small", ["VAT ID ", torn("{{customer.vatId}}", { runs: 6 })], {
      spacing: { before: 60 },
    }),
    blockTag("{{endif}}"),
  ];
  return table(
    [5438, 4200],
    [
      row([
        cell(customer, { width: widthOf(5438) }),
        cell([facts(), paragraph("Gap", "")], { width: widthOf(4200) }),
      ]),
    ],
  );
}

function facts(): Table {
  const reference = torn("{{invoice.reference :: default(“n/a”)}}", { runs: 11 });
  const lines = [
    [
      "Invoice number",
      torn("{{invoice.number}}", {
        runs: 3,
        first: { bold: true },
        noise: { bookmark: "_GoBack" },
      }),
    ],
    ["Invoice date", ["{{invoice.date}}"]],
    ["Due date", [new TextRun({ text: "{{", bold: true, color: "C4602A" }), "invoice.due}}"]],
    ["Your reference", reference],
  ] as const;
  const pad = { top: 70, bottom: 70 };
  return table(
    [1900, 2300],
    lines.map(([label, value]) => {
      const borders = { ...TableBorders.NONE, bottom: rule(HAIRLINE) };
      return row([
        cell([paragraph("Small", label)], {
          width: widthOf(1900),
          borders,
          margins: pad,
          verticalAlign: VerticalAlign.CENTER,
        }),
        cell([paragraph("Body", value, { alignment: AlignmentType.RIGHT })], {
          width: widthOf(2300),
          borders,
          margins: pad,
        }),
      ]);
    }),
  );
}

function note(): Paragraph[] {
  return [
    blockTag(torn("{{if invoice.note isPresent}}", { runs: 8 })),
    paragraph("Label", "Note", { spacing: { before: 240, after: 60 } }),
    paragraph("Body", [torn("{{invoice.note}}", { runs: 3 })], { keepLines: true }),
    blockTag("{{endif}}"),
    paragraph("Gap", "", { spacing: { after: 120 } }),
  ];
}

function paymentBox(): Table {
  const content = [
    paragraph("Label", "Payment"),
    blockTag(torn('{{if invoice.payment == "bank transfer"}}', { runs: 14 })),
    paragraph("Body", [
      "Please transfer ",
      torn("{{invoice.total}}", { runs: 4, first: { bold: true } }),
      " by {{invoice.due}} to the account below, quoting ",
      "{{invoice.number}}",
      ".",
    ]),
    blockTag('{{elseif invoice.payment == "card"}}'),
    paragraph("Body", [
      "We will charge ",
      torn("{{invoice.total}}", { runs: 6, first: { bold: true }, noise: "grammar" }),
      " to your card ending in ",
      torn("{{invoice.cardEnding :: optional}}", { runs: 7 }),
      " on {{invoice.due}}. There is nothing for you to do.",
    ]),
    blockTag(torn("{{else}}", { runs: 3, noise: "none" })),
    paragraph("Body", [
      new TextRun({ text: "Paid in full", bold: true }),
      " on {{invoice.paidOn :: optional}}. Thank you; this invoice is for your records only.",
    ]),
    blockTag("{{endif}}"),
  ];
  const borders = { ...TableBorders.NONE, left: rule("E8854A", 24) };
  const shading = { fill: PALE };
  const margins = { top: 140, bottom: 140, left: 220, right: 220 };
  return table([9638], [row([cell(content, { width: widthOf(9638), borders, shading, margins })])]);
}
