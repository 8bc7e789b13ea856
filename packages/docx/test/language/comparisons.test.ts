import { describe, expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { outcome, printed } from "../support/language.ts";

type Data = Readonly<Record<string, unknown>>;

async function holds(condition: string, data: Data, timeZone = "UTC"): Promise<string> {
  return printed(`{{if ${condition}}}yes{{else}}no{{endif}}`, data, { timeZone });
}

async function doubts(condition: string, data: Data): Promise<(string | undefined)[]> {
  const { warnings } = await outcome(p(`{{if ${condition}}}yes{{endif}}`), data);
  return warnings.map(({ severity, code, pointer }) => `${severity} ${code} ${pointer}`);
}

const REFUSED = "invalid_data: invalid_value";

describe("strings that spell numbers are ordered as numbers:", () => {
  test.for([
    ["10", ">", "9"],
    ["1000", ">", "900"],
    ["-2", ">", "-10"],
    ["9.5", "<", "10"],
    ["10", ">=", "10.0"],
    ["10", "<=", "10.0"],
    ["0012", ">", "9"],
    [" 7", "<", "12 "],
    ["1e3", ">", "999"],
    ["12345678901234567890124", ">", "12345678901234567890123"],
  ] as const)("%s %s %s", async ([a, operator, b]) => {
    expect(await holds(`a ${operator} b`, { a, b })).toBe("yes");
    expect(await doubts(`a ${operator} b`, { a, b })).toEqual([]);
  });

  test("also strings in the template", async () => {
    expect(await holds('a > "9"', { a: "10" })).toBe("yes");
  });
});

const BOTH_SIDES =
  "the dates on both sides may start with the day or the month: write them as 2026-11-20";
const LEFT_SIDE =
  "the date on the left side may start with the day or the month: write it as 2026-11-20";

describe("strings that are dates are ordered as dates:", () => {
  test.for([
    ["2026-11-20T10:00:00+09:00", "<", "2026-11-20T02:00:00Z"],
    ["2026-11-20T10:00:00.5Z", ">", "2026-11-20T10:00:00.25Z"],
    ["2026-11-20 09:00", "<", "2026-11-20T10:00"],
    ["2026-11-20", "<", "2026-11-21T10:00"],
    ["9.12.2026", "<", "20.12.2026"],
    ["9.12.2025", "<", "10.1.2026"],
    ["9.12.2026", ">", "10.1.2026"],
    ["3.4.2026", ">", "2026-03-20"],
    ["1/2/2026", "<", "1.3.2026"],
    ["12/31/2026", ">", "2/1/2026"],
    ["31.12.2025", "<", "2026-01-01"],
    ["3.4.2025", "<", "2026-01-01"],
    ["2026-01-01", ">", "31.12.2025"],
    ["1.2.2026", "<=", "01.02.2026"],
  ] as const)("%s %s %s", async ([a, operator, b]) => {
    expect(await holds(`a ${operator} b`, { a, b })).toBe("yes");
    expect(await doubts(`a ${operator} b`, { a, b })).toEqual([]);
  });

  test("two instants are compared as instants, also in the hour that a clock shows twice", async () => {
    const data = { a: "2026-10-25T00:45:00Z", b: "2026-10-25T01:15:00Z" };
    expect(await holds("a < b", data, "Europe/Vienna")).toBe("yes");
  });

  test("an instant is compared with a date by the clock of the time zone", async () => {
    const data = { a: "2026-11-30T23:30:00Z", date: new Date("2026-11-30T23:30:00Z") };
    expect(await holds('a < "2026-12-01"', data)).toBe("yes");
    expect(await holds('a < "2026-12-01"', data, "Europe/Vienna")).toBe("no");
    expect(await holds('date < "2026-12-01"', data)).toBe("yes");
    expect(await holds('date < "2026-12-01"', data, "Europe/Vienna")).toBe("no");
  });

  test.for([
    ["9/12/2026", "10/1/2026", BOTH_SIDES],
    ["03/04/2026", "04/03/2026", BOTH_SIDES],
    ["3/4/2026", "2026-03-20", LEFT_SIDE],
    ["5/2/2026", "1.3.2026", BOTH_SIDES],
  ])(
    "%s and %s, whose order depends on how the dates are read, are rejected with a hint",
    async ([a, b, problem]) => {
      expect(await holds("a < b", { a, b })).toBe(REFUSED);
      const { warnings } = await outcome(p("{{if a < b}}yes{{endif}}"), { a, b });
      expect(warnings.map(({ message }) => message)).toEqual([
        `The tag {{if a < b}} cannot be computed: ${problem}.`,
      ]);
    },
  );
});

describe("a date in another form than ISO 8601", () => {
  test.for(["11/01/2026", "01/11/2026", "1 November 2026", "Nov. 1, 2026"])(
    "is not equal to 2026-11-01, with a warning: %s",
    async (b) => {
      expect(await holds("a == b", { a: "2026-11-01", b })).toBe("no");
      expect(await doubts("a == b", { a: "2026-11-01", b })).toEqual([
        "warning doubtful_comparison /a",
      ]);
    },
  );

  test.for(["11/02/2026", "1 October 2026", "November 2026", "A-1"])(
    "of another day has no warning: %s",
    async (b) => {
      expect(await doubts("a == b", { a: "2026-11-01", b })).toEqual([]);
    },
  );
});

describe("a time on the day with which it is compared", () => {
  test.for([
    ["2026-11-20T10:00", "<=", "2026-11-20", "no"],
    ["2026-11-20T10:00", ">", "2026-11-20", "yes"],
    ["2026-11-20", ">=", "2026-11-20T10:00", "no"],
    ["2026-11-20", "<", "2026-11-20T10:00", "yes"],
  ])("%s %s %s is %s, with a warning", async ([a, operator, b, result]) => {
    expect(await holds(`a ${operator} b`, { a, b })).toBe(result);
    expect(await doubts(`a ${operator} b`, { a, b })).toEqual(["warning doubtful_comparison /a"]);
  });

  test.for([
    ["2026-11-20T00:00", "<=", "2026-11-20"],
    ["2026-11-20T10:00", "<", "2026-11-21"],
    ["2026-11-20T10:00", ">=", "2026-11-20"],
  ])("%s %s %s has no warning", async ([a, operator, b]) => {
    expect(await doubts(`a ${operator} b`, { a, b })).toEqual([]);
  });
});

describe("strings with the same number or date in different spellings", () => {
  test.for([
    ["10", "10.0"],
    ["0012", "12"],
    ["2026-11-20T10:00:00+09:00", "2026-11-20T01:00:00Z"],
    ["1.2.2026", "01.02.2026"],
    ["2026-11-20", "20.11.2026"],
  ])("are not equal, with a warning: %s, %s", async ([a, b]) => {
    for (const data of [
      { a, b },
      { a: b, b: a },
    ]) {
      expect(await holds("a == b", data)).toBe("no");
      expect(await doubts("a == b", data)).toEqual(["warning doubtful_comparison /a"]);
      expect(await holds("a != b", data)).toBe("yes");
      expect(await doubts("a != b", data)).toEqual(["warning doubtful_comparison /a"]);
    }
  });

  test("give a warning in lists, too, with the place of the list", async () => {
    const data = { list: ["7", "10.0"], a: "10" };
    expect(await holds("list contains a", data)).toBe("no");
    expect(await doubts("list contains a", data)).toEqual(["warning doubtful_comparison /list"]);
    expect(await doubts("list contains a", { ...data, a: "10.0" })).toEqual([]);
  });

  test("give a warning with the reason, the fix and the place, without a value", async () => {
    const { warnings } = await outcome(p('{{if code == "12"}}yes{{endif}}'), { code: "0012" });
    expect(warnings).toEqual([
      {
        severity: "warning",
        code: "doubtful_comparison",
        message:
          'The tag {{if code == "12"}} compares two strings that spell the same number in different ways: compared as text, they are not equal.',
        hint: "To compare them as numbers, write the number without quotes, or add 0: 'a + 0 == b'.",
        pointer: "/code",
        template: expect.objectContaining({ tag: '{{if code == "12"}}' }),
      },
    ]);
  });

  test.for([
    ["10", "11"],
    ["10", "10"],
    ["open", "opened"],
    ["", "0"],
    ["2026-11-20", "2026-11-21"],
    ["2026-02-30", "2026-02-31"],
  ])("give no warning in other forms: %s, %s", async ([a, b]) => {
    expect(await doubts("a == b", { a, b })).toEqual([]);
  });
});

describe("strings that look alike but are not equal", () => {
  test.for([
    ["paid", "paid "],
    ["", " "],
    ["a b", "a\u00a0b"],
    ["a b", "a  b"],
    ["one\ntwo", "one\r\ntwo"],
    ["M\u00fcnster", "Mu\u0308nster"],
    ["O'Hara", "O\u2019Hara"],
    ['5" pipe', "5\u201d pipe"],
    ["2026-27", "2026\u201327"],
    ["\u200bpaid", "paid"],
  ])("give a warning: %j, %j", async ([a, b]) => {
    for (const data of [
      { a, b },
      { a: b, b: a },
    ]) {
      expect(await holds("a == b", data)).toBe("no");
      expect(await doubts("a == b", data)).toEqual(["warning doubtful_comparison /a"]);
      expect(await doubts("a != b", data)).toEqual(["warning doubtful_comparison /a"]);
    }
    expect(await doubts("list contains a", { list: ["x", b], a })).toEqual([
      "warning doubtful_comparison /list",
    ]);
  });

  test("give a warning if one is part of the other", async () => {
    const data = { a: "Herr Mu\u0308ller", b: "M\u00fcller" };
    expect(await doubts("a contains b", data)).toEqual(["warning doubtful_comparison /a"]);
    expect(await doubts("a contains b", { ...data, b: "Mu\u0308ller" })).toEqual([]);
    expect(await doubts("a contains b", { ...data, b: "M\u00f6ller" })).toEqual([]);
    expect(await doubts("a contains b", { ...data, b: "\u200b" })).toEqual([]);
  });

  test.for([
    ["Gr\u00fc\u00dfe", "Gr\u00fcsse"],
    ["m\u00b2", "m2"],
    ["\u00fc", "u"],
    [" a", " b"],
    ["x".repeat(10_001), `${"x".repeat(10_001)} `],
  ])("but not if they look different: %.9s, %.9s", async ([a, b]) => {
    expect(await doubts("a == b", { a, b })).toEqual([]);
  });
});

describe("values of different types with the same apparent meaning", () => {
  test.for<[unknown, unknown]>([
    ["1,000", 1000],
    ["5 %", 5],
    ["\u20ac 5", 5],
    ["1.000,00", 1000],
    ["2026-11-20", 2026],
    ["yes", true],
    ["TRUE", true],
    ["0", false],
    [" true", true],
    [1, true],
    [0, false],
  ])("give a warning: %j, %j", async ([a, b]) => {
    for (const data of [
      { a, b },
      { a: b, b: a },
    ]) {
      expect(await holds("a == b", data)).toBe("no");
      expect(await doubts("a == b", data)).toEqual(["warning doubtful_comparison /a"]);
      expect(await doubts("a != b", data)).toEqual(["warning doubtful_comparison /a"]);
    }
  });

  test.for<[unknown, unknown]>([
    ["true", true],
    ["true", false],
    ["no", true],
    [2, true],
    [1, false],
    ["pending", true],
    ["all", 3],
    ["12a", 12],
    ["", 0],
    ["10.0", 10],
    [true, false],
    [2, 3],
  ])("but not in other cases: %j, %j", async ([a, b]) => {
    expect(await doubts("a == b", { a, b })).toEqual([]);
  });
});

describe("comparing strings by their characters", () => {
  test.for([
    ["Ann", "<", "Bob"],
    ["A10", "<", "A9"],
    ["09:15", "<", "10:30"],
    ["2026-W05", "<", "2026-W11"],
    ["", "<", "a"],
  ] as const)("gives no warning for ordinary strings: %s %s %s", async ([a, op, b]) => {
    expect(await holds(`a ${op} b`, { a, b })).toBe("yes");
    expect(await doubts(`a ${op} b`, { a, b })).toEqual([]);
  });

  test.for([
    ["n/a", "900"],
    ["", "900"],
    ["1.234,50", "900,00"],
    ["10 km", "9 km"],
    ["9:15", "10:30"],
    ["1.10.2", "1.9.3"],
    ["soon", "2026-11-20"],
    ["€ 1,000", "900"],
  ])("gives a warning if a number or a date seems to be meant: %s, %s", async ([a, b]) => {
    for (const data of [
      { a, b },
      { a: b, b: a },
    ]) {
      expect(await doubts("a < b", data)).toEqual(["warning doubtful_comparison /a"]);
    }
  });

  test("gives one warning, with each place in the data", async () => {
    const xs = [{ v: "10 km" }, { v: "8 km" }, { v: "12 km" }];
    const text = '{{for x in xs}}{{if x.v > "9 km"}}a{{endif}}{{endfor}}';
    const { warnings } = await outcome(p(text), { xs });
    expect(warnings).toMatchObject([
      { code: "doubtful_comparison", pointers: ["/xs/0/v", "/xs/2/v"], count: 2 },
    ]);
  });

  test("gives a warning in sections, too", async () => {
    const { warnings } = await outcome(p("{{#a > b}}x{{/}}{{^not (a > b)}}y{{/}}"), {
      a: "10 km",
      b: "9 km",
    });
    expect(warnings.map(({ code, template }) => `${code} ${template?.tag}`)).toEqual([
      "doubtful_comparison {{#a > b}}",
      "doubtful_comparison {{^not (a > b)}}",
    ]);
  });
});

test("searching for a long string that almost matches everywhere takes linear time", async () => {
  const part = `${"a".repeat(100_000)}b${"a".repeat(100_000)}`;
  const text = "a".repeat(1_000_000);
  // V8's own search takes minutes.
  expect(await holds("text contains part", { text, part })).toBe("no");
  expect(await holds("text contains part", { text: `${text}b${text}`, part })).toBe("yes");
});
