import { describe, expect, test } from "vitest";
import { p, table } from "../../../ooxml/test/support/docx.ts";
import { outcome, printed, printedBody } from "../support/language.ts";

const data = {
  n: 10,
  ten: "10",
  dec: 0.1,
  status: "open",
  city: "Zürich",
  yes: true,
  no: false,
  zero: 0,
  empty: "",
  space: " ",
  none: [],
  list: ["a", "b", 3],
  objects: [{ n: 1 }, { n: 2 }],
  object: { a: 1 },
  bare: {},
  nothing: null,
  nan: Number.NaN,
  big: 12345678901234567890123n,
  minus: -0,
  word: "false",
};

async function holds(condition: string): Promise<boolean> {
  const text = await printed(`{{if ${condition}}}yes{{else}}no{{endif}}`, data);
  if (text !== "yes" && text !== "no") throw new Error(text);
  return text === "yes";
}

describe("a condition holds:", () => {
  test.each([
    "n == 10",
    "n != 11",
    "n < 11",
    "n <= 10",
    "n > 9",
    "n >= 10",
    "n==10",
    "n>=10",
    "10 == n",
    "n == 10.0",
    "dec + 0.2 == 0.3",
    "n * 2 > 19.9",
    "-n < 0",
    "n – 5 == 5",
    'status == "open"',
    "status == 'open'",
    "status == “open”",
    "status == ”open“",
    "status == ‘open’",
    "status == «open»",
    'status != "Open"',
    'status\u00a0==\u00a0"open"',
    "status <= 'open'",
    "city == 'Zürich'",
    "yes",
    "not no",
    "!no",
    "! no",
    "not not yes",
    "not missing",
    "yes and n",
    "yes && n",
    "no or yes",
    "no || yes",
    "no and no or yes",
    "yes or no and no",
    "(yes or no) and not no",
    "not no and yes",
    "not n == 11",
    "not (n == 10 and no)",
    "yes == true",
    "no == false",
    "n isPresent",
    "empty isPresent",
    "no isPresent",
    "zero isPresent",
    "none isPresent",
    "not missing isPresent",
    "not nothing isPresent",
    "!missing isPresent",
    "object.a isPresent",
    "not object.b isPresent",
    "status isPresent and n > 5",
    "missing isEmpty",
    "nothing isEmpty",
    "empty isEmpty",
    "none isEmpty",
    "not list isEmpty",
    "not status isEmpty",
    'list contains "a"',
    "list contains 3",
    'status contains "pe"',
    "not (list contains 'z')",
    "not list contains 'z'",
    "objects.n contains 2",
    "$count(list) == 3",
    "$sum(objects.n) > 2",
    "$length(status) == 4",
    "object",
    "bare",
    "space",
    "word",
    "ten",
    "list",
    "big > 12345678901234567890122",
    "big == 12345678901234567890123",
    "zero == minus",
    "missing != 'x'",
    "missing == null",
    "nothing == null",
    "n == 10 and status == 'open' and not missing and (no or yes)",
  ])("%s", async (condition) => {
    expect(await holds(condition)).toBe(true);
  });
});

describe("a condition does not hold:", () => {
  test.each([
    "no",
    "zero",
    "minus",
    "empty",
    "none",
    "nothing",
    "missing",
    "missing.deeper",
    "nan",
    "constructor",
    "__proto__",
    "object.constructor",
    "list.length",
    "constructor isPresent",
    "status == 'OPEN'",
    "ten == '10.0'",
    "city == 'Zurich'",
    "missing == 'x'",
    "missing < 5",
    "missing >= 0",
    "missing contains 'a'",
    "missing isPresent",
    "list isEmpty",
    "list contains 'A'",
    "yes and no",
    "not yes",
    "nan == nan",
    "zero isEmpty",
    "no isEmpty",
  ])("%s", async (condition) => {
    expect(await holds(condition)).toBe(false);
  });

  test("between a string and the number that it spells as between numbers", async () => {
    // The language does not define this. Data from CSV has only strings.
    expect(await holds("ten == 10")).toBe(true);
    expect(await holds("ten > 9")).toBe(true);
  });
});

describe("if", () => {
  const chain = "{{if n == 1}}one{{elseif n == 2}}two{{elseif n < 9}}few{{else}}many{{endif}}";
  test.each([
    [1, "one"],
    [2, "two"],
    [3, "few"],
    [9, "many"],
  ])("of %d shows the first branch whose condition holds", async (n, expected) => {
    expect(await printed(chain, { n })).toBe(expected);
  });

  test("shows only the first of several branches that hold, and evaluates no further condition", async () => {
    expect(await printed("{{if a}}1{{elseif a}}2{{elseif a}}3{{else}}4{{endif}}", { a: 1 })).toBe(
      "1",
    );
    expect(await printed("{{if a}}1{{elseif 1 / 0 > 1}}2{{endif}}", { a: 1 })).toBe("1");
    expect(await printed("{{if a}}{{1 / 0}}{{else}}ok{{endif}}", { a: 0 })).toBe("ok");
  });

  test("nests", async () => {
    const text =
      "{{if a}}A{{if b}}B{{if c}}C{{else}}c{{endif}}{{else}}b{{endif}}{{else}}a{{if b}}B{{endif}}{{endif}}.";
    expect(await printed(text, { a: 1, b: 1, c: 1 })).toBe("ABC.");
    expect(await printed(text, { a: 1, b: 1 })).toBe("ABc.");
    expect(await printed(text, { a: 1 })).toBe("Ab.");
    expect(await printed(text, { b: 1 })).toBe("aB.");
    expect(await printed(text, {})).toBe("a.");
  });

  test("works over paragraphs, and leaves no blank one", async () => {
    const body =
      p("a") + p("{{if yes}}") + p("b") + p("{{else}}") + p("c") + p("{{endif}}") + p("d");
    expect(await printedBody(body, { yes: true })).toBe("a / b / d");
    expect(await printedBody(body, { yes: false })).toBe("a / c / d");
  });

  test("works over rows and whole tables", async () => {
    const rows = table([p("h")], [p("{{if yes}}")], [p("r")], [p("{{endif}}")], [p("f")]);
    expect(await printedBody(rows, { yes: true })).toBe("h / r / f");
    expect(await printedBody(rows, {})).toBe("h / f");
    const whole = p("a") + p("{{if yes}}") + table([p("t")]) + p("{{endif}}") + p("b");
    expect(await printedBody(whole, { yes: true })).toBe("a / t / b");
    expect(await printedBody(whole, {})).toBe("a / b");
  });

  test("works within a cell and keeps its paragraph", async () => {
    const body = table([p("{{if yes}}x{{endif}}"), p("y")]);
    expect(await printedBody(body, { yes: 1 })).toBe("x | y");
    const { bytes, lines } = await outcome(body, {});
    expect(lines).toEqual([" | y"]);
    expect(bytes.length).toBeGreaterThan(0);
  });

  test("inside nested loops and ifs has the data of each iteration", async () => {
    const text =
      "{{for g in gs}}{{if g.on}}{{for i in g.is}}{{if i > 1}}{{for k in g.ks}}{{k}}{{i}}{{if not $last}},{{endif}}{{endfor}};{{endif}}{{endfor}}{{else}}off;{{endif}}{{endfor}}";
    const gs = [
      { on: true, is: [1, 2, 3], ks: ["a", "b"] },
      { on: false, is: [5], ks: ["z"] },
    ];
    expect(await printed(text, { gs })).toBe("a2,b2;a3,b3;off;");
  });

  test.each([
    ['{{if l == "p"}}', "l", "list", "contains"],
    ['{{if l != "p"}}', "l", "list", "contains"],
    ['{{if "p" == l}}', "l", "list", "contains"],
    ["{{if o == 1}}", "o", "object", "values within"],
    ["{{if l == m}}", "l", "list", "values within"],
    ["{{if true and not (o.l == t)}}", "o.l", "list", "contains"],
  ])("%s compares values that are never equal, with a warning", async (tag, path, kind, hint) => {
    const data = { l: ["p"], m: ["p"], o: { l: [] }, t: "x" };
    const { warnings } = await outcome(p(`${tag}x{{endif}}{{#l}}{{/l}}`), data);
    const found = warnings.filter(({ code }) => code !== "unused_value");
    expect(found).toEqual([
      expect.objectContaining({
        severity: "warning",
        code: "never_equal",
        message: expect.stringContaining(`compares '${path}', which is a`),
        hint: expect.stringContaining(hint),
        pointer: `/${path.replace(".", "/")}`,
      }),
    ]);
    expect(found[0]?.message).toContain(kind);
  });

  test.each([
    "{{if l == null}}",
    "{{if l == l}}",
    "{{if gone == t}}",
    '{{if l contains "p"}}',
    "{{if d == t}}",
    "{{if n + 1 == 2}}",
  ])("%s gives no such warning", async (tag) => {
    const data = { l: ["p"], t: "x", d: new Date(0), n: 1 };
    const { warnings } = await outcome(p(`${tag}x{{endif}}`), data);
    expect(warnings.map(({ code }) => code)).not.toContain("never_equal");
  });

  test("with values that cannot be ordered gives an error that names the tag", async () => {
    const { error, warnings } = await outcome(p("{{if list > 3}}x{{endif}}"), { list: [1] });
    expect(error).toBe("invalid_data");
    expect(warnings[0]?.message).toContain("{{if list > 3}}");
  });

  test.each([
    "{{if}}x{{endif}}",
    "{{if a ==}}x{{endif}}",
    "{{if == a}}x{{endif}}",
    "{{if a = b}}x{{endif}}",
    "{{if a === b}}x{{endif}}",
    "{{if a and}}x{{endif}}",
    "{{if (a}}x{{endif}}",
    "{{if a b}}x{{endif}}",
    "{{if a > 1 > 0}}x{{endif}}",
    '{{if a == "x}}x{{endif}}',
    "{{if a.b()}}x{{endif}}",
    "{{if a isThere}}x{{endif}}",
  ])("written as %s is a template error", async (text) => {
    expect(await printed(text, {})).toBe("invalid_template: tag_syntax");
  });
});

describe("a missing name in the branches of a block", () => {
  const places = async (text: string, data: Record<string, unknown>): Promise<unknown[]> => {
    const { warnings } = await outcome(p(text), data);
    return warnings.map(({ code, template, pointers, pointer }) => [
      code,
      template?.tag,
      pointers ?? pointer,
    ]);
  };
  const code = "missing_in_condition";

  test("is reported once, at the first branch", async () => {
    const text = "{{if a == 1}}A{{elseif a == 2}}B{{elseif a > b}}C{{else}}D{{endif}}";
    expect(await places(text, { b: 1 })).toEqual([[code, "{{if a == 1}}", "/a"]]);
    expect(await places(text, {})).toEqual([
      [code, "{{if a == 1}}", "/a"],
      [code, "{{elseif a > b}}", "/b"],
    ]);
  });

  test("is reported for each block and each item", async () => {
    const text =
      "{{for x in l}}{{if x.a == 1}}A{{elseif x.a == 2}}B{{endif}}{{endfor}}{{if l.a == 1}}C{{endif}}";
    expect(await places(text, { l: [{}, {}] })).toEqual([
      [code, "{{if x.a == 1}}", ["/l/0/a", "/l/1/a"]],
      [code, "{{if l.a == 1}}", "/l/a"],
    ]);
    const nested = "{{if a == 1}}{{else}}{{if a == 2}}B{{endif}}{{endif}}";
    expect(await places(nested, {})).toHaveLength(2);
  });
});

describe("a string that means no", () => {
  const warned = async (text: string, data: Record<string, unknown>): Promise<unknown[]> => {
    const { warnings } = await outcome(p(text), data);
    const found = warnings.filter(({ code }) => code !== "unused_value");
    return found.map(({ severity, code, pointer }) => [severity, code, pointer]);
  };
  const doubt = [["warning", "text_as_condition", "/v"]];

  test.for([
    "{{if v}}yes{{endif}}",
    "{{if not v}}no{{endif}}",
    "{{if v or w}}yes{{endif}}",
    "{{if w and (v)}}yes{{endif}}",
    "{{if w == 2}}{{elseif v}}yes{{endif}}",
    "{{#v}}yes{{/v}}",
    "{{^v}}no{{/v}}",
    "{{#v and w}}yes{{/}}",
    "{{v :: checkbox}}",
    '{{v :: checkbox, default("no")}}',
  ])("is true in a condition, with a warning: %s", async (text) => {
    for (const v of ["false", "no", "0", "FALSE", " off ", "n", "0.00", "0,00"]) {
      expect(await warned(text, { v, w: 1 })).toEqual(doubt);
    }
    for (const v of [false, 0, true, "yes", "", "00:00"]) {
      expect(await warned(text, { v, w: 1 })).toEqual([]);
    }
    for (const v of ["none", "nothing", "note"]) {
      // Other text checks a box, too.
      expect(await warned(text, { v, w: 1 })).toEqual(text.includes("checkbox") ? doubt : []);
    }
  });

  test.for(['{{if v == "no"}}x{{endif}}', "{{if v isPresent}}x{{endif}}", "{{v}}"])(
    "gives no warning if its truth is not tested: %s",
    async (text) => expect(await warned(text, { v: "no" })).toEqual([]),
  );

  test.for([
    "{{if v}}{{v}}{{endif}}",
    "{{if v}}Note: {{w}} {{v :: uppercase}}{{endif}}",
    "{{if w == 2}}{{elseif v}}{{v}}{{endif}}",
    "{{if v}}{{if w}}Note: {{v}}{{endif}}{{endif}}",
    "{{if not v}}-{{else}}{{v}}{{endif}}",
    "{{#v}}{{v}}{{/v}}",
    "{{#v and w}}{{v}}{{/}}",
  ])("gives no warning in a block that prints it: %s", async (text) => {
    expect(await warned(text, { v: "no", w: 1 })).toEqual([]);
  });

  test.for([
    "{{if v}}{{w}}{{endif}}{{v}}",
    "{{if v}}{{v :: checkbox}}{{endif}}",
    "{{v}}{{#v}}{{w}}{{/v}}",
  ])("gives a warning in a block that prints something else: %s", async (text) => {
    const found = await warned(text, { v: "no", w: 1 });
    expect(found).toContainEqual(doubt[0]);
  });

  test("the warning gives the reason and the fix, once for all iterations", async () => {
    const { warnings } = await outcome(p("{{for x in xs}}{{if x.v}}y{{endif}}{{endfor}}"), {
      xs: [{ v: "no" }, { v: "yes" }, { v: "no" }],
    });
    expect(warnings).toMatchObject([
      {
        message:
          "The tag {{if x.v}} treats text that means no as true: only empty text counts as false.",
        hint: expect.stringContaining("compare it with the text"),
        pointers: ["/xs/0/v", "/xs/2/v"],
        count: 2,
      },
    ]);
  });
});
