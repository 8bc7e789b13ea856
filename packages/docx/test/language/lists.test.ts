import { describe, expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { outcome, printed, told } from "../support/language.ts";

const ITEMS = {
  items: [
    { name: "pear", qty: 3, price: 0.1, paid: true, city: "Bern" },
    { name: "Apple", qty: 1, price: 2.5, paid: false, city: "Zug" },
    { name: "élan", qty: 2, price: 10, paid: false, city: "Bern" },
  ],
  limit: 2,
  status: "root",
};

describe("a function on a list", () => {
  test.each([
    ["{{for i in items.where(paid == false)}}{{i.name}} {{endfor}}", "Apple élan "],
    ["{{for i in items[paid == false]}}{{i.name}} {{endfor}}", "Apple élan "],
    ["{{for i in items :: where(i.paid == false)}}{{i.name}} {{endfor}}", "Apple élan "],
    ["{{for i in $where(items, not paid)}}{{i.name}} {{endfor}}", "Apple élan "],
    ["{{for i in items.sort(price)}}{{i.qty}}{{endfor}}", "312"],
    ["{{for i in items.sort(price desc)}}{{i.qty}}{{endfor}}", "213"],
    ["{{for i in items.sort(name)}}{{i.name}} {{endfor}}", "Apple élan pear "],
    ["{{for i in items.sort(city, price desc)}}{{i.name}} {{endfor}}", "élan pear Apple "],
    ["{{for i in items :: sort(i.qty), limit(limit)}}{{i.name}} {{endfor}}", "Apple élan "],
    ["{{for i in items.skip(1).reverse()}}{{i.name}} {{endfor}}", "élan Apple "],
    ["{{for i in items.distinct(city)}}{{i.city}} {{endfor}}", "Bern Zug "],
    ['{{items.map(qty * price) :: delimiter("; ")}}', "0.3; 2.5; 20"],
    ["{{#items.where(paid)}}{{name}}{{/}}", "pear"],
    ["{{#items.where(qty > 5)}}x{{/}}{{^items.where(qty > 5)}}none{{/}}", "none"],
    ["{{$sum(items, qty * price)}}", "22.8"],
    ['{{items.sum(qty * price) :: number("0.00")}}', "22.80"],
    ["{{items.where(paid == false).sum(qty * price)}}", "22.5"],
    ["{{items.count(paid == false)}}", "2"],
    ["{{items.count()}}", "3"],
    ["{{items.average(qty)}}", "2"],
    ["{{items.min(price)}}/{{items.max(price)}}", "0.1/10"],
    ["{{items.first(qty < 3).name}}", "Apple"],
    ["{{items.last().name}}", "élan"],
    ["{{items.where(qty < 3).name}}", "Apple, élan"],
    ["{{items[qty < 3].name}}", "Apple, élan"],
    ['{{items.name.sort().join(" / ")}}', "Apple / élan / pear"],
    ['{{items.name :: sort, delimiter(" / ")}}', "Apple / élan / pear"],
    ["{{items.where(price > limit).name}}", "Apple, élan"],
    ["{{items.where($index != 1).name}}", "pear, élan"],
    [
      "{{for g in items.group(city)}}{{g.key}}: {{for i in g.items}}{{i.name}} {{endfor}}({{g.items.sum(qty)}}) {{endfor}}",
      "Bern: pear élan (5) Zug: Apple (1) ",
    ],
    [
      "{{for g in items.group(paid).sort(key)}}{{g.key}}{{for h in g.items.group(city)}} {{h.key}}={{h.items.count()}}{{endfor}} {{endfor}}",
      "false Zug=1 Bern=1 true Bern=1 ",
    ],
    [
      "{{#items.group(city)}}{{key}}{{#items}}{{name}}{{/items}};{{/}}",
      "BernpearElan;".replace("E", "é") + "ZugApple;",
    ],
    ["{{if items.where(qty > 2)}}many{{endif}}", "many"],
    ['{{items.first(qty > 99).name ?? "none"}}', "none"],
  ])("%s", async (text, expected) => {
    expect(await printed(text, ITEMS)).toBe(expected);
  });

  test("nests lists, and names of the data around", async () => {
    const data = {
      orders: [
        {
          no: 1,
          items: [
            { q: 2, p: 3 },
            { q: 1, p: 1 },
          ],
        },
        { no: 2, items: [{ q: 1, p: 100 }] },
      ],
      min: 50,
    };
    expect(await printed("{{orders.sum(items.sum(q * p))}}", data)).toBe("107");
    expect(await printed("{{orders.where(items.sum(q * p) > min).no}}", data)).toBe("2");
    expect(await printed("{{for o in orders}}{{o.items.where(p > o.no).p}};{{endfor}}", data)).toBe(
      "3;100;",
    );
  });
});

describe("a lookup by value", () => {
  const data = {
    months: [
      { key: "jan", name: "January" },
      { key: "feb", name: "February" },
    ],
    rows: [
      { v: [1, 2], by: { jan: "a", feb: "b" } },
      { v: [3, 4], by: { jan: "c", feb: "d" } },
    ],
    n: 1,
  };

  test.each([
    ["{{for r in rows}}{{for m in months}}{{r.v[$index]}}{{endfor}};{{endfor}}", "12;34;"],
    ["{{for r in rows}}{{for m in months}}{{r.by[m.key]}}{{endfor}};{{endfor}}", "ab;cd;"],
    ["{{rows[n].by.jan}}", "c"],
    ["{{rows[n - 1].v[n]}}", "2"],
  ])("%s", async (text, expected) => {
    expect(await printed(text, data)).toBe(expected);
  });
});

describe("other new expressions", () => {
  test.each([
    ['{{a ?? "x"}}', {}, "x"],
    ["{{a ?? b ?? c}}", { b: null, c: 3 }, "3"],
    ["{{(a ?? 0) + 1}}", {}, "1"],
    ['{{if s in ["a", "b"]}}y{{else}}n{{endif}}', { s: "b" }, "y"],
    ['{{if s not in ("a", "b")}}y{{else}}n{{endif}}', { s: "b" }, "n"],
    ["{{if s in known}}y{{endif}}", { s: 2, known: [1, 2] }, "y"],
    ['{{$if(total > 100, "big", small)}}', { total: 7, small: "little" }, "little"],
    ['{{if name.lowercase() == "ann"}}y{{endif}}', { name: "ANN" }, "y"],
    ['{{if name.startsWith("A") and name.endsWith("n")}}y{{endif}}', { name: "Ann" }, "y"],
    ['{{code.padStart(5, "0")}}', { code: 42 }, "00042"],
    ['{{iban.replace(" ", "")}}', { iban: "CH 12 3" }, "CH123"],
    ['{{csv.split(";").join(" and ")}}', { csv: "a;b" }, "a and b"],
    ["{{for l in text.lines()}}[{{l}}]{{endfor}}", { text: "a\nb" }, "[a][b]"],
    ["{{code.substring(1, 2)}}", { code: "abcd" }, "bc"],
    ['{{$concat(a, " ", b)}}', { a: "x", b: 1 }, "x 1"],
    ['{{l.nonEmpty().join("-")}}', { l: ["a", "", null, " ", "b"] }, "a-b"],
  ])("%s", async (text, data, expected) => {
    expect(await printed(text, data)).toBe(expected);
  });
});

describe("a wrong use", () => {
  test.each([
    ["{{for i in items.where(qtty > 1)}}x{{endfor}}", ITEMS],
    ["{{for i in items.where(urgent)}}x{{endfor}}", ITEMS],
    ["{{$sum(items, qty * prise)}}", ITEMS],
    ["{{for i in items.sort(x)}}x{{endfor}}", { items: [{ x: 1 }, { x: "a" }] }],
    ["{{for i in items.group(x)}}x{{endfor}}", { items: [{ x: {} }] }],
    ["{{for i in items.group(x)}}x{{endfor}}", { items: [{ x: 1 }, { x: "a" }] }],
    [
      '{{for i in items.where(status == "open")}}x{{endfor}}',
      { items: [{ status: "open" }, {}], status: "open" },
    ],
    ["{{for i in items.limit(-1)}}x{{endfor}}", { items: [] }],
    ["{{for i in name.sort()}}x{{endfor}}", { name: "a" }],
    ["{{items[paid]}}", ITEMS],
  ])("%s is reported", async (text, data) => {
    expect(await outcome(text, data)).not.toBe(null);
  });
});

describe("$running", () => {
  test.each([
    ["{{for i in items}}{{$running(i.qty)}} {{endfor}}", "3 4 6 "],
    [
      "{{for i in items.sort(price desc)}}{{$running(i.qty * i.price)}} {{endfor}}",
      "20 22.5 22.8 ",
    ],
    ["{{for i in items}}{{if not $first}}{{$running(i.qty) - i.qty}} {{endif}}{{endfor}}", "3 4 "],
    ["{{#items}}{{$running(qty)}} {{/}}", "3 4 6 "],
    [
      "{{for g in items.group(city)}}{{for i in g.items}}{{$running(i.qty)}} {{endfor}}; {{endfor}}",
      "3 5 ; 1 ; ",
    ],
    ['{{items.map($running(qty)) :: delimiter(" ")}}', "3 4 6"],
  ])("%s", async (text, expected) => {
    expect(await printed(text, ITEMS)).toBe(expected);
  });

  test("needs a loop, and a number for each item", async () => {
    expect(await told("{{$running(qty)}}", { qty: 1 })).toEqual(["error tag_outside_loop"]);
    expect(await printed("{{for i in l}}{{$running(i.q)}}{{endfor}}", { l: [{ q: 1 }, {}] })).toBe(
      "invalid_data: invalid_value",
    );
  });
});

describe("values in brackets are a list", () => {
  test.each([
    ['{{[street, line2, city].nonEmpty().join(", ")}}', "S, C"],
    ["{{[a, b].sum()}} {{[a, b].max()}}", "3 2"],
    ["{{for x in [street, city]}}{{x}};{{endfor}}", "S;C;"],
    ['{{["street"]}}', "S"],
    ['{{["x", street].join()}}', "x, S"],
  ])("%s", async (text, expected) => {
    const data = { street: "S", line2: "", city: "C", a: 1, b: 2 };
    expect(await printed(text, data)).toBe(expected);
  });
});

describe("one value in parentheses after 'in'", () => {
  const DATA = { tags: ["x", "b"], text: "abc", s: "b" };

  test.each([
    ['"x" in (tags)', "yes"],
    ['"x" in (tags ?? [])', "yes"],
    ['"y" not in (none ?? [])', "yes"],
    ["s in (text)", "yes"],
    ["s in (tags).limit(1)", "no"],
    ['s in (["a", "b"])', "yes"],
    ['s in ("b")', "yes"],
    ['s in ("abc")', "no"],
    ['s in ("a", "b")', "yes"],
  ])("{{if %s}} is %s", async (condition, expected) => {
    expect(await printed(`{{if ${condition}}}yes{{else}}no{{endif}}`, DATA)).toBe(expected);
  });

  test("a list that has a list as element is reported", async () => {
    const { warnings } = await outcome(p("{{if s in [tags, text]}}yes{{endif}}"), DATA);
    expect(warnings.map(({ hint }) => hint)).toEqual([
      "Ask for each list: value in tags or value in others.",
    ]);
  });
});

describe("map", () => {
  test("makes one list of lists, as a path does", async () => {
    const docs = [{ tags: ["x", "y"] }, { tags: [] }, { tags: ["z"] }];
    const text =
      '{{docs.map(tags).join("-")}} {{docs.tags.join("-")}} {{if "z" in docs.map(tags)}}yes{{endif}}';
    expect(await printed(text, { docs })).toBe("x-y-z x-y-z yes");
  });

  test("repeats each item by its quantity, in rows of three", async () => {
    const items = [
      { name: "Bolt", qty: 3 },
      { name: "Nut", qty: 0 },
      { name: "Washer", qty: 1 },
    ];
    const list = '$range(1, qty).map($concat(outer.name, " ", this, "/", outer.qty))';
    const text = `{{for g in items.map(${list}).group(($index / 3).round(0, "down"))}}{{g.items.join(", ")}}; {{endfor}}`;
    expect(await printed(text, { items })).toBe("Bolt 1/3, Bolt 2/3, Bolt 3/3; Washer 1/1; ");
  });
});

test.each([
  ['{{t.replace($newline, "/")}}', "a/b/c/d"],
  ['{{t.split($newline).join("/")}}', "a/b/c/d"],
])("%s finds line breaks of every kind", async (text, expected) => {
  expect(await printed(text, { t: "a\r\nb\rc\nd" })).toBe(expected);
});
