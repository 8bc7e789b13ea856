import { describe, expect, test } from "vitest";
import { bodyOf, docx, linesOf, p, r, table } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../src/index.ts";
import { lines } from "../support/render.ts";

const items = [
  { name: "Pen", price: 2 },
  { name: "Ink", price: 9 },
];

describe("for", () => {
  test("repeats the paragraphs between its tags and removes the paragraphs of the tags", async () => {
    const body =
      p("before") +
      p("{{for i in items}}") +
      p("{{i.name}}", "List") +
      p("{{endfor}}") +
      p("after");
    expect(await lines(body, { items })).toEqual(["before", "Pen", "Ink", "after"]);
    expect(await lines(body, { items: [] })).toEqual(["before", "after"]);
  });

  test("repeats text within one paragraph", async () => {
    const body = p("All: {{for i in items}}{{i.name}} {{endfor}}end");
    expect(await lines(body, { items })).toEqual(["All: Pen Ink end"]);
  });

  test("repeats whole paragraphs if its first tag starts a paragraph with text", async () => {
    const body = p("{{for i in items}}{{i.name}}", "List") + p("{{endfor}}") + p("after");
    expect(await lines(body, { items })).toEqual(["Pen", "Ink", "after"]);
    const template = await compileTemplate(docx({ body }));
    expect(bodyOf(template.render({ items }).bytes).match(/w:val="List"/g)).toHaveLength(2);
  });

  test("ends before a paragraph that has text after its last tag", async () => {
    const body = p("Items:{{for i in items}}") + p("- {{i.name}}") + p("{{endfor}}Thanks");
    expect(await lines(body, { items })).toEqual(["Items:", "- Pen", "- Ink", "Thanks"]);
    expect(await lines(body, { items: [] })).toEqual(["Items:", "Thanks"]);
  });

  test("can be nested, and the inner loop sees outer names", async () => {
    const body =
      p("{{for g in groups}}") +
      p("{{g.name}}:") +
      p("{{for i in g.items}}") +
      p("{{g.name}} {{i}} {{top}}") +
      p("{{endfor}}") +
      p("{{endfor}}");
    const groups = [
      { name: "A", items: [1, 2] },
      { name: "B", items: [] },
      { name: "C", items: [3] },
    ];
    expect(await lines(body, { groups, top: "t" })).toEqual([
      "A:",
      "A 1 t",
      "A 2 t",
      "B:",
      "C:",
      "C 3 t",
    ]);
  });

  test("can open and close several blocks in one paragraph", async () => {
    const body =
      p("{{for g in groups}}{{for i in g}}") + p("{{i}}") + p("{{endfor}}{{endfor}}") + p("end");
    expect(await lines(body, { groups: [["a", "b"], [], ["c"]] })).toEqual(["a", "b", "c", "end"]);
  });

  test("repeats tables with a paragraph between them, because Word merges adjacent tables", async () => {
    const body =
      p("{{for i in items}}") + table([p("{{i.name}}"), p("{{i.price}}")]) + p("{{endfor}}");
    expect(await lines(body, { items })).toEqual(["Pen | 2", "", "Ink | 9", ""]);
  });

  test("repeats the rows between two rows that hold only its tags", async () => {
    const body = table(
      [p("Name"), p("Price")],
      [p("{{for i in items}}"), p("")],
      [p("{{i.name}}"), p("{{i.price}}")],
      [p("{{endfor}}"), p("")],
    );
    expect(await lines(body, { items })).toEqual(["Name | Price", "Pen | 2", "Ink | 9"]);
    expect(await lines(body, { items: [] })).toEqual(["Name | Price"]);
  });

  test("keeps the paragraph that a cell needs when it leaves the cell empty", async () => {
    const body = table([p("{{for i in items}}") + p("{{i.name}}") + p("{{endfor}}")]);
    const template = await compileTemplate(docx({ body }));
    expect(linesOf(template.render({ items }).bytes)).toEqual(["Pen / Ink"]);
    expect(bodyOf(template.render({ items: [] }).bytes)).toContain("<w:tc><w:tcPr/><w:p/></w:tc>");
  });

  test("removes its paragraph if the loop fills it and the list is empty", async () => {
    const body = p("a") + p("{{for i in items}}{{i.name}}, {{endfor}}") + p("b");
    expect(await lines(body, { items })).toEqual(["a", "Pen, Ink, ", "b"]);
    expect(await lines(body, { items: [] })).toEqual(["a", "b"]);
  });

  test("writes delimiters between its items", async () => {
    const body = p('{{for i in items}}{{i :: delimiter(", "), lastdelimiter(" and ")}}{{endfor}}');
    expect(await lines(body, { items: ["a", "b", "c"] })).toEqual(["a, b and c"]);
    expect(await lines(body, { items: ["a", "b"] })).toEqual(["a and b"]);
    expect(await lines(body, { items: ["a"] })).toEqual(["a"]);
  });
});

describe("tablerow", () => {
  const rows = [p("{{tablerow i in items}}{{i.name}}"), p("{{i.price}}{{endtablerow}}")];

  test("repeats its row", async () => {
    expect(
      await lines(table([p("Name"), p("Price")], rows, [p("Sum"), p("{{sum}}")]), {
        items,
        sum: 11,
      }),
    ).toEqual(["Name | Price", "Pen | 2", "Ink | 9", "Sum | 11"]);
  });

  test("removes a table without other rows if the list is empty, and keeps other tables", async () => {
    expect(await lines(p("a") + table(rows) + p("b"), { items: [] })).toEqual(["a", "b"]);
    expect(await lines(table([p("Name"), p("Price")], rows), { items: [] })).toEqual([
      "Name | Price",
    ]);
  });

  test("repeats several rows when it ends in a later one", async () => {
    const body = table([p("{{tablerow i in items}}{{i.name}}")], [p("{{i.price}}{{endtablerow}}")]);
    expect(await lines(body, { items })).toEqual(["Pen", "2", "Ink", "9"]);
  });

  test("works with both tags in the only cell of a row", async () => {
    expect(
      await lines(table([p("{{tablerow i in items}}{{i.name}}{{endtablerow}}")]), { items }),
    ).toEqual(["Pen", "Ink"]);
  });

  test("keeps the paragraph of a cell that contains only the tag", async () => {
    const body = table([p("{{tablerow i in items}}"), p("{{i.name}}"), p("{{endtablerow}}")]);
    expect(await lines(body, { items })).toEqual([" | Pen | ", " | Ink | "]);
  });

  test("nests in a for loop over rows", async () => {
    const body = table(
      [p("{{for g in groups}}")],
      [p("{{g.name}}")],
      [p("{{tablerow i in g.items}}{{i}}{{endtablerow}}")],
      [p("{{endfor}}")],
    );
    expect(
      await lines(body, {
        groups: [
          { name: "A", items: [1, 2] },
          { name: "B", items: [] },
        ],
      }),
    ).toEqual(["A", "1", "2", "B"]);
  });
});

describe("if", () => {
  test("chooses between branches within a paragraph", async () => {
    const body = p("{{if n > 1}}many{{elseif n == 1}}one{{else}}none{{endif}}.");
    expect(await lines(body, { n: 2 })).toEqual(["many."]);
    expect(await lines(body, { n: 1 })).toEqual(["one."]);
    expect(await lines(body, { n: 0 })).toEqual(["none."]);
  });

  test("chooses between branches over paragraphs, lists and tables", async () => {
    const body =
      p("{{if a}}") +
      p("A") +
      table([p("t")]) +
      p("{{elseif b}}") +
      p("B") +
      p("{{else}}") +
      p("C") +
      p("C2") +
      p("{{endif}}") +
      p("end");
    expect(await lines(body, { a: true })).toEqual(["A", "t", "end"]);
    expect(await lines(body, { b: true })).toEqual(["B", "end"]);
    expect(await lines(body, {})).toEqual(["C", "C2", "end"]);
  });

  test("shows or removes rows", async () => {
    const body = table([p("a")], [p("{{if x}}b1"), p("b2{{endif}}")], [p("c")]);
    expect(await lines(body, { x: 1 })).toEqual(["a", "b1 | b2", "c"]);
    expect(await lines(body, {})).toEqual(["a", "c"]);
  });

  test("keeps the text around tags in the middle of paragraphs", async () => {
    const body = p("Dear {{if x}}Sir") + p("and Madam{{endif}}, welcome");
    expect(await lines(body, { x: true })).toEqual(["Dear Sir", "and Madam, welcome"]);
    expect(await lines(body, { x: false })).toEqual(["Dear , welcome"]);
  });

  test("removes its paragraph if the block fills it and shows nothing", async () => {
    const body = p("a") + p("{{if x}}Note: {{x}}{{endif}}") + p("b");
    expect(await lines(body, { x: "hi" })).toEqual(["a", "Note: hi", "b"]);
    expect(await lines(body, {})).toEqual(["a", "b"]);
  });

  test("keeps the formatting of each branch", async () => {
    const body = `<w:p>${r("{{if x}}")}${r("yes", "<w:b/>")}${r("{{else}}")}${r("no", "<w:i/>")}${r("{{endif}}")}</w:p>`;
    const template = await compileTemplate(docx({ body }));
    expect(bodyOf(template.render({ x: true }).bytes)).toBe(
      '<w:p><w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve">yes</w:t></w:r></w:p>',
    );
    expect(bodyOf(template.render({ x: false }).bytes)).toContain("<w:i/>");
  });

  test("keeps the bookmarks of a removed paragraph", async () => {
    const body =
      `<w:p><w:bookmarkStart w:id="1" w:name="here"/>${r("{{if x}}")}</w:p>` +
      p("text") +
      `<w:p>${r("{{endif}}")}<w:bookmarkEnd w:id="1"/></w:p>`;
    const template = await compileTemplate(docx({ body }));
    const xml = bodyOf(template.render({}).bytes);
    expect(xml).toBe('<w:bookmarkStart w:id="1" w:name="here"/><w:bookmarkEnd w:id="1"/><w:p/>');
  });

  test("keeps a paragraph that ends a section", async () => {
    const section = "<w:pPr><w:sectPr/></w:pPr>";
    const body = p("{{if x}}") + p("text") + `<w:p>${section}${r("{{endif}}")}</w:p>`;
    const template = await compileTemplate(docx({ body }));
    expect(bodyOf(template.render({}).bytes)).toBe(`<w:p>${section}</w:p>`);
  });
});

describe("conditions", () => {
  const cases: [string, Record<string, unknown>, boolean][] = [
    ["x", {}, false],
    ["x", { x: "" }, false],
    ["x", { x: 0 }, false],
    ["x", { x: [] }, false],
    ["x", { x: false }, false],
    ["x", { x: null }, false],
    ["x", { x: "0" }, true],
    ["x", { x: { a: 1 } }, true],
    ["not x", {}, true],
    ["!x && y", { y: 1 }, true],
    ["x or y and z", { x: 1 }, true],
    ["(x or y) and z", { x: 1 }, false],
    ["x == 'a'", { x: "a" }, true],
    ["x == “a”", { x: "a" }, true],
    ["x == 'A'", { x: "a" }, false],
    ["x != 'a'", {}, true],
    ["x == 10", { x: "10" }, true],
    ["x == true", { x: true }, true],
    ["x >= 2", { x: 2 }, true],
    ["x < 10", { x: "9" }, true],
    ["x < y", { x: "9", y: "10" }, true],
    ["x < y", { x: "10", y: "9" }, false],
    ["x > 1", {}, false],
    ["x == null", {}, true],
    ["x isPresent", { x: "" }, true],
    ["x isPresent", { x: null }, false],
    ["x isEmpty", { x: [] }, true],
    ["not (x isEmpty)", { x: "a" }, true],
    ["x contains 'b'", { x: "abc" }, true],
    ["x contains 2", { x: [1, 2] }, true],
    ["x contains 'b'", {}, false],
    ["a.b[0].c == 1", { a: { b: [{ c: 1 }] } }, true],
    ['x["first name"] == "Ann"', { x: { "first name": "Ann" } }, true],
    ["x == -5", { x: -5 }, true],
    ["x == 1", { x: 1n }, true],
    ["x", { x: 0n }, false],
    ["x < 10", { x: 5n }, true],
    ["x == y", { x: 12345678901234567891n, y: "12345678901234567891" }, true],
    ["x == y", { x: new Date(5), y: new Date(5) }, true],
    ["x < y", { x: new Date(4), y: new Date(5) }, true],
    ["x contains 12", { x: "a12b" }, true],
  ];
  test.each(cases)("%s of %o is %s", async (condition, data, expected) => {
    expect(await lines(p(`{{if ${condition}}}yes{{else}}no{{endif}}`), data)).toEqual([
      expected ? "yes" : "no",
    ]);
  });

  test("a text cannot contain an object", async () => {
    const template = await compileTemplate(docx({ body: p("{{if x contains y}}a{{endif}}") }));
    const data = { x: "[object Object]", y: {} };
    expect(() => template.render(data)).toThrow("'contains' cannot look for an object in text");
  });
});
