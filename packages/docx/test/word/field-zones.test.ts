import { type Diagnostic, isQuireError } from "@quire/contracts";
import { describe, expect, test } from "vitest";
import { bodyOf, docx, p, r, table } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../src/index.ts";
import { outcome } from "../support/language.ts";

const mark = (type: string): string => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
const [begin, separate, end] = ["begin", "separate", "end"].map(mark) as [string, string, string];
const code = (text: string): string =>
  `<w:r><w:instrText xml:space="preserve">${text}</w:instrText></w:r>`;
const DDE = code('DDEAUTO c:\\\\x "y" ');
const paragraph = (...runs: string[]): string => `<w:p>${runs.join("")}</w:p>`;

/** Returns the codes of the problems if the template is rejected; otherwise its rendered content. */
async function refusal(body: string): Promise<string[] | string> {
  const outcomeOf = await outcome(body, { x: "DDEAUTO c:\\x", a: false, l: [] });
  return outcomeOf.error === null
    ? bodyOf(outcomeOf.bytes)
    : [...new Set(outcomeOf.warnings.map(({ code: each }) => each))];
}

describe("a tag between the start of a field and its result is rejected", () => {
  test.each([
    [
      "a note that hides the field's name",
      paragraph(begin, r("{{! q }}"), DDE, separate, r("x"), end),
    ],
    [
      "a condition around a harmless name",
      paragraph(begin, r("{{if a}}QUOTE {{endif}}"), DDE, separate, r("x"), end),
    ],
    [
      "a section around a harmless name",
      paragraph(begin, r("{{#a}}QUOTE {{/a}}"), DDE, separate, r("x"), end),
    ],
    [
      "a loop around a harmless name",
      paragraph(begin, r("{{for i in l}}QUOTE {{endfor}}"), DDE, separate, r("x"), end),
    ],
    ["a value as the whole instruction", paragraph(begin, r("{{x}}"), separate, r("x"), end)],
    [
      "a value as the whole instruction of a field without result",
      paragraph(begin, r("{{x}}"), end),
    ],
    [
      "a value as the address of a link",
      paragraph(begin, code(' HYPERLINK "'), r("{{x}}"), code('" '), separate, r("go"), end),
    ],
    [
      "a value that a nested field shows",
      paragraph(
        begin,
        begin,
        code(' QUOTE "{{x}}" '),
        separate,
        r("q"),
        end,
        separate,
        r("x"),
        end,
      ),
    ],
    [
      "a value that a field nested in a link shows",
      paragraph(
        begin,
        code(' HYPERLINK "'),
        begin,
        code(' QUOTE "{{x}}" '),
        separate,
        r("q"),
        end,
        code('" '),
        separate,
        r("x"),
        end,
      ),
    ],
    [
      "a tag in the result of a nested field",
      paragraph(
        begin,
        begin,
        code(" PAGE "),
        separate,
        r("{{! q}}"),
        end,
        DDE,
        separate,
        r("x"),
        end,
      ),
    ],
    [
      "paragraphs that a condition removes",
      paragraph(begin) +
        p("{{if a}}") +
        p("QUOTE ") +
        p("{{endif}}") +
        paragraph(DDE, separate, r("x"), end),
    ],
    [
      "a tag in a text box within the instruction",
      paragraph(
        begin,
        `<w:r><w:pict><w:txbxContent>${p("{{x}}")}</w:txbxContent></w:pict></w:r>`,
        DDE,
        separate,
        r("x"),
        end,
      ),
    ],
  ])("%s", async (_name, body) => {
    const result = await refusal(body);
    if (typeof result === "string") expect(result).not.toContain("DDE");
    else expect(result).toContain("tag_in_field");
  });

  test("also if the tag is elsewhere but its block covers the whole row", async () => {
    const rows = table(
      [paragraph(begin) + p("a")],
      [paragraph(r("QUOTE "), separate, r("{{if a}}"), r("x{{endif}}"), end)],
    );
    const result = await refusal(rows);
    if (typeof result === "string") expect(result).not.toContain("DDE");
    else expect(result).toContain("tag_in_field");
  });
});

test("fields around and next to tags are kept unchanged", async () => {
  const page = [begin, code(" PAGE "), separate, r("1"), end].join("");
  const compare = paragraph(
    begin,
    code(" IF "),
    begin,
    code(" MERGEFIELD {{x}} "),
    separate,
    r("m"),
    end,
    code(' = "a" "b" "c" '),
    separate,
    r("{{y}}"),
    end,
  );
  const body =
    p("{{for i in l}}") +
    paragraph(page, r("{{i}}"), page) +
    p("{{endfor}}") +
    compare +
    paragraph(begin, code(' HYPERLINK "{{u}}" '), separate, r("{{y}}"), end);
  const { error, lines } = await outcome(body, {
    l: [1, 2],
    x: "k",
    y: "why",
    u: "https://a.example/",
  });
  expect(error).toBeNull();
  expect(lines.join(" ")).toContain("why");
});

test("an included template with an unclosed field is rejected, so two templates cannot form one field", async () => {
  const halves = {
    a: docx({ body: paragraph(begin) }),
    b: docx({ body: paragraph(separate, r("x"), end) }),
  };
  const error: unknown = await compileTemplate(
    docx({ body: p('{{include "a"}}') + paragraph(r('DDEAUTO c:\\x "y"')) + p('{{include "b"}}') }),
    { readTemplate: async (name) => halves[name as "a" | "b"] },
  ).catch((reason: unknown) => reason);
  if (!isQuireError(error)) throw error;
  expect(error.diagnostics.map(({ code: each }) => each)).toEqual([
    "include_unsupported",
    "include_unsupported",
  ]);
});

describe("a tag in a field is reported once", () => {
  async function problemsOf(body: string): Promise<readonly Diagnostic[]> {
    const { error, warnings } = await outcome(body, {});
    expect(error).toBe("invalid_template");
    return warnings;
  }

  test("even if several checks reject it", async () => {
    const value = paragraph(begin, r("{{x}}"), separate, r("T"), end);
    expect(await problemsOf(value)).toHaveLength(1);
    const nested = paragraph(begin, code(" HYPERLINK "), begin, code("{{x}}"), end, end);
    expect(await problemsOf(nested)).toHaveLength(1);
    const block = paragraph(begin, r("{{if a}}QUOTE {{endif}}"), DDE, separate, r("x"), end);
    expect((await problemsOf(block)).map(({ template }) => template?.tag)).toEqual([
      "{{if a}}",
      "{{endif}}",
    ]);
  });

  test("together with all tags after an unclosed field, at the place of this field", async () => {
    const title = [begin, code(" TITLE "), separate, r("T"), end].join("");
    const [problem, ...more] = await problemsOf(
      p("{{before}}") +
        paragraph(r("Report "), begin, title) +
        p("Dear {{name}}") +
        p("{{for i in l}}") +
        p("{{i}} {{if a}}x{{endif}}") +
        p("{{endfor}}"),
    );
    expect(more).toEqual([]);
    expect(problem).toMatchObject({
      code: "tag_in_field",
      template: { part: "word/document.xml", paragraph: 2, near: "Report T" },
    });
    expect(problem?.message).toContain("does not end, so {{name}} and all tags after it");
    expect(problem?.hint).toContain("delete this one");
    const [named] = await problemsOf(paragraph(begin, code(" REF a ")) + p("{{x}}"));
    expect(named?.template).toMatchObject({ paragraph: 1, near: "REF a" });
  });

  test("but not before the field, outside its text box, or after its result has started", async () => {
    const box = `<w:p><w:r><w:pict><w:txbxContent>${paragraph(begin, code(" PAGE "))}</w:txbxContent></w:pict></w:r></w:p>`;
    expect((await outcome(box + p("{{x}}"), { x: 1 })).error).toBe(null);
    const shown = paragraph(begin, code(" PAGE "), separate, r("1"));
    expect((await outcome(shown + p("{{x}}"), { x: 1 })).error).toBe(null);
    expect((await outcome(p("{{x}}") + paragraph(begin), { x: 1 })).error).toBe(null);
  });
});
