/** Text in SVGs: its fonts, and the warnings about them. Real drawing is tested in render-pool. */
import type { Diagnostic } from "@quire/contracts";
import { describe, expect, test } from "vitest";
import { manyRuns } from "../../../contracts/test/support/runs.ts";
import { docx, p } from "../../../ooxml/test/support/docx.ts";
import { unzipped } from "../../../ooxml/test/support/unzip.ts";
import { compileTemplate, prepareImages } from "../../src/index.ts";
import type { SvgRequest } from "../../src/values/image/rasterize.ts";
import { ASCII, testFont } from "../support/fonts.ts";
import { rasterize } from "../support/rasterize.ts";

const SANS = testFont({ family: "Liberation Sans" });
const BOLD = testFont({ family: "Liberation Sans", weight: 700 });
const SERIF = testFont({ family: "Some Book", hasSerifs: true });
const MONO = testFont({ family: "Some Mono", isMonospaced: true });
const SYMBOLS = testFont({ family: "Signs", characters: `→${ASCII}` });
const FONTS = [MONO, SERIF, SANS, BOLD];

/** What an SVG with this content becomes. */
interface Drawn {
  /** The content of the SVG that is drawn. */
  readonly content: string;
  /** The SVG in the document. */
  readonly kept: string;
  readonly warnings: readonly Diagnostic[];
}

async function drawn(content: string, fonts: readonly Uint8Array[] = FONTS): Promise<Drawn> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${content}</svg>`;
  const data = { logo: Buffer.from(svg).toString("base64") };
  const requests: SvgRequest[] = [];
  const images = await prepareImages(data, {
    fonts,
    rasterize: (request) => {
      if ("svg" in request) requests.push(request);
      return rasterize(request);
    },
  });
  const template = await compileTemplate(docx({ body: p("{{logo}}") }));
  const { bytes, warnings } = template.render(data, { images });
  const files = [...unzipped(bytes)];
  const [, kept = ""] = files.find(([name]) => name.endsWith(".svg")) ?? [];
  const [request = expect.fail("nothing was drawn")] = requests;
  expect(request.fonts).toBe(fonts);
  return { content: inner(request.svg), kept: inner(Buffer.from(kept).toString()), warnings };
}

function inner(svg: string): string {
  return svg.replace(/^<svg[^>]*>|<\/svg>$/g, "");
}

/** The codes and messages of the warnings, without the beginning that is the same for all. */
async function warned(content: string, fonts?: readonly Uint8Array[]): Promise<string[]> {
  const { warnings } = await drawn(content, fonts);
  return warnings.map(({ code, message }) => {
    const start = "The SVG for the tag {{logo}} ";
    expect(message.startsWith(start)).toBe(true);
    return `${code}: ${message.slice(start.length)}`;
  });
}

describe("The text of an SVG is drawn", () => {
  test.each([
    ["in its font, in any case", "liberation sans", "Liberation Sans"],
    ["in the first font of its list that was given", "'Nope', \"Some Book\", serif", "Some Book"],
    ["in a font with the same widths", "Helvetica Neue, Helvetica", "Liberation Sans"],
    ["for sans-serif in the font that Word's Arial has", "sans-serif", "Liberation Sans"],
    ["for serif in the first font with serifs", "serif", "Some Book"],
    ["for monospace in the first font of one width", "ui-monospace", "Some Mono"],
  ])("%s", async (_, families, family) => {
    const escaped = families.replaceAll('"', "&quot;");
    const { content, warnings } = await drawn(`<text font-family="${escaped}">a</text>`);
    expect(content).toBe(`<text font-family="'${family}'">a</text>`);
    expect(warnings).toEqual([]);
  });

  test("in the font for sans-serif if it names none", async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>a</text></svg>';
    const seen: string[] = [];
    await prepareImages([Buffer.from(svg).toString("base64")], {
      fonts: FONTS,
      rasterize: async (request) => {
        if ("svg" in request) seen.push(request.svg);
        return rasterize(request);
      },
    });
    expect(seen[0]).toContain(`font-family="'Liberation Sans'"`);
  });

  test("with the properties of the shorthand font, which the renderer does not know", async () => {
    const { content, warnings } = await drawn(
      '<style>.a { font: 700 12px/1.5 Arial !important; fill: red }</style><text class="a" style="fill:red;font:9px serif">a</text>',
    );
    expect(content).toBe(
      "<style>.a { font-style:normal !important;font-weight:700 !important;font-variant:normal !important;font-size:12px !important;font-family:'Liberation Sans' !important; fill: red }</style>" +
        `<text class="a" style="fill:red;font-style:normal;font-weight:normal;font-variant:normal;font-size:9px;font-family:'Some Book'">a</text>`,
    );
    expect(warnings).toEqual([]);
  });

  test("and the SVG in the document keeps its own fonts", async () => {
    const content =
      '<style>.a{font:9px Roboto}</style><text class="a" font-family="Inter">a</text>';
    expect((await drawn(content)).kept).toBe(content);
  });

  test("without joined letters in a line with several fonts, which the renderer would drop", async () => {
    const { content } = await drawn(
      '<text>fi <tspan font-family="serif">fi</tspan></text><text>fi</text>' +
        '<text><tspan>fi</tspan><tspan x="1" font-family="serif">fi</tspan></text>',
    );
    expect(content.replaceAll("\u200c", "|")).toBe(
      `<text>f|i <tspan font-family="'Some Book'">f|i|</tspan></text><text>fi</text>` +
        `<text><tspan>fi</tspan><tspan x="1" font-family="'Some Book'">fi</tspan></text>`,
    );
  });
});

describe("A warning reports", () => {
  test("fonts that were not given, with the tag, the place and what to do", async () => {
    const { warnings } = await drawn('<text font-family="Roboto, Inter">a</text>');
    expect(warnings).toMatchObject([
      {
        severity: "warning",
        code: "font_substituted",
        message:
          'The SVG for the tag {{logo}} uses fonts that were not given, so its PNG shows "Liberation Sans": "Roboto", "Inter".',
        pointer: "/logo",
        hint: expect.stringContaining("--svg-fonts"),
        template: { tag: "{{logo}}" },
      },
    ]);
  });

  test.each([
    ["in a style attribute", '<text style="font-family: Roboto">a</text>'],
    ["in a style sheet", "<style>text{font-family:Roboto}</style><text>a</text>"],
    ["of a group", '<g font-family="Roboto"><text><tspan>a</tspan></text></g>'],
    ["of a used text", '<text id="t">a</text><use font-family="Roboto" href="#t"/>'],
    ["of a generic kind", '<text font-family="serif">a</text>', [SANS]],
  ])("fonts that were not given %s", async (_, content, fonts?: readonly Uint8Array[]) => {
    expect(await warned(content, fonts)).toEqual([
      expect.stringMatching(/^font_substituted: uses fonts that were not given/),
    ]);
  });

  test("no names that may be anything", async () => {
    const families = `${"long".repeat(20)},a@b.example`;
    expect(await warned(`<text font-family="${families}">a</text>`)).toEqual([
      expect.stringMatching(/: "a font without a plain name"\.$/),
    ]);
  });

  test("no font of an element without text", async () => {
    const content =
      '<g font-family="Roboto"><path d="M0 0h9"/><text font-family="serif">a</text></g><text font-family="Roboto"> </text>';
    expect(await warned(content)).toEqual([]);
  });

  test("styles that a font does not have", async () => {
    const content =
      '<text font-weight="bold">a</text><text font-family="serif" style="font: italic 600 9px serif">a</text>' +
      '<g font-style="italic"><text font-style="normal">a</text></g>';
    expect(await warned(content)).toEqual([
      'font_substituted: uses styles of fonts that were not given, so its PNG shows another style: "bold Some Book", "italic Some Book".',
    ]);
    const sheet = "<style>.a{font-weight:700}.b{font:bold 9px serif}</style>";
    expect(await warned(`${sheet}<text>a</text>`)).toEqual([
      expect.stringContaining('another style: "bold Some Book".'),
    ]);
  });

  test("characters that no font has, and those that only another font has", async () => {
    const fonts = [SANS, SYMBOLS];
    expect(await warned("<text>漢 字</text>", fonts)).toEqual([
      "glyph_missing: has characters that none of the given fonts has, so its PNG shows boxes: U+5B57, U+6F22.",
    ]);
    expect(await warned("<text>a → b</text>", fonts)).toEqual([
      "font_substituted: has characters that its font lacks, so their text in its PNG has another given font: U+2192.",
    ]);
    expect(await warned('<text font-family="Signs">a → b</text>', fonts)).toEqual([]);
  });

  test("no several fonts in spaced text whose characters are missing or are all in another font", async () => {
    const spaced = (text: string): string => `<text letter-spacing="1">${text}</text>`;
    expect(await warned(spaced("漢"))).toEqual([expect.stringMatching(/^glyph_missing/)]);
    const found = await warned(spaced("a →"), [SANS, SYMBOLS]);
    expect(found).toEqual([expect.stringMatching(/^font_substituted/)]);
  });

  test("no invisible characters, and no accents whose letters the font has", async () => {
    const accents = testFont({ family: "Accents", characters: "e\u0301" });
    expect(await warned("<text>é\u00a0\u200be\u0301\u00ad</text>", [accents])).toEqual([]);
  });

  test.each([
    [
      "a distance of letters",
      '<text letter-spacing="1">a<tspan font-family="serif">b</tspan></text>',
    ],
    ["positions of letters", '<text x="1 2">a<tspan font-family="serif">b</tspan></text>'],
    ["a script of joined letters", '<text>س<tspan font-family="serif">b</tspan></text>'],
  ])("a line in several fonts with %s", async (_, content) => {
    const found = await warned(content, [...FONTS, testFont({ family: "A", characters: "س" })]);
    expect(found.at(-1)).toMatch(/^mixed_fonts: has a line of text in several fonts/);
  });

  test("a font in the picture of rich text", async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text font-family="X">a</text></svg>';
    const uri = `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
    const data = { text: `<p><img src="${uri}"></p>` };
    const images = await prepareImages([uri], { fonts: FONTS, rasterize });
    const template = await compileTemplate(docx({ body: p("{{text :: html}}") }));
    expect(template.render(data, { images }).warnings).toMatchObject([
      { code: "font_substituted", message: expect.stringContaining('"X"') },
    ]);
  });
});

test("a style sheet of very many rules is read", async () => {
  const sheet = `<style>${"a{font:9px X}".repeat(manyRuns(40_000, 200_000))}</style>`;
  expect(await warned(`${sheet}<text>a</text>`)).toEqual([
    expect.stringMatching(/^font_substituted: uses fonts/),
  ]);
});

test("fonts are read only for SVGs with text", async () => {
  let asked = 0;
  const fonts = async (): Promise<readonly Uint8Array[]> => {
    asked += 1;
    return FONTS;
  };
  const uri = (content: string): string =>
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${content}</svg>`,
    ).toString("base64");
  await prepareImages([uri("<g/>")], { fonts, rasterize });
  expect(asked).toBe(0);
  await prepareImages([uri("<text>a</text>")], { fonts, rasterize });
  expect(asked).toBe(1);
});

test("a font in a style sheet of the SVG is not used", async () => {
  const data = "data:font/ttf;base64,AAEAAAA=";
  const content = `<style>@font-face{font-family:A;src:url(${data})}</style><text>a</text>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${content}</svg>`;
  const logo = Buffer.from(svg).toString("base64");
  const images = await prepareImages({ logo }, { fonts: FONTS, rasterize });
  const template = await compileTemplate(docx({ body: p("{{logo}}") }));
  expect(() => template.render({ logo }, { images })).toThrow(
    "is an SVG that refers to something outside itself",
  );
});
