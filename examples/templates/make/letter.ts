// letter.docx: one page on letterhead; a salutation with a condition, a list that may be missing.

import {
  AlignmentType,
  Document,
  Footer,
  Header,
  ImageRun,
  type INumberingOptions,
  type IParagraphStyleOptions,
  LevelFormat,
  PageNumber,
  type Paragraph,
  TextRun,
  VerticalAlign,
} from "docx";
import { A4, blockTag, cell, paragraph, row, rule, stylesOf, table, widthOf } from "./kit.ts";
import { leafLogo } from "./logo.ts";
import { torn } from "./torn.ts";

const GREEN = "2F5D3A";
const HAIRLINE = "C9D6C4";
const SIDE = 1361;
const TEXT_WIDTH = A4.width - 2 * SIDE;
const RIGHT = { alignment: AlignmentType.RIGHT };

const STYLES: readonly IParagraphStyleOptions[] = [
  { id: "Address", name: "Address", basedOn: "Body", paragraph: { spacing: { after: 0 } } },
  {
    id: "Subject",
    name: "Subject",
    basedOn: "Body",
    run: { size: 26, bold: true, color: GREEN },
    paragraph: { spacing: { before: 360, after: 240 }, keepNext: true },
  },
  { id: "Brand", name: "Brand", basedOn: "Address", run: { size: 34, bold: true, color: GREEN } },
  {
    id: "Small",
    name: "Small",
    basedOn: "Address",
    run: { size: 16, color: "66756A" },
    paragraph: { spacing: { line: 252 } },
  },
  { id: "ListItem", name: "List Item", basedOn: "Body", paragraph: { spacing: { after: 60 } } },
];

const NUMBERING: INumberingOptions = {
  config: [
    {
      reference: "events",
      levels: [
        {
          level: 0,
          format: LevelFormat.BULLET,
          text: "•",
          alignment: AlignmentType.LEFT,
          style: { paragraph: { indent: { left: 454, hanging: 284 } }, run: { color: "7BA05B" } },
        },
      ],
    },
  ],
};

export function letterTemplate(): Document {
  const look = { font: "Arial", ink: "232B25", muted: "9BA79D", size: 20, after: 150, line: 288 };
  return new Document({
    styles: stylesOf(look, STYLES),
    numbering: NUMBERING,
    sections: [
      {
        properties: {
          page: {
            size: A4,
            margin: { top: 2300, bottom: 1500, left: SIDE, right: SIDE, header: 720, footer: 560 },
          },
        },
        headers: { default: letterhead() },
        footers: { default: footer() },
        children: [...opening(), ...message(), ...eventList(), ...closing()],
      },
    ],
  });
}

function letterhead(): Header {
  const logo = new ImageRun({
    type: "png",
    data: leafLogo(),
    transformation: { width: 60, height: 60 },
    altText: { name: "Logo", description: "Fenwick Garden", title: "Fenwick Garden" },
  });
  const middle = { verticalAlign: VerticalAlign.CENTER };
  const name = [
    paragraph("Brand", "Fenwick Garden"),
    paragraph("Small", "A botanical garden since 1871"),
  ];
  const contact = [
    paragraph("Small", "Fenwick Lane 2, Hexham NE46 1AA", RIGHT),
    paragraph("Small", "friends@fenwickgarden.example", RIGHT),
    paragraph(
      "Small",
      [
        "Membership no. ",
        torn("{{customer.number}}", { runs: 4, first: { bold: true, color: GREEN } }),
      ],
      RIGHT,
    ),
  ];
  const [mark, contactWidth] = [1050, 3900];
  const nameWidth = TEXT_WIDTH - mark - contactWidth;
  const cells = [
    cell([paragraph("Picture", [logo])], {
      ...middle,
      width: widthOf(mark),
    }),
    cell(name, { ...middle, width: widthOf(nameWidth) }),
    cell(contact, { ...middle, width: widthOf(contactWidth) }),
  ];
  return new Header({
    children: [table([mark, nameWidth, contactWidth], [row(cells)]), paragraph("Small", "")],
  });
}

function opening(): Paragraph[] {
  return [
    paragraph("Address", [
      torn("{{customer.name}}", {
        runs: 3,
        first: { bold: true },
        noise: { bookmark: "Recipient" },
      }),
    ]),
    paragraph("Address", [torn("{{customer.address}}", { runs: 6 })]),
    paragraph("Body", "{{letter.date}}", { ...RIGHT, spacing: { before: 240 } }),
    paragraph("Subject", ["Your membership as a ", torn("{{membership.tier}}", { runs: 4 })]),
    paragraph("Body", [
      "Dear ",
      torn("{{if customer.title isEmpty}}", { runs: 12 }),
      "{{customer.name}}",
      torn("{{else}}", { runs: 3 }),
      "{{customer.title}} ",
      torn("{{customer.lastName}}", { runs: 5, noise: "page-break" }),
      "{{endif}}",
      ",",
    ]),
  ];
}

function message(): Paragraph[] {
  return [
    paragraph("Body", [
      "Thank you for staying with us. Your contribution of ",
      torn("{{membership.amount}}", { runs: 3, first: { bold: true } }),
      " reached us safely, and your membership now runs until {{membership.validUntil}}. ",
      "Last year gifts like yours paid for the new roof of the Palm House and for 1,340 ",
      "school visits, each of which sent somebody home with soil on their hands.",
    ]),
    blockTag('{{if membership.tier == "Patron"}}'),
    paragraph("Body", [
      "As a Patron you may bring three guests on every visit, and the Fern House is open to you ",
      "an hour before everybody else. Please show this letter at the gate.",
    ]),
    blockTag(torn('{{elseif membership.tier == "Life Member"}}', { runs: 20 })),
    paragraph("Body", [
      "As a Life Member you never have to renew again. Your name will be set in the oak bench by ",
      "the south pond when the varnish has dried, at the latest in May.",
    ]),
    blockTag("{{else}}"),
    paragraph(
      "Body",
      "As a Friend you may bring one guest, and children under sixteen come in with you free.",
    ),
    blockTag("{{endif}}"),
    paragraph("Body", [
      "Your reference for all correspondence is ",
      torn("{{letter.reference :: default(“n/a”)}}", { runs: 9, first: { bold: true } }),
      ". If your address or your circumstances change, a line to the friends’ office is enough.",
    ]),
  ];
}

function eventList(): Paragraph[] {
  const numbering = { reference: "events", level: 0 };
  return [
    blockTag(torn("{{if items isPresent}}", { runs: 5 })),
    paragraph("Body", "These days of the coming season are kept for members:", {
      keepNext: true,
      spacing: { after: 80 },
    }),
    blockTag("{{for item in items}}"),
    paragraph(
      "ListItem",
      [
        torn("{{item.date}}", { runs: 3, first: { bold: true, color: GREEN } }),
        ": ",
        "{{item.title}}",
      ],
      { numbering },
    ),
    blockTag(torn("{{endfor}}", { runs: 3 })),
    blockTag("{{endif}}"),
  ];
}

function closing(): Paragraph[] {
  return [
    paragraph("Body", "We look forward to seeing you under the trees.", {
      spacing: { before: 150 },
    }),
    paragraph("Body", "Yours sincerely,", { keepNext: true, spacing: { after: 900 } }),
    paragraph("Address", [torn("{{signer.name}}", { runs: 4, first: { bold: true } })], {
      keepNext: true,
    }),
    paragraph("Address", "{{signer.role}}"),
  ];
}

function footer(): Footer {
  const border = { top: { ...rule(HAIRLINE), space: 8 } };
  const pages = new TextRun({ children: [PageNumber.CURRENT, "/", PageNumber.TOTAL_PAGES] });
  const tabStops = [{ type: "right" as const, position: TEXT_WIDTH }];
  const charity = "Fenwick Garden Trust  ·  Registered charity 0001871  ·  Letter of ";
  return new Footer({
    children: [paragraph("Small", [charity, "{{letter.date}}", "\t", pages], { border, tabStops })],
  });
}
