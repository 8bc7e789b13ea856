import { describe, expect, test } from "vitest";
import { p, r } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../src/index.ts";
import { complex, marked, simple } from "../support/fields.ts";
import { wordFile } from "../support/word-file.ts";

type Data = Readonly<Record<string, unknown>>;

const para = (...runs: readonly string[]): string => `<w:p>${runs.join("")}</w:p>`;
const loop = (...content: readonly string[]): string =>
  p("{{for i in l}}") + content.join("") + p("{{endfor}}");

/** Returns the warnings of a document, which checking also reports. */
async function warningsOf(body: string, data: Data) {
  const template = await compileTemplate(wordFile({ body }));
  expect(template.warnings).toEqual([]);
  const { warnings } = template.render(data);
  expect(template.check(data)).toEqual(warnings);
  return warnings;
}

const codesOf = async (body: string, data: Data): Promise<string[]> =>
  (await warningsOf(body, data)).map(({ code }) => code);

describe("a reference to a bookmark whose name has a tag", () => {
  const fixed = para(marked("prod_a", "A"), marked("prod_b", "B"));
  const FIELDS: readonly (readonly [string, string, string])[] = [
    ["a page", complex(" PAGEREF prod_{{i.no}} \\h ", "1"), "The field PAGEREF prod_… \\h"],
    ["a text", complex(' REF "prod_{{i.no}}" ', "1"), 'The field REF "prod_…"'],
    ["a simple field", simple(" PAGEREF prod_{{i.no}} ", "1"), "The field PAGEREF prod_…"],
    [
      "runs",
      complex([" PAGE", "REF pr", "od_{{i.", "no}} \\h "], "1"),
      "The field PAGEREF prod_… \\h",
    ],
    ["a link as a field", complex(' HYPERLINK \\l "prod_{{i.no}}" ', "1"), "The link"],
  ];

  test.each(FIELDS)(
    "is reported if the document does not have it: %s",
    async (_name, field, what) => {
      const body = fixed + loop(para(field));
      expect(await codesOf(body, { l: [{ no: "a" }, { no: "B" }] })).toEqual([]);
      const warnings = await warningsOf(body, { l: [{ no: "a" }, { no: "x" }, { no: "y" }] });
      const isLink = what === "The link";
      expect(warnings).toMatchObject([
        {
          severity: "warning",
          code: "reference_broken",
          message: `${what} has tags in the name of its bookmark, and this document does not have a bookmark with the resulting name. ${isLink ? "The link leads nowhere." : "Word and PDFs show an error in its place."}`,
          hint: "Use a name without tags for the bookmark and the references to it. If both are in loops over the same list, each reference leads to the bookmark of its item.",
          template: { part: "word/document.xml", paragraph: 3 },
          pointers: ["/l/1", "/l/2"],
        },
      ]);
    },
  );

  test("is reported if a block removed the bookmark, and only then", async () => {
    const field = para(complex(" PAGEREF Fee_{{x}} ", "1"));
    const target = p("{{if shown}}") + para(marked("fee_a", "A")) + p("{{endif}}");
    for (const body of [field + target, target + field]) {
      expect(await codesOf(body, { x: "A", shown: true })).toEqual([]);
      expect(await codesOf(body, { x: "A", shown: false })).toEqual(["reference_broken"]);
    }
  });

  test("finds the names that repeated bookmarks get", async () => {
    const field = loop(para(complex(" PAGEREF m_{{$number + 1}} ", "1")));
    const target = p("{{for k in list}}") + para(marked("m", "{{k}}")) + p("{{endfor}}");
    for (const body of [field + target, target + field]) {
      expect(await codesOf(body, { l: [1, 2], list: [1, 2, 3] })).toEqual([]);
      expect(await codesOf(body, { l: [1, 2, 3], list: [1, 2, 3] })).toEqual(["reference_broken"]);
    }
  });

  test.each([
    ["the beginning of the document", "", "_t", "op"],
    ["a text that a field defines", para(complex(' SET Fee "5" ', "")), "F", "ee"],
  ])("is not reported for %s", async (_name, before, start, x) => {
    const body = before + para(complex(` REF ${start}{{x}} `, "5"));
    expect(await codesOf(body, { x })).toEqual([]);
  });

  test("is not reported in addition to a missing value", async () => {
    const body = loop(para(complex(" PAGEREF prod_{{i.no}} ", "1")));
    expect(await codesOf(body, { l: [{}] })).toEqual(["missing_value"]);
  });

  test("is not reported if only its format has a tag", async () => {
    const body = fixed + para(complex(" REF prod_a \\# {{x}} ", "1"));
    expect(await codesOf(body, { x: "0" })).toEqual([]);
  });
});

test("a tag in the name of a bookmark, or in a link to it, has a hint that both need none", async () => {
  const mark = '<w:bookmarkStart w:id="1" w:name="prod_{{i.no}}"/><w:bookmarkEnd w:id="1"/>';
  const link = `<w:hyperlink w:anchor="prod_{{i.no}}">${r("go")}</w:hyperlink>`;
  const { warnings } = await compileTemplate(wordFile({ body: loop(para(mark), para(link)) }));
  expect(warnings.map(({ code }) => code)).toEqual(["tag_in_unread_place", "tag_in_unread_place"]);
  for (const { hint } of warnings)
    expect(hint).toMatch(/^Use a name without tags for the bookmark/);
});
