import { describe, expect, test } from "vitest";
import { p, table } from "../../../ooxml/test/support/docx.ts";
import { hintsIn } from "../support/language.ts";

const DATA = {
  donors: [
    { name: "Ann Roy", amount: 250, city: "Kiel", kind: "private", receipt: true },
    { name: "Baker Ltd", amount: 1000, city: "Bonn", kind: "firm", receipt: false },
  ],
  days: [
    { city: "Lisbon", hotel: "Casa", stops: [{ what: "Tram" }, { what: "Walk" }] },
    { city: "Sintra", hotel: "", stops: [{ what: "Palace" }] },
  ],
  periods: [
    { no: 1, start: "08:00" },
    { no: 2, start: "08:50" },
  ],
  traveller: { name: "Iris", "passport no": "C01" },
  donor: { name: "Elsa" },
  tender: { no: "T-07" },
  lots: [{ no: 1, title: "Earthworks" }],
  order: { no: "W-2231", note: "a\nb" },
  receipt_no: 42,
  in_kind: [],
  language: "de",
  order_by: "amount",
  issued: "2026-01-01",
  total: 1341.567,
  code: "100",
  grade: "A1",
  city: "Bern",
};

const hintsOf = (body: string): Promise<string[]> => hintsIn(body, DATA);

function hintsFor(...texts: readonly string[]): Promise<string[]> {
  return hintsOf(texts.map((text) => p(text)).join(""));
}

function rowsOf(...rows: readonly (readonly string[])[]): string {
  return table(...rows.map((cells) => cells.map((text) => p(text))));
}

describe("an asterisk or a percent sign in place of other letters is reported:", () => {
  test.each([
    '{{donors.count(name == "B*")}}',
    '{{if order.no == "W-*"}}a{{endif}}',
    '{{donors.count(name contains "*Ltd")}}',
    '{{donors.count(name contains "%Ltd")}}',
    '{{if issued == "2026-01-*"}}a{{endif}}',
  ])("%s", async (tag) => {
    expect(await hintsFor(tag)).toEqual([expect.stringContaining("startsWith")]);
  });

  test("a grade with an asterisk is another text", async () => {
    expect(await hintsFor('{{if grade == "A*"}}a{{endif}}')).toEqual([]);
  });
});

describe("a name in quotes as an argument leads to the value:", () => {
  test.each([
    ['{{issued :: format("EEEE"), locale("language")}}', "locale(language)"],
    ['{{issued :: format("HH:mm"), timeZone("zone")}}', "timeZone(zone)"],
    ['{{order.no :: color("club_color")}}', "color(club_color)"],
    ['{{for d in donors.limit("top")}}x{{endfor}}', "without quotes: top."],
    ['{{issued.addDays("year")}}', "without quotes: year."],
  ])("%s", async (tag, meant) => {
    expect((await hintsFor(tag))[0]).toContain(meant);
  });
});

describe("the keys to sort by", () => {
  test.each([
    ["donors.sort(order_by desc)", "sort(this[order_by])"],
    ["donors.sort(city desc and name)", "{{for d in donors.sort(city desc, name)}}"],
    ["donors.sort(city and name)", "write sort(city, name)"],
  ])("are named in %s", async (list, meant) => {
    const [hint] = await hintsFor(`{{for d in ${list}}}{{d.name}}{{endfor}}`);
    expect(hint).toContain(meant);
  });

  test("belong to the list in the tag of the loop", async () => {
    const [hint] = await hintsFor("{{for d in donors}}{{d.name :: sort(city)}}{{endfor}}");
    expect(hint).toContain("In a loop it belongs to the list in the tag of the loop");
  });
});

describe("the name of a loop's item", () => {
  test.each([
    ["{{g.items.sum(g.amount)}}", "write amount in place of g.amount"],
    ['{{g.items.where(g.kind == "private").sum(amount)}}', "write kind in place of g.kind"],
  ])("is not needed in the parentheses: %s", async (tag, meant) => {
    const [hint] = await hintsFor(`{{for g in donors.group(city)}}${tag}{{endfor}}`);
    expect(hint).toContain(meant);
  });

  test.each([
    ["{{for d in donors}}", "{{d.sum(amount)}}", "donors.sum(amount)"],
    ["{{for d in donors.group(city)}}", "{{d.items.sum(amount)}}", "donors.sum(amount)"],
    ["{{for d in donors}}", "{{d.city}}", "donors.first().city or donors.last().city"],
  ])("leads to the list after the loop %s: %s", async (loop, tag, meant) => {
    const [hint] = await hintsFor(`${loop}x{{endfor}} ${tag}`);
    expect(hint).toContain("is known only between");
    expect(hint).toContain(meant);
  });

  test("in a condition around its loop is reported, also before the loop", async () => {
    const loop = ["{{for d in days}}", "{{d.city}}", "{{endfor}}"];
    const [hint] = await hintsFor("{{if d.hotel}}", ...loop, "{{endif}}");
    expect(hint).toContain("missing_in_condition: 'd' is known only between {{for d in days}}");
    const within = ["{{for d in days}}", "{{if d.hotel}}", "{{for s in d.stops}}x{{endfor}}"];
    expect(await hintsFor(...within, "{{endif}}", "{{endfor}}")).toEqual([]);
  });

  test.each([
    ["{{$d.number}}", "d.$number"],
    ["{{d$number}}", "d.$number"],
    ["{{if $d.first}}x{{endif}}", "d.$first"],
    ["{{if not $Last}}x{{endif}}", "$last"],
  ])("comes before the dollar sign: %s", async (tag, meant) => {
    const [hint] = await hintsFor(`{{for d in days}}${tag}{{endfor}}`);
    expect(hint).toContain(`Did you mean '${meant}'?`);
  });
});

describe("arguments in another order keep their values:", () => {
  test.each([
    ['{{code :: padStart("00000000")}}', 'code.padStart(8, "0")'],
    ['{{total.round("down", 2)}}', 'total.round(2, "down")'],
    ['{{total.round("2")}}', "total.round(2)"],
    ['{{total :: currency(0, "EUR")}}', 'currency("EUR", 0)'],
    ['{{order.note :: truncate("…", 8)}}', 'truncate(8, "…")'],
    ['{{donors.count(amount, ">100")}}', "{{donors.count(amount > 100)}}"],
    ['{{total :: number("0,00")}}', 'number("0.00"), locale("de")'],
    ["{{order.note.lines[0]}}", "order.note.lines()"],
    ["{{for d in donors.count()}}", "$range(donors.count())"],
    ["{{for d in days, s in d.stops}}", "{{for s in days.stops}}"],
  ])("%s", async (tag, meant) => {
    const end = tag.startsWith("{{for") ? "x{{endfor}}" : "";
    expect((await hintsFor(tag + end))[0]).toContain(meant);
  });
});

test("a condition on groups leads to their totals", async () => {
  const loop = "{{for g in donors.group(city).where(amount > 400)}}{{g.key}}{{endfor}}";
  expect((await hintsFor(loop))[0]).toContain("write where(items.sum(amount) > 400)");
});

describe("a key at the top of the data", () => {
  test.each([
    ["{{for l in tender.lots}}x{{endfor}}", "Did you mean 'lots'?"],
    ["{{donor.receipt_no}}", "Did you mean 'receipt_no'?"],
    ["{{if traveller.passport_no}}x{{endif}}", `Did you mean 'traveller["passport no"]'?`],
  ])("is in the hint for %s", async (tag, hint) => {
    expect((await hintsFor(tag))[0]).toContain(hint);
  });

  test("with a usual name may be of another thing", async () => {
    expect((await hintsFor("{{donor.city}}"))[0]).not.toContain("Did you mean");
  });
});

test("a list that is compared with empty text leads to isEmpty", async () => {
  expect(await hintsFor('{{if in_kind == ""}}x{{endif}}')).toEqual([
    "never_equal: To ask whether the list is empty, write in_kind isEmpty.",
  ]);
  expect(await hintsFor('{{if in_kind != ""}}x{{endif}}')).toEqual([
    "never_equal: To ask whether the list is empty, write not (in_kind isEmpty).",
  ]);
});

test("a row of headings that begins with a tablerow is reported", async () => {
  const item = ["{{p.no}}", "{{p.start}}{{endtablerow}}"];
  expect((await hintsOf(rowsOf(["{{tablerow p in periods}}Period", "Start"], item)))[0]).toBe(
    "list_in_loop: To print it once, put {{tablerow p in periods}} at the start of the row after it.",
  );
  expect(await hintsOf(rowsOf(["{{tablerow p in periods}}Period", "{{p.no}}"], item))).toEqual([]);
});

test("a code has its text in its own argument", async () => {
  expect((await hintsFor('{{code :: barcode("code128"), text}}'))[0]).toContain(
    'barcode("code128", "text")',
  );
});
