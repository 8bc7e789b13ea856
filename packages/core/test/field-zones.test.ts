import { describe, expect, test } from "vitest";
import { compileTemplate, isQuireError } from "../src/index.ts";
import { bodyOf, docx, p, r, table } from "./support/docx.ts";
import { outcome } from "./support/language.ts";

const mark = (type: string): string => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
const [begin, separate, end] = ["begin", "separate", "end"].map(mark) as [string, string, string];
const code = (text: string): string =>
  `<w:r><w:instrText xml:space="preserve">${text}</w:instrText></w:r>`;
const DDE = code('DDEAUTO c:\\\\x "y" ');
const paragraph = (...runs: string[]): string => `<w:p>${runs.join("")}</w:p>`;

/** The codes with which a template is refused; what it holds when it is not. */
async function refusal(body: string): Promise<string[] | string> {
  const outcomeOf = await outcome(body, { x: "DDEAUTO c:\\x", a: false, l: [] });
  return outcomeOf.error === null
    ? bodyOf(outcomeOf.bytes)
    : [...new Set(outcomeOf.warnings.map(({ code: each }) => each))];
}

describe("a tag between the beginning of a field and its result is refused", () => {
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
      "a value that a field within shows",
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
      "a value that a field within a link shows",
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
      "a tag in the result of a field within",
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
      "paragraphs that a condition takes away",
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

  test("also when a block takes effect there only as a row", async () => {
    const rows = table(
      [paragraph(begin) + p("a")],
      [paragraph(r("QUOTE "), separate, r("{{if a}}"), r("x{{endif}}"), end)],
    );
    const result = await refusal(rows);
    if (typeof result === "string") expect(result).not.toContain("DDE");
    else expect(result).toContain("tag_in_field");
  });
});

test("fields around and beside tags stay as they are", async () => {
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

test("an included template whose field does not end in it is refused, so that halves never meet", async () => {
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
