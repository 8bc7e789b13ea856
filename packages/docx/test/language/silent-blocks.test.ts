/** Blocks and orders that print a wrong document without an error get a warning that leads to the fix. */
import { describe, expect, test } from "vitest";
import { p, table } from "../../../ooxml/test/support/docx.ts";
import { outcome } from "../support/language.ts";

const DATA = {
  total: 8000,
  paid: 30,
  at: "2026-11-20T09:05:00",
  items: [
    { name: "Pen", price: 3, parts: [{ name: "cap" }] },
    { name: "Ink", price: 12, parts: [] },
  ],
  orders: [
    { no: 1, lines: [{ price: 10 }, { price: 20 }] },
    { no: 2, lines: [{ price: 5 }] },
  ],
};

/** Returns the codes, messages and hints of a template with this body, without those about unused data. */
async function complaints(body: string): Promise<string[]> {
  const { warnings } = await outcome(body, DATA);
  const others = warnings.filter(({ code }) => code !== "unused_value");
  return others.map(({ code, message, hint }) => `${code}: ${message} ${hint ?? ""}`);
}

function paragraphs(text: string): string {
  return text
    .split("\n")
    .map((line) => p(line))
    .join("");
}

describe("a branch that is never reached", () => {
  test.each([
    ["{{if total > 1000}}a{{elseif total > 5000}}b{{endif}}", "larger number first"],
    ["{{if total >= 1000}}a{{elseif total > 1000}}b{{endif}}", "larger number first"],
    ["{{if total < 50}}a{{elseif total <= 10}}b{{else}}c{{endif}}", "smaller number first"],
    ["{{if 10 < total}}a{{elseif total > 20}}b{{endif}}", "larger number first"],
    ["{{if paid == 1}}a{{elseif paid == 2}}b{{elseif paid == 1}}c{{endif}}", "Leave it out"],
    ["{{if paid}}a{{elseif paid}}b{{endif}}", "Leave it out"],
  ])("%s is reported", async (text, hint) => {
    const problems = await complaints(p(text));
    expect(problems).toEqual([
      expect.stringMatching(/^doubtful_order: \{\{elseif .+ is never reached/),
    ]);
    expect(problems[0]).toContain(hint);
  });

  test.each([
    "{{if total > 5000}}a{{elseif total > 1000}}b{{endif}}",
    "{{if total > 1000}}a{{elseif total >= 1000}}b{{endif}}",
    "{{if total > 1000}}a{{elseif total < 5000}}b{{endif}}",
    "{{if total > 1000}}a{{elseif paid > 5000}}b{{endif}}",
    "{{if total > 1000}}a{{if total > 5000}}b{{endif}}{{endif}}",
    "{{if total > 10 and paid}}a{{elseif total > 50}}b{{endif}}",
  ])("%s is not reported", async (text) => {
    expect(await complaints(p(text))).toEqual([]);
  });
});

describe("a function on a list within all items, in the loop over them", () => {
  test("is reported", async () => {
    const text = "{{for o in orders}}\n{{o.no}}: {{orders.lines.sum(price)}}\n{{endfor}}";
    expect(await complaints(paragraphs(text))).toEqual([
      expect.stringMatching(/^list_in_loop: 'orders\.lines' in .+ Did you mean 'o\.lines'\?$/),
    ]);
  });

  test.each([
    "{{for o in orders}}{{o.lines.sum(price)}} of {{orders.lines.sum(price)}}{{endfor}}",
    "{{for o in orders}}{{orders.lines.where(price > o.no).sum(price)}}{{endfor}}",
    "{{for o in orders}}{{o.no}} of {{orders.count()}}{{endfor}}",
    "{{for o in orders}}{{o.no}}{{if $last}} {{orders.lines.sum(price)}}{{endif}}{{endfor}}",
    '{{for o in orders}}{{o.no}} {{$if($last, orders.lines.sum(price), "")}}{{endfor}}',
    "{{for o in orders}}{{o.lines.sum(price) / orders.lines.sum(price) :: percent(1)}}{{endfor}}",
  ])("%s is not reported", async (text) => {
    expect(await complaints(p(text))).toEqual([]);
  });
});

describe("a row of totals in a tablerow", () => {
  const rows = (...texts: readonly (readonly string[])[]): Promise<string[]> =>
    complaints(table(...texts.map((cells) => cells.map((cell) => p(cell)))));

  test("is reported", async () => {
    const last = ["Total", "{{items.sum(price)}}{{endtablerow}}"];
    const problems = await rows(["{{tablerow i in items}}{{i.name}}", "{{i.price}}"], last);
    expect(problems).toEqual([
      expect.stringMatching(/^list_in_loop: The row with .+ uses nothing/),
    ]);
    expect(problems[0]).toContain("put {{endtablerow}} into the row before it");
  });

  test.each([
    ["Share", "{{i.price / items.sum(price)}}{{endtablerow}}"],
    ["{{i.name}}", "{{items.sum(price)}}{{endtablerow}}"],
    ["Item {{$number}} of {{items.count()}}", "{{endtablerow}}"],
    ["Item", "{{$number / items.count()}}{{endtablerow}}"],
    ["", "{{endtablerow}}"],
  ])("is not reported with %s | %s", async (...last) => {
    expect(await rows(["{{tablerow i in items}}{{i.name}}", "{{i.price}}"], last)).toEqual([]);
  });
});

describe("an inner loop with the name of the outer one", () => {
  const loops = (inside: string): string =>
    paragraphs(
      `{{for i in items}}\n{{i.name}}\n{{for i in i.parts}}\n${inside}\n{{endfor}}\n{{endfor}}`,
    );

  test("is reported if it prints the same value twice", async () => {
    expect(await complaints(loops("{{i.name}} of {{i.name}}"))).toEqual([
      expect.stringMatching(/^hidden_key: .+ as in \{\{for p in i\.parts\}\}\.$/),
    ]);
  });

  test("is not reported otherwise", async () => {
    expect(await complaints(loops("{{i.name}}"))).toEqual([]);
    expect(await complaints(loops("{{i.name}}\n{{i.name}}"))).toEqual([]);
  });
});

test.each([
  ["{{for i in items.limit(1).sort(price desc)}}{{i.name}}{{endfor}}", "doubtful_order"],
  ["{{items.limit(1).sort(price).map(name)}}", "doubtful_order"],
  ["{{items.where(price > 1).limit(3).sort(price desc).map(name)}}", "doubtful_order"],
  ["{{at.hour()}}:{{at.minute()}}", 'doubtful_sign: .+format\\("HH:mm"\\)'],
  ["{{(total - paid) * 100 / total :: percent(0)}}", "doubtful_sign: .+Leave out"],
  ["{{100 * paid / total :: percent}}", "doubtful_sign: .+Leave out"],
  ["{{paid / total * 100 :: percent}}", "doubtful_sign: .+Leave out"],
])("%s is reported", async (text, found) => {
  expect(await complaints(p(text))).toEqual([expect.stringMatching(new RegExp(`^${found}`))]);
});

test.each([
  "{{for i in items.sort(price desc).limit(1)}}{{i.name}}{{endfor}}",
  "{{items.sort(price desc).limit(3).sort(name desc).map(name)}}",
  "{{items.limit(3).sort(name).map(name)}}",
  "{{items.skip(1).sort(price desc).map(name)}}",
  "{{at.hour()}} h {{at.minute()}} min",
  '{{at.hour()}}:{{at.minute() :: number("00")}}',
  "{{total / 100 :: percent}}",
  "{{(total * 100 - paid) / total :: percent}}",
  "{{paid * 100 / 100 / total :: percent}}",
  "{{paid / (total * 100) :: percent}}",
])("%s is not reported", async (text) => {
  expect(await complaints(p(text))).toEqual([]);
});

describe("tags of BI Publisher", () => {
  test.each([
    ["<?for-each:items?>", "{{for item in items}}"],
    ["<?name?>", "{{name}}"],
    ["<?end for-each?>", "{{endfor}}"],
    ["<?if:total>1000?>", "{{if total > 1000}}"],
    ["<?end if?>", "{{endif}}"],
    ["<?format-number:total;'999'?>", "A tag begins with {{"],
    ["<?format-number:total;'#,##0.00'?>", "Write {{total :: number('#,##0.00')}}."],
  ])("%s is reported in a template with tags", async (text, hint) => {
    const problems = await complaints(p(`{{total}} ${text}`));
    expect(problems).toEqual([expect.stringMatching(/^looks_like_tag: /)]);
    expect(problems[0]).toContain(hint);
  });

  test("are reported in a template without tags, with the program", async () => {
    const problems = await complaints(p("<?for-each:items?><?name?>"));
    expect(problems).toEqual([
      expect.stringMatching(/^looks_like_tag: .+Oracle BI Publisher.+1 other/),
    ]);
  });

  test.each(["<?xml version='1.0'?>", "<?php echo 1; ?>", "What <?> is it?>"])(
    "%s is not reported",
    async (text) => {
      expect(await complaints(p(`{{total}} ${text}`))).toEqual([]);
    },
  );
});
