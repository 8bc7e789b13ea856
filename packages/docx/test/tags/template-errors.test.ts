import { isQuireError } from "@quire/contracts";
import PizZip from "pizzip";
import { describe, expect, test } from "vitest";
import { docx, p, table } from "../../../ooxml/test/support/docx.ts";
import { testPackage } from "../../../ooxml/test/support/zip.ts";
import { compileTemplate } from "../../src/index.ts";
import { refused } from "../support/render.ts";

describe("template errors", () => {
  test("are all reported at once, each with its place and the text around it", async () => {
    const error = await refused({
      body:
        p("fine {{a}}") +
        p("{{for i in l}}") +
        p("Dear {{nme :: upercase}}") +
        p("{{if}}x{{endif}}"),
      stories: { "header1.xml": p("{{endif}}") },
    });
    expect(error.code).toBe("invalid_template");
    expect(
      error.diagnostics.map(({ code, template }) => [
        code,
        template?.part,
        template?.paragraph,
        template?.tag,
      ]),
    ).toEqual([
      ["unclosed_block", "word/document.xml", 2, "{{for i in l}}"],
      ["tag_syntax", "word/document.xml", 3, "{{nme :: upercase}}"],
      ["tag_syntax", "word/document.xml", 4, "{{if}}"],
      ["unopened_block", "word/header1.xml", 1, "{{endif}}"],
    ]);
    expect(error.diagnostics[1]?.hint).toBe("Did you mean 'uppercase'?");
    expect(error.diagnostics[1]?.template?.near).toBe("Dear {{nme :: upercase}}");
  });

  test.each([
    ["{{a", "unclosed_tag"],
    ["{{x}} a}} b", "unopened_tag"],
    ["{{a {{b}}", "unclosed_tag"],
    ["{{}}", "tag_syntax"],
    ["{{a b}}", "tag_syntax"],
    ["{{#a}}", "unclosed_block"],
    ["{{/a}}", "unopened_block"],
    ["{{#a}}{{/b}}", "unopened_block"],
    ["{{#if a}}{{/if}}", "tag_syntax"],
    ["{{if a = 1}}{{endif}}", "tag_syntax"],
    ["{{for x of y}}{{endfor}}", "tag_syntax"],
    ["{{for x in}}{{endfor}}", "tag_syntax"],
    ["{{if (a}}{{endif}}", "tag_syntax"],
    ["{{a :: default}}", "tag_syntax"],
    ["{{a :: nope()}}", "tag_syntax"],
    ["{{else}}", "unopened_block"],
    ["{{if a}}{{else}}{{elseif b}}{{endif}}", "branch_after_else"],
    ["{{if a}}{{for x in y}}{{endif}}{{endfor}}", "crossed_block"],
    ["{{tablerow x in y}}{{endtablerow}}", "tablerow_outside_row"],
  ])("%s is %s", async (text, code) => {
    const error = await refused(p(text));
    expect(error.diagnostics[0]?.code).toBe(code);
    expect(error.diagnostics[0]?.message).toMatch(/\.$/);
  });

  test("quote each tag with the text around it, also in a long paragraph", async () => {
    const filler = "Lorem ipsum ".repeat(20);
    const error = await refused(p(`${filler}{{a b}} ${filler}{{c :: nope}}, end`));
    expect(error.diagnostics.map(({ template }) => template?.near)).toEqual([
      "…sum Lorem ipsum Lorem ipsum Lorem ipsum {{a b}} Lorem ipsum Lorem ipsum Lorem ipsum Lor…",
      "…sum Lorem ipsum Lorem ipsum Lorem ipsum {{c :: nope}}, end",
    ]);
  });

  test("include an unclosed tag over two paragraphs", async () => {
    const error = await refused(p("x {{na") + p("me}} y"));
    expect(error.diagnostics[0]).toMatchObject({
      code: "unclosed_tag",
      template: { paragraph: 1 },
    });
  });

  test("include a block across cells or the border of a table", async () => {
    expect(
      (await refused(table([p("a {{for i in l}}"), p("{{endfor}} b")]))).diagnostics[0]?.code,
    ).toBe("block_crosses_cells");
    expect((await refused(table([p("{{if a}}x")]) + p("{{endif}}"))).diagnostics[0]?.code).toBe(
      "block_crosses_cells",
    );
  });
});

/** Returns a document whose main part declares an entity, as an attack would. */
function withEntity(): Uint8Array {
  const zip = new PizZip(docx({ body: p("&x;") }));
  const xml =
    zip
      .file("word/document.xml")
      ?.asText()
      .replace("<w:document", '<!DOCTYPE d [<!ENTITY x "y">]><w:document') ?? "";
  zip.file("word/document.xml", xml.replaceAll("&amp;x;", "&x;"));
  return zip.generate({ type: "uint8array" });
}

function nested(levels: number): string {
  return `${"<w:tbl><w:tr><w:tc>".repeat(levels)}<w:p/>${"</w:tc></w:tr></w:tbl>".repeat(levels)}`;
}

describe("a file that is not a valid Word document is rejected with a specific message", () => {
  const good = docx({ body: p("x") });
  test.each([
    ["an empty file", new Uint8Array(), "it is empty"],
    ["text", Buffer.from("hello"), "not a zip archive"],
    ["HTML", Buffer.from("<html></html>"), "not a zip archive"],
    ["RTF", Buffer.from("{\\rtf1}"), "RTF"],
    ["a PDF", Buffer.from("%PDF-1.7"), "PDF"],
    ["a password-protected file", Buffer.from("d0cf11e0a1b11ae100", "hex"), "password"],
    ["a truncated file", good.subarray(0, good.length - 30), "truncated"],
    ["half a file", good.subarray(0, good.length / 2), "truncated"],
    [
      "a spreadsheet",
      docx({
        body: "",
        mainType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml",
      }),
      "content type",
    ],
    ["broken XML", docx({ body: "<w:p>" }), "XML is broken"],
    ["a document type declaration", withEntity(), "document type declaration"],
    [
      "text within text",
      docx({ body: "<w:p><w:r><w:t>{{a}}<w:t>b</w:t></w:t></w:r></w:p>" }),
      "cannot be read",
    ],
    ["a hundred and fifty nested tables", docx({ body: nested(150) }), "nested deeper"],
  ])("%s", async (_name, bytes, message) => {
    const result = await compileTemplate(bytes).catch((error: unknown) => error);
    if (!isQuireError(result)) throw new Error("It was accepted.");
    expect(result.code).toBe("invalid_template");
    expect(result.message).toContain(message);
  });
});

describe("a package", () => {
  const source = (compression: "STORE" | "DEFLATE"): Uint8Array => {
    const zip = new PizZip(docx({ body: p("{{a}}") }));
    zip.file("word/media/image1.png", Buffer.alloc(5_000, "pixels"), { compression });
    return zip.generate({ type: "uint8array", compression });
  };

  test.each(["STORE", "DEFLATE"] as const)("with one damaged byte is rejected: %s", async (how) => {
    const bytes = source(how);
    const at = Buffer.from(bytes).indexOf("word/media/image1.png") + 40;
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    const error = await compileTemplate(bytes).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "invalid_template" });
    expect(String(error)).toContain("is damaged");
  });

  test("keeps uncompressed files as they are", async () => {
    const { bytes } = (await compileTemplate(source("STORE"))).render({ a: 1 });
    expect(Buffer.from(bytes).includes(Buffer.alloc(5_000, "pixels"))).toBe(true);
  });

  test("of 180 MB of XML, or with too many elements, is rejected before it is processed", async () => {
    for (const count of [30_000_000, 1_100_000]) {
      const bytes = testPackage({ body: "<w:p/>".repeat(count) });
      await expect(compileTemplate(bytes)).rejects.toMatchObject({ code: "limit_exceeded" });
    }
  }, 30_000);
});

test("ten mistakes in a long template are reported at once, each with its place and a hint", async () => {
  const heading = (text: string): string =>
    `<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
  const page = p("Lorem ipsum dolor sit amet. ").repeat(30);
  const mistakes: readonly (readonly [string, RegExp, RegExp])[] = [
    ["{{$index}}", /it is not in a loop/, /for item in items/],
    ["{{customer name}}", /not expected/, /customer\.name/],
    ["{{total :: currancy(“EUR”)}}", /no modifier/, /currency/],
    ["{{if paid = true}}x{{endif}}", /single '='/, /==/],
    ["{{foreach i in items}}x{{endfor}}", /not expected/, /'for'/],
    ["{{endfor}}", /not opened/, /Add/],
    ["{{#items}}", /not closed/, /\{\{\/items\}\}/],
    ["{{total :: format(“dd.qq.yyyy”)}}", /qq/, /^/],
    ["{{$summ(items.price)}}", /no function/, /\$sum/],
    ["{{name", /not closed/, /\{\{name\}\}/],
  ];
  const chapters = mistakes.map(
    ([tag], index) =>
      page + heading(`Chapter ${index + 1}`) + page + table([p("a"), p("b")], [p("c"), p(tag)]),
  );
  const { diagnostics } = await refused({ body: chapters.join("") });
  for (const [index, [tag, message, hint]] of mistakes.entries()) {
    const found = diagnostics.find(({ template }) => template?.heading === `Chapter ${index + 1}`);
    expect(found?.message, tag).toMatch(message);
    expect(found?.hint ?? "", tag).toMatch(hint);
    expect(found?.template, tag).toMatchObject({ row: 2, cell: 2 });
    expect(found?.template?.near, tag).toContain(tag.slice(0, 6));
  }
});
