import { describe, expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { outcome, printed } from "../support/language.ts";

const DATA = {
  notice: {
    ...{ total: 1284.5, currency: "CHF", lang: "de-CH", size: 12, fee: 480, dogs: 2 },
    ...{ date: "2026-11-30", due: "2026-12-15", rate: 0.065, place: 3, late: true },
  },
  resident: {
    ...{ first: "Petra", last: "Lindqvist", name: "Petra Lindqvist" },
    iban: "CH9300762011623852957",
  },
  permits: [
    { no: "A", fee: 30, late: false },
    { no: "B", fee: 10, late: true },
    { no: "C", fee: 20, late: false },
  ],
  months: ["Jan", "Feb"],
  quarters: [{ title: "Spring", key: "Feb" }],
  teams: [{ name: "x", hours: { Jan: 1, Feb: 2 } }],
};

/** Returns the hint for the first mistake of a template. */
async function hintOf(template: string): Promise<string> {
  const { warnings } = await outcome(p(template), DATA, { now: new Date("2026-12-01T10:00:00Z") });
  return warnings.find(({ code }) => code !== "unused_value")?.hint ?? "";
}

/** Returns what a tag prints that is written as the hint says. */
async function mended(tag: string): Promise<string> {
  const hint = await hintOf(`{{${tag}}}`);
  const meant = /^Write (\{\{.+?\}\})/.exec(hint)?.[1] ?? `no form: ${hint}`;
  return printed(meant.startsWith("{{for ") ? `${meant}{{p.no}}{{endfor}}` : meant, DATA);
}

describe("a text beside a value", () => {
  test.each([
    ['notice.total :: suffix(" CHF")', "after the tag: {{notice.total}} CHF"],
    [
      'notice.total :: number(2), append(" CHF")',
      "after the tag: {{notice.total :: number(2)}} CHF",
    ],
    [
      'notice.total :: append(" CHF"), number(2)',
      "after the tag: {{notice.total :: number(2)}} CHF",
    ],
    ['notice.total :: unit("kg")', "after the tag: {{notice.total}} kg"],
    ['notice.total :: prefix("Fr. ")', "before the tag: Fr. {{notice.total}}"],
  ])("is not a modifier: %s", async (tag, hint) => {
    expect(await hintOf(`{{${tag}}}`)).toBe(`Write the text ${hint}`);
  });

  test.each(["notice.size l", "notice.fee kg", 'notice.size "l"'])(
    "is a unit after the tag: %s",
    async (tag) => {
      const [, value, unit] = /^(\S+) "?(\w+)/.exec(tag) ?? [];
      expect(await hintOf(`{{${tag}}}`)).toMatch(
        `Write the unit after the tag: {{${value}}} ${unit}`,
      );
    },
  );

  test("is a percent sign, for a share or a number", async () => {
    expect(await hintOf("{{notice.rate %}}")).toBe(
      "For a share such as 0.25 write {{notice.rate :: percent}}, and for a number such as 25 write {{notice.rate}}%.",
    );
  });
});

describe("the tag of the hint prints the meant value:", () => {
  test.each([
    ['notice.dogs :: plural("dog", "dogs")', "dogs"],
    ['notice.total :: number(2, ",")', "1.284,50"],
    ['notice.total :: number(2, ",", ".")', "1.284,50"],
    ['notice.total :: number(2, ".", ",")', "1,284.50"],
    ['notice.total :: number(2, "\'")', "1'284.50"],
    ['notice.total :: currency(notice.currency, locale("de-CH"))', "CHF\u00a01'284.50"],
    ["notice.total :: currency(notice.currency) locale(notice.lang)", "CHF\u00a01'284.50"],
    ["notice.total :: currency(notice.currency), notice.lang", "CHF\u00a01'284.50"],
    ['resident.first, " ", resident.last', "Petra Lindqvist"],
    ['resident.name.split(" ", 2)', "Lindqvist"],
    ['resident.name.split(" ").second()', "Lindqvist"],
    ["resident.iban.chunk(4)", "CH93 0076 2011 6238 5295 7"],
    ['notice.total :: currency("CHF"), words', "one thousand two hundred eighty-four"],
    ['notice.date.daysUntil(notice.due, "workdays")', "12"],
    ["for p in permits.top(2, fee)", "AC"],
    ["for p in permits.where(late = no)", "AC"],
    ["for p in permits.where(late = yes)", "B"],
  ])("%s", async (tag, value) => {
    expect(await mended(tag)).toBe(value);
  });
});

describe("the condition of a look", () => {
  test.each([
    ["p.fee :: bold(when p.late)", "p.fee :: bold(p.late)"],
    ["p.fee :: bold(if p.late)", "p.fee :: bold(p.late)"],
    [
      '$if(p.late, "late" :: color("red"), "in time")',
      '$if(p.late, "late", "in time") :: color("red"), when(p.late)',
    ],
    [
      '$if(p.late, "late", "in time" :: color("green"))',
      '$if(p.late, "late", "in time") :: color("green"), when(not p.late)',
    ],
  ])("has its own place: %s", async (tag, meant) => {
    expect(await hintOf(`{{for p in permits}}{{${tag}}}{{endfor}}`)).toBe(`Write {{${meant}}}.`);
  });

  test("belongs to the tag of the value, not to a tag before it", async () => {
    const template = "{{for p in permits}}{{if p.late}}{{color red}}{{endif}}{{p.no}}{{endfor}}";
    expect(await hintOf(template)).toContain('{{name :: color("red"), when(late)}}');
  });
});

describe("a question about a value", () => {
  test("compares dates in a condition", async () => {
    expect(await hintOf("{{notice.date.isBefore($today)}}")).toMatch(
      "Write {{if notice.date < $today}} … {{endif}}.",
    );
  });

  test("about the place of a sign gets the parts beside the sign", async () => {
    expect(await hintOf('{{resident.name.find(" ")}}')).toMatch(
      'For the text before the sign write {{resident.name.split(" ").first()}}',
    );
  });

  test("with 'yes' or 'no' may compare text", async () => {
    expect(await hintOf("{{permits.count(late = no)}}")).toContain('with the text: == "no".');
  });
});

describe("an item beside the item of a loop", () => {
  test.each([
    ["for p in permits", "$previous.fee", "permits[$index - 1].fee"],
    ["for p in permits.sort(fee)", "$next.fee", "permits.sort(fee)[$index + 1].fee"],
    ["for p in permits", "p[$index - 1].fee", "permits[$index - 1].fee"],
  ])("is an element of its list: {{%s}}{{%s}}", async (loop, tag, meant) => {
    expect(await hintOf(`{{${loop}}}{{${tag}}}{{endfor}}`)).toMatch(`write ${meant} :: optional.`);
    const fees = await printed(`{{${loop}}}{{${meant} :: optional}};{{endfor}}`, DATA);
    expect(fees).toBe(tag === "$next.fee" ? "20;30;;" : ";30;10;");
  });

  test("is the only one without a loop", async () => {
    const hint = await hintOf("{{for p in permits.sort(fee)[1]}}{{p.no}}{{endfor}}");
    expect(hint).toMatch("write {{permits.sort(fee)[1].no}}.");
    expect(await printed("{{permits.sort(fee)[1].no}}", DATA)).toBe("C");
  });
});

describe("the name of a built-in value", () => {
  test.each([
    ["$tomorrow", "$today.addDays(1)"],
    ["$yesterday", "$today.addDays(-1)"],
    ["$year", "$today.year()"],
    ["resident.name.titlecase", "resident.name.titleCase()"],
  ])("%s", async (name, meant) => {
    expect(await hintOf(`{{${name}}}`)).toBe(`Did you mean '${meant}'?`);
  });

  test("$total in a loop", async () => {
    const hint = await hintOf("{{for p in permits}}{{$number}} of {{$total}}{{endfor}}");
    expect(hint).toBe("Did you mean '$length'?");
  });
});

describe("an object with a value for each item of a loop", () => {
  test.each([
    ["for m in months", "t.hours[m]"],
    ["for q in quarters", "t.hours[q.key]"],
  ])("has the item in brackets: {{%s}}", async (loop, meant) => {
    const hint = await hintOf(`{{for t in teams}}{{${loop}}}{{t.hours}}{{endfor}}{{endfor}}`);
    expect(hint).toContain(`write {{${meant}}}.`);
  });

  test("has no brackets outside such a loop", async () => {
    expect(await hintOf("{{for t in teams}}{{t.hours}}{{endfor}}")).not.toContain("[");
  });
});

describe("a pattern or a form of another function", () => {
  test.each([
    ['notice.rate :: format("0.0%")', 'write number("0.0%")'],
    ['notice.date :: format("Month yyyy")', 'write format("MMMM yyyy")'],
    ['notice.date :: format("Day, d MMMM yyyy")', 'write format("EEEE, d MMMM yyyy")'],
  ])("is in the message: %s", async (tag, meant) => {
    const { warnings } = await outcome(p(`{{${tag}}}`), DATA);
    expect(warnings[0]?.message).toContain(meant);
  });

  test("names the function for ordinals in words", async () => {
    expect(await hintOf('{{notice.place.ordinal("words")}}')).toBe(
      "Write the ordinal in words: notice.place.ordinalWords().",
    );
  });
});
