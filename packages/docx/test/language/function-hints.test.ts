import { expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { outcome } from "../support/language.ts";

const DATA = {
  items: [
    { name: "B", price: 2, ok: true, due: "2026-01-05" },
    { name: "A", price: 3, ok: false, due: "2026-02-05" },
  ],
  n: 5,
  s: "text",
  d: "2026-01-31",
  o: { a: 1 },
};

test.each([
  // A name that the data has in another spelling, or in another place.
  ["{{items.sum(prise)}}", "Did you mean 'price'?"],
  ["{{for i in items.sort(pric)}}{{endfor}}", "Did you mean 'price'?"],
  ["{{items.where(prise > 2).count()}}", "Did you mean 'price'?"],
  ["{{items[ok]}}", "write a condition: where(ok)"],
  ["{{for g in items.group(name)}}{{g.name}}{{endfor}}", "A group has a 'key' and 'items'"],
  ["{{for g in items.group(name)}}{{for i in g}}{{endfor}}{{endfor}}", "g.items"],
  ["{{items.sum()}}", "items.sum(price)"],
  // A function that is written as something else, or as in another language.
  ["{{now}}", "Did you mean '$now'?"],
  ["{{today}}", "Did you mean '$today'?"],
  ["{{d.year}}", "Did you mean 'd.year()'?"],
  ["{{d.addDays}}", "Did you mean 'd.addDays(30)'?"],
  ["{{items.size}}", "Did you mean 'items.count()'?"],
  ["{{#items :: sort(price)}}{{name}}{{/}}", "{{#items.sort(price)}}"],
  ['{{d.format("yyyy")}}', 'Write {{d :: format("yyyy")}}.'],
  ['{{s.contains("a")}}', "Write 'contains' between two values: s contains"],
  ["{{n.toWords()}}", "Did you mean 'words'"],
  ["{{n :: spellout}}", "'words'"],
  ["{{d.addDay(30)}}", "Did you mean 'addDays'"],
  ["{{s.truncate(3)}}", "{{s :: truncate("],
  ["{{items[0].name(3)}}", "name[3]"],
  // Text without quotes, and keys with quotes.
  ["{{n :: currency(EUR)}}", 'Text goes in quotes: "EUR".'],
  ["{{n :: number(2), color(red)}}", 'Text goes in quotes: "red".'],
  ["{{n.round(1, down)}}", 'Text goes in quotes: "down".'],
  ["{{d.fromUnix(ms)}}", 'Text goes in quotes: "ms".'],
  ['{{items.map("name")}}', "Write the key without quotes: map(name)."],
  ['{{cell :: merge("name")}}', "Write the key without quotes: merge(name)."],
  ["{{n :: merge(1)}}", "Name a value that each row has"],
  ["{{items.group(name, ok)}}", 'group($concat(city, " ", year))'],
  // Calculations with dates.
  ["{{d + 30}}", "due.addDays(30)"],
  ["{{$today - d}}", "start.daysUntil(end)"],
])("%s suggests %s", async (text, hint) => {
  const { warnings } = await outcome(p(text), DATA, { now: "2026-03-01" });
  expect(warnings[0]?.hint).toContain(hint);
});

test.each([
  ["{{items.group(name, ok)}}", "The function 'group' takes 1 argument."],
  ["{{$limit(items)}}", "The function '$limit' takes 2 arguments."],
  ["{{items.limit(1, 2)}}", "The function 'limit' takes 1 argument."],
  ["{{items.reverse(1)}}", "The function 'reverse' takes no argument"],
  ["{{n.round(x)}}", "the argument 'x' of $round was not provided"],
  ["{{items.limit(-1)}}", "$limit needs a whole number of items, but got -1"],
  ["{{d.addDays(1.5)}}", "$addDays needs a whole number, but got 1.5"],
  ["{{s.padStart(-1)}}", "$padStart needs a whole number from 0, but got -1"],
  ["{{s.addDays(1)}}", "$addDays needs a date, but got text that cannot be read as a date"],
  ["{{n.addDays(1)}}", "$addDays needs a date, but got a number, which could mean any date"],
])("%s is reported: %s", async (text, message) => {
  const { warnings } = await outcome(p(text), DATA);
  expect(warnings[0]?.message).toContain(message);
});
