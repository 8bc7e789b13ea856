import { describe, expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { hintsIn, outcome, printed } from "../support/language.ts";

/** Returns the warnings and errors of a paragraph, each as its code and its hint. */
function hintsOf(text: string, data: Readonly<Record<string, unknown>>): Promise<string[]> {
  return hintsIn(p(text), data);
}

describe("a text with signs of HTML such as &amp;", () => {
  test.each([
    "plain text, 3 &lt; 4",
    "O&#39;Brien",
    "Caf&eacute;",
    "a&nbsp;b",
    "5 &#x20AC;",
    "M&uuml;ller",
  ])("is printed as it is, with a warning: %s", async (html) => {
    const data = { n: { html } };
    const { lines, warnings } = await outcome(p("{{n.html}}"), data);
    expect(lines).toEqual([html]);
    expect(warnings).toMatchObject([{ code: "detected_html", pointer: "/n/html" }]);
    expect(warnings[0]?.hint).toBe(
      "To print the characters, add :: html to the tag, or correct the data. If the signs are meant as they are, add :: text.",
    );
    expect(await hintsOf("{{n.html :: html}}", data)).toEqual([]);
    expect(await hintsOf("{{n.html :: text}}", data)).toEqual([]);
  });

  test("is printed as the hint says", async () => {
    expect(await printed("{{h :: html}}", { h: "3 &lt; 4" })).toBe("3 < 4");
  });

  test("has another hint if its elements are escaped", async () => {
    expect(await hintsOf("{{h}}", { h: "&lt;b&gt;x&lt;/b&gt;" })).toEqual([
      "detected_html: The elements of the HTML are escaped twice: give the HTML itself in the data. If the signs are meant as they are, add :: text.",
    ]);
  });

  test("is reported once for a tag", async () => {
    const template = "{{for i in l}}{{i}} {{endfor}}";
    expect(await hintsOf(template, { l: ["a", "b &amp; c", "d &amp; e"] })).toHaveLength(1);
  });

  test.each(["https://x.y?a=1&copy=2&lt=3", "R&D; M&A", "a & b; c", "&unknown;"])(
    "is not seen in %s",
    async (text) => {
      expect(await hintsOf("{{text}}", { text })).toEqual([]);
    },
  );
});

describe("a comparison that an earlier part of the condition makes unnecessary", () => {
  const weeks = ["2026-01-05"];

  test.each([
    ["{{if a isPresent and b > 1}}x{{endif}}", { a: null, b: null }],
    ["{{if a and b > 1}}x{{endif}}", { a: 0, b: null }],
    ["{{if a isEmpty or b > 1}}x{{endif}}", { a: null, b: null }],
    ["{{if not (a isPresent and b > 1)}}x{{endif}}", { a: null, b: null }],
    ["{{if c isPresent and c.age > 1}}x{{endif}}", { c: null }],
    ["{{if c isPresent and c.age > 1}}x{{endif}}", {}],
    ['{{$if(a isPresent and b > 1, "x", "y")}}', { a: null, b: null }],
    [
      "{{for i in l}}{{if i.a isPresent and i.b > 1}}x{{endif}}{{endfor}}",
      { l: [{ a: 1, b: 2 }, {}] },
    ],
    [
      '{{for x in l}}{{for w in weeks}}{{x.n :: color("#FF0000"), when(x.from isPresent and x.from <= w.addDays(6) and x.to >= w)}}{{endfor}}{{endfor}}',
      {
        weeks,
        l: [
          { n: "A", from: null, to: null },
          { n: "B", from: "2026-01-01", to: "2026-02-01" },
        ],
      },
    ],
  ])("may lack its value: %s", async (template, data) => {
    expect(await hintsOf(template, data)).toEqual([]);
  });

  test.each([
    ["{{if a isPresent and b > 1}}x{{endif}}", { a: 1, b: null }],
    ["{{if a isPresent and totl > 1}}x{{endif}}", { a: null, total: 2 }],
    ["{{if b > 1 and a isPresent}}x{{endif}}", { a: null, b: null }],
    ["{{if a isPresent or b > 1}}x{{endif}}", { a: null, b: null }],
    ['{{$if(a isPresent and totl > 1, "x", "y")}}', { a: null, total: 2 }],
  ])("is reported otherwise: %s", async (template, data) => {
    expect((await hintsOf(template, data)).join()).toMatch(/^missing_in_condition/);
  });

  test("keeps the correction of an object that the condition tests", async () => {
    const template = "{{if custmer isPresent and custmer.age > 1}}x{{endif}}";
    expect((await hintsOf(template, { customer: { age: 3 } })).join()).toContain("'customer'");
  });
});
