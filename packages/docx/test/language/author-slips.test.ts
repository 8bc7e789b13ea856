import { describe, expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { hintsIn, printed } from "../support/language.ts";

const DATA = {
  a: { deposit: 5, guarantor: null, inventory: ["bed", "table"], status: "open" },
  x: true,
  n: 7,
  entries: [{ break: 1 }, { break: 2 }, { start: "08:00" }],
};

/** Returns the hints for the mistakes of a tag, each after its code. */
function hintsFor(tag: string): Promise<string[]> {
  return hintsIn(p(tag), DATA);
}

describe("count() directly after a list in brackets", () => {
  test("is doubtful, because it counts the values in the brackets", async () => {
    expect(await hintsFor("{{[true, a.deposit, a.guarantor].count()}}")).toEqual([
      "doubtful_count: To count only those that are filled or true, write [true, a.deposit, a.guarantor].count(this). To count the elements of lists, write [true, a.deposit, a.guarantor].map(this).count().",
    ]);
  });

  test("is doubtful in the condition of a block, too", async () => {
    expect(await hintsFor("{{if [x, (n > 5)].count() > 1}}yes{{endif}}")).toEqual([
      expect.stringContaining("write [x, (n > 5)].count(this)."),
    ]);
  });

  test.each([
    ["{{[true, a.deposit, a.guarantor].count(this)}}", "2"],
    ["{{[a.inventory, x].map(this).count()}}", "3"],
    ["{{[a.deposit, a.guarantor].nonEmpty().count()}}", "1"],
    ["{{[].count()}}", "0"],
    ["{{a.inventory.count()}}", "2"],
  ])("is not doubtful in %s", async (tag, text) => {
    expect(await hintsFor(tag)).toEqual([]);
    expect(await printed(tag, DATA)).toBe(text);
  });
});

describe("the hint for an item without the key 'break'", () => {
  test("asks for a value in its place if other items have the key", async () => {
    expect(await hintsFor("{{entries.sum(break)}}")).toEqual([
      "invalid_value: Give each item the value, or write what counts in its place, as in (break ?? 0).",
    ]);
  });

  test("is about loops if no item has the key", async () => {
    expect(await hintsFor("{{entries.sum(continue)}}")).toEqual([
      expect.stringContaining("A loop has no 'break'."),
    ]);
  });
});

describe("the value for the other case of $if", () => {
  test.each([
    ['{{[2, $if(x, 3), 4].nonEmpty().join(", ")}}', '""'],
    ['{{[2, $if(x, 3), 4].join(", ")}}', '""'],
    ["{{[2, $if(x, 3), 4].sum()}}", "0"],
  ])("in %s is %s", async (tag, other) => {
    expect(await hintsFor(tag)).toEqual([
      `tag_syntax: Write $if(x, 3, ${other}), with the value for the other case.`,
    ]);
  });
});

describe("a condition without parentheses in a list in brackets", () => {
  test.each([
    [
      "{{[true, a.deposit isPresent, a.guarantor isPresent].count(this)}}",
      "{{[true, (a.deposit isPresent), (a.guarantor isPresent)].count(this)}}",
      "2",
    ],
    ["{{[true, a.deposit > 0].count(this)}}", "{{[true, (a.deposit > 0)].count(this)}}", "2"],
    ["{{[true, a.deposit = 5].count(this)}}", "{{[true, (a.deposit == 5)].count(this)}}", "2"],
    [
      '{{[a.status == "a, b", x and n].count(this)}}',
      '{{[(a.status == "a, b"), (x and n)].count(this)}}',
      "1",
    ],
    ["{{[not x, n].count(this)}}", "{{[(not x), n].count(this)}}", "1"],
    [
      '{{[a.status in ["open", "late"], x].count(this)}}',
      '{{[(a.status in ["open", "late"]), x].count(this)}}',
      "2",
    ],
    ["{{if [x, n > 5].count(this) > 1}}3{{endif}}", "{{if [x, (n > 5)].count(this) > 1}}", null],
  ])("in %s has the hint with the parentheses", async (tag, meant, text) => {
    expect(await hintsFor(tag)).toEqual([expect.stringContaining(`tag_syntax: Write ${meant}.`)]);
    if (text !== null) expect(await printed(meant, DATA)).toBe(text);
  });

  test("is named by the hint", async () => {
    expect(await hintsFor("{{[x, n > 5].count(this)}}")).toEqual([
      "tag_syntax: Write {{[x, (n > 5)].count(this)}}. A condition in brackets is in parentheses.",
    ]);
  });

  test.each(["> 0", "isPresent", "and x"])("has a hint in a long tag, too: %s", async (test) => {
    const values = Array.from({ length: 20 }, () => "a.deposit").join(", ");
    expect(await hintsFor(`{{[${values}, n ${test}].count(this)}}`)).toEqual([
      "tag_syntax: Put each condition in the brackets into parentheses, as in [true, (total > 0)].",
    ]);
  });

  test("leaves an unclosed bracket and other words as they are", async () => {
    expect(await hintsFor("{{[x, n unit].count(this)}}")).toEqual([
      expect.not.stringContaining("parentheses"),
    ]);
  });
});

describe("'or' in a list in brackets", () => {
  test.each([
    [
      '{{[a.guarantor or "–", a.status].join(", ")}}',
      '{{[a.guarantor ?? "–", a.status].join(", ")}}',
    ],
    ['{{[a.guarantor or a.status, n].join(", ")}}', '{{[a.guarantor ?? a.status, n].join(", ")}}'],
    ["{{[a.guarantor or x, n].count(this)}}", "{{[(a.guarantor or x), n].count(this)}}"],
  ])("of %s is meant as in %s", async (tag, meant) => {
    expect(await hintsFor(tag)).toEqual([expect.stringContaining(`Write ${meant}.`)]);
    expect(await hintsFor(meant)).toEqual([]);
  });
});

describe("a condition in place of a value", () => {
  test.each(["n > 5", "a.deposit isPresent", 'a.status in ["open", "late"]', "n > 5 and x"])(
    "has a hint with the block and the check box: %s",
    async (condition) => {
      const box = `{{(${condition}) :: checkbox}}`;
      expect(await hintsFor(`{{${condition}}}`)).toEqual([
        `tag_syntax: To show text by the condition, write {{if ${condition}}} … {{endif}}. For a check box write ${box}.`,
      ]);
      expect(await hintsFor(box)).toEqual([]);
    },
  );

  test.each(["n > 5", "a.deposit isPresent", "x and n", "x or n"])(
    "has its own form in the hint before a modifier: %s",
    async (condition) => {
      expect(await hintsFor(`{{${condition} :: checkbox}}`)).toEqual([
        `tag_syntax: Put the condition into parentheses: {{(${condition}) :: checkbox}}.`,
      ]);
    },
  );

  test.each([
    "{{n :: default(a.deposit > 5)}}",
    "{{n :: default(a.deposit isPresent)}}",
    "{{$if(n, x and n, false)}}",
    '{{"a".concat(a.deposit isPresent)}}',
  ])("has a hint as an argument: %s", async (tag) => {
    expect(await hintsFor(tag)).toEqual([
      'tag_syntax: A condition in place of a value is in parentheses, as in (total > 0). For one of two values write $if(total > 0, "a", "b").',
    ]);
  });

  test("of two comparisons in a row keeps its hint", async () => {
    expect(await hintsFor("{{n.round((n > 5 > 3))}}")).toEqual([
      expect.not.stringContaining("in place of a value"),
    ]);
  });

  test("may be a loop", async () => {
    expect(await hintsFor("{{entry in entries}}")).toEqual([
      "tag_syntax: To repeat a list, write {{for entry in entries}} … {{endfor}}. To show text if a list has the value, write {{if entry in entries}} … {{endif}}.",
    ]);
  });
});
