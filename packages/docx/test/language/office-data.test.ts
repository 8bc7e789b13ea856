import { describe, expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { hintsIn, printed } from "../support/language.ts";

const DATA = {
  notice: {
    ...{ total: 1284.5, currency: "CHF", date: "2026-11-30", fee: 480, surcharge: 20, late: true },
    ...{ decimals: 2, portal: "https://pay.burgdorf.ch/417", names: "Petra", separator: ", " },
    reminded: [true, false],
  },
  resident: { first: "Petra", last: "Lindqvist", name: "Petra Lindqvist" },
  dog: { tag: "A17" },
  permits: [
    { no: "B-101", fee: 120, late: true, status: "open" },
    { no: "B-102", fee: 80, late: false, status: "paid" },
    { no: "B-103", fee: 60, late: true, status: "open" },
  ],
  orders: [
    {
      ...{ no: "A-1", technician: "Ana", urgent: true },
      lines: [
        { work: "Crown", units: 2, price: 300 },
        { work: "Bridge", units: 1, price: 900 },
      ],
    },
    {
      ...{ no: "A-2", technician: "Ben", urgent: false },
      lines: [{ work: "Crown", units: 1, price: 310 }],
    },
    {
      ...{ no: "A-3", technician: "Ana", urgent: false },
      lines: [{ work: "Inlay", units: 3, price: 150 }],
    },
  ],
  visits: [{ lines: [1, 2] }, { lines: [] }],
};

/** Returns the hints of a paragraph, each with its code. */
function hints(text: string): Promise<string[]> {
  return hintsIn(p(text), DATA);
}

describe("a path in quotes with a modifier", () => {
  test.each([
    ['"notice.late" :: checkbox', "notice.late :: checkbox"],
    ['"notice.portal" :: qrcode', "notice.portal :: qrcode"],
    ['"dog.tag" :: barcode("code128")', 'dog.tag :: barcode("code128")'],
    ['"resident.name" :: uppercase', "resident.name :: uppercase"],
    ['"resident.name" :: bold', "resident.name :: bold"],
  ])("%s is text, so the hint has it without quotes", async (wrong, meant) => {
    expect(await hints(`{{${wrong}}}`)).toEqual([
      `quoted_name: For the value with that name, write {{${meant}}}.`,
    ]);
  });

  test("has a hint if the modifier cannot format the text", async () => {
    expect(await hints('{{"notice.total" :: currency("CHF")}}')).toEqual([
      'invalid_value: Words in quotes are text. For the value with that name, write {{notice.total :: currency("CHF")}}.',
    ]);
  });

  test("is right if the data has no such value", async () => {
    expect(await hints('{{"quire.li" :: uppercase}}{{"notice.none" :: bold}}')).toEqual([]);
  });

  test("may be the argument of a modifier", async () => {
    expect(await hints('{{notice.portal :: link("resident.name")}}')).toEqual([
      "quoted_name: For a value of the data write its name without quotes: resident.name.",
    ]);
    expect(await hints('{{notice.total :: number("notice.decimals")}}')).toEqual([
      "modifier_argument: For a value of the data write its name without quotes: number(notice.decimals).",
    ]);
    expect(await hints('{{notice.portal :: link("pay.burgdorf.ch")}}')).toEqual([]);
  });
});

describe("values that are not a list", () => {
  test.each([
    ["$join(resident.first, resident.last)", '[resident.first, resident.last].join(" ")'],
    ['$join(resident.first, ", ", resident.last)', '[resident.first, resident.last].join(", ")'],
    ["resident.first.join(resident.last)", '[resident.first, resident.last].join(" ")'],
  ])("%s joins only the first one", async (wrong, meant) => {
    expect(await hints(`{{${wrong}}}`)).toEqual([
      `sum_of_one_value: 'join' needs a list: write ${meant}.`,
    ]);
  });

  test("are right if the second one is a separator", async () => {
    expect(await hints("{{$join(notice.names, notice.separator)}}")).toEqual([]);
  });

  test.each([
    ["join(resident.first, resident.last)", '[resident.first, resident.last].join(" ")'],
    ['join(resident.last, ", ", resident.first)', '[resident.last, resident.first].join(", ")'],
    ["SUM(notice.fee, notice.surcharge)", "[notice.fee, notice.surcharge].sum()"],
    ["AVERAGE(notice.fee; notice.surcharge)", "[notice.fee, notice.surcharge].average()"],
    ["sum(permits, fee)", "permits.sum(fee)"],
  ])("%s has a hint with a list", async (wrong, meant) => {
    expect(await hints(`{{${wrong}}}`)).toEqual([`tag_syntax: Write {{${meant}}}.`]);
  });
});

describe("a tag with a code and a link", () => {
  test.each([
    'qrcode, link("Pay")',
    'link("Pay"), qrcode',
    'qrcode, width("2cm"), link("Pay"), bold',
  ])("%s is two tags", async (modifiers) => {
    const [width, bold] = modifiers.includes("width") ? [', width("2cm")', ", bold"] : ["", ""];
    expect(await hints(`{{notice.portal :: ${modifiers}}}`)).toEqual([
      `tag_syntax: Write two tags: {{notice.portal :: qrcode${width}}} and {{notice.portal :: link("Pay")${bold}}}.`,
    ]);
  });
});

describe("a count", () => {
  test.each([
    [
      "{{orders.count(lines)}}",
      "doubtful_count: For the number of all their elements write orders.lines.count().",
    ],
    [
      "{{permits.late.count()}}",
      "doubtful_count: For the number of those that are true write permits.count(late).",
    ],
    [
      "{{for p in permits}}{{p.fee.count()}}{{endfor}}",
      "sum_of_one_value: For the number of items, write {{permits.count()}}. For the number itself, write {{p.fee}}.",
    ],
    [
      "{{for p in permits}}{{p.late.count()}}{{endfor}}",
      "sum_of_one_value: For the number of items, write {{permits.count()}}. For the number of items for which it is true, write {{permits.count(late)}}.",
    ],
  ])("%s has a hint", async (wrong, hint) => {
    expect(await hints(wrong)).toEqual([hint]);
  });

  test.each([
    "visits.count(lines)",
    "permits.count(late)",
    "orders.lines.count()",
    "notice.reminded.count()",
  ])("%s is right", async (tag) => {
    expect(await hints(`{{${tag}}}`)).toEqual([]);
  });
});

describe("a list within the items of a list", () => {
  test.each([
    [
      "{{for g in orders.group(technician)}}{{for l in g.lines}}{{l.work}}{{endfor}}{{endfor}}",
      "missing_value: The 'lines' of all items of the group are g.items.lines: write it in place of g.lines.",
    ],
    [
      "{{orders.sum(lines.price * lines.units)}}",
      "invalid_value: 'lines' is a list for each item: in the parentheses write lines.sum(price * units).",
    ],
    ["{{lines.sum(units)}}", "missing_value: Did you mean 'orders.lines.sum(units)'?"],
    [
      "{{lines.sum(units * price)}}",
      "missing_value: Did you mean 'orders.lines.sum(units * price)'?",
    ],
    [
      "{{for g in orders.lines.group(technician)}}{{g.key}}{{endfor}}",
      "invalid_value: 'technician' is a key of the items of 'orders': write orders.group(technician), and in a loop over its groups g.items.lines.",
    ],
    [
      "{{for g in orders.group(lines.work)}}{{g.key}}{{endfor}}",
      "invalid_value: 'lines.work' is a list for each item. For the items of all lists write orders.lines.group(work).",
    ],
    [
      "{{for o in orders}}{{$running(o.lines.units)}}{{endfor}}",
      "invalid_value: For the sum of the list of each item write $running(o.lines.sum(units)).",
    ],
  ])("%s has a hint", async (wrong, hint) => {
    expect(await hints(wrong)).toEqual([hint]);
  });

  test.each([
    ["{{orders.sum(lines.sum(price * units))}}", "2260"],
    ["{{orders.lines.sum(units)}}", "7"],
    ["{{for o in orders}}{{$running(o.lines.sum(units))}} {{endfor}}", "3 4 7 "],
    ["{{for p in permits}}{{$running($if(p.late, 1, 0))}} {{endfor}}", "1 1 2 "],
    ['{{permits.first(no == "B-101").fee + 10}}', "130"],
    ["{{for g in orders.lines.group(work)}}{{g.key}} {{endfor}}", "Crown Bridge Inlay "],
    [
      "{{for g in orders.group(technician)}}{{for l in g.items.lines}}{{l.work}} {{endfor}}{{endfor}}",
      "Crown Bridge Inlay Crown ",
    ],
  ])("%s, the form of a hint, prints the result", async (tag, result) => {
    expect(await printed(tag, DATA)).toBe(result);
  });
});

describe("a value that is not a number", () => {
  test("of a running total has a hint to count it", async () => {
    expect(await hints("{{for p in permits}}{{$running(p.late)}}{{endfor}}")).toEqual([
      "invalid_value: To count the items for which it is true, write $running($if(p.late, 1, 0)).",
    ]);
  });

  test("in a computation may be a list that 'where' gives", async () => {
    expect(await hints('{{permits.where(no == "B-101").fee + 10}}')).toEqual([
      'invalid_value: \'where\' gives a list. For the first of its items write permits.first(no == "B-101").fee. For the sum of all write permits.where(no == "B-101").sum(fee).',
    ]);
  });
});
