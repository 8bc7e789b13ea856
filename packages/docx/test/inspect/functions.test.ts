import { describe, expect, test } from "vitest";
import { docx, p, table } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../src/index.ts";

describe("the sample of a template with functions renders without a warning", () => {
  test.each([
    "{{items.where(paid == false).sum(qty * price)}}",
    "{{for g in invoices.group(customer.name).sort(key)}}{{g.key}}{{for i in g.items.sort(date desc)}}{{i.no}}{{endfor}}{{endfor}}",
    "{{#items.sort(price)}}{{name}}{{/}}",
    '{{names.nonEmpty().join(", ", " and ")}}',
    "{{cities.distinct().join()}}",
    "{{for e in prices.entries().sort(value desc)}}{{e.key}}: {{e.value * 2}}{{endfor}}",
    "{{#people.entries()}}{{key}} {{value.name}}{{/}}",
    "{{total :: currency(invoice.currency)}}",
    "{{total :: number(pattern)}}",
    "{{total :: locale(language), number(2)}}",
    "{{due :: format(pattern)}}",
    "{{text :: color(c), bold(total > 3)}}",
    "{{for r in rows}}{{for m in months}}{{r.sales[m.key]}}{{endfor}}{{endfor}}",
    "{{for r in rows}}{{for m in months}}{{r.sales[$index]}}{{endfor}}{{endfor}}",
    '{{due.addDays(30) :: format("long")}}',
    "{{start.daysUntil(end)}}",
    "{{a ?? b}}",
    '{{$if(total > 100, "large", small)}}',
    "{{for i in $if(detailed, items, totals)}}{{i.name}} {{i.price * 2}}{{endfor}}",
    "{{for n in $range(total)}}{{n}}{{endfor}}{{for n in from.range(to)}}{{n * 2}}{{endfor}}",
    "{{for n in copies.range()}}{{for i in items}}{{i.price * n}}{{endfor}}{{endfor}}",
    '{{for c in ["red", color]}}{{c}}{{endfor}}{{#$range(2)}}{{name}}{{/}}',
    "{{for c in [buyer, seller]}}{{c.name}}{{endfor}}",
    "{{for i in items ?? others}}{{i.price * 2}}{{for j in i.parts}}{{j.n}}{{endfor}}{{endfor}}",
    "{{for i in $if(c, $if(d, a, b), e)}}{{i.price * 2}}{{endfor}}{{for i in b}}{{i.n}}{{endfor}}",
    "{{for i in items}}{{$running(i.amount)}}{{endfor}}",
    '{{if status in ["open", "late"]}}{{x}}{{endif}}',
    '{{name.uppercase()}} {{iban.replace(" ", "")}} {{$concat(first, last)}}',
    "{{items.first(paid).name}}",
    '{{article :: barcode("ean13", "text")}}{{no :: barcode(kind, caption)}}',
    "{{code.substring(start, length)}} {{name.substring(-count)}} {{no.padStart(width, fill)}}",
    "{{orders.sum(lines.sum(q * p))}}",
  ])("%s", async (text) => {
    const template = await compileTemplate(docx({ body: p(text) }));
    const sample = template.sample();
    const { warnings } = template.render(sample, { now: "2026-11-20" });
    // The loops of some of these templates print words without separators.
    const others = warnings.filter(({ code }) => code !== "joined_in_paragraph");
    expect(others, JSON.stringify(sample)).toEqual([]);
  });

  test("also of a table with looks and columns", async () => {
    const body = table([
      p('{{tablerow i in items.where(total > 0)}}{{row :: fill("red"), when(i.late)}}{{i.no}}'),
      p("{{tablecolumn if prices}}{{i.total}}{{endtablecolumn}}"),
      p("{{cell :: fill(i.color)}}{{i.x}}{{endtablerow}}"),
    ]);
    const template = await compileTemplate(docx({ body }));
    const sample = template.sample();
    expect(template.render(sample).warnings, JSON.stringify(sample)).toEqual([]);
  });
});

test("the schema of lists that a condition chooses is the one of the items of both", async () => {
  const body = p(
    "{{for i in $if(detailed, items, totals)}}{{i.name}}{{#i.parts}}{{part}}{{/}}{{endfor}}{{for i in items}}{{i.own}}{{endfor}}",
  );
  const schema = (await compileTemplate(docx({ body }))).schema();
  const item = (...keys: readonly string[]): unknown => {
    const properties = Object.fromEntries(keys.map((key) => [key, expect.anything()]));
    return expect.objectContaining({ properties });
  };
  expect(schema.properties).toEqual({
    detailed: expect.anything(),
    items: expect.objectContaining({ type: "array", items: item("name", "parts", "own") }),
    totals: expect.objectContaining({ items: item("name", "parts") }),
  });
});

test("lists that conditions choose from each other have a schema, however deep they are", async () => {
  const loops = Array.from(
    { length: 60 },
    (_, at) => `{{for x${at + 1} in $if(c, ${at === 0 ? "a, b" : `x${at}.p, a`})}}`,
  );
  const text = `${loops.join("")}{{x60.n}}${"{{endfor}}".repeat(60)}`;
  const template = await compileTemplate(docx({ body: p(text) }));
  expect(Object.keys(template.schema().properties ?? {})).toEqual(["c", "a", "b"]);
  expect(Object.keys(template.sample())).toEqual(["c", "a", "b"]);
  expect(template.tags.length).toBe(61);
});

test("the schema of a filtered and grouped list is the one of its items", async () => {
  const body = p(
    "{{for g in items.where(paid == false).group(city)}}{{g.key}}{{g.items.sum(price)}}{{endfor}}",
  );
  const schema = JSON.stringify((await compileTemplate(docx({ body }))).schema());
  for (const key of ["items", "paid", "city", "price"]) expect(schema).toContain(`"${key}"`);
  expect(schema).not.toContain('"key"');
});
