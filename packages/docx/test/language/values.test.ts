import { describe, expect, test } from "vitest";
import { bodyOf, p } from "../../../ooxml/test/support/docx.ts";
import { outcome, printed, told } from "../support/language.ts";

const INVALID = "invalid_data: invalid_value";

describe("a path", () => {
  test.each([
    ["{{id}}", { id: 7 }, "7"],
    ["{{invoice.id}}", { invoice: { id: 7 } }, "7"],
    ["{{a.b.c}}", { a: { b: { c: "x" } } }, "x"],
    ["{{ a . b }}", { a: { b: "x" } }, "x"],
    ["{{\u00a0a.b\u00a0}}", { a: { b: "x" } }, "x"],
    ['{{a["first name"]}}', { a: { "first name": "x" } }, "x"],
    ["{{a['first-name']}}", { a: { "first-name": "x" } }, "x"],
    ["{{a[“first name”]}}", { a: { "first name": "x" } }, "x"],
    ["{{a[“first name“]}}", { a: { "first name": "x" } }, "x"],
    ["{{a[‘first name’]}}", { a: { "first name": "x" } }, "x"],
    ["{{a[«first name»]}}", { a: { "first name": "x" } }, "x"],
    ["{{a[»first name«]}}", { a: { "first name": "x" } }, "x"],
    ["{{a[“first name]}}", { a: { "first name": "x" } }, "invalid_template: tag_syntax"],
    ["{{list[0].x}}", { list: [{ x: "a" }, { x: "b" }] }, "a"],
    ["{{list[ 1 ].x}}", { list: [{ x: "a" }, { x: "b" }] }, "b"],
    ["{{a[“x”][0]}}", { a: { x: ["y"] } }, "y"],
    ["{{a['0']}}", { a: { 0: "zero" } }, "zero"],
    ["{{a[0]}}", { a: { 0: "zero" } }, "zero"],
    ["{{größe}}", { größe: "x" }, "x"],
    ["{{名前}}", { 名前: "x" }, "x"],
    ["{{a['x.y']}}", { a: { "x.y": "dotted", x: { y: "nested" } } }, "dotted"],
    ["{{a['']}}", { a: { "": "empty" } }, "empty"],
  ])("%s leads to its value", async (text, data, expected) => {
    expect(await printed(text, data)).toBe(expected);
  });

  test.each([
    "constructor",
    "__proto__",
    "toString",
    "hasOwnProperty",
    "valueOf",
    "a.constructor",
    "a.constructor.name",
    "a.__proto__.x",
    "text.length",
    "text.toUpperCase",
    "list.length",
    "list.map",
    "list.constructor",
    'a["__proto__"]',
    'a["constructor"]["name"]',
  ])("%s is missing unless the data has it as an own key", async (path) => {
    const data = { a: { x: 1 }, text: "t", list: ["l"] };
    expect(await printed(`{{${path} :: optional}}`, data)).toBe("");
    expect(await told(`{{${path}}}`, data)).toContain("error missing_value");
  });

  test("leads to keys such as __proto__ and constructor if the data has them", async () => {
    const data = JSON.parse(
      '{"__proto__": "a", "constructor": "b", "toString": {"valueOf": "c"}, "length": 4}',
    );
    const text = "{{__proto__}}{{constructor}}{{toString.valueOf}}{{length}}";
    expect(await printed(text, data)).toBe("abc4");
  });

  test("in a loop may have the name of an object's built-in property", async () => {
    const text = "{{for constructor in __proto__}}{{constructor.toString}}{{endfor}}";
    const data = JSON.parse('{"__proto__": [{"toString": "x"}, {"toString": "y"}]}');
    expect(await printed(text, data)).toBe("xy");
  });

  test("through an array projects over it", async () => {
    const data = {
      groups: [{ items: [{ n: 1 }, { n: 2 }] }, { items: [] }, { items: [{ n: 3 }] }],
    };
    expect(await printed("{{groups.items.n}}", data)).toBe("1, 2, 3");
    expect(await printed("{{groups[0].items.n}}", data)).toBe("1, 2");
    expect(await printed("{{$sum(groups.items.n)}}", data)).toBe("6");
    expect(await printed("{{$count(groups.items)}}", data)).toBe("3");
  });

  test("is followed up to level 300 of the data", async () => {
    let data: Record<string, unknown> = { k: "deep" };
    for (let level = 1; level < 300; level++) data = { k: data };
    expect(await printed(`{{${Array(300).fill("k").join(".")}}}`, data)).toBe("deep");
  });
});

describe("a value prints", () => {
  test.each([
    ["a string as it is", " a  b ", " a  b "],
    ["a string that spells a number as it is", "007.50", "007.50"],
    ["an empty text, which is there", "", ""],
    ["a line break", "a\nb", "a⏎b"],
    ["a line break of Windows as one break", "a\r\nb", "a⏎b"],
    ["a tab", "a\tb", "a⇥b"],
    ["breaks and tabs in their order", "\n\ta\t\nb\n", "⏎⇥a⇥⏎b⏎"],
    ["markup characters", "<w:t>&amp;</w:t> \"'", "<w:t>&amp;</w:t> \"'"],
    [
      "another tag as text",
      "{{x}} {{#x}} \\{{ [[sign]] {{endfor}}",
      "{{x}} {{#x}} \\{{ [[sign]] {{endfor}}",
    ],
    ["zero", 0, "0"],
    ["minus zero as zero", -0, "0"],
    ["a fraction", 0.1, "0.1"],
    ["a large number in plain notation", 1e21, "1000000000000000000000"],
    ["a small number in plain notation", 1.5e-7, "0.00000015"],
    ["a negative small number", -1e-10, "-0.0000000001"],
    ["a bigint", 123456789012345678901234567890n, "123456789012345678901234567890"],
    ["true", true, "true"],
    ["false, which is there", false, "false"],
    ["a list", ["a", 1, true], "a, 1, true"],
    ["a list of one", ["a"], "a"],
    ["an empty list", [], ""],
    ["a list without its null items", ["a", null, "b"], "a, b"],
    // biome-ignore lint/suspicious/noSparseArray: the subject of the test
    ["a list with holes", ["a", , "b"], "a, b"],
    ["an astral character", "👍🏽", "👍🏽"],
  ])("%s", async (_what, value, expected) => {
    expect(await printed("{{v}}", { v: value, x: "never" })).toBe(expected);
  });

  test.each([
    ["an object", { a: 1 }, "object"],
    ["an empty object", {}, "object"],
    ["a list of objects", [{ a: 1 }], "list"],
    ["a list of lists", [[1], [2]], "list"],
    ["a list that holds NaN", [1, Number.NaN], "number"],
    ["NaN", Number.NaN, "number"],
    ["infinity", Number.POSITIVE_INFINITY, "number"],
    ["an invalid date", new Date(Number.NaN), "date"],
    ["a function", () => "code", "function"],
    ["a symbol", Symbol("s"), "symbol"],
  ])("%s never: the error names the tag, the path and the type", async (_what, value, type) => {
    const { error, warnings } = await outcome(p("{{deep.v}}"), { deep: { v: value } });
    expect(error).toBe("invalid_data");
    const [told] = warnings;
    expect(told?.message).toContain("{{deep.v}}");
    expect(told?.message).toContain(type);
    expect(told?.pointer).toMatch(/^\/deep\/v(?:\/1)?$/);
  });

  test("null and undefined as missing", async () => {
    expect(await printed("{{v}}", { v: null })).toBe("{{v}}");
    expect(await printed("{{v}}", { v: undefined })).toBe("{{v}}");
    expect(await told("{{v}}", { v: null })).toEqual(["error missing_value"]);
  });

  test("forbidden characters and lone surrogates as U+FFFD, with one warning", async () => {
    const v = "a\u0000b\u000cc\ufffed\ud800e\udc00";
    expect(await printed("{{v}}", { v })).toBe("a�b�c�d�e�");
    expect(await told("{{v}}", { v })).toEqual(["warning forbidden_character"]);
  });

  test("line breaks of every kind, without a warning", async () => {
    const v = "a\nb\r\nc\rd\u000be\u2028f\u2029g";
    const data = { v, l: [v], o: { v } };
    for (const tag of ["v", "o.v", "l", "v :: lowercase", '$join(l, "")', "this.v"]) {
      expect(await printed(`{{${tag}}}`, data)).toBe("a⏎b⏎c⏎d⏎e⏎f⏎g");
      expect(await told(`{{${tag}}}`, data)).not.toContain("warning forbidden_character");
    }
  });

  test("nothing that is parsed again, even if two values form a tag", async () => {
    const data = { open: "{", close: "}", x: "never" };
    expect(await printed("{{open}}{{open}}x{{close}}{{close}}", data)).toBe("{{x}}");
    expect(await printed("{{for i in l}}{{i}}{{endfor}}", { l: ["{{", "x", "}}"], x: "n" })).toBe(
      "{{x}}",
    );
  });

  test("in the formatting of the first character of its tag", async () => {
    const run = (text: string, property: string): string =>
      `<w:r><w:rPr><w:${property}/></w:rPr><w:t>${text}</w:t></w:r>`;
    const { bytes } = await outcome(
      `<w:p>${run("{", "b")}${run("{v}", "i")}${run("}!", "u")}</w:p>`,
      {
        v: "x",
      },
    );
    const xml = bodyOf(bytes);
    expect(xml).toMatch(/<w:b\/><\/w:rPr><w:t[^>]*>x<\/w:t>/);
    expect(xml).toMatch(/<w:u\/><\/w:rPr><w:t[^>]*>!<\/w:t>/);
  });
});

describe("arithmetic", () => {
  const data = {
    a: 0.1,
    b: 0.2,
    n: 7,
    m: -3,
    zero: 0,
    text: "x",
    price: "1.10",
    big: 1e21,
    list: [1],
  };
  test.each([
    ["a + b", "0.3"],
    ["a+b", "0.3"],
    ["1.1 * 3", "3.3"],
    ["1 - 0.9", "0.1"],
    ["2 + 3 * 4", "14"],
    ["(2 + 3) * 4", "20"],
    ["10 / 4", "2.5"],
    ["n % 3", "1"],
    ["-n", "-7"],
    ["- -n", "7"],
    ["n - -3", "10"],
    ["n – 3", "4"],
    ["n\u00a0–\u00a03", "4"],
    ["n−3", "4"],
    ["m * m", "9"],
    ["zero * m", "0"],
    ["10 - 4 - 3", "3"],
    ["100 / 10 / 5", "2"],
    ["price * 3", "3.3"],
    ["big + 1", "1000000000000000000001"],
    ["9007199254740993 + 0", "9007199254740993"],
    ["123456789012345678901234567890.5 * 2", "246913578024691357802469135781"],
    ["0.1 * 0.1 * 0.1", "0.001"],
    ["(1 / 3) * 0 + 1", "1"],
    ["1e0", "invalid_template: tag_syntax"],
    ["n / zero", INVALID],
    ["n % 0", INVALID],
    ["n / (a + b - 0.3)", INVALID],
    ["text * 2", INVALID],
    ["list * 2", INVALID],
    ["n +", "invalid_template: tag_syntax"],
    ["* n", "invalid_template: tag_syntax"],
    ["(n + 1", "invalid_template: tag_syntax"],
    ["n + 1)", "invalid_template: tag_syntax"],
    ["n = 1", "invalid_template: tag_syntax"],
    ["n++", "invalid_template: tag_syntax"],
    ["n(1)", "invalid_template: tag_syntax"],
    ["text.trimEnd()", "invalid_template: tag_syntax"],
    ["n; m", "invalid_template: tag_syntax"],
    ["$eval(n)", "invalid_template: tag_syntax"],
    ["n n", "invalid_template: tag_syntax"],
  ])("{{%s}} prints %s", async (expression, expected) => {
    expect(await printed(`{{${expression}}}`, data)).toBe(expected);
  });

  test("of a third prints plain decimals", async () => {
    expect(await printed("{{1 / 3}}", {})).toMatch(/^0\.3{10,}$/);
  });

  test("with a missing operand is missing, and reports the operand", async () => {
    const { lines, warnings } = await outcome(p("{{n * gone.far}}"), { n: 2 });
    expect(lines).toEqual(["{{n * gone.far}}"]);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]?.message).toBe("The tag 'gone.far' was not provided in the input data.");
    expect(await printed("{{n * gone :: optional}}", { n: 2 })).toBe("");
    expect(await printed('{{n + gone :: default("-")}}', { n: 2, gone: null })).toBe("-");
  });

  test("by zero is reported with its tag and without a value", async () => {
    const { warnings } = await outcome(p("{{secret / zero}}"), { secret: 4711, zero: 0 });
    expect(warnings[0]?.message).toContain("{{secret / zero}}");
    expect(JSON.stringify(warnings)).not.toContain("4711");
  });

  test("that exceeds all limits ends in an error", async () => {
    const square = (text: string): string => `(${text}) * (${text})`;
    const tower = square(square(square(square("99999999999999999999999999"))));
    expect(await printed(`{{${tower}}}`, {})).toBe(INVALID);
  });
});

describe("a function", () => {
  const data = {
    products: [{ amount: 0.1 }, { amount: 0.2 }, { amount: "3" }],
    none: [],
    gaps: [{ amount: 1 }, {}, { amount: null }],
    names: ["a", "b", "c"],
    word: "naïve👍",
    mixed: [1, "x"],
  };
  test.each([
    ["$sum(products.amount)", "3.3"],
    ["$sum(none)", "0"],
    ["$sum(gaps.amount)", "1"],
    ["$count(products)", "3"],
    ["$count(none)", "0"],
    ["$average(products.amount)", "1.1"],
    ["$min(products.amount)", "0.1"],
    ["$max(products.amount)", "3"],
    ["$join(names)", "a, b, c"],
    ['$join(names, " / ")', "a / b / c"],
    ["$join(names, “ und ”)", "a und b und c"],
    ["$round(2.345, 2)", "2.35"],
    ["$round(2.5)", "3"],
    ["$round(-2.5)", "-3"],
    ["$round(1.005, 2)", "1.01"],
    ["$abs(0 - 5)", "5"],
    ["$abs(-5)", "5"],
    ["2.power(10)", "1024"],
    ["$power(1.1, 2)", "1.21"],
    ["(0 - 2).power(3)", "-8"],
    ["2.power(-2)", "0.25"],
    ["0.power(0)", "1"],
    ["(10000 * 0.005 / (1 - 1.005.power(-24))).round(2)", "443.21"],
    ["1.01.power(360).round(8)", "35.94964133"],
    ["$length(names)", "3"],
    ["$length(word)", "6"],
    ["$sum(products.amount) * 2", "6.6"],
    ["$round($sum(products.amount) / 7, 3)", "0.471"],
    ["$ sum(products.amount)", "invalid_template: tag_syntax"],
    ["$sum()", "invalid_template: tag_syntax"],
    ["$summe(names)", "invalid_template: tag_syntax"],
    ["$sum(mixed)", INVALID],
  ])("{{%s}} prints %s", async (expression, expected) => {
    expect(await printed(`{{${expression}}}`, data)).toBe(expected);
  });

  test("of a missing value is missing", async () => {
    expect(await printed("{{$sum(gone.amount)}}", data)).toBe("{{$sum(gone.amount)}}");
    expect(await told("{{$sum(gone.amount)}}", {})).toEqual(["error missing_value"]);
  });

  test("of an empty list without a result is missing, not 0 or NaN", async () => {
    expect(await printed("{{$average(none) :: default('-')}}", data)).toBe("-");
    expect(await printed("{{$min(none) :: default('-')}}", data)).toBe("-");
  });

  test("sums the lists of the innermost item of a loop", async () => {
    const text = "{{for g in groups}}{{$sum(g.n)}};{{endfor}}{{#groups}}{{$sum(n)}};{{/groups}}";
    expect(await printed(text, { groups: [{ n: [1, 2] }, { n: [3] }] })).toBe("3;3;3;3;");
  });
});
