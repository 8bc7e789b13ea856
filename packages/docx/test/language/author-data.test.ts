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
