import { expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { outcome } from "../support/language.ts";

const DATA = {
  total: 5,
  t: -3,
  discount: null,
  tax: null,
  phone: null,
  currency: null,
  places: null,
  label: "Site",
  name: "Company",
  first: "Ann",
  customer: { name: "Co", address: { street: "S", "no.": 1, city: "C", more: {} } },
  json: '{"name": "X"}',
  one: [{ name: "x" }],
  names: ["a", "b"],
  code: "AB-1",
  start: "2026-11-01",
  end: "2026-11-20",
  serial: 45000,
  seconds: 1769000000,
  milliseconds: 1769000000000,
  year: 2026,
  time: "14:30",
  url: "https://a.ch",
  site: "www.a.ch",
  email: "a@b.ch",
  rate: "19%",
  terms: "30 days net",
  hours: 7.75,
};

test.each([
  // A missing operand.
  ["{{total - discount}}", "as in {{total - (discount ?? 0)}}."],
  ["{{total - discount * (tax + 1)}}", "as in {{total - (discount ?? 0) * ((tax ?? 0) + 1)}}."],
  ["{{total - (discount - 1)}}", "as in {{total - ((discount ?? 0) - 1)}}."],
  ["{{total / tax :: number(2)}}", "as in {{total / (tax ?? 1)}}."],
  ["{{(total - discount).round(2)}}", "as in (discount ?? 0)."],
  ["{{total - dicsount}}", "Did you mean 'discount'?"],
  // Text without quotes in place of a missing value.
  ["{{phone ?? n/a}}", "If 'n/a' is text, put it in quotes: {{phone ?? \"n/a\"}}."],
  ["{{phone ?? none}}", '{{phone ?? "none"}}'],
  ["{{phone :: default(none)}}", '{{phone :: default("none")}}'],
  ["{{phone ?? currency}}", "The data has 'currency' without a value: fill it"],
  // Elements that a tag cannot change.
  ['{{column :: fill("red")}}', 'write {{cell :: fill("red")}} into each of its cells.'],
  ['{{table :: fill("red")}}', "write {{cell :: …}}, {{row :: …}}, {{paragraph :: …}} or"],
  ['{{textBox :: fill("red")}}', 'or {{shape :: fill("red")}}.'],
  ["{{line :: bold}}", "write {{cell :: …}}, {{row :: …}}, {{paragraph :: …}} or"],
  ['{{row :: height("2cm")}}', "Set the height of rows and the size of shapes in Word."],
  ['{{shape :: width("2cm")}}', "Set the height of rows and the size of shapes in Word."],
  ["{{merge}}", "{{i.city :: merge}}"],
  ["{{row}}", "Add it to the data"],
  // Arguments without a value.
  ["{{total :: currency(currency)}}", 'as in currency ?? "EUR".'],
  ["{{total :: number(places)}}", "fill it, or write a value in its place"],
  ["{{total.round(places)}}", "as in places ?? 2."],
  ["{{total :: currency(EUR)}}", 'Text goes in quotes: "EUR".'],
  ["{{start :: format(dd.MM.yyyy)}}", 'Text goes in quotes: "dd.MM.yyyy".'],
  ["{{start.daysUntil(today)}}", "Did you mean '$today'?"],
  ["{{start.daysUntil(ende)}}", "Did you mean 'end'?"],
  ["{{start.addDays(xy)}}", "Add it to the data, or correct its name."],
  ["{{code.startsWith(AB)}}", 'Text goes in quotes: "AB".'],
  ["{{if phone != undefined}}x{{endif}}", "as in phone isPresent"],
  ['{{if mobile == ""}}x{{endif}}', "write mobile isEmpty for both"],
  ['{{if total > 1 and mobile != ""}}x{{endif}}', "write not mobile isEmpty for both"],
  // Functions on the wrong value.
  ["{{Math.round(t, 1)}}", "Write {{t.round(1)}}."],
  ["{{$min(start, end)}}", "[start, end].min()"],
  ['{{names.concat(", ")}}', 'as in items.map(name).join(", ")'],
  ["{{start.addDays(terms)}}", "Give the number alone, such as 30"],
  ['{{total.words("EUR")}}', "Numbers in words have no currency: write words()"],
  ["{{total.round(0.05)}}", "(total / 0.05).round() * 0.05"],
  // Keys and positions.
  ["{{customer[name]}}", "Write {{customer.name}}."],
  ["{{customer/name}}", "Write customer.name."],
  ["{{customer[0].name}}", "'customer' is an object, not a list: write {{customer.name}}."],
  ["{{first[0]}}", "{{first.substring(0, 1)}}"],
  ["{{one[1].name}}", "Positions count from 0: the first item is {{one[0].name}}"],
  ["{{json.name}}", "'json' is text, not an object"],
  ["{{customer.address}}", "as in {{customer.address.key}}"],
  // Dates and numbers.
  [
    '{{serial :: format("dd.MM.yyyy")}}',
    '{{"1899-12-30".addDays(serial) :: format("dd.MM.yyyy")}}',
  ],
  ['{{seconds :: format("long")}}', '{{seconds.fromUnix() :: format("long")}}'],
  ['{{milliseconds :: format("long")}}', '{{milliseconds.fromUnix("ms") :: format("long")}}'],
  ['{{time :: format("HH:mm")}}', "A time needs its date, as in 2026-11-20T10:15."],
  ['{{hours :: format("HH:mm")}}', "A number of hours is not a time."],
  ["{{rate :: percent(0)}}", "The text has its sign already"],
  // Links.
  ["{{label :: link(url)}}", "{{url :: link(label)}}"],
  ['{{site :: link("Our site")}}', '{{$concat("https://", site) :: link("Our site")}}'],
  ["{{email :: link}}", '{{$concat("mailto:", email) :: link(email)}}'],
])("the hint for %s leads to what the author means", async (text, hint) => {
  const { warnings } = await outcome(p(text), DATA, { now: "2026-03-01" });
  expect(warnings.map((each) => each.hint ?? "").join("\n")).toContain(hint);
});

test.each([
  ['{{"1899-12-30".addDays(serial) :: format("dd.MM.yyyy")}}', "15.03.2023"],
  ["{{$range(0, start.daysUntil(end)).count(start.addDays(this).weekday() <= 5)}}", "15"],
  ["{{[start, end].min()}}", "2026-11-01"],
  ['{{hours.round(0, "down")}}:{{(hours % 1 * 60).round(0, "down").padStart(2, "0")}}', "7:45"],
  ["{{[3, total].max()}}", "5"],
  ['{{code.split("-")[0]}}', "AB"],
  ["{{(total / 0.05).round() * 0.05}}", "5"],
])("a tag that hints suggest works: %s", async (text, line) => {
  expect((await outcome(p(text), DATA)).lines).toEqual([line]);
});

test.each([['{{year :: format("dd.MM.yyyy")}}'], ['{{label :: link("x")}}']])(
  "%s has no hint that only guesses",
  async (text) => {
    const { warnings } = await outcome(p(text), DATA);
    expect(warnings.some(({ severity }) => severity === "error" || severity === "warning")).toBe(
      true,
    );
    expect(warnings[0]?.hint).toBeUndefined();
  },
);
