import { describe, expect, test } from "vitest";
import { p, table } from "../../../ooxml/test/support/docx.ts";
import { outcome, type TestOptions } from "../support/language.ts";

/** Items with these letters as their city, in this order. */
function items(cities: string): Record<string, unknown>[] {
  return [...cities].map((city, index) => {
    const flag = index % 2 === 0 ? "yes" : "no";
    return {
      city,
      index,
      flag,
      place: { "the city": city },
      date: `2026-0${1 + (index % 3)}-0${1 + index}`,
    };
  });
}

/** Returns the hints of the warnings about the order, for rows of cells. */
async function hints(
  rows: readonly (readonly string[])[],
  data: Record<string, unknown>,
  options: TestOptions = {},
): Promise<(string | undefined)[]> {
  const body = table(...rows.map((row) => row.map((text) => p(text))));
  const { error, warnings } = await outcome(body, data, options);
  expect(error).toBeNull();
  return warnings.filter(({ code }) => code === "unsorted_merge").map(({ hint }) => hint);
}

describe("a list in another order than the cells that are merged", () => {
  test.each([
    ["{{tablerow r in rows}}", "{{r.city :: merge}}", "{{tablerow r in rows.sort(city)}}"],
    [
      "{{tablerow r in rows}}",
      "{{r.index}}: {{r.city :: merge(r.city)}}",
      "{{tablerow r in rows.sort(city)}}",
    ],
    [
      "{{tablerow r in rows :: optional}}",
      "{{r.city :: merge, bold}}",
      "{{tablerow r in rows.sort(city) :: optional}}",
    ],
    [
      "{{tablerow r in rows.where(index >= 0)}}",
      "{{r.city :: merge}}",
      "{{tablerow r in rows.where(index >= 0).sort(city)}}",
    ],
    [
      "{{tablerow r in rows ?? other}}",
      "{{r.city :: merge}}",
      "{{tablerow r in (rows ?? other).sort(city)}}",
    ],
    [
      "{{tablerow r in rows}}",
      '{{r.place["the city"] :: merge}}',
      '{{tablerow r in rows.sort(place["the city"])}}',
    ],
    [
      "{{tablerow city in rows}}",
      "{{city.city :: merge}}",
      "{{tablerow city in rows.sort(this.city)}}",
    ],
    ["{{tablerow r in rows.city}}", "{{r :: merge}}", "{{tablerow r in rows.city.sort()}}"],
  ])("is reported with the tag that sorts it: %s %s", async (open, tag, sorted) => {
    const data = { rows: items("ABA"), other: [] };
    for (const cells of [[open + tag], [`${open}{{$number}}`, tag]]) {
      const rows = (begin: readonly string[]): string[][] => [[...begin, "x{{endtablerow}}"]];
      const meant = tag.replace(/(\w.*?) :: merge(?!\()/, "$1 :: merge($1)");
      const otherwise = meant === tag ? "" : ` If the order is meant, write ${meant}.`;
      expect(await hints(rows(cells), data)).toEqual([`Write ${sorted}.${otherwise}`]);
      const mended = cells.map((cell) => cell.replace(open, sorted));
      expect(await hints(rows(mended), data)).toEqual([]);
    }
  });

  test("is reported in a section, and with other delimiters", async () => {
    const data = { rows: items("ABA") };
    const section = (begin: string, end: string): string[][] => [
      [`${begin}{{city :: merge}}`, `x${end}`],
    ];
    expect(await hints(section("{{#rows}}", "{{/rows}}"), data)).toEqual([
      "Write {{#rows.sort(city)}} … {{/rows.sort(city)}}. If the order is meant, write {{city :: merge(city)}}.",
    ]);
    expect(await hints(section("{{#rows.sort(city)}}", "{{/rows.sort(city)}}"), data)).toEqual([]);
    const single = [["{tablerow r in rows}{r.city :: merge}", "x{endtablerow}"]];
    expect(await hints(single, data, { delimiters: { start: "{", end: "}" } })).toEqual([
      "Write {tablerow r in rows.sort(city)}. If the order is meant, write {r.city :: merge(r.city)}.",
    ]);
  });

  test.each([
    ["ABA", true],
    ["AABBA", true],
    ["ABCABC", true],
    ["AABBAABB", true],
    ["AABBCCDDEEA", false],
    ["ABCD", false],
    ["AABB", false],
    ["AAAA", false],
    ["A", false],
    ["", false],
  ])(
    "is reported if nothing is merged, or half of the texts are apart: %s",
    async (cities, isReported) => {
      const rows = [["{{tablerow r in rows}}{{r.city :: merge}}", "x{{endtablerow}}"]];
      expect(await hints(rows, { rows: items(cities) })).toHaveLength(isReported ? 1 : 0);
    },
  );

  test("is reported once for all tables of a loop", async () => {
    const inner = table([p("{{tablerow r in g.rows}}{{r.city :: merge}}"), p("x{{endtablerow}}")]);
    const body = `${p("{{for g in groups}}")}${inner}${p("{{endfor}}")}`;
    const told = async (...groups: readonly string[]): Promise<number> => {
      const data = { groups: groups.map((cities) => ({ rows: items(cities) })) };
      const { warnings } = await outcome(body, data);
      return warnings.filter(({ code }) => code === "unsorted_merge").length;
    };
    expect(await told("ABA", "CDC")).toBe(1);
    expect(await told("AABB", "AAB", "ABA", "CCCDD")).toBe(0);
  });
});

describe("the order of a list is not reported", () => {
  test.each([
    [
      "of a column further right",
      [["{{tablerow r in rows}}{{r.city :: merge}}", "{{r.flag :: merge}}{{endtablerow}}"]],
    ],
    [
      "of a column to the right of another value",
      [["{{tablerow r in rows}}{{r.index}}", "{{r.flag :: merge}}{{endtablerow}}"]],
    ],
    [
      "of a list that the tag sorts",
      [["{{tablerow r in rows.sort(date)}}{{r.flag :: merge}}", "x{{endtablerow}}"]],
    ],
    [
      "of a tag whose argument is its own value",
      [["{{tablerow r in rows}}{{r.flag :: merge(r.flag), bold}}", "x{{endtablerow}}"]],
    ],
    [
      "of formatted values, of which several have the same text",
      [['{{tablerow r in rows}}{{r.date :: format("MMMM"), merge}}', "x{{endtablerow}}"]],
    ],
    [
      "of a computed key",
      [
        [
          '{{tablerow r in rows}}{{r.flag :: merge($concat(r.city, "/", r.flag))}}',
          "x{{endtablerow}}",
        ],
      ],
    ],
    [
      "of cells between which there is another row",
      [
        ["{{for r in rows}}", ""],
        ["{{r.flag :: merge}}", "x"],
        ["note", "x"],
        ["{{endfor}}", ""],
      ],
    ],
    [
      "of a value of the outer loop",
      [
        ["{{for o in outer}}", ""],
        ["{{tablerow r in rows}}{{o.city :: merge}}", "{{r.city}}{{endtablerow}}"],
        ["{{endfor}}", ""],
      ],
    ],
  ])("%s", async (_title, rows) => {
    expect(await hints(rows, { rows: items("AABBCC"), outer: items("ABA") })).toEqual([]);
  });

  test("of a list that is repeated again", async () => {
    const rows = [
      ["{{for o in outer}}", ""],
      ["{{tablerow r in rows}}{{r.city :: merge}}", "{{o.city}}{{endtablerow}}"],
      ["{{endfor}}", ""],
    ];
    expect(await hints(rows, { rows: items("ABC"), outer: items("AB") })).toEqual([]);
  });

  test("for items without a text", async () => {
    const rows = [["{{tablerow r in rows}}{{r.note :: optional, merge}}", "x{{endtablerow}}"]];
    const notes = ["a", "", "a", null, "b", ""].map((note) => ({ note }));
    expect(await hints(rows, { rows: notes })).toEqual([]);
  });
});

describe("texts that differ only in uppercase letters or spaces", () => {
  const rows = ["North", "north ", "South"].map((region) => ({ region }));
  const body = (tag: string): string =>
    table([p(`{{tablerow r in rows.sort(region)}}{{r.region :: ${tag}}}{{endtablerow}}`)]);

  test("are reported, because their cells are not merged, with the key that merges them", async () => {
    const { warnings } = await outcome(body("merge"), { rows });
    const meant = "merge(r.region.trim().lowercase())";
    expect(warnings).toMatchObject([
      {
        code: "doubtful_group",
        message:
          "The tag {{r.region :: merge}} does not merge 'North' and 'north ', which differ only in uppercase letters or spaces.",
        hint: `Write them in the same way in the data, or compare them in one form: ${meant}.`,
      },
    ]);
    expect((await outcome(body(meant), { rows })).warnings).toEqual([]);
  });

  test("are not reported if they do not follow each other", async () => {
    const apart = [{ region: "North" }, { region: "South" }, { region: "north" }];
    const unsorted = body("merge").replace(".sort(region)", "");
    const { warnings } = await outcome(unsorted, { rows: apart });
    expect(warnings).toEqual([]);
  });
});
