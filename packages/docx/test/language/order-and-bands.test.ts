import { describe, expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { outcome } from "../support/language.ts";

const DATA = {
  cars: [
    { brand: "Lexus", qty: 1, built: "930305" },
    { brand: "Faraday", qty: 4, built: "120305" },
    { brand: "Aptera", qty: 3, built: "120306" },
    { brand: "Faraday", qty: 2, built: "120307" },
  ],
  days: [{ t: -3.5 }, { t: 3.5 }, { t: 12 }],
  rate: 0.875,
};

interface Reported {
  readonly lines: readonly string[];
  readonly reports: readonly string[];
}

async function render(...texts: readonly string[]): Promise<Reported> {
  const body = texts.map((text) => p(text)).join("");
  const { lines, warnings } = await outcome(body, DATA, { now: "2026-11-30" });
  const used = warnings.filter(({ code }) => code !== "unused_value");
  return { lines, reports: used.map(({ code, hint }) => `${code}: ${hint}`) };
}

describe("the order of a list", () => {
  test("two sorts in a row are a warning, because the last one decides", async () => {
    const { reports } = await render(
      "{{cars.sort(brand desc).where(qty > 0).sort(qty).first().brand}}",
    );
    expect(reports).toEqual([
      "doubtful_order: Write one sort with the most important key first: sort(brand desc, qty), or sort(qty, brand desc).",
    ]);
  });

  test("the first items of a sorted list may be sorted again", async () => {
    expect((await render("{{cars.sort(qty).limit(2).sort(brand).first().brand}}")).reports).toEqual(
      [],
    );
  });

  test.for([
    [
      "{{for g in cars.group(brand).sort(key)}}",
      "{{cars.group(brand).limit(g.$index).sum(items.sum(qty))}}",
      "cars.group(brand).sort(key).limit(g.$index)",
    ],
    [
      "{{for c in cars.sort(qty)}}",
      "{{c.brand}} {{cars.limit($number).sum(qty)}}",
      "cars.sort(qty).limit($number)",
    ],
  ] as const)("a limit by the position in %s needs the same order", async ([loop, tag, meant]) => {
    const { reports } = await render(loop, tag, "{{endfor}}");
    expect(reports).toEqual([`list_in_loop: Write the list as the loop does: ${meant}.`]);
    const written = `{{${meant}.count()}}`;
    expect((await render(loop, written, "{{endfor}}")).reports).toEqual([]);
  });
});

describe("bands of numbers", () => {
  test("rounding towards zero puts numbers above and below zero into one group", async () => {
    const tags = (mode: string): readonly string[] => [
      `{{for g in days.group((t / 10).round(0, "${mode}") * 10).sort(key)}}`,
      "{{g.key}}: {{g.items.count()}}",
      "{{endfor}}",
    ];
    const { lines, reports } = await render(...tags("down"));
    expect(lines).toEqual(["0: 2", "10: 1"]);
    expect(reports).toEqual([
      'doubtful_group: "down" rounds towards zero. For bands of the same width write (t / 10).round(0, "floor").',
    ]);
    expect(await render(...tags("floor"))).toEqual({
      lines: ["-10: 1", "0: 1", "10: 1"],
      reports: [],
    });
  });

  test("positions are never below zero", async () => {
    const { reports } = await render(
      '{{for g in cars.group(($index / 2).round(0, "down"))}}',
      "{{g.items.count()}}",
      "{{endfor}}",
    );
    expect(reports).toEqual([]);
  });
});

describe("years with two digits", () => {
  const read = 'c.built.toDate("yyMMdd")';
  const rows = (date: string): readonly string[] => [
    "{{for c in cars}}",
    `{{${date} :: format("yyyy")}}`,
    "{{endfor}}",
  ];

  test("a date far in the future is a warning that names both remedies", async () => {
    const { lines, reports } = await render(...rows(read));
    expect(lines).toEqual(["2093", "2012", "2012", "2012"]);
    expect(reports).toEqual([
      `doubtful_date: For a year from 1900 to 1999 write ${read}.addYears(-100). If dates of both centuries occur and none is in the future, write $if(${read} > $today, ${read}.addYears(-100), ${read}).`,
    ]);
  });

  test("the remedies give no warning", async () => {
    const both = `$if(${read} > $today, ${read}.addYears(-100), ${read})`;
    expect(await render(...rows(both))).toEqual({
      lines: ["1993", "2012", "2012", "2012"],
      reports: [],
    });
  });
});

test("a pattern of a percentage without zeros at its end is a pattern of number", async () => {
  const { reports } = await render('{{rate :: percent("0.##")}}');
  expect(reports).toEqual(['tag_syntax: Write {{rate :: number("0.##%")}}.']);
  expect((await render('{{rate :: number("0.##%")}}')).lines).toEqual(["87.5%"]);
});

test.each([
  ['{{due - "3 days"}}', "tag_syntax: Write {{due.addDays(-3)}}."],
  [
    '{{$today + "2 Weeks" :: format("long")}}',
    'tag_syntax: Write {{$today.addWeeks(2) :: format("long")}}.',
  ],
  [
    '{{rate.words("euros")}}',
    'invalid_value: Numbers in words have no currency: write words(), and the name of the currency next to the tag. For an amount without its cents write .round(0, "down").words().',
  ],
])("a unit in quotes in %s leads to the function", async (tag, hint) => {
  expect((await render(tag)).reports).toEqual([hint]);
});
