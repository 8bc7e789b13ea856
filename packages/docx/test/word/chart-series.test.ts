/** Charts whose series, gaps and colors come from the data. */
import { type Diagnostic, isQuireError } from "@quire/contracts";
import { describe, expect, test } from "vitest";
import { docx, p, partOf } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate, type RenderOptions } from "../../src/index.ts";
import { withParts } from "../support/add-parts.ts";
import {
  CHART_PART,
  type ChartKind,
  charted,
  MONTHS,
  type SeriesOptions,
  type ShownSeries,
  series,
  seriesIn,
} from "../support/charts.ts";
import { CHART, chart } from "../support/figures.ts";
import { compileTwins } from "../support/plain/compare.ts";
import { assertSound } from "../support/sound.ts";

type Data = Record<string, unknown>;

const SELLERS = "{{for s in sellers}}{{s.name}} {{s.sold[$index]}}{{endfor}}";
const DATA = {
  months: [
    { name: "Jan", goal: 5 },
    { name: "Feb", goal: 6 },
  ],
  sellers: [
    { name: "Cy", sold: [1, "2.50"] },
    { name: "Ann & Bob", sold: [3, 4] },
    { name: "Bo", sold: [5, 6] },
  ],
};

/** Returns the series of a document, which is sound and equal to the document of the plain renderer. */
async function shown(
  file: Uint8Array,
  data: Data = DATA,
  options: RenderOptions = {},
): Promise<readonly ShownSeries[]> {
  const template = await compileTemplate(file);
  const { bytes } = template.render(data, options);
  assertSound(bytes);
  expect((await compileTwins(file)).difference(data, options)).toBeNull();
  const found = seriesIn(partOf(bytes, CHART_PART));
  expect(new Set(found.map(({ number }) => number)).size).toBe(found.length);
  return found;
}

const namesIn = (found: readonly ShownSeries[]): string[] => found.map(({ name }) => name);
const valuesIn = (found: readonly ShownSeries[]) => found.map(({ values }) => values);
const colorsIn = (found: readonly ShownSeries[]): string[] =>
  found.map(({ colors }) => [...new Set(colors)].join(", "));

async function problemsOf(file: Uint8Array): Promise<readonly Diagnostic[]> {
  const error: unknown = await compileTemplate(file).catch((reason: unknown) => reason);
  return isQuireError(error) ? error.diagnostics : [];
}

async function faultsOf(
  file: Uint8Array,
  data: Data,
  options: RenderOptions = {},
): Promise<readonly Diagnostic[]> {
  const template = await compileTemplate(file);
  try {
    return template.render(data, options).warnings.filter(({ severity }) => severity === "error");
  } catch (error) {
    return isQuireError(error) ? error.diagnostics : [];
  }
}

describe("a series whose name is a loop", () => {
  test("is in the chart once for each item, with its own name and values", async () => {
    const found = await shown(charted([series(SELLERS)]));
    expect(namesIn(found)).toEqual(["Cy", "Ann &amp; Bob", "Bo"]);
    expect(valuesIn(found)).toEqual([
      [1, 2.5],
      [3, 4],
      [5, 6],
    ]);
    expect(found.map(({ categories }) => categories)).toEqual(Array(3).fill(["Jan", "Feb"]));
    expect(found.map(({ number }) => number)).toEqual([0, 1, 2]);
  });

  test.each<ChartKind>(["barChart", "lineChart", "areaChart", "doughnutChart"])(
    "has its elements in the order of the schema in a %s",
    async (kind) => {
      const labels = '<c:dLbls><c:showVal val="1"/></c:dLbls>';
      const found = await shown(charted([series(SELLERS, { kind, inner: labels })], kind));
      expect(found.length).toBe(3);
    },
  );

  test.each([
    ["{{for s in sellers}}{{s.name}} {{s.sold[m.$index]}}{{endfor}}", MONTHS],
    ["{{for s in sellers}}{{s.name}}{{m.sold[s.key]}}{{endfor}}", MONTHS],
    ["{{for s in sellers}}{{s.name}} {{m.each.first(key == s.key).n}}{{endfor}}", MONTHS],
    [
      "{{for g in sales.group(seller)}}{{g.key}} {{g.items.where(month == m.key).sum(n)}}{{endfor}}",
      "{{for m in sales.group(month)}}{{m.key}}{{endfor}}",
    ],
  ])("sees both items in the tag of its value: %s", async (name, category) => {
    const data = {
      months: [
        {
          name: "Jan",
          sold: { a: 1, b: 2 },
          each: [
            { key: "a", n: 1 },
            { key: "b", n: 2 },
          ],
        },
        {
          name: "Feb",
          sold: { a: 3, b: 4 },
          each: [
            { key: "b", n: 4 },
            { key: "a", n: 3 },
          ],
        },
      ],
      sellers: [
        { name: "A", key: "a", sold: [1, 3] },
        { name: "B", key: "b", sold: [2, 4] },
      ],
      sales: [
        { seller: "A", month: "Jan", n: 1 },
        { seller: "B", month: "Jan", n: 2 },
        { seller: "A", month: "Feb", n: 3 },
        { seller: "B", month: "Feb", n: 4 },
      ],
    };
    const found = await shown(charted([series(name, { category })]), data);
    expect(namesIn(found)).toEqual(["A", "B"]);
    expect(valuesIn(found)).toEqual([
      [1, 3],
      [2, 4],
    ]);
    expect(found[0]?.categories).toEqual(["Jan", "Feb"]);
  });

  test("may be sorted and filtered, and numbered in its name", async () => {
    const list = 'sellers.where(name != "Bo").sort(name)';
    const name = `{{for s in ${list}}}{{$number}} of {{s.$length}}: {{s.name}} {{s.sold[$index]}}{{endfor}}`;
    expect(namesIn(await shown(charted([series(name)])))).toEqual([
      "1 of 2: Ann &amp; Bob",
      "2 of 2: Cy",
    ]);
  });

  test("may be beside other series, which are numbered in the order of the template", async () => {
    const all = [
      series("Goal {{m.goal}}"),
      series(SELLERS, { at: 1 }),
      series("Twice {{m.goal * 2}}", { at: 2 }),
    ];
    const found = await shown(charted(all));
    expect(namesIn(found)).toEqual(["Goal", "Cy", "Ann &amp; Bob", "Bo", "Twice"]);
    expect(found.map(({ number }) => number)).toEqual([0, 1, 2, 3, 4]);
    // In the template, the second series is the first one in the order of the chart.
    const [first = "", second = ""] = [series(SELLERS, { at: 1 }), series("Goal {{m.goal}}")];
    const other = await shown(charted([first, second]));
    expect(other.map(({ number, name }) => [name, number])).toEqual([
      ...[
        ["Cy", 1],
        ["Ann &amp; Bob", 2],
        ["Bo", 3],
      ],
      ["Goal", 0],
    ]);
  });

  test("may be beside another loop, also one whose items have the name of its list", async () => {
    const other = "{{for sellers in teams}}Team {{sellers.t}} {{sellers.n[$index]}}{{endfor}}";
    const all = [series(SELLERS), series(other, { at: 1 }), series("Goal {{m.goal}}", { at: 2 })];
    const teams = [
      { t: "x", n: [7, 8] },
      { t: "y", n: [9, 10] },
    ];
    const found = await shown(charted(all), { ...DATA, teams });
    expect(namesIn(found)).toEqual(["Cy", "Ann &amp; Bob", "Bo", "Team x", "Team y", "Goal"]);
    expect(found.map(({ number }) => number)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test("keeps the entries of the legend with their series", async () => {
    const entry = (index: number): string =>
      `<c:legendEntry><c:idx val="${index}"/><c:delete val="1"/></c:legendEntry>`;
    const all = [series(SELLERS), series("Goal {{m.goal}}", { at: 1 })];
    const template = await compileTemplate(
      charted(all, "barChart", `<c:legend>${entry(0)}${entry(1)}${entry(2)}</c:legend>`),
    );
    const xml = partOf(template.render(DATA).bytes, CHART_PART);
    expect(xml).toContain(`<c:legend>${[0, 1, 2, 3, 4].map(entry).join("")}</c:legend>`);
  });

  test("has no id that only one series may have", async () => {
    const id = (name: string): string =>
      `<c:extLst><c:ext uri="{1}" xmlns:c16="u"><c16:${name} val="1"/></c:ext></c:extLst>`;
    const all = [
      series(SELLERS, { end: id("uniqueId") }),
      series("Goal {{m.goal}}", { at: 1, end: id("uniqueId") + "" }),
    ];
    const found = await shown(charted(all));
    expect(found.map(({ xml }) => xml.includes("uniqueId"))).toEqual([false, false, false, true]);
  });

  test("is not in the chart for an empty list, or for a missing list that is optional", async () => {
    expect(await shown(charted([series(SELLERS)]), { ...DATA, sellers: [] })).toEqual([]);
    const optional = SELLERS.replace("sellers}}", "sellers :: optional}}");
    expect(await shown(charted([series(optional)]), { months: DATA.months })).toEqual([]);
  });

  test("is not in the chart for a missing list, which is reported as in any loop", async () => {
    for (const missing of ["sellers", "months"]) {
      const data = Object.fromEntries(Object.entries(DATA).filter(([key]) => key !== missing));
      const found = await faultsOf(charted([series(SELLERS)]), data);
      expect(found.map(({ code, pointer }) => [code, pointer])).toEqual([
        ["missing_value", `/${missing}`],
      ]);
    }
  });

  test("repeats at most as often as Word accepts", async () => {
    const sellers = Array.from({ length: 256 }, () => ({ name: "S", sold: [1, 2] }));
    const file = charted([series(SELLERS)]);
    expect((await shown(file, { ...DATA, sellers: sellers.slice(1) })).length).toBe(255);
    const [fault] = await faultsOf(file, { ...DATA, sellers });
    expect(fault?.message).toContain("makes more than 255 series");
    expect(fault?.template?.tag).toBe("{{for s in sellers}}");
    expect(fault?.hint).toContain("limit(20)");
  });

  test("uses the item of a loop around the chart", async () => {
    const own = "{{for s in d.sellers}}{{s.name}} of {{d.name}} {{s.sold[$index]}}{{endfor}}";
    const xml = series(own, { category: "{{for m in d.months}}{{m.name}}{{endfor}}" });
    const body = p("{{for d in departments}}") + CHART + p("{{endfor}}");
    const file = withParts(docx({ body }), [chart(`<c:barChart>${xml}</c:barChart>`)]);
    const departments = [
      { ...DATA, name: "X" },
      { name: "Y", months: [{ name: "Mar" }], sellers: [{ name: "Z", sold: [9] }] },
    ];
    const { bytes, warnings } = (await compileTemplate(file)).render({ departments });
    assertSound(bytes);
    expect((await compileTwins(file)).difference({ departments })).toBeNull();
    expect(warnings.map(({ pointer }) => pointer)).toEqual(["/departments/0/months/0/goal"]);
    const parts = [CHART_PART, "word/charts/chart2.xml"].map((part) =>
      seriesIn(partOf(bytes, part)),
    );
    expect(parts.map(namesIn)).toEqual([["Cy of X", "Ann &amp; Bob of X", "Bo of X"], ["Z of Y"]]);
    expect(parts[1]?.map(({ number, values }) => [number, values])).toEqual([[0, [9]]]);
  });

  test("has a schema, types, sample data and tags", async () => {
    const template = await compileTemplate(charted([series(SELLERS)]));
    const sample = template.sample();
    const { bytes, warnings } = template.render(sample);
    expect(warnings).toEqual([]);
    for (const { values } of seriesIn(partOf(bytes, CHART_PART)))
      expect(values).not.toContain(null);
    expect(JSON.stringify(template.schema())).toContain("Of each element: A number.");
    expect(template.types()).toContain("readonly sold?: readonly (number");
    expect(JSON.stringify(template.tags)).toContain("s.sold[$index]");
  });
});

describe("the color of a series that repeats", () => {
  const nine = Array.from({ length: 9 }, (_, index) => ({ name: `S${index}`, sold: [1, 2] }));

  test("is the one of the template, then the other accents, then variations of them", async () => {
    const found = await shown(charted([series(SELLERS)]), { ...DATA, sellers: nine });
    expect(colorsIn(found)).toEqual([
      ...["accent1", "accent2", "accent3", "accent4", "accent5", "accent6"],
      ...[1, 2, 3].map((accent) => `accent${accent} lumMod 60000`),
    ]);
  });

  test("differs from the colors of other series of the template", async () => {
    const all = [series("Goal {{m.goal}}", { color: 3 }), series(SELLERS, { at: 1 })];
    expect(colorsIn(await shown(charted(all)))).toEqual([
      "accent3",
      "accent2",
      "accent1",
      "accent4",
    ]);
    const two = [series(SELLERS), series(SELLERS.replaceAll(/\bs\b/g, "t"), { at: 1 })];
    expect(colorsIn(await shown(charted(two)))).toEqual([
      ...["accent1", "accent3", "accent4"],
      ...["accent2", "accent6", "accent1 lumMod 60000"],
    ]);
  });

  test("changes in its markers, too, and keeps its transparency; other colors do not change", async () => {
    const color =
      '<a:solidFill><a:srgbClr val="123456"><a:alpha val="5000"/></a:srgbClr></a:solidFill>';
    const inner = '<c:dLbls><c:spPr><a:schemeClr val="bg1"/></c:spPr></c:dLbls>';
    const options = { kind: "lineChart", color, inner } as const;
    const found = await shown(charted([series(SELLERS, options)], "lineChart"));
    expect(found.map(({ colors }) => colors)).toEqual([
      [...Array(3).fill("123456 alpha 5000"), "bg1"],
      [...Array(3).fill("accent1 alpha 5000"), "bg1"],
      [...Array(3).fill("accent2 alpha 5000"), "bg1"],
    ]);
  });

  test("is chosen by Word if the template sets no color", async () => {
    const found = await shown(charted([series(SELLERS, { color: null })]));
    expect(found.map(({ xml }) => xml.includes("spPr"))).toEqual([false, false, false]);
  });
});

describe("fill in the tag of a value", () => {
  const colors = {
    ...DATA,
    sellers: DATA.sellers.map((seller, index) => ({
      ...seller,
      color: ["navy", "", "#00ff00"][index],
    })),
  };
  const filled = SELLERS.replace("]}}", "] :: fill(s.color)}}");

  test("colors the series; empty text changes nothing", async () => {
    expect(colorsIn(await shown(charted([series(filled)]), colors))).toEqual([
      ...["000080", "accent2", "00FF00"],
    ]);
    const goal = "Goal {{m.goal :: fill(color), when(bad)}}";
    for (const [bad, color] of [
      [true, "FF0000"],
      [false, "accent1"],
    ] as const) {
      const data = { ...DATA, color: "red", bad };
      expect(colorsIn(await shown(charted([series(goal)]), data))).toEqual([color]);
    }
  });

  test.each([
    ["barChart", ["000080", "accent2", "00FF00"]],
    ["lineChart", ["000080", "accent2", "00FF00"]],
  ] as const)("colors the series of a %s without properties", async (kind, wanted) => {
    const found = await shown(charted([series(filled, { kind, color: null })], kind), colors);
    expect(colorsIn(found)).toEqual(wanted);
    expect(found[0]?.xml.includes("<a:ln>")).toBe(kind === "lineChart");
  });

  test("colors each point if it depends on the category", async () => {
    const point = '<c:dPt><c:idx val="0"/><c:spPr><a:noFill/><a:ln w="9525"/></c:spPr></c:dPt>';
    const name = "Goal {{m.goal :: fill(m.color)}}";
    const months = ["red", "", "green"].map((color, index) => ({
      name: `${index}`,
      goal: 1,
      color,
    }));
    const options = { kind: "pieChart", inner: point } as const;
    const [found] = await shown(charted([series(name, options)], "pieChart"), { months });
    expect(found?.xml.match(/<c:dPt>.*?<\/c:dPt>/g)).toEqual(
      [["0", "FF0000"] as const, ["2", "008000"] as const].map(
        ([index, color]) =>
          `<c:dPt><c:idx val="${index}"/><c:invertIfNegative val="0"/><c:bubble3D val="0"/><c:spPr><a:solidFill><a:srgbClr val="${color}"/></a:solidFill><a:ln w="9525"/></c:spPr></c:dPt>`,
      ),
    );
  });

  test("colors points of series that repeat", async () => {
    const name = SELLERS.replace("]}}", '] :: fill("red"), when(s.sold[$index] > 3)}}');
    const found = await shown(charted([series(name)]));
    expect(found.map(({ xml }) => xml.match(/(?<=<c:dPt><c:idx val=")\d+/g))).toEqual([
      ...[null, ["1"], ["0", "1"]],
    ]);
  });

  test("reports a missing color, and text that is not a color", async () => {
    const file = charted([series(filled)]);
    const [missing] = await faultsOf(file, DATA);
    expect([missing?.code, missing?.pointer]).toEqual(["missing_value", "/sellers/0/color"]);
    const sellers = [{ name: "A", sold: [1, 2], color: "reddish" }];
    const [wrong] = await faultsOf(file, { ...DATA, sellers });
    expect(wrong?.message).toContain("is not a color");
  });
});

describe("a gap in a chart", () => {
  const gaps = charted([series("Sold {{m.sold :: optional}}")]);
  const months = [{ sold: 1 }, {}, { sold: null }, { sold: "" }, { sold: 0 }].map(
    (month, index) => ({
      name: `${index}`,
      ...month,
    }),
  );

  test("is a value that is missing or empty, if its tag is optional", async () => {
    expect(valuesIn(await shown(gaps, { months }))).toEqual([[1, null, null, null, 0]]);
  });

  test("is a missing value, if missing values are blank", async () => {
    const [first, second] = months;
    const file = charted([series("Sold {{m.sold}}")]);
    const found = await shown(file, { months: [first, second] }, { onMissing: "blank" });
    expect(valuesIn(found)).toEqual([[1, null]]);
  });

  test.each([
    ["{{m.sold ?? 0}}", [1, 0, 0]],
    ['{{m.sold :: default("0")}}', [1, 0, 0]],
    ["{{m.sold :: default(other)}}", [1, 1234567.5, 1234567.5]],
    ["{{m.sold * 2 :: optional}}", [2, null, null]],
  ])("is not made by %s", async (tag, wanted) => {
    const file = charted([series(`Sold ${tag}`)]);
    const found = await shown(file, { months: months.slice(0, 3), other: "1234567.5" });
    expect(valuesIn(found)).toEqual([wanted]);
  });

  test.each([
    [undefined, "{{m.sold ?? 0}}", [0]],
    [undefined, "{{m.sold :: optional}}", [null]],
    ["n/a", '{{$if(m.sold == "n/a", 0, m.sold)}}', [0]],
    ["n/a", '{{$if(m.sold == "n/a", "", m.sold) :: optional}}', [null]],
    ["", "{{m.sold :: optional}}", [null]],
    ["", '{{$if(m.sold == "", 0, m.sold)}}', [0]],
    ["1.234,50", '{{m.sold.toNumber(",")}}', [1234.5]],
  ])("for the value %j, the hint %s works", async (sold, tag, wanted) => {
    const data = { months: [{ name: "Jan", sold }] };
    const faults = await faultsOf(charted([series("Sold {{m.sold}}")]), data);
    const fault = faults.find(({ code }) => code === "invalid_value");
    expect(fault?.hint).toContain(tag);
    expect(valuesIn(await shown(charted([series(`Sold ${tag}`)]), data))).toEqual([wanted]);
  });

  test("is named by the whole value in the hint", async () => {
    const tag = "{{m.sold[i.k] - m.cost}}";
    const file = charted([series(`Sold ${tag}`)]);
    const faults = await faultsOf(file, { months: [{ name: "Jan" }], i: { k: "x" } });
    const hints = faults.flatMap(({ code, hint }) => (code === "invalid_value" ? [hint] : []));
    expect(hints[0]).toContain("{{(m.sold[i.k] - m.cost) :: optional}}");
  });

  test("is impossible for other values, which are not numbers", async () => {
    for (const sold of [true, [1], { a: 1 }, "12 EUR x"]) {
      const [fault] = await faultsOf(gaps, { months: [{ name: "Jan", sold }] });
      expect(fault?.message).toContain("is not a number, so the chart cannot show it");
    }
  });
});

describe("a category", () => {
  test("may print its position", async () => {
    const category = "{{for m in months}}{{$number}}. {{m.name}} of {{m.$length}}{{endfor}}";
    const [found] = await shown(charted([series("Goal {{m.goal}}", { category })]));
    expect(found?.categories).toEqual(["1. Jan of 2", "2. Feb of 2"]);
  });

  test("may have no tag", async () => {
    const category = "{{for m in months}}Month{{endfor}}";
    const [found] = await shown(charted([series("No. {{m.goal}}", { category })]));
    expect(found?.categories).toEqual(["Month", "Month"]);
    expect(found?.values).toEqual([5, 6]);
  });
});

describe("a chart is rejected if", () => {
  type Case = readonly [string, string, string, string, SeriesOptions];
  const cases: readonly Case[] = [
    [
      "a repeated series has no tag of its value",
      "{{for s in sellers}}{{s.name}}{{endfor}}",
      "has a series without the tag of its value",
      "{{for s in sellers}}{{s.name}} {{s.sales[m.$index]}}{{endfor}}",
      {},
    ],
    [
      "the value is after the loop",
      "{{for s in sellers}}{{s.name}}{{endfor}} {{s.sold[m.$index]}}",
      "ends before the last tag of the name",
      "Put {{endfor}} at the end",
      {},
    ],
    [
      "a tag is before the loop",
      `{{year}} ${SELLERS}`,
      "does not begin and end in the name of one series",
      "into one cell",
      {},
    ],
    [
      "the loop does not end",
      "{{for s in sellers}}{{s.name}} {{s.sold[$index]}}",
      "does not begin and end in the name of one series",
      "{{endfor}}",
      {},
    ],
    [
      "both loops have the same name",
      "{{for m in sellers}}{{m.name}} {{m.sold}}{{endfor}}",
      "gives its items the name that the items of the category have",
      "two names",
      {},
    ],
    [
      "the values are the same for all series",
      "{{for s in sellers}}{{s.name}} {{m.goal}}{{endfor}}",
      "has the same values for each series of {{for s in sellers}}",
      "{{s.sales[$index]}}",
      {},
    ],
    [
      "the series come from the category",
      "{{for s in m.staff}}{{s.name}} {{m.staff[s.$index].n}}{{endfor}}",
      "repeats a list of 'm'",
      "{{for s in months[0].staff}}, and each value from its own: {{m.staff[s.$index].sales}}",
      {},
    ],
    [
      "the categories come from the series",
      SELLERS,
      "repeats a list that depends on {{for s in sellers}}",
      "does not depend on the series",
      { category: "{{for m in s.months}}{{m.name}}{{endfor}}" },
    ],
    [
      "the category has no loop",
      SELLERS,
      "repeats a series, but the chart has no loop in its category",
      "{{for m in months}}{{m.name}}{{endfor}}",
      { category: "Q1" },
    ],
    [
      "a pie has several series",
      SELLERS,
      "a fixed number of them",
      "a doughnut",
      { kind: "pieChart" },
    ],
    [
      "a stock chart has other series",
      SELLERS,
      "a fixed number of them",
      "columns",
      { kind: "stockChart" },
    ],
    [
      "a value has a format",
      "Goal {{m.goal :: number(2)}}",
      "whose format is the one of the axis",
      "Leave out 'number'",
      {},
    ],
    ["a value has another look", "Goal {{m.goal :: bold}}", "has 'bold'", ':: fill("red")', {}],
    [
      "points of a line have colors",
      "Goal {{m.goal :: fill(m.color)}}",
      "has a color for each category",
      "columns, bars or a pie",
      { kind: "lineChart" },
    ],
  ];
  test.each(cases)("%s", async (_case, name, message, hint, options) => {
    const [problem] = await problemsOf(charted([series(name, options)], options.kind));
    expect(problem?.code).toBe("chart_loop");
    expect(problem?.message).toContain(message);
    expect(problem?.hint).toContain(hint);
  });

  test("it has more series than Word accepts", async () => {
    const all = Array.from({ length: 256 }, (_, at) => series(SELLERS, { at, color: 1 }));
    const [problem] = await problemsOf(charted(all));
    expect(problem?.message).toContain("repeats one of more than 255 series");
  });

  test("the tag of its value cannot be read", async () => {
    for (const tag of ["{{m.goal :: when(m.late)}}", "{{m.goal +}}"]) {
      const problems = await problemsOf(charted([series(`Goal ${tag}`)]));
      expect(problems.map(({ template }) => template?.tag)).toEqual([tag]);
    }
  });

  test("a color is not a color", async () => {
    const [problem] = await problemsOf(charted([series('Goal {{m.goal :: fill("reddish")}}')]));
    expect(problem?.code).toBe("modifier_argument");
  });

  test("a loop has another block in it", async () => {
    const name = SELLERS.replace("{{s.name}}", "{{if s.x}}{{s.name}}{{endif}}");
    const problems = await problemsOf(charted([series(name)]));
    expect(problems.map(({ code }) => code)).toEqual(["tag_out_of_text", "tag_out_of_text"]);
  });
});
