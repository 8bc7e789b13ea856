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
  comma: "1,50",
  grouped: "1.234,50",
  unclear: "1,234",
  empty: " ",
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
  ["{{items.Count}}", "Did you mean 'items.count()'?"],
  ["{{items.size}}", "Did you mean 'items.count()'?"],
  ["{{#items :: sort(price)}}{{name}}{{/}}", "{{#items.sort(price)}}"],
  ['{{s.contains("a")}}', "Write 'contains' between two values: s contains"],
  ["{{n.toWords()}}", "Did you mean 'words'"],
  ["{{n :: spellout}}", "'words'"],
  ["{{d.addDay(30)}}", "Write {{d.addDays(30)}}."],
  ["{{s.truncate(3)}}", "{{s :: truncate("],
  ["{{items[0].name(3)}}", "name[3]"],
  ["{{s.frobnicate()}}", "lists all functions"],
  ["{{for items in lines}}x{{endfor}}", "{{for lines in items}}"],
  ['{{items.join(name, ", ")}}', 'items.map(name).join(", ")'],
  // Text in place of a number.
  ["{{items.sum(name)}}", "Put a number into the data in its place."],
  ["{{n + comma}}", 'Write comma.toNumber(",").'],
  ["{{n + grouped}}", 'Write grouped.toNumber(",").'],
  ["{{n + unclear}}", 'Write unclear.toNumber(".") if it is between thousands'],
  ["{{n + empty}}", 'as in $if(empty == "", 0, empty)'],
  ['{{if n > "12 EUR"}}x{{endif}}', "Write the number without quotes: n > 12."],
  ['{{if n > "1,000"}}x{{endif}}', "Write the number without quotes: n > 1000."],
  ["{{items.where(due > 2025).count()}}", "The text is a date: compare it with a date in quotes"],
  ["{{n.pow(2)}}", "Did you mean 'power'"],
  // Text without quotes, and keys with quotes.
  ["{{n :: currency(EUR)}}", 'Text goes in quotes: "EUR".'],
  ["{{n :: number(2), color(red)}}", 'Text goes in quotes: "red".'],
  ["{{n.round(1, down)}}", 'Text goes in quotes: "down".'],
  ["{{d.fromUnix(ms)}}", 'Text goes in quotes: "ms".'],
  ['{{items.map("name")}}', "Write {{items.map(name)}}."],
  ['{{cell :: merge("name")}}', "Write the key without quotes: merge(name)."],
  ["{{n :: merge(1)}}", "Name a value that each row has"],
  ["{{items.group(name, ok)}}", 'group($concat(city, " ", year))'],
  // Calculations with dates.
  ["{{d + 30}}", "Write d.addDays(30)."],
  ["{{d - n}}", "Write d.addDays(-n)."],
  ["{{n + d}}", "Write d.addDays(n)."],
  ["{{if d < $today - 30}}x{{endif}}", "Write $today.addDays(-30)."],
  ["{{items[0].due + 14}}", "Write items[0].due.addDays(14)."],
  ['{{d - "2026-01-01"}}', 'Write $daysUntil("2026-01-01", d).'],
  ['{{"2026-12-31" - d}}', 'Write d.daysUntil("2026-12-31").'],
  ["{{for i in items.sort(-due)}}{{endfor}}", "sort(due desc)"],
  ["{{items.map(due * 2)}}", "Calculate with dates by functions"],
  // Texts.
  ["{{s + s}}", "To join texts, write $concat(s, s)."],
  ["{{s + $if(n, s, s)}}", 'Join texts with $concat(a, " ", b).'],
  ["{{s.uppercase.trim}}", "Did you mean 's.uppercase().trim()'?"],
  ["{{s.capitalize.trim}}", "Did you mean 's :: capitalize, trim'?"],
  ["{{s.trim.uppercase()}}", "Did you mean 's.trim()'?"],
  ["{{s.trim().uppercase}}", "Write .uppercase()."],
  ["{{s.trim().padStart}}", 'Write .padStart(8, "0").'],
  ["{{s.trim().currency}}", 'Write .currency("EUR").'],
  // Numbers in words.
  ['{{n.words("de")}}', 'write words() :: locale("de")'],
  ["{{n.words(de)}}", 'write words() :: locale("de")'],
  ['{{n :: ordinal("pt_BR")}}', 'write ordinal() :: locale("pt-BR")'],
  // Sums.
  ['{{items.sum("price")}}', "Write {{items.sum(price)}}."],
  ["{{items.sum(items.price)}}", "Name the key of an item, without the list: items.sum(price)."],
  ["{{$sum(i.price)}}", "Did you mean 'items.sum(price)'?"],
  ["{{$max(price)}}", "Did you mean 'items.max(price)'?"],
  ["{{for i in items.sort(price, desc)}}{{endfor}}", "without a comma: sort(date desc)"],
  ["{{for i in items.sort(price, reverse)}}{{endfor}}", "without a comma: sort(date desc)"],
  ["{{items.sum(i.price)}}", "Did you mean 'price'?"],
  ["{{items.where(row.price > 2).count()}}", "Did you mean 'price'?"],
  // Built-in names.
  ["{{$Today}}", "Did you mean '$today'?"],
  ["{{$NOW}}", "Did you mean '$now'?"],
  ["{{TODAY}}", "Did you mean '$today'?"],
  ["{{$date}}", "Did you mean '$today'?"],
  ["{{$page}}", "insert a page number with Word"],
  ["{{for i in items}}{{$rownum}}{{endfor}}", "Did you mean '$number'?"],
  ["{{for i in items}}{{$row_number}}{{endfor}}", "Did you mean '$number'?"],
  ["{{for item in items}}{{$i}}{{endfor}}", "Did you mean '$index'?"],
  ["{{for i in items}}{{loop.index}}{{endfor}}", "Did you mean '$number'?"],
  ["{{for i in items}}{{$count}}{{endfor}}", "Did you mean '$count(path)'?"],
  // Modifiers that cannot format a result.
  ['{{d.weekday() :: format("EEEE")}}', 'Write {{d :: format("EEEE")}}.'],
  ['{{items[0].due.month() :: format("MMMM")}}', 'Write {{items[0].due :: format("MMMM")}}.'],
  [
    '{{n.words() :: currency("EUR")}}',
    "Leave out 'currency', or write {{n :: currency(\"EUR\")}}.",
  ],
  ['{{d :: format("dd.MM.yyyy"), currency("EUR")}}', "Write only one of 'format' and 'currency'."],
  ['{{n :: currency("EUR"), number(2)}}', 'Write {{n :: currency("EUR", 2)}}.'],
  ["{{$today - d}}", "Write d.daysUntil($today)."],
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
  ["{{items.limit(-1)}}", "The number of items of 'limit' is not negative."],
  ["{{d.addDays(1.5)}}", "$addDays needs a whole number, but got a number with decimals"],
  ["{{s.padStart(-1)}}", "$padStart needs a whole number from 0, but got a negative number"],
  ["{{s.addDays(1)}}", "$addDays needs a date, but got text that cannot be read as a date"],
  ["{{n.addDays(1)}}", "$addDays needs a date, but got a number, which could mean any date"],
])("%s is reported: %s", async (text, message) => {
  const { warnings } = await outcome(p(text), DATA);
  expect(warnings[0]?.message).toContain(message);
});

test.each([
  ["{{now}}", { now: null }],
  ["{{name}}", { name: null, names: 1 }],
  ["{{for i in items}}{{i.price}}{{endfor}}", { items: [{ prices: 1 }, { price: 2 }] }],
  ["{{#items}}{{price}}{{/items}}", { items: [{ prices: 1 }, { price: 2 }] }],
  ["{{for i in items}}{{#i}}{{price}}{{/i}}{{endfor}}", { items: [{ price: null, prices: 1 }] }],
  ["{{items.sum(price)}}", { items: [{ prices: 1 }, { price: 2 }] }],
])("a name that the data has is not replaced by another: %s", async (text, data) => {
  const { warnings } = await outcome(p(text), data);
  expect(warnings[0]?.hint).toBeDefined();
  expect(warnings[0]?.hint).not.toContain("Did you mean");
});

test.each([
  ['{{d.month() :: number("00")}}', "01"],
  ['{{d.year() :: format("xx-xx")}}', "20-26"],
  ['{{d :: format("yyyy"), number(0)}}', "2,026"],
  ['{{n :: currency("EUR"), format("xxxxx")}}', "€5.00"],
])("%s is accepted", async (text, line) => {
  expect((await outcome(p(text), DATA)).lines).toEqual([line]);
});

test.each([
  ["{{for i in items}}{{$sum(i.price)}}{{endfor}}", "{{items.sum(price)}}"],
  ["{{#items}}{{$max(price)}}{{/items}}", "{{items.max(price)}}"],
  [
    "{{for i in items}}{{if i.price.average() > 2}}x{{endif}}{{endfor}}",
    "{{items.average(price)}}",
  ],
])("a sum of one number in each repetition gives one warning: %s", async (text, tag) => {
  const { error, warnings } = await outcome(p(text), DATA);
  expect(error).toBeNull();
  const found = warnings.filter(({ code }) => code === "sum_of_one_value");
  expect(found.map(({ hint }) => hint)).toEqual([expect.stringContaining(`write ${tag}.`)]);
});

test.each([
  ["{{for i in l}}{{$sum(i.n)}}{{endfor}}", { l: [{ n: 1 }, { n: [1, 2] }] }],
  ["{{for i in l}}{{$sum(i.n)}}{{endfor}}", { l: [{ n: 1 }] }],
  ["{{for i in l}}{{$sum(n)}}{{endfor}}", { n: 1, l: [1, 2] }],
  ["{{for i in l}}{{$running(i.n)}}{{endfor}}", { l: [{ n: 1 }, { n: 2 }] }],
])("a sum that may have a list has no such warning: %s", async (text, data) => {
  const { warnings } = await outcome(p(text), data);
  expect(warnings.map(({ code }) => code)).not.toContain("sum_of_one_value");
});

const ORDERS = {
  orders: [{ no: 1, lines: [{ sku: "a", amount: 2 }] }],
  items: [{ name: "A", price: 2 }],
  months: ["Jan"],
  row: { Jan: 1 },
  entries: { a: { name: "A" } },
  name: "B",
  total: 5,
  paid: true,
  nothing: null,
  gaps: [{ tax: 1 }, { name: "A" }],
  vip: "yes",
  one: 1,
  due: "2026-01-31",
  skills: "Word, Excel",
  written: "[1, 2]",
  blank: " ",
};

test.each([
  // Functions without parentheses.
  ["{{for i in items.sort(price).reverse}}x{{endfor}}", "Did you mean '.reverse()'?"],
  ["{{items.first.name}}", "Did you mean 'items.first().name'?"],
  ["{{orders.last.lines[0].sku}}", "Did you mean 'orders.last().lines[0].sku'?"],
  ["{{items[last].name}}", "Write {{items.last().name}}."],
  ["{{items[$last].name}}", "as in items.last().name"],
  ["{{if total > average}}x{{endif}}", "name its list, as in items.average(price)."],
  ["{{total - count}}", "name its list, as in items.count()."],
  ["{{items.max(price).name}}", "write items.sort(price).last().name"],
  ["{{items.min(price).name}}", "write items.sort(price).first().name"],
  ["{{items.sort(price).last.name}}", "Did you mean '.last().name'?"],
  ["{{if items.first.name}}x{{endif}}", "Did you mean 'items.first().name'?"],
  ["{{if total > avg}}x{{endif}}", "name its list, as in items.average(price)."],
  ['{{items.sum(price).where(name == "A")}}', "write where before it, as in items.where("],
  // Texts without quotes, and null.
  ["{{phone ?? mobile ?? none}}", 'Text goes in quotes: "none".'],
  ['{{$if(name == A, "x", "y")}}', `If 'A' is text, put it in quotes: "A".`],
  ["{{$if(paid, Yes, No)}}", 'Text goes in quotes: "Yes".'],
  ["{{phone ?? none}}", '{{phone ?? "none"}}'],
  ["{{phone :: default(none)}}", '{{phone :: default("none")}}'],
  ["{{if total > nothing}}x{{endif}}", "'nothing' is null in the data: test it first"],
  ['{{items.map($if(price > 1, Yes, "No")).join()}}', 'If it is text, put it in quotes: "Yes".'],
  ["{{if total > limit}}x{{endif}}", "write what counts in its place, as in (limit ?? 0)."],
  ["{{tax ?? vat}}", "If 'vat' is text, put it in quotes"],
  // Names that belong elsewhere.
  ["{{d.name}}", "Did you mean 'name'?"],
  ["{{data.items[0].name}}", "Did you mean 'items[0].name'?"],
  ["{{$root.total}}", "Did you mean 'total'?"],
  [
    "{{for i in orders}}{{for i in i.lines}}{{i.no}}{{endfor}}{{endfor}}",
    "'i' is the item of the inner loop here.",
  ],
  ["{{for l in orders.lines}}{{l.no}}{{endfor}}", "'for l in item.lines'. Then write item.no."],
  ["{{for o in orders}}{{for l in o.lines}}{{l.no}}{{endfor}}{{endfor}}", "Did you mean 'o.no'?"],
  ["{{for m in months}}{{m.name}}{{endfor}}", "'m' is text and has no keys. To print it, write m"],
  ["{{total.net}}", "'total' is a number and has no keys. To print it, write total alone."],
  ["{{for i in items.name}}{{i.price}}{{endfor}}", "write i.name and i.price."],
  ["{{for e in entries.entries()}}{{e.name}}{{endfor}}", "Did you mean 'e.value.name'?"],
  ["{{for m in months}}{{row.m}}{{endfor}}", "Did you mean 'row[m]'?"],
  // Values of another kind.
  ["{{for i in orders.where(no > 0 and tax > 0)}}x{{endfor}}", "The items have: no, lines."],
  [
    "{{for i in gaps.where(tax > 0)}}x{{endfor}}",
    "write what counts in its place, as in (tax ?? 0).",
  ],
  ['{{if name == ["A", "B"]}}x{{endif}}', 'write name in ["A", "B"].'],
  ['{{if name != ["A", "B"]}}x{{endif}}', 'write name not in ["A", "B"].'],
  [
    "{{if vip == true}}x{{endif}}",
    "'vip' is text: compare it with its text in quotes, as in vip == ",
  ],
  ["{{if one == true}}x{{endif}}", "'one' is a number: write one == 1"],
  ['{{if due < "today"}}x{{endif}}', "Write $today without quotes."],
  ["{{if due == 2026}}x{{endif}}", "For its year write due.year() == 2026."],
  ["{{if items > 1}}x{{endif}}", "For the number of items write items.count() > 1."],
  ["{{orders.count(lines.amount > 4)}}", "write lines.count(amount > 4) > 0."],
  ["{{orders.sum(lines.amount)}}", "write orders.lines.sum(amount)."],
  [
    "{{items.sum(price > 1)}}",
    "items.count(price > 1). To select items, write items.where(price > 1).sum(price).",
  ],
  [
    "{{items.sum(name == name2)}}",
    "items.count(name == name2). To select items, write items.where(name == name2).sum(price).",
  ],
  ["{{for i in items}}{{i.price / items.price}}{{endfor}}", "write items.sum(price)."],
  ["{{for i in items}}{{$running(items.price)}}{{endfor}}", "$running(i.price)."],
  ["{{#items}}{{$running(items.price)}}{{/items}}", "$running(price)."],
  ['{{items.distinct(name).join(", ")}}', 'items.map(city).join(", ")'],
  ["{{items.where(price > 1)}}", "{{for i in items.where(price > 1)}}{{i.name}}{{endfor}}"],
  ["{{for i in items}}{{.}}{{endfor}}", "as in {{i.name}}. The item has: name, price."],
  ["{{entries}}", "Name one of its keys after a dot, as in {{entries.key}}."],
  ["{{for i in items.first()}}x{{endfor}}", "write limit(1) in its place"],
  ["{{for i in items[0]}}x{{endfor}}", "write {{items[0].name}}"],
  ["{{for i in items.distinct()}}x{{endfor}}", "write distinct(name) or distinct(price)"],
  ["{{for i in skills}}x{{endfor}}", 'skills.split(", ")'],
  ["{{for i in written}}x{{endfor}}", "The data has the list as text in quotes."],
  ["{{for i in blank}}x{{endfor}}", "Write {{if blank}} … {{endif}} around the block"],
  ["{{for i in items.concat(months)}}x{{endfor}}", "write a loop for each of them"],
  // Groups.
  ["{{for g in items.group(name).sort(total desc)}}x{{endfor}}", "sort(items.sum(total) desc)"],
  ["{{for g in items.group(name).where(total > 9)}}x{{endfor}}", "where(items.sum(total) > 100)"],
  ["{{items.group(name).sum(total)}}", "write {{g.items.sum(total)}}."],
  ["{{for g in items.group(name)}}{{orders.count(no == g)}}{{endfor}}", "in common: g.key."],
  // What Word does.
  ["{{page}}", "insert a page number with Word"],
  ["{{pagebreak}}", "A tag makes no page break"],
  ["{{newline}}", "write $newline"],
  ["{{for i in items}}{{break}}{{endfor}}", "as in items.limit(3)"],
  ["{{NEXT}}", "A loop repeats its content for each record"],
  // Positions after the end of a loop.
  ["{{for i in items}}x{{endfor}}{{$running(i.price)}}", "write {{items.sum(price)}}"],
  ["{{for i in items}}x{{endfor}}{{$number}}", "write {{items.count()}}"],
])("%s leads to %s", async (text, hint) => {
  const { warnings } = await outcome(p(text), ORDERS);
  const [first] = warnings.filter(({ code }) => code !== "unused_value");
  expect(first?.hint).toContain(hint);
});

test.each([
  ["{{page}}", { Page: 1 }, "Did you mean 'Page'?"],
  ["{{customer.name}}", { name: "a" }, "Add it to the data"],
  ["{{d.name}}", { d: {}, name: "a" }, "Add it to the data"],
  ["{{$if(a, b, c)}}", { a: true, b2: 1 }, "If 'b' is a key, add it to the data."],
  ["{{page}}", {}, "A value with this name must be in the data."],
  ["{{l.first.name}}", { l: [{ first: {} }] }, "Add it to the data"],
  ['{{if l > "a"}}x{{endif}}', { l: [1] }, undefined],
  ["{{for l in orders.lines}}{{l.x}}{{endfor}}", ORDERS, "Add it to the data"],
])("a name that may be right is not explained otherwise: %s", async (text, data, hint) => {
  const { warnings } = await outcome(p(text), data);
  if (hint === undefined) expect(warnings[0]?.hint).toBeUndefined();
  else expect(warnings[0]?.hint).toContain(hint);
});
