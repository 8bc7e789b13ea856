// Examples of blocks: loops and conditions.

import type { Example } from "./example.ts";
import { heading, item, p, table } from "./word.ts";

const ORDERS = {
  orders: [
    {
      number: 17,
      items: [
        { name: "Lamp", price: 30 },
        { name: "Desk", price: 180 },
      ],
    },
    { number: 18, items: [{ name: "Chair", price: 95 }] },
  ],
};

export const BLOCKS: readonly Example[] = [
  {
    name: "for-text",
    template: {
      body:
        p(
          'Speakers: {{for s in speakers}}{{s.name :: delimiter(", "), lastdelimiter(" and ")}}{{endfor}}.',
        ) + p('Topics: {{topics :: delimiter("; ")}}'),
    },
    data: {
      speakers: [{ name: "Ada" }, { name: "Blaise" }, { name: "Grace" }],
      topics: ["looms", "engines"],
    },
    result: ["Speakers: Ada, Blaise and Grace.", "Topics: looms; engines"],
  },
  {
    name: "for-paragraphs",
    template: {
      body:
        p("{{for o in orders}}") +
        heading("Order {{o.number}}") +
        p("Items: {{$count(o.items)}}, for {{$sum(o.items.price)}} euros.") +
        p("{{endfor}}") +
        p("End of the list."),
    },
    data: ORDERS,
    result: [
      "Order 17",
      "Items: 2, for 210 euros.",
      "Order 18",
      "Items: 1, for 95 euros.",
      "End of the list.",
    ],
  },
  {
    name: "for-list",
    template: {
      body:
        p("Agenda") +
        p("{{for t in topics}}") +
        item("{{t.title}}") +
        p("{{endfor}}") +
        p("Bring:") +
        item("{{for b in bring}}{{b}}", 2) +
        p("{{endfor}}"),
    },
    data: {
      topics: [{ title: "Minutes" }, { title: "Budget" }, { title: "Next steps" }],
      bring: ["a pen", "time"],
    },
    result: ["Agenda", "Minutes", "Budget", "Next steps", "Bring:", "a pen", "time"],
  },
  {
    name: "for-numbering",
    template: {
      body:
        p("{{for r in rooms}}") +
        p("{{r.name}}") +
        item("Switch off the light.") +
        item("Lock {{r.door}}.") +
        p("{{endfor}}"),
    },
    data: {
      rooms: [
        { name: "Kitchen", door: "the back door" },
        { name: "Office", door: "it" },
      ],
    },
    result: [
      "Kitchen",
      "Switch off the light.",
      "Lock the back door.",
      "Office",
      "Switch off the light.",
      "Lock it.",
    ],
  },
  {
    name: "tablerow",
    template: {
      body: table(
        [3, 2],
        [
          ["Item", "Price"],
          ["{{tablerow i in items}}{{i.name}}", "{{i.price}}{{endtablerow}}"],
          ["Total", "{{$sum(items.price)}}"],
        ],
      ),
    },
    data: { items: ORDERS.orders[0]?.items },
    result: ["Item | Price", "Lamp | 30", "Desk | 180", "Total | 210"],
  },
  {
    name: "tablerow-rows",
    template: {
      body: table(
        [3, 2],
        [
          ["Item", "Price"],
          ["{{for o in orders}}", ""],
          ["Order {{o.number}}", ""],
          ["{{tablerow i in o.items}}  {{i.name}}", "{{i.price}}{{endtablerow}}"],
          ["{{endfor}}", ""],
        ],
      ),
    },
    data: ORDERS,
    result: [
      "Item | Price",
      "Order 17 | ",
      "  Lamp | 30",
      "  Desk | 180",
      "Order 18 | ",
      "  Chair | 95",
    ],
  },
  {
    name: "tablecolumn",
    template: {
      body: table(
        [4, 7],
        [
          ["Region", "{{tablecolumn q in quarters}}{{q.name}}{{endtablecolumn}}"],
          ["Open days", "{{q.days}}"],
          ["Last day", "{{q.last}}"],
        ],
      ),
    },
    data: {
      quarters: [
        { name: "Q1", days: 62, last: "31 March" },
        { name: "Q2", days: 60, last: "30 June" },
        { name: "Q3", days: 66, last: "30 Sept." },
      ],
    },
    result: [
      "Region | Q1 | Q2 | Q3",
      "Open days | 62 | 60 | 66",
      "Last day | 31 March | 30 June | 30 Sept.",
    ],
  },
  {
    name: "sections",
    template: {
      body:
        p("{{#guests}}") +
        p(
          "{{name}}{{#vip}}, our guest of honour{{/vip}}{{^children}}, without children{{/children}}",
        ) +
        p("{{/guests}}") +
        p("{{#venue}}{{street}}, {{city}}{{/venue}}"),
    },
    data: {
      guests: [
        { name: "Ada", vip: true, children: ["Byron", "Anne"] },
        { name: "Blaise", vip: false, children: [] },
      ],
      venue: { street: "Dorset Street 1", city: "London" },
    },
    result: ["Ada, our guest of honour", "Blaise, without children", "Dorset Street 1, London"],
  },
  {
    name: "sections-row",
    template: {
      body: table(
        [3, 2],
        [
          ["Item", "Price"],
          ["{{#items}}{{name}}", "{{price}}{{/items}}"],
          ["{{^discounts}}No discount", "–{{/discounts}}"],
        ],
      ),
    },
    data: { items: ORDERS.orders[0]?.items, discounts: [] },
    result: ["Item | Price", "Lamp | 30", "Desk | 180", "No discount | –"],
  },
  {
    name: "if",
    template: {
      body:
        p("Dear {{if customer.title isPresent}}{{customer.title}} {{endif}}{{customer.name}},") +
        p("{{if total >= 100}}") +
        p("your order is sent free of charge.") +
        p("{{elseif total > 0}}") +
        p("please add 5 euros for the parcel.") +
        p("{{else}}") +
        p("your basket is empty.") +
        p("{{endif}}"),
    },
    data: { customer: { name: "Byron", title: "Lady" }, total: 210 },
    result: ["Dear Lady Byron,", "your order is sent free of charge."],
  },
  {
    name: "if-rows",
    template: {
      body: table(
        [3, 2],
        [
          ["Item", "Price"],
          ["Lamp", "30"],
          ["{{if discount}}Discount", "– {{discount}}{{endif}}"],
          ["{{if paid}}", ""],
          ["Paid with thanks", ""],
          ["{{endif}}", ""],
        ],
      ),
    },
    data: { discount: 3, paid: false },
    result: ["Item | Price", "Lamp | 30", "Discount | – 3"],
  },
];
