import { describe, expect, test } from "vitest";
import { p, table } from "../../../ooxml/test/support/docx.ts";
import { outcome, printed } from "../support/language.ts";

const DATA = {
  total: 12,
  status: "late",
  name: "Root",
  items: [
    { id: 1, city: "Bern", amount: 5, state: "late" },
    { id: 2, city: "Uri", amount: 7, state: "open" },
  ],
  groups: [{ name: "a", parts: [{ n: 1 }, { n: 2 }] }],
  names: ["Ann", "Ben"],
};

/** Returns the codes, messages and hints of a template with this text, without those about unused data. */
async function complaints(text: string, data: object = DATA): Promise<string[]> {
  const { warnings } = await outcome(p(text), data as Record<string, unknown>);
  const others = warnings.filter(({ code }) => code !== "unused_value");
  return others.map(({ code, message, hint }) => `${code}: ${message} ${hint ?? ""}`);
}

test("a position that is compared with itself is an error", async () => {
  const text = "{{for i in items}}{{items.where($index <= $index).count()}}{{endfor}}";
  expect((await complaints(text))[0]).toMatch(/^tag_syntax: .*write item\.\$index/);
  expect(await complaints(text.replace("<= $index", "<= i.$index"))).toEqual([]);
});

test("timeZone has an effect on functions of an instant", async () => {
  const text = '{{at.addDays(1) :: format("HH:mm"), timeZone("Europe/Paris")}}';
  expect(await complaints(text, { at: "2026-12-31T23:30:00Z" })).toEqual([]);
});

describe("a condition with a value from outside the loop", () => {
  const data = {
    amount: 5,
    limit: 3,
    items: [
      { n: "a", amount: -3 },
      { n: "b", amount: 7 },
    ],
  };
  const inLoop = (tag: string): Promise<string[]> =>
    complaints(`{{for i in items}}${tag}{{endfor}}`, data);

  test.each([
    '{{i.amount :: color("red"), when(amount < 0)}}',
    "{{i.n :: bold(amount < 0)}}",
    "{{if amount < 0}}{{i.amount}}{{endif}}",
    "{{if amount > 3}}{{i.n}}{{endif}}",
    "{{i.n}}: {{amount}}",
  ])("%s is reported if the items have a value of that name", async (tag) => {
    expect((await inLoop(tag))[0]).toMatch(/^same_for_all_items: .*write 'i.amount'\./);
  });

  test.each([
    "{{i.n :: bold(i.amount > limit)}}",
    "{{if i.amount > amount}}{{i.n}}{{endif}}",
    "{{if limit > 2}}{{i.n}}{{endif}}",
    "{{i.amount}} of {{amount}}",
  ])("%s may be meant", async (tag) => {
    expect(await inLoop(tag)).toEqual([]);
  });
});

describe("the position in an outer loop", () => {
  const LOOPS = (tag: string): string =>
    `{{for d in items}}{{for n in names}}${tag} {{endfor}}| {{endfor}}`;

  test("is read through the name of its item", async () => {
    expect(await printed(LOOPS("{{d.$number}}.{{$number}}"), DATA)).toBe("1.1 1.2 | 2.1 2.2 | ");
    expect(await printed(LOOPS("{{d.$index * 10 + $index}}"), DATA)).toBe("0 1 | 10 11 | ");
    expect(await printed(LOOPS('{{if d.$last and n == "Ben"}}end{{endif}}'), DATA)).toBe(
      "  |  end | ",
    );
    expect(await printed(LOOPS("{{names[d.$index]}}"), DATA)).toBe("Ann Ann | Ben Ben | ");
  });

  test("is read in arguments that are evaluated for each item", async () => {
    const text = "{{for d in items}}{{items.where($index <= d.$index).sum(amount)}} {{endfor}}";
    expect(await printed(text, DATA)).toBe("5 12 ");
    const own = "{{for i in items.where(i.$index > 0)}}{{i.id}}{{endfor}}";
    expect(await printed(own, DATA)).toBe("2");
  });

  test("is an error in the template if no loop gives the name to its items", async () => {
    expect(await complaints(LOOPS("{{x.$index}}"))).toEqual([
      expect.stringContaining("tag_outside_loop: {{x.$index}} uses the position of 'x'"),
    ]);
    expect(await complaints("{{total.$index}}")).toEqual([
      expect.stringContaining("tag_outside_loop"),
    ]);
  });

  test("does not hide a key with a dollar sign, in brackets", async () => {
    expect(await printed('{{a["$index"]}}', { a: { $index: "own" } })).toBe("own");
  });
});

describe("an argument for each item that uses nothing of the items", () => {
  test.each([
    ["{{items.sum(total)}}", "sum", "total"],
    ['{{for i in items.where(status == "late")}}{{i.id}}{{endfor}}', "where", "status"],
    ["{{for i in items.sort(name)}}{{i.id}}{{endfor}}", "sort", "name"],
    ["{{for d in items}}{{items.count(d.id == total)}}{{endfor}}", "count", "d.id"],
  ])("%s gets a warning", async (text, name, path) => {
    expect(await complaints(text)).toEqual([
      expect.stringContaining(
        `'${name}' uses nothing of the items of 'items': '${path}' is the same for all of them.`,
      ),
    ]);
  });

  test.each([
    "{{items.sum(amount)}}",
    "{{items.sum(amount * total)}}",
    "{{items.where(city == name).count()}}",
    "{{names.where(this == name).count()}}",
    "{{items.count($index > total)}}",
    "{{for i in items.where(i.amount > total)}}{{i.id}}{{endfor}}",
    "{{for g in groups}}{{g.parts.sum(n)}}{{endfor}}",
    "{{groups.sum(parts.sum(n))}}",
    "{{items.count(true)}}",
    "{{for i in items}}{{$running(i.amount)}}{{endfor}}",
  ])("%s gets none", async (text) => {
    expect(await complaints(text)).toEqual([]);
  });

  test("no warning if only the first item lacks the key", async () => {
    const items = [{ id: 1 }, { id: 2, total: 3 }];
    expect(await printed("{{items.sum(total ?? 0)}}", { ...DATA, items })).toBe("3");
    expect(await complaints("{{items.sum(total ?? 0)}}", { ...DATA, items })).toEqual([]);
  });
});

describe("a missing value for an item", () => {
  test.each([
    ["{{items.sum(i.amount)}}", "Did you mean 'amount'?"],
    ["{{items.count(city == Bern)}}", 'If it is text, put it in quotes: "Bern".'],
    ["{{items.count(paid == True)}}", "Did you mean 'true'?"],
    ["{{items.sort(amount, desc).map(id)}}", "without a comma: sort(date desc)."],
    ["{{for g in items.group(city).sort(city)}}{{g.key}}{{endfor}}", "write sort(key)."],
    ["{{items.count(city in [Bern, Uri])}}", 'put it in quotes: "Bern".'],
  ])("%s gets a hint that leads to the fix", async (text, hint) => {
    const items = DATA.items.map((item) => ({ ...item, paid: true }));
    expect(await complaints(text, { ...DATA, items })).toEqual([expect.stringContaining(hint)]);
  });
});

test("words without quotes after 'in' are reported", async () => {
  expect(await complaints("{{if status in [late, open]}}x{{endif}}")).toEqual([
    expect.stringContaining('Put the text in quotes: "late".'),
    expect.stringContaining('Put the text in quotes: "open".'),
  ]);
  expect(await complaints('{{$if(status in [late, "open"], "a", "b")}}')).toEqual([
    expect.stringContaining("missing_in_condition"),
  ]);
});

test("a search for a text in a list of objects is reported", async () => {
  expect(await complaints('{{if items contains "Bern"}}x{{endif}}')).toEqual([
    expect.stringContaining('items.map(name) contains "A"'),
  ]);
  expect(await complaints('{{if names contains "Ann"}}x{{endif}}')).toEqual([]);
  expect(await complaints('{{if items.map(city) contains "Bern"}}x{{endif}}')).toEqual([]);
});

test.each([
  ['{{name.padStart("0", 3)}}', 'Write name.padStart(3, "0").'],
  ["{{name.substring(3, 0)}}", "substring(0, 3) is the first three characters"],
  ["{{$addDays(30, due)}}", "Write due.addDays(30)."],
  ['{{$join(", ", names)}}', 'Write names.join(", ").'],
  ['{{total :: color("red"), color("blue")}}', 'color($if(total < 0, "A", "B"))'],
  ['{{total :: currency("EUR"), currency("USD")}}', "'currency' more than once"],
  ['{{total :: number("0.00"), percent}}', "both 'number' and 'percent'"],
  ['{{name :: qrcode, barcode("code128")}}', "both 'qrcode' and 'barcode'"],
])("%s is an error in the template", async (text, hint) => {
  const [first, ...others] = await complaints(text);
  expect(others).toEqual([]);
  expect(first).toContain("tag_syntax");
  expect(first).toContain(hint);
});

test("a locale or a time zone without a format gets a warning", async () => {
  const data = { total: 1.5, due: "2026-01-02T10:00:00Z", name: "x" };
  expect(await complaints('{{total :: locale("de")}}', data)).toEqual([
    expect.stringContaining("modifier_without_effect"),
  ]);
  expect(await complaints('{{due :: timeZone("Asia/Tokyo")}}', data)).toEqual([
    expect.stringContaining('format("long time")'),
  ]);
  for (const text of [
    '{{total :: number, locale("de")}}',
    '{{name :: uppercase, locale("tr")}}',
    '{{total.round(0).words() :: locale("de")}}',
    '{{due.startOfDay() :: timeZone("Asia/Tokyo")}}',
    '{{due :: format("long"), timeZone("Asia/Tokyo"), locale("de")}}',
  ]) {
    expect(await complaints(text, data)).toEqual([]);
  }
});

test("$newline is a line break, and \\n in a text gets a warning that names it", async () => {
  expect((await outcome(p("{{names.join($newline)}}"), DATA)).lines).toEqual(["Ann⏎Ben"]);
  expect(await printed("{{names :: delimiter($newline)}}", DATA)).toBe("Ann⏎Ben");
  expect(await complaints('{{names.join("\\n")}}')).toEqual([
    expect.stringContaining("names.join($newline)"),
  ]);
});

test("a loop over the whole list within a loop over its groups is reported", async () => {
  const text = (list: string): string =>
    `{{for g in items.group(city)}}{{for i in ${list}}}{{i.id}}{{endfor}}{{endfor}}`;
  expect(await complaints(text("items"))).toEqual([
    expect.stringContaining("For the items of the group write 'g.items' in place of 'items'."),
  ]);
  expect(await complaints(text("items.sort(amount)"))).toHaveLength(1);
  expect(await complaints(text("g.items"))).toEqual([]);
  expect(await complaints(text("items.where(city != g.key)"))).toEqual([]);
});

test("the item of a loop in a condition outside the loop is reported", async () => {
  const loop = "{{for i in items}}{{i.id}}{{endfor}}";
  expect(await complaints(`${loop}{{if i.late}}x{{endif}}`)).toEqual([
    expect.stringContaining("'i' is known only between {{for i in items}}"),
  ]);
  expect(await complaints(`${loop}{{$if(i.late, "a", "b")}}`)).toEqual([
    expect.stringContaining("'i' is known only between {{for i in items}}"),
  ]);
  expect(await complaints(`${loop}{{if i.late}}x{{endif}}`, { ...DATA, i: {} })).toEqual([]);
});

test("a date with dots starts with the day in every format", async () => {
  const due = "03.04.2026";
  expect(await printed('{{due :: format("d MMMM yyyy")}}', { due })).toBe("3 April 2026");
  expect(await printed('{{due :: format("long")}}', { due })).toBe("April 3, 2026");
  const dates = ["05.03.2026", "01.04.2026", "02.02.2026"];
  expect(await printed("{{dates.sort()}} {{dates.max()}}", { dates })).toBe(
    "02.02.2026, 05.03.2026, 01.04.2026 01.04.2026",
  );
});

test("a number of the data in brackets that is the id of another element is reported", async () => {
  const data = {
    customers: [
      { id: 1, name: "Ann" },
      { id: 2, name: "Bob" },
    ],
    c: 1,
    zero: 0,
  };
  expect(await complaints("{{customers[c].name}}", data)).toEqual([
    expect.stringContaining("write first(id == c) in place of the brackets"),
  ]);
  expect(await complaints("{{customers.first(id == c).name}}", data)).toEqual([]);
  expect(await complaints("{{customers[zero].name}}", data)).toEqual([]);
  expect(await complaints("{{for n in names}}{{names[$index]}}{{endfor}}")).toEqual([]);
  const months = [
    { no: 0, name: "January" },
    { no: 1, name: "February" },
  ];
  expect(await complaints("{{months[c].name}}", { months, c: 1 })).toEqual([]);
});

test.each([
  ['{{status == "late" :: checkbox}}', 'into parentheses: {{(status == "late") :: checkbox}}'],
  ["{{name in names :: checkbox}}", "into parentheses: {{(name in names) :: checkbox}}"],
  ["{{items.where(amount > 5).count}}", "Did you mean '.count()'?"],
  [
    "{{for i in items}}{{i.id}}{{else}}none{{endfor}}",
    "{{if items isEmpty}} … {{endif}} after the loop",
  ],
  ['{{due :: format("QQQ yyyy")}}', "write due.quarter() for the quarter"],
  ["{{$if(name in items[0], 1, 2)}}", "write entries()"],
  ["{{total.yearsUntil(due)}}", "A year alone is not a date: write the first day of the year"],
])("%s leads to the fix", async (text, hint) => {
  const data = { ...DATA, due: "2026-01-02", total: 1990 };
  const [first, ...others] = await complaints(text, data);
  expect(others).toEqual([]);
  expect(first).toContain(hint);
});

test("a key to sort, group or map by may be a condition", async () => {
  expect(await printed('{{items.sort(state == "open" desc).map(id)}}', DATA)).toBe("2, 1");
  expect(await printed("{{items.group(amount > 6).map(key)}}", DATA)).toBe("false, true");
  expect(await printed('{{items.map(city in ["Bern"] and amount < 9)}}', DATA)).toBe("true, false");
});

describe("functions within functions", () => {
  const data = {
    lines: [
      { sku: "b", q: 1 },
      { sku: "a", q: 1 },
      { sku: "b", q: 1 },
    ],
    prods: [
      { sku: "a", price: 9 },
      { sku: "b", price: 5 },
    ],
    refs: [{ id: "b" }, { id: "a" }],
  };

  test("a comparison of a key with itself is an error that names the ways out", async () => {
    expect(await complaints("{{lines.sum(q * prods.first(sku == sku).price)}}", data)).toEqual([
      expect.stringContaining("outer.sku for the item of a function around this one"),
    ]);
    expect(await printed("{{if status == status}}x{{endif}}", DATA)).toBe("x");
  });

  test("'outer' is the item of the function around", async () => {
    const tags = [
      ["{{lines.sum(q * prods.first(sku == outer.sku).price)}}", "19"],
      ["{{lines.map(prods.first(sku == outer.sku).price)}}", "5, 9, 5"],
      ["{{prods.map(lines.count(sku == outer.sku))}}", "1, 2"],
      ["{{for x in lines}}{{prods.first(sku == x.sku).price}} {{endfor}}", "5 9 5 "],
      ["{{lines[prods.first(sku == outer.sku).price > 6].map(sku)}}", "a"],
    ];
    for (const [text = "", expected] of tags) {
      expect(await complaints(text, data)).toEqual([]);
      expect(await printed(text, data)).toBe(expected);
    }
  });

  test("the name of a loop's item means the item of the loop's list", async () => {
    const loop = (list: string): string => `{{for x in ${list}}}{{x.sku}}{{endfor}}`;
    const filtered = loop("lines.where(prods.first(sku == x.sku).price > 6)");
    expect(await printed(filtered, data)).toBe("a");
    expect(await complaints(filtered, data)).toEqual([]);
    expect(await printed(loop("lines.sort(prods.first(sku == x.sku).price)"), data)).toBe("bba");
    expect(await printed(loop("lines[prods.first(sku == x.sku).price > 6]"), data)).toBe("a");
  });

  test("outer means the same in the tag of a loop", async () => {
    const looped = [
      ["lines.where(prods.first(sku == outer.sku).price > 6)", "a"],
      ["lines[prods.first(sku == outer.sku).price > 6]", "a"],
      ["lines.sort(prods.first(sku == outer.sku).price)", "bba"],
      ["lines.where(prods.first(sku == outer.sku).price > 6).sort(sku)", "a"],
    ] as const;
    for (const [list, expected] of looped) {
      const text = `{{for x in ${list}}}{{x.sku}}{{endfor}}`;
      expect(await complaints(text, data)).toEqual([]);
      expect(await printed(text, data)).toBe(expected);
    }
    const grouped =
      "{{for g in lines.group(prods.first(sku == outer.sku).price)}}{{g.key}} {{endfor}}";
    expect(await printed(grouped, data)).toBe("5 9 ");
  });

  test("looking for an item of another list uses the item", async () => {
    expect(await complaints("{{refs.sum(prods.first(sku == id).price)}}", data)).toEqual([]);
    expect(await complaints("{{refs.map(prods.count())}}", data)).toEqual([
      expect.stringContaining("same_for_all_items"),
    ]);
  });
});

test("functions follow texts and numbers", async () => {
  expect(await printed('{{"a;b".split(";").join(" ")}} {{1.005.round(2)}} {{5.roman()}}', {})).toBe(
    "a b 1.01 V",
  );
  expect(await printed('{{names.map("".padEnd(2, "x"))}}', DATA)).toBe("xx, xx");
});

describe("a condition that only tests a name", () => {
  const data = {
    ...DATA,
    discount: 3,
    items: DATA.items.map((item) => ({ ...item, paid: true, delivered: false })),
  };
  const loop = (condition: string): string =>
    `{{for i in items}}{{if ${condition}}}x{{endif}}{{endfor}}`;

  test.each([
    [loop("paid"), "Did you mean 'i.paid'?"],
    [loop("i.deliverd"), "Did you mean 'i.delivered'?"],
    [loop("not last"), "Did you mean '$last'?"],
    [loop("i.first"), "Did you mean 'i.$first'?"],
    ["{{if discont}}x{{endif}}", "Did you mean 'discount'?"],
  ])("%s gets a suggestion", async (text, hint) => {
    expect(await complaints(text, data)).toEqual([expect.stringContaining(hint)]);
  });

  test.each([
    [loop("i.note"), data],
    ["{{if line2}}x{{endif}}", { line1: "a" }],
    ["{{if total2}}x{{endif}}", data],
    ["{{if group}}x{{endif}}", { groups: [] }],
    [loop("i.middle"), { items: [{ id: 1 }, { id: 2, middle: "x" }] }],
  ])("%s gets none", async (text, of) => {
    expect(await complaints(text, of)).toEqual([]);
  });
});

test.each([
  ["{{if 'status' == 'paid'}}x{{endif}}", 'without quotes: status == "paid"'],
  ['{{if status in "open, late"}}x{{endif}}', 'Write in ["open", "late"].'],
  ["{{items.first(2).id}}", "write items.limit(2)"],
  ['{{name.replace("/[^0-9]/g", "")}}', "not for a pattern"],
  ['{{due :: format("%d.%m.%Y")}}', "write dd.MM.yyyy"],
  ['{{due :: format("TT.MM.JJJJ")}}', "in every language, write dd.MM.yyyy"],
  ["{{tablerow if total}}x{{endtablerow}}", "Write {{if total}} into the first"],
  ['{{$concat(name, "$newline", name)}}', "Write $newline without quotes."],
  ['{{name :: markdown, color("red")}}', "Markdown keeps its own look"],
  ["{{items.sum(cost)}}", "No item has 'cost'. The items have: id, city, amount, state."],
  ['{{names.count(value == "Ann")}}', "written as 'this'"],
  ['{{$concat(name, " ", middle, " ", total)}}', '(middle ?? "")'],
  ['{{if status == "Late"}}x{{endif}}', 'status.lowercase() == "open"'],
  ["{{if due == $today}}x{{endif}}", "date.startOfDay() == other"],
])("%s leads to the correct form", async (text, hint) => {
  const template = p(text);
  const { warnings } = await outcome(
    template,
    { ...DATA, due: "2026-01-02T10:00" },
    { now: "2026-01-02" },
  );
  const others = warnings.filter(({ code }) => code !== "unused_value");
  expect(others.map(({ message, hint: text = "" }) => `${message} ${text}`)[0]).toContain(hint);
});

test("the position of a loop with another name leads to the name of its item", async () => {
  const text = "{{for o in items}}{{for n in names}}{{items.$index}}{{endfor}}{{endfor}}";
  expect(await complaints(text)).toEqual([expect.stringContaining(": o.$index.")]);
  const index = "{{for o in items}}{{for n in names}}{{o.index}}{{endfor}}{{endfor}}";
  expect(await complaints(index)).toEqual([
    expect.stringContaining("write o.$number, which counts from 1"),
  ]);
});

test("numbers that are sorted as texts are reported", async () => {
  const items = ["10", "9", "1,000"].map((p) => ({ p }));
  expect(await complaints("{{items.sort(p).map(p)}}", { items })).toEqual([
    expect.stringContaining("because one of them is not read as a number"),
  ]);
  const houses = ["10", "9", "10a"].map((p) => ({ p }));
  expect(await complaints("{{items.sort(p).map(p)}}", { items: houses })).toEqual([]);
});

test("an element by the position in a sorted list is reported", async () => {
  const text = (list: string): string => `{{for i in ${list}}}{{items[$index].id}}{{endfor}}`;
  expect(await complaints(text("items.sort(amount desc)"))).toEqual([
    expect.stringContaining("write 'i.key' in place of 'items[$index].key'"),
  ]);
  expect(await complaints(text("items"))).toEqual([]);
  expect(await complaints(text("names"))).toEqual([]);
});

test.each([
  ["{{customerName}}", "Did you mean 'customer.name'?"],
  ["{{customer_first_name}}", "Did you mean 'customer.firstName'?"],
  ["{{order.no}}", "Did you mean 'order_no'?"],
  ["{{items[i].city}}", "write {{for i in items}} before it, {{i.city}} in place of this tag"],
  ["{{#items}}{{i.city}}{{/items}}", "Did you mean 'city'?"],
  ["{{for i in items}}{{$running(amount)}}{{endfor}}", "$running(i.amount)"],
])("%s leads to the name that is right", async (text, hint) => {
  const data = { ...DATA, customer: { name: "Ann", firstName: "A" }, order_no: 4 };
  expect((await complaints(text, data))[0]).toContain(hint);
});

test("a list of objects that is printed leads to a loop, or to one value of each", async () => {
  expect(await complaints("{{items}}")).toEqual([
    expect.stringContaining('{{items.map(id).join(", ")}}'),
  ]);
});

describe("a tag in a loop that uses a value outside it", () => {
  const data = {
    ...DATA,
    currency: "EUR",
    items: [{ total: 1, currency: "EUR", lines: [{ total: 3 }] }],
  };

  test.each([
    ["{{for i in items}}{{total}}{{endfor}}", "{{for i in items}}", "i.total"],
    ["{{for i in items}}{{if total > 3}}x{{endif}}{{endfor}}", "{{for i in items}}", "i.total"],
    [
      "{{for i in items}}{{for l in i.lines}}{{total}}{{endfor}}{{endfor}}",
      "{{for l in i.lines}}",
      "l.total",
    ],
  ])("%s is reported if the items have another value of that name", async (text, loop, meant) => {
    expect(await complaints(text, data)).toEqual([
      expect.stringMatching(/^same_for_all_items: .+ uses 'total' from outside the loop/),
    ]);
    const [found = ""] = await complaints(text, data);
    expect(found).toContain(`In ${loop}, the tag`);
    expect(found).toContain(`write '${meant}'`);
  });

  test.each([
    "{{for i in items}}{{i.total}} of {{total}}{{endfor}}",
    "{{for i in items}}{{i.total}} {{currency}}{{endfor}}",
    "{{for i in items}}{{name}}{{endfor}}",
    "{{for i in items}}{{i.total}}{{total :: number(2)}}{{endfor}}",
    "{{#items}}{{total}}{{/items}}",
    "{{for i in items}}{{#i}}{{total}}{{/i}}{{endfor}}",
  ])("%s is not reported", async (text) => {
    expect(await complaints(text, data)).toEqual([]);
  });
});

describe("a section that uses its whole list in every repetition", () => {
  test("is reported", async () => {
    expect(await complaints("{{#items}}{{items.id}}{{/items}}")).toEqual([
      expect.stringMatching(/^list_in_loop: 'items.id' in .+ Did you mean 'id'\?$/),
    ]);
  });

  test("is not reported if the items have that name, or a function uses the list", async () => {
    const tree = { items: [{ items: [{ id: 1 }] }, { items: [{ id: 2 }] }] };
    expect(await complaints("{{#items}}{{items.id}}{{/items}}", tree)).toEqual([]);
    expect(await complaints("{{#items}}{{id}}/{{items.sum(amount)}}{{/items}}")).toEqual([]);
    expect(
      await complaints("{{#groups}}{{groups.name}}{{/groups}}", { groups: { name: 1 } }),
    ).toEqual([]);
  });
});

describe("a condition that is the same for all data, or never meant, is an error", () => {
  test.each([
    ['status != "a" or status != "b"', 'status not in ["a", "b"]'],
    ['status == "a" and total > 1 and status == "b"', 'status in ["a", "b"]'],
    ['d.weekday() == "Monday"', "due.weekday() == 1"],
    ['"December" == d.month()', "due.month() == 1"],
    ["d.year() > 18", "born.yearsUntil($today)"],
    ["total > 50.000", "Write 50000 without a separator, or 50."],
    ['names contains ["Ann", "Ben"]', 'names contains "Ann" and names contains "Ben"'],
    ['status in ["open, late"]', 'status in ["open", "late"]'],
    ["total in [1-9]", "total >= 1 and total <= 9"],
    ["$today.year > 2025", "Did you mean '$today.year()'?"],
    ["d < $now.date", "with functions such as $now.year()"],
  ])("%s", async (condition, hint) => {
    const [problem = "", ...others] = await complaints(`{{if ${condition}}}x{{endif}}`, {
      d: "2026-01-01",
    });
    expect(problem).toContain(hint);
    expect(others).toEqual([]);
  });

  test.each([
    'status != "a" and status != "b"',
    'status == "a" or status == "b"',
    'status == "a" and name == "b"',
    'd.year() == "2026"',
    "total > 1.5 and total < 1000",
    'status in ["open", "late"]',
  ])("except %s", async (condition) => {
    const data = { ...DATA, d: "2026-01-01" };
    expect(await complaints(`{{if ${condition}}}x{{endif}}`, data)).toEqual([]);
  });
});

test.each([
  ["{{total - nope ?? 0}}", "Write total - (nope ?? 0)."],
  ['{{names.join(" and ", ", ")}}', 'Write join(", ", " and ").'],
  ['{{names.join(", ", "and")}}', 'Write join(", ", " and ").'],
  ['{{name.replace("[^0-9]", "")}}', "Write each text to replace"],
  ['{{$replace("Mr.", "Mister", name)}}', 'Write name.replace("Mr.", "Mister").'],
])("%s is an error in the template", async (text, hint) => {
  expect(await complaints(text)).toEqual([expect.stringContaining(hint)]);
});

describe("a condition that is probably not meant as it is written", () => {
  const data = {
    ...DATA,
    paid: true,
    late: "yes",
    date: "2026-01-05",
    firm: "Muster GmbH",
    skills: ["Word", "MS Excel"],
    member: "nein",
    note: " ",
    invoices: [{ paid: false }, { paid: true }],
    customer: { VIP: true },
  };
  const loop = (tag: string): string => `{{for i in items}}${tag}{{endfor}}`;

  test.each([
    ["{{if status == late}}x{{endif}}", 'status == "late"'],
    ['{{if date == "2026-1-5"}}x{{endif}}', "2026-11-20"],
    ['{{if date == "01/2026"}}x{{endif}}', "date.year() == 2026 and date.month() == 12"],
    ['{{if date == "2026-01"}}x{{endif}}', "date.year() == 2026"],
    ['{{if firm contains "gmbh"}}x{{endif}}', 'name.lowercase() contains "gmbh"'],
    ['{{if firm == "*GmbH"}}x{{endif}}', 'name.endsWith("A")'],
    ['{{if skills contains "Excel"}}x{{endif}}', 'names.count(this contains "A") > 0'],
    ["{{member :: checkbox}}", "Give false or 0 in the data"],
    ["{{if note}}x{{endif}}", "Write note.trim() in place of note"],
    ["{{if invoices.paid}}x{{endif}}", "invoices.count(not paid) == 0"],
    ['{{$if(customer.vip, "a", "b")}}', "Did you mean 'customer.VIP'?"],
    [loop("{{if $even}}x{{endif}}"), "Did you mean '$number % 2 == 0'?"],
    [loop("{{if $index < $count}}x{{endif}}"), "$count"],
    [loop("{{if not forloop.last}}x{{endif}}"), "Did you mean '$last'?"],
  ])("%s", async (text, hint) => {
    expect(await complaints(text, data)).toEqual([expect.stringContaining(hint)]);
  });

  test.each([
    "{{if status == paid}}x{{endif}}",
    '{{if date == "2026-02-05"}}x{{endif}}',
    '{{if firm contains "mbH"}}x{{endif}}',
    '{{if firm contains "mb"}}x{{endif}}',
    '{{if firm == "A*"}}x{{endif}}',
    '{{if skills contains "Wor"}}x{{endif}}',
    '{{$if(customer.note, "a", "b")}}',
  ])("but not %s", async (text) => {
    expect(await complaints(text, data)).toEqual([]);
  });
});

describe("groups that are probably meant as one", () => {
  const rows = (...dates: string[]) => ({ rows: dates.map((date) => ({ date })) });
  const cities = { rows: ["Bern", "bern ", "Uri"].map((city) => ({ city })) };

  test.each([
    [
      "{{for g in rows.group(city)}}{{g.key}} {{endfor}}",
      cities,
      "rows.group(city.trim().lowercase())",
    ],
    ["{{rows.distinct(city).count()}}", cities, "uppercase letters or spaces"],
    [
      "{{for g in rows.group(date)}}{{g.key}} {{endfor}}",
      rows("2026-01-02T10:00:00Z", "2026-01-02T11:00:00Z"),
      "rows.group(date.startOfDay())",
    ],
    [
      "{{for g in rows.group(date.month())}}{{g.key}}{{endfor}}",
      rows("2025-01-02", "2026-01-02"),
      "group(date.startOfMonth())",
    ],
  ])("%s", async (text, data, hint) => {
    expect(await complaints(text, data)).toEqual([expect.stringMatching(/^doubtful_group: /)]);
    expect((await complaints(text, data))[0]).toContain(hint);
  });

  test.each([
    ["{{for g in rows.group(date.month())}}{{g.key}}{{endfor}}", rows("2026-01-02", "2026-01-05")],
    [
      "{{for g in rows.group(date.weekday())}}{{g.key}}{{endfor}}",
      rows("2025-01-02", "2026-01-01"),
    ],
    ["{{for g in rows.group(city.lowercase().trim())}}{{g.key}} {{endfor}}", cities],
  ])("but not %s", async (text, data) => {
    expect(await complaints(text, data)).toEqual([]);
  });
});

test.each([
  [
    "{{for g in groups}}{{for i in g.parts}}{{$running(g.parts.sum(n))}}{{endfor}}{{endfor}}",
    "same_for_all_items",
  ],
  ['{{for i in items}}{{i.city.join(", ")}}{{endfor}}', 'items.map(city).join(", ")'],
  ["{{status :: color($if(total > 0, red, black))}}", 'Text goes in quotes: "red".'],
  ["{{order-id}}", '{{this["order-id"]}}'],
  ['{{none :: default("n/a")}}', '$if(none, none, "n/a")'],
  ["{{!total :: checkbox}}", "{{(not total) :: checkbox}}"],
  ["{{total * 100 :: percent(1)}}", "Leave out '* 100'."],
  ["{{share :: percent(1)}} %", "Leave out the percent sign after the tag."],
  ['{{total :: currency("EUR")}} EUR', "Leave out the currency after the tag."],
  ['{{total}} :: currency("EUR")', '{{total :: currency("EUR")}}'],
  ["{{total :: number(00000)}}", 'number("00000")'],
  ["{{lines :: html}}", "without :: html they are printed"],
  ["{{escaped :: html}}", "give them as tags"],
])("%s is reported", async (text, hint) => {
  const data = {
    ...DATA,
    ...{ order: 4711, id: 5, "order-id": "A-17", none: "", lines: "a\nb" },
    escaped: "&lt;p&gt;Hi&lt;/p&gt;",
    share: 0.5,
  };
  expect(await complaints(text, data)).toEqual([expect.stringContaining(hint)]);
});

test.each([
  "{{total - items.count()}}",
  '{{none :: optional}}{{none :: default("")}}',
  "{{! Total :: of all }}x",
  '{{names.join("、", "と")}}',
  '{{total :: currency("EUR")}} in total, {{share :: percent(0)}} of it',
])("%s is not reported", async (text) => {
  expect(await complaints(text, { ...DATA, none: "", share: 0.5 })).toEqual([]);
});

describe("a value of the wrong list", () => {
  const data = {
    customers: [{ id: 1, name: "Ann" }],
    orders: [
      { id: 1, customer: 2 },
      { id: 5, customer: 1 },
    ],
  };
  const loop = (condition: string): string =>
    `{{for c in customers}}{{c.name}}{{orders.count(${condition})}}{{endfor}}`;

  test("is reported if two keys of an item are compared in place of one of the loop's item", async () => {
    expect(await complaints(loop("customer == id"), data)).toEqual([
      expect.stringMatching(/^hidden_key: .+ write c\.id\.$/),
    ]);
    expect(await complaints(loop("customer == c.id"), data)).toEqual([]);
    expect(await complaints("{{orders.count(customer == id)}}", data)).toEqual([]);
  });

  test("is reported if a tag in groups uses the whole list, and no tag the items of the group", async () => {
    const groups = (tags: string): string =>
      `{{for g in items.group(city)}}{{g.key}}${tags}{{endfor}}`;
    expect(await complaints(groups("{{items.sum(amount)}}"))).toEqual([
      expect.stringMatching(/^same_for_all_items: .+ write 'g\.items'/),
    ]);
    expect(await complaints(groups("{{g.items.sum(amount)}}/{{items.sum(amount)}}"))).toEqual([]);
    expect(
      await complaints(groups("{{g.items.sum(amount) / items.sum(amount) :: percent(1)}}")),
    ).toEqual([]);
  });
});

describe("frequent mistakes of new authors", () => {
  const data = {
    customer: { name: "Ann", phone: "" },
    items: [
      { name: "Pen", price: 2, city: "Bern" },
      { name: "Ink", price: 5, city: "Uri" },
    ],
    vat: 19,
    share: 0.19,
    paid: "no",
    due: "2026-12-24",
    logo: "https://example.com/logo.png",
  };
  const grouped = (tag: string): string => `{{for g in items.group(city)}}${tag}{{endfor}}`;

  test.each([
    ["Dear {{name}},", "Did you mean 'customer.name'?"],
    ["{{vat :: percent}}", "{{vat}}% or {{vat / 100 :: percent}}"],
    ["{{due:formatD(dd.MM.yyyy)}}", '{{due :: format("dd.MM.yyyy")}}'],
    [grouped("{{g.sum(price)}}"), "g.items.sum(price)"],
    ["{{customer.name uppercase}}", "Write {{customer.name :: uppercase}}."],
    ['{{logo :: width("4cm")}}', "is a web address, and pictures are not downloaded"],
    ["{{if paid}}x{{endif}}", 'paid != "no"'],
  ])("%s", async (text, hint) => {
    expect((await complaints(text, data))[0]).toContain(hint);
  });

  test("rows of a table without a loop", async () => {
    const inTable = async (...cells: string[]): Promise<string[]> => {
      const { warnings } = await outcome(table(cells.map((cell) => p(cell))), data);
      const others = warnings.filter(({ code }) => code !== "unused_value");
      return others.map(({ code, hint }) => `${code}: ${hint}`);
    };
    expect(await inTable("{{items.name}}", "{{items.price}}")).toEqual([
      expect.stringMatching(/^list_in_cell: .+\{\{tablerow i in items\}\}\{\{i\.key\}\}/),
    ]);
    expect(await inTable('{{items.name :: delimiter("/")}}', "{{items.price}}")).toEqual([]);
    expect(await inTable("{{items[i].name}}", "{{items[i+1].name}}")).toEqual([
      expect.stringContaining("{{i.name}} in place of this tag, and {{endtablerow}} at the end"),
      expect.stringContaining("Delete this row"),
    ]);
  });

  test("a growth of 250 percent is not reported", async () => {
    expect(
      await complaints("{{share :: percent}} {{growth :: percent}}", { ...data, growth: 2.5 }),
    ).toEqual([]);
  });
});
