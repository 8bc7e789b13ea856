// contract.docx: title page, parties, two levels of numbered clauses, schedule, signatures.

import { Document, Footer, Header, ImageRun, PageNumber, type Paragraph, TextRun } from "docx";
import { clauses } from "./contract-clauses.ts";
import { BRASS, CONTRACT_NUMBERING, CONTRACT_STYLES, HAIRLINE } from "./contract-styles.ts";
import { milestoneTable, signatureTable } from "./contract-tables.ts";
import { A4, blockTag, paragraph, rule, stylesOf } from "./kit.ts";
import { archLogo } from "./logo.ts";
import { torn } from "./torn.ts";

const SIDE = 1361;
const TEXT_WIDTH = A4.width - 2 * SIDE;

export function contractTemplate(): Document {
  const look = { font: "Calibri", ink: "23283A", muted: "A2A7B8", size: 21, after: 140, line: 283 };
  return new Document({
    styles: stylesOf(look, CONTRACT_STYLES),
    numbering: CONTRACT_NUMBERING,
    sections: [
      {
        properties: {
          titlePage: true,
          page: {
            size: A4,
            margin: { top: 1700, bottom: 1600, left: SIDE, right: SIDE, header: 760, footer: 640 },
          },
        },
        headers: { first: coverHeader(), default: runningHeader() },
        footers: { first: coverFooter(), default: runningFooter() },
        children: [
          ...cover(),
          ...partyList(),
          ...clauses(),
          paragraph("Part", "Schedule: milestones and fees", { pageBreakBefore: true }),
          paragraph(
            "Body",
            "The milestones below are part of this agreement. A fee is due when the customer has accepted the deliverable beside it.",
          ),
          milestoneTable(),
          paragraph("Part", "Signatures", { spacing: { before: 560, after: 160 } }),
          paragraph(
            "Body",
            [
              "Signed in {{contract.place}} on ",
              torn("{{contract.date}}", { runs: 5, noise: { bookmark: "SigningDate" } }),
              ", one copy for each party.",
            ],
            { keepNext: true },
          ),
          signatureTable(),
        ],
      },
    ],
  });
}

function cover(): Paragraph[] {
  const border = { bottom: { ...rule(BRASS, 18), space: 14 } };
  return [
    paragraph("CoverTitle", ["{{contract.", new TextRun("title"), "}}"], { border }),
    paragraph("CoverText", [
      "Contract ",
      torn("{{contract.number}}", { runs: 6, first: { bold: true, color: BRASS } }),
    ]),
    paragraph("CoverText", "Effective from {{contract.effectiveDate}}", {
      spacing: { after: 1600 },
    }),
    paragraph("Small", "Between", { spacing: { after: 120 } }),
    blockTag(torn("{{for party in parties}}", { runs: 6 })),
    paragraph("CoverParty", [torn("{{party.name}}", { runs: 3, first: { bold: true } })]),
    blockTag("{{endfor}}"),
  ];
}

function partyList(): Paragraph[] {
  const names = torn("{{party.name :: delimiter(“, ”) :: lastdelimiter(“ and ”)}}", { runs: 18 });
  const role = torn("{{party.role}}", { runs: 4, first: { bold: true, color: BRASS } });
  return [
    paragraph("Part", "The parties", { pageBreakBefore: true }),
    paragraph("Body", [
      "This agreement is made between ",
      "{{for party in parties}}",
      names,
      "{{endfor}}",
      " on the following terms.",
    ]),
    blockTag("{{for party in parties}}"),
    paragraph("Body", [
      torn("{{party.name}}", { runs: 5, first: { bold: true } }),
      ", {{party.form}}, registered under ",
      "{{party.registration}}",
      ", of {{party.address}} (the “",
      role,
      "”).",
    ]),
    blockTag(torn("{{endfor}}", { runs: 4 })),
    blockTag('{{if parties and contract.regions contains "the United Kingdom"}}'),
    paragraph(
      "Body",
      "Where the services are delivered in the United Kingdom, the parties apply the law of data protection that is in force there in addition to the General Data Protection Regulation.",
    ),
    blockTag("{{endif}}"),
  ];
}

function coverHeader(): Header {
  const logo = new ImageRun({
    type: "png",
    data: archLogo(),
    transformation: { width: 72, height: 72 },
    altText: { name: "Logo", description: "Aldgate Systems", title: "Aldgate Systems" },
  });
  return new Header({
    children: [
      paragraph("Picture", [logo], { spacing: { after: 120 } }),
      paragraph("Small", "Confidential"),
    ],
  });
}

function runningHeader(): Header {
  const tabStops = [{ type: "right" as const, position: TEXT_WIDTH }];
  const border = { bottom: { ...rule(HAIRLINE), space: 6 } };
  const number = torn("{{contract.number}}", { runs: 3, first: { bold: true, color: BRASS } });
  return new Header({
    children: [paragraph("Small", ["{{contract.title}}", "\t", number], { border, tabStops })],
  });
}

function coverFooter(): Footer {
  return new Footer({
    children: [paragraph("Small", ["Drafted in {{contract.place}} on ", "{{contract.date}}"])],
  });
}

function runningFooter(): Footer {
  const tabStops = [{ type: "right" as const, position: TEXT_WIDTH }];
  const pages = new TextRun({
    children: ["Page ", PageNumber.CURRENT, " of ", PageNumber.TOTAL_PAGES],
  });
  const law = torn("{{contract.law}}", { runs: 4 });
  return new Footer({
    children: [paragraph("Small", ["Governed by the law of ", law, "\t", pages], { tabStops })],
  });
}
