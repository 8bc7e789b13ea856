import { describe, expect, test } from "vitest";
import { p, table } from "../../../ooxml/test/support/docx.ts";
import { outcome, printed, printedBody, told } from "../support/language.ts";

const lists = { items: [{ n: 1 }, { n: 2 }], totals: [{ n: 3 }] };

describe("a loop over one of two lists", () => {
  test.each([
    ["{{for i in $if(detailed, items, totals)}}{{i.n}};{{endfor}}"],
    ["{{for i in $if(detailed == true, items, totals)}}{{i.n}};{{endfor}}"],
    ["{{for i in $if(detailed, items, totals).where(n > 0)}}{{i.n}};{{endfor}}"],
    ["{{for i in $if(detailed, items, totals.sort(n))}}{{i.n}};{{endfor}}"],
    ["{{for i in $if(not detailed, totals, $if(detailed, items, totals))}}{{i.n}};{{endfor}}"],
  ])("repeats the list that the condition chooses: %s", async (text) => {
    expect(await printed(text, { ...lists, detailed: true })).toBe("1;2;");
    expect(await printed(text, { ...lists, detailed: false })).toBe("3;");
  });

  test("repeats rows", async () => {
    const body = table([p("{{tablerow i in $if(detailed, items, totals)}}{{i.n}}{{endtablerow}}")]);
    expect(await printedBody(body, { ...lists, detailed: true })).toBe("1 / 2");
  });

  test.each([
    ["$if(c, a, b)", { c: false, a: [1], b: [1, "x"] }, ["/b/1"]],
    ["$if(c, a, b).skip(1)", { c: false, a: [1], b: [1, "x"] }, ["/b/1"]],
    ["$if(c, a, $if(c, a, b))", { c: false, a: [1], b: [1, "x"] }, ["/b/1"]],
    ["a ?? b", { b: [1, "x"] }, ["/b/1"]],
    ["(a ?? b).skip(1)", { b: [1, "x"] }, ["/b/1"]],
  ])("over %s names the place of an element in the chosen list", async (list, data, places) => {
    const { warnings } = await outcome(p(`{{for i in ${list}}}{{i * 2}}{{endfor}}`), data);
    expect(warnings.map(({ pointer }) => pointer)).toEqual(places);
  });

  test("names the chosen list if it is missing or not a list", async () => {
    const text = "{{for i in $if(detailed, items, totals)}}{{i.n}}{{endfor}}";
    const data = { detailed: false, items: [] };
    const missing = await outcome(p(text), data);
    expect(missing.warnings).toEqual([
      expect.objectContaining({
        message: "The tag 'totals' was not provided in the input data.",
        pointer: "/totals",
      }),
    ]);
    const wrong = await outcome(p(text), { ...data, totals: "x" });
    expect(wrong.warnings).toEqual([
      expect.objectContaining({
        message: expect.stringContaining("repeats 'totals', which is text and not a list"),
        pointer: "/totals",
      }),
    ]);
    expect(await told(text.replace("}}", " :: optional}}"), data)).toEqual([]);
  });

  test("is not a loop over a value that is not a list", async () => {
    expect(await printed("{{for i in $if(a, 1, 2)}}{{i}}{{endfor}}", {})).toBe(
      "invalid_template: tag_syntax",
    );
  });
});

describe("a key that no tag uses", () => {
  test.each([
    ["{{for i in $if(c, items, totals)}}{{i.n}}{{endfor}}"],
    ["{{for i in items ?? totals}}{{i.n}}{{endfor}}{{if c}}{{endif}}{{for t in totals}}{{endfor}}"],
    ["{{for l in [first, second]}}{{l.n}}{{endfor}}{{if c}}{{endif}}"],
  ])("is reported for lists that an expression chooses: %s", async (text) => {
    const data = { c: true, items: [{ n: 1, x: 1 }], totals: [{ n: 2, y: 2 }] };
    const others = { first: { n: 1, x: 1 }, second: { n: 2, y: 1 } };
    const isOther = text.includes("first");
    const used = isOther ? { c: true, ...others } : data;
    const { warnings } = await outcome(p(text), used);
    const pointers = warnings.filter(({ code }) => code === "unused_value");
    expect(pointers.map(({ pointer }) => pointer)).toEqual(
      isOther ? ["/first/x", "/second/y"] : ["/items/0/x", "/totals/0/y"],
    );
  });
});

describe("a list of one result", () => {
  test("gives the result a name", async () => {
    const data = { items: [{ p: 2 }, { p: 3 }], a: 1 };
    expect(await printed("{{for t in [items.sum(p)]}}{{t}} {{t * 2}}{{endfor}}", data)).toBe(
      "5 10",
    );
    expect(
      await printed("{{for i in items}}{{for t in [i.p * 2]}}{{t}} {{endfor}}{{endfor}}", data),
    ).toBe("4 6 ");
    expect(
      await printed('{{for t in [b ?? "none"]}}{{t}}{{endfor}}{{[a + 1].count()}}', data),
    ).toBe("none1");
  });

  test("may be a name, in a loop or before a function", async () => {
    const data = { a: 1, date: "2026-11-20", name: "" };
    expect(await printed("{{for d in [date]}}{{d}}{{endfor}} {{[a].max()}}", data)).toBe(
      "2026-11-20 1",
    );
    const { warnings } = await outcome(p("{{[a]}}"), data);
    expect(warnings).toMatchObject([{ code: "tag_syntax" }]);
  });
});
