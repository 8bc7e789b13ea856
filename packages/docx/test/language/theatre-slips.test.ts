import { describe, expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { hintsIn, outcome, printed } from "../support/language.ts";

type Data = Parameters<typeof printed>[1];

/** Returns the codes and hints for a paragraph. */
function hints(text: string, data: Data): Promise<string[]> {
  return hintsIn(p(text), data);
}

/** Returns a table; each row has the texts of its cells. */
function table(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map((text) => `<w:tc>${p(text)}</w:tc>`).join(""));
  const grid = rows[0]?.map(() => '<w:gridCol w:w="2000"/>').join("");
  const body = cells.map((row) => `<w:tr>${row}</w:tr>`).join("");
  return `<w:tbl><w:tblPr/><w:tblGrid>${grid}</w:tblGrid>${body}</w:tbl>${p("")}`;
}

function weights(...all: readonly unknown[]): Data {
  return { deliveries: all.map((weight) => ({ weight })) };
}

describe("sorting amounts with a unit by their digits gives a warning that reads them as numbers:", () => {
  const sorted = "{{for d in deliveries.sort(weight desc)}}{{d.weight}};{{endfor}}";

  test.each([
    [
      ["980 kg", "1.250 kg", "75 kg"],
      'weight.replace(" kg", "").toNumber(",")',
      "1.250 kg;980 kg;75 kg;",
    ],
    [["980 kg", "1,250 kg"], 'weight.replace(" kg", "").toNumber(".")', "1,250 kg;980 kg;"],
    [["0,5 t", "0,45 t", "12 t"], 'weight.replace(" t", "").toNumber(",")', "12 t;0,5 t;0,45 t;"],
  ])("%s", async (all, meant, lines) => {
    const data = weights(...all);
    const [hint] = await hints(sorted, data);
    expect(hint).toContain(`doubtful_comparison: Write numbers as 1234.5.`);
    expect(hint).toContain(meant);
    expect(await printed(sorted.replace("weight", meant), data)).toBe(lines);
    expect(await hints(sorted.replace("weight", meant), data)).toEqual([]);
  });

  test.each([
    ["amounts in the right order", ["75 kg", "980 kg", "12 kg"]],
    ["words with numbers", ["Hall 2", "Hall 10", "Hall 1.5"]],
    ["different units", ["980 kg", "1.250 t"]],
  ])("%s give none", async (_what, all) => {
    expect(await hints(sorted, weights(...all))).toEqual([]);
  });
});

describe("text with a point before three digits gives a warning", () => {
  const hint = (code: string, name: string): string[] => [
    `${code}: If the point is between thousands, write ${name}.toNumber(","). If it is before decimals, write ${name}.toNumber(".").`,
  ];

  test("in a sum and the like", async () => {
    const data = weights("1.250", "980");
    const meant =
      'doubtful_computation: If the point is between thousands, write deliveries.sum(weight.toNumber(",")). If it is before decimals, write deliveries.sum(weight.toNumber(".")).';
    expect(await hints("{{deliveries.sum(weight)}}", data)).toEqual([meant]);
    expect(await hints("{{deliveries.weight.sum()}}", data)).toEqual([meant]);
    expect(await hints("{{deliveries.max(weight)}}", data)).toHaveLength(1);
    expect(await printed('{{deliveries.sum(weight.toNumber(","))}}', data)).toBe("2230");
    expect(await hints('{{deliveries.sum(weight.toNumber("."))}}', data)).toEqual([]);
  });

  test("in a number, a comparison and a computation", async () => {
    const data = { weight: "1.250" };
    expect(await hints("{{weight :: number(0)}}", data)).toEqual(hint("doubtful_sign", "weight"));
    expect(await hints("{{if weight > 1000}}heavy{{endif}}", data)).toEqual(
      hint("doubtful_comparison", "weight"),
    );
    expect(await hints("{{weight * 2}}", data)).toEqual(hint("doubtful_computation", "weight"));
  });

  test.each([
    ["{{weight :: number(3)}}", { weight: "1.250" }],
    ['{{weight :: number("0.000")}}', { weight: "1.250" }],
    ['{{weight.toNumber(".") :: number(0)}}', { weight: "1.250" }],
    ["{{weight :: number(0)}}", { weight: 1.25 }],
    ["{{weight :: number(0)}}", { weight: "0.125" }],
    ["{{weight :: number(0)}}", { weight: "1.25" }],
    ["{{if weight > 0}}some{{endif}}", { weight: "1.250" }],
    ['{{if weight == "1.250"}}some{{endif}}', { weight: "1.250" }],
    ["{{weight}}", { weight: "1.250" }],
    ["{{deliveries.sum(weight)}}", weights("1.250", "0.500")],
    ["{{deliveries.sum(weight)}}", weights("1.250", "2.5")],
    ["{{deliveries.sum(weight)}}", weights(1.25, 980)],
    ["{{for d in deliveries}}{{d.weight * 2}};{{endfor}}", weights("1.250", "0.75")],
  ])("but not in %s with %j", async (text, data) => {
    expect(await hints(text, data)).toEqual([]);
  });
});

describe("columns with the values of one hall", () => {
  const prices = (...all: readonly number[]): unknown =>
    all.map((amount, at) => ({ category: "AB"[at], amount }));
  const data = {
    halls: [
      { name: "Main", prices: prices(48, 32) },
      { name: "Studio", prices: prices(25, 18) },
    ],
  };
  const halls = (list: string, value: string): string =>
    table([
      ["Hall", `{{tablecolumn p in ${list}}}{{p.category}}{{endtablecolumn}}`],
      ["{{tablerow h in halls}}{{h.name}}", `{{${value}}}{{endtablerow}}`],
    ]);

  test("get a hint with the heading and the row, if the list depends on the row below", async () => {
    expect(await hintsIn(halls("h.prices", "p.amount"), data)).toEqual([
      "tablecolumn_in_row: Write {{tablecolumn p in halls[0].prices}} in the heading, and {{h.prices[$index].amount}} in place of {{p.amount}} in the row.",
    ]);
    const { lines } = await outcome(halls("halls[0].prices", "h.prices[$index].amount"), data);
    expect(lines).toContain("Studio | 25 | 18");
  });

  test("get a warning for the first item's values in each row", async () => {
    expect(await hintsIn(halls("halls[0].prices", "p.amount"), data)).toEqual([
      "same_for_all_items: Write {{h.prices[$index].amount}}.",
    ]);
    expect(await hintsIn(halls("halls[0].prices", "p.amount :: number(2)"), data)).toEqual([
      "same_for_all_items: Write {{h.prices[$index].amount :: number(2)}}.",
    ]);
  });

  test("get none for a value that the rows have in common", async () => {
    expect(await hintsIn(halls("halls[0].prices", "p.category"), data)).toEqual([]);
    expect(await hintsIn(halls("halls[0].prices", "h.prices[$index].amount"), data)).toEqual([]);
  });
});

describe("a sum of a column's items in the rows of other groups", () => {
  const data = {
    sales: [
      { month: "Jan", city: "Bern", amount: 1 },
      { month: "Feb", city: "Bern", amount: 2 },
      { month: "Jan", city: "Chur", amount: 3 },
    ],
  };
  const cities = (value: string, ...more: readonly (readonly string[])[]): string =>
    table([
      ["City", "{{tablecolumn m in sales.group(month)}}{{m.key}}{{endtablecolumn}}"],
      ["{{tablerow c in sales.group(city)}}{{c.key}}", `{{${value}}}{{endtablerow}}`],
      ...more,
    ]);
  const meant = "c.items.where(month == m.key).sum(amount)";

  test("gives a warning with the items of both groups", async () => {
    expect(await hintsIn(cities("m.items.sum(amount)"), data)).toEqual([
      `same_for_all_items: To use only the items of this row, write {{${meant}}}.`,
    ]);
    expect((await outcome(cities(meant), data)).lines).toContain("Chur | 3 | 0");
  });

  test.each([meant, `${meant} / m.items.sum(amount)`])("gives none for %s", async (value) => {
    expect(await hintsIn(cities(value, ["Total", "{{m.items.sum(amount)}}"]), data)).toEqual([]);
  });
});

describe("a loop in the form of Carbone with the name of the data", () => {
  test("gets the hint for the loop at once", async () => {
    const body = p("{{d.shows[i].title}}") + p("{{d.shows[i+1].title}}");
    const found = await hintsIn(body, { shows: [{ title: "Hamlet" }] });
    expect(found[0]).toBe(
      "missing_value: To repeat text for each item, write {{for i in shows}} before it, {{i.title}} in place of this tag, and {{endfor}} after it. For one of them write a number: shows[0].title.",
    );
    expect(new Set(found.slice(1))).toEqual(
      new Set(["missing_value: Delete this tag: {{endfor}} ends a repetition."]),
    );
  });

  test("keeps the correction of a name that the data has", async () => {
    const [hint] = await hints("{{d.shows[0].title}}", { shows: [{ title: "Hamlet" }] });
    expect(hint).toContain("Did you mean 'shows");
  });
});

describe("the pattern 'mm' alone", () => {
  const start = "2026-12-04T19:30";

  test("gives a warning for a date with a time", async () => {
    const text = '{{show.start :: format("HH")}} h {{show.start :: format("mm")}}';
    const data = { show: { start } };
    expect(await hints(text, data)).toEqual([
      'doubtful_date: For the minutes write {{show.start.minute().padStart(2, "0")}}. For the month write MM.',
    ]);
    expect(await printed('{{show.start.minute().padStart(2, "0")}}', data)).toBe("30");
  });

  test.each([
    ['{{start :: format("MM")}}', start],
    ['{{start :: format("HH:mm")}}', start],
    ['{{start :: format("mm")}}', "2026-12-04"],
    ['{{start :: format("mm")}}', "2026-12-04T00:00:00Z"],
    ['{{start :: format("dd")}}.{{start :: format("mm")}}.', start],
  ])("gives none for %s with %s", async (text, value) => {
    expect(await hints(text, { start: value })).toEqual([]);
  });
});

describe("one code for a list", () => {
  const data = { tickets: [{ code: "TK-1" }, { code: "TK-2" }] };

  test.each(["qrcode", "barcode"])("%s gives a warning with the loop", async (code) => {
    expect(await hints(`{{tickets.code :: ${code}}}`, data)).toEqual([
      `list_in_cell: For a code for each item write {{for t in tickets}}{{t.code :: ${code}}}{{endfor}}. For one code with all of them write tickets.code.join(", ") in place of tickets.code.`,
    ]);
  });

  test("gives none for a single value, and for texts that the tag joins", async () => {
    expect(await hints("{{for t in tickets}}{{t.code :: qrcode}}{{endfor}}", data)).toEqual([]);
    expect(await hints('{{tickets.code.join(", ") :: qrcode}}', data)).toEqual([]);
    expect(await hints("{{tickets.code :: qrcode}}", { tickets: [{ code: "A" }] })).toEqual([]);
  });
});

describe("a text in the brackets of a list", () => {
  const tariffs = [
    { code: "A", fee: 10 },
    { code: "B", fee: 20 },
  ];

  test("gets the hint to look for the item", async () => {
    expect(await hints("{{tariffs[tariff].fee}}", { tariff: "B", tariffs })).toEqual([
      "missing_value: For the item with this 'code' write tariffs.first(code == tariff).fee.",
    ]);
    expect(await printed("{{tariffs.first(code == tariff).fee}}", { tariff: "B", tariffs })).toBe(
      "20",
    );
    const [hint] = await hints("{{tariffs[tariff].fee}}", { tariff: "C", tariffs });
    expect(hint).toContain("write tariffs.first(key == tariff).fee.");
  });
});

describe("the hint has the tag that is meant for", () => {
  const data = {
    names: ["Ann", "Bob", "Cy"],
    name: "Constantine Huber",
    deliveries: [
      { weight: 3, member: "Ann" },
      { weight: 5, member: "Bob" },
    ],
  };

  test.each([
    ['names.join(", ").last(" and ")', 'names.join(", ", " and ")', "Ann, Bob and Cy"],
    ['names.join(", ").last("and")', 'names.join(", ", " and ")', "Ann, Bob and Cy"],
    ["name :: truncate(11).uppercase", "name :: truncate(11), uppercase", "CONSTANTIN"],
    ["name :: lowercase().truncate(11)", "name :: lowercase(), truncate(11)", "constantin"],
    ["deliveries.first(weight desc).member", "deliveries.sort(weight desc).first().member", "Bob"],
  ])("%s", async (wrong, meant, line) => {
    expect(await hints(`{{${wrong}}}`, data)).toEqual([`tag_syntax: Write {{${meant}}}.`]);
    expect(await printed(`{{${meant}}}`, data)).toContain(line);
  });

  test("text that is added to a formatted number", async () => {
    expect(await hints('{{total :: number(2) + " EUR"}}', { total: 3 })).toEqual([
      "tag_syntax: Write the text after the tag: {{total :: number(2)}} EUR",
    ]);
  });

  test("a key of the parts of a text", async () => {
    const address = "Main Street 1, Bern";
    expect(await hints('{{address.split(", ").city}}', { address })).toEqual([
      'missing_value: \'split\' gives a list of texts without keys. For the first part write address.split(", ")[0], and for the last one address.split(", ").last().',
    ]);
    const parts = '{{address.split(", ").last()}}; {{address.split(", ")[0]}}';
    expect(await printed(parts, { address })).toBe("Bern; Main Street 1");
  });

  test("a running total after the list", async () => {
    const loop = "{{for d in deliveries}}{{deliveries.running(weight)}};{{endfor}}";
    const { warnings } = await outcome(p(loop), data);
    expect(warnings.map(({ message, hint }) => `${message} ${hint}`)).toEqual([
      "'running' is not written after a list. Write {{$running(d.weight)}}.",
    ]);
    expect(
      await printed(loop.replace("deliveries.running(weight)", "$running(d.weight)"), data),
    ).toBe("3;8;");
  });
});

describe("groups with keys that are nearly equal", () => {
  const groups = "{{for g in deliveries.group(member)}}{{g.key}};{{endfor}}";
  const of = (...all: readonly string[]): Data => ({
    deliveries: all.map((member) => ({ member })),
  });

  test("get a hint without small letters if only spaces differ", async () => {
    expect(await hints(groups, of("Huber", "Huber "))).toEqual([
      "doubtful_group: Write them in the same way in the data, or deliveries.group(member.trim()).",
    ]);
  });

  test("get a hint with the key as it is in the data if letters differ", async () => {
    expect(await hints(groups, of("Huber", "huber"))).toEqual([
      "doubtful_group: Write them in the same way in the data, or deliveries.group(member.trim().lowercase()), and print {{g.items[0].member}} in place of {{g.key}}.",
    ]);
  });
});
