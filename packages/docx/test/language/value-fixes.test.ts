import { describe, expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { outcome, printed } from "../support/language.ts";

const DATA = {
  reviews: [{ r: 4 }, { r: null }, { r: 5 }],
  offers: [{ price: 2 }, {}, { price: 1 }],
  scores: [{ s: 4 }, { s: "" }, { s: 5 }],
  tasks: [{ t: "A", urgent: true }, { t: "B" }, { t: "C", urgent: false }],
  items: [
    { city: "Bern", n: 1, owner: { id: 7, name: "Ann" } },
    { city: "Ulm", n: 2, owner: { id: 8, name: "Bob" } },
    { city: "Bern", n: 3, owner: { id: 7, name: "Ann" } },
  ],
  visits: [{ d: "2026-01-05" }, { d: "2026-03-06" }],
  total: 100,
  discount: "10%",
  rate: 0.1,
  a: "09:00",
  b: "17:30",
  early: "8:00",
  minutes: 90,
  durationMin: 65,
  phone: "0791234567",
  note: "",
  consent: "no",
  status: "open",
  labels: { open: "Offen" },
  country: { code: "DE", name: "Germany" },
  url: "https://example.org",
  ean: "4012345678",
  lines: [{ sku: "b" }],
  products: [
    { sku: "a", price: 9 },
    { sku: "b", price: 5 },
  ],
  customers: [{ id: 2, name: "Bob" }],
  id: 2,
  months: ["Jan", "Feb"],
  row: { v: [1, 2] },
  compact: "20261231",
  compactNumber: 20261231,
  month: 202612,
  serial: 46022,
  day: "2026-12-31",
  terms: "14 days",
  english: "Dec 31, 2026",
  copies: -1,
  half: 2.5,
  word: "ten",
  price: "n/a",
  span: "12 - 14",
  weight: "12 kg",
  decimals: "12,5 kg",
  zero: 0,
  paid: 5,
  seconds: 1767225600,
  invoices: [{ date: "2026-01-05", total: 1 }, { date: null, total: 2 }, { total: 4 }],
  unsent: [
    { date: "2026-01-05", total: 1 },
    { date: "", total: 2 },
  ],
};

const FOUND = {
  keys: [
    { id: 1, key: "jan" },
    { id: 2, key: "feb" },
    { id: 3, key: "mar" },
  ],
  sales: { jan: 1 },
  sizes: [{ id: 1, name: "S" }],
  none: [],
};

const OPTIONS = { now: new Date("2026-11-30T12:00:00Z") };

/** Returns the first diagnostic of a template, as its message and its hint. */
async function told(text: string): Promise<string> {
  const { warnings } = await outcome(p(text), DATA, OPTIONS);
  const [first] = warnings.filter(({ code }) => code !== "unused_value");
  return `${first?.message} ${first?.hint}`;
}

describe("the hint about a value shows what to write, and this prints the meant value", () => {
  test.each([
    // An object in place of a list.
    ["{{items[0].sum(n)}}", "[items[0]].sum(n)", "1"],
    ['{{country.join("/")}}', 'country.entries().map(value).join("/")', "DE/Germany"],
    // Items without a value.
    ["{{reviews.average(r)}}", "reviews.where(r isPresent).average(r)", "4.5"],
    ["{{reviews.max(r)}}", "reviews.where(r isPresent).max(r)", "5"],
    ["{{offers.min(price)}}", "offers.where(price isPresent).min(price)", "1"],
    ["{{scores.average(s)}}", 'scores.where(s != "").average(s)', "4.5"],
    ["{{scores.min(s)}}", 'scores.where(s != "").min(s)', "4"],
    ["{{tasks.count(urgent == false)}}", "tasks.count(not urgent)", "2"],
    ["{{tasks.count(urgent == true)}}", "tasks.count(urgent)", "1"],
    // Lists of objects.
    ["{{items.distinct(city)}}", 'items.city.distinct().join(", ")', "Bern, Ulm"],
    [
      "{{items.where(n > 1).distinct(city)}}",
      'items.where(n > 1).distinct(city).map(city).join(", ")',
      "Ulm, Bern",
    ],
    ["{{items.group(city)}}", 'items.group(city).map(key).join(", ")', "Bern, Ulm"],
    ["{{visits}}", 'visits.map(d).join(", ")', "2026-01-05, 2026-03-06"],
    // Times.
    [
      "{{a.hoursUntil(b)}}",
      '$concat($today, "T", a).minutesUntil($concat($today, "T", b)) / 60',
      "8.5",
    ],
    [
      "{{early.minutesUntil(b)}}",
      '$concat($today, "T", early.padStart(5, "0")).minutesUntil($concat($today, "T", b.padStart(5, "0")))',
      "570",
    ],
    ["{{b.hour()}}", '$concat($today, "T", b).hour()', "17"],
    ['{{phone :: number("000 000 00 00")}}', 'phone :: format("xxx xxx xx xx")', "079 123 45 67"],
    // Texts.
    ['{{note :: default("none")}}', '$if(note, note, "none")', "none"],
    ["{{consent :: checkbox}}", '(consent != "no") :: checkbox', "☐"],
    ["{{labels.status}}", "labels[status]", "Offen"],
    ['{{$if(country == "Germany", "x", "y")}}', 'country.name == "Germany"', null],
    ['{{"our site" :: link(url)}}', 'url :: link("our site")', "our site"],
    // Numbers in place of dates.
    ["{{compact.addDays(30)}}", 'compact.toDate("yyyyMMdd")', "2026-12-31"],
    ["{{compactNumber.addDays(30)}}", 'compactNumber.toDate("yyyyMMdd")', "2026-12-31"],
    ["{{month.addDays(30)}}", 'month.toDate("yyyyMM")', "2026-12-01"],
    ["{{day.daysUntil(compact)}}", 'compact.toDate("yyyyMMdd")', "2026-12-31"],
    ["{{serial.addDays(30)}}", '"1899-12-30".addDays(serial)', "2025-12-31"],
    ['{{serial.toDate("MM/dd/yyyy")}}', '"1899-12-30".addDays(serial)', "2025-12-31"],
    ["{{seconds.addDays(1)}}", "seconds.fromUnix()", "2026-01-01T00:00:00.000Z"],
    ["{{day.fromUnix()}}", "day", "2026-12-31"],
    // Empty dates.
    ['{{note.toDate("MM/dd/yyyy")}}', '$if(note, note.toDate("MM/dd/yyyy"), "")', ""],
    ["{{note.addDays(30)}}", '$if(note, note.addDays(30), "")', ""],
    ["{{day.daysUntil(note)}}", '$if(note, day.daysUntil(note), "")', ""],
    // Numbers with units.
    ["{{day - terms}}", 'day.addDays(-terms.replace(" days", ""))', "2026-12-17"],
    ["{{day + terms}}", 'day.addDays(terms.replace(" days", ""))', "2027-01-14"],
    ["{{day.addDays(terms)}}", 'terms.replace(" days", "")', "14"],
    ["{{weight * 2}}", 'weight.replace(" kg", "")', "12"],
    ["{{decimals * 2}}", 'decimals.replace(" kg", "").toNumber(",")', "12.5"],
    ['{{weight.toNumber(".")}}', 'weight.replace(" kg", "").toNumber(".")', "12"],
    ['{{decimals.toNumber(".")}}', 'decimals.replace(" kg", "").toNumber(",")', "12.5"],
    // Texts that are not numbers.
    ['{{price.toNumber(",")}}', '$if(price == "n/a", 0, price.toNumber(","))', "0"],
    ['{{span.toNumber(".")}}', 'span.split("-").first().toNumber(".")', "12"],
    ['{{note.toNumber(",")}}', '$if(note.trim() == "", 0, note.toNumber(","))', "0"],
    // Numbers of another kind.
    ["{{$range(copies)}}", "$range([copies, 0].max())", ""],
    ["{{$range(half)}}", "half.round()", "3"],
    ["{{paid / zero}}", "$if(zero == 0, 0, paid / zero)", "0"],
    ["{{paid / (zero - paid + 5)}}", "$if(zero - paid + 5 == 0, 0, paid / (zero - paid + 5))", "0"],
    ["{{items.limit(copies).n}}", "items.reverse().limit(copies.abs()).reverse()", null],
    ["{{items.skip(copies).n}}", "items.reverse().skip(copies.abs()).reverse()", null],
    ["{{items.limit(half).n}}", "items.limit(half.round())", null],
    ["{{items.limit(word).n}}", "Put a whole number into the data in its place", null],
    // Names in the parentheses of functions.
    ["{{outer.id}}", "Outside of functions write id", null],
    ["{{customers.first(id == outer.id).name}}", "put the tag into 'for x in [id]'", null],
  ])("%s", async (text, meant, result) => {
    expect(await told(text)).toContain(meant);
    if (result !== null) expect(await printed(`{{${meant}}}`, DATA, OPTIONS)).toBe(result);
  });

  test.each([
    ["invoices", "invoices.where(date isPresent).group(date.month())", "1: 1; "],
    ["invoices", "date.month() ?? 0", "1: 1; 0: 6; "],
    ["unsent", ".where(date)", "1: 1; "],
    ["unsent", "$if(date, date.month(), 0)", "1: 1; 0: 2; "],
  ])("items of %s without a date are left out or kept: %s", async (name, meant, result) => {
    const body = "{{g.key}}: {{g.items.sum(total)}}; {{endfor}}";
    expect(await told(`{{for g in ${name}.group(date.month())}}${body}`)).toContain(meant);
    const list = meant.startsWith(name)
      ? meant
      : meant.startsWith(".")
        ? `${name}${meant}.group(date.month())`
        : `${name}.group(${meant})`;
    expect(await printed(`{{for g in ${list}}}${body}`, DATA, OPTIONS)).toBe(result);
  });

  test.each([
    ["items.reverse().limit(copies.abs()).reverse()", "3"],
    ["items.reverse().skip(copies.abs()).reverse()", "1, 2"],
    ["items.limit(half.round())", "1, 2, 3"],
  ])("a list in a hint has the meant items: %s", async (list, result) => {
    expect(await printed(`{{${list}.map(n).join(", ")}}`, DATA, OPTIONS)).toBe(result);
  });

  test("an English month in a document of another language needs the locale", async () => {
    const german = { ...OPTIONS, locale: "de-DE" };
    for (const text of ["{{english.addDays(1)}}", '{{english.toDate("yyyy-MM-dd")}}']) {
      const { warnings } = await outcome(p(text), DATA, german);
      const hint = warnings.find(({ code }) => code === "invalid_value")?.hint;
      expect(hint).toContain(
        'toDate("MMMM d, yyyy"). Its month is in English: end a tag that prints a value with :: locale("en").',
      );
    }
    const tag = '{{english.toDate("MMMM d, yyyy").addDays(1) :: locale("en")}}';
    expect(await printed(tag, DATA, german)).toBe("2027-01-01");
  });

  test("a pattern without names says nothing of names", async () => {
    expect(await told('{{word.toDate("MM/dd/yyyy")}}')).not.toContain("Names of months");
    expect(await told('{{word.toDate("d MMMM yyyy")}}')).toContain("Names of months");
  });

  test.each([
    ["−120", "with another sign than - as its minus"],
    ["(120)", "in parentheses in place of a minus"],
    ["120-", "with its minus at the end"],
    ["120,5", "with a decimal comma"],
    ["(1.200,50)", "with a decimal comma"],
    ["€ 120", "with signs that numbers do not have"],
  ])("the form of a number that is text is named: %s", async (value, form) => {
    const { warnings } = await outcome(p("{{value + 1}}"), { value });
    expect(warnings[0]?.hint).toBe(`It is written ${form}. Write value.toNumber(",").`);
    expect(await printed('{{value.toNumber(",").abs().round(0, "down") % 1080}}', { value })).toBe(
      "120",
    );
  });

  test.each([
    ['{{minutes :: format("H:mm")}}', "1:30"],
    ['{{durationMin :: format("HH:mm")}}', "1:05"],
  ])("minutes are printed as a time with two tags: %s", async (text, result) => {
    const [, tags = ""] = /Write two tags: (.*)\.$/.exec(await told(text)) ?? [];
    expect(await printed(tags, DATA)).toBe(result);
  });

  test("a pattern with several groups of digits is not about quotes", async () => {
    const message = await told('{{phone :: number("000 000 00 00")}}');
    expect(message).toContain("a number has one group of digits, without spaces");
  });

  test("hours are printed as before", async () => {
    const hint = await told('{{total :: format("H:mm")}}');
    expect(hint).toContain("A number of hours is not a time.");
  });

  test("the key of a group by months leads to the first day of the month", async () => {
    const body = '{{g.key :: format("MMMM")}} {{endfor}}';
    expect(await told(`{{for g in visits.group(d.month())}}${body}`)).toContain(
      "The key is the number that month() gives. To print it as a date, group by the first day of the month: {{for g in visits.group(d.startOfMonth())}}.",
    );
    expect(await printed(`{{for g in visits.group(d.startOfMonth())}}${body}`, DATA)).toBe(
      "January March ",
    );
  });

  test.each([
    ["{{total - discount}}", "such as 0.1 for 10%, and write total * (1 - discount)."],
    ["{{total + discount}}", "write total * (1 + discount)."],
    ["{{total * (1 - discount)}}", "such as 0.1 for 10%."],
    ["{{total * discount}}", "such as 0.1 for 10%."],
    ["{{total * 2 - discount}}", "such as 0.1 for 10%, and multiply with it."],
  ])("a percentage as text is a number of which 1 is 100%%: %s", async (text, hint) => {
    const message = await told(text);
    expect(message).toContain("'discount' is a percentage: give it as a number,");
    expect(message).toContain(hint);
  });

  test.each([
    ["group(owner)", "write group(owner.name) or group(owner.id)."],
    ["distinct(owner)", "write distinct(owner.name) or distinct(owner.id)."],
    ["sort(owner desc)", "write sort(owner.name desc) or sort(owner.id desc)."],
  ])("an object as a key has keys itself: %s", async (call, hint) => {
    const message = await told(`{{for g in items.${call}}}x{{endfor}}`);
    expect(message).toContain("but got an object");
    expect(message).toContain(`'owner' is an object with the keys id, name: ${hint}`);
  });

  test("items that are objects have no order", async () => {
    const message = await told("{{for i in customers.sort()}}x{{endfor}}");
    expect(message).toContain("The items are objects with the keys id, name: write sort(name) or");
  });

  test.each(["outer", "item"])("%s is the item of a loop by its own name", async (name) => {
    const text = `{{for l in lines}}{{products.first(sku == ${name}.sku).price}}{{endfor}}`;
    expect(await told(text)).toContain("For the item of the loop write l.sku.");
    expect(await printed(text.replace(`${name}.sku`, "l.sku"), DATA)).toBe("5");
  });

  test("a list with the values of columns is read by the position of the column", async () => {
    const text = "{{for m in months}}{{row.v[m]}} {{endfor}}";
    expect(await told(text)).toContain("write {{row.v[m.$index]}}.");
    expect(await printed(text.replace("[m]", "[m.$index]"), DATA)).toBe("1 2 ");
  });

  test.each([
    [
      "{{for m in keys}}{{sales[m.key]}}{{endfor}}",
      ["/sales/feb", "/sales/mar"],
      "'sales' has no such key.",
    ],
    [
      "{{for m in keys}}{{keys[$index - 1].key}}{{endfor}}",
      ["/keys"],
      "The first item has no item before it",
    ],
    [
      "{{for m in keys}}{{keys[$index + 1].key}}{{endfor}}",
      ["/keys/3"],
      "The last item has no item after it",
    ],
    [
      "{{for m in keys}}{{sizes[$index].name}}{{endfor}}",
      ["/sizes/1", "/sizes/2"],
      "'sizes' has no item at this position.",
    ],
    [
      "{{for m in keys}}{{sizes.first(id == m.id).name}}{{endfor}}",
      ["/keys/1/id", "/keys/2/id"],
      "'sizes' has no item with id == m.id.",
    ],
    ["{{sizes.last(id == 4).name}}", ["/sizes"], "'sizes' has no item with id == 4."],
    ["{{none.first().name}}", ["/none"], "'none' has no items."],
  ])("a value that is not found has a place: %s", async (text, places, hint) => {
    const { warnings } = await outcome(p(text), FOUND);
    const found = warnings.filter(({ code }) => code === "missing_value");
    expect(found.map(({ pointer, pointers }) => pointers ?? [pointer])).toEqual([places]);
    expect(found[0]?.hint).toContain(hint);
  });

  test.each([
    ["$first", "$index - 1", "janfeb"],
    ["$last", "$index + 1", "febmar"],
  ])("the neighbor of an item is printed except for %s", async (end, index, result) => {
    const tag = `$if(${end}, "", keys[${index}].key)`;
    const loop = (inner: string) => `{{for m in keys}}{{${inner}}}{{endfor}}`;
    const { warnings } = await outcome(p(loop(`keys[${index}].key`)), FOUND);
    expect(warnings.map(({ hint }) => hint).join()).toContain(`write ${tag}.`);
    expect(await printed(loop(tag), FOUND)).toBe(result);
  });

  test("a key of an item leads to the name for it", async () => {
    const data = { ...DATA, sub: [{ s: "open" }] };
    const loop = "{{for x in sub}}{{labels.s}}{{endfor}}";
    const { warnings } = await outcome(p(loop), data, OPTIONS);
    expect(warnings.find(({ code }) => code === "missing_value")?.hint).toContain("labels[x.s]");
    expect(await printed(loop.replace(".s}", "[x.s]}"), data)).toBe("Offen");
  });

  test("an invalid color in the data leads to colors", async () => {
    expect(await told("{{total :: color(status)}}")).toContain(
      "The value of 'status' is not a color: put a name such as red, or #C00000, into the data in its place.",
    );
  });

  test.each(["{{v :: color(w)}}", "{{day.addDays(w)}}", "{{w * 2}}", '{{w.toNumber(".")}}'])(
    "%s shows no text of the data",
    async (tag) => {
      const { warnings } = await outcome(p(tag), { v: 1, day: "2026-12-31", w: "30 Ann Lee" });
      expect(warnings).not.toEqual([]);
      expect(JSON.stringify(warnings)).not.toContain("Ann");
    },
  );

  test.each([
    ["ean13", "4006381333932", 12],
    ["ean8", "96385075", 7],
    ["upca", "036000291453", 11],
    ["itf14", "15400141288764", 13],
    ["upce", "01234566", 7],
  ])("the first digits of a number are a barcode of the kind %s", async (kind, value, count) => {
    const data = { value, first: value.slice(0, count) };
    const { warnings } = await outcome(p(`{{value :: barcode("${kind}")}}`), data);
    expect(warnings[0]?.message).toContain(`give its first ${count} digits`);
    const { error } = await outcome(p(`{{first :: barcode("${kind}")}}`), data);
    expect(error).toBeNull();
  });

  test("a barcode of a fixed length says how many digits it takes", async () => {
    expect(await told('{{ean :: barcode("ean13")}}')).toContain(
      'this kind takes 12 or 13 digits; for other numbers write barcode("code128")',
    );
  });
});
