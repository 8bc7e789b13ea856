import { describe, expect, test } from "vitest";
import { p, table } from "../../../ooxml/test/support/docx.ts";
import { outcome, printed, printedBody, told } from "../support/language.ts";

describe("a section", () => {
  test.each([
    ["repeats for an array", "{{#v}}[{{n}}]{{/v}}", { v: [{ n: 1 }, { n: 2 }] }, "[1][2]"],
    [
      "repeats for scalars",
      "{{#v}}[{{.}}]{{/v}}",
      { v: [1, "a", true, 0, "", false] },
      "[1][a][true][0][][false]",
    ],
    ["has its item as this", "{{#v}}[{{this}}]{{/v}}", { v: [1, 2] }, "[1][2]"],
    ["scopes to an object", "{{#v}}{{n}}{{/v}}", { v: { n: 1 } }, "1"],
    ["scopes to an empty object", "{{#v}}shown{{/v}}", { v: {} }, "shown"],
    ["shows for true", "{{#v}}{{n}}{{/v}}", { v: true, n: 1 }, "1"],
    ["shows for a string and keeps its scope", "{{#v}}{{v}}{{n}}{{/v}}", { v: "x", n: 1 }, "x1"],
    ["shows for a number and keeps its scope", "{{#v}}{{v}}{{/v}}", { v: 5 }, "5"],
    ["does not show for false", "{{#v}}x{{/v}}-", { v: false }, "-"],
    ["does not show for 0", "{{#v}}x{{/v}}-", { v: 0 }, "-"],
    ["does not show for an empty string", "{{#v}}x{{/v}}-", { v: "" }, "-"],
    ["does not show for an empty list", "{{#v}}x{{/v}}-", { v: [] }, "-"],
    ["does not show for null", "{{#v}}x{{/v}}-", { v: null }, "-"],
    ["does not show for a missing value", "{{#v}}x{{/v}}-", {}, "-"],
    ["does not show for NaN", "{{#v}}x{{/v}}-", { v: Number.NaN }, "-"],
  ])("%s", async (_what, text, data, expected) => {
    expect(await printed(text, data)).toBe(expected);
  });

  test.each([
    ["shows when absent", {}, "none"],
    ["shows for null", { v: null }, "none"],
    ["shows for false", { v: false }, "none"],
    ["shows for an empty string", { v: "" }, "none"],
    ["shows for an empty list", { v: [] }, "none"],
    ["does not show for a list", { v: [1] }, ""],
    ["does not show for a list of null", { v: [null] }, ""],
    ["does not show for an object", { v: { a: 1 } }, ""],
    ["does not show for true", { v: true }, ""],
    ["does not show for a string", { v: "false" }, ""],
    ["does not show for a number", { v: 3 }, ""],
  ])("inverted %s", async (_what, data, expected) => {
    expect(await printed("a{{^v}}none{{/v}}", data)).toBe(`a${expected}`);
  });

  test("shows either itself or its inversion, for every value", async () => {
    const values = [
      null,
      undefined,
      true,
      false,
      0,
      -0,
      1,
      "",
      " ",
      "0",
      [],
      [[]],
      {},
      { a: 1 },
      0n,
      Number.NaN,
    ];
    for (const v of values) {
      expect(await printed("{{#v}}y{{/v}}{{^v}}n{{/v}}", { v })).toMatch(/^[yn]$/);
    }
  });

  test.each([
    ["{{#v}}{{n}}{{/v}}"],
    ["{{# v }}{{n}}{{/ v }}"],
    ["{{ #v }}{{ n }}{{ /v }}"],
    ["{{\u00a0#\u00a0v\u00a0}}{{n}}{{\u00a0/\u00a0v\u00a0}}"],
    ["{{#v}}{{n}}{{/}}"],
    ["{{#v}}{{n}}{{ / }}"],
    ["{{#v}}{{n}}{{\u00a0/\u00a0}}"],
  ])("is written %s", async (text) => {
    expect(await printed(text, { v: [{ n: 1 }, { n: 2 }] })).toBe("12");
  });

  test("accepts the same paths as every tag", async () => {
    const data = { a: { "b c": [{ n: 1 }, { n: 2 }] }, l: [[1, 2], [3]] };
    expect(await printed('{{#a["b c"]}}{{n}}{{/a["b c"]}}', data)).toBe("12");
    expect(await printed("{{#a[“b c”]}}{{n}}{{/a[“b c”]}}", data)).toBe("12");
    expect(await printed("{{#l[0]}}{{.}};{{/l[0]}}", data)).toBe("1;2;");
    expect(await printed("{{#l}}{{#.}}{{.}};{{/.}}|{{/l}}", data)).toBe("1;2;|3;|");
    expect(await printed("{{#l}}{{#this}}{{this}};{{/this}}|{{/l}}", data)).toBe("1;2;|3;|");
    expect(await printed("{{#l}}{{#.}}{{.}};{{/}}|{{/}}", data)).toBe("1;2;|3;|");
  });

  test("is closed by its name, with any quotes and dashes that Word put there", async () => {
    const data = { a: { "b c": [{ n: 1 }, { n: 2 }] }, n: 3 };
    expect(await printed('{{#a[“b c”]}}{{n}}{{/a["b c"]}}', data)).toBe("12");
    expect(await printed("{{#a['b c']}}{{n}}{{/a[‘b c’]}}", data)).toBe("12");
    expect(await printed("{{#n - 1 > 1}}x{{/n – 1 > 1}}", data)).toBe("x");
  });

  test("looks up the item's own keys first, then those of outer items, then those of the root", async () => {
    const data = {
      n: "root",
      only: "r",
      out: [{ n: "outer", mid: "m", in: [{ n: "inner" }, {}] }],
    };
    const text = "{{#out}}{{#in}}{{n}}-{{mid}}-{{only}} {{/in}}{{n}}{{/out}}";
    expect(await printed(text, data)).toBe("inner-m-r outer-m-r outer");
  });

  test("stops the search at an own key that is null: the value is missing, even if the outer data has it", async () => {
    const users = [
      { name: "Ann", iban: "AT-ANN" },
      { name: null, iban: null },
    ];
    const data = { companies: [{ name: "ACME", iban: "AT-ACME", users }], iban: "AT-ROOT" };
    const tag = async (tag: string, options = {}) =>
      printed(`{{#companies}}{{#users}}${tag};{{/users}}{{/companies}}`, data, options);
    expect(await tag("{{name}} {{iban}}")).toBe("Ann AT-ANN;{{name}} {{iban}};");
    expect(await tag("{{iban}}", { onMissing: "blank" })).toBe("AT-ANN;;");
    expect(await tag("{{iban}}", { onMissing: "fail" })).toBe("invalid_data: missing_value");
    expect(await tag("{{iban :: optional}}")).toBe("AT-ANN;;");
    expect(await tag('{{iban :: default("none")}}')).toBe("AT-ANN;none;");
    expect(await tag("{{if iban}}y{{else}}n{{endif}}")).toBe("y;n;");
    expect(await tag("{{if iban isPresent}}y{{else}}n{{endif}}")).toBe("y;n;");
    expect(await tag('{{if iban == "AT-ACME"}}y{{else}}n{{endif}}')).toBe("n;n;");
    expect(await tag("{{#iban}}y{{/iban}}{{^iban}}n{{/iban}}")).toBe("y;n;");
    expect(await tag("{{if name}}y{{endif}}{{^name}}n{{/name}}")).toBe("y;n;");
    expect(await tag("{{for c in iban :: optional}}{{endfor}}n")).toBe(
      "invalid_data: invalid_value",
    );
    const { warnings } = await outcome(
      p("{{#companies}}{{#users}}{{name}} {{iban :: uppercase}}{{/users}}{{/companies}}"),
      data,
    );
    expect(warnings.map(({ code, pointer }) => [code, pointer])).toEqual([
      ["missing_value", "/companies/0/users/1/name"],
      ["missing_value", "/companies/0/users/1/iban"],
    ]);
  });

  test("also stops at null for paths, lists, computations and flat data", async () => {
    const data = {
      a: [
        { o: null, l: null, n: null },
        { o: {}, l: [], n: 2 },
        { "o.x": null, l: [1], n: 1 },
      ],
      o: { x: "outer" },
      l: [1, 2],
      n: 5,
    };
    const text = "{{#a}}[{{o.x :: optional}}{{#l}}{{.}}{{/l}}{{n * 2 :: optional}}]{{/a}}";
    expect(await printed(text, data)).toBe("[][4][12]");
    const own = { a: [{ "o.x": "own" }, { o: { x: "nested" }, "o.x": "flat" }], o: { x: "outer" } };
    expect(await printed("{{#a}}{{o.x}} {{/a}}{{o.x}}", own)).toBe("own nested outer");
    const { warnings } = await outcome(p("{{#a}}{{o.x}}{{/a}}"), { a: [{ "o.x": {} }], o: {} });
    expect(warnings.map(({ pointer }) => pointer)).toEqual(["/a/0/o.x"]);
  });

  test("looks up the names of loops before the keys of its item", async () => {
    const text = "{{for n in names}}{{#items}}{{n}}{{/items}}{{endfor}}";
    expect(await printed(text, { names: ["A", "B"], items: [{ n: "own" }] })).toBe("AB");
    const inner = "{{#items}}{{for n in names}}{{n}}{{m}}{{endfor}}{{/items}}";
    expect(await printed(inner, { names: ["A", "B"], items: [{ n: "own", m: 1 }] })).toBe("A1B1");
  });

  test("finds only own properties", async () => {
    const text =
      "{{#l}}{{constructor :: optional}}{{length :: optional}}{{__proto__ :: optional}};{{/l}}";
    expect(await printed(text, { l: ["text", ["list"], { a: 1 }, 5] })).toBe(";;;;");
    expect(await printed("{{#constructor}}x{{/constructor}}-", {})).toBe("-");
    expect(await printed("{{#__proto__}}x{{/__proto__}}-", {})).toBe("-");
  });

  test("reports null items as missing, each at its place", async () => {
    const { lines, warnings } = await outcome(p("{{#l}}[{{.}}]{{/l}}"), { l: [1, null, 2] });
    expect(lines).toEqual(["[1][{{.}}][2]"]);
    expect(warnings.map(({ pointer }) => pointer)).toEqual(["/l/1"]);
  });

  test("has variables for its position, also in an object within", async () => {
    const text = "{{#l}}{{$index}}{{$number}}{{$length}}{{#$first}}F{{/}}{{#$last}}L{{/}};{{/l}}";
    expect(await printed(text, { l: ["a", "b", "c"] })).toBe("013F;123;233L;");
    expect(
      await printed("{{#l}}{{#o}}{{$number}}{{n}}{{/o}}{{/l}}", {
        l: [{ o: { n: "x" } }, { o: { n: "y" } }],
      }),
    ).toBe("1x2y");
  });

  test("over paragraphs, lists and tables repeats them", async () => {
    const body = p("{{#l}}") + p("- {{n}}") + table([p("{{n}}"), p("t")]) + p("{{/l}}") + p("end");
    const { lines } = await outcome(body, { l: [{ n: 1 }, { n: 2 }] });
    expect(lines.filter((line) => line !== "")).toEqual(["- 1", "1 | t", "- 2", "2 | t", "end"]);
    expect((await outcome(body, { l: [] })).lines).toEqual(["end"]);
  });

  test("with both tags in one row repeats the row", async () => {
    const data = {
      l: [
        { a: 1, b: 2 },
        { a: 3, b: 4 },
      ],
    };
    const body = table([p("h"), p("h")], [p("{{#l}}{{a}}"), p("{{b}}{{/l}}")]);
    expect(await printedBody(body, data)).toBe("h | h / 1 | 2 / 3 | 4");
    const spaced = table([p("h"), p("h")], [p("{{#l}} {{a}}"), p("{{b}} {{/}}")]);
    expect(await printedBody(spaced, data)).toBe("h | h /  1 | 2  /  3 | 4 ");
    expect(await printedBody(body, { l: [] })).toBe("h | h");
  });

  test("with both tags in one of several cells repeats the content between them, not the row", async () => {
    const body = table([p("{{#tags}}{{.}} {{/tags}}"), p("x")]);
    expect(await printedBody(body, { tags: ["a", "b"] })).toBe("a b  | x");
  });

  test("inverted in a row shows the row", async () => {
    const body = table([p("h"), p("h")], [p("{{^l}}none"), p("-{{/l}}")]);
    expect(await printedBody(body, { l: [] })).toBe("h | h / none | -");
    expect(await printedBody(body, { l: [1] })).toBe("h | h");
  });

  test("may be nested with blocks in the other syntax", async () => {
    const data = {
      items: [
        { n: 1, tags: ["x", "y"] },
        { n: 3, tags: [] },
      ],
    };
    const text =
      "{{#items}}{{if n > 2}}big{{else}}{{for t in tags}}{{t}}{{n}} {{endfor}}{{endif}};{{/items}}";
    expect(await printed(text, data)).toBe("x1 y1 ;big;");
    const other =
      "{{for i in items}}{{#i.tags}}{{.}}{{i.n}} {{/i.tags}}{{^i.tags}}none{{/}};{{endfor}}";
    expect(await printed(other, data)).toBe("x1 y1 ;none;");
  });

  test("may test a condition, and keeps its scope", async () => {
    expect(await printed("{{#n > 2}}{{n}}{{/n > 2}}{{^n > 2}}small{{/}}", { n: 3 })).toBe("3");
    expect(await printed("{{#n > 2}}{{n}}{{/n>2}}{{^n > 2}}small{{/}}", { n: 1 })).toBe("small");
  });

  test("over a computation that gives 0 is hidden, and its inversion is shown", async () => {
    expect(await printed("{{#n - 2}}y{{/}}{{^n - 2}}z{{/}}", { n: 2 })).toBe("z");
    expect(await printed("{{#$sum(l)}}y{{/}}{{^$sum(l)}}z{{/}}", { l: [1, -1] })).toBe("z");
    expect(await printed("{{#$count(l)}}y{{/}}{{^$count(l)}}z{{/}}", { l: [] })).toBe("z");
  });

  test("over a missing value is not an error of the entry", async () => {
    expect(await told("{{#gone}}x{{/gone}}", {})).not.toContain("error missing_value");
  });
});

describe("a section without a value", () => {
  const warned = async (text: string, data: Record<string, unknown>): Promise<unknown[]> => {
    const { warnings } = await outcome(p(text), data);
    return warnings.map(({ code, hint }) => [code, hint]);
  };

  test.for([{}, { v: null }, { v: undefined }])(
    "gives no warning if an inverted section next to it shows something: %o",
    async (data) => {
      for (const text of ["{{#v}}a{{/v}}{{^v}}b{{/v}}", "{{^v}}b{{/v}} {{#v}}a{{/v}}"]) {
        expect(await warned(text, data)).toEqual([]);
      }
    },
  );

  test.for([
    "{{#v}}a{{/v}}",
    "{{#v}}a{{/v}}{{^w}}b{{/w}}",
    "{{#v}}a{{/v}}{{if w}}{{^v}}b{{/v}}{{endif}}",
    "{{#v}}a{{/v}}{{#w}}{{^v}}b{{/v}}{{/w}}",
  ])("gives a warning otherwise: %s", async (text) => {
    expect((await warned(text, { w: true })).at(0)).toEqual(["missing_section", undefined]);
  });

  test("gives a warning if its name seems to be misspelled", async () => {
    const text = "{{#role}}a{{/role}}{{^role}}b{{/role}}";
    expect(await warned(text, { rolle: 1 })).toContainEqual([
      "missing_section",
      expect.stringContaining("rolle"),
    ]);
    expect(await warned(text, { role: null, rolle: 1 })).not.toContainEqual([
      "missing_section",
      expect.anything(),
    ]);
  });
});
