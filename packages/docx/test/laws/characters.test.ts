import { DOMParser } from "@xmldom/xmldom";
import { SaxesParser } from "saxes";
import { describe, expect, test, vi } from "vitest";
import { manyRuns } from "../../../contracts/test/support/runs.ts";
import { linesOf, p, r } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../src/index.ts";
import { render } from "../support/render.ts";
import { partsOf, type WordFile, wordFile } from "../support/word-file.ts";

// Two parsers read documents of 65,536 paragraphs.
vi.setConfig({ testTimeout: 120_000 });

/** `npm test` tries every 61st unit, all of the first units, and all units near the limits of what XML may contain. */
const STEP = manyRuns(61, 1);
const EDGES = [0x2028, 0xd800, 0xdc00, 0xe000, 0xfdd0, 0xfdf0, 0xfffe];

/** The UTF-16 code units, each alone. XML cannot contain half of a surrogate pair. */
const UNITS = Array.from({ length: 0x10000 }, (_, unit) => unit)
  .filter(
    (unit) =>
      unit % STEP === 0 || unit < 0x300 || EDGES.some((edge) => Math.abs(unit - edge) <= 0x10),
  )
  .map((unit) => String.fromCharCode(unit));

/** Surrogates in every order, at every limit. `a` stands for text. */
const HIGHS = ["\ud800", "\ud83d", "\udbff"];
const LOWS = ["\udc00", "\ude00", "\udfff"];
const SURROGATES = HIGHS.flatMap((high) =>
  LOWS.flatMap((low) =>
    [
      high,
      low,
      high + low,
      low + high,
      high + high + low,
      high + low + low,
      low + high + low,
      high + low + high,
      low + low,
      high + high,
    ].flatMap((text) => [
      text,
      `a${text}`,
      `${text}a`,
      `a${text}a`,
      `${text}${text}`,
      `\n${text}`,
      `${text}\n`,
      `&${text}<`,
    ]),
  ),
);

/**
 * Implements XML 1.0, production 2, independently of the renderer: each code unit that is not a `Char` becomes U+FFFD.
 * The vertical tab is a line break and is not lost.
 */
function allowed(text: string): string {
  let shown = "";
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const control = code < 0x20 && ![0x9, 0xa, 0xb, 0xd].includes(code);
    const half = code >= 0xd800 && code <= 0xdfff;
    shown += control || half || code === 0xfffe || code === 0xffff ? "\ufffd" : character;
  }
  return shown;
}

/** Returns the text of a part. Both parsers must accept the part and agree on its text. */
function accepted(xml: string): string {
  let text = "";
  const saxes = new SaxesParser({ xmlns: true });
  saxes.on("error", (error) => {
    throw error;
  });
  let depth = 0;
  saxes.on("opentag", () => {
    depth += 1;
  });
  saxes.on("closetag", () => {
    depth -= 1;
  });
  saxes.on("text", (piece) => {
    if (depth > 0) text += piece;
  });
  saxes.write(xml).close();
  const dom = new DOMParser({
    // The default also normalizes the line ends of XML 1.1.
    normalizeLineEndings: (input) => input.replace(/\r\n?/g, "\n"),
    onError: (level, message) => {
      // A warning reports a U+FFFD, which is expected here.
      if (level !== "warning") throw new Error(`${level}: ${message}`);
    },
  }).parseFromString(xml, "text/xml");
  expect(dom.documentElement?.textContent === text).toBe(true);
  return text;
}

async function partsFor(
  file: WordFile,
  data: Record<string, unknown>,
): Promise<Map<string, string>> {
  const parts = partsOf((await render(wordFile(file), data)).bytes);
  for (const [name, xml] of parts) if (/\.(?:xml|rels)$/.test(name)) accepted(xml);
  return parts;
}

/**
 * Returns the values of an attribute, in document order. One parser reads them; the other one has accepted the part.
 */
function attributes(xml: string, element: string, name: string): string[] {
  const found: string[] = [];
  const parser = new SaxesParser();
  parser.on("opentag", (tag) => {
    if (tag.name === element) found.push(tag.attributes[name] ?? "");
  });
  parser.write(xml).close();
  return found;
}

/** Returns the text of each paragraph, with line breaks and tabs as characters. */
function paragraphTexts(xml: string): string[] {
  const found: string[] = [];
  const open: string[] = [];
  const parser = new SaxesParser();
  parser.on("opentag", ({ name }) => {
    open.push(name);
    if (name === "w:p") found.push("");
    if (name === "w:br") found[found.length - 1] += "\n";
    if (name === "w:tab") found[found.length - 1] += "\t";
  });
  parser.on("closetag", () => open.pop());
  parser.on("text", (text) => {
    if (open.at(-1) === "w:t") found[found.length - 1] += text;
  });
  parser.write(xml).close();
  return found;
}

/** Reports only the first difference, so that a failure is not 65,536 lines long. */
function expectSame(found: readonly string[], expected: readonly string[]): void {
  const at = expected.findIndex((each, index) => found[index] !== each);
  const show = (text: string | undefined): string => JSON.stringify(text?.slice(0, 20));
  if (at !== -1) expect(`${at}: ${show(found[at])}`).toBe(`${at}: ${show(expected[at])}`);
  expect(found).toHaveLength(expected.length);
}

/** Line breaks that text files never contain. They are shown as ordinary line breaks. */
const usualBreaks = (text: string): string => text.replace(/[\v\u2028\u2029]/g, "\n");
const lineEnds = (text: string): string => usualBreaks(text.replace(/\r\n?/g, "\n"));
const LOOP = { open: p("{{for i in l}}"), close: p("{{endfor}}") };

describe.each([
  ["every code unit", UNITS],
  ["every order of surrogates", SURROGATES],
])("%s as a value", (_name, l) => {
  test("is printed correctly in a run", async () => {
    const parts = await partsFor({ body: LOOP.open + p("[{{i}}]") + LOOP.close + p("") }, { l });
    const found = paragraphTexts(parts.get("word/document.xml") ?? "").slice(0, -1);
    expectSame(
      found,
      l.map((value) => `[${lineEnds(allowed(value))}]`),
    );
  });

  test("is printed correctly in an alternative text", async () => {
    const shape =
      '<w:r><w:drawing><wp:inline><wp:docPr id="1" name="n" descr="[{{i}}]"/></wp:inline></w:drawing></w:r>';
    const parts = await partsFor(
      { body: `${LOOP.open}<w:p>${shape}</w:p>${LOOP.close}<w:p/>` },
      { l },
    );
    expectSame(
      attributes(parts.get("word/document.xml") ?? "", "wp:docPr", "descr"),
      l.map((value) => `[${usualBreaks(allowed(value))}]`),
    );
  });

  test("is printed correctly in the document properties", async () => {
    const properties = {
      core: '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>[{{all}}]</dc:title></cp:coreProperties>',
      custom:
        '<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/custom-properties" xmlns:vt="http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes"><property fmtid="{D5CDD505-2E9C-101B-9397-08002B2CF9AE}" pid="2" name="p"><vt:lpwstr>[{{all}}]</vt:lpwstr></property></Properties>',
    };
    const whole = l.join("-");
    const parts = await partsFor({ body: "<w:p/>", properties }, { all: whole });
    const expected = `[${lineEnds(allowed(whole)).replace(/[\n\t]/g, " ")}]`;
    for (const name of ["docProps/core.xml", "docProps/custom.xml"]) {
      expectSame([...accepted(parts.get(name) ?? "").replace(/[\n\t]/g, " ")], [...expected]);
    }
  });

  test("is printed correctly in the target of a link", async () => {
    const links = { rIdA: "https://example.com/{{i}}", rIdB: "{{u}}" };
    const link = (id: string): string =>
      `<w:p><w:hyperlink r:id="${id}">${r("x")}</w:hyperlink></w:p>`;
    const parts = await partsFor(
      { body: LOOP.open + link("rIdA") + LOOP.close + p(""), links },
      { l },
    );
    const targets = new Map<string, string>();
    const rels = parts.get("word/_rels/document.xml.rels") ?? "";
    const names = attributes(rels, "Relationship", "Id");
    for (const [index, target] of attributes(rels, "Relationship", "Target").entries())
      targets.set(names[index] ?? "", target);
    const found = attributes(parts.get("word/document.xml") ?? "", "w:hyperlink", "r:id").map(
      (id) => targets.get(id) ?? "",
    );
    expectSame(
      found,
      l.map((value) => `https://example.com/${encodeURIComponent(value.toWellFormed())}`),
    );
  });

  test("keeps the file well-formed as a whole address, in a field, and with every modifier that shortens", async () => {
    const links = { rIdA: "{{i.u}}" };
    const field =
      '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> QUOTE "{{i.t}}" </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>';
    const cutting = [
      "truncate(1)",
      'truncate(2, "…")',
      "capitalize",
      "uppercase",
      "lowercase",
      "trim",
      'format("x-x")',
      'link("l")',
      "html",
      "markdown",
    ];
    const body = `${LOOP.open}<w:p><w:hyperlink r:id="rIdA">${r("x")}</w:hyperlink>${field}</w:p>${cutting.map((name) => p(`{{i.t :: ${name}}}`)).join("")}${LOOP.close}<w:p/>`;
    const some = l.filter(
      (_, index) => l.length < 1_000 || index < 0x100 || index % 0x40 < 2 || index > 0xfff0,
    );
    const template = await compileTemplate(wordFile({ body, links }));
    const list = some.map((value) => ({ t: value, u: `https://example.com/${value}` }));
    // A mask rejects values that are too short for it, and then nothing is written. The accepted ones are rendered.
    const masked = list.filter(({ t }) =>
      template.check({ l: [{ t, u: "" }] }).every(({ code }) => code !== "invalid_value"),
    );
    const parts = partsOf(template.render({ l: masked }).bytes);
    for (const [name, xml] of parts) if (/\.(?:xml|rels)$/.test(name)) accepted(xml);
  });
});

describe("a character that XML cannot contain", () => {
  const forbidden = UNITS.filter(
    (unit, code) => allowed(unit) !== unit && (code < 0xd800 || code > 0xdfff || code % 32 < 2),
  );

  test.each([
    ["in a run", { body: p("{{v}}") }],
    [
      "in an alternative text",
      {
        body: '<w:p><w:r><w:drawing><wp:inline><wp:docPr id="1" name="n" descr="{{v}}"/></wp:inline></w:drawing></w:r></w:p>',
      },
    ],
    [
      "in a link",
      {
        body: `<w:p><w:hyperlink r:id="rIdA">${r("x")}</w:hyperlink></w:p>`,
        links: { rIdA: "https://example.com/{{v}}" },
      },
    ],
  ])("is reported %s", async (_name, file) => {
    const template = await compileTemplate(wordFile(file));
    const untold = forbidden.filter(
      (v) =>
        !template
          .check({ v: `a${v}b` })
          .some(({ code, pointer }) => code === "forbidden_character" && pointer === "/v"),
    );
    expect(untold.map((unit) => unit.charCodeAt(0).toString(16))).toEqual([]);
  });

  test("is the only character with a warning", async () => {
    const template = await compileTemplate(wordFile({ body: p("{{v}}") }));
    const v = UNITS.filter((unit) => allowed(unit) === unit).join("") + "😀\u{10ffff}\u{1fffe}";
    expect(template.check({ v })).toEqual([]);
  });
});

test("every character of the template's own text is kept, next to tags", async () => {
  const special = new Set([..."{}\\\r\n\t\v"]);
  const units = UNITS.filter((unit) => allowed(unit) === unit && !special.has(unit));
  const body =
    units.map((unit) => p(`[${unit}]`)).join("") +
    p("{{x}}") +
    p(
      `{{x :: default("${units
        .slice(0xa0)
        .filter((unit) => !'"“”„‟«»″\\'.includes(unit))
        .join("")}")}}`,
    );
  const parts = await partsFor({ body }, { x: "X" });
  const found = paragraphTexts(parts.get("word/document.xml") ?? "");
  expectSame(
    found.slice(0, units.length),
    units.map((unit) => `[${unit}]`),
  );
  expect(found.slice(units.length)).toEqual(["X", "X"]);
});

test("a tag that is kept because its value is missing is written unchanged, with any content", async () => {
  const odd = '{{a["\u0001<&>\u{1f600} \ufdd0 ]]>"]}}'.replace("\u0001", "\u0085");
  const { bytes } = await render(wordFile({ body: p(odd) }), {});
  expect(paragraphTexts(partsOf(bytes).get("word/document.xml") ?? "")).toEqual([odd]);
});

test("a string of millions of characters is complete, wherever the writer cuts it", async () => {
  const piece = "a😀\r\n&<b\t\ud800\u0007";
  for (const shift of ["", "x", "xx", "xxx"]) {
    const value = shift + piece.repeat(20_000);
    const { bytes } = await render(p("{{v}}"), { v: value });
    const line = "a😀⏎&<b⇥\ufffd\ufffd".repeat(20_000);
    expect(linesOf(bytes)[0] === shift + line).toBe(true);
  }
});
