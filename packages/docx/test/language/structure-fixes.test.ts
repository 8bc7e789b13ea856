import { describe, expect, test } from "vitest";
import { p, table } from "../../../ooxml/test/support/docx.ts";
import { outcome, printedBody } from "../support/language.ts";

const DATA = {
  items: [
    { city: "Bern", n: 1 },
    { city: "Bern", n: 2 },
  ],
  rows: [{ n: "A", owner: { id: 1, name: "Ann" } }],
  years: [
    { name: "2025", quarters: ["Q1", "Q2"] },
    { name: "2026", quarters: ["Q3"] },
  ],
  lines: [{ sku: "b" }],
  products: [
    { sku: "a", price: 9 },
    { sku: "b", price: 5 },
  ],
  customers: [{ id: 2, name: "Bob" }],
  id: 2,
  total: -5,
};

async function told(body: string): Promise<string> {
  const { warnings } = await outcome(body, DATA);
  const [first] = warnings.filter(({ code }) => code !== "unused_value");
  return `${first?.code}: ${first?.message} ${first?.hint}`;
}

/** Returns the XML of a row of a table with these texts. */
function row(...texts: readonly string[]): string {
  return table(texts.map((text) => p(text))) + p("");
}

describe("a merge belongs to the tag of a value", () => {
  test.each([
    ["row", "merge"],
    ["cell", "merge"],
    ["row", "mergeAcross"],
  ])("%s :: %s next to a value leads to this tag", async (element, merge) => {
    const first = `{{tablerow i in items}}{{${element} :: ${merge}}}{{i.city}}`;
    const message = await told(row(first, "{{i.n}}{{endtablerow}}"));
    expect(message).toContain(`{{${element} :: ${merge}}} merges nothing, because '${element}'`);
    expect(message).toContain(
      `Write the modifier into the tag of the value: {{i.city :: ${merge}}}.`,
    );
  });

  test("the tag of the hint merges", async () => {
    const { error, bytes } = await outcome(
      row("{{tablerow i in items}}{{i.city :: merge}}", "{{i.n}}{{endtablerow}}"),
      DATA,
    );
    expect(error).toBeNull();
    expect(bytes.length).toBeGreaterThan(0);
  });

  test("a key in parentheses is named", async () => {
    const first = "{{tablerow i in items}}{{row :: merge(i.city)}}{{i.city}}";
    expect(await told(row(first, "{{i.n}}{{endtablerow}}"))).toContain(
      "write {{i.city :: merge}}.",
    );
  });

  test("the item of a loop may have the name 'row'", async () => {
    const first = "{{tablerow row in years.quarters}}{{row :: merge}}";
    const { error } = await outcome(row(first, "x{{endtablerow}}"), DATA);
    expect(error).toBeNull();
  });

  test("an object as the key of a merge has keys itself", async () => {
    const body = row("{{tablerow r in rows}}{{r.n :: merge(r.owner)}}", "{{r.n}}{{endtablerow}}");
    const { warnings } = await outcome(body, DATA);
    const hints = warnings.map(({ hint }) => hint);
    expect(hints).toContain(
      "The key of 'merge' is an object: name one of its keys, as in merge(r.owner.id).",
    );
  });
});

test("columns within columns lead to one block over all of them", async () => {
  const nested =
    "{{tablecolumn y in years}}{{y.name}}{{tablecolumn q in y.quarters}}{{q}}{{endtablecolumn}}{{endtablecolumn}}";
  const message = await told(row("x", nested));
  expect(message).toContain("{{tablecolumn q in years.quarters}}");
  const name = "years.map(quarters.map(outer.name))[$index]";
  expect(message).toContain(`{{${name} :: mergeAcross}}`);
  const heading = `{{${name}}} {{q}}`;
  const body = row("x", `{{tablecolumn q in years.quarters}}${heading}{{endtablecolumn}}`);
  const years = [
    { name: "2025", quarters: ["Q3", "Q4"] },
    { name: "2026", quarters: ["Q3"] },
  ];
  const result = await printedBody(body, { years });
  expect(result).toContain("2025 Q3");
  expect(result).toContain("2025 Q4");
  expect(result).toContain("2026 Q3");
});

test("the opposite case of a column leads to another column", async () => {
  const column = (tags: string): string => row("x", `{{tablecolumn if ${tags}{{endtablecolumn}}`);
  expect(await told(column("show}}a{{else}}b"))).toContain(
    "write another column: {{tablecolumn if not show}} … {{endtablecolumn}}.",
  );
  expect(await told(column("n > 1}}a{{else}}b"))).toContain("{{tablecolumn if not (n > 1)}}");
  expect(await printedBody(column("not (n > 1)}}b"), { n: 1 })).toContain("b");
});

describe("tags that are not in a table", () => {
  test("a row outside a table is a block of text", async () => {
    expect(await told(p("{{tablerow i in items}}{{i.n}}{{endtablerow}}"))).toContain(
      "Outside a table, and in a chart, write {{for i in items}} … {{endfor}}.",
    );
    expect(await printedBody(p("{{for i in items}}{{i.n}}{{endfor}}"), DATA)).toBe("12");
  });

  test("the look of a row is the one of a paragraph", async () => {
    const text = '{{row :: color("red"), when(total < 0)}}x';
    const meant = text.replace("row", "paragraph");
    const value = '{{total :: color("red"), when(total < 0)}}';
    const message = await told(p(text));
    expect(message).toContain(`write ${meant.slice(0, -1)}, and for a value write`);
    expect(message).toContain('write :: color("red"), when(total < 0) into its tag.');
    expect(await printedBody(p(meant), DATA)).toBe("x");
    expect(await printedBody(p(value), { total: 1 })).toBe("1");
  });
});

describe("names in the parentheses of a function", () => {
  test("the item of the loop is known", async () => {
    const text = "{{for l in lines}}{{products.first(sku == sku).price}}{{endfor}}";
    expect(await told(p(text))).toContain("For the item of the loop write sku == l.sku.");
    expect(await printedBody(p(text.replace("== sku", "== l.sku")), DATA)).toBe("5");
  });

  test("in an inner block the loop around it counts, and after its end no longer", async () => {
    const inner =
      "{{for l in lines}}{{if id}}{{products.first(sku == sku).price}}{{endif}}{{endfor}}";
    expect(await told(p(inner))).toContain("For the item of the loop write sku == l.sku.");
    const after = "{{for l in lines}}x{{endfor}}{{products.first(sku == sku).price}}";
    expect(await told(p(after))).toContain("put the tag into {{for x in [sku]}} … {{endfor}}");
  });

  test("an item with the name of the key gets another name", async () => {
    const text = "{{for id in lines.sku}}{{customers.first(id == id).name}}{{endfor}}";
    expect(await told(p(text))).toContain("choose another name, such as x, and write id == x.");
  });

  test("a section gives no name to its items", async () => {
    const text = "{{#lines}}{{products.first(sku == sku).price}}{{/lines}}";
    expect(await told(p(text))).toContain("Write item.sku for the item of a loop around the tag");
  });

  test("outside loops, the value gets another name", async () => {
    expect(await told(p("{{customers.first(id == id).name}}"))).toContain(
      "put the tag into {{for x in [id]}} … {{endfor}}, and write id == x.",
    );
    const meant = "{{for x in [id]}}{{customers.first(id == x).name}}{{endfor}}";
    expect(await printedBody(p(meant), DATA)).toBe("Bob");
  });
});

test("sections of Adobe's document generation are sections here", async () => {
  const text = "{% repeating-section items %}{{n}}{% end-section %}";
  const { warnings } = await outcome(p(text), DATA);
  const hints = warnings.flatMap(({ code, hint }) => (code === "looks_like_tag" ? [hint] : []));
  expect(hints).toEqual(["Write {{#items}}.", "Write {{/}}."]);
  expect(await printedBody(p("{{#items}}{{n}}{{/}}"), DATA)).toBe("12");
  const condition = await outcome(p("{% conditional-section total < 0 %}x{% end-section %}"), DATA);
  expect(condition.warnings[0]?.hint).toBe("Write {{#total < 0}}.");
});

test("a delimiter belongs into the last tag of a loop", async () => {
  const text = '{{for i in items :: delimiter("; ")}}{{i.n}}{{endfor}}';
  expect(await told(p(text))).toContain(
    'as in {{i.key :: delimiter("; ")}} for items with keys, or {{i :: delimiter("; ")}} for single values.',
  );
});

test("columns from the list of each row lead to the list of the first row", async () => {
  const name = "{{tablerow y in years}}{{y.name}}";
  const own = "{{tablecolumn q in y.quarters}}{{q}}{{endtablecolumn}}";
  const hinted = "{{tablecolumn q in years[0].quarters}}{{y.quarters[$index]}}{{endtablecolumn}}";
  expect(await told(row(name, `${own}{{endtablerow}}`))).toContain(`Write ${hinted}:`);
  const data = { years: DATA.years.slice(0, 1) };
  expect(await printedBody(row(name, `${hinted}{{endtablerow}}`), data)).toBe("2025 | Q1 | Q2 / ");
});
