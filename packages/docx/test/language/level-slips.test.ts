import { describe, expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { outcome, printed } from "../support/language.ts";

const DATA = {
  company: { name: "Quell AG" },
  order: { no: "A-1", total: 1249.95, discount: 0.05 },
  customer: { email: "a@b.example", address: { street: "Rheinweg 5", city: "Basel" } },
  departments: [
    { name: "Sales", staff: [{ name: "Ann" }, { name: "Bob" }], address: { zip: "1" } },
    { name: "IT", staff: [{ name: "Cem" }], address: { zip: "2" } },
  ],
  months: [
    { name: "Jan", sold: 10 },
    { name: "Feb", sold: 20 },
  ],
};

/** Returns the warnings about the mistakes of a template. Each paragraph is one of the texts. */
async function mistakesIn(...texts: readonly string[]) {
  const { warnings } = await outcome(texts.map((text) => p(text)).join(""), DATA);
  return warnings.filter(({ code }) => code !== "unused_value");
}

async function hintsFor(...texts: readonly string[]): Promise<(string | undefined)[]> {
  return (await mistakesIn(...texts)).map(({ hint }) => hint);
}

describe("a hint names the key at another level", () => {
  test.each([
    ["customer.city", "customer.address.city"],
    ["customer.address.email", "customer.email"],
    ["street", "customer.address.street"],
    ["customer.company.name", "company.name"],
  ])("for %s it is %s", async (wrong, right) => {
    expect(await hintsFor(`{{${wrong}}}`)).toEqual([`Did you mean '${right}'?`]);
  });

  test.each([
    ["d.company.name", "company.name"],
    ["d.zip", "d.address.zip"],
    ["zip", "d.address.zip"],
  ])("for %s in a loop it is %s", async (wrong, right) => {
    const hints = await hintsFor("{{for d in departments}}", `{{${wrong}}}`, "{{endfor}}");
    expect(hints[0]).toBe(`Did you mean '${right}'?`);
  });
});

test("a hint leaves out the list before the name of its item", async () => {
  const hints = await hintsFor("{{for m in months}}", "{{months.m.name}}", "{{endfor}}");
  expect(new Set(hints)).toEqual(new Set(["Did you mean 'm.name'?"]));
});

describe("a hint names the item of the outer loop", () => {
  const inLoops = (tag: string) =>
    hintsFor("{{for d in departments}}{{for s in d.staff}}", tag, "{{endfor}}{{endfor}}");

  test.each(["{{parent.name}}", "{{up.name}}"])("for %s", async (tag) => {
    const [hint] = await inLoops(tag);
    expect(hint).toBe("'d' is the item of the loop around this one. Did you mean 'd.name'?");
  });

  test("for outer, which belongs to functions", async () => {
    const [hint] = await inLoops("{{outer.name}}");
    expect(hint).toContain("Did you mean 'd.name'?");
  });

  test("for a path through the inner item", async () => {
    expect((await inLoops("{{s.d.name}}"))[0]).toBe("Did you mean 'd.name'?");
  });

  test("in sections, whose items have no names", async () => {
    const [hint] = await hintsFor("{{#departments}}{{#staff}}{{parent.name}}{{/}}{{/}}");
    expect(hint).toBe(
      "Give the item of the outer list a name, as in 'for x in departments' in place of '#departments', and write x.name.",
    );
  });
});

describe("a percentage as the argument of percent", () => {
  test.each(["order.total :: percent(19)", "order.total.percent(19)"])(
    "in %s leads to a product",
    async (tag) => {
      const [mistake, ...others] = await mistakesIn(`{{${tag}}}`);
      expect(others).toEqual([]);
      expect(mistake?.code).toBe("doubtful_sign");
      expect(mistake?.hint).toBe("For 19% of the value write {{order.total * 0.19 :: number(2)}}.");
    },
  );

  test("with decimals leads to a product, too", async () => {
    expect(await hintsFor("{{order.total :: percent(8.1)}}")).toEqual([
      "Write {{order.total * 0.081 :: number(2)}}.",
    ]);
  });

  test("is not reported for a number of decimals", async () => {
    expect(await mistakesIn("{{order.discount :: percent(2)}}")).toEqual([]);
  });
});

test.each(["if order.total > 1.500", "if 12.340 < order.total", "order.total + 1.250"])(
  "a point between thousands in %s is an error",
  async (tag) => {
    const [mistake] = await mistakesIn(`{{${tag}}}${tag.startsWith("if") ? "x{{endif}}" : ""}`);
    expect(mistake?.hint).toMatch(/^Write \d+ without a separator, or [\d.]+\.$/);
  },
);

test.each(["order.total * 1.050", "order.total + 1.255", "order.total + 0.500"])(
  "a point before decimals in %s is right",
  async (tag) => {
    expect(await mistakesIn(`{{${tag}}}`)).toEqual([]);
  },
);

describe("fields and tags of others", () => {
  test.each([
    ["{ MERGEFIELD customer.email }", "Write {{customer.email}}."],
    ["{ MERGEFIELD customer.email \\* MERGEFORMAT }", "Write {{customer.email}}."],
    ['{ DATE \\@ "d MMMM yyyy" }', 'Write {{$today :: format("d MMMM yyyy")}}.'],
    ["{ PAGE }", "Insert a page number with Word in place of this text."],
    ["{% conditional-section expr(order.discount) %}", "Write {{#order.discount}}."],
    ["{% end-if %}", "Write {{endif}}."],
  ])("%s as text leads to its equivalent", async (text, hint) => {
    expect(await hintsFor(`{{order.no}} ${text}`)).toEqual([hint]);
  });

  test("a template without other tags gets the same hints", async () => {
    expect(await hintsFor("{ MERGEFIELD order.no }")).toEqual(["Write {{order.no}}."]);
    expect(await hintsFor("{ PAGE }")).toEqual([
      "Insert a page number with Word in place of this text.",
    ]);
  });
});

describe("in a table", () => {
  const row = (...cells: readonly string[]) =>
    `<w:tbl><w:tr>${cells.map((text) => `<w:tc>${p(text)}</w:tc>`).join("")}</w:tr></w:tbl>${p("")}`;

  test.each(["cell :: merge(2)", "cell :: mergeAcross(2)", "order.no :: merge(2)"])(
    "a number in %s leads to span",
    async (tag) => {
      const { warnings } = await outcome(row(`{{${tag}}}`, ""), DATA);
      expect(warnings[0]?.hint).toBe("To cover 2 cells of the row write {{cell :: span(2)}}.");
    },
  );

  test.each([
    "{{for m in months}}{{m.name}}{{endfor}}",
    "{{for m in months.where(sold > 0)}}{{m.sold}}{{endfor}}",
    "{{#months}}{{name}}{{/months}}",
  ])("the items of %s run together in a cell with a warning", async (text) => {
    const { warnings } = await outcome(row("Month", text), DATA);
    expect(warnings.map(({ code }) => code)).toContain("list_in_cell");
  });

  test.each([
    "{{for m in months}}{{m.name}}, {{endfor}}",
    "{{for m in months.limit(1)}}{{m.name}}{{endfor}}",
    "{{for m in months}}{{m.name}}{{$newline}}{{endfor}}",
    '{{for m in months}}{{m.name :: delimiter(", ")}}{{endfor}}',
    "{{for m in months}}{{if $first}}{{m.name}}{{endif}}{{endfor}}",
    "{{for m in months}}{{m.name}}{{m.sold}} {{endfor}}",
  ])("%s in a cell gets no warning", async (text) => {
    const { warnings } = await outcome(row("Month", text), DATA);
    expect(warnings.filter(({ code }) => code !== "unused_value")).toEqual([]);
  });

  test("the tag of the hint makes rows", async () => {
    const { warnings } = await outcome(row("M", "{{for m in months}}{{m.name}}{{endfor}}"), DATA);
    const [, tag] = /write (\{\{tablerow.+?\}\})/.exec(warnings[0]?.hint ?? "") ?? [];
    const { lines } = await outcome(row(`${tag}{{m.name}}`, "{{m.sold}}{{endtablerow}}"), DATA);
    expect(lines.slice(0, 2)).toEqual(["Jan | 10", "Feb | 20"]);
  });
});

test("a hint about ../ says how to reach a name that the item has, too", async () => {
  const [hint] = await hintsFor("{{#departments}}{{#staff}}{{../name}}{{/}}{{/}}");
  expect(hint).toContain("repeat the outer list with {{for x in list}}, and write {{x.name}}.");
});

test("the product that the hint shows is the share of the value", async () => {
  expect(await printed("{{order.total * 0.19 :: number(2)}}", DATA)).toBe("237.49");
});

describe("a hint names the keys of the object that lacks a key", () => {
  test("if none is similar", async () => {
    expect(await hintsFor("{{customer.phone}}")).toEqual([
      `'customer' has: email, address. Add it to the data, or write :: optional or :: default("…") in the tag.`,
    ]);
    const [hint] = await hintsFor("{{for m in months}}{{m.profit}}{{endfor}}");
    expect(hint).toMatch(/^'m' has: name, sold\. Add it/);
  });

  test("unless the keys may be values", async () => {
    const { warnings } = await outcome(p("{{sales.total}}"), { sales: { Meier: 1, Huber: 2 } });
    expect(warnings[0]?.hint).toMatch(/^Add it/);
  });
});
