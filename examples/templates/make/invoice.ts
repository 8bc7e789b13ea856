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
import { itemsTable, sumsTable } from "./invoice-tables.ts";
import {
  A4,
  blockTag,
  type Content,
  cell,
  paragraph,
  row,
  rule,
  stylesOf,
  table,
  widthOf,
} from "./kit.ts";
import { torn } from "./torn.ts";

const PALE = "EEF4F4";
const MARGIN = 1134;

export function invoiceTemplate(): Document {
  const look = { font: "Calibri", ink: "1F2A30", muted: "0B7285", size: 20, after: 0, line: 264 };
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
          sumsTable(),
          ...vatNote(),
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
    paragraph("Customer", [torn("{{customer.name}}", { runs: 5 })]),
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
    [4338, 5300],
    [
      row([
        cell(customer, { width: widthOf(4338) }),
        cell([facts(), paragraph("Gap", "")], { width: widthOf(5300) }),
      ]),
    ],
  );
}

function facts(): Table {
  const lines: readonly (readonly [string, string, Content])[] = [
    [
      "Invoice number",
      "Strong",
      torn("{{invoice.number}}", { runs: 3, noise: { bookmark: "_GoBack" } }),
    ],
    ["Invoice date", "Body", torn(dateTag("issued"), { runs: 5 })],
    ["Due date", "Body", dateTag("due")],
    ["Your reference", "Body", torn("{{invoice.reference :: default(“n/a”)}}", { runs: 11 })],
  ];
  const pad = { top: 70, bottom: 70 };
  return table(
    [1200, 4100],
    lines.map(([label, style, value]) => {
      const borders = { ...TableBorders.NONE, bottom: rule(HAIRLINE) };
      return row([
        cell([paragraph("Small", label)], {
          width: widthOf(1200),
          borders,
          margins: pad,
          verticalAlign: VerticalAlign.CENTER,
        }),
        cell([paragraph(style, value, { alignment: AlignmentType.RIGHT })], {
          width: widthOf(4100),
          borders,
          margins: pad,
        }),
      ]);
    }),
  );
}

/** Returns the tag for a date of the invoice. The name of the month is in the language of the entry's locale. */
function dateTag(key: "issued" | "due" | "paidOn"): string {
  return `{{invoice.${key} :: format("d MMM yyyy")}}`;
}

/** Creates a note with the reason why a rate is 0, as the law requires. */
function vatNote(): Paragraph[] {
  const above = { spacing: { before: 160 } };
  return [
    blockTag('{{if invoice.vat == "reverse charge"}}'),
    paragraph(
      "Small",
      ["Reverse charge: the recipient, VAT ID {{customer.vatId}}, accounts for the VAT."],
      above,
    ),
    blockTag('{{elseif invoice.vat == "export"}}'),
    paragraph("Small", "Export outside the European Union: free of VAT.", above),
    blockTag("{{endif}}"),
  ];
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
      "Please transfer the total by ",
      torn(dateTag("due"), { runs: 4 }),
      " to the account below, quoting {{invoice.number}}.",
    ]),
    blockTag('{{elseif invoice.payment == "card"}}'),
    paragraph("Body", [
      "We will charge your card ending in ",
      torn("{{invoice.cardEnding}}", { runs: 7 }),
      ` on ${dateTag("due")}. There is nothing for you to do.`,
    ]),
    blockTag(torn("{{else}}", { runs: 3, noise: "none" })),
    paragraph("Body", [
      new TextRun({ text: "Paid in full", bold: true }),
      ` on ${dateTag("paidOn")}. Thank you; this invoice is for your records only.`,
    ]),
    blockTag("{{endif}}"),
  ];
  const borders = { ...TableBorders.NONE, left: rule("E8854A", 24) };
  const shading = { fill: PALE };
  const margins = { top: 140, bottom: 140, left: 220, right: 220 };
  return table([9638], [row([cell(content, { width: widthOf(9638), borders, shading, margins })])]);
}
