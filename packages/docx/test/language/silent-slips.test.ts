import { describe, expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { outcome, printed } from "../support/language.ts";

type Data = Readonly<Record<string, unknown>>;

const MX: Data = {
  months: [
    { key: "jan", name: "Jan" },
    { key: "feb", name: "Feb" },
  ],
  rows: [
    { city: "Bern", v: [11, 20], sold: { jan: 11, feb: 20 } },
    { city: "Ulm", v: [5, 7], sold: { jan: 5, feb: 7 } },
  ],
};

/** Returns a table: `¦` separates cells, and each line is a row. */
function table(text: string): string {
  const rows = text.split("\n").map((row) => row.split("¦").map((cell) => p(cell.trim())));
  const columns = Math.max(...rows.map((row) => row.length));
  const grid = '<w:gridCol w:w="1000"/>'.repeat(columns);
  const xml = rows.map((row) => {
    return `<w:tr>${row.map((cell) => `<w:tc>${cell}</w:tc>`).join("")}</w:tr>`;
  });
  return `<w:tbl><w:tblPr/><w:tblGrid>${grid}</w:tblGrid>${xml.join("")}</w:tbl>${p("")}`;
}

/** Returns the warnings about the tags of a template, each with its code and its hint. */
async function warnings(template: string, data: Data): Promise<string[]> {
  const body = template.includes("¦") ? table(template) : p(template);
  const { error, warnings: found } = await outcome(body, data);
  expect(error).toBe(null);
  return found
    .filter(({ code }) => code !== "unused_value")
    .map(({ code, hint = "" }) => `${code}: ${hint}`);
}

/** Expects one warning with a code, whose hint contains a text. */
async function expectHint(template: string, data: Data, code: string, hint: string): Promise<void> {
  const found = await warnings(template, data);
  expect(found).toHaveLength(1);
  expect(found[0]).toContain(`${code}: `);
  expect(found[0]).toContain(hint);
}

describe("a covered cell", () => {
  const under = "\nItem ¦ Qty ¦ Price";

  test.each(["{{total}}", "{{if total}}{{total}}{{endif}}", "in EUR"])(
    "with %s is reported",
    async (content) => {
      const template = `Total ¦ {{cell :: span(2)}} ¦ ${content}${under}`;
      await expectHint(template, { total: 5 }, "covered_cell", "into the first of the cells");
    },
  );

  test("is not reported if nothing in it prints, or the number depends on the data", async () => {
    expect(await warnings(`{{cell :: span(2)}}Total ¦ ¦ {{total}}${under}`, { total: 5 })).toEqual(
      [],
    );
    const sometimes = `{{cell :: span(2), when(isHead)}}Total ¦ {{total}} ¦ a${under}`;
    expect(await warnings(sometimes, { total: 5, isHead: false })).toEqual([]);
    const template = `{{cell :: span(n)}}Total ¦ {{total}} ¦ a${under}`;
    expect(await warnings(template, { total: 5, n: 1 })).toEqual([]);
  });
});

describe("words in quotes", () => {
  const data = { "first name": "Ann" };

  test.each([
    ["“first name”", ""],
    ["'first name'", ""],
    ['"first name" :: uppercase', " :: uppercase"],
  ])("%s that are a key of the data are reported", async (tag, modifiers) => {
    await expectHint(`{{${tag}}}`, data, "quoted_name", `{{this["first name"]${modifiers}}}`);
  });

  test("that are a key of an item are reported with the name of the item", async () => {
    const template = '{{for i in items}}{{"first name"}}{{endfor}}';
    await expectHint(template, { items: [data] }, "quoted_name", '{{i["first name"]}}');
    expect(
      await printed('{{for i in items}}{{i["first name"]}}{{endfor}}', { items: [data] }),
    ).toBe("Ann");
  });

  test("are text without such a key", async () => {
    expect(await warnings('{{"first name"}}', { name: "Ann" })).toEqual([]);
  });

  test("or digits that are a key are reported", async () => {
    await expectHint("{{2026}}", { 2026: 5 }, "quoted_name", '{{this["2026"]}}');
    expect(await printed('{{this["2026"]}}', { 2026: 5 })).toBe("5");
    expect(await warnings("{{2026}}", { total: 5 })).toEqual([]);
  });
});

describe("French quotes", () => {
  test("do not keep the spaces that Word adds", async () => {
    expect(await printed("{{discount :: default(«\u00a0none\u00a0»)}}", {})).toBe("none");
    expect(await printed("{{discount ?? «\u202fnone\u202f»}}", {})).toBe("none");
    const template = "{{if status == «\u00a0open\u00a0»}}yes{{endif}}";
    expect(await printed(template, { status: "open" })).toBe("yes");
  });

  test("keep plain spaces, and further ones", async () => {
    expect(await printed("{{discount ?? « none »}}", {})).toBe(" none ");
    expect(await printed("{{discount ?? «\u00a0\u00a0none\u00a0»}}", {})).toBe("\u00a0none");
    expect(await printed('{{discount ?? "\u00a0none"}}', {})).toBe("\u00a0none");
  });
});

describe("a comparison that never holds", () => {
  test.each([
    ['$index != "last"', "{{if not $last}}"],
    ["$index != last", "{{if not $last}}"],
    ["$index != $last", "{{if not $last}}"],
    ["$index == $first", "{{if $first}}"],
    ['$number == "first"', "{{if $first}}"],
    ['i.$index != "last"', "{{if not i.$last}}"],
  ])("is reported for %s", async (condition, meant) => {
    const template = `{{for i in items}}{{if ${condition}}}, {{endif}}{{endfor}}`;
    const found = await warnings(template, { items: [1, 2] });
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(meant);
  });

  test.each([
    ["$index < $length", "$number < $length, or {{if not $last}}"],
    ["$index != $length", "{{if not $last}}"],
    ["$length > $index", "{{if not $last}}"],
    ["$index >= $length", "{{if $last}}"],
  ])("is reported if it is always true or always false: %s", async (condition, meant) => {
    const template = `{{for i in items}}{{if ${condition}}}, {{endif}}{{endfor}}`;
    await expectHint(template, { items: [1, 2] }, "doubtful_order", meant);
  });

  test.each(["$number < $length", "$index < 1", '$index == "1"', "$index + 1 < $length"])(
    "is not reported for %s",
    async (condition) => {
      const template = `{{for i in items}}{{if ${condition}}}, {{endif}}{{endfor}}`;
      expect(await warnings(template, { items: [1, 2] })).toEqual([]);
    },
  );

  test("is reported for a number and a word", async () => {
    const template = '{{if total == "open"}}x{{endif}}';
    await expectHint(template, { total: 3 }, "doubtful_comparison", "'total' is a number");
  });

  test.each([
    '{{if price != "on request"}}{{price}}{{endif}}',
    '{{$if(price == "on request", "ask", price)}}',
    '{{if price != ""}}x{{endif}}',
    '{{items.count(qty == "none")}}',
    '{{for i in items}}{{if i.qty == "none"}}x{{endif}}{{endfor}}',
    '{{#items}}{{if qty == "none"}}x{{endif}}{{/items}}',
  ])("is not reported for %s, where text is possible", async (template) => {
    const data = { price: 3, items: [{ qty: 1 }, { qty: "none" }] };
    expect(await warnings(template, data)).toEqual([]);
  });
});

describe("values of an outer list", () => {
  const line = (name: string): Data => ({ name });
  const orders = [
    { no: 1, lines: [line("a")] },
    { no: 2, lines: [line("b")] },
  ];

  test("are reported in a loop over a list within it", async () => {
    await expectHint(
      "{{for l in orders.lines}}{{orders.no}} {{l.name}}{{endfor}}",
      { orders },
      "list_in_loop",
      "{{for o in orders}}{{for l in o.lines}} … {{o.no}}",
    );
  });

  test("are not reported for an object, or if the tag joins them", async () => {
    const template = "{{for l in order.lines}}{{order.no}} {{l.name}}{{endfor}}";
    expect(await warnings(template, { order: orders[0] })).toEqual([]);
    const joined = '{{for l in orders.lines}}{{orders.no.join("/")}} {{l.name}}{{endfor}}';
    expect(await warnings(joined, { orders })).toEqual([]);
    const many = "{{for l in order.lines}}{{order.tags}} {{l.name}}{{endfor}}";
    expect(await warnings(many, { order: { ...orders[0], tags: ["x", "y"] } })).toEqual([]);
  });
});

describe("a position in a list of each item", () => {
  const head = "City ¦ {{tablecolumn m in months}}{{m.name}}{{endtablecolumn}}\n";
  const row = (tag: string): string =>
    `{{tablerow r in rows}}{{r.city}} ¦ {{${tag}}}{{endtablerow}}\n`;

  test.each(["rows.v[$index].sum()", "rows.v[m.$index].sum()", "rows.v[$index]"])(
    "is reported if the tag takes one number of all: %s",
    async (tag) => {
      const template = `${head}${row("r.v[$index]")}Total ¦ {{${tag}}}`;
      await expectHint(template, MX, "list_in_loop", "{{rows.sum(v[m.$index])}}");
    },
  );

  test("is right in the form of the hint", async () => {
    const template = `${head}${row("r.v[$index]")}Total ¦ {{rows.sum(v[m.$index])}}`;
    expect(await warnings(template, MX)).toEqual([]);
    expect((await outcome(table(template), MX)).lines).toContain("Total | 16 | 27");
  });

  test("is not reported for a list of lists", async () => {
    const template = `${head}${row("r.v[$index]")}Total ¦ {{report.columns[$index].sum()}}`;
    const report = { columns: [[1], [2]] };
    expect(await warnings(template, { ...MX, report })).toEqual([]);
  });

  test.each(["r.v[$index]", "r.v[r.$index]", "rows[$index].v[$index]"])(
    "is reported if it is the one of the item: %s",
    async (tag) => {
      const template = `City ¦ A\n{{tablerow r in rows}}{{r.city}} ¦ {{${tag}}}{{endtablerow}}`;
      await expectHint(template, MX, "list_in_loop", "r.v[m.$index], or name the position: r.v[0]");
    },
  );

  test.each(["r.v[r.$index]", "rows[$index].v[$index]"])(
    "is reported in a column if it is the same twice: %s",
    async (tag) => {
      await expectHint(head + row(tag).trim(), MX, "list_in_loop", "r.v[m.$index]");
    },
  );

  test.each(["r.v[$index]", "r.v[m.$index]", "rows[r.$index].v[m.$index]", "r.sold[m.key]"])(
    "is not reported for the position of the column: %s",
    async (tag) => {
      expect(await warnings(head + row(tag).trim(), MX)).toEqual([]);
    },
  );

  test("is not reported in a loop within the loop", async () => {
    const template = "{{for r in rows}}{{for m in months}}{{r.v[$index]}}{{endfor}}{{endfor}}";
    expect(await warnings(template, MX)).toEqual([]);
  });
});

describe("markup around a tag", () => {
  const data = { a: "A", b: "B", url: "https://shop.example" };

  test.each([
    ["<b>{{a}}</b>", "{{a :: bold}}"],
    ["<em>{{a}}</em>", "{{a :: italic}}"],
    ["{{a}}<br>{{b}}", "Shift+Enter"],
    ['<a href="{{url}}">Shop</a>', '{{url :: link("Shop")}}'],
    ["[Shop]({{url}})", '{{url :: link("Shop")}}'],
    ["**{{a}}**", "{{a :: bold}}"],
    ["__{{a}}__", "{{a :: bold}}"],
  ])("is reported: %s", async (template, hint) => {
    await expectHint(template, data, "looks_like_markup", hint);
  });

  test.each(["____{{a}}____", "<{{a}}>", "{{a}} <b>", "a < {{a}} > b", "({{a}})", "<x>{{a}}</x>"])(
    "is not found in %s",
    async (template) => {
      expect(await warnings(template, data)).toEqual([]);
    },
  );
});

describe("a check box", () => {
  test("for a word such as a status is reported", async () => {
    const template = "{{status :: checkbox}} paid";
    await expectHint(
      template,
      { status: "open" },
      "text_as_condition",
      '{{(status == "paid") :: checkbox}}',
    );
  });

  test.each(["yes", "x", "true", "Ja", "555-1234", "Call before delivery", ""])(
    "is not reported for the text '%s'",
    async (status) => {
      expect(await warnings("{{status :: checkbox}} done", { status })).toEqual([]);
    },
  );

  test("is not reported if the value is printed next to it", async () => {
    expect(await warnings("{{note :: checkbox}} {{note}}", { note: "urgent" })).toEqual([]);
  });
});

describe("the name of a picture's file", () => {
  test.each(["photo", "companyLogo", "IMG", "front_image"])("is reported for %s", async (key) => {
    const hint = '{"type": "file", "id": …}';
    await expectHint(`{{${key}}}`, { [key]: "ann.png" }, "external_image", hint);
  });

  test.each([
    ["photo", "see ann.png"],
    ["photo", "ann.pdf"],
    ["file", "ann.png"],
    ["catalogo", "ann.png"],
  ])("is not reported for %s: %s", async (key, value) => {
    expect(await warnings(`{{${key}}}`, { [key]: value })).toEqual([]);
  });
});

describe("groups with the same printed key", () => {
  const dates = (...all: string[]): Data => ({ invoices: all.map((date) => ({ date })) });
  const template = (pattern: string): string =>
    `{{for g in invoices.group(date)}}{{g.key :: format("${pattern}")}}: {{endfor}}`;

  test.each([
    ["MMMM yyyy", ".group(date.startOfMonth())"],
    ["yyyy", ".group(date.year())"],
    ["MMMM", '.group(date.format("MMMM")), and {{g.key}}'],
  ])("are reported for %s", async (pattern, hint) => {
    const data = dates("2026-01-02", "2026-01-05");
    await expectHint(template(pattern), data, "doubtful_group", hint);
  });

  test("are not reported for different ones", async () => {
    expect(await warnings(template("MMMM yyyy"), dates("2026-01-02", "2026-02-05"))).toEqual([]);
    expect(await warnings(template("dd.MM.yyyy"), dates("2026-01-02", "2026-01-05"))).toEqual([]);
  });
});

describe("a currency sign after the tag", () => {
  test.each([
    '{{t :: currency("EUR")}} €',
    '{{t :: currency("EUR")}}€',
    '{{t :: currency("GBP")}} £',
  ])("is reported: %s", async (template) => {
    await expectHint(template, { t: 5 }, "doubtful_sign", "after the tag");
  });

  test("is not reported if it belongs to the next number", async () => {
    const template = '{{t :: currency("EUR")}} €{{t :: number(2)}}';
    expect(await warnings(template, { t: 5 })).toEqual([]);
    expect(await warnings('{{t :: currency("EUR")}} £', { t: 5 })).toEqual([]);
  });
});

describe("a default number", () => {
  test("that the format does not change is reported", async () => {
    const template = '{{discount :: default(0), currency("EUR")}}';
    const hint = '{{discount ?? 0 :: currency("EUR")}}';
    await expectHint(template, {}, "modifier_without_effect", hint);
    expect(await printed(hint, {})).toBe("€0.00");
  });

  test.each([
    ["{{discount :: default(0), number(0)}}", {}],
    ['{{discount :: default("0.00"), number(2)}}', {}],
    ['{{discount :: default("none"), currency("EUR")}}', {}],
    ['{{discount :: default(0), currency("EUR")}}', { discount: 1 }],
  ])("is not reported in %s", async (template, data) => {
    expect(await warnings(template, data)).toEqual([]);
  });
});

test("the text after '??' is not taken for a value of the data", async () => {
  expect(await warnings('{{phone ?? "n/a"}}', {})).toEqual([]);
  await expectHint('{{phone ?? "none"}}', { phone: "N/A" }, "empty_text", "Leave the key out");
});
