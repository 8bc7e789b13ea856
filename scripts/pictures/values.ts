// Examples of tags that print a value.

import type { Example } from "./example.ts";
import { bold, coloured, item, p, table } from "./word.ts";

export const VALUES: readonly Example[] = [
  {
    name: "values",
    template: {
      body:
        p("Dear {{customer.name}},") +
        p("your order {{order.number}} goes to:") +
        p("{{customer.address}}") +
        p(
          'The first of its items is a {{order.items[0].name}}. Reference: {{order["cost centre"]}}.',
        ),
    },
    data: {
      customer: { name: "Ada Byron", address: "12 St James's Square\nLondon" },
      order: { number: 1815, "cost centre": "C-7", items: [{ name: "lamp" }, { name: "desk" }] },
    },
    result: [
      "Dear Ada Byron,",
      "your order 1815 goes to:",
      "12 St James's Square⏎London",
      "The first of its items is a lamp. Reference: C-7.",
    ],
  },
  {
    name: "formatting",
    template: {
      body:
        p(["Pay ", bold("{{amount}}"), " by ", coloured("{{date}}", "C92A2A"), "."]) +
        p([bold("{{"), "first.bold}} and ", "{{", bold("second.bold}}")]),
    },
    data: {
      amount: "480.00",
      date: "30 November",
      first: { bold: "bold, as its first brace is" },
      second: { bold: "not bold, as its first brace is not" },
    },
    result: [
      "Pay 480.00 by 30 November.",
      "bold, as its first brace is and not bold, as its first brace is not",
    ],
  },
  {
    name: "arithmetic",
    template: {
      body:
        table(
          [4, 3, 4, 6],
          [
            ["Item", "Pieces", "Price", "Amount"],
            [
              "{{tablerow i in items}}{{i.name}}",
              "{{i.pieces}}",
              "{{i.price}}",
              "{{i.pieces * i.price}}{{endtablerow}}",
            ],
          ],
        ) +
        p("") +
        p(
          "{{$count(items)}} items, {{$sum(items.pieces)}} pieces, the dearest at {{$max(items.price)}}.",
        ) +
        p("With 20 % tax: {{$round(net * 1.2, 2)}}"),
    },
    data: {
      net: 70.3,
      items: [
        { name: "Lamp", pieces: 3, price: 0.1 },
        { name: "Desk", pieces: 2, price: 35 },
      ],
    },
    result: [
      "Item | Pieces | Price | Amount",
      "Lamp | 3 | 0.1 | 0.3",
      "Desk | 2 | 35 | 70",
      "",
      "2 items, 5 pieces, the dearest at 35.",
      "With 20 % tax: 84.36",
    ],
  },
  {
    name: "loop-variables",
    template: {
      body:
        p("{{for m in members}}") +
        p("Member {{$number}} of {{$length}}: {{m}}{{if $first}} (chair){{endif}}") +
        p("{{endfor}}"),
    },
    data: { members: ["Ada", "Blaise", "Grace"] },
    result: ["Member 1 of 3: Ada (chair)", "Member 2 of 3: Blaise", "Member 3 of 3: Grace"],
  },
  {
    name: "modifiers",
    template: {
      body:
        p("{{title :: uppercase}}") +
        p("{{author.name :: lowercase, capitalize}}") +
        p("{{summary :: truncate(24)}}"),
    },
    data: {
      title: "Annual report",
      author: { name: "BYRON" },
      summary: "The engine weaves patterns just as a loom does.",
    },
    result: ["ANNUAL REPORT", "Byron", "The engine weaves patte…"],
  },
  {
    name: "dates",
    template: {
      body:
        p('Signed on {{signed :: format("d MMMM yyyy")}}') +
        p('Meeting: {{meeting :: format("EEEE, dd-mm-yyyy HH:mm")}}'),
    },
    data: { signed: "2026-03-05", meeting: "2026-03-05T23:30:00Z" },
    locale: "de-DE",
    timeZone: "Europe/Berlin",
    result: ["Signed on 5 März 2026", "Meeting: Freitag, 06-03-2026 00:30"],
  },
  {
    name: "numbers",
    template: {
      body: table(
        [5, 3],
        [
          ["Template", "Number"],
          ["As it is", "{{amount}}"],
          ["With a pattern", '{{amount :: number("#,##0.00")}}'],
          ["Money", '{{amount :: currency("EUR")}}'],
          ["A share", "{{share :: percent(1)}}"],
          ["A mask", '{{phone :: format("xxx-xxxx")}}'],
        ],
      ),
    },
    data: { amount: 1234567.5, share: 0.0725, phone: "5551234" },
    result: [
      "Template | Number",
      "As it is | 1234567.5",
      "With a pattern | 1,234,567.50",
      "Money | €1,234,567.50",
      "A share | 7.3%",
      "A mask | 555-1234",
    ],
  },
  {
    name: "missing",
    template: {
      body:
        p("Name: {{customer.name}}") +
        p("Phone: {{customer.phone}}") +
        p("Fax: {{customer.fax :: optional}}") +
        p('Mail: {{customer.mail :: default("none")}}'),
    },
    data: { customer: { name: "Ada Byron" } },
    result: ["Name: Ada Byron", "Phone: {{customer.phone}}", "Fax: ", "Mail: none"],
    told: ["error missing_value"],
  },
  {
    name: "escapes",
    template: {
      body:
        p("{{! for the reviewer: is this the new address? }}Write to {{mail}}.") +
        p("A tag is written \\{{name}}.") +
        p("Signature: [[signature]]"),
    },
    data: { mail: "ada@example.org" },
    result: ["Write to ada@example.org.", "A tag is written {{name}}.", "Signature: [[signature]]"],
  },
  {
    name: "checkbox",
    template: {
      body:
        p("{{newsletter :: checkbox}} Newsletter") +
        p("{{invoice :: checkbox}} Invoices by mail") +
        item("{{tags :: checkbox}} Has tags", 2),
    },
    data: { newsletter: true, invoice: false, tags: ["a"] },
    result: ["☒ Newsletter", "☐ Invoices by mail", "☒ Has tags"],
  },
];
