import { describe, expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { outcome, printed } from "../support/language.ts";

const DATA = {
  sales: [
    { city: "Bern", month: "Jan", amount: 10, paid: true, name: "a" },
    { city: "Ulm", month: "Jan", amount: 5, paid: false, name: "b" },
    { city: "Bern", month: "Feb", amount: 20, paid: false, name: "c" },
  ],
  items: [
    { name: "Pen", price: 2, qty: 3 },
    { name: "Ink", price: 7.5, qty: 1 },
    { name: "Cap", price: 4, qty: 2 },
  ],
  total: 1234.5,
  n: 3,
  a: 6,
  b: 4,
  zero: 0,
  first: "Ann",
  last: "Lee",
  text: "foo",
  status: "open",
  paid: true,
  date: "2026-05-06",
  due: "2026-07-01",
  empty: "",
  code: "123456",
  names: ["a", "b"],
  prices: { x: 1, y: 2 },
};

const OPTIONS = { now: new Date("2026-11-30T12:00:00Z") };

/** Returns what a template prints with the tag of the hint in place of its first one. */
async function mended(template: string): Promise<string> {
  const { warnings } = await outcome(p(template), DATA, OPTIONS);
  const [problem] = warnings.filter(({ code }) => code !== "unused_value");
  const meant = /(?:\{\{.*?\}\}(?!\}))+/.exec(problem?.hint ?? "")?.[0];
  if (meant === undefined) return `no tag: ${problem?.hint}`;
  const ends = template
    .replace(/\{\{\/(?:if|unless)\}\}/g, "{{endif}}")
    .replace(/\{\{(?:end for-each(?:-group)?|\/each)\}\}/g, "{{endfor}}");
  return printed(
    ends.replace(/\{\{.*?\}\}(?!\})/, () => meant),
    DATA,
    OPTIONS,
  );
}

describe("the tag of a hint prints the meant value, for a function of a spreadsheet:", () => {
  test.each([
    ['{{SUMIF(sales.city, "Bern", sales.amount)}}', "30"],
    ['{{SUMIF(sales.amount; ">5")}}', "30"],
    ['{{=SUMIFS(sales.amount; sales.city; "Bern"; sales.month; "Jan")}}', "10"],
    ['{{AVERAGEIF(sales.city; "B*"; sales.amount)}}', "15"],
    ['{{COUNTIF(sales.city; "Bern")}}', "2"],
    ['{{COUNTIF(sales.city; "<>Bern")}}', "1"],
    ['{{COUNTIFS(sales.city; "Bern"; sales.amount; "<=10")}}', "1"],
    ['{{MAXIFS(sales.amount; sales.month; "Jan")}}', "10"],
    ["{{SUMPRODUCT(items.price; items.qty)}}", "21.5"],
    ["{{LARGE(items.price; 2)}}", "4"],
    ["{{SMALL(items.price; 1)}}", "2"],
    ["{{MEDIAN(items.price)}}", "4"],
    ["{{for s in FILTER(sales; sales.paid)}}{{s.name}}{{endfor}}", "a"],
    ["{{for i in SORT(items; price; -1)}}{{i.name}} {{endfor}}", "Ink Cap Pen "],
    ["{{for i in SORTBY(items; items.qty)}}{{i.name}} {{endfor}}", "Ink Cap Pen "],
    ["{{UNIQUE(sales.city)}}", "Bern, Ulm"],
    ['{{TEXTJOIN(", "; TRUE; items.name)}}', "Pen, Ink, Cap"],
    ['{{XLOOKUP("Ink"; items.name; items.price)}}', "7.5"],
    ['{{INDEX(items.price; MATCH("Ink"; items.name; 0))}}', "7.5"],
    ["{{IFERROR(a/b; 0)}}", "1.5"],
    ["{{IFERROR(a/zero; 0)}}", "0"],
    ['{{SWITCH(status; "paid"; "P"; "open"; "O"; "?")}}', "O"],
    ["{{MOD(a; b)}}", "2"],
    ["{{mod(a, b)}}", "2"],
    ['{{REPT("*"; n)}}', "***"],
    ['{{DATEDIF(date; due; "d")}}', "56"],
    ['{{DATEDIF(date; due; "m")}}', "1"],
    ["{{DAYS(due; date)}}", "56"],
    ["{{EOMONTH(date;0)}}", "2026-05-31"],
    ["{{EOMONTH(date; 1)}}", "2026-06-30"],
    ["{{COUNTA(items.name)}}", "3"],
    ["{{=SUM(items.price)*1,5}}", "20.25"],
    ["{{WEEKNUM(date)}}", "19"],
    ["{{TODAY()+30}}", "2026-12-30"],
    ["{{TODAY()-date}}", "208"],
    ["{{ROUND(total; 0)}}", "1235"],
  ])("%s", async (template, result) => {
    expect(await mended(template)).toBe(result);
  });
});

describe("the tag of a hint prints the meant value, for a function with an arrow:", () => {
  test.each([
    ["{{if items.some(i => i.price > 3)}}x{{endif}}", "x"],
    ["{{if items.every(i => i.price > 3)}}x{{else}}y{{endif}}", "y"],
    ["{{if items.every(price > 1)}}x{{endif}}", "x"],
    ["{{items.reduce((s, i) => s + i.price * i.qty, 0)}}", "21.5"],
    ["{{items.reduce((s, i) => s + (i.price * i.qty), 0)}}", "21.5"],
    ["{{items.reduce((m, i) => Math.max(m, i.price), 0)}}", "7.5"],
    ["{{items.filter(i => i.price > 3).length}}", "2"],
    ['{{items.map(function(i) { return i.name; }).join(", ")}}', "Pen, Ink, Cap"],
    [
      "{{for i in sorted(items, key=lambda i: i.price, reverse=True)}}{{i.name}} {{endfor}}",
      "Ink Cap Pen ",
    ],
    ["{{items.find(i => i.name == 'Ink').price}}", "7.5"],
    ["{{for i in items.sort((a, b) => b.price - a.price)}}{{i.name}} {{endfor}}", "Ink Cap Pen "],
    ["{{for i in items.sort((a, b) => a.price - b.price)}}{{i.name}} {{endfor}}", "Pen Cap Ink "],
    [
      "{{for i in items.sort((a, b) => a.name.localeCompare(b.name))}}{{i.name}} {{endfor}}",
      "Cap Ink Pen ",
    ],
    [
      "{{for i in items.sort((a, b) => a.price < b.price ? 1 : -1)}}{{i.name}} {{endfor}}",
      "Ink Cap Pen ",
    ],
    ["{{for i in $filter(items, function($i) { $i.price > 3 })}}{{i.name}} {{endfor}}", "Ink Cap "],
    ["{{$reduce(items, function($s, $i) { $s + $i.price })}}", "13.5"],
    [
      "{{for i in $sort(items, function($l, $r) { $l.price > $r.price })}}{{i.name}} {{endfor}}",
      "Pen Cap Ink ",
    ],
  ])("%s", async (template, result) => {
    expect(await mended(template)).toBe(result);
  });
});

describe("the tag of a hint prints the meant value, for a helper of Handlebars:", () => {
  test.each([
    ['{{formatDate date "DD.MM.YYYY"}}', "06.05.2026"],
    ['{{sum items "price"}}', "13.5"],
    ["{{multiply a b}}", "24"],
    ["{{lookup items.name 0}}", "Pen"],
    ['{{currency total "EUR"}}', "€1,234.50"],
    ["{{@root.first}}", "Ann"],
    ['{{dateFormat date "MMMM Do, YYYY"}}', "May 6, 2026"],
    ['{{moment date format="DD.MM.YYYY"}}', "06.05.2026"],
    ['{{#each (sort items "price")}}{{item.name}} {{/each}}', "Pen Cap Ink "],
    ['{{#if (eq status "open")}}x{{/if}}', "x"],
    ["{{#if (and paid (gt total 5))}}x{{/if}}", "x"],
    ['{{#unless (eq status "paid")}}x{{/unless}}', "x"],
  ])("%s", async (template, result) => {
    expect(await mended(template)).toBe(result);
  });

  test("a variable of a loop in a condition", async () => {
    const { warnings } = await outcome(p("{{#items}}{{#if @last}}x{{/if}}{{/items}}"), DATA);
    expect(warnings[0]?.hint).toBe("Write {{if $last}} … {{endif}}.");
  });
});

describe("the tag of a hint prints the meant value, for filters after a bar:", () => {
  test.each([
    [
      "{{for i in items|sort(attribute='price', reverse=true)}}{{i.name}} {{endfor}}",
      "Ink Cap Pen ",
    ],
    ["{{items|selectattr('price','gt',3)|map(attribute='name')|join(', ')}}", "Ink, Cap"],
    ["{{sales|selectattr('paid')|list|length}}", "1"],
    ["{{sales|rejectattr('paid')|list|length}}", "2"],
    ["{{sales|rejectattr('amount', 'ge', 10)|map(attribute='name')|first}}", "b"],
    ["{{items|sum(attribute='price')}}", "13.5"],
    ["{{items|join(', ', attribute='name')}}", "Pen, Ink, Cap"],
    ["{{empty|default('none', true)}}", "none"],
    ["{{first|default('none', true)}}", "Ann"],
    ["{{total|round(1)|float}}", "1234.5"],
    ["{{total|round|int}}", "1235"],
    ["{{'%0.2f' % total}}", "1,234.50"],
    ["{{n | times: 2}}", "6"],
    ["{{a | minus: 1 | times: 2}}", "10"],
    ["{{total | divided_by: 2 | round: 1}}", "617.3"],
    ["{{first | upcase}}", "ANN"],
    ["{{first | strip}}", "Ann"],
    ["{{'{:,.2f}'.format(total)}}", "1,234.50"],
    ["{{items | sumby:'price'}}", "13.5"],
    ["{{for s in sales | filter:{paid:false} | limitTo:1}}{{s.name}}{{endfor}}", "b"],
    ["{{for s in sales | orderBy:'amount':true}}{{s.name}}{{endfor}}", "cab"],
  ])("%s", async (template, result) => {
    expect(await mended(template)).toBe(result);
  });

  test("batches are groups by the position of their items", async () => {
    const template =
      "{{for row in sales|batch(2)}}{{for s in row.items}}{{s.name}}{{endfor}};{{endfor}}";
    expect(await mended(template)).toBe("ab;c;");
  });
});

describe("the tag of a hint prints the meant value, for a formatter of Carbone:", () => {
  test.each([
    ["{{paid:ifEQ(true):show('yes'):elseShow('no')}}", "yes"],
    ["{{n:ifGT(5):show(many):elseShow(few)}}", "few"],
    ["{{empty:ifEM:show('none')}}", "none"],
    ["{{date:addD(3, day)}}", "2026-05-09"],
    ["{{items[].price:aggSum}}", "13.5"],
    ["{{items[].name:aggStr}}", "Pen, Ink, Cap"],
    ["{{n:add(1)}}", "4"],
    ["{{paid:showBegin}}x{{/if}}", "x"],
    ["{{n:ifEQ(4):hideBegin}}x{{/if}}", "x"],
    ["{{items[i, price > 3].name}}", "InkCap"],
  ])("%s", async (template, result) => {
    expect(await mended(template)).toBe(result);
  });
});

describe("the tag of a hint prints the meant value, for a tag of BI Publisher:", () => {
  test.each([
    ["{{for-each@row:items}}x{{end for-each}}", "xxx"],
    ["{{for-each-group:sales;./city}}{{g.key}} {{end for-each-group}}", "Bern Ulm "],
    ["{{sum(sales/amount)}}", "35"],
    ["{{format-number(total;'#,##0.00')}}", "1,234.50"],
    ["{{xdoxslt:ifelse(n > 1, 'x', 'y')}}", "x"],
    ["{{if:paid}}x{{/if}}", "x"],
  ])("%s", async (template, result) => {
    expect(await mended(template)).toBe(result);
  });

  test("a function of the current group names the group", async () => {
    const { warnings } = await outcome(p("{{sum(current-group()/amount)}}"), DATA);
    expect(warnings[0]?.hint).toContain("Write {{g.items.sum(amount)}}.");
  });
});

describe("the tag of a hint prints the meant value, for an expression of JavaScript or JSONata:", () => {
  test.each([
    ["{{new Date().getFullYear()}}", "2026"],
    ["{{new Date(date).getFullYear()}}", "2026"],
    ["{{Math.max(...items.map(i => i.price))}}", "7.5"],
    [`{{items.map(i => \`$\{i.name}: $\{i.qty}\`).join('; ')}}`, "Pen: 3; Ink: 1; Cap: 2"],
    [`{{\`$\{first} $\{last}\`}}`, "Ann Lee"],
    ["{{Object.keys(prices).join(', ')}}", "x, y"],
    ["{{Object.values(prices).join(', ')}}", "1, 2"],
    ["{{for e in Object.keys(prices)}}{{e.key}}{{e.value}}{{endfor}}", "x1y2"],
    ["{{Object.keys(prices).length}}", "2"],
    ['{{text.replace(/o/g, "0")}}', "f00"],
    ['{{"*".repeat(n)}}', "***"],
    ['{{$repeat("*", n)}}', "***"],
    ["{{text.repeat(2)}}", "foofoo"],
    ["{{names.map(uppercase()).join(' ')}}", "A B"],
    ["{{items?.length}}", "3"],
    ["{{total ~> $round(0)}}", "1235"],
    ["{{$string(n) & 'x'}}", "3x"],
    ["{{if $exists(n)}}x{{endif}}", "x"],
    ['{{$fromMillis(1767225600000) :: format("yyyy")}}', "2026"],
    ["{{if $not(paid)}}x{{else}}y{{endif}}", "y"],
  ])("%s", async (template, result) => {
    expect(await mended(template)).toBe(result);
  });

  test.each(["{{x = a + b}}", "{{x := a + b}}"])("%s gives a result a name", async (template) => {
    const { warnings } = await outcome(p(template), DATA);
    expect(warnings[0]?.hint).toContain("{{for x in [a + b]}} … {{endfor}}");
  });
});

describe("the tag of a hint prints the meant value, for a function of a list:", () => {
  test.each([
    ["{{for i in items.sort(price):limit(2)}}{{i.name}} {{endfor}}", "Pen Cap "],
    ["{{for i in items.sort(price), limit(2)}}{{i.name}} {{endfor}}", "Pen Cap "],
    ["{{for s in sales.sort(city & amount)}}{{s.name}}{{endfor}}", "acb"],
    ["{{for s in sales.sort(city desc amount)}}{{s.name}}{{endfor}}", "bac"],
    ["{{for i in items.sort(price).desc()}}{{i.name}} {{endfor}}", "Ink Cap Pen "],
    ["{{for i in items.reverse(price)}}{{i.name}} {{endfor}}", "Ink Cap Pen "],
    ['{{for s in sales.where(city, "Bern")}}{{s.name}}{{endfor}}', "ac"],
    ['{{for s in sales.where("amount", ">", 5)}}{{s.name}}{{endfor}}', "ac"],
    ["{{sales.sum(amount, paid)}}", "10"],
    ["{{items.sum(price, qty)}}", "21.5"],
    ["{{sales.sum(amount where paid)}}", "10"],
    ['{{SUM(sales.amount WHERE city = "Bern")}}', "30"],
    ['{{sales.where(city = "Bern" AND paid = true).count()}}', "1"],
    ['{{sales.where(city in "Bern", "Ulm").count()}}', "3"],
    ['{{sales.where(city is one of ("Bern", "Basel")).count()}}', "2"],
    ["{{if defined first}}x{{endif}}", "x"],
    ["{{for g in sales.group(city).where(count() > 1)}}{{g.key}}{{endfor}}", "Bern"],
    ["{{for i in items[1,2]}}{{i.name}} {{endfor}}", "Ink Cap "],
    ["{{$round(total / n), 2}}", "411.5"],
    ["{{items.average(price), 1}}", "4.5"],
    ["{{total / n, 2}}", "411.5"],
    ['{{for i in items.sortBy("price", "desc")}}{{i.name}} {{endfor}}', "Ink Cap Pen "],
    ['{{items.sumBy("price")}}', "13.5"],
    ['{{items.avg("price")}}', "4.5"],
    ['{{items.maxBy("price").name}}', "Ink"],
    ["{{items.sum(price) EUR}}", "13.5"],
    ['{{$concat(first " " last)}}', "Ann Lee"],
  ])("%s", async (template, result) => {
    expect(await mended(template)).toBe(result);
  });

  test.each([
    ["{{$running(i.price, i.qty)}}", "Write {{$running(i.price * i.qty)}}."],
    [
      '{{i.price :: color($if(i.price < 3, "red"))}}',
      '{{i.price :: color("red"), when(i.price < 3)}}',
    ],
  ])("in a loop: %s", async (tag, hint) => {
    const { warnings } = await outcome(p(`{{for i in items}}${tag}{{endfor}}`), DATA);
    expect(warnings[0]?.hint).toContain(hint);
  });
});

describe("the tag of a hint prints the meant value, for a modifier:", () => {
  test.each([
    ["{{total :: decimals(2)}}", "1,234.50"],
    ["{{total :: number(#,##0.0)}}", "1,234.5"],
    ["{{date :: dd.MM.yyyy}}", "06.05.2026"],
    ['{{total :: number(1); locale("de")}}', "1.234,5"],
    ["{{total :: euro}}", "€1,234.50"],
    ["{{text :: titlecase}}", "Foo"],
    ["{{text :: strip}}", "foo"],
    ['{{code :: mask("000-000")}}', "123-456"],
    ['{{total :: currency("EUR"), number(0)}}', "€1,235"],
  ])("%s", async (template, result) => {
    expect(await mended(template)).toBe(result);
  });

  test("two colors need a condition", async () => {
    const { warnings } = await outcome(p('{{total :: fill("red", "green")}}'), DATA);
    expect(warnings[0]?.hint ?? "").not.toContain("when(green)");
  });
});

test("a bar within parentheses is not a function", async () => {
  const { warnings } = await outcome(p("{{items.where(price | qty).count()}}"), DATA);
  expect(warnings[0]?.hint).not.toContain("where(qty)");
});

test("the last position of an XPath is the variable for it", async () => {
  const { warnings } = await outcome(
    p("{{for i in items}}{{if position() = last()}}x{{endif}}{{endfor}}"),
    DATA,
  );
  expect(warnings[0]?.hint).toContain("{{if $last}}");
});

test.each([
  ["{{RANK(a; items.price)}}", "lists all functions"],
  ['{{pluralize n "item" "items"}}', "There is no function 'pluralize' that is written this way"],
  ["{{eq a b}}", "Write {{if a == b}} … {{endif}}."],
  ["{{items.sum(qty) items.sum(price)}}", "{{items.sum(qty)}}, {{items.sum(price)}}."],
  ['{{first name "x"}}', "There is no function 'first' that is written this way"],
])("a call that has no equivalent is explained as a call: %s", async (template, told) => {
  const { warnings } = await outcome(p(template), DATA);
  expect(warnings[0]?.hint).toContain(told);
});

test.each(["{{first net price}}", "{{total order value}}"])(
  "several words without an argument may be a key, not a helper: %s",
  async (template) => {
    const { warnings } = await outcome(p(template), DATA);
    expect(warnings[0]?.hint).toContain(`this["${template.slice(2, -2)}"]`);
  },
);
