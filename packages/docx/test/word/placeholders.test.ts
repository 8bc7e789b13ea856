import { describe, expect, test } from "vitest";
import { bodyOf } from "../../../ooxml/test/support/docx.ts";
import { png } from "../../../ooxml/test/support/pictures.ts";
import { compileTemplate } from "../../src/index.ts";
import { assertSound } from "../support/sound.ts";
import { wordFile } from "../support/word-file.ts";

const IMAGE = png(20, 10).toString("base64");

const pic = (alt: string, x = 0, frame = ""): string =>
  `<pic:pic><pic:nvPicPr><pic:cNvPr id="9" name="p" descr="${alt}"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:embed="rId1"/></pic:blipFill><pic:spPr><a:xfrm${frame}><a:off x="${x}" y="100"/><a:ext cx="1000" cy="1000"/></a:xfrm></pic:spPr></pic:pic>`;
const drawing = (content: string, docPr = ""): string =>
  `<w:drawing><wp:inline><wp:extent cx="2000" cy="1000"/><wp:docPr id="1" name="d"${docPr}/><a:graphic><a:graphicData>${content}</a:graphicData></a:graphic></wp:inline></w:drawing>`;
const group = (content: string, inner = "2000", docPr = ""): string =>
  drawing(
    `<wpg:wgp><wpg:cNvGrpSpPr/><wpg:grpSpPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="2000" cy="1000"/><a:chOff x="0" y="0"/><a:chExt cx="${inner}" cy="1000"/></a:xfrm></wpg:grpSpPr>${content}</wpg:wgp>`,
    docPr,
  );
const old = (alt: string): string =>
  `<w:pict><v:shape style="width:9pt" alt="${alt}"><v:imagedata r:id="rId1"/></v:shape></w:pict>`;

const WORD = "http://schemas.microsoft.com/office/word/2010/wordprocessing";
const paragraph = (content: string): string =>
  `<w:p xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" xmlns:wpg="${WORD}Group" xmlns:wps="${WORD}Shape"><w:r>${content}</w:r></w:p>`;

async function rendered(content: string, data: object): Promise<string> {
  const file = wordFile({
    body: paragraph(content),
    parts: { "image1.xml": "" },
  });
  const { bytes } = (await compileTemplate(file)).render({ ...data });
  assertSound(bytes);
  return bodyOf(bytes);
}

async function warnings(content: string): Promise<readonly string[]> {
  const template = await compileTemplate(wordFile({ body: paragraph(content) }));
  return template.warnings.map(({ code, message, hint }) => `${code}: ${message} ${hint}`);
}

/** Returns the positions and sizes of the pictures, and whether each is filled. */
function pictures(xml: string): readonly (readonly [filled: boolean, box: string])[] {
  return xml
    .split("<pic:pic>")
    .slice(1)
    .map((each) => {
      const [, x, y, cx, cy] =
        /<a:off x="(-?\d+)" y="(-?\d+)".*?<a:ext cx="(\d+)" cy="(\d+)"/.exec(each) ?? [];
      return [each.includes('r:embed="rIdQuire'), `${x} ${y} ${cx} ${cy}`] as const;
    });
}

describe("an empty string for a picture", () => {
  test("counts as missing if the tag is optional, and is invalid otherwise", async () => {
    const placeholder = (tag: string): string => drawing(pic("x"), ` descr="${tag}"`);
    const optional = placeholder("{{a :: optional}}");
    expect(await rendered(optional, { a: "" })).toBe(await rendered(optional, { a: null }));
    await expect(rendered(placeholder("{{a}}"), { a: "" })).rejects.toThrow(/is empty text/);
  });
});

describe("a picture in a group", () => {
  test("is a separate placeholder, in the middle of its box", async () => {
    const xml = await rendered(group(pic("{{a}}") + pic("fixed", 1000)), { a: IMAGE });
    expect(pictures(xml)).toEqual([
      [true, "0 350 1000 500"],
      [false, "1000 100 1000 1000"],
    ]);
    expect(xml).toContain('<wp:extent cx="2000" cy="1000"/>');
    expect(xml).toContain('<a:off x="0" y="100"/><a:ext cx="1000" cy="1000"/></a:xfrm><a:prstGeom');
  });

  test("keeps its aspect ratio in a stretched group, and its angle", async () => {
    const content = pic("{{a}}", 0, ' rot="60000"');
    const xml = await rendered(group(content, "1000"), { a: IMAGE });
    expect(pictures(xml)).toEqual([[true, "0 100 1000 1000"]]);
    expect(xml).toContain('<a:xfrm rot="60000">');
  });

  test("fills its box if its tag requests it", async () => {
    const tag = "{{a :: fit('stretch')}}";
    expect(pictures(await rendered(group(pic(tag)), { a: IMAGE }))).toEqual([
      [true, "0 100 1000 1000"],
    ]);
  });

  test("leaves its area empty if the image is missing", async () => {
    const content = group(pic("{{a :: optional}}") + pic("fixed", 1000));
    const xml = await rendered(content, {});
    expect(pictures(xml)).toEqual([[false, "1000 100 1000 1000"]]);
    expect(xml).toContain("<wps:wsp ");
  });

  test("is filled in its box if the group has the tag", async () => {
    const xml = await rendered(group(pic("p"), "2000", ' descr="{{a}}"'), { a: IMAGE });
    expect(pictures(xml)).toEqual([[true, "0 350 1000 500"]]);
    expect(xml).toContain('<wp:extent cx="2000" cy="1000">');
  });

  test("gives no warning, is an image in the sample, and is not shown twice by older programs", async () => {
    const both = `<mc:AlternateContent><mc:Choice Requires="wpg">${group(pic("{{a}}"))}</mc:Choice><mc:Fallback>${old("{{a}}")}</mc:Fallback></mc:AlternateContent>`;
    const template = await compileTemplate(wordFile({ body: paragraph(both) }));
    expect(template.warnings).toEqual([]);
    expect(String(template.sample().a)).toMatch(/^data:image/);
    expect(bodyOf(template.render({ a: IMAGE }).bytes)).not.toContain("mc:Fallback");
  });
});

describe("a tag alone in an alternative text that cannot be a placeholder", () => {
  test.each([
    ["an old picture", old("{{a}}"), /VML/],
    ["a group of two pictures", group(pic("x") + pic("y"), "2000", ' descr="{{a}}"'), /ungroup/],
    [
      "a picture that is not in the file",
      drawing(pic("{{a}}").replace(" r:embed", " r:link")),
      null,
    ],
    ["a picture with the tag at the wrong place", drawing(pic("{{a}}")), /again/],
  ])("gives a warning: %s", async (_name, content, expected) => {
    const told = await warnings(content);
    if (expected === null) expect(told.join()).toContain("no_placeholder");
    else expect(told).toEqual([expect.stringMatching(expected)]);
    await expect(rendered(content, { a: IMAGE })).rejects.toThrow(/cannot be a placeholder\. /);
    expect(await rendered(content, { a: "words" })).toContain('"words"');
  });

  test.each([
    ["a tag with other text in its line", old("{{a}} and more")],
    ["a shape without a picture", '<w:pict><v:shape alt="{{a}}"/></w:pict>'],
    [
      "a shape in a group with a picture",
      group(`${pic("x")}<wps:wsp><wps:cNvPr id="1" name="s" descr="{{a}}"/></wps:wsp>`),
    ],
    ["a placeholder", drawing(pic("{{a}}"), ' descr="{{a}}"')],
  ])("gives no warning if no placeholder is intended: %s", async (_name, content) => {
    expect(await warnings(content)).toEqual([]);
  });
});
