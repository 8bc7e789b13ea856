/** Charts in loops: each repetition has its own chart. */
import { isQuireError } from "@quire/contracts";
import { describe, expect, test } from "vitest";
import { docx, p, partOf, table } from "../../../ooxml/test/support/docx.ts";
import { png } from "../../../ooxml/test/support/pictures.ts";
import { unzipped } from "../../../ooxml/test/support/unzip.ts";
import { compileTemplate } from "../../src/index.ts";
import { type AddedPart, withFile, withParts } from "../support/add-parts.ts";
import { CHART, chart, figure } from "../support/figures.ts";
import { compileTwins } from "../support/plain/compare.ts";
import { assertSound } from "../support/sound.ts";

const C = "http://schemas.openxmlformats.org/drawingml/2006/chart";
const RELS = "word/_rels/document.xml.rels";

type Data = Record<string, unknown>;

const title = (text: string): string => `<c:title><a:t>${text}</a:t></c:title>`;
const points = (kind: "str" | "num", text: string): string =>
  `<c:${kind}Ref><c:${kind}Cache><c:ptCount val="1"/><c:pt idx="0"><c:v>${text}</c:v></c:pt></c:${kind}Cache></c:${kind}Ref>`;
const series = (name: string, category: string): string =>
  `<c:ser><c:tx>${points("str", name)}</c:tx><c:cat>${points("str", category)}</c:cat><c:val>${points("num", "0")}</c:val></c:ser>`;
const WORKBOOK = '<c:externalData r:id="rId1"/>';

/** The parts that Word stores with a chart. */
const ofChart = (number: number): readonly AddedPart[] =>
  [
    ["embeddings/book", ".xlsx", "package", "application/vnd.openxmlformats-officedocument.sheet"],
    ["charts/style", ".xml", "chartStyle", "application/vnd.ms-office.chartstyle+xml"],
    ["charts/colors", ".xml", "chartColorStyle", "application/vnd.ms-office.chartcolorstyle+xml"],
    ["theme/theme", ".xml", "themeOverride", "application/vnd.openxmlformats.themeOverride+xml"],
  ].map(([name = "", extension = "", kind = "", type = ""], index) => ({
    name: `word/${name}${number}${extension}`,
    xml: "<x/>",
    kind,
    type,
    id: `rId${index + 1}`,
    owner: `word/charts/chart${number}.xml`,
  }));

const around = (inner: string, list = "d in ds"): string =>
  p(`{{for ${list}}}`) + inner + p("{{endfor}}");

/** Returns a template with a chart and the parts that Word stores with it. */
function charted(
  xml: string,
  body = around(CHART),
  others: readonly AddedPart[] = ofChart(1),
): Uint8Array {
  return withParts(docx({ body }), [chart(xml), ...others]);
}

/** A document with its parts. It is sound, and compiles as a template. */
async function rendered(file: Uint8Array, data: Data) {
  const template = await compileTemplate(file);
  const { bytes, warnings } = template.render(data);
  expect(template.render(data).bytes).toEqual(bytes);
  expect(template.check(data)).toEqual(warnings);
  expect((await compileTwins(file)).difference(data)).toBeNull();
  assertSound(bytes);
  await compileTemplate(bytes);
  const parts = [...unzipped(bytes).keys()].toSorted();
  return { bytes, parts, warnings: warnings.map(({ message }) => message) };
}

/** Returns the texts of each chart that the document shows, in order. */
function shownIn(bytes: Uint8Array, story = "word/document.xml"): string[] {
  const owner = `word/_rels/${story.slice("word/".length)}.rels`;
  const targets = new Map(
    [...partOf(bytes, owner).matchAll(/Id="([^"]*)" Type="[^"]*" Target="([^"]*)"/g)].map(
      ([, id = "", target = ""]) => [id, target.replace(/^(?!\/)/, "/word/").slice(1)],
    ),
  );
  return [...partOf(bytes, story).matchAll(/<c:chart [^>]*r:id="([^"]*)"/g)].map(([, id = ""]) =>
    [...partOf(bytes, targets.get(id) ?? "").matchAll(/<(?:a:t|c:v)>([^<]*)/g)]
      .map(([, text]) => text)
      .join(" "),
  );
}

const DS = [
  { t: "A", months: [{ n: "Jan", v: 1 }] },
  { t: "B & C", months: [] },
  {
    t: "D",
    months: [
      { n: "Feb", v: 2.5 },
      { n: "Mar", v: "3" },
    ],
  },
];

describe("a chart in a loop", () => {
  const listed = series("{{d.t}}: {{m.v}}", "{{for m in d.months}}{{m.n}}{{endfor}}");
  const FULL = title("{{d.t}} of {{year}}") + listed + WORKBOOK;

  test("is in the document once for each item, with its own values", async () => {
    const { bytes, warnings } = await rendered(charted(FULL), { year: 2026, ds: DS });
    expect(shownIn(bytes)).toEqual([
      "A of 2026 A: Jan 1",
      "B &amp; C of 2026 B &amp; C:",
      "D of 2026 D: Feb Mar 2.5 3",
    ]);
    expect(warnings).toEqual([]);
  });

  test("keeps its part and its relationship in the first repetition, and has further ones", async () => {
    const { bytes, parts } = await rendered(charted(title("{{d.t}}")), { ds: DS });
    expect(parts.filter((name) => /chart\d/.test(name))).toEqual([
      "word/charts/_rels/chart1.xml.rels",
      "word/charts/_rels/chart2.xml.rels",
      "word/charts/_rels/chart3.xml.rels",
      "word/charts/chart1.xml",
      "word/charts/chart2.xml",
      "word/charts/chart3.xml",
    ]);
    expect(partOf(bytes).match(/(?<=r:id=")[^"]*/g)).toEqual([
      "rIdChart",
      "rIdQuire1",
      "rIdQuire2",
    ]);
    expect(partOf(bytes).match(/(?<=docPr id=")\d+/g)).toEqual(["1", "2", "3"]);
  });

  test("has its own workbook, colors and so on in each repetition, with their types", async () => {
    const { bytes, parts } = await rendered(charted(title("{{d.t}}") + WORKBOOK), { ds: DS });
    for (const name of ["embeddings/book", "charts/style", "charts/colors", "theme/theme"]) {
      expect(parts.filter((part) => part.includes(name))).toHaveLength(3);
    }
    expect(partOf(bytes, "word/charts/_rels/chart3.xml.rels")).toContain(
      'Target="/word/embeddings/book3.xlsx"',
    );
    expect(partOf(bytes, "word/charts/chart3.xml")).toContain(WORKBOOK);
    const types = partOf(bytes, "[Content_Types].xml");
    for (const type of ["drawingml.chart+xml", "chartstyle+xml", "themeOverride+xml"]) {
      expect(types.split(type)).toHaveLength(4);
    }
    expect(types).toContain('PartName="/word/charts/chart3.xml"');
  });

  test("has no workbook if it shows a list", async () => {
    const { bytes, parts } = await rendered(charted(FULL), { year: 1, ds: DS });
    expect(parts.filter((part) => part.includes("book"))).toEqual([]);
    for (const number of [1, 2, 3]) {
      const links = partOf(bytes, `word/charts/_rels/chart${number}.xml.rels`);
      expect(links).not.toContain("rId1");
      expect(links).toContain("rId2");
    }
  });

  test("shares pictures between the repetitions", async () => {
    const fill = '<a:blip r:embed="rIdFill"/>';
    const image: AddedPart = {
      name: "word/media/image1.png",
      xml: png(1, 1),
      kind: "image",
      type: "image/png",
      id: "rIdFill",
      owner: "word/charts/chart1.xml",
    };
    const { bytes, parts } = await rendered(
      charted(title("{{d.t}}") + fill, around(CHART), [image]),
      { ds: DS },
    );
    expect(parts.filter((part) => part.includes("media"))).toEqual(["word/media/image1.png"]);
    for (const number of [1, 2, 3]) {
      const links = partOf(bytes, `word/charts/_rels/chart${number}.xml.rels`);
      expect(links).toContain('Id="rIdFill"');
      expect(links).toContain("/word/media/image1.png");
    }
  });

  test("uses no name that another part has", async () => {
    const other: AddedPart = {
      ...chart(title("fixed")),
      name: "word/charts/Chart2.xml",
      id: "rIdOther",
    };
    const body =
      around(CHART) + figure(`<c:chart xmlns:c="${C}" r:id="rIdOther"/>`).replace('"1"', '"9"');
    const { bytes } = await rendered(charted(title("{{d.t}}"), body, [other]), { ds: DS });
    expect(shownIn(bytes)).toEqual(["A", "B &amp; C", "D", "fixed"]);
  });

  test("is not in the document without items, and neither are its parts", async () => {
    const { parts, bytes, warnings } = await rendered(charted(FULL), { ds: [], year: 1 });
    expect(parts).toEqual(["[Content_Types].xml", "_rels/.rels", RELS, "word/document.xml"]);
    expect(partOf(bytes, "[Content_Types].xml")).not.toContain("chart");
    expect(warnings).toEqual([]);
  });

  test.each([
    ["a section", p("{{#ds}}") + CHART + p("{{/ds}}"), "{{t}} {{$number}}"],
    [
      "a row",
      table([p("{{tablerow d in ds}}{{d.t}}"), CHART + p("{{endtablerow}}")]) + p(""),
      "{{d.t}} {{$number}}",
    ],
    [
      "a column",
      table([p("{{tablecolumn d in ds}}") + CHART + p("{{endtablecolumn}}")]) + p(""),
      "{{d.t}} {{d.$number}}",
    ],
  ])("repeats with %s", async (_name, body, text) => {
    const { bytes } = await rendered(charted(title(text), body), { ds: DS });
    expect(shownIn(bytes)).toEqual(["A 1", "B &amp; C 2", "D 3"]);
  });

  test("is shown once by a section over an object or over a flag", async () => {
    const body = p("{{#o}}") + CHART + p("{{/o}}");
    for (const data of [{ o: { t: "T" } }, { o: true, t: "T" }]) {
      expect(shownIn((await rendered(charted(title("{{t}}"), body), data)).bytes)).toEqual(["T"]);
    }
  });

  test("knows the items of all loops around it", async () => {
    const body = around(around(CHART, "m in d.months"));
    const text = title("{{d.t}} {{m.n}} {{d.$number}}.{{$number}}");
    const { bytes } = await rendered(charted(text, body), { ds: DS });
    expect(shownIn(bytes)).toEqual(["A Jan 1.1", "D Feb 3.1", "D Mar 3.2"]);
  });

  test("may be left out in some repetitions, also in the first one", async () => {
    const body = around(p("{{if d.months.count() > 0}}") + CHART + p("{{endif}}"));
    const file = charted(title("{{d.t}}"), body);
    const { bytes, parts } = await rendered(file, { ds: DS.toReversed() });
    expect(shownIn(bytes)).toEqual(["D", "A"]);
    expect(parts.filter((name) => /charts\/chart/.test(name))).toHaveLength(2);
    const first = await rendered(file, { ds: [DS[1], DS[0]] });
    expect(shownIn(first.bytes)).toEqual(["A"]);
  });

  test("that is also outside the loop has another copy there", async () => {
    const again = (id: number): string => CHART.replace('id="1"', `id="${id}"`);
    const body = CHART + around(again(2) + again(3)) + again(4);
    const { bytes, parts } = await rendered(charted(title("{{v}}{{d.t ?? ''}}"), body), {
      ds: DS,
      v: "v",
    });
    const twice = ["vA", "vA", "vB &amp; C", "vB &amp; C", "vD", "vD"];
    expect(shownIn(bytes)).toEqual(["v", ...twice, "v"]);
    expect(parts.filter((name) => /charts\/chart/.test(name))).toHaveLength(4);
  });

  test("in a header repeats there", async () => {
    const story = "word/header1.xml";
    const file = withParts(docx({ body: p(""), stories: { "header1.xml": around(CHART) } }), [
      { ...chart(title("{{d.t}}")), owner: story },
    ]);
    const { bytes } = await rendered(file, { ds: DS });
    expect(shownIn(bytes, story)).toEqual(["A", "B &amp; C", "D"]);
  });

  test("has shapes drawn on it with values of the same item", async () => {
    const shapes: AddedPart = {
      name: "word/drawings/drawing1.xml",
      xml: `<c:userShapes xmlns:c="${C}" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:t>{{d.t}}</a:t></c:userShapes>`,
      type: "application/vnd.openxmlformats-officedocument.drawingml.chartshapes+xml",
      kind: "chartUserShapes",
      id: "rIdShapes",
      owner: "word/charts/chart1.xml",
    };
    for (const text of ["{{d.t}}", "fixed"]) {
      const { bytes } = await rendered(charted(title(text), around(CHART), [shapes]), { ds: DS });
      const texts = [1, 2, 3].map((number) => partOf(bytes, `word/drawings/drawing${number}.xml`));
      expect(texts.map((xml) => /<a:t>(.*?)</.exec(xml)?.[1])).toEqual(["A", "B &amp; C", "D"]);
      const links = partOf(bytes, "word/charts/_rels/chart2.xml.rels");
      expect(links).toContain('Target="/word/drawings/drawing2.xml"');
    }
  });

  test("has a link with the address of its item", async () => {
    const link = '<a:hlinkClick r:id="rIdLink"/>';
    const file = charted(title("{{d.t}}") + link, around(CHART), [
      {
        name: "word/charts/style1.xml",
        xml: "<x/>",
        kind: "chartStyle",
        type: "application/x+xml",
        id: "rIdLink0",
        owner: "word/charts/chart1.xml",
      },
    ]);
    const linked = withFile(file, "word/charts/_rels/chart1.xml.rels", (xml) =>
      xml.replace(
        "</Relationships>",
        '<Relationship Id="rIdLink" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" Target="https://example.com/%7B%7Bd.t%7D%7D" TargetMode="External"/></Relationships>',
      ),
    );
    const { bytes } = await rendered(linked, { ds: DS });
    const links = [1, 2, 3].map((number) =>
      partOf(bytes, `word/charts/_rels/chart${number}.xml.rels`),
    );
    const addresses = links.map((xml) => xml.match(/https:[^"]*/g));
    expect(addresses).toEqual([
      ["https://example.com/A"],
      ["https://example.com/B%20%26%20C"],
      ["https://example.com/D"],
    ]);
  });
});

describe("a chart in a loop of a malformed file", () => {
  /** Returns a template whose chart has a further relationship. */
  const related = (kind: string, target: string): Uint8Array =>
    withFile(charted(title("{{d.t}}")), "word/charts/_rels/chart1.xml.rels", (xml) =>
      xml.replace(
        "</Relationships>",
        `<Relationship Id="rIdOdd" Type="http://x/${kind}" Target="${target}"/></Relationships>`,
      ),
    );

  test.each([
    ["its shapes are the main part", "chartUserShapes", "/word/document.xml"],
    ["its style is the main part", "chartStyle", "/word/document.xml"],
    ["its workbook is the main part", "package", "/word/document.xml"],
    ["its colors are missing", "chartColorStyle", "colors9.xml"],
  ])("is repeated although %s", async (_name, kind, target) => {
    const template = await compileTemplate(related(kind, target));
    const { bytes } = template.render({ ds: DS });
    expect(shownIn(bytes)).toEqual(["A", "B &amp; C", "D"]);
    const names = [...unzipped(bytes).keys()];
    expect(names.filter((name) => name.includes("document"))).toHaveLength(2);
    await compileTemplate(bytes);
  });

  test("does not get the relationships that another file left behind", async () => {
    const rels: AddedPart = {
      name: "word/charts/_rels/chart2.xml.rels",
      xml: '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"/>',
      kind: "x",
      type: "application/vnd.openxmlformats-package.relationships+xml",
      id: "rIdRels",
    };
    const { parts } = await rendered(charted(title("{{d.t}}"), around(CHART), [rels]), { ds: DS });
    expect(parts.filter((name) => /charts\/chart/.test(name))).toEqual([
      "word/charts/chart1.xml",
      "word/charts/chart3.xml",
      "word/charts/chart4.xml",
    ]);
  });
});

describe("the data of a chart in a loop", () => {
  const FILE = charted(
    title("{{d.t}}") +
      series("S {{m.v}}", "{{for m in d.months}}{{m.n}}{{endfor}}") +
      series("T {{m.w}}", "{{for m in d.months}}{{m.n}}{{endfor}}"),
  );

  test("has its names in the schema, the sample and the tags", async () => {
    const template = await compileTemplate(FILE);
    const sample = template.sample() as { ds: { t: string; months: { n: string; v: number }[] }[] };
    expect(Object.keys(sample)).toEqual(["ds"]);
    expect(sample.ds[0]?.months[0]).toHaveProperty("v");
    const { warnings, bytes } = template.render(sample);
    expect(warnings).toEqual([]);
    expect(shownIn(bytes)).toHaveLength(sample.ds.length);
    expect(template.schema()).toMatchObject({
      required: ["ds"],
      properties: {
        ds: { items: { properties: { months: { items: { required: ["n", "v", "w"] } } } } },
      },
    });
    expect(template.types()).toContain("months:");
    const paths = template.tags.map(({ json_paths: each }) => each.at(-1));
    expect(new Set(paths)).toEqual(
      new Set(["ds", "ds.t", "ds.months", "ds.months.n", "ds.months.v", "ds.months.w"]),
    );
  });

  test("is used, apart from what no tag names", async () => {
    const ds = [{ t: "A", months: [{ n: "x", v: 1, w: 2, z: 3 }], y: 4 }];
    const { warnings } = await rendered(FILE, { ds });
    expect(warnings).toEqual([
      expect.stringContaining("'ds.months.z'"),
      expect.stringContaining("'ds.y'"),
    ]);
  });

  test("is reported with its place if it is missing or wrong", async () => {
    const template = await compileTemplate(FILE);
    const ds = [{ t: "A" }, { t: "B", months: [{ n: "x", v: "many", w: 1 }] }];
    const found = template.check({ ds }).map(({ code, pointer }) => [code, pointer]);
    expect(found).toEqual([
      ["missing_value", "/ds/0/months"],
      ["invalid_value", "/ds/1/months/0/v"],
    ]);
  });

  test("is reported if it is probably not the data of the item", async () => {
    const all = await compileTemplate(charted(title("{{ds.t}}")));
    expect(all.warnings.map(({ code, template }) => [code, template?.part])).toEqual([
      ["list_in_loop", "word/charts/chart1.xml"],
    ]);
    const outer = await compileTemplate(charted(title("{{t}}")));
    const found = outer.check({ t: "T", ds: DS }).filter(({ code }) => code !== "unused_value");
    expect(found.map(({ code, hint }) => [code, hint])).toEqual([
      ["same_for_all_items", "For the value of the item write 'd.t'."],
    ]);
    const named = around(p("{{t}}") + CHART);
    const both = await compileTemplate(charted(title("{{d.t}} {{t}}"), named));
    const doubts = both.check({ t: "T", ds: DS }).filter(({ code }) => code !== "unused_value");
    expect(doubts).toEqual([]);
    const inside = charted(series("{{d.t}} {{m.v}}", "{{for m in d.months}}{{m.n}}{{endfor}}"));
    const listed = await compileTemplate(inside);
    expect(listed.check({ ds: DS, m: 1 }).map(({ code }) => code)).toEqual(["unused_value"]);
  });

  test("is limited: too many charts are an error", async () => {
    const template = await compileTemplate(charted(title("{{d}}"), around(CHART), []));
    const ds = Array.from({ length: 100_000 }, (_, index) => index);
    expect(() => template.render({ ds })).toThrow("more than 65,000 parts");
    expect(() => template.render({ ds: ds.slice(0, 100) }, { limits: { steps: 20_000 } })).toThrow(
      "for the charts, headers and footers of loops",
    );
  });
});

describe("a chart in a loop is rejected if", () => {
  async function problemsOf(file: Uint8Array): Promise<string[]> {
    const error: unknown = await compileTemplate(file).catch((reason: unknown) => reason);
    return isQuireError(error)
      ? error.diagnostics.map(({ code, message }) => `${code}: ${message}`)
      : [];
  }

  test("a header shows it, too", async () => {
    const file = withParts(docx({ body: around(CHART), stories: { "header1.xml": CHART } }), [
      chart(title("{{d.t}}")),
      { ...chart(title("{{d.t}}")), owner: "word/header1.xml" },
    ]);
    expect(await problemsOf(file)).toEqual([
      "tag_in_looped_drawing: {{d.t}} is in a chart that another part of the file also shows, within {{for d in ds}}: every repetition shows the same chart, so a value in it cannot change.",
    ]);
  });

  test("it is a chart of Office 2016", async () => {
    const CX = 'xmlns:cx="http://schemas.microsoft.com/office/drawing/2014/chartex"';
    const body = around(figure(`<cx:chart ${CX} r:id="rIdChart"/>`));
    const file = withParts(docx({ body }), [
      {
        name: "word/charts/chartEx1.xml",
        xml: `<cx:chartSpace ${CX}><cx:chart><cx:v>{{d.t}}</cx:v></cx:chart></cx:chartSpace>`,
        type: "application/vnd.ms-office.chartex+xml",
        kind: "http://schemas.microsoft.com/office/2014/relationships/chartEx",
        id: "rIdChart",
      },
    ]);
    expect((await problemsOf(file))[0]).toMatch(
      /^tag_in_looped_drawing: \{\{d\.t\}\} is in a chart of a newer kind/,
    );
  });

  test("a tag in it uses the position in a loop that is not around it", async () => {
    expect(await problemsOf(charted(title("{{x.$index}}")))).toEqual([
      expect.stringContaining("no loop around it gives this name to its items"),
    ]);
    const broken = charted(title("{{$number}}"), p("{{for x in xs}}") + around(CHART));
    expect(await problemsOf(broken)).toEqual([expect.stringMatching(/^unclosed_block/)]);
  });
});
