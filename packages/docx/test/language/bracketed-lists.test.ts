import { describe, expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { hintsIn, printed } from "../support/language.ts";

const shop = {
  city: "bern",
  allowed: "Bern",
  a: { stock: 1, parts: [{ stock: 2 }, { stock: 3 }] },
  b: { parts: [{ stock: 4 }] },
};

describe("a list in brackets", () => {
  test.each([
    [
      "has functions after 'in'",
      "{{if city in [allowed].map(this.lowercase())}}yes{{endif}}",
      "yes",
    ],
    [
      "has functions after 'not in'",
      "{{if city not in [allowed, a.stock].map(this)}}no{{endif}}",
      "no",
    ],
    ["after 'in' needs no function", '{{if city in ["bern", "ulm"]}}yes{{endif}}', "yes"],
    ["of one path has the keys of its elements", "{{[a.parts].stock.sum()}}", "5"],
    ["of one object has its keys", '{{[a].stock.join("")}}', "1"],
    ["of objects and lists has their keys", "{{[a, a.parts, b.parts].stock.sum()}}", "10"],
  ])("%s", async (_name, template, text) => {
    expect(await printed(template, shop)).toBe(text);
  });

  test("is not a single name in brackets", async () => {
    expect(await hintsIn(p("{{[city]}}"), shop)).toEqual([
      "tag_syntax: For the key 'city' write city without brackets.",
    ]);
  });
});

describe("elements without the key after a list", () => {
  const people = [{ name: "Ann", active: true }, { active: true }];
  const hint =
    "skipped_value: Give each element a value, or write :: optional in the tag if some may lack one.";

  test.each([
    ["{{[people,].name.join()}}"],
    ["{{people.where(active).name.join()}}"],
    ["{{people.where(active).name}}"],
    ["{{for g in people.group(active)}}{{g.items.sort(name).name.join()}}{{endfor}}"],
  ])("are reported where the list is printed: %s", async (template) => {
    expect(await hintsIn(p(template), { people })).toEqual([hint]);
  });

  test.each([
    ["{{people.where(active).name.join() :: optional}}"],
    ["{{people.where(name isPresent).name.join()}}"],
    ["{{people.first(active).name}}"],
  ])("are not reported if they may be missing: %s", async (template) => {
    expect(await hintsIn(p(template), { people })).toEqual([]);
  });

  test("that are lists have a hint for one list of all elements", async () => {
    expect(await hintsIn(p("{{[a.parts, b.parts].sum(stock)}}"), shop)).toContainEqual(
      expect.stringContaining("write .map(this) before the function"),
    );
    expect(await printed("{{[a.parts, b.parts].map(this).sum(stock)}}", shop)).toBe("9");
  });
});
