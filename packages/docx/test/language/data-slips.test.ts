import { describe, expect, test } from "vitest";
import { docx, p } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../src/index.ts";
import { hintsIn, outcome, printed } from "../support/language.ts";

type Data = Readonly<Record<string, unknown>>;

/** Returns the warnings and errors of a template, each as its code and its hint, without those about unused values. */
async function hintsOf(template: string, data: Data): Promise<string[]> {
  return hintsIn(p(template), data);
}

describe("the item of a loop before its loop", () => {
  const data = { claims: [{ amount: 5 }, { amount: 600 }] };
  const loop = "{{for k in claims}}{{k.amount}} {{endfor}}";
  const known =
    "'k' is known only between {{for k in claims}} and its 'endfor': move the tag there.";

  test.each([
    ["{{if k.amount > 500}}High{{endif}}", `missing_in_condition: ${known}`],
    ["{{if k.amount}}High{{endif}}", `missing_in_condition: ${known}`],
    ['{{$if(k.amount, "High", "")}}', `missing_in_condition: ${known}`],
    [
      "{{k.amount}}",
      `missing_value: ${known} For one of the items write claims.first().amount or claims.last().amount.`,
    ],
    ["{{k.sum(amount)}}", `missing_value: ${known} For all items write claims.sum(amount).`],
    ["{{for x in k.parts}}{{x}} {{endfor}}", `missing_value: ${known}`],
  ])("%s leads into the loop", async (template, hint) => {
    expect(await hintsOf(template + loop, data)).toEqual([hint]);
  });

  test("may be a key of the data that a condition only tests", async () => {
    expect(await hintsOf(`{{if k}}{{k}}{{endif}}${loop}`, data)).toEqual([]);
    expect(await hintsOf(`{{if k}}{{k}}{{endif}}${loop}`, { ...data, k: "note" })).toEqual([]);
  });

  test("may be missing where the tag allows that", async () => {
    expect(await hintsOf(`{{k.amount :: optional}}${loop}`, data)).toEqual([]);
  });
});

describe("an unused key that a tag names in another place", () => {
  const template = "{{for p in patients}}{{p.name}}{{if p.reviewed}} yes{{endif}} {{endfor}}";

  async function unused(data: Data): Promise<unknown[]> {
    const { warnings } = await outcome(p(template), data);
    return warnings.map(({ code, hint }) => [code, hint]);
  }

  test("has a hint with the path in the template", async () => {
    expect(await unused({ patients: [{ name: "Ann" }], reviewed: true })).toEqual([
      ["unused_value", "If 'p.reviewed' in the template means it, write 'reviewed' there."],
    ]);
  });

  test("has no such hint if an item has the key", async () => {
    const data = { patients: [{ name: "Ann" }, { name: "Bo", reviewed: true }], reviewed: true };
    expect(await unused(data)).toEqual([["unused_value", undefined]]);
  });
});

describe("numbers in texts", () => {
  const amounts = (...all: readonly unknown[]): Data => ({ items: all.map((v) => ({ v })) });
  const sorted = (key: string): string => `{{for x in items.sort(${key})}}{{x.v}} {{endfor}}`;

  test("with a point between thousands lead to toNumber", async () => {
    const data = amounts("1.250", "980", "1.100");
    const [hint] = await hintsOf(sorted("v"), data);
    expect(hint).toContain('If the point is between thousands, write sort(v.toNumber(",")).');
    expect(await printed(sorted('v.toNumber(",")'), data)).toBe("980 1.100 1.250 ");
  });

  test("keep the direction and the name of the elements in the hint", async () => {
    const [desc] = await hintsOf(sorted("v desc"), amounts("1.250", "980"));
    expect(desc).toContain('sort(v.toNumber(",") desc)');
    const [own] = await hintsOf("{{for x in v.sort()}}{{x}} {{endfor}}", { v: ["1.250", "980"] });
    expect(own).toContain('sort(this.toNumber(","))');
  });

  test.each([
    ["in the same order as thousands", ["1.250", "1.100", "1"]],
    ["below zero", ["-1.250", "980"]],
    ["with other decimals", ["1.250", "980.5"]],
    ["with a zero before the point", ["0.980", "12"]],
    ["that are codes", ["1.100", "007"]],
    ["and numbers", [1.25, "980"]],
    ["that are position numbers", ["1.1", "1.2", "2", "10"]],
  ])("%s give no warning", async (_what, values) => {
    expect(await hintsOf(sorted("v"), amounts(...values))).toEqual([]);
  });
});

describe("a locale from a key for the country", () => {
  const template = "{{amount :: number(2), locale(country)}}";
  const choice = 'locale($if(country == "…", "de-DE", "en-GB"))';

  test.each(["uk", "UK", "SE", "br", "AR"])("with %s is not a language", async (country) => {
    expect(await hintsOf(template, { amount: 1, country })).toEqual([
      `doubtful_sign: A locale begins with a language: put a language tag such as en-GB into the data, or choose one in the tag: ${choice}.`,
    ]);
  });

  test.each(["Germany", "German", "US", "at"])("with %s leads to a choice", async (country) => {
    expect(await hintsOf(template, { amount: 1, country })).toEqual([
      `invalid_value: Put a language tag such as en-GB into the data, or choose one in the tag: ${choice}.`,
    ]);
  });

  test("with empty text leads to another value", async () => {
    const data = { amount: 1, country: "" };
    expect(await hintsOf(template, data)).toEqual([
      'invalid_value: It is empty text: write locale($if(country, country, "en-GB")).',
    ]);
    expect(
      await printed('{{amount :: number(2), locale($if(country, country, "de"))}}', data),
    ).toBe("1,00");
  });

  test.each(["DE", "fr", "en-GB"])("with %s gives no warning", async (country) => {
    expect(await hintsOf(template, { amount: 1, country })).toEqual([]);
  });

  test("is not taken for a country in a key for the language", async () => {
    expect(await hintsOf("{{n :: number(2), locale(lang)}}", { n: 1, lang: "uk" })).toEqual([]);
  });
});

describe("the hint for groups by the name of a month or a day", () => {
  const data = {
    due: "2026-03-05",
    loans: [{ due: "2026-01-05" }, { due: "2026-02-05" }, { due: "2025-02-05" }],
  };
  const loop = (list: string): string => `{{for g in ${list}}}{{g.key}} {{endfor}}`;

  test.each([
    "loans.group(due.monthName())",
    "loans.group(monthName(due))",
    "loans.group($MonthName(due))",
    "loans.group(due.getMonthName())",
    'loans.group(due :: format("MMMM"))',
  ])("%s", async (list) => {
    expect(await hintsOf(loop(list), data)).toEqual([
      'tag_syntax: Write {{for g in loans.group(due.startOfMonth())}}. To print the key of a group, write {{g.key :: format("MMMM yyyy")}}.',
    ]);
  });

  test("leads to the names of the months", async () => {
    const template =
      '{{for g in loans.group(due.startOfMonth())}}{{g.key :: format("MMMM yyyy")}} {{endfor}}';
    expect(await printed(template, data)).toBe("January 2026 February 2026 February 2025 ");
  });

  test("has the first item for a weekday", async () => {
    expect(await hintsOf(loop("loans.group(due.dayName())"), data)).toEqual([
      'tag_syntax: Write {{for g in loans.group(due.weekday())}}. To print the key of a group, write {{g.items[0].due :: format("EEEE")}}.',
    ]);
  });

  test.each([
    ["{{due.monthName()}}", '{{due :: format("MMMM")}}'],
    ["{{loans[0].due.day_name()}}", '{{loans[0].due :: format("EEEE")}}'],
    ['{{if due.monthName() == "March"}}x{{endif}}', '{{if due.format("MMMM") == "March"}}'],
    ["{{for l in loans.sort(due.monthName())}}x{{endfor}}", "{{for l in loans.sort(due.month())}}"],
  ])("%s", async (template, meant) => {
    expect(await hintsOf(template, data)).toEqual([`tag_syntax: Write ${meant}.`]);
  });

  test("is a warning if months of several years are in one group", async () => {
    const [hint] = await hintsOf(loop('loans.group(due.format("MMMM"))'), data);
    expect(hint).toContain("doubtful_group: For groups of each year write");
    expect(hint).toContain('group(due.startOfMonth()), and print {{g.key :: format("MMMM yyyy")}}');
  });

  test.each(["MMMM yyyy", "dd.MM."])("is not given for %s", async (pattern) => {
    expect(await hintsOf(loop(`loans.group(due.format("${pattern}"))`), data)).toEqual([]);
  });

  test("is not given for months of one year", async () => {
    const same = { loans: data.loans.slice(0, 2) };
    expect(await hintsOf(loop('loans.group(due.format("MMMM"))'), same)).toEqual([]);
  });
});

describe("the hint for a question about a date", () => {
  const data = { a: "2026-03-05", b: "2026-03-07", total: 5 };

  test.each([
    ["a.sameMonth(b)", "a.startOfMonth() == b.startOfMonth()"],
    ["isSameDay(a, b)", "a.startOfDay() == b.startOfDay()"],
    ["a.isSameYear(b)", "a.year() == b.year()"],
    ['a.isSame(b, "week")', "a.startOfWeek() == b.startOfWeek()"],
    ["a.isSame(b)", "a == b"],
    ["isBefore(a, b)", "a < b"],
    ["a.isSameOrAfter(b)", "a >= b"],
    ["a.isBetween(a, b)", "a >= a and a <= b"],
    ["total.between(1, 10)", "total >= 1 and total <= 10"],
    ["not a.isBetween(a, b)", "not (a >= a and a <= b)"],
    ["a.isWeekend()", "a.weekday() > 5"],
    ["a.isWorkday()", "a.weekday() <= 5"],
    ["a.isToday()", "a.startOfDay() == $today"],
  ])("%s is a comparison", async (question, meant) => {
    expect(await hintsOf(`{{if ${question}}}x{{endif}}`, data)).toEqual([
      `tag_syntax: Write {{if ${meant}}}.`,
    ]);
    const now = "2026-03-05T10:00:00Z";
    expect((await outcome(p(`{{if ${meant}}}x{{endif}}`), data, { now })).error).toBeNull();
  });
});

test("a list as the data of a document says how to print it", async () => {
  const template = await compileTemplate(docx({ body: p("{{name}}") }));
  expect(() => template.render([{ name: "Ann" }])).toThrow(
    "For a list, render each of its entries, or give it a name: { items: [ … ] }.",
  );
});

describe("text for a missing value", () => {
  test.each(["null", "N/A", "undefined", "-"])("%s is not true", async (vip) => {
    expect(await hintsOf("{{if vip}}VIP{{endif}}", { vip })).toEqual([
      `text_as_condition: Give null in the data instead of text, or compare it with the text, as in vip != "${vip}". If any text counts, write not (vip isEmpty).`,
    ]);
    expect(await printed(`{{if vip != "${vip}"}}VIP{{endif}}`, { vip })).toBe("");
  });

  test("is reported once for a check box", async () => {
    const hints = await hintsOf("{{done :: checkbox}}", { done: "null" });
    expect(hints).toHaveLength(1);
    expect(hints[0]).toContain('{{(done != "null") :: checkbox}}');
  });

  test("gives no warning in a condition whose block prints it", async () => {
    const template = "{{if allergies}}Allergies: {{allergies}}{{endif}}";
    expect(await hintsOf(template, { allergies: "N/A" })).toEqual([]);
  });

  test.each(["null", "undefined", "NaN", "[object Object]", "#REF!"])(
    "%s of a program is reported where it is printed",
    async (phone) => {
      const template = "{{for p in people}}{{p.phone}} {{endfor}}";
      expect(await hintsOf(template, { people: [{ phone: "1" }, { phone }] })).toEqual([
        `empty_text: Correct the data: give the value, or null if it is missing. To leave out such text, write {{$if(p.phone == "${phone}", "", p.phone)}}.`,
      ]);
    },
  );

  test.each(["Null", "nullable", "none", "n/a", "N", "#1"])("%s may be a text", async (name) => {
    expect(await hintsOf("{{name}}", { name })).toEqual([]);
  });
});

describe("a number in text", () => {
  test.each([
    ["6 kg", 5, 'qty.replace(" kg", "")'],
    ["20%", 20, 'qty.replace("%", "")'],
    ["20%", 0.2, 'qty.replace("%", "") / 100 == 0.2'],
    ["5,0", 5, 'qty.toNumber(",")'],
    ["5 €", 5, 'qty.toNumber(",")'],
  ])("%s that a number is compared with leads to the number", async (qty, number, meant) => {
    const [hint] = await hintsOf(`{{if qty == ${number}}}x{{endif}}`, { qty });
    expect(hint).toContain("doubtful_comparison: 'qty' is");
    expect(hint).toContain(meant);
  });

  test.each(["5h", "B 5", "5 Ann"])("may be another text, such as %s", async (room) => {
    expect(await hintsOf("{{if room == 5}}x{{endif}}", { room })).toEqual([]);
  });

  test("has hours and minutes", async () => {
    const data = { hours: "1:30", entries: [{ hours: "1:30" }, { hours: "0:45" }] };
    const hours = '(hours.split(":")[0] + hours.split(":")[1] / 60)';
    for (const template of ["{{hours * 50}}", "{{entries.sum(hours)}}"]) {
      expect(await hintsOf(template, data)).toEqual([
        `invalid_value: It has hours and minutes: give a number of hours such as 1.5. Write ${hours}.`,
      ]);
    }
    expect(await printed(`{{${hours} * 50}} {{entries.sum(${hours})}}`, data)).toBe("75 2.25");
  });
});

describe("the hint for a date or a time in another form", () => {
  test.each([
    [20260131, "long", 'd.toDate("yyyyMMdd") :: format("long")', "January 31, 2026"],
    [
      "9:30 PM",
      "HH:mm",
      '$concat("2000-01-01 ", d).toDate("yyyy-MM-dd h:mm a") :: format("HH:mm")',
      "21:30",
    ],
  ])("%s", async (d, pattern, meant, line) => {
    const [hint] = await hintsOf(`{{d :: format("${pattern}")}}`, { d });
    expect(hint).toContain(`{{${meant}}}`);
    expect(await printed(`{{${meant}}}`, { d })).toBe(line);
  });
});

test.each([
  ["Groesse", "Größe"],
  ["grosse", "Größe"],
  ["Müller", "Mueller"],
  ["Lange", "Länge"],
  ["creme", "crème"],
])("%s is the key %s in other letters", async (name, key) => {
  expect(await hintsOf(`{{${name}}}`, { [key]: "x" })).toEqual([
    `missing_value: Did you mean '${key}'?`,
  ]);
});
