import { describe, expect, test } from "vitest";
import { p, table } from "../../../ooxml/test/support/docx.ts";
import { hintsIn, outcome, printed } from "../support/language.ts";

const DATA = {
  lines: [
    { name: "Rye loaf", type: "Bread", quantity: 40, amount: 94, allergens: ["gluten"] },
    { name: "Nut tart", type: "Cake", quantity: 6, amount: 111, allergens: ["nuts", "egg"] },
    { name: "Baguette", type: "Bread", quantity: 60, amount: 84, allergens: ["gluten"] },
    { name: "Apple slice", type: "Cake", quantity: 30, amount: 57, allergens: ["egg"] },
  ],
  pupils: [
    { name: "Ada", class: "5a", fee: 10, paid: true },
    { name: "Ben", class: "5b", fee: 20, paid: false },
    { name: "Cleo", class: "5a", fee: 30, paid: true },
    { name: "Dan", class: "5b", fee: 40, paid: true },
  ],
  orders: [
    { city: "Bonn", total: 10 },
    { city: "Rome", total: 20 },
    { city: "Bonn", total: 30 },
  ],
};

/** Returns the hints for a paragraph. */
const hints = (template: string): Promise<string[]> => hintsIn(p(template), DATA);

/** Returns the hint for the first mistake of a template. */
async function hintOf(template: string): Promise<string> {
  const { warnings } = await outcome(p(template), DATA);
  return warnings.find(({ code }) => code !== "unused_value")?.hint ?? "";
}

/** Returns what a template prints with the tag that the hint ends with in place of the wrong one. */
async function mended(template: string, wrong: string): Promise<string> {
  const hint = await hintOf(template);
  const [, meant] = /(\{\{[^{}]+\}\})(?: … .*)?\.$/.exec(hint) ?? [];
  return meant === undefined ? `no tag: ${hint}` : printed(template.replace(wrong, meant), DATA);
}

describe("the whole list in a section of its groups is doubtful:", () => {
  test.each([
    ["{{#pupils}}{{name}} {{/}}", "{{#pupils}}", "5a: Ada Cleo 5b: Ben Dan "],
    [
      "{{#pupils.sort(name desc)}}{{name}} {{/}}",
      "{{#pupils.sort(name desc)}}",
      "5a: Cleo Ada 5b: Dan Ben ",
    ],
    [
      "{{for p in pupils}}{{p.name}} {{endfor}}",
      "{{for p in pupils}}",
      "5a: Ada Cleo 5b: Ben Dan ",
    ],
    ["{{pupils.count()}} ", "{{pupils.count()}}", "5a: 2 5b: 2 "],
    ["{{pupils.sum(fee)}} ", "{{pupils.sum(fee)}}", "5a: 40 5b: 60 "],
    ["{{pupils.where(paid).count()}} ", "{{pupils.where(paid).count()}}", "5a: 2 5b: 1 "],
    ["{{pupils.name}} ", "{{pupils.name}}", "5a: Ada, Cleo 5b: Ben, Dan "],
  ])("%s", async (content, wrong, line) => {
    const template = `{{#pupils.group(class)}}{{key}}: ${content}{{/}}`;
    expect((await hints(template))[0]).toContain("list_in_loop: For the items of the group write");
    expect(await mended(template, wrong)).toBe(line);
  });

  test("a section with a name at its end gets both tags", async () => {
    expect(
      await hints("{{#pupils.group(class)}}{{key}}: {{#pupils}}{{name}} {{/pupils}}{{/}}"),
    ).toEqual(["list_in_loop: For the items of the group write {{#items}} … {{/items}}."]);
  });

  test("a section in a loop over groups is, too", async () => {
    expect(
      await hints("{{for g in pupils.group(class)}}{{g.key}}: {{#pupils}}{{name}} {{/}}{{endfor}}"),
    ).toEqual(["list_in_loop: For the items of the group write {{#g.items}}."]);
  });
});

describe("the whole list in a section of its groups is right", () => {
  test.each([
    "{{#pupils.where(class == key)}}{{name}} {{/}}",
    "{{for p in pupils}}{{if p.class == key}}{{p.name}} {{endif}}{{endfor}}",
    "{{pupils.where(class == key).count()}}",
    "{{items.sum(fee)}} of {{pupils.sum(fee)}} ",
    "{{#pupils.count()}}x{{/}}",
    "{{#items}}{{name}} {{/}}",
  ])("in %s", async (content) => {
    expect(await hints(`{{#pupils.group(class)}}{{key}}: ${content}{{/}}`)).toEqual([]);
  });
});

describe("the hint for a value of the items of a group repeats them first:", () => {
  const FOR_ONE = "A group has a 'key' and 'items': write";

  test.each([
    [
      "{{for l in lines.group(type)}}{{l.name}}{{endfor}}",
      "{{for i in l.items}}{{i.name}}{{endfor}}",
    ],
    ["{{#lines.group(type)}}{{name}}{{/}}", "{{#items}}{{name}}{{/}}"],
    [
      "{{for i in lines.group(type)}}{{i.name}}{{endfor}}",
      "{{for each in i.items}}{{each.name}}{{endfor}}",
    ],
  ])("%s", async (template, loop) => {
    expect(await hintOf(template)).toContain(
      `To print every item, repeat the items of the group: ${loop}. ${FOR_ONE}`,
    );
  });

  test("rows are repeated as rows", async () => {
    const rows = (begin: string, name: string, end: string): string =>
      table([p(`${begin}{{l.key}}`), p(`{{${name}}}${end}`)]);
    const begin = "{{tablerow l in lines.group(type)}}";
    const [hint] = await hintsIn(rows(begin, "l.name", "{{endtablerow}}"), DATA);
    expect(hint).toContain(
      `To print a row for every item, begin the row with ${begin}{{tablerow i in l.items}}, write {{i.name}} in it, and end it with {{endtablerow}}{{endtablerow}}. ${FOR_ONE}`,
    );
    const right = rows(
      `${begin}{{tablerow i in l.items}}`,
      "i.name",
      "{{endtablerow}}{{endtablerow}}",
    );
    expect((await outcome(right, DATA)).lines).toEqual([
      "Bread | Rye loaf",
      "Bread | Baguette",
      "Cake | Nut tart",
      "Cake | Apple slice",
    ]);
  });

  test("but not for the value that the items have in common", async () => {
    expect(await hintOf("{{for l in lines.group(type)}}{{l.type}}{{endfor}}")).toMatch(/^A group/);
  });
});

describe("the hint for another name of the items of a group is the right tag:", () => {
  test.each([
    ["{{for p in g.pupils}}{{p.name}} {{endfor}}", "{{for p in g.pupils}}", "Ada Cleo Ben Dan "],
    [
      "{{for p in g.pupils.sort(fee desc)}}{{p.name}} {{endfor}}",
      "{{for p in g.pupils.sort(fee desc)}}",
      "Cleo Ada Dan Ben ",
    ],
    ["{{#g.pupils}}{{name}} {{/}}", "{{#g.pupils}}", "Ada Cleo Ben Dan "],
    ["{{g.pupils.count()}} ", "{{g.pupils.count()}}", "2 2 "],
    ["{{g.pupils.sum(fee)}} ", "{{g.pupils.sum(fee)}}", "40 60 "],
    ['{{g.name.join("/")}} ', '{{g.name.join("/")}}', "Ada/Cleo Ben/Dan "],
  ])("%s", async (content, wrong, line) => {
    const template = `{{for g in pupils.group(class)}}${content}{{endfor}}`;
    expect(await hintOf(template)).toContain("The items of a group are a list: write ");
    expect(await mended(template, wrong)).toBe(line);
  });

  test("a section may test a value", async () => {
    const template = "{{for g in pupils.group(class)}}{{#g.paid}}x{{/}}{{endfor}}";
    expect(await hintOf(template)).toMatch(/^A group has/);
  });
});
