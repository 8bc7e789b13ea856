/** Templates that print a wrong value without an error get a warning that leads to the fix. */
import { describe, expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { outcome } from "../support/language.ts";

/** Returns the codes, messages and hints of a template with this text, without those about unused data. */
async function complaints(text: string, data: object): Promise<string[]> {
  const { warnings } = await outcome(p(text), data as Record<string, unknown>);
  const others = warnings.filter(({ code }) => code !== "unused_value");
  return others.map(({ code, message, hint }) => `${code}: ${message} ${hint ?? ""}`);
}

describe("a computation with a missing part that the tag allows", () => {
  const data = { total: 100, rate: null, items: [{ n: 2 }] };

  test.each([
    ["{{total - discount :: optional}}", "left out", "write (discount ?? 0) in place of discount"],
    ["{{total + rate :: optional}}", "left out", "write (rate ?? 0)"],
    ["{{items.sum(n) - discount :: optional}}", "left out", "write (discount ?? 0)"],
    ["{{total - discount :: default(0)}}", "replaced by its default", "write (discount ?? 0)"],
    ["{{discount + total :: default(0)}}", "replaced by its default", "write (discount ?? 0)"],
    ["{{total * factor :: default(1)}}", "replaced by its default", "write (factor ?? 1)"],
  ])("%s is reported", async (text, message, hint) => {
    const [problem = "", ...others] = await complaints(text, data);
    expect(problem).toMatch(/^skipped_value: '\w+' is missing, so the whole result of the tag/);
    expect(problem).toContain(message);
    expect(problem).toContain(hint);
    expect(others).toEqual([]);
  });

  test.each([
    "{{total * rate :: optional}}",
    "{{total * rate :: default(0)}}",
    '{{total - discount :: default("-")}}',
    "{{a - b :: optional}}",
    "{{1 + gone :: optional}}",
    "{{gone - total :: optional}}",
    "{{total - (discount ?? 0) :: optional}}",
  ])("%s is not reported", async (text) => {
    expect(await complaints(text, data)).toEqual([]);
  });
});

describe("an alternative for a value that is empty, not missing", () => {
  const data = { nickname: "", name: "Ann", list: [], blank: "" };

  test.each([
    ["Dear {{nickname ?? name}}", "{{$if(nickname, nickname, name)}}"],
    ['{{nickname ?? name ?? "you"}}', '{{$if(nickname, nickname, name ?? "you")}}'],
    ["{{nickname :: default(name)}}", "{{$if(nickname, nickname, name)}}"],
    ['{{nickname ?? "you"}}', '{{$if(nickname, nickname, "you")}}'],
    ['{{nickname :: default("you")}}', '{{$if(nickname, nickname, "you")}}'],
    ['{{list :: default("none")}}', '{{$if(list, list, "none")}}'],
    ['{{list ?? "none"}}', '{{$if(list, list, "none")}}'],
    [
      '{{list.map(name).join(", ") ?? "none"}}',
      '{{$if(list.map(name).join(", "), list.map(name).join(", "), "none")}}',
    ],
    ['{{list.join(", ") :: default("none")}}', '{{$if(list.join(", "), list.join(", "), "none")}}'],
  ])("%s is reported", async (text, hint) => {
    const problems = await complaints(text, data);
    expect(problems).toEqual([expect.stringMatching(/^empty_text: .+ is not missing, so /)]);
    expect(problems[0]).toContain(hint);
    const mended = `${/\{\{.+\}\}/.exec(hint)?.[0]}`;
    expect(await complaints(mended, data)).toEqual([]);
  });

  test.each([
    '{{nickname ?? ""}}',
    "{{nickname ?? blank}}",
    "{{nickname ?? gone}}",
    "{{list ?? []}}",
    "{{list :: checkbox, default(1)}}",
    '{{nickname :: default("")}}',
    "{{nickname ?? name :: optional}}",
    "{{(list ?? []).count()}}",
  ])("%s is not reported", async (text) => {
    expect(await complaints(text, data)).toEqual([]);
  });
});

describe("sorting keys that are read as text", () => {
  const sorted = (...keys: readonly string[]): Promise<string[]> =>
    complaints("{{list.sort(k desc).map(k)}}", { list: keys.map((k) => ({ k })) });

  test.each([
    [["900,00", "1.200,50", "85,10"], "orders numbers by their digits", 'toNumber(",")'],
    [["€ 900.00", "€ 1,200.50"], "orders numbers by their digits", "1234.5"],
    [["2026-03-01", "7 Feb 2026", "2026-01-05"], "orders dates as text", "2026-11-20"],
    [["01.03.2026", "March 5, 2026"], "orders dates as text", "2026-11-20"],
  ])("%j is reported", async (keys, message, hint) => {
    const problems = await sorted(...keys);
    expect(problems).toEqual([expect.stringMatching(/^doubtful_comparison: /)]);
    expect(problems[0]).toContain(message);
    expect(problems[0]).toContain(hint);
  });

  test.each([
    [["9,5", "10,5", "11,2"]],
    [["€ 5", "€ 10"]],
    [["Room 2026", "Room 2025"]],
    [["2026-03-01", "2026-03", "2026"]],
    [["2026-03-01", "open", "on request"]],
    [["2026-01-05-A1", "2026-01-05-A2", "2026-01-05"]],
    [["Zoe", "Ann"]],
  ])("%j is not reported", async (keys) => {
    expect(await sorted(...keys)).toEqual([]);
  });

  test("the warning leads to the key that is not read", async () => {
    const list = ["2026-03-01", "7 Feb 2026"].map((k) => ({ k }));
    const { warnings } = await outcome(p("{{list.sort(k).map(k)}}"), { list });
    expect(warnings.map(({ pointer }) => pointer)).toEqual(["/list/1"]);
  });

  test("the hint for a number with a comma reads it with its comma", async () => {
    const list = ["900,00", "1.200,50"].map((price) => ({ price }));
    const [problem = ""] = await complaints("{{list.where(price > 100).count()}}", { list });
    expect(problem).toContain('price.toNumber(",")');
  });
});

describe("text that the value has with other uppercase or lowercase letters", () => {
  const data = { items: [{ name: "Pen" }, { name: "Ink GmbH" }], firm: "Ink GmbH" };

  test.each([
    '{{items.where(name contains "pen").map(name)}}',
    '{{for i in items.where(name contains "gmbh")}}{{i.name}}{{endfor}}',
    '{{items.count(name.startsWith("pen"))}}',
    '{{items.first(name.endsWith("gmbh")).name ?? "none"}}',
    '{{if firm.endsWith("gmbh")}}x{{endif}}',
    '{{if firm.startsWith("i")}}x{{endif}}',
    '{{if firm contains "INK"}}x{{endif}}',
  ])("%s is reported", async (text) => {
    const problems = await complaints(text, data);
    expect(problems).toEqual([expect.stringMatching(/^doubtful_comparison: .+ letters/)]);
    expect(problems[0]).toContain(".lowercase()");
  });

  test.each([
    '{{items.count(name.startsWith("Pen"))}}',
    '{{items.count(name.startsWith("Cap"))}}',
    '{{if firm.endsWith("AG")}}x{{endif}}',
    '{{if firm.endsWith("h")}}x{{endif}}',
  ])("%s is not reported", async (text) => {
    expect(await complaints(text, data)).toEqual([]);
  });
});

describe("a condition for text that is empty", () => {
  test.each([
    "{{if discount isPresent}}Your discount: {{discount}}{{endif}}",
    "{{if discount isPresent and total > 1}}{{discount}} off{{endif}}",
  ])("%s is reported", async (text) => {
    expect(await complaints(text, { discount: "", total: 2 })).toEqual([
      expect.stringMatching(/^empty_text: .+ write discount without 'isPresent'/),
    ]);
  });

  test.each([
    "{{if discount isPresent}}x{{endif}}",
    "{{if discount isPresent or total isPresent}}Now {{discount}} {{total}}{{endif}}",
    "{{if discount isPresent}} {{discount}}{{endif}} off",
    "{{if discount}}Your discount: {{discount}}{{endif}}",
    "{{if not (discount isPresent)}}none{{else}}Your discount: {{total}}{{endif}}",
  ])("%s is not reported", async (text) => {
    expect(await complaints(text, { discount: "", total: 2 })).toEqual([]);
  });

  test("text is not reported", async () => {
    const text = "{{if discount isPresent}}Your discount: {{discount}}{{endif}}";
    expect(await complaints(text, { discount: "5%" })).toEqual([]);
  });
});

describe("a time zone for a time without one", () => {
  const text = '{{at :: format("HH:mm"), timeZone("Asia/Tokyo")}}';

  test("is reported", async () => {
    expect(await complaints(text, { at: "2026-11-20T15:30:00" })).toEqual([
      expect.stringMatching(/^modifier_without_effect: .+ write a Z at its end/),
    ]);
  });

  test("is not reported for a time with an offset, or a date", async () => {
    expect(await complaints(text, { at: "2026-11-20T15:30:00Z" })).toEqual([]);
    const date = text.replace("HH:mm", "d.M.yyyy");
    expect(await complaints(date, { at: "2026-11-20" })).toEqual([]);
  });
});

describe("Markdown in a tag for HTML", () => {
  test.each(["This is **important**", "# Title", "- one\n- two"])(
    "%j is reported",
    async (text) => {
      expect(await complaints("{{text :: html}}", { text })).toEqual([
        expect.stringMatching(/^lost_markdown: .+ write :: markdown/),
      ]);
    },
  );

  test.each(["2 ** 3 ** 4", "<b>This</b> is **bold**", "- one", "#1 of 2"])(
    "%j is not reported",
    async (text) => {
      expect(await complaints("{{text :: html}}", { text })).toEqual([]);
    },
  );
});

describe("a number that is counted", () => {
  const inv = (...numbers: readonly unknown[]): object => ({
    items: numbers.map((qty) => ({ qty, discount: qty })),
  });

  test("is reported if it is an amount that all items have", async () => {
    expect(await complaints("{{items.count(qty)}}", inv(2, 10))).toEqual([
      expect.stringMatching(/^same_for_all_items: .+ write items\.sum\(qty\)\.$/),
    ]);
  });

  test("is not reported otherwise", async () => {
    expect(await complaints("{{items.count(qty)}}", inv(2, 0))).toEqual([]);
    expect(await complaints("{{items.count(discount)}}", inv(2, 10))).toEqual([]);
    expect(await complaints("{{items.count(qty)}}", inv(true, true))).toEqual([]);
    expect(await complaints("{{items.count(qty > 0)}}", inv(2, 10))).toEqual([]);
  });
});

describe("the item of a loop over a list of lists, looked for with 'contains'", () => {
  const years = [
    { year: 2025, quarters: ["Q3", "Q4"] },
    { year: 2026, quarters: ["Q3"] },
  ];
  const text = "{{for q in years.quarters}}{{years.first(quarters contains q).year}} {{endfor}}";

  test("is reported if several lists contain an equal text", async () => {
    expect(await complaints(text, { years })).toEqual([
      expect.stringMatching(
        /^doubtful_comparison: .+ several items whose 'quarters' contains 'Q3'.+ years\.map\(quarters\.map\(outer\.name\)\)\[\$index\]/,
      ),
    ]);
    const meant = text.replace(
      "first(quarters contains q).year",
      "map(quarters.map(outer.year))[$index]",
    );
    expect(await complaints(meant, { years })).toEqual([]);
    const { lines } = await outcome(p(meant), { years });
    expect(lines).toEqual(["2025 2025 2026 "]);
  });

  test("is not reported if only one list contains it, or if it comes from elsewhere", async () => {
    expect(await complaints(text, { years: years.slice(0, 1) })).toEqual([]);
    const objects = years.map((year) => ({ ...year, quarters: [{ n: 1 }] }));
    expect(await complaints(text, { years: objects })).toEqual([]);
    const other = text.replace("for q in years.quarters", "for q in names");
    expect(await complaints(other, { years, names: ["Q3"] })).toEqual([]);
  });
});

describe("a misspelt name that only conditions test", () => {
  const loop = "{{for i in items}}{{i.n}}{{endfor}}";

  test.each(["{{if itms.count() > 0}}a{{else}}b{{endif}}", "{{if itms}}a{{endif}}"])(
    "%s is reported",
    async (text) => {
      const problems = await complaints(`${text}${loop}`, { items: [{ n: 1 }] });
      expect(problems).toEqual([
        expect.stringMatching(/^missing_in_condition: .+ Did you mean 'items'\?$/),
      ]);
    },
  );

  test.each(["{{if item}}a{{endif}}", "{{if form}}a{{endif}}", "{{if men}}a{{endif}}"])(
    "%s is not reported",
    async (text) => {
      const data = { items: [{ n: 1 }], forms: 1, firm: 2, menu: 3, foam: 4 };
      expect(await complaints(`${text}${loop}`, data)).toEqual([]);
    },
  );
});

test("a minus sign in a pattern for numbers is printed as it is", async () => {
  const { lines } = await outcome(p('{{v :: number("+0;−0;0")}} {{v :: number("+0;–0;0")}}'), {
    v: -5,
  });
  expect(lines).toEqual(["−5 -5"]);
});
