/**
 * The optimized renderer must match the reference renderer: the same bytes in every part, the same warnings
 * and errors. Each random template is tested with three data entries and every compression.
 * `DIFFERENTIAL_SEED` sets the first seed. A failure reports its seed and size.
 */
import { globSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { Random } from "../../../contracts/test/support/random.ts";
import { manyRuns } from "../../../contracts/test/support/runs.ts";
import { docx, p, partOf, r, table } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate, prepareImages } from "../../src/index.ts";
import { everything } from "../support/everything.ts";
import { compileTwins } from "../support/plain/compare.ts";
import { renderPlainly } from "../support/plain/render.ts";
import { rasterize } from "../support/rasterize.ts";
import { type Failure, KINDS, smallest, Tally, tried } from "../support/whole-language/trial.ts";
import { wholeData } from "../support/whole-language.ts";
import { wordFile } from "../support/word-file.ts";

const CASES = manyRuns(12, 300);
/** True if there are enough cases to expect each kind of operation among them. */
const COVERS = CASES >= 300;
const SEED = Number(process.env.DIFFERENTIAL_SEED ?? Math.floor(Math.random() * 1e9));
const MAX_SIZE = 40;
const ROOT = join(import.meta.dirname, "../../../..");

async function fail(seed: number, size: number, failure: Failure): Promise<never> {
  const [small, { what, template, data }] = await smallest(seed, size, failure);
  const folder = mkdtempSync(join(tmpdir(), "quire-differential-"));
  writeFileSync(join(folder, "template.docx"), template);
  writeFileSync(
    join(folder, "data.txt"),
    inspect(data, { depth: null, maxArrayLength: null, maxStringLength: 1000 }),
  );
  expect.fail(`Seed ${seed}, size ${small}; template and data are in ${folder}. ${what}`);
}

test(
  "the optimized and reference renderers agree for random templates over the whole language",
  async () => {
    const tally = new Tally();
    const missing = () => KINDS.filter((kind) => !tally.ops.has(kind));
    // Some kinds are rare, so more cases run until each kind has occurred.
    const goesOn = (number: number) => COVERS && number < 4 * CASES && missing().length > 0;
    for (let number = 0; number < CASES || goesOn(number); number++) {
      const seed = SEED + number * 7919;
      // Sizes go from small to large, even if there are only a few cases.
      const size = 1 + (Math.floor((number * MAX_SIZE) / Math.min(CASES, MAX_SIZE)) % MAX_SIZE);
      const failure = await tried(seed, size, tally);
      if (failure !== null) await fail(seed, size, failure);
    }
    if (process.env.DIFFERENTIAL_TALLY === "1") process.stdout.write(`${inspect(tally)}\n`);
    if (!COVERS) return;
    expect(tally.templates, `seed ${SEED}`).toBeGreaterThan(CASES * 0.8);
    expect(tally.outcomes.get("documents"), `seed ${SEED}`).toBeGreaterThan(CASES * 2);
    expect(missing(), `seed ${SEED}`).toEqual([]);
  },
  60_000 + CASES * 500,
);

describe("the optimized and reference renderers agree for each golden and example template", () => {
  const golden = join(import.meta.dirname, "../golden");
  const files = [
    ...globSync("*.docx", { cwd: golden }).map((name) => [name, golden, golden] as const),
    ...globSync("*.docx", { cwd: join(ROOT, "examples/templates") }).map(
      (name) => [name, join(ROOT, "examples/templates"), join(ROOT, "examples/data")] as const,
    ),
  ];

  test.each(files.sort(([a], [b]) => (a < b ? -1 : 1)))("%s", async (file, templates, data) => {
    const twins = await compileTwins(readFileSync(join(templates, file)));
    const name = file === "invoice.docx" ? "invoices" : basename(file, ".docx");
    const path = join(data, `${name}.json`);
    const given: unknown = JSON.parse(readFileSync(path, "utf8"));
    const items = [given].flat() as Record<string, unknown>[];
    // The invoices are entries of a batch.
    const entries = items.map((item) => (item.user_input ?? item) as Record<string, unknown>);
    const all = [...entries.slice(0, manyRuns(2, 5)), twins.template.sample(), {}];
    for (const entry of all) expect(twins.difference(entry)).toBe(null);
    twins.warmUp(twins.template.sample());
    for (const entry of all) {
      expect(twins.difference(entry, { onMissing: "blank", locale: "de-AT" })).toBe(null);
      expect(twins.difference(entry, { onMissing: "fail" })).toBe(null);
    }
  });
});

test("the optimized and reference renderers agree for a template with all numbered things", async () => {
  const { file, data } = everything();
  const twins = await compileTwins(file);
  for (const entry of [...data, ...data.toReversed()]) expect(twins.difference(entry)).toBe(null);
  twins.warmUp(data[0] ?? {});
  for (const entry of data) expect(twins.difference(entry)).toBe(null);
});

describe("the optimized and reference renderers agree for rare constructs", () => {
  const item = (text: string): string =>
    `<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>${r(text)}</w:p>`;
  const level = '<w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>';
  const numbering = `<w:abstractNum w:abstractNumId="0">${level}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`;
  const l = [{ on: false, m: [1, 2] }, { on: true, m: [3] }, { on: true, m: { v: 4 } }, { m: [] }];
  const reference = '<w:r><w:commentReference w:id="0"/></w:r>';
  const noted = `<w:comment w:id="0"><w:p w14:paraId="0A">${r("{{if i.on}}on{{endif}}")}</w:p>${p("x")}</w:comment>`;
  const box = `<w:r><w:pict><v:shape><v:textbox><w:txbxContent>${p("{{h}}{{t}}")}</w:txbxContent></v:textbox></v:shape></w:pict></w:r>`;

  test.each([
    [
      "a section that repeats the items of a list in a loop",
      {
        body: `${p("{{for i in l}}")}${p("{{#i.m}}")}${item("i")}${p("{{/}}")}${p("{{endfor}}")}`,
      },
    ],
    [
      "a comment paragraph that is empty in the first copy",
      {
        body: `${p("{{for i in l}}")}<w:p>${r("x")}${reference}</w:p>${p("{{endfor}}")}`,
        parts: { "comments.xml": noted },
      },
    ],
    [
      "paragraphs from data that split a paragraph and a text box in it",
      {
        body: `<w:p>${r("{{for i in l}}{{endfor}}")}${box}${r("{{h}}b{{h}}")}</w:p><w:p>${box}${r("{{h}}")}</w:p>`,
      },
    ],
    [
      "empty values before a value that splits its paragraph, inside and outside a cell",
      {
        body: [
          p("{{t}}{{if t}}y{{endif}}{{h}}"),
          p("{{#gone}}{{t}}{{/}}{{t}}{{h}}{{t}}"),
          `<w:tbl><w:tblPr/><w:tblGrid/><w:tr><w:tc>${p("{{t}}{{if t}}y{{endif}}{{h}}")}</w:tc></w:tr></w:tbl>`,
        ].join(""),
      },
    ],
    [
      "a delimiter after an empty text in an otherwise empty paragraph",
      {
        body: [
          p("{{for i in l}}"),
          p('{{if i.on}}{{t :: delimiter(", ")}}{{endif}}'),
          p('{{t :: delimiter("; ")}}{{h}}{{t :: lastdelimiter(" and ")}}'),
          p("{{endfor}}"),
        ].join(""),
      },
    ],
  ])("%s", async (_name, file) => {
    const parts = { "numbering.xml": numbering, ...("parts" in file ? file.parts : {}) };
    const twins = await compileTwins(wordFile({ body: `${file.body}<w:p/>`, parts }));
    for (const h of ["<p>one</p><p>two</p>", "<table><tr><td>x</td></tr></table>", "plain", ""]) {
      expect(twins.difference({ l, h, t: "" })).toBe(null);
    }
  });
});

test("the optimized and reference renderers agree for images that must be drawn first", async () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><rect width="9" height="9"/></svg>';
  const data = { a: Buffer.from(svg).toString("base64"), l: [1, 2] };
  const images = await prepareImages(data, { rasterize });
  const body = `${p("{{for i in l}}{{a}}{{i}}{{endfor}}")}${p("{{a :: width('1cm')}}")}`;
  const twins = await compileTwins(docx({ body, stories: { "header1.xml": p("{{a}}") } }));
  for (const options of [{ images }, {}]) expect(twins.difference(data, options)).toBe(null);
});

/** Returns text that mixes common words with random, poorly compressible words. */
function filler(random: Random, length: number): string {
  const words = ["the", "party", "shall", "not", "§", "clause", "of", "Größe", "agreement", "1.2"];
  let text = "";
  while (text.length < length) {
    text += random.oneIn(5) ? `${random.below(1e9).toString(36)} ` : `${random.pick(words)} `;
  }
  return text;
}

describe("the optimized and reference renderers agree for a large document", () => {
  const random = new Random(SEED, 0);
  const long = [10, 3000, 33_000, manyRuns(40_000, 66_000)].map((length) =>
    p(filler(random, length)),
  );
  const row = [p("{{tablerow i in many}}{{i.t}}"), p("{{i.s}}"), p("{{i.n}}{{endtablerow}}")];
  const templates = [
    ["rows", long[0] + table(row) + long[1]],
    [
      "long paragraphs",
      `${p("{{for i in many}}")}${long[1]}${p("{{i.t}}{{i.s}}")}${p("{{endfor}}")}`,
    ],
    [
      "texts in a line",
      `${long[3]}<w:p>${r("{{#many}}{{t}}, {{/many}}{{^many}}none{{/many}}")}</w:p>`,
    ],
    [
      "text far apart",
      `${p("{{s}}")}${long[2]}${p("{{t}}{{h}}")}${long[3]}${p("{{s}}{{many.t}}")}${long[0]}`,
    ],
  ] as const;

  test.each(templates)("%s", { timeout: 120_000 }, async (_name, body) => {
    const twins = await compileTwins(docx({ body }));
    const choices = Array.from({ length: manyRuns(12, 50) }, () => wholeData(random, "wild"));
    for (const turns of [0, 1, 40, manyRuns(100, 3_000)]) {
      const items = Array.from({ length: turns }, () => random.pick(choices));
      const data = { ...wholeData(random, "wild"), many: items };
      expect(twins.difference(data), `seed ${SEED}, ${turns} turns`).toBe(null);
      if (turns === 40) twins.warmUp(data);
    }
  });
});

test("both renderers reject oversized data and non-objects with the same messages", async () => {
  const many = { v: new Array(4_294_967_295), some: new Array(9_000_000) };
  const sum = "{{$count(some)}}";
  for (const tag of ["{{v}}", "{{for x in v}}a{{endfor}}", "{{#v}}a{{/v}}", sum + sum + sum]) {
    const refused = await compileTwins(docx({ body: p(tag), stories: { "header1.xml": p(tag) } }));
    expect(refused.difference(many), tag).toBe(null);
    expect(() => refused.template.render(many), tag).toThrow(/takes more than 20,000,000 steps/);
  }
  const twins = await compileTwins(docx({ body: p("{{a}}") }));
  for (const data of [[], null, "x", undefined]) {
    expect(() => twins.template.render(data as never)).toThrow(/must be an object/);
    expect(twins.difference(data as never)).toBe(null);
  }
  expect(twins.difference({}, { locale: "no locale" })).toBe(null);
});

test("the reference renderer writes only the parts that contain tags", async () => {
  const bytes = docx({ body: p("{{a}}"), stories: { "header1.xml": p("fixed") } });
  const { parts, warnings } = await renderPlainly(bytes, { a: "A" });
  expect([...parts.keys()]).toEqual(["word/document.xml"]);
  const rendered = (await compileTemplate(bytes)).render({ a: "A" });
  expect(parts.get("word/document.xml")).toBe(partOf(rendered.bytes));
  expect(warnings).toEqual(rendered.warnings);
});
