import type { Diagnostic } from "@quire/contracts";
import { describe, expect, test } from "vitest";
import { docx, p, r, type TestDocument, table } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../src/index.ts";

/** Returns the warnings of a template. */
async function warningsOf(
  document: TestDocument | string,
  delimiters?: "auto",
): Promise<readonly Diagnostic[]> {
  const source = typeof document === "string" ? { body: document } : document;
  return (await compileTemplate(docx(source), { delimiters })).warnings;
}

/** Returns a list item. */
function item(text: string, numId = 1): string {
  return `<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="${numId}"/></w:numPr></w:pPr>${r(text)}</w:p>`;
}

describe("a loop that is all of a list item", () => {
  test("is reported, because its iterations run together", async () => {
    expect(await warningsOf(item("{{for x in xs}}{{x.name}}{{endfor}}"))).toEqual([
      {
        severity: "warning",
        code: "joined_in_list_item",
        message:
          "The iterations of {{for x in xs}} run together in one list item: a block within one paragraph repeats text.",
        hint: "To repeat the list item, put {{for x in xs}} and its end into separate paragraphs, before and after this one. To keep one line, put a separator before the end.",
        template: {
          part: "word/document.xml",
          paragraph: 1,
          tag: "{{for x in xs}}",
          near: "{{for x in xs}}{{x.name}}{{endfor}}",
        },
      },
    ]);
  });

  test("is reported for a section that contains only values, which may be a condition", async () => {
    const [found] = await warningsOf(item("{#my list}{prop}{/my list}"), "auto");
    expect(found?.message).toBe(
      "If 'my list' is a list, its items run together in one list item: a block within one paragraph repeats text.",
    );
  });

  test.each([
    "{{for x in xs}}Item {{x.name}}{{endfor}}",
    "{{for x in xs}}{{x.a}}, {{x.b}}{{endfor}};",
    "– {{for x in xs}}{{x.name}}{{endfor}}",
    "{{if a}}{{for x in xs}}{{x.name}}{{endfor}}{{endif}}",
    "{{#xs}}{{name}}{{/xs}}",
    "{{#xs}}{{a}} {{b}}{{/}}.",
    "{{#a}}{{#b}}{{name}}{{/b}}{{/a}}",
  ])("is reported once: %s", async (text) => {
    expect((await warningsOf(item(text))).map(({ code }) => code)).toEqual(["joined_in_list_item"]);
  });

  test.each([
    "{{for x in xs}}{{x.name}}, {{endfor}}",
    "{{for x in xs}}{{x.name}} {{endfor}}",
    "{{for x in xs}}; {{x.name}}{{endfor}}",
    "{{for x in xs}}{{x.name}}{{if not $last}}, {{endif}}{{endfor}}",
    '{{for x in xs}}{{x.name :: delimiter(", ")}}{{endfor}}',
    "Colours: {{for x in xs}}{{x.name}}{{endfor}}",
    "{{a}}{{for x in xs}}{{x.name}}{{endfor}}",
    "{{for x in xs}}text{{endfor}}",
    "{{if x}}{{x.name}}{{endif}}",
    "{{#deposit}}The deposit is {{amount}}{{/deposit}}",
    "{{#name}}{{name}}{{/name}}",
    "{{#spouse}}{{spouse.name}}{{/spouse}}",
    "{{^xs}}{{none}}{{/xs}}",
    "{{#a > 1}}{{b}}{{/}}",
  ])("is not reported for %s", async (text) => {
    expect(await warningsOf(item(text))).toEqual([]);
  });

  test("is not reported in other paragraphs, or over paragraphs", async () => {
    const text = "{{for x in xs}}{{x.name}}{{endfor}}";
    expect(await warningsOf(p(text) + item(text, 0))).toEqual([]);
    expect(await warningsOf(p("{{for x in xs}}") + item("{{x.name}}") + p("{{endfor}}"))).toEqual(
      [],
    );
  });

  test("is reported for a section with words if its value is a list of several items", async () => {
    const body = item("{{#people}}Name: {{name}}, Town: {{town}}{{/people}};");
    const template = await compileTemplate(docx({ body }));
    expect(template.warnings).toEqual([]);
    const people = [
      { name: "Ann", town: "Linz" },
      { name: "Bob", town: "Graz" },
    ];
    expect(template.render({ people }).warnings).toEqual([
      {
        severity: "warning",
        code: "joined_in_list_item",
        message:
          "The items of 'people' run together in one list item: a block within one paragraph repeats text.",
        pointer: "/people",
        hint: "To repeat the list item, put {{#people}} and its end into separate paragraphs, before and after this one. To keep one line, put a separator before the end.",
        template: {
          part: "word/document.xml",
          paragraph: 1,
          tag: "{{#people}}",
          near: "{{#people}}Name: {{name}}, Town: {{town}}{{/people}…",
        },
      },
    ]);
    for (const one of [people.slice(1), people[0], [], false]) {
      expect(template.render({ people: one as unknown[] }).warnings).toEqual([]);
    }
  });

  test("is not reported for a section with words that separates its items", async () => {
    const people = [{ name: "Ann" }, { name: "Bob" }];
    for (const body of [
      item("{{#people}}Name: {{name}}; {{/people}}"),
      p("{{#people}}Name: {{name}}{{/people}}"),
    ]) {
      const template = await compileTemplate(docx({ body }));
      expect(template.render({ people }).warnings).toEqual([]);
    }
  });

  test("is reported if a style makes the list item", async () => {
    const numbering = (id: string): string =>
      `<w:pPr><w:numPr><w:numId w:val="${id}"/></w:numPr></w:pPr>`;
    const styles = `<w:style w:type="paragraph" w:styleId="L"><w:name w:val="List Bullet"/>${numbering("3")}</w:style><w:style w:type="paragraph" w:styleId="B"><w:name w:val="Body"/></w:style>`;
    const text = "{{for x in xs}}{{x.name}}{{endfor}}";
    const stories = { "styles.xml": styles };
    const found = await warningsOf({ body: p(text, "L") + p(text, "B"), stories });
    expect(found.map(({ template }) => template?.paragraph)).toEqual([1]);
  });

  test("is reported in a table and in a header", async () => {
    const text = item("{{for x in xs}}{{x.name}}{{endfor}}");
    const stories = { "header1.xml": text };
    const found = await warningsOf({ body: table([p("a"), text]), stories });
    expect(found.map(({ template }) => [template?.part, template?.cell])).toEqual([
      ["word/document.xml", 2],
      ["word/header1.xml", undefined],
    ]);
  });
});

describe("a section from the first to the last cell of a column", () => {
  const column = (open: string, close: string): string =>
    table(
      [p("Student"), p(`${open}{Name}`)],
      [p("Maths"), p("{Maths}")],
      [p("Art"), p(`{Art}${close}`)],
    );

  test("is reported, because it repeats all rows", async () => {
    expect(await warningsOf(column("{#Students}", "{/}"), "auto")).toEqual([
      {
        severity: "warning",
        code: "column_repeats_rows",
        message:
          "{#Students} begins and ends in one column of the table and repeats all of its rows. In easy-template-x it would repeat the column.",
        hint: "To repeat the column, write {tablecolumn item in Students} … {endtablecolumn} in its top cell, and {item.name} for a value of each item. To repeat the rows, begin in the first cell and end in the last.",
        template: {
          part: "word/document.xml",
          paragraph: 2,
          table: 1,
          row: 1,
          cell: 2,
          tag: "{#Students}",
          near: "{#Students}{Name}",
        },
      },
    ]);
    const [spaced] = await warningsOf(column("{#my list}", "{/my list}"), "auto");
    expect(spaced?.hint).toContain('{tablecolumn item in this["my list"]}');
  });

  test.each([
    ["within one row", table([p("a"), p("{#l}{x}{/l}")], [p("b"), p("c")])],
    [
      "over rows below a heading",
      table([p("A"), p("B")], [p("a"), p("{#l}{x}")], [p("b"), p("{y}{/l}")]),
    ],
    [
      "over rows above another row",
      table([p("a"), p("{#l}{x}")], [p("b"), p("{y}{/l}")], [p("t"), p("u")]),
    ],
    ["from the first cell to the last", table([p("{#l}{x}"), p("b")], [p("c"), p("{y}{/l}")])],
    ["with values in other columns", table([p("{z}{#l}"), p("{x}")], [p("c"), p("d{/l}")])],
    [
      "with tags in separate rows",
      table([p("{#l}"), p("")], [p("{x}"), p("c")], [p("{/l}"), p("")]),
    ],
    ["in a table of one column", table([p("{#l}{x}")], [p("{y}{/l}")])],
    [
      "with a tablecolumn",
      table([p("a"), p("{tablecolumn i in l}{i.x}{endtablecolumn}")], [p("b"), p("{i.y}")]),
    ],
    ["that is inverted", column("{^l}", "{/l}")],
  ])("is not reported for a section %s", async (_, body) => {
    const found = await warningsOf(body, "auto");
    expect(found.filter(({ code }) => code === "column_repeats_rows")).toEqual([]);
  });
});
