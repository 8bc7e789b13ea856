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
    // Names in the parentheses of functions.
    ["{{outer.id}}", "Outside of functions write id", null],
    ["{{customers.first(id == outer.id).name}}", "put the tag into 'for x in [id]'", null],
  ])("%s", async (text, meant, result) => {
    expect(await told(text)).toContain(meant);
    if (result !== null) expect(await printed(`{{${meant}}}`, DATA, OPTIONS)).toBe(result);
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

  test("a key of an item leads to the name for it", async () => {
    const data = { ...DATA, sub: [{ s: "open" }] };
    const loop = "{{for x in sub}}{{labels.s}}{{endfor}}";
    const { warnings } = await outcome(p(loop), data, OPTIONS);
    expect(warnings.find(({ code }) => code === "missing_value")?.hint).toContain("labels[x.s]");
    expect(await printed(loop.replace(".s}", "[x.s]}"), data)).toBe("Offen");
  });

  test("an invalid color in the data leads to a condition", async () => {
    expect(await told("{{total :: color(status)}}")).toContain(
      'To choose a color by a condition, write color("red"), when(status == "open").',
    );
  });

  test("a barcode of a fixed length says how many digits it takes", async () => {
    expect(await told('{{ean :: barcode("ean13")}}')).toContain(
      'this kind takes 12 or 13 digits; for other numbers write barcode("code128")',
    );
  });
});
