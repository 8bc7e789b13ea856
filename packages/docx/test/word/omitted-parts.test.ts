/** Parts to which only omitted content refers: a document does not have them. */
import { describe, expect, test } from "vitest";
import { docx, p, partOf, r, table } from "../../../ooxml/test/support/docx.ts";
import { png } from "../../../ooxml/test/support/pictures.ts";
import { unzipped } from "../../../ooxml/test/support/unzip.ts";
import { compileTemplate } from "../../src/index.ts";
import { type AddedPart, withFile, withParts } from "../support/add-parts.ts";
import { CHART, chart, figure, SMART_ART, smartArt } from "../support/figures.ts";
import { from, include } from "../support/including.ts";
import { assertSound } from "../support/sound.ts";

const PART = "word/charts/chart1.xml";
const RELS = "word/_rels/document.xml.rels";
const DRAWING = "http://schemas.openxmlformats.org/drawingml/2006";

type Data = Record<string, unknown>;

const iff = (inner: string, condition = "show"): string =>
  p(`{{if ${condition}}}`) + inner + p("{{endif}}");
const title = (text: string): string => `<c:title><a:t>${text}</a:t></c:title>`;

/** The parts that Word stores with each chart. */
const OF_CHART: readonly AddedPart[] = [
  ["embeddings/book1.xlsx", "package", "application/vnd.openxmlformats-officedocument.spreadsheet"],
  ["charts/style1.xml", "chartStyle", "application/vnd.ms-office.chartstyle+xml"],
  ["charts/colors1.xml", "chartColorStyle", "application/vnd.ms-office.chartcolorstyle+xml"],
].map(([name = "", kind = "", type = ""], index) => ({
  name: `word/${name}`,
  xml: "<x/>",
  kind,
  type,
  id: `rId${index + 1}`,
  owner: PART,
}));

/** Returns a template with a chart, whose title is `{{a.title}}`. */
function charted(body: string, parts: Parameters<typeof docx>[0]["stories"] = {}): Uint8Array {
  return withParts(docx({ body, stories: parts }), [chart(title("{{a.title}}")), ...OF_CHART]);
}

const picture = (id: string): string =>
  figure(
    `<pic:pic xmlns:pic="${DRAWING}/picture"><pic:blipFill><a:blip r:embed="${id}"/></pic:blipFill></pic:pic>`,
  ).replace('<wp:docPr id="1"', `<wp:docPr id="${id.replace(/\D/g, "")}0"`);

const image = (number: number, owner?: string): AddedPart => ({
  name: `word/media/image${number}.png`,
  xml: png(number, 1),
  kind: "image",
  type: "image/png",
  id: `rIdPicture${number}`,
  ...(owner === undefined ? {} : { owner }),
});

const shown = (kind: "header" | "footer", id: string): string =>
  `<w:p><w:pPr><w:sectPr><w:${kind}Reference w:type="default" r:id="${id}"/></w:sectPr></w:pPr></w:p>`;

/** Returns the content of each part. The document must be sound, and must compile as a template. */
async function partsOf(bytes: Uint8Array): Promise<Map<string, string>> {
  assertSound(bytes);
  await compileTemplate(bytes);
  return new Map([...unzipped(bytes)].map(([name, content]) => [name, content.toString("latin1")]));
}

async function rendered(file: Uint8Array, data: Data) {
  const template = await compileTemplate(file);
  const { bytes, warnings } = template.render(data);
  expect(template.check(data)).toEqual(warnings);
  return { parts: await partsOf(bytes), warnings: warnings.map(({ message }) => message) };
}

/** Returns the names of the parts with a text, or with a reference to it. */
const holding = (parts: ReadonlyMap<string, string>, text: string): string[] =>
  [...parts]
    .filter(([name, xml]) => name.includes(text) || xml.includes(text))
    .map(([name]) => name);

describe("the chart of a condition that is false", () => {
  test("is not in the document, nor are its parts, its relationship and its type", async () => {
    const file = charted(iff(CHART));
    const { parts, warnings } = await rendered(file, { show: false, a: { title: "Secret" } });
    expect([...parts.keys()].toSorted()).toEqual([
      "[Content_Types].xml",
      "_rels/.rels",
      "word/_rels/document.xml.rels",
      "word/document.xml",
    ]);
    for (const text of ["Secret", "chart", "book1"]) expect(holding(parts, text)).toEqual([]);
    expect(warnings).toEqual([]);
  });

  test("reports nothing about its values", async () => {
    expect((await rendered(charted(iff(CHART)), { show: false })).warnings).toEqual([]);
    const numbers = await compileTemplate(
      withParts(docx({ body: iff(CHART) }), [
        chart(
          '<c:ser><c:tx><c:strRef><c:strCache><c:pt idx="0"><c:v>Sold {{m.v}}</c:v></c:pt></c:strCache></c:strRef></c:tx><c:cat><c:strRef><c:strCache><c:pt idx="0"><c:v>{{for m in l}}{{m.n}}{{endfor}}</c:v></c:pt></c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache><c:pt idx="0"><c:v>0</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser>',
        ),
      ]),
    );
    const l = [{ n: "Q1" }, { n: "Q2", v: 2 }];
    expect(() => numbers.render({ show: true, l })).toThrow("does not fit");
    expect(numbers.render({ show: false, l }).warnings).toEqual([]);
  });

  test("is in the next document of the same template, if its condition is true there", async () => {
    const template = await compileTemplate(charted(iff(CHART)));
    const data = { show: true, a: { title: "T" } };
    const before = template.render(data).bytes;
    const without = template.render({ ...data, show: false }).bytes;
    expect(template.render(data).bytes).toEqual(before);
    expect(template.render({ ...data, show: false }).bytes).toEqual(without);
    const parts = await partsOf(before);
    for (const { name } of [{ name: PART }, ...OF_CHART]) expect(parts.has(name)).toBe(true);
    expect(parts.get(PART)).toContain(title("T"));
  });

  test("does not need its values: the schema allows data without them", async () => {
    const template = await compileTemplate(charted(iff(CHART)));
    expect(template.schema()).not.toHaveProperty("required");
    expect(template.sample()).toEqual({ show: true, a: { title: "Title" } });
    const always = await compileTemplate(charted(CHART));
    expect(always.schema()).toHaveProperty("required", ["a"]);
  });

  test("counts as a use of its values", async () => {
    const { warnings } = await rendered(charted(iff(CHART)), {
      show: false,
      a: { title: "T" },
      b: 1,
    });
    expect(warnings).toEqual([expect.stringContaining("'b'")]);
  });

  test.each([
    [true, false],
    [false, true],
  ])("is kept if another place shows it: %s, %s", async (x, y) => {
    const file = charted(iff(CHART, "x") + iff(CHART, "y"));
    const { parts } = await rendered(file, { x, y, a: { title: "T" } });
    expect(parts.get(PART)).toContain(title("T"));
    const neither = await rendered(file, { x: false, y: false });
    expect(holding(neither.parts, "chart1")).toEqual([]);
  });

  test("is not in the document either if a loop, a row or a whole table left it out", async () => {
    const loops = [
      table([p("{{for x in xs}}"), `${CHART}${p("{{endfor}}")}`]) + p(""),
      p("{{#xs}}") + CHART + p("{{/xs}}"),
    ];
    for (const body of loops) {
      const file = withParts(docx({ body: p("{{v}}") + body }), [chart(title("fixed"))]);
      const { parts } = await rendered(file, { v: 1, xs: [] });
      expect(holding(parts, "chart1")).toEqual([]);
      const repeated = await rendered(file, { v: 1, xs: ["a", "b"] });
      expect(repeated.parts.get("word/document.xml")?.split("rIdChart")).toHaveLength(3);
      expect(repeated.parts.has(PART)).toBe(true);
    }
  });
});

test("SmartArt of a condition that is false is not in the document, with both of its parts", async () => {
  const file = withParts(docx({ body: iff(SMART_ART.replaceAll(/ r:(?:lo|qs|cs)="\w+"/g, "")) }), [
    ...smartArt("<a:r><a:t>{{v}}</a:t></a:r>"),
  ]);
  const { parts, warnings } = await rendered(file, { show: false });
  expect(holding(parts, "diagram")).toEqual([]);
  expect(warnings).toEqual([]);
  const whole = (await compileTemplate(file)).render({ show: true, v: "T" });
  expect(partOf(whole.bytes, "word/diagrams/data1.xml")).toContain("<a:t>T</a:t>");
  expect(partOf(whole.bytes, "word/diagrams/drawing1.xml")).toContain("<a:t>T</a:t>");
});

describe("a header", () => {
  const body = iff(shown("header", "rId1")) + p("End");
  const header = (xml: string): Uint8Array =>
    withParts(docx({ body, stories: { "header1.xml": xml } }), [
      { ...chart(title("{{a.title}}")), owner: "word/header1.xml" },
      image(1, "word/header1.xml"),
    ]);

  test("of a section that a block left out is not in the document, with all that it shows", async () => {
    const file = header(p("{{h}}") + CHART + picture("rIdPicture1"));
    const { parts, warnings } = await rendered(file, { show: false });
    expect([...parts.keys()].toSorted()).toEqual([
      "[Content_Types].xml",
      "_rels/.rels",
      RELS,
      "word/document.xml",
    ]);
    expect(holding(parts, "header")).toEqual([]);
    expect(warnings).toEqual([]);
    const whole = await rendered(file, { show: true, h: "H", a: { title: "T" } });
    expect(whole.parts.get(PART)).toContain(title("T"));
    expect(holding(whole.parts, "H</w:t>")).toEqual(["word/header1.xml"]);
  });

  test("without a tag is omitted, too", async () => {
    const { parts } = await rendered(header(p("fixed")), { show: false });
    expect(holding(parts, "header1")).toEqual([]);
  });

  test("may leave out its own chart", async () => {
    const file = header(iff(CHART, "inner") + picture("rIdPicture1"));
    const { parts } = await rendered(file, { show: true, inner: false });
    expect(parts.has("word/media/image1.png")).toBe(true);
    expect(holding(parts, "chart1")).toEqual([]);
  });

  test("is kept if a later section also shows it", async () => {
    const twice = docx({
      body: iff(shown("header", "rId1")) + p("a") + shown("header", "rId1"),
      stories: { "header1.xml": p("{{h}}") },
    });
    const { parts } = await rendered(twice, { show: false, h: "H" });
    expect(holding(parts, "H</w:t>")).toEqual(["word/header1.xml"]);
  });
});

const FOOTNOTE = '<w:p><w:r><w:footnoteReference w:id="1"/></w:r></w:p>';

test.each([
  ["footer", shown("footer", "rId1"), "footer1.xml", CHART],
  [
    "note",
    FOOTNOTE,
    "footnotes.xml",
    `<w:footnote w:id="1">${CHART.replace('id="1"', 'id="2"')}</w:footnote>`,
  ],
])(
  "a chart in the text and in a %s is kept if one of them shows it",
  async (_, other, part, xml) => {
    const file = withParts(
      docx({ body: iff(other, "x") + iff(CHART, "y") + p("End"), stories: { [part]: xml } }),
      [chart(title("{{v}}")), { ...chart(title("{{v}}")), owner: `word/${part}` }],
    );
    for (const [x, y] of [
      [true, false],
      [false, true],
    ]) {
      const { parts } = await rendered(file, { x, y, v: "T" });
      expect(parts.get(PART)).toContain(title("T"));
    }
    const { parts, warnings } = await rendered(file, { x: false, y: false });
    expect(holding(parts, "chart1")).toEqual([]);
    expect(warnings).toEqual([]);
  },
);

test("the picture of a note is in the document only if the note is", async () => {
  const reference = '<w:p><w:r><w:footnoteReference w:id="1"/></w:r></w:p>';
  const note = `<w:footnote w:id="1">${picture("rIdPicture1")}</w:footnote>`;
  const file = withParts(
    docx({ body: iff(reference) + p("End"), stories: { "footnotes.xml": note } }),
    [image(1, "word/footnotes.xml")],
  );
  expect(holding((await rendered(file, { show: false })).parts, "image1")).toEqual([]);
  expect((await rendered(file, { show: true })).parts.has("word/media/image1.png")).toBe(true);
});

test("a document has only the picture of the branch that it shows", async () => {
  const branches = `${p("{{if show}}")}${picture("rIdPicture1")}${p("{{else}}")}${picture("rIdPicture2")}${p("{{endif}}")}`;
  const file = withParts(
    docx({ body: branches + picture("rIdPicture3") }),
    [1, 2, 3].map((n) => image(n)),
  );
  for (const [show, wanted] of [
    [true, [1, 3]],
    [false, [2, 3]],
  ] as const) {
    const { parts } = await rendered(file, { show });
    const media = [...parts.keys()].filter((name) => name.startsWith("word/media/"));
    expect(media).toEqual(wanted.map((n) => `word/media/image${n}.png`));
  }
});

test("a picture in a false condition is kept if a placeholder without a value shows it", async () => {
  const placeholder = picture("rIdPicture1").replace(
    /<wp:docPr id="10" name="f"/,
    '<wp:extent cx="9" cy="9"/><wp:docPr id="11" name="f" descr="{{v}}"',
  );
  const file = withParts(docx({ body: placeholder + iff(picture("rIdPicture1")) }), [image(1)]);
  const { parts } = await rendered(file, { show: false });
  expect(parts.get("word/document.xml")?.split("rIdPicture1")).toHaveLength(2);
  expect(parts.has("word/media/image1.png")).toBe(true);
});

test("content that is removed because it shows nothing does not keep its parts", async () => {
  const ink =
    '<w:r><w14:contentPart xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" r:id="rIdInk"/></w:r>';
  const body = `<w:p>${r("{{if show}}")}${ink}${r("{{endif}}")}</w:p>${p("End")}`;
  const file = withParts(docx({ body }), [
    {
      name: "word/ink/ink1.xml",
      xml: "<ink/>",
      kind: "customXml",
      type: "application/inkml+xml",
      id: "rIdInk",
    },
  ]);
  const { parts } = await rendered(file, { show: true });
  expect(parts.get("word/document.xml")).not.toContain("rIdInk");
  expect(holding(parts, "ink1")).toEqual([]);
});

test("the chart of an included template is omitted with the tag that includes it", async () => {
  const template = await compileTemplate(
    docx({ body: iff(include) + p("End") }),
    from({ t: charted(SMART_ART + CHART) }),
  );
  const whole = await partsOf(template.render({ show: true }).bytes);
  expect(whole.has(`included1/${PART}`)).toBe(true);
  const parts = await partsOf(template.render({ show: false }).bytes);
  expect(holding(parts, "included1")).toEqual([]);
});

test("the types of other parts remain, also in a package with another spelling", async () => {
  const spelled = withFile(charted(iff(CHART)), "[Content_Types].xml", (xml) =>
    xml.replace(`<Override PartName="/${PART}"`, "<Override PartName='/word/Charts/CHART1.xml'"),
  );
  const { parts } = await rendered(spelled, { show: false });
  const types = parts.get("[Content_Types].xml") ?? "";
  expect(types).toContain('PartName="/word/document.xml"');
  expect(types.toLowerCase()).not.toContain("chart");
});
