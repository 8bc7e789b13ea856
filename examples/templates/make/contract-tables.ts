// The schedule and the signatures of the contract: one row for each milestone and for each party.

import { AlignmentType, type Paragraph, type Table, TableBorders, type TableCell } from "docx";
import { HAIRLINE, NAVY } from "./contract-styles.ts";
import { type Content, cell, paragraph, row, rule, table, widthOf } from "./kit.ts";
import { torn } from "./torn.ts";

const MILESTONE_COLUMNS = [900, 4484, 1900, 1900] as const;
const SIGNATURE_COLUMNS = [4784, 4400] as const;
const RIGHT = { alignment: AlignmentType.RIGHT };

export function milestoneTable(): Table {
  const titles = ["No.", "Deliverable", "Due", "Fee"];
  const head = titles.map((title, column) => field("TableHead", title, column, NAVY));
  const contents: Content[] = [
    [torn("{{tablerow milestone in milestones}}", { runs: 16 }), "{{milestone.number}}"],
    [torn("{{milestone.deliverable}}", { runs: 5, first: { bold: true } })],
    "{{milestone.due}}",
    ["{{milestone.fee}}", torn("{{endtablerow}}", { runs: 6 })],
  ];
  const total: Content[] = [
    "",
    "Total",
    "",
    [torn("{{fee.total}}", { runs: 4, first: { bold: true } })],
  ];
  return table(
    MILESTONE_COLUMNS,
    [
      row(head, { tableHeader: true }),
      row(contents.map((content, column) => field("TableText", content, column))),
      row(total.map((content, column) => field("TableText", content, column, "F1F2F6"))),
    ],
    { padding: 110 },
  );
}

function field(style: string, content: Content, column: number, fill?: string): TableCell {
  return cell([paragraph(style, content, column === 3 ? RIGHT : {})], {
    width: widthOf(MILESTONE_COLUMNS[column] ?? 0),
    margins: { top: 90, bottom: 90, left: 110, right: 110 },
    borders: { ...TableBorders.NONE, bottom: rule(HAIRLINE) },
    ...(fill === undefined ? {} : { shading: { fill } }),
  });
}

export function signatureTable(): Table {
  const [left, right] = SIGNATURE_COLUMNS;
  const margins = { top: 200, bottom: 100, left: 0, right: 300 };
  const signer: Paragraph[] = [
    paragraph("Small", [torn("{{tablerow party in parties}}", { runs: 8 }), "The {{party.role}}"]),
    paragraph("TableText", [torn("{{party.name}}", { runs: 4, first: { bold: true } })]),
    paragraph("Small", "{{party.signatory}}, {{party.signatoryRole}}"),
  ];
  const line = { bottom: rule(NAVY, 6) };
  const place: Paragraph[] = [
    paragraph("TableText", "", { spacing: { before: 480 }, border: line }),
    paragraph("Small", ["Place, date, signature", torn("{{endtablerow}}", { runs: 3 })]),
  ];
  return table(SIGNATURE_COLUMNS, [
    row([
      cell(signer, { width: widthOf(left), margins }),
      cell(place, { width: widthOf(right), margins: { ...margins, right: 0 } }),
    ]),
  ]);
}
