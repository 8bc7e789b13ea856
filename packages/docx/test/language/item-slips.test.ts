import { describe, expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { outcome, printed } from "../support/language.ts";

const DATA = {
  items: [
    { name: "Pen", price: 2.5, quantity: 4 },
    { name: "Cup", price: 1, quantity: 2 },
  ],
  bookings: [{ amount: -30 }, { amount: 50 }],
  people: [{ name: "Ann", gender: "f" }, { name: "Bob" }],
  customer: { "first name": "Ann" },
  months: [
    { key: "jan", name: "Jan" },
    { key: "feb", name: "Feb" },
  ],
  rows: [{ v: [11, 20], sold: { jan: 11, feb: 20 } }],
  total: 1.237,
  totals: { net: 1 },
  price: "1.200",
};

async function hintOf(template: string): Promise<string> {
  const { warnings } = await outcome(p(template), DATA);
  return warnings.find(({ code }) => code !== "unused_value")?.hint ?? "";
}

describe("the hint for an unknown name before a key of the item", () => {
  test.each([
    "{{for item in items}}{{i.name}}{{endfor}}",
    "{{for item in items}}{{if i.name}}x{{endif}}{{endfor}}",
    "{{for item in items}}{{i.name :: uppercase}}{{endfor}}",
  ])("%s has the name of the item", async (template) => {
    expect(await hintOf(template)).toBe("Did you mean 'item.name'?");
  });

  test("is given in computations, too", async () => {
    const template = "{{for item in items}}{{i.price * i.quantity}} {{endfor}}";
    expect(await hintOf(template)).toBe("Did you mean 'item.price'?");
    expect(await printed(template.replaceAll("i.", "item."), DATA)).toBe("10 2 ");
  });

  test("is not given for a key that no item has", async () => {
    expect(await hintOf("{{for item in items}}{{i.colour}}{{endfor}}")).not.toContain("item.");
  });
});

describe("the hint for a running total behind its loop", () => {
  test.each([
    ["bookings", "{{bookings.sum(amount)}}"],
    ["bookings.where(amount > 0)", "{{bookings.where(amount > 0).sum(amount)}}"],
  ])("over %s is the sum of the list", async (list, sum) => {
    const template = `{{for b in ${list}}}x{{endfor}} {{$running(b.amount)}}`;
    expect(await hintOf(template)).toContain(`write ${sum}.`);
  });

  test("in a loop names it beside the sum of one value", async () => {
    const template = "{{for b in bookings}}{{$sum(b.amount)}}{{endfor}}";
    expect(await hintOf(template)).toContain("write {{$running(b.amount)}}.");
  });
});

test("a condition about a key that some items lack says what to write", async () => {
  const template = '{{for p in people}}{{if p.gender == "f"}}Ms{{else}}Mr{{endif}} {{endfor}}';
  expect(await hintOf(template)).toContain('(p.gender ?? "")');
});

describe("the hint for an element of a row", () => {
  test.each([
    ["r.v[m]", "r.v[m.$index]", "11 20 "],
    ["r.v[m.key]", "r.v[m.$index]", "11 20 "],
    ["r[$index]", "r.v[$index]", "11 20 "],
    ["r.v.$index", "r.v[$index]", "11 20 "],
    ["r.sold[$index]", "r.sold[m.key]", "11 20 "],
    ["r.sold[m.$index]", "r.sold[m.key]", "11 20 "],
  ])("%s is %s", async (wrong, meant, lines) => {
    const template = `{{for r in rows}}{{for m in months}}{{${wrong}}} {{endfor}}{{endfor}}`;
    expect(await hintOf(template)).toContain(meant);
    expect(await printed(template.replace(wrong, meant), DATA)).toBe(lines);
  });
});

test.each([
  ["{{Math.round(total * 100) / 100}}", "{{total.round(2)}}"],
  ["{{customer.first.name}}", 'customer["first name"]'],
  ['{{$sum("items.price")}}', "items.sum(price)"],
  ["{{#customer}}{{@key}}{{/customer}}", "{{for e in customer.entries()}}"],
  ["{{for i in items}}{{@root.total}}{{endfor}}", "{{total}}"],
  ["{{d.total:formatC(2)}}", "Write {{total :: number(2)}}."],
  ["{{d.total:mul(2):formatN(2)}}", "Write {{total * 2 :: number(2)}}."],
  ["{{total :: formatC(2)}}", "{{total :: number(2)}}"],
  ["{{for t in totals}}{{t.net}}{{endfor}}", "write {{totals.net}}"],
  ["{{items.quantity * items.price}}", "items.sum(quantity * price)"],
  ["{{bold}}{{total}}{{/bold}}", "{{total :: bold}}"],
])("the hint for %s has %s", async (template, meant) => {
  expect(await hintOf(template)).toContain(meant);
});

describe("text with a point before three digits", () => {
  test("gives a warning in a computation, because it may be thousands", async () => {
    const { lines, warnings } = await outcome(p("{{price * 2}}"), DATA);
    expect(lines).toEqual(["2.4"]);
    const doubt = warnings.find(({ code }) => code === "doubtful_computation");
    expect(doubt?.hint).toContain('price.toNumber(",")');
    expect(await printed('{{price.toNumber(",") * 2}}', DATA)).toBe("2400");
  });

  test.each(["0.125", "12.50", "1.2005"])("is not doubtful as %s", async (price) => {
    expect((await outcome(p("{{price * 2}}"), { price })).warnings).toEqual([]);
  });
});

test("the total of all items in a group is doubtful beside a loop over the items of the group", async () => {
  const inner = "{{for i in g.items}}{{i.name}} {{endfor}}";
  const template = `{{for g in items.group(name)}}{{items.sum(price)}} ${inner}{{endfor}}`;
  const { warnings } = await outcome(p(template), DATA);
  expect(warnings.find(({ code }) => code === "same_for_all_items")?.hint).toContain("g.items");
  const share = `{{for g in items.group(name)}}{{g.items.count()}} of {{items.count()}} ${inner}{{endfor}}`;
  const codes = (await outcome(p(share), DATA)).warnings.map(({ code }) => code);
  expect(codes).not.toContain("same_for_all_items");
});

describe("the hint for a slip around functions and formats", () => {
  test.each([
    ["{{for i in items}}{{$running(i.price, total)}}{{endfor}}", "{{total + $running(i.price)}}."],
    ['{{items.sum(price :: currency("EUR"))}}', '{{items.sum(price) :: currency("EUR")}}'],
    ["{{for i in items.limit(2, 3)}}x{{endfor}}", "For the items 2 to 3 write skip(1).limit(2)."],
    ['{{items.name.join(", ") and}}', '{{items.name.join(", ", " and ")}}'],
    ["{{price :: format(d MMMM yyyy)}}", '{{price :: format("d MMMM yyyy")}}'],
    ["{{price :: format(d, MMMM yyyy)}}", '{{price :: format("d, MMMM yyyy")}}'],
    ["{{item.name}}", "items[0].name"],
    ['{{logo :: width("4cm")}}', "The tag is right"],
    ["{{price :: long}}", '{{price :: format("long")}}'],
    ['{{price :: format("Month Year")}}', 'format("MMMM yyyy")'],
    ["{{if price == isEmpty}}x{{endif}}", "write price isEmpty."],
    ["{{if price != isPresent}}x{{endif}}", "write not price isPresent."],
    ["{{for i in order}}{{i.name}}{{endfor}}", "repeat order.items."],
  ])("%s", async (template, meant) => {
    const data = { ...DATA, logo: "https://x.example/a", order: { no: 7, items: DATA.items } };
    const { warnings } = await outcome(p(template), data);
    const hints = warnings.flatMap(({ code, hint }) => (code === "unused_value" ? [] : [hint]));
    expect(hints.join(" ")).toContain(meant);
  });
});
