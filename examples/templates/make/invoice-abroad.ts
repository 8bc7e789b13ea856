// invoice-ja.docx and invoice-he.docx: the same layout in Japanese and, from right to left, in Hebrew. The fonts of a
// template are those that `npm run demo` installs, so that the PDFs show the characters as designed.

import { AlignmentType, Document, type Table, TableBorders } from "docx";
import { HAIRLINE, INVOICE_STYLES, TEAL } from "./invoice-page.ts";
import * as kit from "./kit.ts";
import { type Content, cell, row, rule, widthOf } from "./kit.ts";
import { torn } from "./torn.ts";

/** The words of an invoice, and what depends on its language. */
export interface Edition {
  readonly look: Pick<kit.Look, "font" | "eastAsianFont" | "language">;
  readonly rightToLeft: boolean;
  /** The code of the currency. The locale of the document decides how amounts look. */
  readonly currency: string;
  /** The pattern of dates. */
  readonly date: string;
  readonly title: string;
  readonly customer: string;
  /** The lines of the customer's name and address. */
  readonly address: readonly [name: string, ...string[]];
  readonly seller: { readonly name: string; readonly lines: readonly string[] };
  readonly facts: { readonly number: string; readonly issued: string; readonly due: string };
  readonly columns: readonly [string, string, string, string, string];
  /** The text after the description of an item. */
  readonly mark?: string;
  readonly net: string;
  /** The label of the tax of one rate. */
  readonly tax: string;
  readonly total: string;
  readonly notes: readonly string[];
  readonly payment: { readonly title: string; readonly lines: readonly string[] };
}

const COLUMNS = [3838, 1500, 1550, 950, 1800] as const;
/** The first column is empty. An indent would do the same, but not in LibreOffice from right to left. */
const SUM_COLUMNS = [3638, 4200, 1800] as const;
const END = { alignment: AlignmentType.END };
/** Figures are on the right in both directions, so that their decimals are below each other. */
const FIGURE = { alignment: AlignmentType.RIGHT };
const LINED = { ...TableBorders.NONE, bottom: rule(HAIRLINE) };

export function invoiceAbroad(edition: Edition): Document {
  const { rightToLeft, title } = edition;
  const look = { ink: "1F2A30", muted: "0B7285", size: 20, after: 0, line: 288, rightToLeft };
  const margin = { top: 1134, bottom: 1134, left: 1134, right: 1134 };
  const { paragraph } = writer(edition);
  return new Document({
    styles: kit.stylesOf({ ...look, ...edition.look }, INVOICE_STYLES),
    sections: [
      {
        properties: { page: { size: kit.A4, margin } },
        children: [
          paragraph("InvoiceTitle", title, { border: { bottom: { ...rule(TEAL, 12), space: 6 } } }),
          parties(edition),
          paragraph("Body", ""),
          items(edition),
          paragraph("Gap", ""),
          sums(edition),
          ...edition.notes.map((note) => paragraph("Small", note)),
          paragraph("Label", edition.payment.title, { spacing: { before: 360, after: 60 } }),
          ...edition.payment.lines.map((line) => paragraph("Body", line)),
        ],
      },
    ],
  });
}

/** Returns the functions of the kit, adapted to the direction of the text. */
function writer({ rightToLeft }: Edition) {
  const direction = rightToLeft ? { bidirectional: true } : {};
  const paragraph: typeof kit.paragraph = (style, content, options = {}) =>
    kit.paragraph(style, content, { ...options, ...direction });
  const table: typeof kit.table = (widths, rows, options = {}) =>
    kit.table(widths, rows, { ...options, rightToLeft });
  return { paragraph, table };
}

/** Creates a table with the customer and the dates on the leading side, and the seller on the other side. */
function parties(edition: Edition): Table {
  const { customer, address, seller, facts, date } = edition;
  const [name, ...lines] = address;
  const { paragraph, table } = writer(edition);
  const dated = (key: string) => `{{invoice.${key} :: format("${date}")}}`;
  const dates = [
    `${facts.number} {{invoice.number}}`,
    `${facts.issued} ${dated("issued")}`,
    `${facts.due} ${dated("due")}`,
  ];
  const left = [
    paragraph("Label", customer),
    paragraph("Customer", name),
    ...lines.map((line) => paragraph("Body", line)),
  ];
  const right = [
    ...dates.map((text) => paragraph("Body", text, END)),
    paragraph("Gap", ""),
    paragraph("Strong", seller.name, END),
    ...seller.lines.map((line) => paragraph("Small", line, END)),
  ];
  const cells = [cell(left, { width: widthOf(4638) }), cell(right, { width: widthOf(5000) })];
  return table([4638, 5000], [row(cells)]);
}

function items(edition: Edition): Table {
  const { columns, currency, mark = "" } = edition;
  const { paragraph, table } = writer(edition);
  const money = `currency("${currency}")`;
  const contents: readonly Content[] = [
    [torn("{{tablerow item in items}}", { runs: 4 }), `{{item.description}}${mark}`],
    "{{item.quantity :: number}} {{item.unit}}",
    `{{item.unitPrice :: ${money}}}`,
    "{{item.taxRate :: percent}}",
    `{{item.quantity * item.unitPrice :: ${money}}}{{endtablerow}}`,
  ];
  const cells = (style: string, texts: readonly Content[], options: object) =>
    texts.map((text, at) =>
      cell([paragraph(style, text, at === 0 ? {} : FIGURE)], {
        width: widthOf(COLUMNS[at] ?? 0),
        margins: { top: 90, bottom: 90, left: 90, right: 90 },
        borders: LINED,
        ...options,
      }),
    );
  const head = cells("TableHead", columns, { shading: { fill: TEAL } });
  return table(COLUMNS, [row(head, { tableHeader: true }), row(cells("Body", contents, {}))]);
}

function sums(edition: Edition): Table {
  const { currency, net, tax, total } = edition;
  const { paragraph, table } = writer(edition);
  const money = `currency("${currency}")`;
  const line = (style: string, texts: readonly [string, string, string]) =>
    row(
      texts.map((text, at) =>
        cell([paragraph(style, text, at === 2 ? FIGURE : { keepNext: true })], {
          width: widthOf(SUM_COLUMNS[at] ?? 0),
          margins: { top: 80, bottom: 80, left: 90, right: 90 },
          borders: at === 0 ? TableBorders.NONE : LINED,
        }),
      ),
    );
  const rows = [
    line("Body", ["", net, `{{$sum(taxes.net) :: ${money}}}`]),
    line("Body", ["{{tablerow tax in taxes}}", tax, `{{tax.amount :: ${money}}}{{endtablerow}}`]),
    line("GrandTotal", ["", total, `{{$sum(taxes.net) + $sum(taxes.amount) :: ${money}}}`]),
  ];
  return table(SUM_COLUMNS, rows);
}
