import type { Diagnostic } from "@quire/contracts";
import { describe, expect, test } from "vitest";
import { bodyOf, docx, p, table } from "../../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../../src/index.ts";
import { outcome, printed, told } from "../../support/language.ts";

const DETECTED = "warning detected_html";

describe("HTML in a tag without a modifier for it", () => {
  test("becomes rich text, and the tag is reported with the place in the data", async () => {
    const { lines, warnings } = await outcome(p("Dear {{customer.name}}!"), {
      customer: { name: "<b>Ann</b>" },
    });
    expect(lines).toEqual(["Dear Ann!"]);
    expect(warnings).toMatchObject([
      {
        severity: "warning",
        code: "detected_html",
        message:
          "The value for the tag {{customer.name}} is HTML and was printed as rich text, although the tag does not ask for it.",
        pointer: "/customer/name",
        template: { part: "word/document.xml", paragraph: 1, tag: "{{customer.name}}" },
      },
    ]);
    expect(warnings[0]?.hint).toContain(":: html");
    expect(warnings[0]?.hint).toContain(":: text");
    expect(warnings[0]?.hint).toContain('rich_text "tagged"');
  });

  test("is reported once for a tag, with the first value of a loop that it was found in", async () => {
    const l = [{ v: "a" }, { v: "<i>b</i>" }, ...Array(300).fill({ v: "<p>c</p>" })];
    const body = p("{{for i in l}}") + p("{{i.v}} {{i.v :: uppercase}}") + p("{{endfor}}");
    const { warnings } = await outcome(body, { l });
    expect(warnings.map(({ code, pointer }) => [code, pointer])).toEqual([
      ["detected_html", "/l/1/v"],
      ["detected_html", "/l/1/v"],
    ]);
  });

  test("is also reported where only plain text is possible", async () => {
    const body = p("{{v}}");
    const template = { body, coreProperties: "<dc:title>{{v}}</dc:title>" };
    const { warnings } = await outcome(template, { v: "<p>a</p>" });
    expect(warnings.map(({ code, template: at }) => `${code} ${at?.part}`)).toEqual([
      "detected_html word/document.xml",
      "detected_html docProps/core.xml",
    ]);
  });

  test("is not reported in a tag with the modifier html, or in the tag's own default", async () => {
    const v = "<b>x</b>";
    for (const modifier of ["html", "markdown", "text", 'default("<b>n</b>"), html']) {
      expect(await told(`{{v :: ${modifier}}}`, { v })).toEqual([]);
    }
    expect(await told('{{v :: default("<b>n</b>")}}', {})).toEqual([]);
    expect(await told('{{v :: default("<b>n</b>")}}', { v })).toEqual([DETECTED]);
    expect(await told("{{v}}", { v: "a < b, <name>" })).toEqual([]);
  });

  test("is reported with the template's own delimiters, and without a place if it has no single path", async () => {
    const { warnings } = await outcome(
      p('[[$join(l, "")]]'),
      { l: ["<b>", "x", "</b>"] },
      { delimiters: { start: "[[", end: "]]" } },
    );
    expect(warnings[0]?.message).toContain('[[$join(l, "")]] is HTML');
    expect(warnings[0]?.pointer).toBeUndefined();
  });
});

describe("richText: tagged", () => {
  const tagged = { richText: "tagged" } as const;

  test("prints values unchanged, except in tags with the modifier html or markdown", async () => {
    const v = '<a href="http://x.y">Ann</a> &amp; <p>Bob</p>';
    for (const tag of ["{{v}}", "a {{v}} b", "{{v :: trim}}", '{{v :: default("<b>n</b>")}}']) {
      const expected = tag.replace(/\{\{.*\}\}/, v);
      expect(await printed(tag, { v }, tagged)).toBe(expected);
      expect(await told(tag, { v }, tagged)).toEqual([]);
    }
    expect(await printed("{{v :: uppercase}}", { v: "<b>x</b>" }, tagged)).toBe("<B>X</B>");
    expect(await printed('{{v :: default("<b>n</b>")}}', {}, tagged)).toBe("<b>n</b>");
    expect(await printed("{{v :: html}}", { v: "<b>x</b>" }, tagged)).toBe("x");
    expect(await printed("{{v :: markdown}}", { v: "**x**" }, tagged)).toBe("x");
  });

  test("applies in tables, loops and properties, and to check", async () => {
    const template = await compileTemplate(
      docx({
        body: table([p("{{tablerow i in l}}{{i}}{{endtablerow}}")]),
        coreProperties: "<dc:title>{{l[0]}}</dc:title>",
      }),
    );
    const data = { l: ["<p>a</p><p>b</p>", "c"] };
    const { bytes, warnings } = template.render(data, tagged);
    expect(bodyOf(bytes)).toContain(">&lt;p&gt;a&lt;/p&gt;&lt;p&gt;b&lt;/p&gt;</w:t>");
    expect(warnings).toEqual([]);
    expect(template.check(data, tagged)).toEqual([]);
    const codes = (found: readonly Diagnostic[]): string[] => found.map(({ code }) => code);
    expect(codes(template.check(data))).toEqual(codes(template.render(data).warnings));
    expect(codes(template.check(data))).toContain("detected_html");
  });

  test("is one of two allowed values", async () => {
    const template = await compileTemplate(docx({ body: p("x") }));
    for (const richText of ["detected", "tagged", undefined] as const) {
      expect(template.render({}, { richText }).warnings).toEqual([]);
    }
    const refused = (): unknown => template.render({}, { richText: "none" as "tagged" });
    expect(refused).toThrow('The option richText must be one of "detected", "tagged", not "none".');
  });
});
