import { describe, expect, test } from "vitest";
import { manyRuns } from "../../../contracts/test/support/runs.ts";
import { p } from "../../../ooxml/test/support/docx.ts";
import { directiveOf } from "../../src/language/directive.ts";
import { outcome } from "../support/language.ts";

async function hintFor(text: string): Promise<string> {
  const { warnings } = await outcome(p(text), {});
  expect(warnings).toHaveLength(1);
  return warnings[0]?.hint ?? "";
}

describe("a mistake from another language has a hint with the whole tag", () => {
  test.each([
    // One of two values.
    ["{{if(a, b, c)}}", "{{$if(a, b, c)}}"],
    ["{{if (a > 1, 'b', 'c')}}", "{{$if(a > 1, 'b', 'c')}}"],
    ["{{IF(a = 1; 'b'; 'c')}}", "{{$if(a == 1, 'b', 'c')}}"],
    ["{{=IF(a, b)}}", '{{$if(a, b, "")}}'],
    ["{{IIF(a, b, c)}}", "{{$if(a, b, c)}}"],
    ["{{a ? b : c}}", "{{$if(a, b, c)}}"],
    ["{{a === 1 ? 'b' : c :: uppercase}}", "{{$if(a == 1, 'b', c) :: uppercase}}"],
    ["{{a ?: b}}", "{{a ?? b}}"],
    ["{{a if b else c}}", "{{$if(b, a, c)}}"],
    ["{{if a then b else c}}", "{{$if(a, b, c)}}"],
    ["{{$if a, b, c}}", "{{$if(a, b, c)}}"],
    ['{{$if(n > 9, "a", n > 3, "b", "c")}}', '{{$if(n > 9, "a", $if(n > 3, "b", "c"))}}'],
    ['{{IFS(n > 9, "a", n > 3, "b")}}', '{{$if(n > 9, "a", $if(n > 3, "b", ""))}}'],
    ["{{$concat(a, if(b, c, d))}}", "{{$concat(a, $if(b, c, d))}}"],
    // Texts that are joined within a function, also with the quotes that Word types.
    ['{{$if(a, "b " + c, d)}}', '{{$if(a, $concat("b ", c), d)}}'],
    ["{{$if(a == “x”, “b ” + c, “d”)}}", '{{$if(a == "x", $concat("b ", c), "d")}}'],
    ['{{items.map(a + ": " + b).join("; ")}}', '{{items.map($concat(a, ": ", b)).join("; ")}}'],
    ['{{"Total " + items.sum(a)}}', '{{$concat("Total ", items.sum(a))}}'],
    ['{{$if(a, "b {{c}}", "d")}}', '{{$if(a, $concat("b ", c), "d")}}'],
    ['{{$concat("a {{b}}", "{{c}} d")}}', '$concat($concat("a ", b), $concat(c, " d"))'],
    // Arguments that a function does not take.
    ['{{items.sum(a, b == "c")}}', '{{items.where(b == "c").sum(a)}}'],
    ['{{$count(items.a == "b")}}', '{{items.count(a == "b")}}'],
    ["{{items.sum(a, 2)}}", "{{items.sum(a).round(2)}}"],
    ["{{for i in items.limit(1, 2)}}x{{endfor}}", "{{for i in items.skip(1).limit(2)}}"],
    ["{{items.count(distinct city)}}", "{{items.city.distinct().count()}}"],
    ["{{items.running(price)}}", "{{$running(i.price)}}. Write the name of the item of the loop"],
    ['{{if a.startsWith("b", "c")}}x{{endif}}', 'a.startsWith("b") or a.startsWith("c")'],
    ["{{items.first(a == max(a)).b}}", "{{items.first(a == items.max(a)).b}}"],
    ["{{i.a / sum(a)}}", "Name the list of the items before the function, as in items.sum(a)."],
    [
      '{{items.map(a :: currency("EUR")).join("; ")}}',
      '{{for i in items}}{{i.a :: currency("EUR"), delimiter("; ")}}{{endfor}}',
    ],
    ["{{a :: if(a > 5)}}", "{{if a > 5}}{{a}}{{endif}}"],
    ["{{a :: hide, when(not b)}}", "{{if b}}{{a}}{{endif}}"],
    // Conditions.
    ["{{if a > 1 and < 5}}x{{endif}}", "{{if a > 1 and a < 5}}"],
    ['{{if AND(a, b == "c")}}x{{endif}}', '{{if a and b == "c"}}'],
    ["{{if OR(a, AND(b, c > 1)) and d}}x{{endif}}", "{{if (a or (b and c > 1)) and d}}"],
    ["{{if NOT(a)}}x{{endif}}", "{{if not a}}"],
    ["{{if a or b, c}}x{{endif}}", "{{if (a or b) and c}}"],
    ['{{if contains(a, "b")}}x{{endif}}', '{{if a contains "b"}}'],
    ["{{if a isBefore $today}}x{{endif}}", "{{if a < $today}}"],
    ["{{if a.isAfter(b)}}x{{endif}}", "{{if a > b}}"],
    ["{{if a is after b}}x{{endif}}", "{{if a > b}}"],
    ["{{if a is greater than or equal to 3}}x{{endif}}", "{{if a >= 3}}"],
    ["{{if a older than 30 days}}x{{endif}}", "{{if a < $today.addDays(-30)}}"],
    ["{{if a > 1000€}}x{{endif}}", "{{if a > 1000}}"],
    ['{{if [first name] == "a"}}x{{endif}}', '{{if ["first name"] == "a"}}'],
    ["{{a[first name]}}", '{{a["first name"]}}'],
    ["{{ifnot a}}x{{endif}}", "{{if not a}}"],
    ["{{if a > 1 && < 5}}x{{endif}}", "{{if a > 1 and a < 5}}"],
    ["{{if a = 1 or = 2}}x{{endif}}", "{{if a == 1 or a == 2}}"],
    ['{{if a is one of "b", "c"}}x{{endif}}', '{{if a in ["b", "c"]}}'],
    ['{{if a not in "b", "c"}}x{{endif}}', '{{if a not in ["b", "c"]}}'],
    ['{{if a == "{{b}}"}}x{{endif}}', "A text in quotes contains no tags. Write {{if a == b}}."],
    ["{{items.where(a > 1, b).count()}}", "{{items.where(a > 1 and b).count()}}"],
    ['{{$if(a > 1; "b"; "c")}}', '{{$if(a > 1, "b", "c")}}'],
    ["{{if a is > 5}}x{{endif}}", "{{if a > 5}}"],
    ['{{if a is in ["b"]}}x{{endif}}', '{{if a in ["b"]}}'],
    ['{{items.find(a == "b").c}}', '{{items.first(a == "b").c}}'],
    // Words before or between values.
    ["{{sum of items.a}}", "{{items.sum(a)}}"],
    ['{{format a "dd.MM."}}', '{{a.format("dd.MM.")}}'],
    ['{{a format "dd.MM."}}', '{{a :: format("dd.MM.")}}'],
    ["{{a as currency}}", '{{a :: currency("EUR")}}'],
    ["{{i.a x i.b}}", "{{i.a * i.b}}"],
    ["{{x.a x.b}}", "Write each value in its own tag: {{x.a}}, {{x.b}}."],
    ["{{merge i.a}}", "{{i.a :: merge}}"],
    ["{{uppercase a}}", "{{a :: uppercase}}"],
    ["{{distinct items.a}}", "{{items.a.distinct()}}"],
    // Loops.
    ["{{for i in items desc}}x{{endfor}}", "{{for i in items.reverse()}}"],
    ["{{for i in top 2 items}}x{{endfor}}", "{{for i in items.limit(2)}}"],
    ["{{for i in last 2 of items}}x{{endfor}}", "items.reverse().limit(2).reverse()"],
    ["{{for n = 1 to 3}}x{{endfor}}", "{{for n in $range(1, 3)}}"],
    ["{{for i in a and b}}x{{endfor}}", "a loop for each list: {{for i in a}}, {{for i in b}}."],
    ["{{for i in a + b}}x{{endfor}}", "a loop for each list: {{for i in a}}, {{for i in b}}."],
    ['{{for i in a | where: "b", "c"}}x{{endfor}}', '{{for i in a.where(b == "c")}}'],
    ["{{set a = a + i.b}}", "{{items.sum(b)}}"],
    [
      '{{for n in a :: delimiter(", ")}}x{{endfor}}',
      'or {{n :: delimiter(", ")}} for single values.',
    ],
    // Included templates.
    ['{{include("a.docx")}}', '{{include "a.docx"}}'],
    ['{{includetext "a.docx"}}', '{{include "a.docx"}}'],
    ['{{#include "a.docx"}}', '{{include "a.docx"}}'],
    [
      '{{include "a.docx" with b}}',
      '{{include "a.docx"}}. An included template has the same data.',
    ],
    // Functions with an arrow.
    ["{{items.where(i => i.paid)}}", "{{items.where(paid)}}"],
    ["{{items.filter((i) => i.a == i.b).count()}}", "{{items.where(a == b).count()}}"],
    ["{{items.map(x -> x.name)}}", "{{items.map(name)}}"],
    ["{{items.where(i: i.paid)}}", "{{items.where(paid)}}"],
    ["{{list.where(lambda n: n > 3)}}", "{{list.where(this > 3)}}"],
    // Filters after a pipe.
    ["{{for i in items | sort(name)}}x{{endfor}}", "{{for i in items.sort(name)}}"],
    ["{{for i in items|sort:'name'}}x{{endfor}}", "{{for i in items.sort(name)}}"],
    ["{{items | join(', ')}}", "{{items.join(', ')}}"],
    ["{{name | upper}}", "{{name :: uppercase}}"],
    ["{{name | trim | upper}}", "{{name :: trim, uppercase}}"],
    ["{{items | first | upper}}", "{{items.first() :: uppercase}}"],
    ["{{name | default:'-'}}", "{{name :: default('-')}}"],
    ["{{total | money}}", '{{total :: currency("EUR")}}'],
    // Brackets.
    ["{{for i in items[0:2]}}x{{endfor}}", "{{for i in items.limit(2)}}"],
    ["{{for i in items[:3]}}x{{endfor}}", "{{for i in items.limit(3)}}"],
    ["{{for i in items[2:]}}x{{endfor}}", "{{for i in items.skip(2)}}"],
    ["{{for i in items[1..3]}}x{{endfor}}", "{{for i in items.skip(1).limit(3)}}"],
    ["{{for i in items[?paid]}}x{{endfor}}", "{{for i in items.where(paid)}}"],
    ["{{items[*].name}}", "{{items.map(name)}}"],
    ["{{items[].name}}", "{{items.map(name)}}"],
    ["{{items[-1].name}}", "{{items.last().name}}"],
    ["{{items[-2].name}}", "{{items.reverse()[1].name}}"],
    ["{{name[0:3]}}", "{{name.substring(0, 3)}}"],
    // Arguments without parentheses.
    ["{{due.addDays 30}}", "{{due.addDays(30)}}"],
    ["{{total.round 2}}", "{{total.round(2)}}"],
    ["{{items.sum amount}}", "{{items.sum(amount)}}"],
    ["{{for i in items.sort name}}x{{endfor}}", "{{for i in items.sort(name)}}"],
    ["{{$addDays due 30}}", "{{due.addDays(30)}}"],
    // Empty lists, and a language as an argument.
    ["{{if items == []}}x{{endif}}", "{{if items isEmpty}}"],
    ["{{if items != []}}x{{endif}}", "{{if not items isEmpty}}"],
    ["{{d :: format('MMMM', 'fr')}}", "{{d :: format('MMMM'), locale('fr')}}"],
    // Looks.
    ["{{n :: color(#FF0000)}}", '{{n :: color("#FF0000")}}'],
    ["{{n :: color('red', n < 0)}}", "{{n :: color('red'), when(n < 0)}}"],
    [
      "{{n :: number(2), fill('red', $abs(n) > 3)}}",
      "{{n :: number(2), fill('red'), when($abs(n) > 3)}}",
    ],
    ["{{n :: bold(true, n < 0)}}", "{{n :: bold(n < 0)}}"],
    ["{{n :: background('red')}}", "{{n :: fill('red')}}"],
    ["{{n :: number(2), highlight('yellow')}}", "{{n :: number(2), fill('yellow')}}"],
    ["{{n :: fontColor('red'), when(n < 0)}}", "{{n :: color('red'), when(n < 0)}}"],
    ["{{n :: font('Arial')}}", 'write style("Name") with the name of a style'],
    ["{{n :: size(12)}}", 'write style("Name") with the name of a style'],
    ["{{n :: align('right')}}", 'write style("Name") with the name of a style'],
    // The order of a list.
    ["{{for i in items.sort(date, 'desc')}}x{{endfor}}", "{{for i in items.sort(date desc)}}"],
    ["{{for i in items.sort('date')}}x{{endfor}}", "{{for i in items.sort(date)}}"],
    ["{{for i in items.sort(date descending)}}x{{endfor}}", "{{for i in items.sort(date desc)}}"],
    [
      "{{for i in items.sort(date DESC, name)}}x{{endfor}}",
      "{{for i in items.sort(date desc, name)}}",
    ],
    ["{{for i in items.sort(desc date)}}x{{endfor}}", "{{for i in items.sort(date desc)}}"],
    ["{{for i in items.sort('name', 'ASC')}}x{{endfor}}", "{{for i in items.sort(name asc)}}"],
    ["{{items :: sort('date', 'desc'), first()}}", "{{items :: sort(date desc), first()}}"],
    // Operators.
    ["{{n ** 2}}", "{{n * n}}"],
    ["{{n ^ 3}}", "{{n * n * n}}"],
    ["{{n mod 2}}", "{{n % 2}}"],
    ["{{n div 2}}", "{{n / 2}}"],
    ["{{a & b}}", "{{$concat(a, b)}}"],
    ["{{a + ' ' + b}}", "{{$concat(a, ' ', b)}}"],
    ["{{a . ', ' . b}}", "{{$concat(a, ', ', b)}}"],
    ["{{a ~ b :: uppercase}}", "{{$concat(a, b) :: uppercase}}"],
    ["{{'a' 'b'}}", "{{$concat('a', 'b')}}"],
    ["{{a || 'x'}}", "{{a ?? 'x'}}"],
    ["{{a or 'none'}}", "{{a ?? 'none'}}"],
    // Conditions.
    ["{{if a is b}}x{{endif}}", "{{if a == b}}"],
    ["{{if a is not b}}x{{endif}}", "{{if a != b}}"],
    ["{{if a is null}}x{{endif}}", "{{if not a isPresent}}"],
    ["{{if a is not empty}}x{{endif}}", "{{if not a isEmpty}}"],
    ["{{if a between 1 and 3}}x{{endif}}", "{{if a >= 1 and a <= 3}}"],
    ["{{if a not between 1 and 3 and b}}x{{endif}}", "{{if not (a >= 1 and a <= 3) and b}}"],
    ["{{if a in 1..3}}x{{endif}}", "{{if a >= 1 and a <= 3}}"],
    ["{{if a like 'x%'}}x{{endif}}", '{{if a.startsWith("x")}}'],
    ["{{if a LIKE '%x%' and b = 1}}x{{endif}}", '{{if a contains "x" and b == 1}}'],
    ["{{if a starts with 'x'}}x{{endif}}", "{{if a.startsWith('x')}}"],
    ["{{if a not contains 'x'}}x{{endif}}", "{{if not a contains 'x'}}"],
    ["{{if a.includes('x')}}x{{endif}}", "{{if a contains 'x'}}"],
    ["{{n :: bold, when(a is b)}}", "{{n :: bold, when(a == b)}}"],
    // Modifiers and functions in another form.
    ["{{$optional(name)}}", "{{name :: optional}}"],
    ["{{sum(items.amount)}}", "{{items.sum(amount)}}"],
    ["{{=SUM(items.amount)}}", "{{items.sum(amount)}}"],
    ["{{sum(items, amount)}}", "{{items.sum(amount)}}"],
    ["{{sum(amount)}}", "Name the list of the items: {{items.sum(amount)}}."],
    ["{{sum(amount)}}", "If 'amount' is a list itself, write {{amount.sum()}}."],
    ["{{sum(i.amount)}}", "and then the key: {{items.sum(amount)}}."],
    ["{{=SUM(ABOVE)}}", "and then the key: {{items.sum(amount)}}."],
    ["{{UPPER(name)}}", "{{name.uppercase()}}"],
    ["{{COUNT(items)}}", "{{items.count()}}"],
    ["{{LEFT(name, 3)}}", "{{name.substring(0, 3)}}"],
    ["{{CONCATENATE(a, ' ', b)}}", "{{a.concat(' ', b)}}"],
    ["{{TEXT(date, 'dd.mm.yyyy')}}", "{{date :: format('dd.mm.yyyy')}}"],
    ["{{total.toFixed(2)}}", "{{total :: number(2)}}"],
    ["{{items.Where(i => i.paid)}}", "{{items.where(paid)}}"],
    ["{{= a + b}}", "{{a + b}}"],
    ["{{a?.b?.c}}", "{{a.b.c}}"],
    ["{{customer::name}}", "{{customer.name}}"],
    ["{{name!'x'}}", "{{name ?? 'x'}}"],
    ["{{if a is defined}}x{{endif}}", "{{if a isPresent}}"],
    // Loops.
    ["{{for i in items limit:3}}x{{endfor}}", "{{for i in items.limit(3)}}"],
    ["{{for i in items as row}}x{{endfor}}", "{{for i in items}}"],
    ["{{for i, item in items}}x{{endfor}}", "{{for item in items}}"],
    ["{{for (item, i) in items}}x{{endfor}}", "{{for item in items}}"],
    ["{{for k, v in prices}}x{{endfor}}", "{{for v in prices.entries()}}"],
    ["{{for k, v in prices.items()}}x{{endfor}}", "{{for v in prices.entries()}}"],
    ["{{for (let i of items)}}x{{endfor}}", "{{for i in items}}"],
    ["{{foreach items as item}}x{{endfor}}", "{{for item in items}}"],
    ["{{#each items as |it idx|}}x{{/each}}", "For 'idx' write {{$index}}."],
    ["{{loop items}}x{{endfor}}", "{{for item in items}}"],
    ["{{for i in items:}}x{{endfor}}", "{{for i in items}}"],
    ["{{for i : items}}x{{endfor}}", "{{for i in items}}"],
    ["{{for i in items if i.paid}}x{{endfor}}", "{{for i in items.where(i.paid)}}"],
    ["{{for i in items order by name DESC}}x{{endfor}}", "{{for i in items.sort(name desc)}}"],
    ["{{for i in items reversed}}x{{endfor}}", "{{for i in items.reverse()}}"],
    [
      "{{for i in items where a = 1 order by b}}x{{endfor}}",
      "{{for i in items.where(a == 1).sort(b)}}",
    ],
  ])("%s: %s", async (text, hint) => {
    expect(await hintFor(text)).toContain(hint);
  });
});

test.each([
  ["{{for i in 1..3}}x{{endfor}}", "{{for i in $range(1, 3)}}"],
  ["{{for i in 1...n}}x{{endfor}}", "{{for i in $range(1, n)}}"],
  ["{{for i in range(3)}}x{{endfor}}", "{{for i in $range(3)}}"],
  ["{{for i in range(1, a.b)}}x{{endfor}}", "{{for i in $range(1, a.b)}}"],
  ["{{for i in 3}}x{{endfor}}", "{{for i in $range(3)}}"],
  ["{{for (i = 0; i < 3; i++)}}x{{endfor}}", "{{for n in $range(1, 3)}}"],
])("a loop over numbers leads to the function for it: %s", async (text, hint) => {
  expect(await hintFor(text)).toContain(hint);
});

test.each([
  ["{{first name}}", 'this["first name"]'],
  ["{{customer.count total}}", 'customer["count total"]'],
  ["{{a ? b}}", "{{$if(condition, a, b)}}"],
  ["{{a, b.c}}", "Write each value in its own tag: {{a}}, {{b.c}}."],
  ["{{items.sort((a, b) => order(a, b))}}", "items.sort(price desc)"],
  ["{{items.reduce((a, b) => a * b)}}", "A function has no arrow"],
  ["{{set x = 1}}", "A tag sets no variable."],
  ["{{switch status}}", '{{if status == "a"}} … {{elseif status == "b"}}'],
  ["{{items.slice(1, 3)}}", "Write {{items.skip(1).limit(2)}}."],
  ["{{if a, b}}x{{endif}}", "Write {{if a and b}}. If one of the conditions is enough, write 'or'"],
  ["{{year 2024}}", 'this["year 2024"]'],
  ["{{if total before tax}}x{{endif}}", 'this["total before tax"]'],
  ["{{if total after tax > 5}}x{{endif}}", 'this["total after tax"]'],
  ["{{$sum(prices) 5}}", ""],
  ["{{items[price desc]}}", ""],
  ["{{sum x total}}", "Write {{sum * total}}."],
])("another mistake in %s keeps its hint", async (text, hint) => {
  const found = await hintFor(text);
  expect(hint === "" ? found === "" : found.includes(hint), found).toBe(true);
});

test("a hint only shows a tag that can be read", async () => {
  const parts = [
    "if ",
    "for i in ",
    "a",
    "b.c",
    "'x'",
    "3",
    "(",
    ")",
    "[",
    "]",
    " ? ",
    " : ",
    " | ",
    " = ",
  ];
  const more = [
    " & ",
    "..",
    "sum(",
    " if ",
    " else ",
    " is ",
    " not ",
    ", ",
    " :: ",
    "upper",
    " in ",
  ];
  const pieces = [...parts, ...more];
  let seed = 7;
  const next = (): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed;
  };
  let shown = 0;
  for (let turn = 0; turn < manyRuns(150, 400); turn++) {
    const content = Array.from({ length: 2 + (next() % 6) }, () => pieces[next() % pieces.length]);
    const { warnings } = await outcome(p(`{{${content.join("")}}}`), {});
    const tag = /^Write \{\{([^{}]*)\}\}\.$/.exec(warnings[0]?.hint ?? "")?.[1];
    if (tag === undefined || tag.includes("…")) continue;
    shown += 1;
    expect(directiveOf(tag), tag).not.toBeNull();
  }
  expect(shown).toBeGreaterThan(5);
});

test.each(["(", "[", " ", "a ", "a.", "'", "::", "a if ", "x=>", "not ", "a|"])(
  "a tag of many %j is read quickly",
  (piece) => {
    const start = performance.now();
    for (const end of ["", "!", " else ", ")"]) directiveOf(piece.repeat(119 / piece.length) + end);
    expect(performance.now() - start).toBeLessThan(200);
  },
);

test.each([
  ["{{LEFT(name, 3)}}", "Write {{name.substring(0, 3)}}."],
  ["{{$right(name, 3)}}", "Write {{name.substring(-3)}}."],
  ["{{MID(name, 2, 3)}}", "Write {{name.substring(1, 3)}}."],
  ["{{CEIL(a)}}", 'Write {{a.round(0, "ceiling")}}.'],
  ["{{$floor(a)}}", 'Write {{a.round(0, "floor")}}.'],
  ["{{ROUNDUP(a, 2)}}", 'Write {{a.round(2, "up")}}.'],
])("functions of spreadsheets keep their meaning: %s", async (text, hint) => {
  expect(await hintFor(text)).toContain(hint);
});

test.each([
  ["{{COALESCE(a, b)}}", "{{a ?? b}}"],
  ["{{a.isEmpty()}}", "isEmpty"],
  ['{{$switch(status, "a", 1)}}', 'Write $if(status == "a"'],
  ["{{items.every(paid)}}", "items.count(not paid) == 0"],
  ["{{due.monthName()}}", 'format("MMMM")'],
  ['{{to_char(total, "999")}}', ':: number("#,##0.00")'],
  ["{{VLOOKUP(i.pid, items, 2)}}", "{{items.first(id == i.pid).name}}"],
  ["{{SUMIF(items, 2)}}", "items.where(paid).sum(price)"],
  ["{{EDATE(due, 1)}}", "addMonths"],
])("a function with another form here leads to it: %s", async (text, hint) => {
  expect(await hintFor(text)).toContain(hint);
});

test.each([
  // Computations.
  ["{{net + rate%}}", "{{net * (1 + rate / 100)}}"],
  ["{{net - 5% :: number(2)}}", "{{net * (1 - 5 / 100) :: number(2)}}"],
  ["{{net * rate%}}", "{{net * rate / 100}}"],
  ["{{minutes // 60}}", '{{(minutes / 60).round(0, "down")}}'],
  ["{{1.05 ** years}}", "{{1.05.power(years)}}"],
  ["{{loan * (1 + rate) ^ n}}", "{{loan * (1 + rate).power(n)}}"],
  ["{{counter++}}", "A tag changes no variable."],
  ["{{quantity x price}}", "{{quantity * price}}"],
  // Functions.
  ["{{code.substring(0, FIND('-', code))}}", "{{code.split('-')[0]}}"],
  ["{{code.substring(0, code.indexOf('-'))}}", "{{code.split('-')[0]}}"],
  ["{{LEFT(code, FIND('-', code) - 1)}}", "{{code.split('-')[0]}}"],
  ["{{code.indexOf('-')}}", 'code.split("-")[0]'],
  ["{{CAST(total AS int)}}", '{{total.round(0, "down")}}'],
  ["{{first.charAt(0)}}", "{{first.substring(0, 1)}}"],
  [
    "{{name.slice(0, 3)}}",
    "Write {{name.substring(0, 3)}}. For a part of a list, write {{name.limit(3)}}.",
  ],
  ["{{Math.max(a, b)}}", "{{[a, b].max()}}"],
  ["{{MIN(0, total)}}", "{{[0, total].min()}}"],
  ["{{Math.floor(total)}}", '{{total.round(0, "floor")}}'],
  ["{{Math.abs(total)}}", "{{total.abs()}}"],
  ["{{SUBSTITUTE(code, '-', '')}}", "{{code.replace('-', '')}}"],
  ["{{PROPER(name)}}", "{{name.titleCase()}}"],
  ["{{number_format(total, 2)}}", "{{total :: number(2)}}"],
  ["{{due.getFullYear()}}", "Write {{due.year()}}."],
  ["{{ISNULL(a, 0) + b}}", "{{(a ?? 0) + b}}"],
  ["{{customer(name)}}", "write {{customer.name}}"],
  ["{{ROUND(total; 2)}}", "{{total.round(2)}}"],
  ["{{first.charAt(0).toUpperCase()}}", "{{first.substring(0, 1).uppercase()}}"],
  ["{{items.at(0).price}}", "{{items[0].price}}"],
  ["{{items.at(-1).price}}", "{{items.last().price}}"],
  ["{{COALESCE(name, 'a, b')}}", "{{name ?? 'a, b'}}"],
  ["{{total|number_format(2, ',', '.')}}", '{{total :: number(2), locale("de-DE")}}'],
  ["{{number_format(total, 2, '.', ',')}}", "{{total :: number(2)}}"],
  ["{{date|date('d.m.Y')}}", '{{date :: format("dd.MM.yyyy")}}'],
  ["{{total, 'EUR'}}", "{{total :: currency('EUR')}}"],
  ["{{name :: hide}}", "To show a value only sometimes, write {{if condition}}"],
  ["{{name.right(3)}}", "{{name.substring(-3)}}"],
  ["{{name.upper()}}", "{{name.uppercase()}}"],
  ["{{Number(total) * 2}}", "{{total * 2}}"],
  ["{{parseInt(total)}}", '{{total.round(0, "down")}}'],
  ["{{round(total * 1.19, 2)}}", "{{(total * 1.19).round(2)}}"],
  ["{{FLOOR(total / 60)}}", '{{(total / 60).round(0, "floor")}}'],
  ["{{currency(items.sum(price), 'EUR')}}", "{{items.sum(price) :: currency('EUR')}}"],
  ["{{items.sum(price) | currency('EUR')}}", "{{items.sum(price) :: currency('EUR')}}"],
  ["{{items.sum(price).toFixed(2)}}", "{{items.sum(price) :: number(2)}}"],
  ["{{(total * 1.19).toFixed(2)}}", "{{(total * 1.19) :: number(2)}}"],
  ["{{FORMAT(total, 2)}}", "{{total :: number(2)}}"],
  // Dates.
  ["{{due.addDays(3).format('long', 'de')}}", "{{due.addDays(3) :: format('long'), locale('de')}}"],
  ["{{moment(due).format('DD.MM.YYYY')}}", "{{due.format('DD.MM.YYYY')}}"],
  ["{{due.toLocaleDateString('de-DE')}}", "{{due :: format(\"short\"), locale('de-DE')}}"],
  ["{{due.plusDays(3)}}", "{{due.addDays(3)}}"],
  ["{{due.subtractDays(3)}}", "{{due.addDays(-3)}}"],
  ["{{due.addBusinessDays(5)}}", "{{due.addWorkdays(5)}}"],
  ["{{WORKDAY(due, 5)}}", "{{due.addWorkdays(5)}}"],
  ["{{due.addHours(3)}}", "Hours and minutes cannot be added to a date"],
  ["{{start.weeksUntil(end)}}", '{{(start.daysUntil(end) / 7).round(0, "down")}}'],
  [
    "{{NETWORKDAYS(start, end)}}",
    "{{$range(0, start.daysUntil(end)).count(start.addDays(this).weekday() <= 5)}}",
  ],
  ["{{due.add(1, 'month')}}", "{{due.addMonths(1)}}"],
  ["{{due.subtract(2, 'weeks')}}", "{{due.addWeeks(-2)}}"],
  ["{{DATEADD(day, 30, due)}}", "{{due.addDays(30)}}"],
  // Modifiers as functions and filters.
  ["{{currency('EUR', total)}}", "{{total :: currency('EUR')}}"],
  ["{{format('0.00', total)}}", "{{total :: number('0.00')}}"],
  ["{{total :: format(2)}}", "{{total :: number(2)}}"],
  ["{{items|sum(attribute='p')}}", "{{items.sum(p)}}"],
  ["{{date | date: '%d.%m.%Y'}}", '{{date :: format("dd.MM.yyyy")}}'],
  ["{{'%.2f'|format(total)}}", "{{total :: number(2)}}"],
  ["{{date:formatD('DD.MM.YYYY')}}", "{{date :: format('DD.MM.YYYY')}}"],
  ["{{total:formatN(2)}}", "{{total :: number(2)}}"],
  ["{{name:upperCase}}", "{{name :: uppercase}}"],
  ["{{date :: 'dd.MM.yyyy'}}", "{{date :: format('dd.MM.yyyy')}}"],
  ["{{date 'dd.MM.yyyy'}}", "{{date :: format('dd.MM.yyyy')}}"],
  ["{{total, currency('EUR')}}", "{{total :: currency('EUR')}}"],
  // Fields of Word.
  ["{{MERGEFIELD name}}", "{{name}}"],
  ["{{MERGEFIELD name \\* MERGEFORMAT}}", "{{name}}"],
  ["{{name \\* Upper}}", "{{name :: uppercase}}"],
  ["{{total \\# '#,##0.00'}}", "{{total :: number('#,##0.00')}}"],
  ["{{date \\@ 'dd.MM.yyyy'}}", "{{date :: format('dd.MM.yyyy')}}"],
  // Modifiers.
  ["{{phone::Optional}}", "{{phone::optional}}"],
  ["{{phone :: DEFAULT('x')}}", "{{phone :: default('x')}}"],
  ["{{phone :: default(-)}}", '{{phone :: default("-")}}'],
  ["{{phone :: optional('n/a')}}", "{{phone :: default('n/a')}}"],
  ["{{phone, 'n/a'}}", "{{phone ?? 'n/a'}}"],
  ["{{phone ?? `n/a`}}", '{{phone ?? "n/a"}}'],
  ["{{phone ?? -}}", '{{phone ?? "-"}}'],
  ["{{logo :: size('4cm', '3cm')}}", "{{logo :: width('4cm'), height('3cm')}}"],
  ["{{ean :: EAN13}}", '{{ean :: barcode("ean13")}}'],
  ["{{total :: EUR}}", '{{total :: currency("EUR")}}'],
  ["{{total :: currency('EUR', 'de')}}", "{{total :: currency('EUR'), locale('de')}}"],
  ["{{total :: lang('de')}}", "Did you mean 'locale'"],
  ["{{total :: number(2), replace(',', \"'\")}}", '{{total :: number(2), locale("de-CH")}}'],
  ["{{net :: number(2) + vat}}", "{{net + vat :: number(2)}}"],
  ["{{total :: ceil}}", '{{total :: round(0, "ceiling")}}'],
  ["{{total :: roundup(2)}}", '{{total :: round(2, "up")}}'],
  ["{{paid :: yesno}}", '{{$if(paid, "Yes", "No")}}'],
  // Looks.
  ["{{total :: bold and italic}}", "{{total :: bold, italic}}"],
  ["{{total :: bold italic}}", "{{total :: bold, italic}}"],
  [
    "{{n :: color('red'), when(n < 0), else color('green')}}",
    "{{n :: color($if(n < 0, 'red', 'green'))}}",
  ],
  ["{{n :: color(n < 0, 'red')}}", "{{n :: color('red'), when(n < 0)}}"],
  ["{{n :: color('red'), if(n < 0)}}", "{{n :: color('red'), when(n < 0)}}"],
  ["{{n :: color('red') if n < 0}}", "{{n :: color('red'), when(n < 0)}}"],
  ["{{n :: Red}}", '{{n :: color("red")}}'],
  ["{{n :: style(Heading 1)}}", '{{n :: style("Heading 1")}}'],
  ["{{n :: cell, fill('red')}}", "Write two tags: {{n}}, and {{cell :: fill('red')}} next to it."],
  ["{{n :: shape, fill('red')}}", "{{n}}, and {{shape :: fill('red')}} next to it."],
  // Text next to a value, keys, comparisons and notes.
  ["{{first || ' ' || last}}", "{{$concat(first, ' ', last)}}"],
  ["{{'Total: ' total}}", "Write the text outside the tag: Total: {{total}}."],
  ["{{total ' EUR'}}", "Write the text outside the tag: {{total}} EUR."],
  ["{{$concat('EUR ', total :: number(2))}}", "outside the tag: EUR {{total :: number(2)}}."],
  ["{{Kunden-Nr.}}", '{{this["Kunden-Nr."]}}'],
  ["{{$if(t => 1, 'a', 'b')}}", "{{$if(t >= 1, 'a', 'b')}}"],
  ["{{// a note}}", "{{! a note}}"],
  ["{{/* a note */}}", "{{! a note}}"],
  ["{{-- a note}}", "{{! a note}}"],
  ['{{$if(s == "paid", "paid, "open")}}', "A quote is missing before it"],
])("a tag of another language leads to the tag of this one: %s", async (text, hint) => {
  expect(await hintFor(text)).toContain(hint);
});

test.each([
  ["{{if 'open'}}x{{endif}}", "Compare it"],
  ["{{items[0].name(3)}}", "name[3]"],
  ["{{customer's name}}", '{{this["customer\'s name"]}}'],
  ["{{sum(items, price)}}", "{{items.sum(price)}}"],
  ["{{max(items, price)}}", "{{items.max(price)}}"],
  ["{{total :: PDF}}", "lists all modifiers"],
  ["{{Datum: date}}", "Modifiers come after two colons"],
  ["{{date :: H('H:m')}}", "lists all modifiers"],
  ["{{amount * 19%}}", "Write {{amount * (19 / 100)}}."],
])("the hint for %s does not guess another tag", async (text, hint) => {
  expect(await hintFor(text)).toContain(hint);
});
