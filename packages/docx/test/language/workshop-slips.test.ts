import { describe, expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { hintsIn, printed } from "../support/language.ts";

type Data = Readonly<Record<string, unknown>>;

/** Returns the hints for a template of one paragraph, or of one for each line. */
async function hintsOf(template: string, data: Data): Promise<string[]> {
  const found = await hintsIn(
    template
      .split("\n")
      .map((line) => p(line))
      .join(""),
    data,
  );
  return found.map((each) => each.replace(/^\w+: /, ""));
}

async function hintOf(template: string, data: Data): Promise<string> {
  return (await hintsOf(template, data))[0] ?? "";
}

/** Returns the tag that a hint names with "Write {{…}}". */
async function tagIn(template: string, data: Data): Promise<string> {
  return /\{\{.+?\}\}/.exec(await hintOf(template, data))?.[0] ?? "";
}

const GIFTS = {
  gifts: ["Water", "School", "School", "Water"].map((purpose, index) => ({
    purpose,
    year: 2025 + (index % 2),
    date: "2026-01-02",
  })),
};
const LABOUR = {
  labour: [
    { hours: 1.5, rate: 140 },
    { hours: 0.5, rate: 120 },
  ],
};

describe("a currency that the item lacks", () => {
  const template = "{{for f in flights}}{{f.price :: currency(f.currency)}}{{endfor}}";
  const flights = [{ no: "LX 180", price: 1190.25 }];

  test("is the one of another object", async () => {
    const data = { flights, booking: { currency: "CHF" } };
    expect(await hintOf(template, data)).toBe("Did you mean 'booking.currency'?");
  });

  test("is the one of the whole data", async () => {
    expect(await hintOf(template, { flights, currency: "CHF" })).toBe("Did you mean 'currency'?");
  });

  test("has a fallback if the data has no such key", async () => {
    expect(await hintOf(template, { flights })).toContain('f.currency ?? "EUR"');
  });
});

describe("a key of a group in a loop over distinct items", () => {
  const data = { parts: [{ code: "a", name: "Bolt", qty: 1, group: "Steel" }] };

  test("is the key of the item", async () => {
    const template = "{{for p in parts.distinct(group)}}{{p.key}}{{endfor}}";
    expect(await hintOf(template, data)).toBe(
      "'distinct' gives the items themselves, which have no 'key': write p.group. For groups with 'key' and 'items' write parts.group(group).",
    );
  });

  test("needs a group for its items", async () => {
    const template =
      "{{for p in parts.distinct(group)}}{{for i in p.items}}{{i.name}}{{endfor}}{{endfor}}";
    expect(await hintOf(template, data)).toBe(
      "'distinct' gives the items themselves, which have no 'items'. For groups with 'key' and 'items' write parts.group(group).",
    );
  });
});

describe("a sum that is multiplied with a key of its items", () => {
  test.each([
    ["labour.sum(hours) * rate :: number(2)", "270.00"],
    ["rate * labour.sum(hours)", "270"],
    ["labour.hours.sum() * rate", "270"],
    ["labour.sum(hours) * rate * 2", "540"],
  ])("%s is the sum of the products", async (wrong, right) => {
    expect(await printed(await tagIn(`{{${wrong}}}`, LABOUR), LABOUR)).toBe(right);
  });

  test("may name the list again", async () => {
    expect(await hintOf("{{labour.sum(hours) * labour.rate}}", LABOUR)).toBe(
      "For the sum of the products write labour.sum(hours * rate).",
    );
  });

  test("does not concern a key that the items lack", async () => {
    expect(await hintOf("{{labour.sum(hours) * fee}}", LABOUR)).toContain("(fee ?? 0)");
  });
});

describe("the difference of two dates", () => {
  test("with times is in hours or minutes", async () => {
    const f = { departs: "2026-12-20T17:55:00+01:00", arrives: "2026-12-21T09:40:00+07:00" };
    expect(await hintOf("{{f.arrives - f.departs}}", { f })).toBe(
      "Write f.departs.hoursUntil(f.arrives) or f.departs.minutesUntil(f.arrives). For whole days write f.departs.daysUntil(f.arrives).",
    );
  });

  test("without times is in days", async () => {
    const f = { departs: "2026-12-20", arrives: "2026-12-21" };
    expect(await hintOf("{{f.arrives - f.departs}}", { f })).toMatch(
      /^Write f\.departs\.daysUntil/,
    );
  });
});

describe("a count of a text that occurs again", () => {
  test("is the count of all items", async () => {
    expect(await hintOf("{{gifts.count(purpose)}} purposes", GIFTS)).toBe(
      "For the number of different ones write gifts.distinct(purpose).count(), and for all items gifts.count().",
    );
    expect(await printed("{{gifts.distinct(purpose).count()}}", GIFTS)).toBe("2");
  });

  test.each([
    ["beside the count of all items", "{{gifts.count(purpose)}} of {{gifts.count()}}", GIFTS],
    ["in a condition", "{{if gifts.count(purpose) > 1}}x{{endif}}", GIFTS],
    [
      "of texts that some items lack",
      "{{gifts.count(purpose)}}",
      { gifts: [...GIFTS.gifts, { purpose: "" }] },
    ],
    [
      "of texts that differ",
      "{{guests.count(email)}}",
      { guests: ["a", "b", "c", "a"].map((email) => ({ email })) },
    ],
  ])("is right %s", async (_case, template, data) => {
    expect(await hintsOf(template, data)).toEqual([]);
  });
});

describe("a computed number in words", () => {
  const data = { rates: [140, 120, 125].map((rate) => ({ rate })), a: 10 };

  test.each(["rates.average(rate)", "(a / 3)"])("%s is rounded before", async (value) => {
    const wrong = `{{${value}.words()}}`;
    expect(await hintOf(wrong, data)).toBe(`Round it before: {{${value}.round(2).words()}}.`);
    expect(await hintsOf(await tagIn(wrong, data), data)).toEqual([]);
  });

  test("may have a few decimals", async () => {
    expect(await hintsOf("{{(a / 4).words()}}", data)).toEqual([]);
  });
});

describe("text that begins in other letters", () => {
  const donors = [{ last: "Frei" }, { last: "Fram" }];
  const template = '{{for d in donors}}{{if d.last.startsWith("f")}}x{{endif}}{{endfor}}';

  test("is found in small letters", async () => {
    const data = { donor: { last: "Frei" } };
    expect(await hintOf('{{if donor.last.startsWith("f")}}x{{endif}}', data)).toBe(
      'Write it in the same way, or look in small letters: donor.last.lowercase().startsWith("f").',
    );
    expect(await hintOf(template, { donors })).toContain('d.last.lowercase().startsWith("f")');
  });

  test("is not meant if other items have these letters", async () => {
    const data = { donors: [...donors, { last: "fleur" }] };
    expect(await hintsOf(template, data)).toEqual([]);
  });
});

describe("a list that is compared with a number", () => {
  test.each([
    [
      "gifts.where(year == 2026) > 0",
      "Write gifts.count(year == 2026) > 0, or gifts.where(year == 2026) alone.",
    ],
    ["gifts.distinct(year) >= 2", "Write gifts.distinct(year).count() >= 2."],
  ])("%s counts its items", async (condition, hint) => {
    expect(await hintOf(`{{if ${condition}}}x{{endif}}`, GIFTS)).toBe(hint);
  });
});

test("a key that no item of a list has gets the keys that they have", async () => {
  const data = { travellers: [{ first: "Ann", last: "Lee", meal: "none" }] };
  expect(await hintOf('{{travellers.name.join(", ")}}', data)).toMatch(
    /^The items of 'travellers' have: first, last, meal\. Add it to the data/,
  );
});

test("a character of a text in a condition is a part of it", async () => {
  const data = { donor: { last: "Frei" } };
  expect(await hintOf('{{if donor.last[0] == "F"}}x{{endif}}', data)).toBe(
    'For one character of a text write donor.last.substring(0, 1). To ask how it begins, write donor.last.startsWith("…").',
  );
});

test.each([
  ["half up", "Without a second argument a half is rounded up, as in round(1)."],
  ["HALF_UP", "Without a second argument a half is rounded up, as in round(1)."],
  ["commercial", "Without a second argument a half is rounded up, as in round(1)."],
  ["bankers", 'For a half to the even digit write "half-even".'],
  ["Up", 'Write "up".'],
  ["ceil", 'Write "ceiling".'],
])("the rounding %s has its name here", async (mode, hint) => {
  expect(await hintOf(`{{total.round(1, "${mode}")}}`, { total: 1.55 })).toBe(hint);
});

test("the number of pages is a field of Word", async () => {
  const [page, pages] = await hintsOf("{{$page}} of {{$pages}}", {});
  expect(page).toContain("insert a page number with Word");
  expect(pages).toContain("the number of pages with Word (the field NUMPAGES)");
});

test("a loop of BI Publisher has the name of its item before its values", async () => {
  const template = "<?for-each:gifts?>\n<?date?>\n<?end for-each?>";
  expect(await hintOf(template, GIFTS)).toMatch(
    /^Write \{\{for item in gifts\}\}, its values as in \{\{item\.date\}\}, and blocks as/,
  );
});

test("a value after the name of its cell is written alone", async () => {
  expect(await hintOf("{{cell client.name}}", { client: { name: "A" } })).toBe(
    'Write {{client.name}}. For the look of the cell write {{cell :: fill("yellow")}} next to it.',
  );
});

test("a rank counts the better items", async () => {
  const data = { teams: [{ points: 1 }, { points: 2 }] };
  const template = "{{for t in teams}}{{t.points.rank(teams.points)}}{{endfor}}";
  expect(await hintOf(template, data)).toBe("Write {{1 + teams.count(points > t.points)}}.");
});

test("a position of an object is one of its keys", async () => {
  expect(await hintOf("{{readings[0]}}", { readings: { Jan: 1, Feb: 2 } })).toBe(
    "'readings' has keys in place of positions: write {{readings.Jan}}.",
  );
});

describe("the greatest of two numbers", () => {
  test.each([
    ["max(weight, volume * 333)", "{{[weight, volume * 333].max()}}"],
    ["min(weight, 500)", "{{[weight, 500].min()}}"],
    ["max(items, price * qty)", "{{items.max(price * qty)}}"],
  ])("%s names a list or makes one", async (wrong, right) => {
    expect(await tagIn(`{{${wrong}}}`, {})).toBe(right);
  });
});

describe("a running total that is multiplied with a value of one item", () => {
  const template = "{{for e in labour}}{{$running(e.hours) * e.rate}} {{endfor}}";

  test("is not the total of the products", async () => {
    expect(await hintOf(template, LABOUR)).toBe(
      "For the total of the products write $running(e.hours * e.rate).",
    );
  });

  test("is right if all items have the same value", async () => {
    const data = { labour: LABOUR.labour.map((each) => ({ ...each, rate: 100 })) };
    expect(await hintsOf(template, data)).toEqual([]);
  });
});

describe("a row that a modifier should hide", () => {
  const row = (loop: string, look: string): string =>
    `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol/></w:tblGrid><w:tr><w:tc>${p(`{{${loop}}}{{${look}}}{{endtablerow}}`)}</w:tc></w:tr></w:tbl>`;

  test.each([
    ["part in order.parts", "row :: hide, when(part.qty == 0)", "order.parts.where(qty != 0)"],
    ["part in parts.sort(qty)", "row :: hide, when(part.old)", "parts.sort(qty).where(not (old))"],
    ["p in parts", "row :: show, when(p.qty > 0)", "parts.where(qty > 0)"],
  ])("in {{tablerow %s}} has a hint that filters its list", async (loop, look, list) => {
    const [hint] = await hintsIn(row(`tablerow ${loop}`, look), {});
    const [name] = loop.split(" ");
    expect(hint).toBe(
      `tag_syntax: A modifier does not hide a row. Repeat only the rows to show: {{tablerow ${name} in ${list}}}.`,
    );
  });
});
