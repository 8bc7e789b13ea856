import { describe, expect, test } from "vitest";
import { bodyOf, p, partOf } from "../../../ooxml/test/support/docx.ts";
import { outcome, printed, told } from "../support/language.ts";

const INVALID = "invalid_data: invalid_value";

describe("a modifier", () => {
  const data = {
    name: "anna MARIA",
    pad: "  x  ",
    sharp: "straße",
    n: 1234.5,
    missing: null,
    empty: "",
  };
  test.each([
    ["name :: uppercase", "ANNA MARIA"],
    ["name::uppercase", "ANNA MARIA"],
    ["name\u00a0::\u00a0uppercase", "ANNA MARIA"],
    ["name :: lowercase", "anna maria"],
    ["name :: capitalize", "Anna MARIA"],
    ["name :: lowercase, capitalize", "Anna maria"],
    ["name :: lowercase :: capitalize", "Anna maria"],
    ["name :: lowercase ,capitalize", "Anna maria"],
    ["name :: lowercase()", "anna maria"],
    ["pad :: trim", "x"],
    ["pad :: trim, uppercase", "X"],
    ["sharp :: uppercase", "STRASSE"],
    ["name :: truncate(20)", "anna MARIA"],
    ["name :: truncate(10)", "anna MARIA"],
    ["empty :: uppercase", ""],
    ["missing :: optional", ""],
    ["missing :: optional, uppercase", ""],
    ["missing :: uppercase, optional", ""],
    ['missing :: default("none")', "none"],
    ["missing :: default(“none”)", "none"],
    ["missing :: default(‘none’)", "none"],
    ["missing :: default('it’s')", "it’s"],
    ['missing :: default("a, b :: c")', "a, b :: c"],
    ['missing :: default("")', ""],
    ['missing :: default("{x}")', "{x}"],
    ['gone.deeper :: default("none")', "none"],
    ['empty :: default("none")', ""],
    ['name :: default("none")', "anna MARIA"],
    ['n * 2 :: number("#,##0.00")', "2,469.00"],
    ['(n + 0.5) / 5 :: number("0")', "247"],
    ["n :: number(0)", "1,235"],
    ['n :: currency("EUR", 4)', "€1,234.5000"],
    ["n :: number(00)", "1,235"],
    ['n :: number("0")', "1235"],
    ["n :: number(1)", "1,234.5"],
    ['n :: number("1")', "1,234.5"],
    ["missing :: default(1.50)", "1.50"],
    ["missing :: default(0)", "0"],
    ["name :: text", "anna MARIA"],
    ["$sum(n) :: percent", "123,450%"],
  ])("written {{%s}} prints %s", async (tag, expected) => {
    expect(await printed(`{{${tag}}}`, data)).toBe(expected);
  });

  test.each([
    ["tr-TR", "istanbul", "uppercase", "İSTANBUL"],
    ["tr-TR", "IĞDIR", "lowercase", "ığdır"],
    ["tr-TR", "istanbul", "capitalize", "İstanbul"],
    ["az-Latn-AZ", "iki", "uppercase", "İKİ"],
    ["lt-LT", "Ì", "lowercase", "i̇̀"],
    ["el-GR", "άννα", "uppercase", "ΑΝΝΑ"],
    ["el-GR", "άννα", "capitalize", "Άννα"],
    ["el-GR", "ΟΔΟΣ", "lowercase", "οδος"],
    ["en-US", "istanbul", "uppercase", "ISTANBUL"],
    ["en-US", "jean-pierre o'NEIL", "capitalize", "Jean-pierre o'NEIL"],
    ["en-US", "👍 x", "capitalize", "👍 x"],
  ])("changes letters as in %s: %s :: %s", async (locale, v, name, expected) => {
    expect(await printed(`{{v :: ${name}}}`, { v }, { locale })).toBe(expected);
    expect(await printed(`{{v :: ${name}}}`, { v: [v] }, { locale })).toBe(expected);
    expect(await printed(`{{v :: ${name}, html}}`, { v: `<b>${v}</b>` }, { locale })).toBe(
      expected,
    );
  });

  test("truncates to at most the given number of characters, never within a character", async () => {
    for (const n of [0, 1, 2, 3, 4, 5]) {
      const text = await printed(`{{v :: truncate(${n})}}`, { v: "a👍b👍cd" });
      expect([...text].length).toBeLessThanOrEqual(n);
      expect(text.isWellFormed()).toBe(true);
    }
  });

  test.each([
    ["a family", "👨‍👩‍👧‍👦👩‍🚀🇦🇹👍🏽x", 4, "👨‍👩‍👧‍👦👩‍🚀🇦🇹…"],
    ["a letter with a combining accent", "e\u0301te\u0301s", 3, "e\u0301t…"],
    ["Hindi", "क्षत्रिय", 2, "क्ष…"],
    ["Hangul in parts", "\u1112\u1161\u11ab\u1100\u1173\u11af!", 2, "\u1112\u1161\u11ab…"],
    ["one that fits", "👨‍👩‍👧‍👦e\u0301", 2, "👨‍👩‍👧‍👦e\u0301"],
    ["no room for the ellipsis", "👨‍👩‍👧‍👦👍🏽x", 1, "👨‍👩‍👧‍👦"],
    ["ASCII", "abcdef", 4, "abc…"],
  ])("truncates between characters as readers see them: %s", async (_what, v, most, expected) => {
    expect(await printed(`{{v :: truncate(${most})}}`, { v })).toBe(expected);
    expect(await printed(`{{v :: html, truncate(${most})}}`, { v: `<b>${v}</b>` })).toBe(expected);
  });

  test.each([
    ["name :: upercase", "uppercase"],
    ["name :: Uppercase", "uppercase"],
    ['name :: defualt("x")', "default"],
    ["name :: toString", ""],
    ["name :: constructor", ""],
    ["name :: __proto__", ""],
    ["name ::", ""],
    ["name :: uppercase,", ""],
    ["name :: uppercase trim", ""],
    ["name : uppercase", ""],
    ["name :: default", ""],
    ["name :: default()", ""],
    ["name :: default(true)", ""],
    ['name :: default("x"', ""],
    ['name :: default("x", "y")', ""],
    ["name :: truncate", ""],
    ["name :: truncate(-1)", ""],
    ["name :: truncate(1.5)", ""],
    ["name :: uppercase(1)", ""],
    [":: uppercase", ""],
    ['n :: currency("EURO")', ""],
    ['n :: number("abc")', ""],
    ['n :: currency("EUR", 101)', ""],
    ['n :: currency("EUR", -1)', ""],
    ['n :: currency("EUR", 2, 2)', ""],
    ["n :: number(-1)", ""],
    ["n :: number(101)", ""],
    ["n :: number(1.5)", ""],
    ['name :: width("4 apples")', ""],
  ])("written as {{%s}} is a template error", async (tag, near) => {
    const { error, warnings } = await outcome(p(`{{${tag}}}`), data);
    expect(error).toBe("invalid_template");
    expect(warnings).toHaveLength(1);
    if (near !== "") expect(warnings[0]?.hint).toContain(near);
  });
});

describe("a date", () => {
  const US = { locale: "en-US" };
  test.each([
    ["2024-03-05", "dd-mm-yyyy", "05-03-2024"],
    ["2024-03-05", "mm-dd-yyyy", "03-05-2024"],
    ["2024-03-05", "dd-mmm-yy", "05-Mar-24"],
    ["2024-03-05", "EEEE, MMMM d, yyyy", "Tuesday, March 5, 2024"],
    ["2024-03-05T14:07:09Z", "yyyy-mm-dd HH:mm", "2024-03-05 14:07"],
    ["2024-03-05T14:07:09Z", "hh:mm a", "02:07 PM"],
    ["2024-03-05T23:30:00-05:00", "dd-mm-yyyy", "06-03-2024"],
    ["05-03-2024", "dd-mm-yyyy", "05-03-2024"],
    ["25-03-2024", "dd-mm-yyyy", "25-03-2024"],
    ["2024-02-29", "dd-mm-yyyy", "29-02-2024"],
    ["2023-02-29", "dd-mm-yyyy", INVALID],
    ["2024-13-01", "dd-mm-yyyy", INVALID],
    ["yesterday", "dd-mm-yyyy", INVALID],
    ["", "dd-mm-yyyy", INVALID],
  ])("%s with %s prints %s", async (d, pattern, expected) => {
    expect(await printed(`{{d :: format("${pattern}")}}`, { d }, US)).toBe(expected);
  });

  test("without a time is the same in every time zone, and an instant is shown in the given zone", async () => {
    const tag = '{{d :: format("yyyy-mm-dd")}}';
    for (const timeZone of ["UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago", "Europe/Vienna"]) {
      expect(await printed(tag, { d: "2024-03-05" }, { timeZone })).toBe("2024-03-05");
    }
    expect(await printed(tag, { d: "2024-03-05T23:30:00Z" }, {})).toBe("2024-03-05");
    expect(await printed(tag, { d: "2024-03-05T23:30:00Z" }, { timeZone: "Europe/Vienna" })).toBe(
      "2024-03-06",
    );
    const date = new Date("2024-03-05T23:30:00Z");
    expect(await printed(tag, { d: date }, { timeZone: "Europe/Vienna" })).toBe("2024-03-06");
  });

  test("is printed in the given language", async () => {
    const tag = '{{d :: format("EEEE, d. MMMM yyyy")}}';
    expect(await printed(tag, { d: "2024-03-05" }, { locale: "de-DE" })).toBe(
      "Dienstag, 5. März 2024",
    );
  });

  test("that is a Date object prints without a format, and never as an invalid date", async () => {
    expect(await printed("{{d}}", { d: new Date(0) })).toBe("1970-01-01T00:00:00.000Z");
    expect(await printed('{{d :: format("yyyy")}}', { d: new Date(Number.NaN) })).toBe(INVALID);
  });
});

describe("a number", () => {
  test.each([
    [300000, 'format("US-Number")', "en-US", "300,000"],
    [300000, 'format("EU-Number")', "en-US", "300.000"],
    ["300000", 'format("US-Number")', "en-US", "300,000"],
    [300000, "format(“EU-Number”)", "en-US", "300.000"],
    [1234567.89, 'number("#,##0.00")', "en-US", "1,234,567.89"],
    [1234567.89, 'number("#,##0.00")', "de-DE", "1.234.567,89"],
    [0.005, 'number("0.00")', "en-US", "0.01"],
    [1.005, 'number("0.00")', "en-US", "1.01"],
    [-0.001, 'number("0.00")', "en-US", "0.00"],
    [1234.5, 'currency("EUR")', "en-US", "€1,234.50"],
    [1234.5, 'currency("USD")', "en-US", "$1,234.50"],
    [1234, 'currency("JPY")', "en-US", "¥1,234"],
    ["12345678901234567890.12", 'currency("EUR")', "en-US", "€12,345,678,901,234,567,890.12"],
    [12345678901234567890n, 'format("US-Number")', "en-US", "12,345,678,901,234,567,890"],
    [0.256, "percent(1)", "en-US", "25.6%"],
    [0.2, "percent", "en-US", "20%"],
    ["5551234", 'format("xxx-xxxx")', "en-US", "555-1234"],
    [5551234, 'format("xxx-xxxx")', "en-US", "555-1234"],
    ["abc", 'number("0.00")', "en-US", INVALID],
    [true, 'number("0.00")', "en-US", INVALID],
    [{}, 'currency("EUR")', "en-US", INVALID],
    [Number.NaN, 'currency("EUR")', "en-US", INVALID],
  ])("%s with %s in %s prints %s", async (v, modifier, locale, expected) => {
    expect(await printed(`{{v :: ${modifier}}}`, { v }, { locale })).toBe(expected);
  });

  test("in a list is formatted item by item", async () => {
    expect(
      await printed('{{l.v :: number("0.00"), delimiter("; ")}}', { l: [{ v: 1 }, { v: 2.5 }] }),
    ).toBe("1.00; 2.50");
  });

  test("that is a sum keeps all decimal places until it is formatted", async () => {
    const data = { l: Array.from({ length: 10 }, () => ({ v: 0.1 })) };
    expect(await printed('{{$sum(l.v) :: number("0.00")}}', data)).toBe("1.00");
    expect(await printed("{{$sum(l.v)}}", data)).toBe("1");
  });
});

describe("delimiters", () => {
  const tag = '{{x :: delimiter(", "), lastdelimiter(", and ")}}';
  test.each([
    [[], ""],
    [["a"], "a"],
    [["a", "b"], "a, and b"],
    [["a", "b", "c"], "a, b, and c"],
  ])("are printed between the iterations of a for over %j", async (l, expected) => {
    expect(await printed(`{{for x in l}}${tag}{{endfor}}`, { l })).toBe(expected);
  });

  test("are printed between the iterations of a section, and after values of an item", async () => {
    expect(await printed('{{#l}}{{n :: delimiter(", ")}}{{/l}}', { l: [{ n: 1 }, { n: 2 }] })).toBe(
      "1, 2",
    );
    const text = '{{for i in l}}{{i.n :: uppercase, delimiter(" / ")}}{{endfor}}';
    expect(await printed(text, { l: [{ n: "a" }, { n: "b" }] })).toBe("A / B");
  });

  test("of an inner loop count only its iterations, not the outer loop's", async () => {
    const text = '{{for g in l}}{{for x in g}}{{x :: delimiter(",")}}{{endfor}};{{endfor}}';
    expect(await printed(text, { l: [["a", "b"], ["c"]] })).toBe("a,b;c;");
  });

  test("are printed between the elements of a list", async () => {
    const text = '{{l :: delimiter("; "), lastdelimiter(" or ")}}';
    expect(await printed(text, { l: ["a", "b", "c"] })).toBe("a; b or c");
  });

  test("keep their line breaks, tabs and spaces", async () => {
    expect(
      await printed('{{for x in l}}{{x :: delimiter("  ")}}{{endfor}}', { l: ["a", "b"] }),
    ).toBe("a  b");
  });

  test("are also printed next to a default", async () => {
    const text = '{{for x in l}}{{x :: default("-"), delimiter(",")}}{{endfor}}';
    expect(await printed(text, { l: ["a", null, "c"] })).toBe("a,-,c");
  });
});

describe("other modifiers", () => {
  test("'text' prints markup literally", async () => {
    expect(await printed("{{v :: text}}", { v: "<b>x</b>" })).toBe("<b>x</b>");
  });

  test.each([
    [true, "☒"],
    [false, "☐"],
    ["x", "☒"],
    ["", "☐"],
    [0, "☐"],
    [[], "☐"],
  ])("'checkbox' of %j prints %s", async (v, expected) => {
    expect(await printed("{{v :: checkbox}}", { v })).toBe(expected);
  });

  test.each(["https://a.example/?a=1&b=2", "http://a.example/x", "mailto:a@b.example", "tel:+431"])(
    "'link' makes a link of %s",
    async (url) => {
      const { bytes, lines, warnings } = await outcome(p('{{url :: link("label")}}'), { url });
      expect(lines).toEqual(["label"]);
      expect(warnings).toEqual([]);
      const id = /<w:hyperlink[^>]*r:id="([^"]*)"/.exec(bodyOf(bytes))?.[1];
      const rels = partOf(bytes, "word/_rels/document.xml.rels");
      expect(id).toBeDefined();
      expect(rels).toContain(`Id="${id}"`);
      expect(rels).toContain(`Target="${url.replaceAll("&", "&amp;")}"`);
    },
  );

  test.each([
    "javascript:alert(1)",
    "JAVASCRIPT:alert(1)",
    " javascript:alert(1)",
    "java\nscript:alert(1)",
    "file:///etc/passwd",
    "data:text/html,x",
    "\\\\host\\share",
    "//host/share",
    "ms-word:ofe|u|https://a.example",
    "relative.html",
    "",
  ])("'link' prints %j as text, with a warning", async (url) => {
    const { bytes, warnings } = await outcome(p('{{url :: link("label")}}'), { url });
    expect(bodyOf(bytes)).not.toContain("w:hyperlink");
    expect(partOf(bytes, "word/_rels/document.xml.rels")).not.toContain("hyperlink");
    expect(warnings.map(({ severity }) => severity)).toEqual(["warning"]);
  });

  test("'link' reports the maximum length of an address", async () => {
    const url = `https://a.example/${"x".repeat(2_100)}`;
    const { warnings } = await outcome(p('{{url :: link("label")}}'), { url });
    expect(warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining("at most 2,083 characters"),
    ]);
  });

  test("do not change the tag that is kept for a missing value", async () => {
    expect(await printed("{{gone :: uppercase}}", {})).toBe("{{gone :: uppercase}}");
    expect(await told("{{gone :: uppercase}}", {})).toEqual(["error missing_value"]);
  });
});

describe("a time zone of the tag", () => {
  const data = { at: "2026-03-05T23:30:00Z", office: { zone: "Asia/Tokyo" } };

  test.each([
    ['{{at :: format("d MMM HH:mm")}}', "5 Mar 23:30"],
    ['{{at :: format("d MMM HH:mm"), timeZone("Europe/Berlin")}}', "6 Mar 00:30"],
    ['{{at :: format("d MMM HH:mm"), timeZone(office.zone)}}', "6 Mar 08:30"],
    ['{{at.day() :: timeZone("Asia/Tokyo")}}', "6"],
    [
      '{{at :: format("short time"), timeZone("America/New_York"), locale("de")}}',
      "05.03.26, 18:30",
    ],
  ])("%s", async (text, expected) => {
    expect(await printed(text, data)).toBe(expected);
  });

  test.each(["timezone", "tz"])("is not called %s", async (name) => {
    const { warnings } = await outcome(p(`{{at :: ${name}("UTC")}}`), data);
    expect(warnings[0]?.hint).toContain("timeZone");
  });

  test("that does not exist is an error of the template", async () => {
    const { error, warnings } = await outcome(p('{{at :: timeZone("Mars/Base")}}'), data);
    expect(error).toBe("invalid_template");
    expect(warnings[0]?.message).toContain("is not known: write UTC");
  });
});
