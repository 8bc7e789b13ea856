import { describe, expect, test } from "vitest";
import { docx, p } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../src/index.ts";
import { outcome } from "../support/language.ts";

const inLoop = (tag: string): string => p(`{{for i in items}}${tag} {{endfor}}`);

describe("a function over data of the document has the data of the iteration in its other arguments", () => {
  test.each([
    ["{{$round(total, $index)}}", "3 2.7 2.72 "],
    ["{{$round(total, i.d + 0)}}", "2.7 2.72 2.715 "],
    ["{{$round(total, -i.d)}}", "0 0 0 "],
    ["{{$join(names, $join(i.sep))}}", "a+b a-b a*b "],
    ["{{if $round(total, $index) == 3}}A{{else}}B{{endif}}", "A B B "],
    ["{{$round(total, 1)}}", "2.7 2.7 2.7 "],
  ])("%s", async (tag, expected) => {
    const data = {
      total: 2.7153,
      names: ["a", "b"],
      items: ["+", "-", "*"].map((sep, index) => ({ sep, d: index + 1 })),
    };
    const { lines } = await outcome(inLoop(tag), data);
    expect(lines).toEqual([expected]);
  });

  test("and a missing list is reported by its name in each iteration", async () => {
    const { warnings } = await outcome(inLoop("{{$sum(gone)}}"), { items: [1, 2] });
    expect(
      warnings.map(({ message }) => message).filter((text) => !text.includes("'gone'")),
    ).toEqual([]);
  });
});

test("the other texts of a placeholder picture count as used, and are in the schema", async () => {
  const picture =
    '<w:p><w:r><w:drawing xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><wp:inline><wp:extent cx="1" cy="1"/><wp:docPr id="1" name="p" descr="{{photo}}" title="about {{name}}"/><a:graphic><a:graphicData><a:blip r:embed="rId1"/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>';
  const template = await compileTemplate(docx({ body: picture }));
  expect(Object.keys(template.schema().properties ?? {}).sort()).toEqual(["name", "photo"]);
  const codes = template.check({ name: "Ann", photo: "x" }).map(({ code }) => code);
  expect(codes).not.toContain("unused_value");
});

test.each([
  ['{{years["2026"].x}}', { years: { 2026: { x: 1 } } }],
  ["{{list[0].x}}{{list[1].x}}", { list: [{ x: 1 }, { x: 2 }] }],
  ["{{codes[7]}}", { codes: { 7: "seven" } }],
])("%s uses the numeric key", async (tag, data) => {
  const { warnings } = await outcome(p(tag), data);
  expect(warnings).toEqual([]);
});

test.each([
  ["x == 1", "no"],
  ["x > 1", "yes"],
  ["x < 1", "no"],
  ["x == x", "yes"],
  ["n < x", "yes"],
  ['x > "12"', "yes"],
  ["l contains 1", "yes"],
  ["l contains x", "yes"],
])("an infinite number from JSON can be compared: %s", async (condition, expected) => {
  const data = JSON.parse('{"x":1e999,"n":-1e999,"l":[1e999,1]}');
  const { lines } = await outcome(p(`{{if ${condition}}}yes{{else}}no{{endif}}`), data);
  expect(lines).toEqual([expected]);
});

describe("a projection of empty lists is not missing", () => {
  const data = { orders: [{ lines: [] }, { lines: [] }] };

  test.each([
    ["{{$sum(orders.lines.amount)}}", "0"],
    ["{{$count(orders.lines)}}", "0"],
    ["{{for x in orders.lines}}x{{endfor}}.", "."],
    ["{{#orders.lines}}x{{/}}{{^orders.lines}}none{{/}}", "none"],
    ["{{orders.lines}}.", "."],
  ])("%s", async (tag, expected) => {
    const { lines, warnings } = await outcome(p(tag), data);
    expect(lines).toEqual([expected]);
    expect(warnings).toEqual([]);
  });

  test("but a key that no element has is missing", async () => {
    const { warnings } = await outcome(p("{{$count(orders.gone)}}"), data);
    expect(warnings.map(({ code }) => code)).toContain("missing_value");
  });
});
