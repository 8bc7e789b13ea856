import type { Diagnostic } from "@quire/contracts";
import { describe, expect, test } from "vitest";
import { docx, p } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate, type RenderOptions } from "../../src/index.ts";
import { outcome, printed, told } from "../support/language.ts";

async function unused(text: string, data: Record<string, unknown>): Promise<string[]> {
  const { warnings } = await outcome(p(text), data);
  return warnings.filter(({ code }) => code === "unused_value").map(({ message }) => message);
}

describe("an empty string for a code", () => {
  test.each([
    ["prints nothing if it is optional", '[{{v :: barcode("code128"), optional}}]', "[]"],
    ["prints nothing if its default is empty", '[{{v :: qrcode, default("")}}]', "[]"],
  ])("%s", async (_what, text, expected) => {
    expect(await printed(text, { v: "" })).toBe(expected);
    expect(await told(text, { v: "" })).toEqual([]);
  });

  test("is an invalid value otherwise", async () => {
    const { warnings } = await outcome(p("[{{v :: qrcode}}]"), { v: "" });
    expect(warnings).toMatchObject([{ code: "invalid_value" }]);
    expect(warnings[0]?.message).toContain("it is empty; write :: optional in the tag");
  });
});

describe("a missing value", () => {
  test("remains in the text as its tag, and is reported in the words of the hosted service", async () => {
    const { lines, warnings } = await outcome(p("Dear {{customer_name}},"), {});
    expect(lines).toEqual(["Dear {{customer_name}},"]);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatchObject({
      severity: "error",
      message: "The tag 'customer_name' was not provided in the input data.",
      pointer: "/customer_name",
    });
  });

  test.each([
    "{{ a }}",
    "{{a.b[“c”]}}",
    "{{a – b}}",
    "{{\u00a0a\u00a0}}",
    "{{a :: uppercase, truncate(2)}}",
    "{{$sum(a.b)}}",
    "{{a['x<y&z']}}",
  ])("keeps %s as plain text", async (tag) => {
    expect(await printed(`<${tag}>`, {})).toBe(`<${tag}>`);
  });

  test("of a nested path is reported with the whole path and its place in the data", async () => {
    const { warnings } = await outcome(p("{{for x in l}}{{x.a.b}}{{endfor}}"), {
      l: [{ a: {} }, {}],
    });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatchObject({ pointer: "/l/0/a/b", pointers: ["/l/0/a/b", "/l/1/a/b"] });
    expect(warnings[0]?.message).toContain("'x.a.b'");
  });

  test("follows the policy of the batch", async () => {
    expect(await printed("[{{gone}}]", {}, { onMissing: "keep" })).toBe("[{{gone}}]");
    expect(await printed("[{{gone}}]", {}, { onMissing: "blank" })).toBe("[]");
    expect(await printed("[{{gone}}]", {}, { onMissing: "fail" })).toBe(
      "invalid_data: missing_value",
    );
    expect(await printed("{{for x in gone}}x{{endfor}}", {}, { onMissing: "fail" })).toBe(
      "invalid_data: missing_value",
    );
    expect(await printed("[{{#gone}}x{{/gone}}]", {}, { onMissing: "fail" })).toBe("[]");
    expect(await printed("[{{if gone}}x{{endif}}]", {}, { onMissing: "fail" })).toBe("[]");
  });

  test("is reported under every policy", async () => {
    for (const onMissing of ["keep", "blank"] as const) {
      expect((await told("{{gone}}", {}, { onMissing })).map((each) => each.split(" ")[1])).toEqual(
        ["missing_value"],
      );
    }
  });

  test("is reported together with an invalid value, which comes first in the message", async () => {
    const template = await compileTemplate(
      docx({ body: p('{{none}} {{day :: format("dd.mm.yyyy")}}') }),
    );
    const codes = ["missing_value", "invalid_value"];
    const data = { day: "x" };
    expect(template.check(data).map(({ code }) => code)).toEqual(codes);
    expect(() => template.render(data)).toThrow(
      expect.objectContaining({
        message: expect.stringContaining("(2 problems). The first: The value for the tag {{day"),
        diagnostics: codes.map((code) => expect.objectContaining({ code })),
      }),
    );
  });

  test("that is optional or has a default prints nothing or the default under every policy", async () => {
    for (const onMissing of ["keep", "blank", "fail"] as const) {
      const text = '[{{gone :: optional}}][{{gone.far :: default("d")}}][{{1 + gone :: optional}}]';
      expect(await printed(text, {}, { onMissing })).toBe("[][d][]");
      expect(await told(text, {}, { onMissing })).toEqual([]);
    }
  });

  test("is never printed as undefined, null or NaN", async () => {
    const data = { n: null, u: undefined, l: [null, undefined], o: { n: null } };
    const tags = [
      "n",
      "u",
      "l",
      "o.n",
      "l[0]",
      "n + 1",
      "u * 1",
      "$sum(n)",
      "$sum(l)",
      "$average(l)",
      "$max(l)",
      "$join(l)",
      "-n",
    ];
    for (const tag of tags) {
      for (const onMissing of ["keep", "blank"] as const) {
        const text = (await printed(`{{${tag}}}`, data, { onMissing })).replace(`{{${tag}}}`, "");
        expect(text).not.toMatch(/undefined|null|NaN|object/);
      }
    }
  });

  test("is reported with a similar name", async () => {
    const hint = async (text: string, data: Record<string, unknown>): Promise<string | undefined> =>
      (await outcome(p(text), data)).warnings.find(({ code }) => code === "missing_value")?.hint;
    expect(await hint("{{custmer}}", { customer: 1 })).toContain("customer");
    expect(await hint("{{a.custmer}}", { a: { customer: 1 } })).toContain("a.customer");
    expect(await hint("{{#l}}{{nmae}}{{/l}}", { l: [{ name: 1 }] })).toContain("name");
    expect(await hint("{{for item in l}}{{itme}}{{endfor}}", { l: [1] })).toContain("item");
    expect(await hint("{{for x in itms}}{{x}}{{endfor}}", { items: [1] })).toContain("items");
  });

  test("is reported without any value of the data", async () => {
    const { warnings } = await outcome(p("{{secre}}{{l.a}}{{o}}"), {
      secret: "S3CR3T",
      l: "S3CR3T",
      o: { S: "S3CR3T" },
    });
    expect(JSON.stringify(warnings)).not.toContain("S3CR3T");
  });
});

describe("a key that no tag uses", () => {
  test("gives a warning in the words of the hosted service, with the name that may be meant", async () => {
    const { warnings } = await outcome(p("{{customer}}"), { custommer: 1 });
    const found = warnings.find(({ code }) => code === "unused_value") as Diagnostic;
    expect(found).toMatchObject({
      severity: "warning",
      message: "The tag 'custommer' was provided but not used in the template.",
      pointer: "/custommer",
    });
    expect(found.hint).toContain("customer");
  });

  test.each([
    ["{{a}}", { a: 1 }],
    ["{{a.b}}", { a: { b: 1 } }],
    ["{{a[0]}}", { a: [1, 2] }],
    ['{{a["b c"]}}', { a: { "b c": 1 } }],
    ["{{x + y * z}}", { x: 1, y: 2, z: 3 }],
    ["{{$sum(l.n)}}", { l: [{ n: 1 }, { n: 2 }] }],
    ["{{if a}}x{{endif}}", { a: 1 }],
    ["{{if a == b and not c}}x{{endif}}", { a: 1, b: 2, c: 3 }],
    ["{{if 1 == 2}}{{a}}{{elseif b}}{{c}}{{else}}{{d}}{{endif}}", { a: 1, b: 0, c: 1, d: 1 }],
    ["{{for x in l}}{{x.n}}{{endfor}}", { l: [{ n: 1 }] }],
    ["{{for x in l}}{{x}}{{endfor}}", { l: [1] }],
    ["{{for x in l}}{{.}}{{endfor}}", { l: [1] }],
    ["{{for x in l}}y{{endfor}}", { l: [1] }],
    ["{{#l}}{{n}}{{/l}}", { l: [{ n: 1 }] }],
    ["{{#l}}{{n}}{{/l}}", { l: [{}], n: 1 }],
    ["{{#o}}{{n}}{{m}}{{/o}}", { o: { n: 1 }, m: 2 }],
    ["{{^l}}x{{/l}}", { l: [1] }],
    ["{{#l}}{{#m}}{{.}}{{/m}}{{/l}}", { l: [{ m: [1] }] }],
    ["{{a :: optional}}", { a: 1 }],
    ["{{for x in l}}{{for y in x}}{{y.n}}{{endfor}}{{endfor}}", { l: [[{ n: 1 }]] }],
  ])("is not reported in %s", async (text, data) => {
    expect(await unused(text, data)).toEqual([]);
  });

  test.each([
    ["{{a}}", { a: 1, b: 2 }, ["b"]],
    ["{{a.b}}", { a: { b: 1, c: 2 } }, ["a.c"]],
    [
      "{{for x in l}}{{x.n}}{{endfor}}",
      {
        l: [
          { n: 1, m: 2 },
          { n: 1, m: 3 },
        ],
      },
      ["l.m"],
    ],
    ["{{#l}}{{n}}{{/l}}", { l: [{ n: 1, m: 2 }] }, ["l.m"]],
    ["no tag", { "first name": 1 }, ["first name"]],
    ["{{! a }}", { a: 1 }, ["a"]],
    ["\\{{a}}", { a: 1 }, ["a"]],
    ["[[a]]", { a: 1 }, ["a"]],
    ["x", JSON.parse('{"__proto__": 1, "constructor": 2}'), ["__proto__", "constructor"]],
  ])("in %s of %j is reported", async (text, data, names) => {
    expect(await unused(text, data)).toEqual(
      names.map((name) => `The tag '${name}' was provided but not used in the template.`),
    );
  });
});

describe("elements of a list without a value", () => {
  const items = [{ q: 1 }, { q: null }, { q: 2 }, {}];
  const data = { items, l: ["a", null, "b"], c: [{ items }, {}, { items: [{ q: 3 }] }] };

  /** Returns the places of the elements that are skipped. */
  async function skipped(text: string, options: RenderOptions = {}): Promise<unknown[]> {
    const { error, warnings } = await outcome(p(text), data, options);
    const found = warnings.filter(({ code }) => code === "skipped_value");
    const places: unknown[] = found.flatMap<unknown>(({ pointer, pointers }) => [
      ...(pointers ?? [pointer]),
    ]);
    return [...(error === null ? [] : [error]), ...places];
  }

  test("are skipped in a sum, with a warning that has their places", async () => {
    const { lines, warnings } = await outcome(p("{{$sum(items.q)}}"), data);
    expect(lines).toEqual(["3"]);
    expect(warnings[0]).toMatchObject({
      severity: "warning",
      code: "skipped_value",
      message: "The tag {{$sum(items.q)}} leaves out elements of 'items.q' that have no value.",
      hint: "Give each element a value, or write :: optional in the tag if some may lack one.",
      pointer: "/items/1/q",
      pointers: ["/items/1/q", "/items/3/q"],
      count: 2,
    });
  });

  test.each([
    ["{{$average(items.q)}}", ["/items/1/q", "/items/3/q"]],
    ["{{$min(items.q)}} {{$max(l.q) :: optional}}", ["/items/1/q", "/items/3/q"]],
    ["{{$sum(c.items.q)}}", ["/c/0/items/1/q", "/c/0/items/3/q", "/c/1/items"]],
    [
      "{{for x in c}}{{$sum(x.items.q) :: number(2)}}{{endfor}}",
      ["/c/0/items/1/q", "/c/0/items/3/q"],
    ],
    ["{{$join(l)}}", ["/l/1"]],
    ["{{l}}", ["/l/1"]],
    ["{{items.q}}", ["/items/1/q", "/items/3/q"]],
    ["{{items.q :: number(2)}}", ["/items/1/q", "/items/3/q"]],
    ["{{2 * $sum(items.q)}}", ["/items/1/q", "/items/3/q"]],
    ["{{if $sum(items.q) > 1}}{{endif}}", ["/items/1/q", "/items/3/q"]],
    ["{{#$sum(items.q) > 1}}{{/}}", ["/items/1/q", "/items/3/q"]],
    ["{{for i in items}}{{$sum(items.q)}}{{endfor}}", ["/items/1/q", "/items/3/q"]],
  ])("are reported in %s", async (text, places) => {
    expect(await skipped(text)).toEqual(places);
  });

  test.each([
    "{{$sum(items.q) :: optional}}",
    '{{$sum(items.q) :: default("0")}}',
    "{{items.q :: optional}}",
    "{{$count(items.q)}}{{$count(l)}}{{$length(l)}}",
    "{{for x in l}}{{x :: optional}}{{endfor}}",
    "{{l :: checkbox}}",
    "{{if l}}{{endif}}{{if l contains 'a'}}{{endif}}{{if items.q isEmpty}}{{endif}}",
    "{{$sum(items.none) :: optional}}",
  ])("are not reported in %s", async (text) => {
    expect(await skipped(text)).toEqual([]);
  });

  test("are reported in a list in brackets, by the name of the first one", async () => {
    const { lines, warnings } = await outcome(p("{{[net, tax, freight].sum()}}"), { net: 100 });
    expect(lines).toEqual(["100"]);
    expect(warnings).toMatchObject([
      {
        code: "skipped_value",
        message: "The tag {{[net, tax, freight].sum()}} leaves out 'tax', which has no value.",
        hint: "Correct its name, add it to the data, or write what counts in its place: (tax ?? 0).",
        pointers: ["/tax", "/freight"],
      },
    ]);
    const joined = await outcome(p('{{[net, city].join(", ")}}'), { net: 100 });
    expect(joined.warnings[0]?.hint).toContain('[a, b].nonEmpty().join(", ")');
  });

  test.each([
    "{{[net, tax].sum() :: optional}}",
    "{{[net, tax ?? 0].sum()}}",
    '{{[net, tax].nonEmpty().join(", ")}}',
    "{{[net, tax].count(this)}}",
  ])("are not reported in %s", async (text) => {
    const { warnings } = await outcome(p(text), { net: 100 });
    expect(warnings).toEqual([]);
  });

  test("are an error under the policy that rejects missing values, except in a condition", async () => {
    const fail = { onMissing: "fail" } as const;
    expect(await skipped("{{$sum(items.q)}}", fail)).toEqual([
      "invalid_data",
      "/items/1/q",
      "/items/3/q",
    ]);
    expect(await skipped("{{l}}", fail)).toEqual(["invalid_data", "/l/1"]);
    expect(await skipped("{{$sum(items.q) :: optional}}", fail)).toEqual([]);
    expect(await skipped("{{if $sum(items.q) > 1}}{{endif}}", fail)).toEqual([
      "/items/1/q",
      "/items/3/q",
    ]);
  });

  test("give one warning for a hundred thousand of them", async () => {
    const l = Array.from({ length: 100_000 }, () => null);
    const { warnings } = await outcome(p("{{$sum(l)}}"), { l });
    expect(warnings).toEqual([expect.objectContaining({ count: 100_000, pointer: "/l/0" })]);
  });
});
