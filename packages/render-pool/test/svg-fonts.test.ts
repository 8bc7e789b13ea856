/** Text in SVGs, drawn with fonts in which each character is a black box. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Worker } from "node:worker_threads";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { refusal } from "../../contracts/test/support/refusal.ts";
import { type TestFont, testFont } from "../../docx/test/support/fonts.ts";
import { docx, p } from "../../ooxml/test/support/docx.ts";
import { unzipped } from "../../ooxml/test/support/unzip.ts";
import { readFontFolder, renderInProcess, renderPool } from "../src/index.ts";
import { coverage } from "./support/png.ts";
import { pool } from "./support/pool.ts";

/** A box of 0.5 × 0.8 em for each character, and two of them for "fi" in one. */
const THIN = testFont({ family: "Thin", ligature: "fi" });
const WIDE = testFont({ family: "Wide", width: 1000 });
const BOLD = testFont({ family: "Wide", width: 250, weight: 700 });
const FONTS = [THIN, WIDE, BOLD];

const LOGO = docx({ body: p("{{logo}}") });

function logo(content: string): { readonly logo: string } {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="24" font-size="10">${content}</svg>`;
  return { logo: Buffer.from(svg).toString("base64") };
}

/** Returns the black area of the PNG, in CSS pixels. */
async function inkOf(content: string, svgFonts: readonly Uint8Array[] = FONTS): Promise<number> {
  const renderer = renderInProcess({ svgFonts });
  const { bytes } = await renderer.open(LOGO).render(logo(content));
  return ink(bytes);
}

function ink(document: Uint8Array): number {
  const [, png = expect.fail("no PNG")] =
    [...unzipped(document)].find(([name]) => name.endsWith(".png")) ?? [];
  const { width, sum } = coverage(png);
  return Math.round(sum / 255 / (width / 120) ** 2);
}

describe("Text in an SVG is drawn", () => {
  test.each([
    ["in its font", '<text y="9" font-family="Wide">AB</text>', 160],
    ["in its bold font", '<text y="9" font-family="Wide" font-weight="bold">AB</text>', 40],
    ["with the shorthand font", '<text y="9" style="font: bold 5px Wide">AB</text>', 10],
    ["in pieces", '<text y="9">A<tspan font-family="Wide" dx="5">B</tspan></text>', 120],
    ["with joined letters", '<text y="9">fi</text>', 40],
    ["in several fonts", '<text y="9">fi<tspan font-family="Wide">fi</tspan></text>', 240],
    [
      "on a path",
      '<path id="p" d="M0 9h99" fill="none"/><text><textPath href="#p">AB</textPath></text>',
      80,
    ],
    ["used twice", '<text id="t" y="9">A</text><use href="#t" x="50"/>', 80],
    ["with a distance", '<text y="9" letter-spacing="9">AB</text>', 80],
  ])("%s", async (_, content, area) => {
    expect(Math.abs((await inkOf(content)) - area)).toBeLessThan(2);
  });

  test("16 pixels large if it has no size", async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="24"><text y="20">A</text></svg>';
    const { bytes } = await renderInProcess({ svgFonts: FONTS })
      .open(LOGO)
      .render({ logo: Buffer.from(svg).toString("base64") });
    expect(ink(bytes)).toBe(Math.round(16 * 0.5 * 16 * 0.8));
  });

  test("by a pool exactly as in this process, and without fonts it is a problem", async () => {
    const data = logo('<text y="9" font-family="Wide">A<tspan font-family="X">漢</tspan></text>');
    const here = await renderInProcess({ svgFonts: FONTS }).open(LOGO).render(data);
    await using renderer = pool({ svgFonts: FONTS, processes: 1 });
    const template = renderer.open(LOGO);
    const all = await Promise.all([template.render(data), template.render(data)]);
    for (const { bytes, warnings } of all) {
      expect(Buffer.compare(bytes, here.bytes)).toBe(0);
      expect(warnings).toEqual(here.warnings);
    }
    expect(here.warnings.map(({ code }) => code)).toEqual(["glyph_missing", "font_substituted"]);
    expect((await template.check(data)).warnings).toEqual(here.warnings);
    const error = await refusal(renderInProcess().open(LOGO).render(data));
    expect(error).toMatchObject({ code: "invalid_data" });
    expect(error.message).toContain("for which no font was given: give fonts with --svg-fonts");
  }, 60_000);

  test("with fonts that the drawing thread gets once", async () => {
    const sent = vi.spyOn(Worker.prototype, "postMessage");
    onTestFinished(() => sent.mockRestore());
    const template = renderInProcess({ svgFonts: [...FONTS] }).open(LOGO);
    for (const letter of "ABC") await template.render(logo(`<text y="9">${letter}</text>`));
    const fonts = sent.mock.calls.filter(([message]) => "fonts" in message);
    expect([fonts.length, sent.mock.calls.length]).toEqual([1, 4]);
  });
});

describe("Fonts that cannot be used", () => {
  const damaged = [THIN, WIDE.subarray(0, 300)];

  test("are rejected when the renderer is created", () => {
    const message =
      /^The font file 2 of the option svgFonts of .+\(\) is damaged or not complete\.$/;
    expect(() => renderPool({ svgFonts: damaged })).toThrow(message);
    expect(() => renderInProcess({ svgFonts: damaged })).toThrow(message);
    expect(() => renderInProcess({ fonts: [] } as never)).toThrow("fonts");
  });
});

describe("readFontFolder", () => {
  async function folderOf(files: Readonly<Record<string, Uint8Array | string>>): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), "quire-fonts-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), content);
    }
    return folder;
  }

  const named = (family: string, more: Partial<TestFont> = {}): Uint8Array =>
    testFont({ family, characters: "A", ...more });

  test("returns the fonts of all subfolders in the order of their paths, and ignores other files", async () => {
    const [a, b, c] = [named("A"), named("B"), named("C")];
    const folder = await folderOf({
      "b.TTF": b,
      "a/z.otf": a,
      "OFL.txt": "licence",
      "._b.ttf": "of macOS",
      "target.bin": c,
    });
    await symlink("target.bin", join(folder, "c.ttf"));
    expect((await readFontFolder(folder)).map((file) => Buffer.from(file))).toEqual([
      Buffer.from(a),
      Buffer.from(b),
      Buffer.from(c),
    ]);
  });

  test.each<[string, Readonly<Record<string, Uint8Array | string>>, RegExp]>([
    ["has no fonts", { "a.txt": "" }, /^The folder ".+" has no font files/],
    [
      "has a damaged font",
      { "x/a.ttf": WIDE.subarray(0, 99) },
      /^The font file ".+a\.ttf" is damaged/,
    ],
    ["has a font for web pages", { "a.woff2": "wOF2" }, /a\.woff2" is a WOFF2 file/],
    [
      "has too many fonts",
      Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`${n}.ttf`, ""])),
      /has 101 font files\. Give at most 100\.$/,
    ],
    [
      "is too large",
      { "a.ttf": new Uint8Array(50_000_001) },
      /51 MB in total\. Give at most 50 MB/,
    ],
  ])("rejects a folder that %s", async (_, files, message) => {
    const error = await refusal(readFontFolder(await folderOf(files)));
    expect(error).toMatchObject({ code: "invalid_request" });
    expect(error.message).toMatch(message);
  });

  test("rejects a missing folder and a link to a missing file", async () => {
    const folder = await folderOf({});
    expect((await refusal(readFontFolder(join(folder, "no")))).message).toMatch(/cannot be read/);
    await symlink("no.ttf", join(folder, "a.ttf"));
    expect((await refusal(readFontFolder(folder))).message).toMatch(/a\.ttf" cannot be read/);
  });
});
