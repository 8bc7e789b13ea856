/** Templates that are right print the result without a warning, although they resemble mistakes. */
import { describe, expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { outcome } from "../support/language.ts";

/** Returns the text of a paragraph, and the codes of its diagnostics, without those about unused data. */
async function result(text: string, data: Record<string, unknown>): Promise<string> {
  const { error, lines, warnings } = await outcome(p(text), data);
  const codes = warnings.map(({ code }) => code).filter((code) => code !== "unused_value");
  return [lines.join(" / "), ...(error === null ? [] : [error]), ...new Set(codes)].join(" ! ");
}

const SALES = {
  cities: ["Bern", "Ulm"],
  sales: [
    { city: "Bern", amount: 5, no: 1 },
    { city: "Ulm", amount: 3, no: 2 },
  ],
};

test.each([
  ["{{for city in cities}}{{sales.where(this.city == city).sum(amount)}} {{endfor}}", "5 3 "],
  [
    "{{for city in cities}}{{for s in sales.where(s.city == city)}}{{s.no}} {{endfor}}{{endfor}}",
    "1 2 ",
  ],
  ["{{for no in $range(1, 2)}}{{sales.first(this.no == no).amount}} {{endfor}}", "5 3 "],
])("%s names both the key and the item of the loop", async (text, wanted) => {
  expect(await result(text, SALES)).toBe(wanted);
});

test("the item of a loop in place of a key of that name is reported", async () => {
  const text = "{{for city in cities}}{{sales.count(city == amount)}}{{endfor}}";
  expect(await result(text, SALES)).toBe("00 ! hidden_key");
  const data = { temp: [{ t: 3 }, { t: 1 }] };
  expect(await result("{{for t in temp}}{{temp.min(t)}}{{endfor}}", data)).toContain(
    "invalid_data ! invalid_value",
  );
});

describe("sorting", () => {
  const sorted = (keys: readonly string[]): Promise<string> =>
    result("{{list.sort(k).k}}", { list: keys.map((k) => ({ k })) });

  test.each([
    [["1.10", "1.1.1", "1", "1.1"], "1, 1.1, 1.1.1, 1.10"],
    [["101", "12-14", "9"], "9, 12-14, 101"],
    [["0443", "044 123"], "044 123, 0443"],
    [["3", "2–4", "1"], "1, 2–4, 3"],
  ])("%j by their figures is right for numbers that are not amounts", async (keys, wanted) => {
    expect(await sorted(keys)).toBe(wanted);
  });

  test.each([[["1,000", "20"]], [["1.234.567", "20"]], [["5 %", "10"]]])(
    "%j is reported, because they are amounts",
    async (keys) => {
      expect(await sorted(keys)).toMatch(/ ! doubtful_comparison$/);
    },
  );
});

test("a look-up that finds an equal item does not report similar ones", async () => {
  const items = [{ v: "1.1" }, { v: "1.10", t: "b" }];
  expect(await result("{{items.first(v == current).t}}", { items, current: "1.10" })).toBe("b");
  const { warnings } = await outcome(p("{{items.first(v == current).t}}"), {
    items,
    current: "1.100",
  });
  expect(warnings.map(({ code }) => code)).toContain("doubtful_comparison");
});

test("a section that other items of the list have is optional", async () => {
  const items = [{ n: "A", end: "May" }, { n: "B" }];
  expect(await result("{{#items}}{{n}}{{#end}} {{end}}{{/end}};{{/items}}", { items })).toBe(
    "A May;B;",
  );
  expect(await result("{{#items}}{{n}}{{#ende}}x{{/ende}};{{/items}}", { items })).toBe(
    "A;B; ! missing_section",
  );
});

test.each([
  ['{{eur :: currency("EUR")}} EURO 2024', "€5.00 EURO 2024"],
  ["{{share :: percent(0)}} %-age", "20% %-age"],
  ['{{eur :: currency("EUR")}} EUR', "€5.00 EUR ! doubtful_sign"],
  ["{{share :: percent(0)}} %", "20% % ! doubtful_sign"],
])("%s: a sign after a tag counts only as a separate word", async (text, wanted) => {
  expect(await result(text, { eur: 5, share: 0.2 })).toBe(wanted);
});

test("a number of $range in brackets is a position", async () => {
  const data = {
    red: [
      { id: 1, n: "Ann" },
      { id: 2, n: "Bob" },
    ],
    pick: 1,
  };
  expect(await result("{{for k in $range(0, 1)}}{{red[k].n}} {{endfor}}", data)).toBe("Ann Bob ");
  expect(await result("{{red[pick].n}}", data)).toBe("Bob ! position_in_brackets");
});

test("a text with \\n may be looked for", async () => {
  expect(await result('{{t.replace("\\n", " ")}}', { t: "a\\nb" })).toBe("a b");
  expect(await result('{{t.replace("-", "\\n")}}', { t: "a-b" })).toBe("a\\nb ! escape_in_text");
});

describe("a look-up by a value that is missing", () => {
  const data = {
    orders: [{ no: 1, customer: 5 }, { no: 2, customer: null }, { no: 3 }],
    customers: [{ id: 5, name: "X" }],
  };

  test("has the value after ??", async () => {
    const look = 'customers.first(id == o.customer).name ?? "none"';
    expect(await result(`{{for o in orders}}{{${look}}} {{endfor}}`, data)).toBe("X none none ");
  });

  test("needs a name for the item of the loop", async () => {
    const section =
      '{{#orders}}{{customers.first(id == outer.customer).name ?? "none"}} {{/orders}}';
    const { error, warnings } = await outcome(p(section), data);
    expect(error).toBe("invalid_data");
    expect(warnings[0]?.hint).toContain("and write item.customer");
  });

  test("is an error without it, and if a key of the list is missing", async () => {
    const text = "{{for o in orders}}{{customers.first(id == o.customer).name}}{{endfor}}";
    const { error, warnings } = await outcome(p(text), data);
    expect(error).toBe("invalid_data");
    expect(warnings[0]?.hint).toContain('(o.customer ?? "")');
    const wrong = '{{for o in orders}}{{customers.first(nr == o.no).name ?? "none"}}{{endfor}}';
    expect(await result(wrong, data)).toContain("invalid_data ! invalid_value");
  });
});

test("an item named like what a look changes is reported if it could be printed", async () => {
  const text = "{{for paragraph in list}}\n{{paragraph :: italic}}{{paragraph.n}}\n{{endfor}}";
  const body = text
    .split("\n")
    .map((line) => p(line))
    .join("");
  const codes = async (list: readonly unknown[]): Promise<string[]> => {
    const { warnings } = await outcome(body, { list });
    return warnings.map(({ code }) => code);
  };
  expect(await codes([{ n: 1 }])).toEqual([]);
  expect(await codes(["a"])).toContain("hidden_key");
});

describe("brackets", () => {
  test.each([
    ["{{(a.parts ?? []).count()}}", "0"],
    ["{{for x in []}}x{{endfor}}|", "|"],
    ['{{for c in ["red",]}}{{c}}{{endfor}}', "red"],
    ["{{if (a.parts ?? []) isEmpty}}none{{endif}}", "none"],
  ])("%s is a list", async (text, wanted) => {
    expect(await result(text, { a: { n: 1 } })).toBe(wanted);
  });

  test("with one text are a key, which a message explains", async () => {
    const { warnings } = await outcome(p('{{["red"].join("-")}}'), {});
    expect(warnings[0]?.hint).toContain('["red",]');
  });

  test.each([
    ["{{if tags == []}}x{{endif}}", "Write {{if tags isEmpty}}."],
    ["{{if tags != []}}x{{endif}}", "Write {{if not tags isEmpty}}."],
  ])("%s leads to isEmpty", async (text, hint) => {
    const { error, warnings } = await outcome(p(text), { tags: [] });
    expect(error).toBe("invalid_template");
    expect(warnings[0]?.hint).toBe(hint);
  });
});

test("an empty list at the end of a tree is not unused data, but a filled one is", async () => {
  const text = "{{for a in tree}}{{a.n}}{{for b in a.children}}{{b.n}}{{endfor}}{{endfor}}";
  const codes = async (end: readonly unknown[]): Promise<string[]> => {
    const tree = [{ n: 1, children: [{ n: 2, children: end }] }];
    return (await outcome(p(text), { tree })).warnings.map(({ code }) => code);
  };
  expect(await codes([])).toEqual([]);
  expect(await codes([{ n: 3 }])).toEqual(["unused_value"]);
});
