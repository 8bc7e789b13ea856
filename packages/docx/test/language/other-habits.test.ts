import { describe, expect, test } from "vitest";
import { p, table } from "../../../ooxml/test/support/docx.ts";
import { hintsIn, outcome } from "../support/language.ts";

const DATA = {
  items: [
    { name: "Pen", quantity: 2, price: 1.5, paid: true },
    { name: "Desk", quantity: 1, price: 250, paid: false },
  ],
  boxes: [
    { no: "1", port: "Rotterdam", weight: 215 },
    { no: "2", port: "Hamburg", weight: 182 },
    { no: "3", port: "Rotterdam", weight: 98 },
  ],
  subjects: [{ grade: 2 }, { grade: "exempt" }],
  name: "Ann Lee",
  price: 9,
  paid: true,
  code: "77",
  tags: "Penicillin; Latex; Nuts",
  address: "Main St 5, Vienna",
  customer: { title: "Ms", last: "Lee" },
  student: { first_name: "Mira", last_name: "Lee", "birth date": "2012-04-17" },
  invoice: { total: 1234.5, paid: false },
  rooms: [
    { name: "Kitchen", floor: 0, defects: [{ text: "a" }, { text: "b" }] },
    { name: "Bath", floor: 1, defects: [{ text: "c" }] },
  ],
  criteria: { inclusion: ["Age 18"], exclusion: ["Pregnancy"] },
  stay: { arrival: "2026-11-24", departure: "2026-11-28" },
};

const hintsOf = (body: string): Promise<string[]> => hintsIn(body, DATA);

/** Returns the hints for paragraphs with these texts. */
function hintsFor(...texts: readonly string[]): Promise<string[]> {
  return hintsOf(texts.map((text) => p(text)).join(""));
}

describe("in a group, a hint names the items of the group", () => {
  const inGroups = (tag: string) =>
    hintsFor("{{for g in boxes.group(port)}}", `{{g.key}} ${tag}`, "{{endfor}}");

  test.each([
    ["{{$sum(g.weight)}}", "missing_value: Did you mean 'g.items.sum(weight)'?"],
    ["{{g.weight.max()}}", "missing_value: Did you mean 'g.items.max(weight)'?"],
    [
      "{{$sum(boxes.weight)}}",
      "list_in_loop: For the items of the group write {{g.items.weight.sum()}}.",
    ],
  ])("for %s", async (tag, hint) => {
    expect((await inGroups(tag))[0]).toBe(hint);
  });

  test("for a number of an item, also as a sum", async () => {
    expect((await inGroups("{{g.weight}}"))[0]).toContain("or g.items.sum(weight) for the sum");
    expect((await inGroups("{{g.no}}"))[0]).not.toContain("sum");
  });
});

test("a list in the items of a group leads to the lists of all items", async () => {
  const tags = ["{{for g in rooms.group(floor)}}", "{{g.defects.count()}}", "{{endfor}}"];
  expect((await hintsFor(...tags))[0]).toContain("write it in place of g.defects");
});

test("a sum of groups leads to a sum for each group", async () => {
  const [hint] = await hintsFor("{{boxes.group(port).sum(weight)}}");
  expect(hint).toContain("write map(items.sum(weight)) in place of sum(…)");
  expect(hint).toContain("in a loop over the groups g.items.sum(weight)");
});

test("a text among numbers leads to the items without it", async () => {
  const expected =
    'invalid_value: Put a number into the data in its place. To leave out items with this text, write subjects.where(grade != "…").average(grade), with the text in place of the dots.';
  expect(await hintsFor("{{subjects.average(grade)}}")).toEqual([expected]);
  expect(await hintsFor("{{$average(subjects.grade)}}")).toEqual([expected]);
});

test("the keys of an object are in the hint, even if one has a space", async () => {
  expect((await hintsFor("{{student.name}}"))[0]).toContain(
    "'student' has: first_name, last_name, birth date.",
  );
});

/** Returns a table of cells with these texts. */
function rowsOf(...rows: readonly (readonly string[])[]): string {
  return table(...rows.map((cells) => cells.map((text) => p(text))));
}

describe("a row that is repeated although its tag does not mean it", () => {
  const rows = async (...cells: readonly string[][]) => (await hintsOf(rowsOf(...cells)))[0];

  test("begins with the end tag", async () => {
    const item = ["{{tablerow i in items}}{{i.name}}", "{{i.price}}"];
    const moved =
      "list_in_loop: To print it once, put {{endtablerow}} at the end of the row before it.";
    expect(await rows(item, ["{{endtablerow}}Total", "9"])).toBe(moved);
    expect(await rows(item, ["{{endtablerow}}", "{{items.sum(price)}}"])).toBe(moved);
    expect(await rows(item, ["{{endtablerow}}", ""])).toBeUndefined();
    expect(await rows(item, ["Price", "{{endtablerow}}"])).toBeUndefined();
  });

  test("ends with the tag", async () => {
    const item = ["{{i.name}}", "{{i.price}}{{endtablerow}}"];
    expect(await rows(["Item", "Price{{tablerow i in items}}"], item)).toBe(
      "list_in_loop: To print it once, put {{tablerow i in items}} at the start of the row after it.",
    );
    expect(await rows(["{{tablerow i in items}}", ""], item)).toBeUndefined();
    expect(await rows(["{{tablerow i in items}}Item", "{{i.name}}"], item)).toBeUndefined();
  });
});

test("a tablerow around a table leads to the row", async () => {
  const body = `${p("{{tablerow i in items}}")}${rowsOf(["Item"], ["{{i.name}}"])}${p("{{endtablerow}}")}`;
  expect((await hintsOf(body))[0]).toContain(
    "put {{tablerow i in items}} at the beginning of the first cell of this row",
  );
});

describe("a text in place of a list", () => {
  test.each([
    [
      '{{tags.join(", ")}}',
      'sum_of_one_value: To join its parts write tags.split("; ").join(", ").',
    ],
    [
      '{{tags :: delimiter(", ")}}',
      'sum_of_one_value: For its parts write tags.split("; ") in place of tags.',
    ],
    [
      "{{tags.first()}}",
      'invalid_value: Give a list: [ … ], or use the parts of the text: tags.split("; ").first().',
    ],
    [
      "{{tags.count()}}",
      'sum_of_one_value: For the number of its characters write tags.length(). For the number of its parts write tags.split("; ").count().',
    ],
    [
      "{{name.first()}}",
      "invalid_value: For the first character of a text write name.substring(0, 1).",
    ],
  ])("leads to its parts: %s", async (tag, hint) => {
    expect(await hintsFor(tag)).toEqual([hint]);
  });

  test.each(['{{tags.join("; ")}}', '{{address.join(" and ")}}', '{{name :: delimiter(", ")}}'])(
    "may be meant: %s",
    async (tag) => {
      expect(await hintsFor(tag)).toEqual([]);
    },
  );
});

describe("a name from outside a loop that each item has, too,", () => {
  const inLoop = (text: string) => hintsFor("{{for i in items}}", text, "{{endfor}}");

  test.each([
    ["{{name}}: {{i.price}}", "i.name"],
    ["{{i.name}}: {{i.quantity * price}}", "i.price"],
    ["{{i.name}}{{if paid}} (paid){{endif}}", "i.paid"],
  ])("is reported although the loop uses its item: %s", async (text, meant) => {
    expect(await inLoop(text)).toEqual([
      `same_for_all_items: For the value of the item write '${meant}'.`,
    ]);
  });

  test("is meant if the loop prints the key of the item, too", async () => {
    expect(await inLoop("{{i.name}} for {{name}}: {{i.price}}")).toEqual([]);
  });

  test("is the item itself in items[0] of a loop without other tags", async () => {
    expect(await inLoop("{{items[0].name}}")).toEqual(["list_in_loop: Did you mean 'i.name'?"]);
    expect(await inLoop("{{i.name}} after {{items[0].name}}")).toEqual([]);
  });
});

test("a name of an outer item without its loop leads to a loop within a loop", async () => {
  const tags = ["{{for d in rooms.defects}}", "{{r.name}}: {{d.text}}", "{{endfor}}"];
  expect((await hintsFor(...tags))[0]).toContain(
    "'for r in rooms', and in it 'for d in r.defects'",
  );
});

test("a loop over an object of several lists leads to all of them", async () => {
  const [hint] = await hintsFor("{{for k in criteria}}{{k}}{{endfor}}");
  expect(hint).toContain("{{for k in criteria.entries()}}{{for i in k.value}}");
});

test("a difference of dates leads to two tags, too", async () => {
  const [hint] = await hintsFor('{{stay.departure - stay.arrival :: format("d MMM")}}');
  expect(hint).toContain("To print both dates, write a tag for each of them.");
});

test.each([
  ["{{price * 8.1% :: number(2)}}", "Write {{price * (8.1 / 100) :: number(2)}}."],
  ["{{(price * 8.1%) :: number(2)}}", "Write {{(price * (8.1 / 100)) :: number(2)}}."],
  ["{{8.1% * price}}", "Write {{(8.1 / 100) * price}}."],
  ["{{price - 10%}}", "Write {{price * (1 - 10 / 100)}}."],
  ["{{(price - 10%) * 2}}", "For 10% write (10 / 100)."],
])("a percentage in a computation leads to a fraction: %s", async (tag, hint) => {
  expect(await hintsFor(tag)).toEqual([`tag_syntax: ${hint}`]);
});

describe("a field of Word that is typed as text", () => {
  test.each([
    ['{ IF {{customer.title}} = "Ms" "Dear Ms" "Dear Mr" }', 'if customer.title == "Ms"'],
    ['{IF "{{customer.title}}"="Ms" "Dear Ms" "Dear Mr"}', 'if customer.title == "Ms"'],
  ])("leads to a block: %s", async (text, condition) => {
    expect(await hintsFor(text)).toEqual([
      `looks_like_tag: Write {{${condition}}}Dear Ms{{else}}Dear Mr{{endif}}.`,
    ]);
  });

  test.each([
    [
      '{ = {{invoice.total}} * 1.19 \\# "0.00" }',
      'Write {{invoice.total * 1.19 :: number("0.00")}}.',
    ],
    [
      "{ =SUM(ABOVE) }",
      "To add up a list write {{items.sum(price)}}, with the names of your list and of its key.",
    ],
  ])("leads to a tag: %s", async (text, hint) => {
    expect(await hintsFor(`${text} {{name}}`)).toEqual([`looks_like_tag: ${hint}`]);
  });

  test.each(["{a = {{name}}}", "{= b} {{name}}", "{ IF you wish } {{name}}"])(
    "is other text in %s",
    async (text) => {
      expect(await hintsFor(text)).toEqual([]);
    },
  );
});

test("the blocks of a mail merge lead to tags", async () => {
  const hints = await hintsFor("«AddressBlock» «GreetingLine» {{name}}");
  expect(hints.map((hint) => /tags, such as/.test(hint))).toEqual([true, true]);
});

describe("Carbone's position of an item", () => {
  test("leads to a loop that keeps the format", async () => {
    const hints = await hintsFor("{{items[i].price :: number(2)}}", "{{items[i+1].price}}");
    expect(hints[0]).toContain(
      "write {{for i in items}} before it, {{i.price :: number(2)}} in place of this tag",
    );
    expect(hints[1]).toContain("Delete this tag");
  });

  test("keeps its formatters in the hint", async () => {
    expect(await hintsFor("{{d.items[i].price:formatN(2)}}")).toEqual([
      "tag_syntax: Write {{items[i].price :: number(2)}}.",
    ]);
  });
});

describe("a number for each item", () => {
  test.each([
    ["{{$max(items.price, 100)}}", "For the greater of both write [items.max(price), 100].max()."],
    ["{{items.average(2)}}", "To round it, write items.average().round(2)."],
    [
      "{{$sum(items.price, 5)}}",
      "To add 5 once, write items.sum(price) + 5. To count the items, write items.count().",
    ],
  ])("is reported: %s", async (tag, hint) => {
    expect(await hintsFor(tag)).toEqual([`doubtful_computation: ${hint}`]);
  });
});

test("the code of a country in place of a language is reported", async () => {
  expect(await hintsFor('{{price :: currency("GBP"), locale("UK")}}')).toEqual([
    'doubtful_sign: For the country write "en-GB".',
  ]);
  const { warnings } = await outcome(p('{{price :: number(2), locale("GB")}}'), DATA);
  expect(warnings[0]?.message).toContain("write en-GB");
  expect(await hintsFor('{{price :: number(2), locale("de")}}')).toEqual([]);
});

describe("a tag with its parts in another order or form", () => {
  test.each([
    ["{{for i in items.sort(price, true)}}", "Write {{for i in items.sort(price desc)}}."],
    ["{{for i in items.sort(price:desc)}}", "Write {{for i in items.sort(price desc)}}."],
    ["{{$padStart(8, code)}}", 'Write code.padStart(8, "0").'],
    ["{{$substring(0, 3, name)}}", "Write name.substring(0, 3)."],
    [
      '{{$if(paid, "Dear " name, "Dear Sir")}}',
      'Write {{$if(paid, $concat("Dear ", name), "Dear Sir")}}.',
    ],
  ])("leads to the right form: %s", async (tag, hint) => {
    const end = tag.startsWith("{{for") ? "x{{endfor}}" : "";
    expect(await hintsFor(tag + end)).toEqual([`tag_syntax: ${hint}`]);
  });

  test.each(["{{for i in items.sort(price).desc}}", "{{for i in items.sort(-name)}}"])(
    "leads to desc after the key: %s",
    async (tag) => {
      const [hint] = await hintsFor(`${tag}{{i.name}}{{endfor}}`);
      expect(hint).toMatch(/: sort\((?:price|name) desc\)\.$/);
    },
  );

  test("leads to the number before its decimal places", async () => {
    expect(await hintsFor("{{$round(2, invoice.total)}}")).toEqual([
      "invalid_value: The number comes first: write invoice.total.round(2).",
    ]);
  });

  test("leads from Adobe's conditional section to a section", async () => {
    const [hint] = await hintsFor("{% conditional-section expr(invoice.paid = false) %} {{name}}");
    expect(hint).toBe("looks_like_tag: Write {{#invoice.paid == false}}.");
  });
});
