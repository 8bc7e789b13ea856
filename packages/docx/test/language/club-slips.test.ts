import { describe, expect, test } from "vitest";
import { p, table } from "../../../ooxml/test/support/docx.ts";
import { outcome, printed } from "../support/language.ts";

const DATA = {
  hearing: "2026-12-10T14:30:00",
  total: 1234.5,
  client: { name: "Ann" },
  entries: [
    { date: "2026-10-28", lawyer: "Huber", hours: 1.5, rate: 280, billable: true },
    { date: "2026-10-29", lawyer: "Moser", hours: 2.25, rate: 200, billable: false },
  ],
  disbursements: [{ amount: 5 }, { amount: 7 }],
  months: ["Jan", "Feb", "Mar"],
  tenants: [
    { name: "Weber", rent: 980, readings: { Jan: 10, Feb: 20, Mar: 35 }, list: [10, 20, 35] },
    { name: "Kurz", rent: 700, readings: { Jan: 1, Feb: 2, Mar: 3 }, list: [1, 2, 3] },
  ],
  teams: [
    { name: "Lions", points: 7 },
    { name: "Bears", points: 9 },
  ],
  members: [
    { name: "Ann", team: "Lions" },
    { name: "Bob", team: "Lions" },
    { name: "Cy", team: "Bears" },
  ],
  results: [
    { home: "Lions", away: "Bears", hg: 2, ag: 3 },
    { home: "Bears", away: "Lions", hg: 1, ag: 1 },
  ],
  tasks: [{ due: "" }, { due: "2020-01-01" }],
};

/** Returns the first diagnostic of a body, without those about unused values. */
async function problemIn(body: string): Promise<{ message: string; hint: string }> {
  const { warnings } = await outcome(body, DATA);
  const [first] = warnings.filter(({ code }) => code !== "unused_value");
  return { message: first?.message ?? "", hint: first?.hint ?? "" };
}

async function hintOf(template: string): Promise<string> {
  return (await problemIn(p(template))).hint;
}

describe("the hint for a slip in a sum, a count or a sort", () => {
  test.each([
    ["{{members.count(distinct(team))}}", "Write {{members.distinct(team).count()}}."],
    ["{{$count(members, distinct(team))}}", "Write {{members.distinct(team).count()}}."],
    ["{{members.count(members.distinct(team))}}", "Write {{members.distinct(team).count()}}."],
    [
      "{{$sum(entries.hours, billable == true)}}",
      "Name the list of the items: write entries.where(billable == true).sum(hours).",
    ],
    [
      "{{$sum(entries.hours, entries.billable == true)}}",
      "Name the list of the items: write entries.where(billable == true).sum(hours).",
    ],
    [
      "{{$sum(entries.hours, billable)}}",
      "'billable' is a key of the items of 'entries': write entries.where(billable).sum(hours).",
    ],
    [
      "{{for e in entries}}{{$running(e.hours, e.billable)}}{{endfor}}",
      "Write {{$running($if(e.billable, e.hours, 0))}}. To multiply the keys, write $running(e.hours * e.billable).",
    ],
    [
      "{{for e in entries}}{{$running(e.hours, e.extra)}}{{endfor}}",
      "Write {{$running(e.hours * e.extra)}}. If 'e.extra' is a condition, write $running($if(e.extra, e.hours, 0)).",
    ],
    [
      "{{entries.sum(hours * billable)}}",
      "Write $if(billable, hours, 0) in place of hours * billable.",
    ],
    [
      "{{entries.sum((hours + 1) * billable)}}",
      "Write $if(billable, hours + 1, 0) in place of (hours + 1) * billable.",
    ],
    [
      "{{entries.sum(hours + billable)}}",
      "To count true as 1 and false as 0, write $if(billable, 1, 0) in place of billable.",
    ],
    [
      "{{results.sum($if(hg > ag, 3, $if(hg == ag, 1)))}}",
      "Write $if(hg == ag, 1, 0), with the value for the other case.",
    ],
    [
      "{{for n in teams.name.sort(points desc)}}{{n}}{{endfor}}",
      "'points' is a key of the items of 'teams': write teams.sort(points desc).name.",
    ],
    [
      "{{for t in tenants}}{{t.name}}{{endfor}}{{tenants.sum(t.rent)}}",
      "In the parentheses, a key alone is the key of each item. Write tenants.sum(rent).",
    ],
  ])("%s", async (template, hint) => {
    expect(await hintOf(template)).toBe(hint);
  });

  test("leads to the right result", async () => {
    expect(await printed("{{members.distinct(team).count()}}", DATA)).toBe("2");
    expect(await printed("{{entries.where(billable == true).sum(hours)}}", DATA)).toBe("1.5");
    expect(await printed("{{entries.sum($if(billable, hours, 0))}}", DATA)).toBe("1.5");
    expect(await printed("{{results.sum($if(hg > ag, 3, $if(hg == ag, 1, 0)))}}", DATA)).toBe("1");
    expect(await printed('{{teams.sort(points desc).name.join(" ")}}', DATA)).toBe("Bears Lions");
    const running = "{{for e in entries}}{{$running($if(e.billable, e.hours, 0))}} {{endfor}}";
    expect(await printed(running, DATA)).toBe("1.5 1.5 ");
  });
});

describe("the hint for a slip in the format of a date", () => {
  test.each([
    ['{{hearing :: format("h:mm AM/PM")}}', 'Write format("h:mm a").'],
    ['{{hearing :: format("h:mm am")}}', 'Write format("h:mm a").'],
    ['{{hearing :: format("HH:mm PM")}}', 'Write format("hh:mm a").'],
    ['{{hearing :: format("h:mm:ss A")}}', 'Write format("h:mm:ss a").'],
    ["{{hearing.ordinal()}}", "For the day of the date write hearing.day().ordinal()."],
    [
      '{{hearing :: format("long"), format("HH:mm")}}',
      'Write one pattern, such as format("d MMMM yyyy HH:mm"), or two tags.',
    ],
    ['{{hearing :: format("ww/yyyy")}}', "Write {{hearing.week()}}/{{hearing.weekYear()}}."],
    ['{{hearing :: format("yyyy-ww")}}', "Write {{hearing.weekYear()}}-{{hearing.week()}}."],
    ['{{hearing :: format("d MMMM yyyy"), locale("de_DE")}}', 'Write locale("de-DE").'],
  ])("%s", async (template, hint) => {
    expect(await hintOf(template)).toBe(hint);
  });

  test("keeps patterns with 'a' beside the time", async () => {
    expect(await printed('{{hearing :: format("d MMMM, h:mma")}}', DATA)).toBe(
      "10 December, 2:30PM",
    );
    expect(await printed('{{hearing :: format("a h:mm, EEEE")}}', DATA)).toBe("PM 2:30, Thursday");
  });

  test("still names two texts", async () => {
    expect(await hintOf('{{hearing :: format("yes/no")}}')).toContain('$if(hearing, "yes", "no")');
  });

  test("names the condition for an empty date", async () => {
    const template = (condition: string): string =>
      `{{for t in tasks}}{{if ${condition}}}late{{endif}}{{endfor}}`;
    expect(await hintOf(template('t.due < "2026-01-01"'))).toBe(
      `'t.due' is empty text, which counts as earlier than any date: write t.due and t.due < "2026-01-01".`,
    );
    const { lines, warnings } = await outcome(p(template('t.due and t.due < "2026-01-01"')), DATA);
    expect(lines).toEqual(["late"]);
    expect(warnings.filter(({ code }) => code !== "unused_value")).toEqual([]);
  });
});

describe("the hint in a table of readings", () => {
  const readings = (cell: string, total: string): string =>
    table(
      [p("Name"), p("{{tablecolumn m in months}}{{m}}{{endtablecolumn}}")],
      [p("{{tablerow t in tenants}}{{t.name}}"), p(`${cell}{{endtablerow}}`)],
      [p("Total"), p(total)],
    );

  test("names the item of the column for a position in an object", async () => {
    const { hint } = await problemIn(readings("{{t.readings[$index]}}", "x"));
    expect(hint).toContain("write t.readings[m].");
  });

  test("leaves out the name of the row's item in the total", async () => {
    const { hint } = await problemIn(
      readings("{{t.readings[m]}}", "{{tenants.sum(t.readings[m])}}"),
    );
    expect(hint).toContain("Write tenants.sum(readings[m]).");
    const mended = readings("{{t.readings[m]}}", "{{tenants.sum(readings[m])}}");
    expect((await outcome(mended, DATA)).lines).toContain("Total | 11 | 22 | 38");
  });

  test("names a position for a key in a list of values", async () => {
    expect(await hintOf('{{for t in tenants}}{{t.list["Jan"]}} {{endfor}}')).toContain(
      "For one of them write its position, from 0: t.list[0].",
    );
  });
});

describe("the hint for a word before a list or a value", () => {
  test.each([
    ["{{for t in reverse teams}}x{{endfor}}", "Write {{for t in teams.reverse()}}."],
    ["{{for t in sorted teams}}x{{endfor}}", "Write {{for t in teams.sort()}}."],
    ["{{for t in unique teams}}x{{endfor}}", "Write {{for t in teams.distinct()}}."],
    [
      '{{cell client.name :: fill("red")}}',
      'Write two tags: {{client.name}}, and {{cell :: fill("red")}} next to it.',
    ],
    [
      '{{row total :: currency("EUR"), fill("red"), when(total > 1)}}',
      'Write two tags: {{total :: currency("EUR")}}, and {{row :: fill("red"), when(total > 1)}} next to it.',
    ],
    ['{{client.name :: style("bold")}}', "Write {{client.name :: bold}}."],
    ['{{client.name :: style("underlined")}}', "Write {{client.name :: underline}}."],
  ])("%s", async (template, hint) => {
    expect(await hintOf(template)).toBe(hint);
  });
});

test("a style that the data names is not quoted", async () => {
  const { warnings } = await outcome(p("{{total :: style(look)}}"), { total: 1, look: "bold" });
  expect(warnings[0]?.hint).toContain("Create the style");
});

describe("the hint for a field of Word or a function of Excel", () => {
  test.each(["Next Record", "Skip Record If", "Next Record If", 'NEXTIF client.name = "x"'])(
    "%s is a loop",
    async (tag) => {
      expect(await hintOf(`{{${tag}}}`)).toBe(
        "To repeat content for each record write {{for item in items}} … {{endfor}}: no tag moves to the next record.",
      );
    },
  );

  test.each(["NEXT", "NextRecord", "SKIPIF"])("%s is a loop", async (tag) => {
    expect(await hintOf(`{{${tag}}}`)).toContain("'for item in items'");
  });

  test.each([
    ["{{RANK(t.points, teams.points)}}", "{{1 + teams.count(points > t.points)}}"],
    ["{{RANK.EQ(t.points; teams.points; 1)}}", "{{1 + teams.count(points < t.points)}}"],
    ["{{SUBTOTAL(9, disbursements.amount)}}", "{{disbursements.sum(amount)}}"],
    ["{{SUBTOTAL(101, disbursements.amount)}}", "{{disbursements.average(amount)}}"],
    ["{{SUBTOTAL(3, disbursements.amount)}}", "{{disbursements.amount.nonEmpty().count()}}"],
    ["{{MROUND(t.points, 0.25)}}", "{{(t.points / 0.25).round() * 0.25}}"],
    ["{{SpellNumber(total)}}", "{{total.words()}}"],
  ])("%s", async (template, meant) => {
    expect(await hintOf(`{{for t in teams}}${template}{{endfor}}`)).toBe(`Write ${meant}.`);
  });

  test("leads to the rank", async () => {
    const template = "{{for t in teams}}{{1 + teams.count(points > t.points)}} {{endfor}}";
    expect(await printed(template, DATA)).toBe("2 1 ");
  });

  test("rounds to the steps of the author", async () => {
    expect(await hintOf("{{for e in entries}}{{e.hours.round(0.25)}}{{endfor}}")).toBe(
      "To round to steps of 0.25, write (e.hours / 0.25).round() * 0.25.",
    );
  });

  test("a condition with a single sign is not called a command of docx-templates", async () => {
    const { message, hint } = await problemIn(p("{{IF total = 1}}"));
    expect(message).toBe("IF is a field of Word or a function of Excel and has no meaning here.");
    expect(hint).toBe("Write {{if total == 1}} … {{endif}}.");
    expect((await problemIn(p("{{IF total === 1}}"))).message).toContain("docx-templates");
  });
});
