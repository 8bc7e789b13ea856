import { describe, expect, test } from "vitest";
import { docx, p } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../src/index.ts";
import { outcome, printed } from "../support/language.ts";

const DATA = {
  prices: { pear: 2, apple: 1.5, "a/b": 0.1 },
  people: { ann: { age: 31, tags: ["x", "y"] }, bob: { age: 44, tags: [] } },
  years: { later: "c", "2026": "b", "2025": "a" },
  none: {},
  list: [1],
  name: "Ann",
};

describe("the entries of an object", () => {
  test.each([
    ["{{for e in prices.entries()}}{{e.key}}={{e.value}} {{endfor}}", "pear=2 apple=1.5 a/b=0.1 "],
    ["{{for e in $entries(prices)}}{{e.key}} {{endfor}}", "pear apple a/b "],
    ["{{for e in prices :: entries}}{{e.key}} {{endfor}}", "pear apple a/b "],
    ["{{#prices.entries()}}{{key}} {{/}}", "pear apple a/b "],
    ["{{for e in prices.entries().sort(key)}}{{e.key}} {{endfor}}", "a/b apple pear "],
    ["{{for e in prices.entries().where(value > 1)}}{{e.key}} {{endfor}}", "pear apple "],
    ["{{prices.entries().sum(value)}} of {{prices.entries().count()}}", "3.6 of 3"],
    ['{{prices.entries().map(key).join(", ", " and ")}}', "pear, apple and a/b"],
    ["{{for e in people.entries()}}{{e.key}} {{e.value.age}} {{endfor}}", "ann 31 bob 44 "],
    ["{{for e in people.entries()}}{{for t in e.value.tags}}{{t}}{{endfor}}{{endfor}}", "xy"],
    ["{{people.entries().first(value.age > 40).key}}", "bob"],
    [
      "{{for p in people.entries()}}{{for e in p.value.entries()}}{{e.key}} {{endfor}}{{endfor}}",
      "age tags age tags ",
    ],
    ["{{for e in years.entries()}}{{e.key}} {{endfor}}", "2025 2026 later "],
    ["{{for e in none.entries()}}{{e.key}}{{endfor}}end", "end"],
    ["{{if none.entries()}}some{{else}}none{{endif}}", "none"],
  ])("%s", async (text, expected) => {
    expect(await printed(text, DATA)).toBe(expected);
  });

  test.each([
    ["{{for e in list.entries()}}{{endfor}}", "$entries needs an object, but got a list", "/list"],
    ["{{for e in name.entries()}}{{endfor}}", "$entries needs an object, but got text", "/name"],
    [
      "{{for e in prices.entries()}}{{e.entries()}}{{endfor}}",
      "$entries needs an object",
      "/prices/pear",
    ],
    [
      "{{for e in prices}}{{endfor}}",
      "repeats 'prices', which is an object and not a list",
      "/prices",
    ],
    [
      "{{for e in people.entries()}}{{e.value.born}}{{endfor}}",
      "'e.value.born' was not provided",
      "/people/ann/born",
    ],
    [
      "{{#people.entries()}}{{value.born}}{{/}}",
      "'value.born' was not provided",
      "/people/ann/born",
    ],
    [
      "{{for e in prices.entries().sort(key)}}{{e.value.x}}{{endfor}}",
      "'e.value.x' was not provided",
      "/prices/a~1b/x",
    ],
    ["{{for e in people.entries()}}{{e.value + 1}}{{endfor}}", "cannot be computed", "/people/ann"],
  ])("%s reports the place", async (text, message, pointer) => {
    const { warnings } = await outcome(p(text), DATA);
    const found = warnings.find((each) => each.message.includes(message));
    expect(found?.pointer).toBe(pointer);
  });

  test("an object that is repeated by mistake is named with its entries", async () => {
    const { warnings } = await outcome(p("{{for e in prices}}{{e}}{{endfor}}"), DATA);
    expect(warnings[0]?.hint).toBe(
      "For the one object leave out the loop, and write {{prices.pear}}. To keep the loop, give a list: [ … ], or write [prices]. For the keys and values of the object repeat prices.entries().",
    );
  });

  test("functions of other languages lead to entries", async () => {
    for (const name of ["keys", "values", "dictsort"]) {
      const body = p(`{{for e in prices.${name}()}}{{e}}{{endfor}}`);
      await expect(compileTemplate(docx({ body }))).rejects.toMatchObject({
        diagnostics: [{ hint: expect.stringContaining("entries") }],
      });
    }
  });
});
