import { describe, expect, test } from "vitest";
import { p, table } from "../../../ooxml/test/support/docx.ts";
import { outcome, printed } from "../support/language.ts";

const DATA = {
  sales: [
    { city: "Bern", amount: 10, paid: true },
    { city: "Ulm", amount: 5, paid: false },
    { city: "Bern", amount: 20, paid: false },
  ],
  items: [
    { name: "Pen", price: 2 },
    { name: "Ink", price: 7 },
  ],
  orders: [{ lines: [{ q: 4 }, { q: 5 }] }, { lines: [{ q: 1 }] }],
  gaps: [{ lines: [{ q: 4 }] }, { n: 1 }],
  rows: [{ n: "a", v: [1, 2] }],
  months: ["Jan", "Feb"],
  v: [1, 2, 3],
  city: "x",
  ean: 3,
  text: "foobar",
  list: ["a", "b"],
  minutes: 90,
  paid: true,
  prices: { x: 1, y: 2 },
  pairs: [[1, 2], [3]],
  "Name ": "N",
  Customer: { Name: "C" },
  last: "Lee",
};

/** Returns the problems of a template, each as its message and its hint. */
async function problems(text: string, body = p(text)): Promise<string[]> {
  const { warnings } = await outcome(body, DATA);
  return warnings
    .filter(({ code }) => code !== "unused_value")
    .map(({ message, hint }) => `${message} ${hint ?? ""}`);
}

describe("a mistake that only the data shows is reported once, with what to write:", () => {
  test.each([
    // Keys that are lists.
    [
      "{{for i in items.sort(items.price)}}x{{endfor}}",
      "a name is a key of the items: write sort(price).",
    ],
    ["{{for i in items.sort(items.price desc)}}x{{endfor}}", "write sort(price desc)."],
    [
      "{{for o in orders.sort(lines.q)}}x{{endfor}}",
      "To order by a sum, write sort(lines.sum(q)).",
    ],
    ["{{orders.max(lines.q)}}", "write orders.lines.max(q)."],
    [
      "{{for i in items.sort(attribute == 'price')}}x{{endfor}}",
      "write the key itself: sort(price).",
    ],
    [
      '{{for i in sales.where(sales.city == "Bern")}}x{{endfor}}',
      "write city in place of sales.city.",
    ],
    // Comparisons with lists.
    [
      "{{if sales.where(paid == false) == 0}}x{{endif}}",
      "as in .count() == 0, or test it with isEmpty.",
    ],
    [
      "{{if sales.paid == true}}x{{endif}}",
      "For one of the items write sales.count(paid) > 0, and for all of them sales.count(not paid) == 0.",
    ],
    ["{{if paid == yes}}x{{endif}}", "write it alone, or with 'not' before it."],
    // Values of a list, and groups.
    [
      "{{for c in sales.city.distinct()}}{{sales.where(city == c.city).sum(amount)}}{{endfor}}",
      "'c' is a single value itself: write c in place of c.city.",
    ],
    ["{{for c in sales.city.distinct()}}{{c.city}}{{endfor}}", "itself: write c alone."],
    ["{{for g in sales.group(city).where(items.count > 1)}}x{{endfor}}", "'items.count()'"],
    ["{{for g in sales.group(city).sort(city)}}x{{endfor}}", "write sort(key)."],
    // Positions.
    ["{{for m in months}}{{v[$number]}}{{endfor}}", "counts from 1: write v[$index]."],
    [
      "{{for i in items}}{{if $number < items.count}}x{{endif}}{{endfor}}",
      "Did you mean 'items.count()'?",
    ],
    ["{{#items}}{{#-last}}x{{/-last}}{{/items}}", "Write {{if $last}} … {{endif}}."],
    // Names.
    ["{{Name}}", `Did you mean 'this["Name "]'?`],
    ["{{sales.where(city == Jan).sum(amount)}}", 'If it is text, put it in quotes: "Jan".'],
    ["{{for c in [red, green]}}x{{c}}{{endfor}}", 'put them in quotes: ["red", "green"].'],
    ["{{for e in prices.entries()}}{{e.name}}{{endfor}}", "Did you mean 'e.key'?"],
    ["{{for i in items}}{{number}}{{endfor}}", "Did you mean '$number'?"],
    ['{{section :: fill("red")}}', "its cell, its row or its paragraph"],
    // Functions of another value.
    ["{{gaps.sum(lines.sum(q))}}", "write what counts in its place, as in (lines ?? [])."],
    ["{{list.join(newline)}}", "write list.join($newline)."],
    ["{{text.limit(3)}}", "write text.substring(0, 3), or text :: truncate(3)"],
    ["{{minutes.hour()}}", "A number of hours or minutes is not a date."],
    ["{{prices.sum()}}", "write entries().sum(value) after it."],
    ["{{prices.entries().sum()}}", "write entries().sum(value)."],
    ["{{for x in items.map(price).foo}}x{{endfor}}", "gives no value for this data."],
    ['{{text :: style("color: red")}}', 'Write color("red").'],
  ])("%s", async (text, told) => {
    const found = await problems(text);
    expect(new Set(found).size, found.join("\n")).toBe(1);
    expect(found[0]).toContain(told);
  });

  test.each([
    ["{{for i in items.sort(price desc)}}{{i.name}} {{endfor}}", "Ink Pen "],
    ["{{for o in orders.sort(lines.sum(q))}}{{o.lines.count()}}{{endfor}}", "12"],
    ["{{orders.lines.max(q)}}", "5"],
    ["{{gaps.sum((lines ?? []).sum(q))}}", "4"],
    ["{{if sales.where(paid == false).count() == 0}}x{{else}}y{{endif}}", "y"],
    ["{{if sales.count(paid) > 0}}x{{endif}}", "x"],
    ["{{if sales.count(not paid) == 0}}x{{else}}y{{endif}}", "y"],
    ["{{for g in sales.group(city).sort(key desc)}}{{g.key}} {{endfor}}", "Ulm Bern "],
    ["{{for m in months}}{{v[$index]}}{{endfor}}", "12"],
    ['{{this["Name "]}}', "N"],
    ["{{prices.entries().sum(value)}}", "3"],
    ["{{text.substring(0, 3)}}", "foo"],
  ])("the tag of its hint prints the meant value: %s", async (text, result) => {
    expect(await printed(text, DATA)).toBe(result);
  });
});

describe("$number in brackets", () => {
  test("without an element at the last position, the error has the hint", async () => {
    const [found] = await problems(
      "{{for r in rows}}{{for m in months}}{{r.v[$number]}}{{endfor}}{{endfor}}",
    );
    expect(found).toContain(
      "Positions in brackets count from 0, but $number counts from 1: write {{r.v[$index]}}.",
    );
  });

  test("is the next item in a loop over the same list", async () => {
    expect(await problems("{{for i in items}}{{items[$number].name ?? 'end'}}{{endfor}}")).toEqual(
      [],
    );
  });
});

test("an item whose name is a key of another list is named, also from an outer loop", async () => {
  const cells = [
    p(
      "{{tablecolumn m in months}}{{for r in rows}}{{r.l.first(m == m).x}}{{endfor}}{{endtablecolumn}}",
    ),
    p("x"),
  ];
  const [found] = await problems("", table(cells) + p(""));
  expect(found).toContain("The item of the loop has the same name as the key");
});

test("cells with lists from a list of lists are not the values of all items", async () => {
  expect(await problems("", table([p("{{pairs[0]}}"), p("{{pairs[1]}}")]) + p(""))).toEqual([]);
});

test("a key that no item has in this data may be missing", async () => {
  expect(
    await problems("{{for i in items.sort(urgent == 'yes' desc)}}{{i.name}} {{endfor}}"),
  ).toEqual([]);
});
