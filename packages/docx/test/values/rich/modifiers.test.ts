import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bodyOf, docx, linesOf, p, partOf, r } from "../../../../ooxml/test/support/docx.ts";
import { png } from "../../../../ooxml/test/support/pictures.ts";
import { compileTemplate } from "../../../src/index.ts";
import { modify } from "../../../src/values/modifiers.ts";
import { parseHtml } from "../../../src/values/rich/read/parse-html.ts";
import { modifyRich } from "../../../src/values/rich/read/transform.ts";
import { flattenedText } from "../../../src/values/rich/write.ts";
import { outcome, printed, told } from "../../support/language.ts";
import { render } from "../../support/render.ts";
import { assertSound } from "../../support/sound.ts";

/** Returns the body of a rendered paragraph, reduced to its text, bold runs and paragraph ends. */
async function rich(tag: string, v: unknown): Promise<string> {
  const { bytes, warnings } = await outcome(p(tag), { v });
  assertSound(bytes);
  expect(warnings.filter(({ code }) => code !== "detected_html")).toEqual([]);
  return bodyOf(bytes)
    .replaceAll(/<w:r><w:rPr>(?:<w:b\/>|<w:bCs\/>)+<\/w:rPr>(.*?)<\/w:r>/g, "*$1*")
    .replaceAll("</w:p>", "¶")
    .replaceAll(/<[^>]*>/g, "")
    .replace(/¶$/, "");
}

describe("truncate cuts a rich value as a whole", () => {
  test.each([
    ["truncate(5)", "<p>The <b>quick</b> <i>brown</i> fox</p>", "The…"],
    ["truncate(7)", "<p>The <b>quick</b> <i>brown</i> fox</p>", "The *qu…*"],
    ['truncate(8, " [more]")', "<p>The <b>quick</b> fox</p>", "T [more]"],
    ['truncate(5, "")', "<b>The</b> quick", "*The* q"],
    [
      "truncate(20)",
      `<p>${"a".repeat(15)}</p><p>${"b".repeat(15)}</p><p>c</p>`,
      "aaaaaaaaaaaaaaa¶bbb…",
    ],
    ["truncate(16)", `<p>${"a".repeat(15)}</p><p>bb</p>`, `${"a".repeat(15)}…`],
    ["truncate(18)", `<p>${"a".repeat(15)}</p><p>bb</p>`, `${"a".repeat(15)}¶bb`],
    ["truncate(0)", "<h1>Title</h1><p>text</p>", ""],
    ["truncate(3)", "<b>a👍b👍c</b>", "*a👍…*"],
    ["truncate(2)", "<ul><li></li><li>abc</li></ul>", "¶…"],
    ["uppercase, truncate(4)", "<p><b>straße</b> 5</p>", "*STR…*"],
    ["markdown, truncate(10)", "one *two* three **four** five", "one two t…"],
    ["markdown, truncate(11)", "# Title\n\nfirst **bold** word", "Title¶firs…"],
  ])("%s of %j", async (modifiers, v, expected) => {
    expect(await rich(`{{v :: ${modifiers}}}`, v)).toBe(expected);
  });

  test("and omits items and rows after the cut, but no cell of a row", async () => {
    const list = "<ul><li>first item</li><li>second item</li></ul>";
    expect(linesOf((await outcome(p("{{v :: truncate(6)}}"), { v: list })).bytes)).toContain(
      "first…",
    );
    const v =
      "<table><tr><td>abc</td><td>def</td><td>ghi</td></tr><tr><td>j</td></tr></table><p>k</p>";
    const { bytes } = await outcome(p("{{v :: truncate(6)}}"), { v });
    assertSound(bytes);
    expect(bodyOf(bytes).match(/<w:tc>/g)).toHaveLength(3);
    expect(linesOf(bytes).join("|")).toBe("abc | d… | |");
  });

  test("and a list together with its delimiters", async () => {
    const v = ["<b>one</b>", "two"];
    expect(await rich('{{v :: html, delimiter(" + "), truncate(8)}}', v)).toBe("*one* + t…");
    expect(await rich('{{v :: delimiter(" + "), truncate(8)}}', ["one", "two"])).toBe("one + t…");
  });
});

describe("capitalize changes the first letter of a rich value", () => {
  test.each([
    [
      "capitalize",
      "<p>one <b>two</b> three <i>four</i></p><p>five</p>",
      "One *two* three four¶five",
    ],
    ["capitalize", "<b>one</b> two", "*One* two"],
    ["lowercase, capitalize", "<p>ONE <b>TWO</b></p>", "One *two*"],
    ["markdown, capitalize", "one *two* **three**", "One two *three*"],
  ])("%s of %j", async (modifiers, v, expected) => {
    expect(await rich(`{{v :: ${modifiers}}}`, v)).toBe(expected);
  });
});

test("modifiers change unformatted rich text like the plain text of its lines", () => {
  const word = fc.stringMatching(/^[a-cß👍]{1,4}$/u);
  const piece = fc.tuple(word, fc.constantFrom("b", "i", "span", "u"));
  const paragraph = fc.array(piece, { minLength: 1, maxLength: 5 });
  const call = fc.oneof(
    fc
      .constantFrom("capitalize" as const, "uppercase" as const)
      .map((name) => ({ name, arguments: [] })),
    fc
      .tuple(fc.integer({ min: 2, max: 30 }), fc.constantFrom("…", "", "->"))
      .map(([n, ellipsis]) => ({
        name: "truncate" as const,
        arguments: [
          { kind: "number" as const, value: `${n}` },
          { kind: "string" as const, value: ellipsis },
        ],
      })),
  );
  fc.assert(
    fc.property(fc.array(paragraph, { minLength: 1, maxLength: 4 }), call, (paragraphs, change) => {
      const html = paragraphs.map(
        (pieces) => `<p>${pieces.map(([text, tag]) => `<${tag}>${text}</${tag}>`).join(" ")}</p>`,
      );
      const text = paragraphs.map((pieces) => pieces.map(([word]) => word).join(" ")).join("\n");
      const changed = flattenedText(modifyRich(parseHtml(html.join("")), change, "en-US"));
      expect(changed).toBe(modify(text, [change], "en-US").trimEnd());
    }),
  );
});

describe("a code contains what its tag would print without it", () => {
  /** Returns the picture, which identifies the barcode. */
  async function code(tag: string, v: unknown): Promise<string> {
    const { bytes, error, warnings } = await outcome(p(tag), { v });
    expect(error, JSON.stringify(warnings)).toBe(null);
    return partOf(bytes, "word/media/quire1.png");
  }

  test.each([
    ["uppercase, qrcode", "abc", "ABC"],
    ["qrcode, uppercase", "abc", "ABC"],
    ["number(2), qrcode", 5, "5.00"],
    ['format("dd-mm-yyyy"), qrcode', "2026-01-02", "02-01-2026"],
    ["truncate(3), qrcode", "abcdef", "ab…"],
    ['delimiter("|"), qrcode', ["a", "b"], "a|b"],
    ["qrcode", ["a", "b"], "a, b"],
    ['default("x"), uppercase, qrcode', undefined, "X"],
    ["html, qrcode", "Tom &amp; <b>Jerry</b>", "Tom & Jerry"],
    ['uppercase, barcode("code128")', "abc", "ABC"],
  ])("%s of %j", async (modifiers, v, text) => {
    const kind = modifiers.includes("barcode") ? 'barcode("code128")' : "qrcode";
    expect(await code(`{{v :: ${modifiers}}}`, v)).toBe(await code(`{{v :: ${kind}}}`, text));
  });

  test("so a value is rejected only if the result cannot be encoded", async () => {
    expect(await told('{{v :: uppercase, barcode("code39")}}', { v: "abc" })).toEqual([]);
    expect(await told('{{v :: trim, barcode("ean13")}}', { v: " 4006381333931 " })).toEqual([]);
    expect(await printed('{{v :: barcode("code39")}}', { v: "abc" })).toBe(
      "invalid_data: invalid_value",
    );
  });

  test("and HTML without an html modifier is encoded as written", async () => {
    const v = "<b>x</b>";
    expect(await told("{{v :: qrcode}}", { v })).toEqual([]);
    expect(await code("{{v :: qrcode}}", v)).not.toBe(await code("{{v :: qrcode}}", "x"));
    expect(await code("{{v :: text, qrcode}}", v)).toBe(await code("{{v :: qrcode}}", v));
  });

  test("and a value that cannot be printed is reported once", async () => {
    expect(await told("{{v :: qrcode}}", { v: { a: 1 } })).toEqual(["error invalid_value"]);
    expect(await told("{{v :: number(2), qrcode}}", { v: "x" })).toEqual(["error invalid_value"]);
  });

  test("and a delimiter within the code of a list is not also printed between iterations", async () => {
    const text = '{{for i in v}}{{i :: delimiter("; "), qrcode}}{{endfor}}';
    expect(await printed(text, { v: [["a", "b"], ["c"]] })).toBe("");
  });
});

const MATH = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"';
const FLATTENED = ["warning flattened_markup"];

describe("rich text is printed as plain text where Word allows no formatting", () => {
  const places = {
    "an alternative text": (tag: string) => ({
      body: `<w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:extent cx="9" cy="9"/><wp:docPr id="1" name="a" descr="[${tag}]"/></wp:inline></w:drawing></w:r></w:p>`,
    }),
    "a property of the document": (tag: string) => ({
      body: p("x"),
      coreProperties: `<dc:title>[${tag}]</dc:title>`,
    }),
    "an equation": (tag: string) => ({
      body: `<w:p><m:oMath ${MATH}><m:r><m:t>[${tag}]</m:t></m:r></m:oMath></w:p>`,
    }),
    "the instruction of a field": (tag: string) => ({
      body: `<w:p><w:fldSimple w:instr=" TC &quot;[${tag}]&quot; ">${r("x")}</w:fldSimple></w:p>`,
    }),
  };

  async function rendered(
    place: keyof typeof places,
    tag: string,
    v: unknown,
  ): Promise<{ text: string; told: string[] }> {
    const { bytes, warnings } = await outcome(places[place](tag), { v });
    const part = place === "a property of the document" ? "docProps/core.xml" : "word/document.xml";
    const text = /\[([^\]]*)\]/.exec(partOf(bytes, part))?.[1] ?? "";
    return { text, told: warnings.map(({ severity, code }) => `${severity} ${code}`) };
  }

  describe.each(Object.keys(places) as (keyof typeof places)[])("in %s", (place) => {
    test.each([
      ["{{v}}", "Tom &amp; <b>Jerry</b>", "Tom &amp; Jerry"],
      ["{{v :: html}}", "Tom &amp; <b>Jerry</b>", "Tom &amp; Jerry"],
      ["{{v :: markdown}}", "**Tom** & Jerry", "Tom &amp; Jerry"],
      ["{{v :: uppercase, truncate(8)}}", "Tom &amp; <b>Jerry</b>", "TOM &amp; J…"],
    ])("from the tag %s, with a warning", async (tag, v, text) => {
      const said = /html|markdown/.test(tag);
      const told = said ? FLATTENED : ["warning detected_html", ...FLATTENED];
      expect(await rendered(place, tag, v)).toEqual({ text, told });
    });

    test("without a warning if nothing is lost", async () => {
      const plain = { text: "Tom &amp; Jerry", told: [] };
      expect(await rendered(place, "{{v :: html}}", "Tom &amp; Jerry")).toEqual(plain);
      expect(await rendered(place, "{{v :: html}}", "<p>Tom &amp; Jerry</p>")).toEqual(plain);
      expect(await rendered(place, "{{v :: markdown}}", "Tom & Jerry")).toEqual(plain);
    });

    test("and literally if the tag says so", async () => {
      const { text, told } = await rendered(place, "{{v :: text}}", "<b>x</b>");
      expect([text, told]).toEqual(["&lt;b&gt;x&lt;/b&gt;", []]);
    });
  });

  test("but an address remains an address if it resembles HTML", async () => {
    const body = `<w:p><w:hyperlink r:id="rIdL">${r("x")}</w:hyperlink></w:p>`;
    const template = { body, links: { rIdL: "https://x.example/{{v}}" } };
    const { bytes, warnings } = await outcome(template, { v: "<b>x</b>" });
    expect(partOf(bytes, "word/_rels/document.xml.rels")).toContain("/%3Cb%3Ex%3C%2Fb%3E");
    expect(warnings).toEqual([]);
    const said = await outcome(
      { body, links: { rIdL: "https://x.example/{{v :: html}}" } },
      { v: "a&amp;b" },
    );
    expect(partOf(said.bytes, "word/_rels/document.xml.rels")).toContain("/a%26b");
  });

  test("and a template that prints a value in both kinds of places has a plain sample", async () => {
    for (const name of ["html", "markdown"]) {
      const template = await compileTemplate(
        docx({
          body: p(`{{v :: ${name}}}`),
          coreProperties: `<dc:title>{{v :: ${name}}}</dc:title>`,
        }),
      );
      expect(template.render(template.sample()).warnings).toEqual([]);
    }
  });
});

describe("characters that a document cannot contain", () => {
  test.each([
    ["{{v :: html}}", "<p>a\u0000b\ud800</p>"],
    ["{{v :: html}}", "a\u0001<b>b</b>"],
    ["{{v :: html}}", "<p>&#1;</p>"],
    ["{{v :: markdown}}", "**a\u0001**"],
  ])("are reported once for rich text: %s of %j", async (tag, v) => {
    expect(await told(tag, { v })).toEqual(["warning forbidden_character"]);
  });
});

test.for([
  ["no wider than the cell without its margins", 1216, 1000],
  ["as wide as the page in a cell that consists of margins", 216, 9026],
] as const)("a picture of HTML is %s", async ([, cellWidth, pictureWidth]) => {
  const body = `<w:tbl><w:tr><w:tc><w:tcPr><w:tcW w:w="${cellWidth}" w:type="dxa"/></w:tcPr><w:p><w:r><w:t>{{v :: html}}</w:t></w:r></w:p></w:tc></w:tr></w:tbl>`;
  const v = `<img src="data:image/png;base64,${png(3000, 10).toString("base64")}">`;
  const { bytes } = await render({ body }, { v });
  const cx = Number(/<wp:extent cx="(\d+)"/.exec(partOf(bytes))?.[1]);
  expect(Math.round(cx / 635)).toBe(pictureWidth);
});
