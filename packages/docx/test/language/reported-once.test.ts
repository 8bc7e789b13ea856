import type { Diagnostic } from "@quire/contracts";
import { describe, expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import type { CompileOptions } from "../../src/index.ts";
import { spell, withTags } from "../../src/language/delimiters/wording.ts";
import { outcome } from "../support/language.ts";

type Delimiters = CompileOptions["delimiters"];

/** Returns the diagnostics of a paragraph, except for unused keys. */
async function told(
  text: string,
  data: Readonly<Record<string, unknown>> = {},
  delimiters: Delimiters = undefined,
): Promise<readonly Diagnostic[]> {
  const { warnings } = await outcome(p(text), data, { delimiters });
  return warnings.filter(({ code }) => code !== "unused_value");
}

/** Returns the hint of the only problem of a paragraph. */
async function hintOf(text: string, delimiters: Delimiters = undefined): Promise<string> {
  const [first, ...more] = await told(text, {}, delimiters);
  expect(more, text).toEqual([]);
  expect(first?.severity, text).toBe("error");
  return first?.hint ?? "";
}

describe("tags in messages have the delimiters of the template", () => {
  const MISTAKES = [
    "{{if a}}x",
    "{{for i in l}}x{{endif}}",
    "{{for i in l}}x",
    "{{#l}}x{{/m}}",
    "{{#l}}x",
    "{{a | b}}",
    "{{a:b}}",
    "{{a ? b : c}}",
    "{{a #b}}",
    "{{a—b}}",
    "{{a'b}}",
    "{{if a}}x{{Else}}y{{endif}}",
    "{{if a}}x{{esle}}y{{endif}}",
    "{{if a}}x{{else b}}y{{endif}}",
    "{{if a}}x{{else}}y{{else}}z{{endif}}",
    "{{#a}}x{{else}}y{{/a}}",
    "{{if a}}x{{end if}}",
    "{{if a}}x{{end_if}}",
    "{{else}}",
    "{{endfor}}",
    "{{/a}}",
    "{{/}}",
    "{{/if}}",
    "{{#a}}{{if b}}x{{/a}}{{endif}}",
    "{{for}}",
    "{{if}}",
    "{{#}}x{{/}}",
    "{{endif :: uppercase}}",
    "{{include x}}",
    "{{#if a}}x{{/if}}",
    "{{#unless a}}x{{/unless}}",
    "{{#each l}}x{{/each}}",
    "{{#with a}}x{{/with}}",
    "{{#item in items}}x{{/items}}",
    "{{@index}}",
    "{{@a}}",
    "{{%a}}",
    "{{~a}}",
    "{{&a}}",
    "{{>a}}",
    "{{-w:tr l}}x{{/}}",
    "{{../a}}",
    "{{uppercase(a)}}",
    "{{a or b}}",
    "{{$number}}",
    '{{a + "EUR"}}',
    "{{#l}}x{{\\l}}",
    "{{}}",
    "{{tablerow i in l}}x{{endtablerow}}",
    "{{tablecolumn i in l}}x{{endtablecolumn}}",
  ];
  test.each([
    [{ start: "[[", end: "]]" }, "[[", "]]"],
    [{ start: "#%", end: "%$" }, "#%", "%$"],
    ["auto", "{", "}"],
  ] as const)("%j", async (delimiters, start, end) => {
    for (const mistake of MISTAKES) {
      const text = mistake.replaceAll("{{", start).replaceAll("}}", end);
      const found = await told(text, {}, delimiters);
      expect(found, text).not.toEqual([]);
      const words = found.map(({ message, hint }) => `${message} ${hint ?? ""}`).join("\n");
      expect(words, text).not.toMatch(/\{\{|\}\}|=>|undefined/);
    }
  });

  test("also when a document is rendered", async () => {
    const delimiters = { start: "[[", end: "]]" };
    const data = { "first-name": "Ann", items: [{ a: 1 }] };
    const [missing] = await told("[[first-name]]", data, delimiters);
    expect(missing?.hint).toContain('[[this["first-name"] ]]');
    const [condition] = await told("[[if first-name]]x[[endif]]", data, delimiters);
    expect(condition?.hint).toContain('[[this["first-name"] ]]');
    const [list] = await told("[[items]]", data, delimiters);
    expect(list?.message).not.toContain("{{");
  });

  test("but quotes from the template do not change", () => {
    const quoted = withTags`${"{{x}}"} is told in {{if a == "${"}}"}"}}.`;
    expect(spell(quoted, { start: "[[", end: "]]" })).toBe('{{x}} is told in [[if a == "}}"]].');
  });

  test("so the suggested end tag works", async () => {
    for (const [open, end] of [
      ["{for i in l}{i}", "{endfor}"],
      ["{#my items}{x}", "{/my items}"],
    ] as const) {
      expect(await hintOf(open, "auto")).toBe(`Add ${end} where it ends.`);
      expect(await told(open + end, { l: [1], "my items": [{ x: 1 }] }, "auto")).toEqual([]);
    }
  });
});

describe("a section with an invalid tag is reported once, for any spelling of its end:", () => {
  test.each([
    ["{{#first name}}x{{/first name}}", 'this["first name"]'],
    ["{{#first name}}x{{/first}}", 'this["first name"]'],
    ["{{#items :: optional}}x{{/items}}", "Leave the modifier out"],
    ["{{^items :: optional}}x{{/items}}", "Leave the modifier out"],
    ["{{#items:}}x{{/items}}", "Leave out the ':' at the end."],
    ["{{#items.}}x{{/items}}", "Leave out the '.' at the end"],
    ["{{#}}x{{/a}}", "{{#items}}"],
    ["{{#item in items}}x{{/items}}", "Write {{for item in items}} … {{endfor}}, or {{#items}}"],
    ["{{#item in items}}x{{endfor}}", "Write {{for item in items}} … {{endfor}}, or {{#items}}"],
    ["{{#items as i}}x{{/items}}", "Write {{for i in items}} … {{endfor}}, or {{#items}}"],
    ["{{#items as |i|}}x{{/items}}", "Write {{for i in items}} … {{endfor}}, or {{#items}}"],
  ])("%s", async (text, hint) => {
    expect(await hintOf(text)).toContain(hint);
  });

  test("and a missing end is reported, too", async () => {
    expect((await told("{{#first name}}x")).map(({ code, hint }) => [code, hint])).toEqual([
      ["tag_syntax", expect.stringContaining("first name")],
      ["unclosed_block", "Add {{/}} where it ends."],
    ]);
  });
});

describe("a mistyped end of a block is one mistake:", () => {
  test.each([
    ["{{#items}}x{{\\items}}", "Write {{/items}}."],
    ["{{#items}}x{{#/items}}", "Write {{/items}}."],
    ["{{#items}}x{{items/}}", "Write {{/items}}."],
    ["{{if a}}x{{\\if}}", "Write {{endif}}."],
    ["{{for i in l}}x{{\\endfor}}", "Write {{endfor}}."],
    ["{{#items}}x{{#items}}", "Did you mean {{/items}}?"],
    ["{{for i in l}}x{{for i in l}}", "Did you mean {{endfor}}?"],
    ["{{for i in l}}{{#items}}x{{#items}}{{endfor}}", "Did you mean {{/items}}?"],
    ["{{for i in l}}x{{next i}}", "Did you mean 'endfor'?"],
  ])("%s", async (text, hint) => {
    expect(await hintOf(text)).toBe(hint);
  });

  test("a block within a block over the same list is accepted", async () => {
    expect(await told("{{#a}}{{#a}}x{{/a}}{{/a}}", { a: {} })).toEqual([]);
  });
});

describe("a keyword that may be a data key is reported once, with both ways to write it:", () => {
  test.each([
    ["{{for}}", "{{for item in items}}. For a value with the name 'for', write {{this[\"for\"]}}."],
    ["{{if}}", "{{if path}}. For a value with the name 'if', write {{this[\"if\"]}}."],
    ["{{tablerow}}", '{{this["tablerow"]}}'],
    ["{{tablecolumn}}", '{{this["tablecolumn"]}}'],
    ["{{elseif}}", '{{this["elseif"]}}'],
    ["{{else}}", '{{this["else"]}}'],
    ["{{if :: uppercase}}", '{{this["if"] :: uppercase}}'],
    ["{{else :: uppercase}}", '{{this["else"] :: uppercase}}'],
    ["{{endif :: uppercase}}", '{{this["endif"] :: uppercase}}'],
    ["{{for x in l}}{{if}}{{endfor}}", '{{this["if"]}}'],
    ["{{if a}}{{endif :: uppercase}}{{endif}}", '{{this["endif"] :: uppercase}}'],
    ["{{if}}x{{endif}}", "{{if path}}"],
    ["{{if a}}x{{elseif}}y{{endif}}", "{{elseif path}}"],
  ])("%s", async (text, hint) => {
    expect(await hintOf(text)).toContain(hint);
  });

  test("and the syntax for the value works", async () => {
    expect(await told('{{this["for"]}}{{this["if"] :: uppercase}}', { for: 1, if: "a" })).toEqual(
      [],
    );
  });
});

describe("a hint uses the author's names:", () => {
  test.each([
    ["{{#not a}}x{{/a}}", undefined, "To close {{#not a}}, write {{/not a}}."],
    ["{#my items}x{/my item}", "auto", "To close {#my items}, write {/my items}."],
    ["{#each l}x{/each}", "auto", "Write {for item in l} … {endfor}, and {item.name} for"],
    ["{#item in items}x{/items}", "auto", "Write {for item in items} … {endfor}, or {#items}"],
    ["{%p if a %}", "auto", "Write {if a}."],
    ["{{for item of rows}}x{{endfor}}", undefined, "Write {{for item in rows}}."],
    ["{{for rows as row}}x{{endfor}}", undefined, "Write {{for row in rows}}."],
    ["{{for each row in rows}}x{{endfor}}", undefined, "Write {{for row in rows}}."],
    ["{{for rows}}x{{endfor}}", undefined, "Write {{for item in rows}}."],
    [
      "{{/rows}}",
      undefined,
      "Add {{#rows}} before it, or {{^rows}} for the opposite case ({{!rows}} is a comment)",
    ],
    ["{{/if}}", undefined, "Write {{if …}} before it and {{endif}} in its place, or remove it."],
    ["{{../name}}", undefined, "Write {{name}}:"],
    ["{{not a}}", undefined, "{{if not a}}"],
    ["{{first name}}", undefined, '{{first.name}}; write a key with spaces in brackets: {{this["'],
    ["{{customer.first name}}", undefined, '{{customer["first name"]}}'],
    ["{{a[0].first name}}", undefined, '{{a[0]["first name"]}}'],
    ["{{if customer.first name}}x{{endif}}", undefined, 'customer["first name"]'],
    ["{{for x in my items}}x{{endfor}}", undefined, 'this["my items"]'],
    ["{{a.1st}}", undefined, 'a["1st"]'],
    ["{{1st}}", undefined, 'this["1st"]'],
    ["{{amount * 19%}}", undefined, "Write {{amount * (19 / 100)}}."],
    ["{{if amount > 100 EUR}}x{{endif}}", undefined, "Write the number alone: 100."],
    ["{{for i in l where a}}x{{endfor}}", undefined, "Write {{for i in l.where(a)}}."],
    ["{{for i in l | sort}}x{{endfor}}", undefined, "Write {{for i in l.sort()}}."],
    ["{{a[b}}", undefined, "Add ']' where it should end."],
    ["{{a..b}}", undefined, "Leave out the '.'."],
    ["{{a,}}", undefined, "Leave out the ',' at the end."],
    ["{{a +}}", undefined, "Leave out the '+' at the end"],
    ["{{* a}}", undefined, "Leave out the '*'"],
    ["{{a[0}}", undefined, "Add ']' after 0."],
    ["{{a@b}}", undefined, "in brackets and quotes"],
  ] as const)("%s", async (text, delimiters, hint) => {
    expect(await hintOf(text, delimiters)).toContain(hint);
  });

  test("a name that looks like a data key but has other characters is reported as different", async () => {
    const [composed, apart] = ["gr\u00f6\u00dfe", "gro\u0308\u00dfe"];
    const [found] = await told(`{{${apart}}}`, { [composed]: 1 });
    expect(found?.hint).toBe(
      `'${composed}' looks the same but has different characters: copy it from the data into the tag.`,
    );
  });

  test("a message that ends in a question mark has no full stop after it", async () => {
    const [found] = await told('{{a :: barcode("code129")}}');
    expect(found?.message).toMatch(/did you mean 'code128'\?$/);
  });
});
