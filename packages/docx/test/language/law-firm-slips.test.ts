import { describe, expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { outcome } from "../support/language.ts";

const LAW = {
  net: 1234.5,
  total: 1234.5,
  rate: 0.19,
  vatRate: 19,
  invoiceDate: "2026-11-20",
  born: "1990-12-24",
  callStart: "2026-11-03T09:00:00",
  callEnd: "2026-11-03T10:30:00",
  entries: [
    { date: "2026-10-28", lawyer: "Huber", hours: 1.5, rate: 280, billable: true },
    { date: "2026-11-03", lawyer: "Berg", hours: 2.25, rate: 190, billable: true },
    { date: "2026-11-17", lawyer: "Huber", hours: 0.7, rate: 280, billable: false },
  ],
};

const RENT = {
  tenants: [
    { name: "Weber", building: "Elm 1", rent: 980, paid: "no" },
    { name: "Ott", building: "Oak 7", rent: 1250, paid: "yes" },
    { name: "Diaz", building: "Elm 1", rent: 1100, paid: "yes" },
  ],
  reminders: [
    { no: "M1", due: "12/01/2026" },
    { no: "M2", due: "01/15/2027" },
  ],
};

const CLUB = {
  name: "SV Nord",
  teams: [
    { name: "Lions", points: 9 },
    { name: "Bears", points: 4 },
  ],
  results: [
    { home: "Lions", away: "Bears", hg: 2, ag: 3 },
    { home: "Bears", away: "Lions", hg: 0, ag: 1 },
  ],
};

const NOW = { now: "2026-11-30T10:00:00Z" };

type Data = Readonly<Record<string, unknown>>;

/** Returns the messages about a template, each as its code, its message and its hint. */
async function messages(template: string, data: Data): Promise<string[]> {
  const { warnings } = await outcome(p(template), data, NOW);
  return warnings
    .filter(({ code }) => code !== "unused_value")
    .map(({ code, message, hint }) => `${code}: ${message} ${hint ?? ""}`);
}

describe("a name in the parentheses of a function in a loop", () => {
  const IN_TEAMS = (tag: string): string => `{{for t in teams}}{{t.name}}: ${tag} {{endfor}}`;

  test.each([
    "{{results.count(home == name)}}",
    "{{results.where(home == name or away == name).count()}}",
    "{{if results.count(home == name) > 0}}x{{endif}}",
  ])("is warned about if it is a key of the loop's items, too: %s", async (tag) => {
    const [told, ...more] = await messages(IN_TEAMS(tag), CLUB);
    expect(told).toMatch(/^same_for_all_items: .* For the item of the loop write t\.name\.$/);
    expect(more).toEqual([]);
  });

  test.each([
    "{{results.count(home == t.name)}}",
    "{{results.count(home == t.name and t.name != name)}}",
  ])("is right with the name of the item: %s", async (tag) => {
    expect(await messages(IN_TEAMS(tag), CLUB)).toEqual([]);
  });

  test("is right if the items of the list, or only the data, have it", async () => {
    const own = { ...CLUB, results: CLUB.results.map((each) => ({ ...each, name: each.home })) };
    expect(await messages(IN_TEAMS('{{results.count(name == "Lions")}}'), own)).toEqual([]);
    const data = { ...CLUB, club: "Lions" };
    expect(await messages(IN_TEAMS("{{results.count(home == club)}}"), data)).toEqual([]);
  });

  test("is right if the items of the loop have the same value", async () => {
    const data = { ...CLUB, name: "Lions", teams: [{ name: "Lions", points: 9 }] };
    expect(await messages(IN_TEAMS("{{results.count(home == name)}}"), data)).toEqual([]);
  });
});

describe("a function on the whole list in a loop over its groups", () => {
  const IN_GROUPS = (tag: string): string =>
    `{{for g in entries.group(lawyer)}}{{g.key}}: ${tag} {{endfor}}`;

  test.each([
    ["entries.where(billable).sum(hours)", "g.items.where(billable).sum(hours)"],
    ["entries.where(billable).count()", "g.items.where(billable).count()"],
  ])("is warned about: %s", async (written, meant) => {
    const [told, ...more] = await messages(IN_GROUPS(`{{${written}}}`), LAW);
    expect(told).toMatch(/^list_in_loop: /);
    expect(told).toContain(`For the items of the group write {{${meant}}}.`);
    expect(more).toEqual([]);
  });

  test.each([
    "entries.where(lawyer == g.key).sum(hours)",
    "entries.sum($if(lawyer == g.key, hours, 0))",
  ])("is right with the group in its condition: %s", async (written) => {
    expect(await messages(IN_GROUPS(`{{${written}}}`), LAW)).toEqual([]);
  });

  test("is right beside the items of the group", async () => {
    const tag = "{{g.items.sum(hours)}} of {{entries.where(billable).sum(hours)}}";
    expect(await messages(IN_GROUPS(tag), LAW)).toEqual([]);
  });
});

describe("$sum of a choice without a list", () => {
  test("names the list whose items have the keys", async () => {
    expect(await messages("{{$sum($if(billable, hours, 0))}}", LAW)).toEqual([
      "sum_of_one_value: In the tag {{$sum($if(billable, hours, 0))}}, $sum gets a single value, not a list. Name the list: entries.sum($if(billable, hours, 0)).",
    ]);
  });

  test("is right for a list, and for values of the data", async () => {
    expect(await messages("{{entries.sum($if(billable, hours, 0))}}", LAW)).toEqual([]);
    expect(await messages("{{$sum($if(net > 0, entries.hours, 0))}}", LAW)).toEqual([]);
    expect(await messages("{{$sum($if(net > 0, net, 0))}}", LAW)).toEqual([]);
  });
});

describe("the hint for text that means no", () => {
  test.each([
    ["if not t.paid", "== \"no\" without 'not'", "write t.paid isEmpty"],
    ["if t.paid", 't.paid != "no"', "write not (t.paid isEmpty)"],
  ])("fits %s", async (tag, compared, any) => {
    const [told] = await messages(`{{for t in tenants}}{{${tag}}}x{{endif}}{{endfor}}`, RENT);
    expect(told).toContain(compared);
    expect(told).toContain(any);
  });
});

describe("a comparison with a date", () => {
  test.each([
    ["r.due < $today", "the date on the left side"],
    ["$today > r.due", "the date on the right side"],
    ['r.due < "05/04/2026"', "the dates on both sides"],
  ])("names the side that may begin with day or month: %s", async (condition, side) => {
    const template = `{{for r in reminders}}{{if ${condition}}}x{{endif}}{{endfor}}`;
    const [told] = await messages(template, RENT);
    expect(told).toContain(`${side} may start with the day or the month`);
    expect(told).toContain(
      'write r.due.toDate("MM/dd/yyyy") if the month comes first, or r.due.toDate("dd/MM/yyyy") if the day does.',
    );
  });

  test.each([
    ['invoiceDate == "Nov"', "Write invoiceDate.month() == 11."],
    ['invoiceDate != "december"', "Write invoiceDate.month() != 12."],
    ['invoiceDate contains "November"', "Write invoiceDate.month() == 11."],
    ['invoiceDate == "Sunday"', "Write invoiceDate.weekday() == 7."],
    ['invoiceDate == "today"', "Write $today without quotes."],
    ['invoiceDate == "now"', "Write $now without quotes."],
  ])("knows the word in %s", async (condition, hint) => {
    const [told, ...more] = await messages(`{{if ${condition}}}x{{endif}}`, LAW);
    expect(told).toMatch(/^doubtful_comparison: /);
    expect(told).toContain(hint);
    expect(more).toEqual([]);
  });

  test("knows the months of the document's language, also in a function", async () => {
    const template = '{{entries.where(date == "Oktober").count()}}';
    const { warnings } = await outcome(p(template), LAW, { locale: "de" });
    expect(warnings.map(({ hint }) => hint)).toContain("Write date.month() == 10.");
  });

  test.each([
    ['month == "Nov"', { month: "Dec" }],
    ['invoiceDate == "open"', LAW],
  ])("leaves other words alone: %s", async (condition, data) => {
    expect(await messages(`{{if ${condition}}}x{{endif}}`, data)).toEqual([]);
  });

  test("leaves a word alone that the data may have in place of a date", async () => {
    const shown = '{{if start == "now"}}at once{{else}}{{start}}{{endif}}';
    expect(await messages(shown, { start: "2026-11-03" })).toEqual([]);
    const jobs = { jobs: [{ start: "2026-11-03" }, { start: "now" }] };
    const loop = '{{for j in jobs}}{{if j.start == "now"}}x{{endif}}{{endfor}}';
    expect(await messages(loop, jobs)).toEqual([]);
    expect(await messages('{{jobs.count(start == "now")}}', jobs)).toEqual([]);
  });
});

test.each([
  ["$number == 0", "For the first item write $first."],
  ["e.$number != 0", "For all items but the first write not e.$first."],
])("%s is never meant, because positions count from 1", async (condition, hint) => {
  const template = `{{for e in entries}}{{if ${condition}}}x{{endif}}{{endfor}}`;
  const [told] = await messages(template, LAW);
  expect(told).toMatch(/^doubtful_computation: .*\$number counts from 1\./);
  expect(told).toContain(hint);
});

describe("a sign that a format prints itself", () => {
  test.each([
    ['€{{net.currency("EUR")}}', "Leave out the currency before the tag."],
    ['{{net.currency("EUR")}} EUR', "Leave out the currency after the tag."],
    ['{{$concat("EUR ", net.currency("EUR"))}}', "Leave out the currency in the text."],
    ['{{$concat(net.currency("EUR"), " €")}}', "Leave out the currency in the text."],
    ['{{net :: number("#,##0.00 €")}} EUR', "Leave out the currency after the tag."],
    ["VAT {{rate.percent(0)}}%", "Leave out the percent sign after the tag."],
    ['{{rate :: number("0%")}}%', "Leave out the percent sign after the tag."],
    ['{{$concat("VAT ", rate.percent(0), "%")}}', "Leave out the percent sign in the text."],
  ])("is not typed beside it, too: %s", async (template, hint) => {
    const [told, ...more] = await messages(template, LAW);
    expect(told).toMatch(/^doubtful_sign: /);
    expect(told).toContain(hint);
    expect(more).toEqual([]);
  });

  test.each([
    '{{net.currency("EUR")}} in EUR',
    '{{net :: number("#,##0.00")}} EUR',
    '{{$concat("EUR ", net.number(2))}}',
    '{{$concat(net.currency("EUR"), " / ", total.currency("EUR"))}}',
    '{{rate :: number("0.0")}} x',
    '{{$concat("VAT ", rate.percent(0))}}',
  ])("is right alone: %s", async (template) => {
    expect(await messages(template, LAW)).toEqual([]);
  });

  test.each([
    ['{{$concat("VAT ", vatRate.percent(0))}}', "write (vatRate / 100).percent(0)."],
    ['{{$concat("VAT ", vatRate.number("0%"))}}', 'write (vatRate / 100).number("0%").'],
  ])("multiplies a percentage once more: %s", async (template, hint) => {
    const [told] = await messages(template, LAW);
    expect(told).toMatch(/^doubtful_sign: /);
    expect(told).toContain(hint);
  });

  test.each([
    ["net.number(0.00)", 'Write number("0.00") or number(2).'],
    ["rate.percent(0.0)", "Write percent(1) for one decimal."],
  ])("has a whole number of decimals: %s", async (call, hint) => {
    const [told] = await messages(`{{$concat("Net ", ${call})}}`, LAW);
    expect(told).toContain("tag_syntax: The argument of");
    expect(told).toContain(hint);
  });
});

describe("whole hours", () => {
  test.each([
    ["callStart.hoursUntil(callEnd) * 280", "write callStart.minutesUntil(callEnd) / 60."],
    ["280 * callStart.hoursUntil(callEnd)", "write (callStart.minutesUntil(callEnd) / 60)."],
  ])("in a product lose the minutes: %s", async (computation, hint) => {
    const [told] = await messages(`{{${computation}}}`, LAW);
    expect(told).toMatch(/^doubtful_computation: /);
    expect(told).toContain(hint);
  });

  test("are right alone, for days, and without a rest", async () => {
    expect(await messages("{{callStart.hoursUntil(callEnd)}}", LAW)).toEqual([]);
    expect(
      await messages('{{(callStart.hoursUntil(callEnd) / 24).round(0, "down")}}', LAW),
    ).toEqual([]);
    const data = { ...LAW, callEnd: "2026-11-03T11:00:00" };
    expect(await messages("{{callStart.hoursUntil(callEnd) * 280}}", data)).toEqual([]);
  });
});

describe("the years between a date and today", () => {
  test("are negative in the wrong order", async () => {
    const [told] = await messages("{{$today.yearsUntil(born)}}", LAW);
    expect(told).toMatch(/^doubtful_computation: .* Write \{\{born\.yearsUntil\(\$today\)\}\}\.$/);
  });

  test.each([
    "{{born.yearsUntil($today)}}",
    "{{$today.yearsUntil(born).abs()}}",
    "{{if $today.yearsUntil(born) < 0}}x{{endif}}",
    "{{invoiceDate.daysUntil($today)}}",
    "{{$today.daysUntil(invoiceDate)}}",
  ])("are right in %s", async (template) => {
    expect(await messages(template, LAW)).toEqual([]);
  });
});
