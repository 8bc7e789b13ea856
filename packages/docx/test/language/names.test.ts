import { describe, expect, test } from "vitest";
import { docx, p } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../src/index.ts";
import { outcome, printed } from "../support/language.ts";

describe("a name that is not a key of a section's item", () => {
  /** Returns the warnings about names, with the places. */
  async function doubts(text: string, data: Readonly<Record<string, unknown>>): Promise<unknown[]> {
    const { warnings } = await outcome(p(text), data);
    return warnings
      .filter(({ code }) => code === "value_from_outside" || code === "hidden_key")
      .map(({ code, pointer, pointers }) => [code, ...(pointers ?? [pointer])]);
  }

  const order = { discount: 10, items: [{ n: 1, discount: 5 }, { n: 2 }, { n: 3 }] };

  test("is taken from outside, with a warning that names the items, if other items have the key", async () => {
    const text = "{{#items}}{{n}}:{{discount}} {{/items}}{{discount}}";
    const { lines, warnings } = await outcome(p(text), order);
    expect(lines).toEqual(["1:5 2:10 3:10 10"]);
    expect(warnings).toEqual([
      expect.objectContaining({
        severity: "warning",
        code: "value_from_outside",
        message:
          "The tag {{discount}} takes 'discount' from outside its section 'items': this item has no such key, but other items do.",
        hint: "Give the key to each item, with null where it has no value, or write {{this.discount}} for the item's own value.",
        pointers: ["/items/1/discount", "/items/2/discount"],
        count: 2,
      }),
    ]);
  });

  test("is taken from outside, without a warning, if no item has the key", async () => {
    const text = "{{#items}}{{n}} {{currency}} {{c.name}}{{#c}}{{name}}{{/c}}{{/items}}";
    const data = { items: [{ n: 1 }, { n: 2 }], currency: "EUR", c: { name: "x" } };
    expect(await doubts(text, data)).toEqual([]);
    expect(await doubts("{{#o}}{{a}}{{/o}}", { o: {}, a: 1 })).toEqual([]);
  });

  test.each([
    ["a modifier", "{{discount :: number(2)}}"],
    ["optional", "{{discount :: optional}}"],
    ["a computation", "{{n * discount}}"],
    ["a function", "{{$round(discount)}}"],
    ["a condition", "{{if discount}}x{{endif}}"],
    ["a comparison", "{{if discount > 1}}x{{endif}}"],
    ["a section", "{{#discount}}x{{/discount}}"],
    ["an inverted section", "{{^discount}}x{{/discount}}"],
    ["a part of a line with rich text", "{{discount}}{{html}}"],
  ])("is reported in %s", async (_what, tag) => {
    const data = { ...order, html: "<p>a</p><p>b</p>" };
    const found = await doubts(`{{#items}}${tag}{{/items}}`, data);
    expect(found).toEqual([["value_from_outside", "/items/1/discount", "/items/2/discount"]]);
  });

  test("is reported in a loop over a list", async () => {
    const text = "{{#items}}{{for t in tags}}{{t}}{{endfor}}{{/items}}";
    const data = { tags: ["a"], items: [{ tags: [] }, {}] };
    expect(await doubts(text, data)).toEqual([["value_from_outside", "/items/1/tags"]]);
  });

  test("is compared with the items of all iterations of the blocks around", async () => {
    const users = (...all: object[]): object => ({ iban: "AT-COMPANY", users: all });
    const text = "{{#companies}}{{#users}}{{iban}} {{/users}}{{/companies}}";
    const data = { companies: [users({ iban: "AT-ANN" }), users({})] };
    const at = [["value_from_outside", "/companies/1/users/0/iban"]];
    expect(await doubts(text, data)).toEqual(at);
    const other = "{{for c in companies}}{{#c.users}}{{iban}} {{/c.users}}{{endfor}}";
    expect(await doubts(other, { ...data, iban: "AT-ROOT" })).toEqual(at);
    const spouses = { people: [{ spouse: { middle: "B" } }, { spouse: {} }], middle: "R" };
    const object = "{{#people}}{{#spouse}}{{middle}}{{/spouse}}{{/people}}";
    expect(await doubts(object, spouses)).toEqual([
      ["value_from_outside", "/people/1/spouse/middle"],
    ]);
    expect(await doubts(text, { companies: [users({}), users({})] })).toEqual([]);
  });

  test("may be a whole path in flat data", async () => {
    const text = "{{#items}}{{a.b}} {{/items}}";
    const data = { a: { b: "root" }, items: [{ "a.b": 1 }, {}, { a: { b: 2 } }] };
    expect(await printed(text, data)).toBe("1 root 2 ");
    expect(await doubts(text, data)).toEqual([["value_from_outside", "/items/1/a"]]);
  });

  test("is only looked up in the item if written as {{this.name}}", async () => {
    expect(await printed("{{#items}}{{this.discount :: optional}};{{/items}}", order)).toBe("5;;;");
    expect(await doubts("{{#items}}{{.discount}}{{/items}}", order)).toEqual([]);
  });
});

describe("a loop variable that hides a key of the items in a section within the loop", () => {
  const data = { names: ["X"], people: [{ name: "Ann" }, { name: "Bob" }, {}] };

  test("is reported once, with the items", async () => {
    const text = "{{for name in names}}{{#people}}{{name}},{{/people}}{{endfor}}";
    const { lines, warnings } = await outcome(p(text), data);
    expect(lines).toEqual(["X,X,X,"]);
    expect(warnings.filter(({ code }) => code !== "unused_value")).toEqual([
      expect.objectContaining({
        code: "hidden_key",
        message:
          "The tag {{name}} refers to the item of {{for name in names}}, although the surrounding section also has the key 'name'.",
        hint: "Give the item of the loop another name, or write {{this.name}} for the key.",
        pointers: ["/people/0/name", "/people/1/name"],
      }),
    ]);
  });

  test.each([
    ["{{for name in names}}{{#people}}{{this.name}}{{/people}}{{endfor}}"],
    ["{{#people}}{{for name in names}}{{name}}{{endfor}}{{/people}}"],
    ["{{for n in names}}{{#people}}{{n}}{{name}}{{/people}}{{endfor}}"],
  ])("is not reported in %s", async (text) => {
    const { warnings } = await outcome(p(text), { ...data, name: "R" });
    expect(warnings.map(({ code }) => code)).not.toContain("hidden_key");
  });
});

describe("a name in brackets and quotes", () => {
  const data = {
    "a b": 1,
    "c-d": { e: 2 },
    "x.y": 3,
    l: [{ n: 4, "a b": 5 }, { n: 6 }],
    "m n": [7, 8],
  };

  test.each([
    ['{{["a b"]}} {{[“a b”] + 1}} {{["c-d"].e :: number(1)}} {{["c-d"]["e"]}}', "1 2 2.0 2"],
    ['{{["x.y"]}}', "3"],
    ['{{for i in l}}{{["a b"]}}{{i["a b"] :: optional}} {{endfor}}', "15 1 "],
    ['{{#l}}{{["a b"]}} {{/l}}', "5 1 "],
    ['{{for i in ["m n"]}}{{i}}{{endfor}}{{#["m n"]}}{{.}}{{/}}', "7878"],
    ['{{if ["a b"] == 1}}y{{elseif ["c-d"]}}n{{endif}}{{if not ["a b"]}}n{{endif}}', "y"],
    ['{{if ["a b"]}}y{{endif}}{{$sum(["m n"])}}', "y15"],
  ])("is looked up like all names: %s", async (text, shown) => {
    expect(await printed(text, data)).toBe(shown);
  });

  test("is reported as missing like any name, and is in the schema", async () => {
    const template = await compileTemplate(docx({ body: p('{{["a b"].c}}') }));
    expect(template.tags[0]?.json_paths.at(-1)).toBe('["a b"].c');
    expect(template.sample()).toEqual({ "a b": { c: expect.anything() } });
    const { warnings } = template.render({});
    expect(warnings[0]).toMatchObject({ code: "missing_value", pointer: "/a b/c" });
  });

  test("also works after a key that is a keyword", async () => {
    const keys = { if: { "a b": 1, c: 2 }, for: { "a b": 3 } };
    expect(await printed('{{if["a b"]}}{{if.c}}{{for ["a b"]}}', keys)).toBe("123");
  });

  test("has a space after a delimiter that is a bracket, also in messages", async () => {
    const delimiters = { start: "[[", end: "]]" };
    expect(await printed('[[ ["a b"] ]]', data, { delimiters })).toBe("1");
    const text = "[[for i in l]][[c-d]][[endfor]]";
    const { warnings } = await outcome(p(text), { "c-d": 1, l: [1] }, { delimiters });
    expect(warnings[0]?.hint).toContain('[[ ["c-d"] ]]');
  });
});
