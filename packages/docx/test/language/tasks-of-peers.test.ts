/** Mistakes in templates for the tasks of other engines' documentation. */
import { describe, expect, test } from "vitest";
import { p, table } from "../../../ooxml/test/support/docx.ts";
import { hintsIn, outcome, printed } from "../support/language.ts";

const DATA = {
  ConversionA: [{ Rate: 2, Method: "a" }],
  Unrated: [{ Rate: null }, { Rate: null }],
  none: null,
  empty: [],
  order: { a: 1 },
  items: [{ tags: [1], note: "" }, { note: "" }, { note: null }],
  current: { p1: 4 },
  subscriptions: [
    { price: "1,049", licenses: "" },
    { price: "49.50", licenses: "3" },
    { price: "900", licenses: "1" },
  ],
  price: 4,
  contracts: [{ frequency: ["A", "B"] }, { frequency: ["C"] }],
  phones: ["1234", "123999", "44"],
  criteria: ["a", "b"],
  systems: [
    { name: "S1", score: { a: 1, b: 2 } },
    { name: "S2", score: { a: 5 } },
  ],
};

const hints = (text: string): Promise<string[]> => hintsIn(p(text), DATA);
const withElse = (condition: string): string => `{{if ${condition}}}y{{else}}n{{endif}}`;
const columnIf = (condition: string): string =>
  table([p("a"), p(`{{tablecolumn if ${condition}}}x{{endtablecolumn}}`)]);
/** A condition on the item of a loop over the items. */
const perItem = (condition: string): string => `{{for i in items}}${withElse(condition)}{{endfor}}`;
const OPTIONAL =
  "missing_in_condition: If the list may be missing, write (ConvB ?? []) in its place.";

describe("a condition that computes with a missing list", () => {
  test.each([
    "ConvB.count() > 0",
    "ConvB.where(Rate > 1).count() > 0",
    "ConvB.sum(Rate) == 5",
    'ConvB.where(Method != "x")',
    "not ConvB.where(Rate > 1)",
    "ConvB.first().Rate > 0",
    "order.a == 1 and ConvB.count() > 0",
    "order.a == 2 or ConvB.count() > 0",
  ])("%s is reported", async (condition) => {
    expect(await hints(withElse(condition))).toEqual([OPTIONAL]);
  });

  test("is reported in a column, a section, $if and a look", async () => {
    const column = columnIf("ConvB.sum(Rate) == 5");
    expect(await hintsIn(column, DATA)).toEqual([OPTIONAL]);
    expect(await hints("{{#ConvB.count() > 0}}x{{/}}")).toEqual([OPTIONAL]);
    expect(await hints('{{$if(ConvB.count() > 0, "y", "n")}}')).toEqual([OPTIONAL]);
    expect(await hints("{{order.a :: bold, when(ConvB.count() > 2)}}")).toEqual([OPTIONAL]);
  });

  test.each([
    "(ConvB ?? []).count() > 0",
    "(ConvB.count() ?? 0) > 0",
    "ConvB",
    "ConvB and ConvB.count() > 0",
    "ConvB isPresent and ConvB.sum(Rate) == 5",
    "ConvB isEmpty or ConvB.count() == 0",
    "ConvB.where(Rate > 1) isEmpty",
    "ConvB.first() == null",
    "order.a == 2 and ConvB.count() > 0",
    "order.a == 1 or ConvB.count() > 0",
    "none.count() > 0",
    "none.lines.count() > 0",
    "empty.tags.count() > 0",
    "order.notes.trim()",
  ])("%s is not reported", async (condition) => {
    expect(await hints(withElse(condition))).toEqual([]);
  });

  test("is not reported for an item that lacks it, unless its count is compared as 0", async () => {
    expect(await hints(perItem("i.tags.count() > 0"))).toEqual([]);
    expect(await hints(perItem("i.tags.count() == 1"))).toEqual([]);
    expect(await hints(perItem("i.tags.count() == 0"))).toEqual([
      "missing_in_condition: If the list may be missing, write (i.tags ?? []) in its place.",
    ]);
    expect(await printed(perItem("(i.tags ?? []).count() == 0"), DATA)).toBe("nyy");
    expect(await hints(withElse("none.count() == 0"))).toEqual([OPTIONAL.replace("ConvB", "none")]);
  });

  test("is reported with the key that no item has, once", async () => {
    const [hint, ...others] = await hints(perItem("i.absent.count() > 0"));
    expect(hint).toMatch(/^missing_in_condition: .*\(i\.absent \?\? \[\]\)/);
    expect(others).toEqual([]);
  });

  test("is reported for values of items that are all null", async () => {
    const { warnings } = await outcome(p(withElse("(Unrated.Rate.sum()) > 0")), DATA);
    expect(warnings.map(({ message }) => message)).toContain(
      "The condition {{if (Unrated.Rate.sum()) > 0}} uses 'Unrated.Rate', which has no value.",
    );
  });

  test.each(['order.z.lowercase() == "a"', "order.a - order.z > 0"])(
    "or with a missing value, as in %s, is reported",
    async (condition) => {
      expect(await hints(withElse(condition))).toEqual([
        "missing_in_condition: If it may be missing, ask for it first: order.z isPresent.",
      ]);
      expect(await hints(withElse(`order.z isPresent and ${condition}`))).toEqual([]);
    },
  );
});

describe("a missing element of a list in a loop", () => {
  const loop = (list: string, inside: string): string =>
    `{{for x in [${list}]}}${inside}{{endfor}}`;

  test("is named where a condition computes with it", async () => {
    const inside = withElse('x.where(Method != "b")');
    expect(await hints(loop("ConversionA, ConvB", inside))).toEqual([OPTIONAL]);
    expect(await hints(loop("ConversionA, (ConvB ?? [])", inside))).toEqual([]);
    expect(await hints(loop("order.a, order.z", withElse("x")))).toEqual([]);
  });

  test("is named where a tag computes with it", async () => {
    expect(await hints(loop("ConversionA, ConvB", "{{x.sum(Rate)}}"))).toEqual([
      "missing_value: The list names 'ConvB', which has no value: correct its name, add it to the data, or write what counts in its place with ??.",
    ]);
    expect(await hints(loop("red, green", "{{x}}"))).toEqual([
      'missing_value: The elements of the list are names of values. If they are texts, put them in quotes: ["red", "green"].',
    ]);
  });

  test("is named where a condition compares a computation with it", async () => {
    const body = "{{if x > 0}}a{{elseif x < 0}}b{{else}}c{{endif}}";
    const { warnings } = await outcome(p(loop("current.p1 - previous.p1", body)), DATA);
    const [{ message, hint, pointer } = {}, ...others] = warnings.filter(
      ({ code }) => code === "missing_in_condition",
    );
    expect(message).toBe(
      "The condition {{if x > 0}} compares 'x', which has no value because 'previous.p1' has none.",
    );
    expect(hint).toMatch(/^The list names 'previous\.p1'/);
    expect(pointer).toBe("/previous/p1");
    expect(others).toEqual([]);
  });
});

test("a list of empty texts that counts as true is reported", async () => {
  const hint =
    "text_as_condition: To ask for an element that is not empty, write items.note.nonEmpty().";
  expect(await hints(withElse("items.note"))).toEqual([hint]);
  expect(await hintsIn(columnIf("items.note"), DATA)).toEqual([hint]);
  expect(await hints(withElse("items.note.nonEmpty()"))).toEqual([]);
  expect(await printed(withElse("items.note.nonEmpty()"), DATA)).toBe("n");
});

describe("a text in place of a number", () => {
  const loop = (inside: string): string => `{{for s in subscriptions}}${inside}{{endfor}}`;

  test("is named if ?? does not replace it", async () => {
    const wrong = loop('{{s.price.toNumber(".") * (s.licenses ?? 0)}}');
    const [{ message, hint } = {}] = (await outcome(p(wrong), DATA)).warnings;
    expect(message).toContain("'s.licenses' is text that is not a number");
    expect(hint).toContain("write $if(s.licenses, s.licenses, 0) in place of (s.licenses ?? 0)");
    const meant = loop('{{s.price.toNumber(".") * $if(s.licenses, s.licenses, 0)}} ');
    expect(await printed(meant, DATA)).toBe("0 148.5 900 ");
  });

  test("is named if a function or a condition takes it", async () => {
    expect(await hints("{{subscriptions.first().licenses * 2}}")).toEqual([
      expect.stringContaining("write what counts in its place, as in $if(subscriptions.first()"),
    ]);
    expect(await hints(loop("{{if s.price > 30}}a{{endif}}"))).toEqual([
      expect.stringContaining('Write s.price.toNumber(".") if it is between thousands'),
    ]);
  });

  test("is sorted and compared by its number", async () => {
    const sorted = (key: string): string =>
      `{{for s in subscriptions.sort(${key} desc)}}{{s.price}} {{endfor}}`;
    expect(await hints(sorted("price"))).toEqual([
      'doubtful_comparison: Write numbers as 1234.5. Or sort by a number: write price.toNumber(".") in place of price.',
    ]);
    expect(await printed(sorted('price.toNumber(".")'), DATA)).toBe("1,049 900 49.50 ");
    const compared = (price: string): string =>
      loop(`{{if ${price} == subscriptions.max(price.toNumber("."))}}top{{endif}}`);
    expect(await hints(compared("s.price"))).toEqual([
      'doubtful_comparison: For the number write s.price.toNumber(".") in place of s.price.',
    ]);
    expect(await printed(compared('s.price.toNumber(".")'), DATA)).toBe("top");
  });

  test("may be of either form", async () => {
    const data = { items: [{ n: "1,200" }, { n: "9" }, { n: "30" }] };
    expect(await hintsIn(p("{{for i in items.sort(n)}}{{i.n}}{{endfor}}"), data)).toEqual([
      expect.stringMatching(/n\.toNumber\("[.,]"\) in place of n if .+ n\.toNumber\("[.,]"\) if/),
    ]);
  });
});

describe("the hint for an unused value", () => {
  async function hintOf(text: string, data: Record<string, unknown>): Promise<string | undefined> {
    const { warnings } = await outcome(p(text), data);
    return warnings.find(({ code }) => code === "unused_value")?.hint;
  }

  test("names no key that the data has", async () => {
    const data = { account: "x", loans: [{ amount: 3 }] };
    expect(await hintOf("{{loans.map(amount)}}", data)).toBeUndefined();
    expect(await hintOf("{{#loans}}{{amount}}{{/}}", data)).toBeUndefined();
  });

  test("names a key that the data lacks", async () => {
    expect(await hintOf("{{accuont}}", { account: "x" })).toBe("Did you mean 'accuont'?");
    const data = { account: "x", loans: [{ id: 3 }] };
    expect(await hintOf("{{#loans}}{{id}}{{acount}}{{/}}", data)).toBe("Did you mean 'acount'?");
  });
});

describe("a function on one value that is called on a list", () => {
  test.each([
    ['{{for c in contracts}}{{c.frequency.lowercase().join(", ")}} {{endfor}}', "c.frequency"],
    ["{{contracts.frequency.lowercase()}}", "contracts.frequency"],
    ["{{phones.sort(this).lowercase()}}", "phones.sort(this)"],
  ])("%s is written for each element", async (template, list) => {
    const meant = `${list}.map(this.lowercase())`;
    const [hint] = await hints(template);
    expect(hint).toContain(`For each element write ${meant}`);
    expect(await hints(template.replace(`${list}.lowercase()`, meant))).toEqual([]);
  });

  test.each([
    ["for g in phones.group(substring(0, 3))", "for g in phones.group(this.substring(0, 3))"],
    ["for g in phones.sort(length())", "for g in phones.sort(this.length())"],
    ["for g in phones.sort(length() desc)", "for g in phones.sort(this.length() desc)"],
    ['for g in phones.where(startsWith("1"))', 'for g in phones.where(this.startsWith("1"))'],
  ])("%s is written with 'this'", async (wrong, meant) => {
    expect(await hints(`{{${wrong}}}{{endfor}}`)).toEqual([`tag_syntax: Write {{${meant}}}.`]);
    expect(await hints(`{{${meant}}}{{endfor}}`)).toEqual([]);
  });
});

describe("an element that some items lack", () => {
  test.each(["average", "max", "map"])("may be left out of %s", async (name) => {
    const template = (list: string): string =>
      `{{for s in systems}}{{${list}.${name}(s.score[this])}} {{endfor}}`;
    const [hint] = await hints(template("criteria"));
    const meant = "criteria.where(s.score[this] isPresent)";
    expect(hint).toContain(`To leave out such items, write ${meant}.${name}(s.score[this]).`);
    expect(await hints(template(meant))).toEqual([]);
  });

  test("may be left out of a computation in sort", async () => {
    const sorted = (list: string): string =>
      `{{for s in systems.sort(${list}.map(outer.score[this]).average() desc)}}{{s.name}}{{endfor}}`;
    const [hint] = await hints(sorted("criteria"));
    const meant = "criteria.where(outer.score[this] isPresent)";
    expect(hint).toContain(`write ${meant}.map(outer.score[this])`);
    expect(await printed(sorted(meant), DATA)).toBe("S2S1");
  });

  test("counts in a sum", async () => {
    expect(await hints("{{for s in systems}}{{criteria.sum(s.score[this])}}{{endfor}}")).toEqual([
      "invalid_value: If some may lack it, write what counts in its place, as in sum(s.score[this] ?? 0).",
    ]);
  });
});
