/** Messages about looks, sizes and numbering show what to write, and this does what the author means. */

import PizZip from "pizzip";
import { expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { outcome } from "../support/language.ts";

const cell = (text: string): string => `<w:tbl><w:tr><w:tc>${p(text)}</w:tc></w:tr></w:tbl>`;

/** Returns the first message about a template, with its hint. */
async function messageOf(body: string): Promise<string> {
  const [first] = (await outcome(body, {})).warnings;
  return `${first?.message} ${first?.hint}`;
}

function xmlOf(bytes: Uint8Array): string {
  return new PizZip(bytes).file("word/document.xml")?.asText() ?? "";
}

test.each([
  ['{{s.title :: numbering("restart")}}', '{{s.title}}{{paragraph :: numbering("restart")}}'],
  [
    '{{s.title :: uppercase, numbering("restart"), when(s.first)}}',
    '{{s.title :: uppercase}}{{paragraph :: numbering("restart"), when(s.first)}}',
  ],
])("%s gets two tags", async (text, meant) => {
  expect(await messageOf(p(text))).toContain(`Write two tags: ${meant}.`);
});

test("numbering as a function gets the tag for its paragraph", async () => {
  const meant = '{{paragraph :: numbering("restart")}}';
  expect(await messageOf(p('{{numbering("restart")}}'))).toContain(`Write ${meant}.`);
  expect(await messageOf(p('{{"x" :: numbering("restart")}}'))).toContain(`Write ${meant} into`);
});

test("a look in a condition gets the tag with this condition", async () => {
  const wrong =
    '{{tablerow i in l}}{{if i.late}}{{cell :: fill("red")}}{{endif}}{{i.n}}{{endtablerow}}';
  const meant = '{{cell :: fill("red"), when(i.late)}}';
  expect(await messageOf(cell(wrong))).toContain(`write the condition into it: ${meant}.`);
  const l = [{ n: 1, late: true }];
  const right = `{{tablerow i in l}}${meant}{{i.n}}{{endtablerow}}`;
  expect(xmlOf((await outcome(cell(right), { l })).bytes)).toContain('w:fill="FF0000"');
});

test("text for no color leads to empty text, which changes nothing", async () => {
  const row = (color: string): string => cell(`{{cell :: fill(${color})}}x`);
  const { warnings } = await outcome(row("c"), { c: "none" });
  const meant = '$if(c == "none", "", c)';
  expect(warnings[0]?.hint).toBe(`Empty text changes nothing: write fill(${meant}).`);
  const none = await outcome(row(meant), { c: "none" });
  expect([none.error, none.warnings]).toEqual([null, []]);
  expect(xmlOf(none.bytes)).not.toContain("w:fill");
  expect(xmlOf((await outcome(row(meant), { c: "red" })).bytes)).toContain('w:fill="FF0000"');
});

test("the arguments of looks that do not apply are not needed", async () => {
  for (const c of ["none", null]) {
    const text =
      "{{cell :: fill(c), when(is)}}{{v :: color(c), when(is)}}{{v :: bold, color(c), when(is)}}";
    const { error, warnings } = await outcome(cell(text), { c, v: "a", is: false });
    expect([error, warnings]).toEqual([null, []]);
    expect((await outcome(cell(text), { c, v: "a", is: true })).warnings).not.toEqual([]);
  }
});

test("a length with a comma is shown with a point", async () => {
  const { warnings } = await outcome(p("{{v :: width(w)}}"), { v: "a", w: "4,5cm" });
  expect(warnings[0]?.message).toContain('write a point before the decimals, "4.5cm"');
});

test("a negative number of cells or characters gets the least number", async () => {
  const { warnings } = await outcome(cell("{{cell :: span(n)}}x"), { n: -1 });
  expect(warnings[0]?.message).toContain("the argument of 'span' is -1, but the least is 1");
  const cut = await outcome(p("{{v :: truncate(n)}}"), { v: "abc", n: -3 });
  expect(cut.warnings[0]?.message).toContain("is -3, but the least is 0");
});
