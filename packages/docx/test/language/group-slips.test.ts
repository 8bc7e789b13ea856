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

describe("a function on groups that lack the key", () => {
  test.each([
    ["lines.group(type).max(amount)", "the greatest sum", "max(items.sum(amount))"],
    ["lines.group(type).min(amount * 2)", "the smallest sum", "min(items.sum(amount * 2))"],
    ["orders.group(city).average(total)", "the average sum", "average(items.sum(total))"],
  ])("%s leads to the sums of the groups", async (wrong, what, call) => {
    expect(await hintOf(`{{${wrong}}}`)).toContain(`For ${what} of a group write ${call}.`);
  });

  test.each([
    ["{{lines.group(type).max(items.sum(amount))}}", "178"],
    ["{{lines.group(type).min(items.sum(amount * 2))}}", "336"],
    ["{{orders.group(city).average(items.sum(total))}}", "30"],
  ])("%s prints the result", async (template, line) => {
    expect(await printed(template, DATA)).toBe(line);
  });

  test("adds up no texts", async () => {
    expect(await hintOf("{{lines.group(type).max(name)}}")).not.toContain("sum");
    const sorted = "{{for g in lines.group(type).sort(type)}}{{g.key}}{{endfor}}";
    expect(await hintOf(sorted)).toContain("sort(items.sum(amount) desc)");
  });

  test("is about groups and not about items", async () => {
    const { warnings } = await outcome(p("{{lines.group(type).max(amount)}}"), DATA);
    expect(warnings[0]?.message).toContain("a group of 'lines' has no value for 'amount'");
  });
});

describe("the hint for a function of lists after 'join' has the right order:", () => {
  test.each([
    ['lines.allergens.join(", ").distinct()', "gluten, nuts, egg"],
    ['lines.name.join(", ").sort()', "Apple slice, Baguette, Nut tart, Rye loaf"],
    ['lines.map(name).join("/").reverse()', "Apple slice/Baguette/Nut tart/Rye loaf"],
    ['lines.name.join(", ").limit(2)', "Rye loaf, Nut tart"],
    ['lines.name.join(", ").first()', "Rye loaf"],
  ])("%s", async (wrong, line) => {
    const [, meant] = /: write (.+)\.$/.exec(await hintOf(`{{${wrong}}}`)) ?? [];
    expect(await printed(`{{${meant}}}`, DATA)).toBe(line);
  });
});

describe("dates in several forms", () => {
  const DATES = {
    deliveries: [
      { no: 1, date: "2026-12-03" },
      { no: 2, date: "11/05/2026" },
      { no: 3, date: "15 Nov 2026" },
    ],
  };

  /** Follows the hints for a template until nothing is wrong, at most some times. */
  async function followed(template: string, steps = 4): Promise<string> {
    const { warnings } = await outcome(p(template), DATES);
    const hint = warnings.find(({ code }) => code !== "unused_value")?.hint;
    if (hint === undefined) return printed(template, DATES);
    const [, meant, wrong] = /(\$if\(.+\)) in place of (.+?)(?: at the end.*)?\.$/.exec(hint) ?? [];
    if (meant === undefined || wrong === undefined || steps === 0) return `no way: ${hint}`;
    const at = template.lastIndexOf(wrong);
    const next = template.slice(0, at) + meant + template.slice(at + wrong.length);
    return followed(next, steps - 1);
  }

  test.each([
    [
      '{{for d in deliveries}}{{d.date.toDate("MM/dd/yyyy") :: format("d MMM")}} {{endfor}}',
      "3 Dec 5 Nov 15 Nov ",
    ],
    [
      '{{for d in deliveries}}{{d.date.toDate("d MMMM yyyy") :: format("d MMM")}} {{endfor}}',
      "3 Dec 5 Nov 15 Nov ",
    ],
    [
      '{{for d in deliveries.skip(1)}}{{d.date.toDate("MM/dd/yyyy") :: format("d MMM")}} {{endfor}}',
      "5 Nov 15 Nov ",
    ],
    ['{{for d in deliveries.sort(date.toDate("MM/dd/yyyy"))}}{{d.no}} {{endfor}}', "2 3 1 "],
  ])("are read by following the hints of %s", async (template, line) => {
    expect(await followed(template)).toBe(line);
  });

  test("have no hint if both have the same sign", async () => {
    const { warnings } = await outcome(p('{{due.toDate("MM/dd/yyyy")}}'), { due: "15/11/2026" });
    expect(warnings[0]?.hint).not.toContain("contains");
  });
});

describe("a hint for one key of several keeps the others:", () => {
  const WARES = {
    wares: [
      { name: "b", price: "on request", date: "2026-12-03" },
      { name: "a", price: "1,40", date: "15 Nov 2026" },
    ],
  };

  test.each([
    [
      'price == "on request", $if(price == "on request", 0, price) desc',
      'sort(price == "on request", $if(price == "on request", 0, price).toNumber(",") desc)',
    ],
    ["name desc, date", 'sort(name desc, date.toDate("d MMMM yyyy"))'],
  ])("%s", async (keys, meant) => {
    const { warnings } = await outcome(
      p(`{{for w in wares.sort(${keys})}}{{w.name}}{{endfor}}`),
      WARES,
    );
    expect(warnings.map(({ hint }) => hint).join()).toContain(meant);
  });
});
