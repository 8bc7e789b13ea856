/** `--svg-fonts`: fonts for the text of SVGs in the data. */
import { mkdir, readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { testFont } from "../../docx/test/support/fonts.ts";
import { unzipped } from "../../ooxml/test/support/unzip.ts";
import { makePlace, type Place } from "./support/cli.ts";
import { docx } from "./support/docx.ts";

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="9"><text y="9" font-family="Boxes">AB</text></svg>';

async function placeWithFonts(): Promise<Place> {
  const place = await makePlace();
  await place.write("letter.docx", docx(["{{logo}}"]));
  const logo = Buffer.from(SVG).toString("base64");
  await place.write("data.json", { logo });
  await place.write("data.jsonl", [1, 2].map((n) => JSON.stringify({ n, logo })).join("\n"));
  for (const folder of ["fonts", "other"]) await mkdir(place.path(folder));
  await place.write("fonts/boxes.ttf", testFont({ family: "Boxes" }));
  await place.write("other/other.ttf", testFont({ family: "Other", width: 300 }));
  return place;
}

/** Returns the PNG of a document. */
async function pngIn(place: Place, name: string): Promise<Buffer> {
  const files = [...unzipped(await readFile(place.path(name)))];
  const [, png = expect.fail("no PNG")] = files.find(([each]) => each.endsWith(".png")) ?? [];
  return Buffer.from(png);
}

const RENDER = ["render", "letter.docx", "data.json"];
const RUN = ["run", "letter.docx", "--data", "data.jsonl", "--to", "docx", "--out", "out"];

describe("--svg-fonts", () => {
  test("draws the text of an SVG, with a warning for another font", async () => {
    const place = await placeWithFonts();
    const right = await place.quire([...RENDER, "-o", "a.docx", "--svg-fonts", "fonts"]);
    expect([right.code, right.stderr]).toEqual([0, ""]);
    const other = await place.quire([...RENDER, "-o", "b.docx", "--svg-fonts", "other"]);
    expect(other.code).toBe(0);
    expect(other.stderr).toMatch(/^warning: The SVG for the tag \{\{logo\}\} uses fonts that were/);
    const [a, b] = [await pngIn(place, "a.docx"), await pngIn(place, "b.docx")];
    expect(a.equals(b)).toBe(false);
  });

  test("is in the message for text without fonts, which makes no document", async () => {
    const place = await placeWithFonts();
    const ended = await place.quire([...RENDER, "-o", "a.docx"]);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain("for which no font was given: give fonts with --svg-fonts");
    expect(await place.names(".")).not.toContain("a.docx");
  });

  test("is used by quire check", async () => {
    const place = await placeWithFonts();
    const args = [
      "check",
      "letter.docx",
      "--data",
      "data.jsonl",
      "--strict",
      "--name",
      "{{n}}",
      "--svg-fonts",
    ];
    expect((await place.quire([...args, "fonts"])).code).toBe(0);
    const other = await place.quire([...args, "other"]);
    expect(other.code).toBe(2);
    expect(other.stdout).toContain('shows "Other": "Boxes"');
  });

  test("belongs to a run, which begins again with other fonts", async () => {
    const place = await placeWithFonts();
    const run = [...RUN, "--name", "{{n}}", "--overwrite", "--svg-fonts"];
    const first = await place.quire([...run, "fonts"]);
    expect([first.code, first.stdout]).toEqual([0, expect.stringContaining("2 documents in out")]);
    const png = await pngIn(place, "out/1.docx");
    expect((await place.quire([...run, "fonts"])).stderr).toMatch(/already done|up to date/);
    expect((await pngIn(place, "out/1.docx")).equals(png)).toBe(true);
    const again = await place.quire([...run, "other"]);
    expect(again.code).toBe(0);
    expect((await pngIn(place, "out/1.docx")).equals(png)).toBe(false);
  }, 120_000);

  test.each([
    ["quire render", [...RENDER, "-o", "a.docx"]],
    ["quire run", RUN],
    ["quire check", ["check", "letter.docx", "--data", "data.jsonl"]],
    ["quire serve", ["serve", "--data", "data", "--port", "0", "--no-pdf"]],
    ["quire work", ["work", "--data", "data", "--only", "docx", "--health-port", "0"]],
  ])("ends %s with an error if a font is damaged", async (_, args) => {
    const place = await placeWithFonts();
    await place.write("fonts/bad.otf", "OTTO");
    const ended = await place.quire([...args, "--svg-fonts", "fonts"]);
    expect([ended.code, ended.stdout]).toEqual([1, ""]);
    expect(ended.stderr).toMatch(
      /^quire: The font file ".*bad\.otf" is damaged or not complete\.$/m,
    );
  });

  test("is also read from the environment by a service", async () => {
    const place = await placeWithFonts();
    const args = ["serve", "--data", "data", "--port", "0", "--no-pdf"];
    const ended = await place.quire(args, { env: { QUIRE_SVG_FONTS: "nowhere" } });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(/The folder ".*nowhere" for fonts cannot be read\./);
  });
});
