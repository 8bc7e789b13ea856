// Examples of functions, arguments from the data and looks, for docs/functions.md.

import type { Example } from "./example.ts";
import { p, table } from "./word.ts";

const INVOICES = {
  today: "2026-11-30",
  invoices: [
    { number: "R-12", customer: "Ada", date: "2026-11-03", due: "2026-11-17", total: 420 },
    { number: "R-9", customer: "Blaise", date: "2026-10-21", due: "2026-12-20", total: 1250.5 },
    { number: "R-14", customer: "Ada", date: "2026-11-20", due: "2026-12-04", total: 99 },
    { number: "R-10", customer: "Grace", date: "2026-10-30", due: "2026-11-13", total: 310 },
  ],
};

const ITEMS = {
  currency: "CHF",
  items: [
    { name: "Lamp", quantity: 4, price: 29.9 },
    { name: "Desk", quantity: 1, price: 480 },
    { name: "Chair", quantity: 2, price: 129.5 },
  ],
};

export const FUNCTIONS: readonly Example[] = [
  {
    name: "filter-and-sort",
    template: {
      body: table(
        [3, 4, 4],
        [
          ["Invoice", "Due", "Total"],
          [
            "{{tablerow i in invoices.where(total > 100).sort(due, number).limit(3)}}{{i.number}}",
            '{{i.due :: format("d MMM yyyy")}}',
            "{{i.total :: number(2)}}{{endtablerow}}",
          ],
        ],
      ),
    },
    data: INVOICES,
    result: [
      "Invoice | Due | Total",
      "R-10 | 13 Nov 2026 | 310.00",
      "R-12 | 17 Nov 2026 | 420.00",
      "R-9 | 20 Dec 2026 | 1,250.50",
    ],
    told: ["unused_value", "unused_value", "unused_value"],
  },
  {
    name: "groups",
    template: {
      body: table(
        [5, 3],
        [
          ["{{for g in invoices.group(customer).sort(key)}}", ""],
          ["{{g.key}} ({{g.items.count()}})", "{{g.items.sum(total) :: number(2)}}"],
          [
            "{{tablerow i in g.items.sort(date)}}    {{i.number}}",
            "{{i.total :: number(2)}}{{endtablerow}}",
          ],
          ["{{endfor}}", ""],
          ["All", "{{invoices.sum(total) :: number(2)}}"],
        ],
      ),
    },
    data: INVOICES,
    result: [
      "Ada (2) | 519.00",
      "R-12 | 420.00",
      "R-14 | 99.00",
      "Blaise (1) | 1,250.50",
      "Grace (1) | 310.00",
      "All | 2,079.50",
    ],
    told: ["unused_value"],
  },
  {
    name: "sums",
    template: {
      body: table(
        [3, 4, 4],
        [
          ["Item", "Amount", "Running total"],
          [
            "{{tablerow i in items}}{{i.name}}",
            "{{i.quantity * i.price :: currency(currency)}}",
            "{{$running(i.quantity * i.price) :: currency(currency)}}{{endtablerow}}",
          ],
          ["Total", "{{items.sum(quantity * price) :: currency(currency)}}", ""],
        ],
      ),
    },
    data: ITEMS,
    locale: "de-CH",
    result: [
      "Item | Amount | Running total",
      "Lamp | CHF\u00a0119.60 | CHF\u00a0119.60",
      "Desk | CHF\u00a0480.00 | CHF\u00a0599.60",
      "Chair | CHF\u00a0259.00 | CHF\u00a0858.60",
      "Total | CHF\u00a0858.60",
    ],
  },
  {
    name: "rows-and-columns",
    template: {
      body: table(
        [3, 8],
        [
          ["Region", "{{tablecolumn m in months}}{{m.name}}{{endtablecolumn}}"],
          ["{{tablerow r in regions}}{{r.name}}", "{{r.sales[m.key]}}{{endtablerow}}"],
          ["Total", "{{regions.sum(sales[m.key])}}"],
        ],
      ),
    },
    data: {
      months: [
        { key: "jan", name: "January" },
        { key: "feb", name: "February" },
      ],
      regions: [
        { name: "North", sales: { jan: 10, feb: 12 } },
        { name: "South", sales: { jan: 7, feb: 9 } },
      ],
    },
    result: ["Region | January | February", "North | 10 | 12", "South | 7 | 9", "Total | 17 | 21"],
  },
  {
    name: "column-widths",
    template: {
      body: table(
        [4, 7],
        [
          [
            'No.{{column :: width("1.3cm")}}',
            "{{tablecolumn c in columns}}{{c.title}}{{column :: width(c.width)}}{{endtablecolumn}}",
          ],
          ["{{tablerow i in items}}{{$number}}", "{{i[c.key]}}{{endtablerow}}"],
        ],
      ),
    },
    data: {
      columns: [
        { title: "Item", key: "name", width: "5cm" },
        { title: "Quantity", key: "quantity", width: "2.2cm" },
        { title: "Unit", key: "unit", width: "1.5cm" },
      ],
      items: [
        { name: "Lamp with a long cable", quantity: 4, unit: "pc" },
        { name: "Cable", quantity: 25, unit: "m" },
      ],
    },
    result: [
      "No. | Item | Quantity | Unit",
      "1 | Lamp with a long cable | 4 | pc",
      "2 | Cable | 25 | m",
    ],
  },
  {
    name: "dates-computed",
    template: {
      body:
        p('Invoice of {{date :: format("long")}}') +
        p('Payable by {{date.addDays(30) :: format("long")}}') +
        p('Reminder after {{date.addWorkdays(10) :: format("EEE d MMM")}}') +
        p(
          'Quarter {{date.quarter()}}, week {{date.week()}}, last day {{date.endOfMonth() :: format("d MMM")}}',
        ) +
        p("Age on that day: {{born.yearsUntil(date)}}"),
    },
    data: { date: "2026-11-28", born: "1990-12-01" },
    locale: "en-GB",
    result: [
      "Invoice of 28 November 2026",
      "Payable by 28 December 2026",
      "Reminder after Fri 11 Dec",
      "Quarter 4, week 48, last day 30 Nov",
      "Age on that day: 35",
    ],
  },
  {
    name: "texts-and-choices",
    template: {
      body:
        p('{{$if(total > 100, "Large order", "Small order")}} of {{customer ?? "a guest"}}') +
        p('Tags: {{tags.split(",").nonEmpty().sort().join(", ", " and ")}}') +
        p(
          'Number {{number.padStart(6, "0")}}, account {{iban.replace(" ", "").substring(0, 4)}}…',
        ) +
        p('{{if country in ["CH", "LI"]}}No customs{{else}}With customs{{endif}}'),
    },
    data: { total: 120, tags: "wood,,lamps,desks", number: 42, iban: "CH93 0076", country: "LI" },
    result: [
      "Large order of a guest",
      "Tags: desks, lamps and wood",
      "Number 000042, account CH93…",
      "No customs",
    ],
  },
  {
    name: "looks",
    template: {
      body: table(
        [3, 3, 3],
        [
          ["Invoice", "Due", "Balance"],
          [
            '{{tablerow i in items}}{{row :: fill("#FFE0E0"), when(i.due < today)}}{{i.number}}',
            '{{cell :: fill(i.color), optional}}{{i.due :: format("d MMM")}}',
            '{{i.balance :: number(2), color("red"), bold(i.balance < -100), when(i.balance < 0)}}{{endtablerow}}',
          ],
        ],
      ),
    },
    data: {
      today: "2026-11-30",
      items: [
        { number: "R-12", due: "2026-11-17", balance: -420 },
        { number: "R-9", due: "2026-12-20", balance: 50, color: "lightgreen" },
        { number: "R-14", due: "2026-12-04", balance: -10 },
      ],
    },
    result: [
      "Invoice | Due | Balance",
      "R-12 | 17 Nov | -420.00",
      "R-9 | 20 Dec | 50.00",
      "R-14 | 4 Dec | -10.00",
    ],
  },
  {
    name: "covered-cells",
    template: {
      body: table(
        [3, 6],
        [
          ["", "{{tablecolumn m in months}}{{m.quarter :: mergeAcross}}"],
          ["City", "{{m.name}}{{endtablecolumn}}"],
          [
            "{{tablerow c in cities}}{{c.name}}{{cell :: span(1 + months.count()), when(c.heading)}}",
            "{{c.sold[$index]}}{{endtablerow}}",
          ],
        ],
      ),
    },
    data: {
      months: [
        { quarter: "Q1", name: "Feb" },
        { quarter: "Q1", name: "Mar" },
        { quarter: "Q2", name: "Apr" },
      ],
      cities: [
        { heading: true, name: "Europe" },
        { heading: false, name: "Bern", sold: [11, 20, 4] },
        { heading: false, name: "Ulm", sold: [5, 9, 7] },
      ],
    },
    result: [
      " | Q1 | Q2",
      "City | Feb | Mar | Apr",
      "Europe",
      "Bern | 11 | 20 | 4",
      "Ulm | 5 | 9 | 7",
    ],
  },
  {
    name: "merged-cells",
    template: {
      body: table(
        [3, 3, 3],
        [
          ["Region", "Product", "Sold"],
          [
            "{{tablerow s in sales.sort(region)}}{{s.region :: merge}}",
            "{{s.product}}",
            "{{s.sold}}{{endtablerow}}",
          ],
        ],
      ),
    },
    data: {
      sales: [
        { region: "North", product: "Lamp", sold: 12 },
        { region: "South", product: "Desk", sold: 3 },
        { region: "North", product: "Chair", sold: 7 },
        { region: "South", product: "Lamp", sold: 5 },
      ],
    },
    result: [
      "Region | Product | Sold",
      "North | Lamp | 12",
      "North | Chair | 7",
      "South | Desk | 3",
      "South | Lamp | 5",
    ],
  },
  {
    name: "numbers-in-words",
    template: {
      body:
        p('Received: {{total.round(0, "down").words()}} dollars, {{total * 100 % 100}} cents') +
        p("This is your {{order.ordinal()}} order, on the {{order.ordinalWords()}} day.") +
        p('In German: {{total.round(0, "down").words() :: locale("de")}}') +
        p("Chapter {{chapter.roman()}}"),
    },
    data: { total: 1234.56, order: 21, chapter: 14 },
    result: [
      "Received: one thousand two hundred thirty-four dollars, 56 cents",
      "This is your 21st order, on the twenty-first day.",
      "In German: eintausendzweihundertvierunddreißig",
      "Chapter XIV",
    ],
  },
];
