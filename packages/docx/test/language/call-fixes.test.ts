import { describe, expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
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
    { name: "Cap", price: 4 },
  ],
  first: "Ann",
  last: "Lee",
  total: -5,
  paid: true,
  nick: "",
  due: "2026-05-06",
};

async function problem(text: string): Promise<string> {
  const { warnings } = await outcome(p(text), DATA);
  const [found] = warnings.filter(({ code }) => code !== "unused_value");
  return `${found?.message} ${found?.hint}`;
}

describe("a call that can never work is an error", () => {
  test.each([
    // The same key for all items.
    ["{{for i in items.sort(price, -1)}}x{{endfor}}", "{{for i in items.sort(price desc)}}"],
    ["{{for i in items.sort(-1)}}x{{endfor}}", "sort(price desc)"],
    ["{{for i in items.sort(0 - 1)}}x{{endfor}}", "The key of '$sort' is the same for all items."],
    [
      "{{for i in items.sort(attribute='price', reverse=true)}}x{{endfor}}",
      "items.sort(price desc)}}",
    ],
    // A list of a single value.
    [
      "{{for i in sales.where(not paid).sum(amount)}}x{{endfor}}",
      "Print it, {{sales.where(not paid).sum(amount)}}, or leave out '.sum' to repeat the items: sales.where(not paid).",
    ],
    ["{{for i in sales.count()}}x{{endfor}}", "Print it, {{sales.count()}}"],
    // Negative numbers, letters and steps.
    ["{{for i in items.limit(-2)}}x{{endfor}}", "{{for i in items.reverse().limit(2).reverse()}}"],
    ["{{for i in items.skip(-1)}}x{{endfor}}", "items.reverse().skip(1).reverse()"],
    [
      '{{for l in $range("A", "C")}}{{l}}{{endfor}}',
      "{{for n in $range(1, 3)}}{{n.letter()}}{{endfor}}",
    ],
    ["{{$range(1, 10, 2).sum()}}", "$range(0, 4).map(this * 2 + 1)"],
    // Keys of a number.
    [
      '{{sales.count(city == "Bern").amount}}',
      'For the sum of the values write sales.where(city == "Bern").sum(amount).',
    ],
    ["{{sales.sum(amount).paid}}", "The result of 'sum' is a number and has no key 'paid'."],
  ])("%s", async (text, told) => {
    expect(await problem(text)).toContain(told);
  });

  test.each([
    ["{{for i in items.reverse().limit(2).reverse()}}{{i.name}} {{endfor}}", "Ink Cap "],
    ["{{for i in items.reverse().skip(1).reverse()}}{{i.name}} {{endfor}}", "Pen Ink "],
    ["{{for n in $range(1, 3)}}{{n.letter()}}{{endfor}}", "ABC"],
    ['{{$range(0, 4).map(this * 2 + 1).join(" ")}}', "1 3 5 7 9"],
    ['{{sales.where(city == "Bern").sum(amount)}}', "30"],
  ])("the tag of its hint prints the meant value: %s", async (text, result) => {
    expect(await printed(text, DATA)).toBe(result);
  });

  test("a key of each item is not a constant, even if it is negative or computed", async () => {
    expect(await printed("{{for i in items.sort(-price)}}{{i.price}}{{endfor}}", DATA)).toBe("742");
    expect(await printed("{{for i in items.sort(0 - price)}}{{i.price}}{{endfor}}", DATA)).toBe(
      "742",
    );
  });
});

describe("a modifier in a wrong place leads to the tag or the block that it belongs to", () => {
  test.each([
    [
      "{{row :: hide, when(i.amount < 0)}}",
      "A modifier does not hide a row. Repeat only the rows to show, as in {{tablerow i in items.where(amount >= 0)}}.",
    ],
    ["{{when(total < 0)}}", '{{total :: color("red"), when(total < 0)}}'],
    ["{{first :: uppercase() + last}}", "Write {{$concat(first.uppercase(), last)}}."],
    ['{{total :: currency("EUR").words()}}', "{{total.words()}}"],
    [
      '{{include "terms.docx", when(paid)}}',
      'Write {{if paid}}, {{include "terms.docx"}} and {{endif}}, each in its own paragraph.',
    ],
    ["{{total :: numbering(1)}}", 'Write numbering("continue") to continue the list'],
    ["{{#paid :: optional}}x{{/paid}}", "{{if paid}} … {{endif}}"],
  ])("%s", async (text, told) => {
    expect(await problem(text)).toContain(told);
  });
});

describe("messages about arguments are short and right", () => {
  test.each([
    ["{{items.max(price, name)}}", "The function 'max' takes at most 1 argument."],
    ["{{due.daysUntil()}}", "$today.daysUntil(due) is the time from today to 'due'"],
    ["{{(first, last)}}", "',' is where ')' should be."],
    ["{{$running(items.price)}}", "adds up the items of a loop, but it is not in a loop."],
    [
      "{{nick or first}}",
      "To replace an empty text as well, write {{$if(nick isEmpty, first, nick)}}.",
    ],
  ])("%s", async (text, told) => {
    expect(await problem(text)).toContain(told);
  });

  test("the tag for an empty text prints the other value", async () => {
    expect(await printed("{{$if(nick isEmpty, first, nick)}}", DATA)).toBe("Ann");
  });
});
