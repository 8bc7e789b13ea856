import { describe, expect, test } from "vitest";
import { manyRuns } from "../../../contracts/test/support/runs.ts";
import { docx, p, r, type TestDocument } from "../../../ooxml/test/support/docx.ts";
import type { RenderOptions } from "../../src/index.ts";
import { compileTemplate } from "../../src/index.ts";
import { outcome } from "../support/language.ts";

/** Returns the places in the data of all problems, except for unused keys. */
async function places(
  template: TestDocument | string,
  data: Readonly<Record<string, unknown>>,
  options: RenderOptions = {},
): Promise<(string | undefined)[]> {
  const { warnings } = await outcome(template, data, options);
  return warnings
    .filter(({ code }) => code !== "unused_value")
    .flatMap(({ pointer, pointers }): (string | undefined)[] => [...(pointers ?? [pointer])]);
}

/** Returns three items, of which the second is wrong. */
function items(right: object, wrong: object): object[] {
  return [right, wrong, right];
}

describe("a wrong item of a list is reported with its place in the data", () => {
  const each = (tag: string): string => p(`{{for i in l}}${tag}{{endfor}}`);
  const ean = items({ v: "4006381333931" }, { v: "4006381333932" });

  test.each([
    ["a barcode", '{{i.v :: barcode("ean13")}}', ean],
    ["a QR code", "{{i.v :: qrcode}}", items({ v: "x" }, { v: "x".repeat(9000) })],
    ["a picture", '{{i.v :: width("2cm")}}', items({ v: "" }, { v: "no picture" })],
    ["a link", '{{i.v :: link("x")}}', items({ v: "https://a.example" }, { v: "file:///x" })],
    ["rich text", "{{i.v :: html}}", items({ v: "<b>x</b>" }, { v: "<video>x</video>" })],
    ["a date", '{{i.v :: format("yyyy")}}', items({ v: "2026-01-01" }, { v: "never" })],
    ["a sum", "{{1 + i.v}}", items({ v: 1 }, { v: "x" })],
    ["a product", "{{1 * (2 + i.v)}}", items({ v: 1 }, { v: true })],
    ["a sign", "{{-i.v}}", items({ v: 1 }, { v: [] })],
    ["a division by zero", "{{1 / i.v}}", items({ v: 1 }, { v: 0 })],
    ["a remainder", "{{1 % i.v}}", items({ v: 1 }, { v: 0 })],
    ["$round", "{{$round(i.v)}}", items({ v: 1 }, { v: "x" })],
    ["$length", "{{$length(i.v)}}", items({ v: "x" }, { v: 1 })],
    ["a comparison", "{{if i.v > 1}}{{endif}}", items({ v: 1 }, { v: { a: 1 } })],
    ["the right side of a comparison", "{{if 1 < i.v}}{{endif}}", items({ v: 1 }, { v: { a: 1 } })],
    ["a search", '{{if i.v contains "x"}}{{endif}}', items({ v: "x" }, { v: 1 })],
    ["a computed condition", "{{if i.v + 1 > 1}}{{endif}}", items({ v: 1 }, { v: "x" })],
    ["an elseif", "{{if 1 == 2}}{{elseif i.v > 1}}{{endif}}", items({ v: 1 }, { v: { a: 1 } })],
    ["a section", "{{#i.v > 1}}{{/}}", items({ v: 1 }, { v: { a: 1 } })],
    ["a computed code", '{{i.v * 1 :: barcode("ean13")}}', ean],
  ])("%s", async (_what, tag, l) => {
    expect(await places(each(tag), { l })).toEqual(["/l/1/v"]);
  });

  test("in a sum, the element that is not a number", async () => {
    const l = items({ v: 1 }, { v: "x" });
    expect(await places(p("{{$sum(l.v)}}"), { l })).toEqual(["/l/1/v"]);
    expect(await places(p("{{$max(l)}}"), { l: [1, null, "x"] })).toEqual(["/l/2"]);
    const orders = [{ items: [{ v: 1 }, {}] }, {}, { items: [] }, { items: [{ v: 2 }, { v: {} }] }];
    expect(await places(p("{{$average(orders.items.v) :: optional}}"), { orders })).toEqual([
      "/orders/3/items/1/v",
    ]);
    expect(await places(p("{{$join(l.v)}}"), { l: items({ v: 1 }, { v: {} }) })).toEqual([
      "/l/1/v",
    ]);
    expect(await places(p("{{$join(l, a)}}"), { l: [1], a: 5 })).toEqual(["/a"]);
    expect(await places(p("{{$round(1.5, a)}}"), { a: "x" })).toEqual(["/a"]);
  });

  test("in a printed list, the element that cannot be printed", async () => {
    const l = items({ v: "2026-01-01" }, { v: "never" });
    expect(await places(p('{{l.v :: format("yyyy")}}'), { l })).toEqual(["/l/1/v"]);
    expect(await places(p("{{l}}"), { l: ["a", {}] })).toEqual(["/l/1"]);
    expect(await places(p("{{l}}"), { l: [{}, {}] })).toEqual(["/l"]);
    expect(
      await places(p("{{l.v}}"), { l: items({ v: ["a"] }, { v: ["b", Number.NaN] }) }),
    ).toEqual(["/l/1/v/1"]);
  });

  test("with two operands, the wrong one", async () => {
    const l = [
      { q: 1, p: "x" },
      { q: "x", p: 1 },
    ];
    expect(await places(each("{{i.q * i.p}}"), { l })).toEqual(["/l/0/p", "/l/1/q"]);
    expect(await places(p("{{a + b + c}}"), { a: 1, b: 2, c: "x" })).toEqual(["/c"]);
  });

  test("in a list of pictures, the element that is not a picture", async () => {
    const png =
      "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAAAAAA6mKC9AAAAD0lEQVR42mM4gAYYRrYAAAcKwAHNZWX7AAAAAElFTkSuQmCC";
    expect(await places(p("{{l :: optional}}"), { l: [png, null, "iVBORw0KGgo", png] })).toEqual([
      "/l/2",
    ]);
  });

  test("in sections, nested loops and a loop over a projection", async () => {
    const orders = [{ items: [{ v: 1 }] }, { items: [{ v: 1 }, { v: "x" }] }];
    const at = ["/orders/1/items/1/v"];
    for (const text of [
      "{{#orders}}{{#items}}{{v * 2}}{{/items}}{{/orders}}",
      "{{for o in orders}}{{for i in o.items}}{{i.v * 2}}{{endfor}}{{endfor}}",
      "{{for i in orders.items}}{{i.v * 2}}{{endfor}}",
      "{{#orders.items}}{{v * 2}}{{/orders.items}}",
    ]) {
      expect(await places(p(text), { orders }), text).toEqual(at);
    }
    const l = [{ m: null }, { m: [[1], ["x"]] }];
    expect(
      await places(p("{{for i in l.m}}{{for j in i}}{{j + 1}}{{endfor}}{{endfor}}"), { l }),
    ).toEqual(["/l/1/m/1/0"]);
  });

  test("in flat data, at the key with dots", async () => {
    expect(await places(p("{{a.b + 1}}"), { "a.b": "x" })).toEqual(["/a.b"]);
  });

  test("in a link target and a field", async () => {
    const link = `<w:hyperlink r:id="rIdA">${r("x")}</w:hyperlink>`;
    const field =
      '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> TC "{{i.t}}" </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>';
    const body = `${p("{{for i in l}}")}<w:p>${link}${field}</w:p>${p("{{endfor}}")}`;
    const l = items({ u: "https://a.example", t: "x" }, { u: "javascript:x", t: 'a"b' });
    expect(await places({ body, links: { rIdA: "{{i.u}}" } }, { l })).toEqual(["/l/1/u", "/l/1/t"]);
  });
});

describe("the same mistake in many places is one problem", () => {
  test("with the first places and their number, and is named in the message of the error", async () => {
    const l = Array.from({ length: 5000 }, (_, row) => ({ q: 2, p: row % 100 === 7 ? "x" : 1 }));
    const template = await compileTemplate(
      docx({ body: p("{{for l in l}}{{l.q * l.p}} {{endfor}}") }),
    );
    const [error] = template.check({ l });
    expect(error).toMatchObject({
      message: "The tag {{l.q * l.p}} cannot be computed: 'l.p' is text that is not a number.",
      pointer: "/l/7/p",
      pointers: ["/l/7/p", "/l/107/p", "/l/207/p", "/l/307/p", "/l/407/p"],
      count: 50,
    });
    expect(template.check({ l })).toHaveLength(1);
    expect(() => template.render({ l })).toThrow(
      "(data at /l/7/p, /l/107/p, /l/207/p, /l/307/p, /l/407/p and 45 more)",
    );
  });

  test("in a loop over a projection, too, in linear time", async () => {
    const size = manyRuns(80, 200);
    const orders = Array.from({ length: size }, () => ({
      items: Array.from({ length: size }, () => ({ v: "x" })),
    }));
    const template = await compileTemplate(
      docx({ body: p("{{for i in orders.items}}{{i.v * 2}}{{endfor}}") }),
    );
    expect(template.check({ orders })).toEqual([
      expect.objectContaining({ count: size * size, pointer: "/orders/0/items/0/v" }),
    ]);
  });
});

test("the place is correct in data that the caller has changed since the last document", async () => {
  const body = p("{{for i in groups.items}}{{i.name}}{{endfor}}");
  const template = await compileTemplate(docx({ body }));
  const data = { groups: [{ items: [{}] }] };
  const place = (): string | undefined => template.check(data)[0]?.pointer;
  expect(place()).toBe("/groups/0/items/0/name");
  data.groups.unshift({ items: [] });
  expect(place()).toBe("/groups/1/items/0/name");
});
