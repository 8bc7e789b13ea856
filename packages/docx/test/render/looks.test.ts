import { describe, expect, test } from "vitest";
import { p, partOf, table } from "../../../ooxml/test/support/docx.ts";
import { outcome } from "../support/language.ts";

/** The XML of the body without section properties. */
async function xml(body: string, data: Record<string, unknown>): Promise<string> {
  const { bytes, error, warnings } = await outcome(body, data);
  expect([error, warnings.filter(({ code }) => code !== "unused_value")]).toEqual([null, []]);
  return partOf(bytes);
}

describe("a look modifier", () => {
  test("changes the text that its tag prints, and nothing else in its run", async () => {
    const body = p('a {{x :: color("red"), bold}} b');
    expect(await xml(body, { x: "v" })).toContain(
      '<w:r><w:t xml:space="preserve">a </w:t></w:r><w:r><w:rPr><w:b/><w:bCs/><w:color w:val="FF0000"/></w:rPr><w:t xml:space="preserve">v</w:t></w:r><w:r><w:t xml:space="preserve"> b</w:t></w:r>',
    );
  });

  test("takes a color from the data, and nothing for empty text", async () => {
    const body = p("{{x :: color(c)}}");
    expect(await xml(body, { x: 1, c: "#abc" })).toContain('<w:color w:val="AABBCC"/>');
    expect(await xml(body, { x: 1, c: "" })).not.toContain("w:color");
  });

  test("has a condition", async () => {
    const body = p("{{x :: bold(x > 10), italic(x < 0)}}");
    expect(await xml(body, { x: 11 })).toContain("<w:b/>");
    expect(await xml(body, { x: 11 })).not.toContain("<w:i/>");
    const when = p('{{x :: color("red"), when(x < 0), number(2)}}');
    expect(await xml(when, { x: -1 })).toContain('<w:color w:val="FF0000"/>');
    expect(await xml(when, { x: 1 })).not.toContain("w:color");
  });

  test("of a row fills its cells in each repetition", async () => {
    const body = table([
      p('{{tablerow i in l}}{{row :: fill("#FFE0E0"), bold, when(i.late)}}{{i.n}}'),
      p("{{i.m}}{{endtablerow}}"),
    ]);
    const result = await xml(body, {
      l: [
        { n: 1, m: "a", late: true },
        { n: 2, m: "b", late: false },
      ],
    });
    const rows = result.split("<w:tr>").slice(1);
    expect(rows).toHaveLength(2);
    expect(rows[0]?.match(/w:fill="FFE0E0"/g)).toHaveLength(2);
    expect(rows[0]?.match(/<w:b\/>/g)).toHaveLength(2);
    expect(rows[1]).not.toMatch(/w:fill|<w:b\/>/);
  });

  test("of a cell fills this cell only", async () => {
    const body = table([p("{{cell :: fill(c)}}{{x}}"), p("{{x}}")]);
    expect((await xml(body, { x: 1, c: "blue" })).match(/w:fill="0000FF"/g)).toHaveLength(1);
  });
});

describe("a wrong look", () => {
  test.each([
    [p('{{cell :: fill("red")}}'), "look_outside"],
    [p('{{x :: fill("rosee")}}'), "modifier_argument"],
    [p("{{x :: fill(c)}}"), "invalid_value"],
    [p('{{x :: style("Nope")}}'), "invalid_value"],
    [table([p('{{if x}}{{cell :: fill("red")}}{{endif}}a')]), "look_in_block"],
  ])("%s is reported as %s", async (body, code) => {
    const { warnings } = await outcome(body, { x: 1, c: "rosee" });
    expect(warnings.map((each) => each.code)).toContain(code);
  });
});
