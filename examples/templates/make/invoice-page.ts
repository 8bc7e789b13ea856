// The frame of each page of the invoice: letterhead, running header, bank details, paragraph styles.

import {
  AlignmentType,
  Footer,
  Header,
  ImageRun,
  type IParagraphStyleOptions,
  PageNumber,
  TableBorders,
  TextRun,
  VerticalAlign,
} from "docx";
import { cell, paragraph, row, rule, table, widthOf } from "./kit.ts";
import { foldedSheetLogo } from "./logo.ts";
import { torn } from "./torn.ts";

export const TEAL = "14505C";
export const HAIRLINE = "CBD8DA";
export const MUTED = "6B7B80";

export const INVOICE_STYLES: readonly IParagraphStyleOptions[] = [
  {
    id: "InvoiceTitle",
    name: "Invoice Title",
    basedOn: "Body",
    run: { size: 56, bold: true, color: TEAL },
    paragraph: { spacing: { before: 280, after: 240, line: 240 } },
  },
  { id: "Brand", name: "Brand", basedOn: "Body", run: { size: 32, bold: true, color: TEAL } },
  {
    id: "Label",
    name: "Label",
    basedOn: "Body",
    run: { size: 16, bold: true, color: TEAL, characterSpacing: 20, allCaps: true },
    paragraph: { spacing: { after: 60 }, keepNext: true },
  },
  {
    id: "Small",
    name: "Small",
    basedOn: "Body",
    run: { size: 16, color: MUTED },
    paragraph: { spacing: { line: 252 } },
  },
  {
    id: "Gap",
    name: "Gap",
    basedOn: "Body",
    run: { size: 8 },
    paragraph: { spacing: { line: 200 }, keepNext: true },
  },
  {
    id: "TableHead",
    name: "Table Head",
    basedOn: "Body",
    run: { size: 18, bold: true, color: "FFFFFF" },
  },
  { id: "TableText", name: "Table Text", basedOn: "Body", run: { size: 18 } },
  { id: "Strong", name: "Strong", basedOn: "Body", run: { bold: true } },
  {
    id: "Customer",
    name: "Customer",
    basedOn: "Body",
    run: { size: 24, bold: true },
  },
  {
    id: "GrandTotal",
    name: "Grand Total",
    basedOn: "Body",
    run: { size: 24, bold: true, color: TEAL },
  },
];

export function letterhead(): Header {
  const logo = new ImageRun({
    type: "png",
    data: foldedSheetLogo(),
    transformation: { width: 58, height: 58 },
    altText: { name: "Logo", description: "Fold & Field", title: "Fold & Field" },
  });
  const name = [
    paragraph("Brand", "Fold & Field"),
    paragraph("Small", "Paper goods and print workshop"),
  ];
  const sender = [
    "Fold & Field Ltd",
    "14 Merchants Quay, Cork T12 XN2P, Ireland",
    "accounts@foldandfield.example",
    "VAT ID IE 9999999WI",
  ].map((text) => paragraph("Small", text, { alignment: AlignmentType.RIGHT }));
  const options = (size: number) => ({
    width: widthOf(size),
    verticalAlign: VerticalAlign.CENTER,
  });
  const cells = [
    cell([paragraph("Picture", [logo])], options(1100)),
    cell(name, options(4538)),
    cell(sender, options(4000)),
  ];
  return new Header({ children: [table([1100, 4538, 4000], [row(cells)]), paragraph("Gap", "")] });
}

export function runningHeader(): Header {
  const number = torn("{{invoice.number}}", { runs: 4, first: { bold: true, color: TEAL } });
  const border = { bottom: { ...rule(HAIRLINE), space: 6 } };
  const content = ["Fold & Field  ·  Invoice ", number, "  ·  ", "{{customer.name}}"];
  return new Header({ children: [paragraph("Small", content, { border })] });
}

export function bankFooter(): Footer {
  const pages = new TextRun({
    children: ["Page ", PageNumber.CURRENT, " of ", PageNumber.TOTAL_PAGES],
  });
  const top = { ...TableBorders.NONE, top: rule(HAIRLINE) };
  const options = (size: number) => ({ width: widthOf(size), borders: top, margins: { top: 120 } });
  const right = { alignment: AlignmentType.RIGHT };
  const bank = [
    paragraph("Label", "Bank details"),
    paragraph("Small", "Munster Craft Bank  ·  BIC MCBKIE2D"),
    paragraph("Small", "IBAN IE29 AIBK 9311 5212 3456 78"),
  ];
  const company = [
    paragraph("Label", "Company"),
    paragraph("Small", "Registered in Ireland, no. 000417"),
    paragraph("Small", "Directors: M. Field, A. Ó Faoláin"),
  ];
  const place = [
    paragraph("Label", [torn("{{invoice.number}}", { runs: 5 })], right),
    paragraph("Small", [pages], right),
  ];
  const cells = [
    cell(bank, options(3800)),
    cell(company, options(3538)),
    cell(place, options(2300)),
  ];
  return new Footer({ children: [table([3800, 3538, 2300], [row(cells)]), paragraph("Gap", "")] });
}
