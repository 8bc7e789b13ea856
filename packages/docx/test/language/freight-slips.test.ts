import { describe, expect, test } from "vitest";
import { p, table } from "../../../ooxml/test/support/docx.ts";
import { hintsIn, outcome, printed } from "../support/language.ts";

const DATA = {
  kg: 100,
  net: 10.5,
  vat: 2.1,
  total: 100,
  paid: 3,
  weight: 5,
  volume: 1,
  number: 12.75,
  amount: 1234.5,
  name: "Anna GmbH",
  names: ["Ann", "Bob", "Cem"],
  list: [
    { no: "1.2", qty: 1 },
    { no: "1.10", qty: 0 },
    { no: "1.1", qty: 3 },
    { no: "2.1", qty: 2 },
  ],
  prices: [{ price: "1.05" }, { price: "1.10" }, { price: "1.1" }],
  positions: [
    { section: "A", total: 3, name: "x" },
    { section: "B", total: 4, name: "y" },
  ],
  shipments: [{ date: "2026-03-05" }, { date: "2025-04-05" }],
  date: "2026-03-05",
  time: "2026-03-05T10:00:00Z",
  due: "2026-12-31",
  left: "",
  photo: null,
  docs: null,
  text: "a",
  currency: null,
  chinese: "RMB",
  spaced: "EUR ",
  empty: "",
};

/** Returns the first hint for a paragraph. */
async function hintOf(text: string): Promise<string> {
  return hintIn(p(text));
}

async function hintIn(body: string): Promise<string> {
  const { warnings } = await outcome(body, DATA, { now: "2026-11-20T10:15:00Z" });
  return warnings.find(({ code }) => code !== "unused_value")?.hint ?? "";
}

describe("the hint for rounding", () => {
  test.each([
    ['{{(kg / 24).round("up")}}', '(kg / 24).round(0, "up")', "5"],
    ['{{$round(kg / 24, "up")}}', '(kg / 24).round(0, "up")', "5"],
    ['{{(net + vat).round("up")}}', '(net + vat).round(0, "up")', "13"],
  ])("%s keeps the parentheses", async (template, meant, value) => {
    expect(await hintOf(template)).toBe(`Write ${meant}.`);
    expect(await printed(`{{${meant}}}`, DATA)).toBe(value);
  });

  test("keeps them within a function", async () => {
    expect(await hintOf('{{list.sum((qty / 24).round("up"))}}')).toBe(
      'Write (qty / 24).round(0, "up").',
    );
  });
});

describe("position numbers", () => {
  test("that are sorted as numbers give a warning, whose form sorts them", async () => {
    expect(await hintOf("{{for i in list.sort(no)}}{{i.no}} {{endfor}}")).toBe(
      'For position numbers write sort($concat("No. ", no)), and for amounts sort(no.toNumber(".")).',
    );
    const sorted = '{{for i in list.sort($concat("No. ", no))}}{{i.no}} {{endfor}}';
    expect(await printed(sorted, DATA)).toBe("1.1 1.2 1.10 2.1 ");
    expect(await hintOf(sorted)).toBe("");
    expect(await hintOf('{{for i in list.sort(no.toNumber("."))}}{{i.no}} {{endfor}}')).toBe("");
  });

  test("give a warning for the greatest one", async () => {
    expect(await hintOf("{{list.max(no)}}")).toContain('list.sort($concat("No. ", no)).last().no');
    expect(await printed('{{list.sort($concat("No. ", no)).last().no}}', DATA)).toBe("2.1");
  });

  test("give a warning in a condition", async () => {
    const condition = 'no.split(".").first() == "1" and no.split(".").last().toNumber(".") > 2';
    expect(await hintOf('{{for i in list.where(no > "1.2")}}{{i.no}}{{endfor}}')).toBe(
      `Compare position numbers by their parts, as in ${condition}.`,
    );
    const selected = `{{for i in list.where(${condition})}}{{i.no}}{{endfor}}`;
    expect(await printed(selected, DATA)).toBe("1.10");
  });

  test("are not amounts such as 1.05", async () => {
    expect(await hintOf("{{for i in prices.sort(price)}}{{i.price}} {{endfor}}")).toBe("");
    expect(await hintOf('{{for i in prices.where(price > "1.1")}}{{i.price}}{{endfor}}')).toBe("");
  });
});

describe("the code of a country as the locale", () => {
  test.each([
    ["uk", 'For the United Kingdom write locale("en-GB"), and for Ukrainian locale("uk-UA").'],
    ["se", 'For Sweden write locale("sv-SE"), and for Northern Sami locale("se-NO").'],
    [
      "be",
      'For Belgium write locale("nl-BE") or locale("fr-BE"), and for Belarusian locale("be-BY").',
    ],
    ["dk", 'Write locale("da-DK").'],
    ["at", 'Write locale("de-AT").'],
    ["cz", 'Write locale("cs-CZ").'],
  ])("%s gives the locale", async (code, hint) => {
    expect(await hintOf(`{{date :: format("d MMMM"), locale("${code}")}}`)).toBe(hint);
  });

  test.each(["uk-UA", "en-GB", "ar", "de", "fr"])("is not %s", async (code) => {
    expect(await hintOf(`{{date :: format("d MMMM"), locale("${code}")}}`)).toBe("");
  });
});

describe("a time zone", () => {
  test.each([
    ["EST", "America/New_York"],
    ["MST", "America/Denver"],
    ["BST", "Europe/London"],
    ["Etc/GMT+2", "+02:00"],
    ["Etc/GMT-2", "-02:00"],
    ["MEZ", "Europe/Berlin"],
  ])("such as %s is probably %s", async (zone, meant) => {
    expect(await hintOf(`{{time :: format("HH:mm"), timeZone("${zone}")}}`)).toContain(
      `timeZone("${meant}")`,
    );
    expect(await hintOf(`{{time :: format("HH:mm"), timeZone("${meant}")}}`)).toBe("");
  });
});

describe("amounts:", () => {
  test.each([
    ["{{number :: truncate(2)}}", 'To leave out decimals write {{number.round(2, "down")}}.'],
    ['{{net :: currency(currency) ?? "EUR"}}', 'Write {{net :: currency(currency ?? "EUR")}}.'],
    ['{{net :: currency("EUR") ?? "none"}}', 'Write {{net :: currency("EUR"), default("none")}}.'],
    ["{{net :: currency(chinese)}}", "The code of RMB is CNY."],
    [
      "{{net :: currency(spaced)}}",
      "The code has spaces around it: write currency(spaced.trim()).",
    ],
    [
      '{{net :: currency(empty ?? "EUR")}}',
      "'??' replaces only a missing value: write currency($if(empty, empty, \"EUR\")).",
    ],
    [
      '{{total :: currency("CHF", 0.05)}}',
      'Write {{(total / 0.05).round() * 0.05 :: currency("CHF")}}.',
    ],
    ['{{total :: number("#,##0.00_);(#,##0.00)")}}', 'Write number("#,##0.00;(#,##0.00)").'],
    [
      '{{amount :: number("0.0,")}}',
      'Divide the value, because a pattern does not: write {{amount / 1000 :: number("0.0")}}.',
    ],
    ["{{(net + vat):formatN(2)}}", "Write {{(net + vat) :: number(2)}}."],
    ["{{$min(total * 0.1, 500)}}", "Write {{[total * 0.1, 500].min()}}."],
    [
      "{{$max(weight, volume * 333)}}",
      "Put the values into brackets: [weight, volume * 333].max().",
    ],
    ["{{$max(0, total - paid)}}", "Put the values into brackets: [0, total - paid].max()."],
  ])("%s has a hint", async (template, hint) => {
    expect(await hintOf(template)).toBe(hint);
  });

  test.each([
    ["{{name :: truncate(2)}}", "A…"],
    ["{{number :: truncate(5)}}", "12.75"],
    ["{{[weight, volume * 333].max()}} {{[0, total - paid].max()}}", "333 97"],
    ['{{(total / 0.05).round() * 0.05 :: currency("CHF")}}', "CHF\u00a0100.00"],
    ['{{net :: currency($if(empty, empty, "EUR"))}}', "€10.50"],
    ["{{net :: currency(spaced.trim())}}", "€10.50"],
  ])("%s is right", async (template, value) => {
    expect(await printed(template, DATA)).toBe(value);
    expect(await hintOf(template)).toBe("");
  });
});

describe("a text in place of a missing list", () => {
  test("is put into brackets with a comma", async () => {
    const { warnings } = await outcome(p('{{for d in docs ?? "none"}}{{d}}{{endfor}}'), DATA);
    expect(warnings[0]).toMatchObject({
      message: `The tag {{for d in docs ?? "none"}} repeats the text after '??', which is not a list.`,
      hint: 'Make a list of the text, with a comma in it: write docs ?? ["none",].',
    });
    expect(await printed('{{for d in docs ?? ["none",]}}{{d}}{{endfor}}', DATA)).toBe("none");
  });

  test("is not a key in brackets", async () => {
    expect(await hintOf('{{for d in docs ?? ["none"]}}{{d}}{{endfor}}')).toBe(
      '["none"] is a key of the data. For a list with this text write a comma in it: docs ?? ["none",].',
    );
  });

  test("is not blamed if the list is another text", async () => {
    expect(await hintOf('{{for d in text ?? "none"}}{{d}}{{endfor}}')).toBe("Give a list: [ … ].");
  });
});

describe("running totals", () => {
  test("name the key of the item", async () => {
    const body = table([p("{{tablerow p in positions}}{{$running(total)}}{{endtablerow}}")]);
    expect(await hintsIn(body, DATA)).toContain(
      "same_for_all_items: Did you mean $running(p.total)?",
    );
  });

  test("of groups belong outside the loop over their items", async () => {
    const row = table([
      p("{{tablerow p in g.items}}{{$running(g.items.sum(total))}}{{endtablerow}}"),
    ]);
    const body = p("{{for g in positions.group(section)}}") + row + p("{{endfor}}");
    expect(await hintIn(body)).toBe(
      "'$running' adds over the innermost loop. For the sum up to an item of the outer loop, write the tag outside the inner loop: directly in {{for g in positions.group(section)}}.",
    );
  });

  test("begin again in each group", async () => {
    expect(
      await hintOf("{{for p in positions}}{{$running(p.total, p.section)}}{{endfor}}"),
    ).toContain(
      "{{for g in items.group(section)}}{{for p in g.items}}{{$running(p.total)}}{{endfor}}{{endfor}}",
    );
    expect(await hintOf("{{for p in positions}}{{$running(p.total, p.qty)}}{{endfor}}")).toBe(
      "Write {{$running(p.total * p.qty)}}.",
    );
  });
});

describe("texts:", () => {
  test.each([
    [
      '{{if name.lowercase().startsWith("A")}}x{{endif}}',
      'Write name.lowercase().startsWith("a").',
    ],
    ['{{name.lowercase().replace("GmbH", "")}}', 'Write name.lowercase().replace("gmbh", "").'],
    ['{{name.uppercase().endsWith("h")}}', 'Write name.uppercase().endsWith("H").'],
    ['{{names :: delimiter(", "), lastdelimiter("and")}}', 'Write lastdelimiter(" and ").'],
  ])("%s has a hint", async (template, hint) => {
    expect(await hintOf(template)).toBe(hint);
  });

  test.each([
    '{{if name.lowercase().startsWith("a")}}x{{endif}}',
    '{{name.replace("GmbH", "")}}',
    '{{names :: delimiter(", "), lastdelimiter(" and ")}}',
    '{{names :: delimiter("x"), lastdelimiter("x")}}',
  ])("%s is right", async (template) => {
    expect(await hintOf(template)).toBe("");
  });
});

describe("dates:", () => {
  test.each([
    [
      '{{for s in shipments.sort(date.format("d MMMM"))}}{{s.date}} {{endfor}}',
      'Write sort(date). For an order without the year write sort(date.format("MM-dd")).',
    ],
    [
      '{{if left isPresent}}{{left :: format("d MMM yyyy")}}{{endif}}',
      "Write {{if left}} before the tag and {{endif}} after it. 'isPresent' is not enough, because it is true for empty text.",
    ],
    ['{{$today :: format("d MMM yyyy HH:mm")}}', "'$today' has no time: write $now in its place."],
    ['{{date.lastMonth() :: format("MMMM")}}', 'Write {{date.addMonths(-1) :: format("MMMM")}}.'],
  ])("%s has a hint", async (template, hint) => {
    expect(await hintOf(template)).toBe(hint);
  });

  test("a date that needs no toDate has its format in the hint", async () => {
    expect(await hintOf('{{due :: toDate("dd.MM.yyyy")}}')).toContain(
      'To print it in this form write due :: format("dd.MM.yyyy").',
    );
  });
});

describe("tags:", () => {
  test.each([
    [
      "{{for i in positions}}{{positions[i].name}}{{endfor}}",
      "'i' is the item itself: write i in place of positions[i].",
    ],
    [
      '{{photo ?? "no photo" :: width("3cm")}}',
      'Write {{if photo}}{{photo :: width("3cm")}}{{else}}no photo{{endif}}.',
    ],
    [
      "{{for i in list.sort(no :: desc)}}{{i.no}}{{endfor}}",
      "Write {{for i in list.sort(no desc)}}.",
    ],
  ])("%s has a hint", async (template, hint) => {
    expect(await hintOf(template)).toBe(hint);
  });

  test("the width of a column has a unit", async () => {
    expect(await hintIn(table([p("{{column :: width(30)}}")]))).toBe(
      'A width has a unit, such as "3cm" or "30mm": write {{column :: width("3cm")}}. For a share of the table write {{column :: width("30%")}}.',
    );
  });

  test("a condition that hides rows selects the items", async () => {
    const body = table([
      p("{{tablerow p in list}}{{p.no}}{{row :: hide, when(p.qty == 0)}}{{endtablerow}}"),
    ]);
    expect(await hintIn(body)).toContain("{{tablerow p in list.where(qty != 0)}}");
  });
});
