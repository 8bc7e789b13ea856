import { type Diagnostic, isQuireError } from "@quire/contracts";
import { describe, expect, test } from "vitest";
import { docx, p, partOf, r, type TestDocument, table } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../src/index.ts";

const begin = '<w:r><w:fldChar w:fldCharType="begin"/></w:r>';
const separate = '<w:r><w:fldChar w:fldCharType="separate"/></w:r>';
const end = '<w:r><w:fldChar w:fldCharType="end"/></w:r>';

function instruction(text: string): string {
  return `<w:r><w:instrText xml:space="preserve">${text}</w:instrText></w:r>`;
}

/** Returns a field as Word writes it, with its instruction in several runs and its result. */
function field(instructions: string | readonly string[], shown = "x"): string {
  const pieces = typeof instructions === "string" ? [instructions] : instructions;
  return begin + pieces.map(instruction).join("") + separate + r(shown) + end;
}

function simple(text: string, shown = "x"): string {
  return `<w:fldSimple w:instr="${text.replaceAll('"', "&quot;")}">${r(shown)}</w:fldSimple>`;
}

async function warningsOf(
  document: TestDocument | string,
  delimiters?: "auto",
): Promise<readonly Diagnostic[]> {
  const source = typeof document === "string" ? { body: document } : document;
  return (await compileTemplate(docx(source), { delimiters })).warnings;
}

/** For each warning of a paragraph, the name of the field in the message, and the hint. */
async function told(content: string): Promise<[string | undefined, string | undefined][]> {
  const warnings = await warningsOf(p("{{a}}") + `<w:p>${content}</w:p>`);
  return warnings.map(({ code, message, hint }) => {
    expect(code).toBe("merge_field");
    return [/mail-merge field (\S+) is/.exec(message)?.[1], hint];
  });
}

describe("a mail-merge field", () => {
  const warning = {
    severity: "warning",
    code: "merge_field",
    message: "The Word mail-merge field 'First_Name' is not a tag: its text is printed as it is.",
    hint: "Replace it with the tag {{First_Name}}.",
  };

  test.each([
    ["next to tags", p("{{a}}")],
    ["without any tag", p("a")],
  ])("is reported with its place and the tag to write, %s", async (_, first) => {
    const body = `${first}<w:p>${r("Dear ")}${field(" MERGEFIELD First_Name ", "«First_Name»")}</w:p>`;
    const expected = {
      ...warning,
      template: { part: "word/document.xml", paragraph: 2, near: "«First_Name»" },
    };
    expect(await warningsOf(body)).toEqual([expected]);
  });

  test("is reported with a tag in single braces if the template has such tags", async () => {
    const body = p("{a}") + `<w:p>${field("MERGEFIELD First_Name", "«First_Name»")}</w:p>`;
    const [found] = await warningsOf(body, "auto");
    expect(found?.hint).toBe("Replace it with the tag {First_Name}.");
  });

  test("is reported in each of Word's spellings", async () => {
    const spellings = [
      simple("MERGEFIELD First_Name"),
      field("mergefield First_Name"),
      field([" MER", "GEFIELD Fir", "st_Name  \\* MERGE", "FORMAT "]),
      field(' MERGEFIELD "First_Name" '),
      field(" MERGEFIELD “First_Name” "),
      `${begin}${instruction("MERGEFIELD First_Name")}${end}`,
      field("MERGEFIELD First_Name").replaceAll("<w:r>", "<w:r><w:rPr><w:b/></w:rPr>"),
    ];
    for (const each of spellings) {
      expect(await told(each), each).toEqual([["'First_Name'", warning.hint]]);
    }
  });

  test.each([
    ["MERGEFIELD Name \\* Upper", "{{Name :: uppercase}}"],
    ["MERGEFIELD Name \\* FirstCap \\* MERGEFORMAT", "{{Name :: capitalize}}"],
    ['MERGEFIELD Day \\@ "dd.MM.yyyy"', '{{Day :: format("dd.MM.yyyy")}}'],
    ['MERGEFIELD Sum \\# "#,##0.00"', '{{Sum :: number("#,##0.00")}}'],
    ["MERGEFIELD Sum \\# 0.00", '{{Sum :: number("0.00")}}'],
    ['MERGEFIELD Day \\@ "no pattern"', "{{Day}}"],
    ['MERGEFIELD "First Name"', '{{this["First Name"]}}'],
    ["MERGEFIELD order.total", "{{order.total}}"],
    [`MERGEFIELD $\{order.total}`, "{{order.total}}"],
    ["MERGEFIELD $order.total", "{{order.total}}"],
    ["MERGEFIELD 1st", '{{this["1st"]}}'],
  ])("%s becomes %s", async (text, tag) => {
    const [[, hint] = []] = await told(field(text));
    expect(hint).toBe(`Replace it with the tag ${tag}.`);
  });

  test("has a hint on where to put the texts before and after it", async () => {
    const [[, hint] = []] = await told(field('MERGEFIELD Title \\b "Dear " \\f ","'));
    expect(hint).toBe(
      "Replace it with the tag {{Title}}. Put the text of its switches \\b and \\f before and after the tag, within {{if Title}} … {{endif}}.",
    );
  });

  test.each([
    ["ADDRESSBLOCK \\f x", "ADDRESSBLOCK", "{{city}}"],
    ["GREETINGLINE", "GREETINGLINE", "{{name}}"],
    ["NEXT", "NEXT", "{{for item in items}}"],
    ["NEXTIF a = b", "NEXTIF", "{{for item in items}}"],
    ["SKIPIF a = b", "SKIPIF", "leave such entries out"],
    ["MERGEREC", "MERGEREC", "{{$number}}"],
    ["MERGESEQ", "MERGESEQ", "{{$number}}"],
    ['ASK mark "How much?"', "ASK", "{{answer}}"],
    ['FILLIN "How much?"', "FILLIN", "{{answer}}"],
    ['MERGEFIELD "#foreach($d in $l)"', "'#foreach($d", "XDocReport"],
    ['MERGEFIELD "[#list l as d]"', "'[#list", "XDocReport"],
    ["MERGEFIELD", "MERGEFIELD", "{{name}}"],
  ])("%s has a specific hint", async (text, name, hint) => {
    const [[keyword, advice] = []] = await told(field(text));
    expect(advice).toContain(hint);
    if (!name.includes("#")) expect(keyword).toBe(name);
  });

  test("is reported once within a field that compares it", async () => {
    const inner = field("MERGEFIELD Gender");
    const outer = `${begin}${instruction("IF ")}${inner}${instruction(' = "f" "Ms." "Mr."')}${separate}${r("Ms.")}${end}`;
    expect(await told(outer)).toEqual([
      [
        "'Gender'",
        "Write {{if …}} … {{else}} … {{endif}} in place of the whole IF field around it.",
      ],
    ]);
  });

  test("is reported with a tag in the text that an IF field shows", async () => {
    const inner = field("MERGEFIELD Gender");
    const outer = `${begin}${instruction('IF 1 = 1 "a" ')}${separate}${inner}${end}`;
    expect(await told(outer)).toEqual([["'Gender'", "Replace it with the tag {{Gender}}."]]);
  });

  test("is reported once for each name, with the number of its places", async () => {
    const row = [
      `<w:p>${simple("MERGEFIELD Name")}</w:p>`,
      `<w:p>${field("MERGEFIELD Name")}</w:p>`,
    ];
    const body = p("{{a}}") + table(row) + `<w:p>${field("MERGEFIELD Other")}</w:p>`;
    const header = `<w:p>${field("MERGEFIELD Name")}</w:p>`;
    const found = await warningsOf({ body, stories: { "header1.xml": header } });
    expect(found.map(({ message, template }) => [message.slice(0, 31), template])).toEqual([
      ["The Word mail-merge field 'Name", expect.objectContaining({ table: 1, row: 1, cell: 1 })],
      ["The Word mail-merge field 'Othe", expect.objectContaining({ paragraph: 4 })],
    ]);
    expect(found[0]?.message).toMatch(/ It is in 3 places\.$/);
  });

  test("is reported in a header if only the body has tags", async () => {
    const stories = { "header1.xml": p("x") + `<w:p>${field("MERGEFIELD Name")}</w:p>` };
    const [found] = await warningsOf({ body: p("{{a}}"), stories });
    expect(found?.template).toMatchObject({ part: "word/header1.xml", paragraph: 2 });
  });

  test("is reported once in a text box, although Word keeps two copies", async () => {
    const box = `<w:txbxContent><w:p>${field("MERGEFIELD Name")}</w:p></w:txbxContent>`;
    const both = `<w:p><w:r><mc:AlternateContent><mc:Choice Requires="wps">${box}</mc:Choice><mc:Fallback>${box}</mc:Fallback></mc:AlternateContent></w:r></w:p>`;
    const [found, ...more] = await warningsOf(p("{{a}}") + both);
    expect(found?.message).not.toContain("places");
    expect(more).toEqual([]);
  });

  test("is reported for an included template", async () => {
    const included = docx({ body: p("{{a}}") + `<w:p>${field("MERGEFIELD Name")}</w:p>` });
    const { warnings } = await compileTemplate(docx({ body: p('{{include "x"}}') }), {
      readTemplate: async () => included,
    });
    expect(warnings.map(({ code, template }) => [code, template?.part])).toEqual([
      ["merge_field", "x:word/document.xml"],
    ]);
  });

  test.each([
    field("PAGE"),
    field("DATE"),
    field('QUOTE NEXT "x"'),
    field("MERGEFORMAT x"),
    field("MERGEFIELD {{a}}"),
    field("MERGEFIELD Name", "{{a}}"),
    simple("MERGEFIELD {{a}}"),
    r("MERGEFIELD Name"),
    begin + instruction("MERGEFIELD Name"),
  ])("is not reported for %s", async (content) => {
    try {
      expect(await told(content)).toEqual([]);
    } catch (error) {
      if (!isQuireError(error)) throw error;
    }
  });

  test("is reported once if it shows a command of XDocReport, or a name in guillemets", async () => {
    const shown = ["«[#list l as d]»", "«#foreach($d in $l)»", "«$order.total»", "«First_Name»"];
    for (const each of shown) {
      const body = `<w:p>${field(`MERGEFIELD "${each.slice(1, -1)}"`, each)}</w:p>`;
      expect(
        (await warningsOf(body)).map(({ code }) => code),
        each,
      ).toEqual(["merge_field"]);
      const link = `<w:p>${field('HYPERLINK "x"', "{#loop}{name}{/loop}")}</w:p>`;
      expect((await warningsOf(link)).map(({ code }) => code)).toEqual(["looks_like_tag"]);
    }
  });

  test("does not change the document", async () => {
    const body = p("a") + `<w:p>${field("MERGEFIELD Name", "«Name»")}</w:p>`;
    const template = await compileTemplate(docx({ body }));
    expect(partOf(template.render({}).bytes)).toBe(partOf(docx({ body })));
  });
});
