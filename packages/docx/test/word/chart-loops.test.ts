/** Charts whose categories and values are the items of a list. */
import { isQuireError } from "@quire/contracts";
import { describe, expect, test } from "vitest";
import { docx, partOf } from "../../../ooxml/test/support/docx.ts";
import { unzipped } from "../../../ooxml/test/support/unzip.ts";
import { compileTemplate } from "../../src/index.ts";
import { withParts } from "../support/add-parts.ts";
import { CHART, chart } from "../support/figures.ts";
import { assertSound } from "../support/sound.ts";

const PART = "word/charts/chart1.xml";

const cache = (kind: "str" | "num", texts: readonly string[]): string =>
  `<c:${kind}Ref><c:f>S!A1</c:f><c:${kind}Cache>${kind === "num" ? "<c:formatCode>General</c:formatCode>" : ""}<c:ptCount val="${texts.length}"/>${texts
    .map((text, index) => `<c:pt idx="${index}"><c:v>${text}</c:v></c:pt>`)
    .join("")}</c:${kind}Cache></c:${kind}Ref>`;

const series = (
  name: string,
  categories: readonly string[] = ["{{for m in months}}{{m.name}}{{endfor}}"],
): string =>
  `<c:ser><c:idx val="0"/><c:tx>${cache("str", [name])}</c:tx><c:cat>${cache("str", categories)}</c:cat><c:val>${cache("num", ["0"])}</c:val></c:ser>`;

const templateWith = (
  ...all: readonly string[]
): Promise<Awaited<ReturnType<typeof compileTemplate>>> =>
  compileTemplate(
    withParts(docx({ body: CHART }), [
      chart(`<c:barChart>${all.join("")}</c:barChart><c:externalData r:id="rId1"/>`),
    ]),
  );

/** Returns the points of each cache: `Jan, Feb`, with their number and indexes checked. */
function cachesOf(bytes: Uint8Array): string[] {
  const caches = partOf(bytes, PART).matchAll(/<c:(?:str|num)Cache>(.*?)<\/c:(?:str|num)Cache>/gs);
  return [...caches].map(([, xml = ""]) => {
    const points = [...xml.matchAll(/<c:pt idx="(\d+)"><c:v>(.*?)<\/c:v><\/c:pt>/g)];
    expect(xml).toContain(`<c:ptCount val="${points.length}"/>`);
    expect(points.map(([, index]) => index)).toEqual(points.map((_, index) => String(index)));
    return points.map(([, , text]) => text).join(", ");
  });
}

const MONTHS = [
  { name: "Jan", sold: 3, cost: "1.50" },
  { name: "Feb & Mar", sold: 4.25, cost: 2 },
];

async function codesOf(template: Promise<unknown>): Promise<string[]> {
  const error: unknown = await template.catch((reason: unknown) => reason);
  return isQuireError(error)
    ? error.diagnostics.map(({ code, message }) => `${code}: ${message}`)
    : [];
}

describe("a chart with a loop in its first category", () => {
  test("has a category and a value of each series for each item", async () => {
    const template = await templateWith(series("Sold {{m.sold}}"), series("Costs {{m.cost * 2}}"));
    const { bytes, warnings } = template.render({ months: MONTHS });
    expect(cachesOf(bytes)).toEqual([
      "Sold",
      "Jan, Feb &amp; Mar",
      "3, 4.25",
      "Costs",
      "Jan, Feb &amp; Mar",
      "3, 4",
    ]);
    expect(warnings).toEqual([]);
    assertSound(bytes);
  });

  test("keeps no workbook, whose values Word would read again", async () => {
    const others = ["package", "chartStyle"].map((kind, index) => ({
      name: `word/charts/part${index + 1}.xml`,
      xml: "<x/>",
      kind,
      type: `application/${kind}+xml`,
      id: `rId${index + 1}`,
      owner: PART,
    }));
    const template = await templateWith(series("Sold {{m.sold}}"));
    const { bytes } = template.render({ months: MONTHS });
    expect(partOf(bytes, PART)).not.toContain("externalData");
    const xml = `<c:barChart>${series("Sold {{m.sold}}")}</c:barChart><c:externalData r:id="rId1"/>`;
    const whole = await compileTemplate(withParts(docx({ body: CHART }), [chart(xml), ...others]));
    const parts = unzipped(whole.render({ months: MONTHS }).bytes);
    expect([...parts.keys()].filter((name) => name.includes("part"))).toEqual([
      "word/charts/part2.xml",
    ]);
    const rels = String(parts.get("word/charts/_rels/chart1.xml.rels"));
    expect(rels.match(/(?<= Id=")[^"]*/g)).toEqual(["rId2"]);
    expect(String(parts.get("[Content_Types].xml"))).not.toContain("part1");
  });

  test.each([
    ["Sold {{sales.where(month == m.name).sum(n)}}", "9, 0"],
    ["No. {{$number}}", "1, 2"],
    ["{{year}} {{m.sold}}", "3, 4.25"],
  ])("computes the values of the series %s", async (name, wanted) => {
    const template = await templateWith(series(name));
    const sales = [
      { month: "Jan", n: 4 },
      { month: "Jan", n: 5 },
    ];
    const { bytes } = template.render({ months: MONTHS, sales, year: 2026 });
    expect(cachesOf(bytes)[2]).toBe(wanted);
  });

  test("may sort and filter, and is empty for an empty list", async () => {
    const shaped = ["{{for m in months.where(sold > 1).sort(sold desc)}}{{m.name}}{{endfor}}"];
    const template = await templateWith(series("Sold {{m.sold}}", shaped));
    const data = { months: [...MONTHS, { name: "Apr", sold: 1 }] };
    expect(cachesOf(template.render(data).bytes)[2]).toBe("4.25, 3");
    expect(cachesOf(template.render({ months: [] }).bytes)).toEqual(["Sold", "", ""]);
  });

  test.each([
    [{ name: "x", sold: "many" }, "is not a number"],
    [{ name: "x" }, "is missing"],
    [{ name: "x", sold: null }, "is missing"],
  ])("rejects %j, because a chart has only numbers", async (month, message) => {
    const template = await templateWith(series("Sold {{m.sold}}"));
    let messages = "";
    try {
      template.render({ months: [month] });
    } catch (error) {
      if (isQuireError(error)) messages = error.diagnostics.map((each) => each.message).join(" ");
    }
    expect(messages).toContain(`${message}, so the chart cannot show it`);
  });

  test("has a schema, sample data and tags", async () => {
    const template = await templateWith(series("Sold {{m.sold}}"));
    const { warnings, bytes } = template.render(template.sample());
    expect(warnings).toEqual([]);
    expect(cachesOf(bytes)[2]).toMatch(/^\d+(?:\.\d+)?(?:, \d+(?:\.\d+)?)*$/);
    expect(JSON.stringify(template.schema())).toContain("months");
    expect(JSON.stringify(template.tags)).toContain("m.sold");
  });
});

describe("a chart is rejected if", () => {
  test.each([
    ["a series has no tag", [series("Sold")], "has a series without the tag of its value"],
    [
      "the loop is one of several categories",
      [series("Sold {{m.sold}}", ["{{for m in months}}{{m.name}}{{endfor}}", "Feb"])],
      "is one of several categories",
    ],
    [
      "the loop ends in another cell",
      [series("Sold {{m.sold}}", ["{{for m in months}}{{m.name}}", "{{endfor}}"])],
      "does not begin and end in one category",
    ],
    [
      "a value has a format",
      [series("Sold {{m.sold :: number(2)}}")],
      "format is the one of the axis",
    ],
  ])("%s", async (_name, all, message) => {
    const codes = await codesOf(templateWith(...all));
    expect(codes[0]).toMatch(/^chart_loop: /);
    expect(codes[0]).toContain(message);
  });
});
