import fc from "fast-check";
import { SaxesParser } from "saxes";
import { describe, expect, test } from "vitest";
import { joinDocuments, joinReader } from "../src/join/join-documents.ts";
import { vocabularyOf } from "../src/join/vocabulary.ts";
import {
  type Beside,
  docxOf,
  field,
  lists,
  paragraph,
  partsOf,
  picture,
  relation,
  root,
  table,
} from "./join-kit.ts";

const MAIN = "word/document.xml";
const RELATIONS = "word/_rels/document.xml.rels";
const LINK_MODE = ' TargetMode="External"';

function joined(...documents: readonly Uint8Array[]): Map<string, string> {
  const result = joinDocuments(documents.map((bytes) => ({ bytes })));
  if ("reason" in result) throw new Error(result.reason);
  return partsOf(result.bytes);
}

function main(...documents: readonly Uint8Array[]): string {
  return joined(...documents).get(MAIN) ?? "";
}

function reason(...documents: readonly Uint8Array[]): string {
  const result = joinDocuments(documents.map((bytes) => ({ bytes })));
  return "reason" in result ? result.reason : "(joined)";
}

function reasonOf(body: string, beside: Beside = {}): string {
  const document = docxOf(body, beside);
  return reason(document, document);
}

function countOf(text: string, part: string): number {
  return text.split(part).length - 1;
}

function expectWellFormed(xml: string): void {
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.write(xml).close();
}

function textOf(xml: string): string {
  return Array.from(xml.matchAll(/<w:t>([^<]*)<\/w:t>/g), ([, text]) => text).join("|");
}

describe("joined documents", () => {
  test("contain each entry in a section that starts on a new page with the number 1", () => {
    const xml = main(
      docxOf(paragraph("one")),
      docxOf(paragraph("two")),
      docxOf(paragraph("three")),
    );
    expectWellFormed(xml);
    expect(textOf(xml)).toBe("one|two|three");
    expect(countOf(xml, "<w:sectPr>")).toBe(3);
    expect(countOf(xml, '<w:pgNumType w:start="1"/>')).toBe(3);
    expect(xml).toMatch(/<\/w:sectPr><\/w:body><\/w:document>$/);
  });

  test("mark where each entry starts, before its first text", () => {
    const xml = main(
      docxOf(paragraph("one", "<w:keepNext/>")),
      docxOf(table(["a"]) + paragraph("b")),
    );
    expect(xml).toMatch(/<\/w:pPr><w:bookmarkStart w:id="\d+" w:name="quireStart0"\/>/);
    expect(xml).toMatch(/<w:tc><w:p><w:bookmarkStart w:id="\d+" w:name="quireStart1"\/>/);
  });

  test("keep the first page number that an entry sets, and its first section", () => {
    const section = '<w:type w:val="nextPage"/><w:pgNumType w:start="7"/>';
    const document = docxOf(paragraph("a"), { section });
    const xml = main(document, document);
    expect(countOf(xml, '<w:pgNumType w:start="7"/>')).toBe(2);
    expect(xml).not.toContain("<w:type");
  });

  test.each(['<w:cols w:space="708"/>', '<w:cols w:num="1"/>'])(
    "with one column as in %s are joined",
    (section) => {
      expect(reasonOf(paragraph("x"), { section })).toBe("(joined)");
    },
  );

  test("do not change the sections of an entry except the first", () => {
    const inner = `<w:p><w:pPr><w:sectPr><w:pgSz w:w="1"/><w:pgMar w:top="1"/></w:sectPr></w:pPr></w:p>`;
    const document = docxOf(paragraph("a") + inner + paragraph("b"));
    const xml = main(document, document);
    expectWellFormed(xml);
    expect(countOf(xml, '<w:pgMar w:top="1"/><w:pgNumType w:start="1"/></w:sectPr>')).toBe(2);
    expect(countOf(xml, '<w:pgNumType w:start="1"/>')).toBe(2);
  });

  test("end an entry's section in its last paragraph if the entry starts with a table", () => {
    const document = docxOf(table(["a"]) + paragraph("b", "<w:keepNext/>"));
    const xml = main(document, document);
    expectWellFormed(xml);
    expect(xml).toMatch(/<w:pPr><w:keepNext\/><w:sectPr>.*?<\/w:sectPr><\/w:pPr><w:r><w:t>b</);
    const bare = docxOf(`${table(["a"])}<w:p/>`);
    expect(main(bare, bare)).toMatch(/<w:p><w:pPr><w:sectPr>.*?<\/w:sectPr><\/w:pPr><\/w:p>/);
  });

  test("count the pages of each entry up to its last paragraph", () => {
    const footer = `<w:p>${field("PAGE")}${field("NUMPAGES \\* MERGEFORMAT")}</w:p>`;
    const document = docxOf(paragraph("a") + paragraph("b"), { footer });
    const parts = joined(document, document);
    expect(parts.get("word/footer.xml")).toContain("> PAGEREF quireEnd0 <");
    expect(parts.get("word/footer.xml")).toContain("> PAGE <");
    const [other = ""] = [...parts.keys()].filter((name) => name.includes("joined-footer"));
    expect(parts.get(other)).toContain("> PAGEREF quireEnd1 <");
    expect(parts.get("[Content_Types].xml")).toContain(`PartName="/${other}"`);
    expect(parts.get(RELATIONS)).toContain(`Target="/${other}"`);
    expect(parts.get(MAIN)).toMatch(
      /w:name="quireEnd1"\/><w:bookmarkEnd w:id="\d+"\/><w:r><w:t>b</,
    );
  });

  test("share equal headers and footers without page counts", () => {
    const of = (text: string): Uint8Array =>
      docxOf(paragraph("a"), { footer: `<w:p>${field("PAGE")}</w:p>${paragraph(text)}` });
    const parts = joined(of("same"), of("same"), of("other"));
    expect([...parts.keys()].filter((name) => name.includes("joined-footer"))).toHaveLength(1);
    expect(countOf(parts.get(MAIN) ?? "", 'r:id="r-footer"')).toBe(2);
  });

  test("name the headers and footers once if all entries have the same", () => {
    const document = docxOf(paragraph("a"), { footer: `<w:p>${field("PAGE")}</w:p>` });
    const xml = main(document, document, document);
    expect(countOf(xml, "<w:footerReference")).toBe(1);
    expect(xml.indexOf("<w:footerReference")).toBeLessThan(xml.indexOf("quireStart1"));
  });

  test("name the headers of each entry, and the shared footer once", () => {
    const letter = (company: string): Uint8Array =>
      docxOf(paragraph("a"), {
        footer: paragraph("everyone's"),
        references: '<w:headerReference w:type="default" r:id="r-header"/>',
        relations: relation("r-header", "header", "header.xml"),
        parts: { "word/header.xml": root("hdr", paragraph(company)) },
        types: `<Override PartName="/word/header.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.header+xml"/>`,
      });
    const xml = main(letter("one"), letter("two"), letter("three"));
    expect(countOf(xml, "<w:headerReference")).toBe(3);
    expect(countOf(xml, "<w:footerReference")).toBe(1);
    const counting = docxOf(paragraph("a"), { footer: `<w:p>${field("NUMPAGES")}</w:p>` });
    expect(countOf(main(counting, counting), "<w:footerReference")).toBe(2);
  });

  test("name the headers of each entry if one has several sections", () => {
    const inner =
      '<w:p><w:pPr><w:sectPr><w:footerReference w:type="default" r:id="r-footer"/>' +
      '<w:pgSz w:w="1"/></w:sectPr></w:pPr></w:p>';
    const document = docxOf(paragraph("a") + inner + paragraph("b"), { footer: paragraph("f") });
    expect(countOf(main(document, document), "<w:footerReference")).toBe(4);
  });

  test("restart the numbering of lists for each entry", () => {
    const item = (text: string): string =>
      paragraph(text, '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>');
    const document = docxOf(item("a") + item("b"), { numbering: lists("decimal") });
    const parts = joined(document, document);
    expect(countOf(parts.get(MAIN) ?? "", '<w:numId w:val="1"/>')).toBe(2);
    expect(countOf(parts.get(MAIN) ?? "", '<w:numId w:val="2"/>')).toBe(2);
    const numbering = parts.get("word/numbering.xml") ?? "";
    expectWellFormed(numbering);
    expect(numbering).toContain('<w:num w:numId="2"><w:abstractNumId w:val="6"/></w:num>');
    expect(numbering.indexOf('w:abstractNumId="6"')).toBeLessThan(numbering.indexOf("<w:num "));
  });

  test("share bullet lists", () => {
    const item = paragraph("a", '<w:numPr><w:numId w:val="1"/></w:numPr>');
    const document = docxOf(item, { numbering: lists("bullet") });
    expect(countOf(main(document, document), '<w:numId w:val="1"/>')).toBe(2);
  });

  test("copy pictures, and share equal ones", () => {
    const of = (file: string): Uint8Array =>
      docxOf(picture("rP"), {
        relations: relation("rP", "image", "media/p.png"),
        parts: { "word/media/p.png": file },
      });
    const parts = joined(of("first"), of("second"), of("first"), of("second"));
    const pictures = [...parts.keys()].filter((name) => name.endsWith(".png"));
    expect(pictures.map((name) => parts.get(name))).toEqual(["first", "second"]);
    expect(countOf(parts.get(MAIN) ?? "", 'r:embed="rP"')).toBe(2);
    expect(parts.get(RELATIONS)).toContain(`Target="/${pictures[1]}"`);
  });

  test("copy links", () => {
    const of = (address: string): Uint8Array =>
      docxOf(`<w:p><w:hyperlink r:id="rL"><w:r><w:t>x</w:t></w:r></w:hyperlink></w:p>`, {
        relations: relation("rL", "hyperlink", address, LINK_MODE),
      });
    const relations = joined(of("https://a.example/?x=1&amp;y"), of("mailto:b")).get(RELATIONS);
    expect(relations).toContain('Target="https://a.example/?x=1&amp;y" TargetMode="External"');
    expect(relations).toContain('Target="mailto:b" TargetMode="External"');
  });

  test("give bookmarks new names and ids", () => {
    const document = docxOf(
      '<w:p><w:bookmarkStart w:id="3" w:name="same"/><w:r><w:t>x</w:t></w:r><w:bookmarkEnd w:id="3"/></w:p>',
    );
    const xml = main(document, document);
    const names = Array.from(xml.matchAll(/w:name="([^"]*)"/g), ([, name]) => name);
    expect(new Set(names).size).toBe(names.length);
    const ids = Array.from(xml.matchAll(/<w:bookmarkStart w:id="(\d+)"/g), ([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(xml).toContain(`<w:bookmarkEnd w:id="${id}"/>`);
  });

  test("are the same bytes for the same documents", () => {
    const document = docxOf(paragraph("a"));
    const once = joinDocuments([{ bytes: document }, { bytes: document }]);
    expect(joinDocuments([{ bytes: document }, { bytes: document }])).toEqual(once);
  });

  test("contain every text once, in order, and are well-formed", () => {
    const words = fc
      .stringMatching(/^[a-zäß€日😀&;]{1,8}$/u)
      .map((text) => text.replace(/[&;]/g, "&amp;"));
    const block = fc.oneof(
      words.map((text) => paragraph(text)),
      fc
        .array(fc.array(words, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 })
        .map((rows) => table(...rows)),
      fc.constant("<w:p/>"),
      fc.constant("<w:p></w:p>"),
    );
    const body = fc
      .tuple(fc.array(block, { maxLength: 4 }), words)
      .map(([blocks, text]) => blocks.join("") + paragraph(text));
    fc.assert(
      fc.property(fc.array(body, { minLength: 1, maxLength: 5 }), (bodies) => {
        const xml = main(...bodies.map((each) => docxOf(each)));
        expectWellFormed(xml);
        expect(textOf(xml)).toBe(bodies.map(textOf).join("|"));
        expect(countOf(xml, "<w:sectPr>")).toBe(bodies.length);
        for (const index of bodies.keys()) expect(countOf(xml, `"quireStart${index}"`)).toBe(1);
      }),
    );
  });
});

describe("documents are not joined", () => {
  const run = (content: string): string => `<w:p><w:r>${content}</w:r></w:p>`;

  test.each([
    ["notes", run('<w:footnoteReference w:id="1"/>')],
    ["comments", '<w:p><w:commentRangeStart w:id="1"/></w:p>'],
    ["insertions", "<w:p><w:ins><w:r><w:t>x</w:t></w:r></w:ins></w:p>"],
    ["deletions", "<w:p><w:del><w:r/></w:del></w:p>"],
    ["changed properties", "<w:p><w:pPr><w:pPrChange/></w:pPr></w:p>"],
    ["content controls", "<w:p><w:sdt><w:sdtContent/></w:sdt></w:p>"],
    [
      "date controls",
      `<w:sdt><w:sdtPr><w:date/></w:sdtPr><w:sdtContent>${paragraph("x")}</w:sdtContent></w:sdt>`,
    ],
    ["drawings of Word 97", run("<w:pict/>")],
    ["alternatives", run("<mc:AlternateContent/>")],
    ["objects", run("<w:object/>")],
    ["formulas", "<w:p><m:oMath/></w:p>"],
    ["frames", "<w:p><w:pPr><w:framePr/></w:pPr></w:p>"],
    ["floating tables", "<w:tbl><w:tblPr><w:tblpPr/></w:tblPr></w:tbl>"],
    ["column breaks", run('<w:br w:type="column"/>')],
    ["hidden paragraph marks", "<w:p><w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr></w:p>"],
    ["imported documents", '<w:altChunk r:id="x"/>'],
    ["links within the document", '<w:p><w:hyperlink w:anchor="x"><w:r/></w:hyperlink></w:p>'],
    [
      "bookmarks between paragraphs",
      '<w:bookmarkStart w:id="1" w:name="x"/><w:bookmarkEnd w:id="1"/>',
    ],
    ["bookmarks that do not end", '<w:p><w:bookmarkStart w:id="1" w:name="x"/></w:p>'],
    ["floating pictures", run("<w:drawing><wp:anchor/></w:drawing>")],
    [
      "charts",
      run(
        '<w:drawing><wp:inline><a:graphic><a:graphicData uri="chart"/></a:graphic></wp:inline></w:drawing>',
      ),
    ],
    [
      "links of pictures",
      picture("rP").replace('name="p"/>', 'name="p"><a:hlinkClick r:id="rP"/></wp:docPr>'),
    ],
    ["linked pictures", picture("rP").replace("r:embed", "r:link")],
    ["comments of XML", "<w:p><!-- x --></w:p>"],
    ["CDATA sections", run("<w:t><![CDATA[x]]></w:t>")],
    ["elements of other namespaces", `<w:p xmlns:a="urn:x">${run("")}</w:p>`],
    ["broken XML", "<w:p><w:r></w:p></w:r>"],
    ["one empty paragraph", "<w:p/>"],
    ["a page count in running text", `<w:p>${field("NUMPAGES")}</w:p>`],
    [
      "fields in fields",
      `<w:p>${field("PAGE").replace("<w:t>1</w:t>", '<w:fldChar w:fldCharType="begin"/>')}</w:p>`,
    ],
    ["fields over paragraphs", '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r></w:p>'],
    ["form fields", run('<w:fldChar w:fldCharType="begin"><w:ffData/></w:fldChar>')],
  ])("with %s", (_, content) => {
    const body = content === "<w:p/>" ? content : content + paragraph("x");
    expect(reasonOf(body)).not.toBe("(joined)");
  });

  test.each([
    "DATE",
    "TOC \\o",
    "SEQ Table",
    "REF x",
    "STYLEREF x",
    "PAGEREF x",
    "SECTIONPAGES",
    "INDEX",
    "IF 1",
    'HYPERLINK \\l "x"',
    'HYPERLINK "file:///x"',
    "PAGE \\* ROMAN",
    "",
  ])("with the field %s", (code) => {
    expect(reasonOf(`<w:p>${field(code)}</w:p>`)).toContain("the field");
    expect(
      reasonOf(`<w:p><w:fldSimple w:instr="${code.replaceAll('"', "&quot;")}"/></w:p>`),
    ).toContain("the field");
  });

  test.each([
    '<w:type w:val="continuous"/>',
    '<w:type w:val="oddPage"/>',
    '<w:cols w:num="2"/>',
    "<w:lnNumType/>",
    "<w:pgBorders/>",
    "<w:bidi/>",
    '<w:pgNumType w:fmt="lowerRoman"/>',
    '<w:pgNumType w:start="0"/>',
    "<w:formProt/>",
    '<w:textDirection w:val="tbRl"/>',
  ])("with %s in a section", (section) => {
    expect(reasonOf(paragraph("x"), { section })).not.toBe("(joined)");
  });

  test.each([
    "evenAndOddHeaders",
    "mirrorMargins",
    "documentProtection",
    "trackRevisions",
    "unheardOf",
  ])("with the setting %s", (name) => {
    const settings = (value: string): string => `<w:${name}${value}/><w:zoom/>`;
    expect(reasonOf(paragraph("x"), { settings: settings("") })).toBe(`the setting w:${name}`);
    const off = reasonOf(paragraph("x"), { settings: settings(' w:val="0"') });
    expect(off).toBe(name === "unheardOf" ? "the setting w:unheardOf" : "(joined)");
  });

  test("with lists that involve styles", () => {
    const item = paragraph("x", '<w:numPr><w:numId w:val="1"/></w:numPr>');
    const linked = lists("decimal", '<w:pStyle w:val="S"/>');
    expect(reasonOf(item, { numbering: linked })).toBe("a list defined by a style");
    const styles =
      '<w:style w:styleId="S"><w:basedOn w:val="T"/></w:style>' +
      '<w:style w:styleId="T"><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>';
    const styled = paragraph("x", '<w:pStyle w:val="S"/>');
    expect(reasonOf(styled, { numbering: lists("decimal"), styles })).toBe(
      "a list defined by a style",
    );
    expect(reasonOf(styled, { numbering: lists("bullet"), styles })).toBe("(joined)");
    expect(reasonOf(paragraph("x"), { numbering: lists("decimal"), styles })).toBe("(joined)");
    expect(reasonOf(item, {})).toBe("a list without list definitions");
  });

  test("when their styles, settings or other parts differ", () => {
    const of = (name: string): Uint8Array =>
      docxOf(paragraph("x"), { styles: `<w:style w:styleId="${name}"/>` });
    expect(reason(of("a"), of("b"))).toBe("parts that differ");
    const core = (text: string): Uint8Array =>
      docxOf(paragraph("x"), { parts: { "docProps/core.xml": text } });
    expect(reason(core("a"), core("b"))).toBe("parts that differ");
    expect(reason(core("a"), docxOf(paragraph("x")))).toBe("parts that differ");
    expect(reason(docxOf(paragraph("x")), core("a"))).toBe("parts that differ");
  });

  test("when they name different kinds of headers", () => {
    expect(
      reason(docxOf(paragraph("x"), { footer: paragraph("f") }), docxOf(paragraph("x"))),
    ).toMatch(/kinds of headers|differ/);
  });

  test("when a relationship leads out of the package", () => {
    const relations = relation("rP", "image", "https://x.example/p.png", LINK_MODE);
    expect(reasonOf(picture("rP"), { relations })).toContain("outside");
    expect(
      reasonOf(picture("rP"), { relations: relation("rP", "image", "../../x.png") }),
    ).toContain("outside");
  });

  test("when they are not a zip as Quire writes it, or are damaged", () => {
    const document = docxOf(paragraph("x"));
    expect(reason(new Uint8Array(10))).toBe("an unusual zip structure");
    expect(reason(document.subarray(0, -1))).toBe("an unusual zip structure");
    const broken = document.slice();
    const at = Buffer.from(document).indexOf("<w:body>");
    broken[at + 1] = 0x58;
    expect(reason(broken)).toBe("a part is damaged");
  });

  test("when any single byte is changed, without throwing", () => {
    const document = docxOf(paragraph("x"), {
      footer: `<w:p>${field("NUMPAGES")}</w:p>`,
      numbering: lists("decimal"),
    });
    fc.assert(
      fc.property(fc.nat(document.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
        const other = document.slice();
        other[at] = ((other[at] ?? 0) + by) % 256;
        joinDocuments([{ bytes: document }, { bytes: other }]);
      }),
    );
  });
});

describe("the pages on which a joined document is trusted", () => {
  const trusted = (body: string, beside: Beside = {}): number | null => {
    const read = joinReader().read(docxOf(body, beside));
    return "reason" in read ? null : read.mostPages;
  };
  const style = (properties: string): string =>
    '<w:style w:styleId="S"><w:basedOn w:val="T"/></w:style>' +
    `<w:style w:styleId="T"><w:pPr>${properties}</w:pPr></w:style>`;

  test("are unlimited for text, few with tables, and one if LibreOffice may break pages differently", () => {
    const text = paragraph("x");
    expect(trusted(text)).toBe(Number.POSITIVE_INFINITY);
    expect(trusted(paragraph("x", "<w:keepNext/>"))).toBe(Number.POSITIVE_INFINITY);
    expect(trusted(table(["x"]) + text)).toBe(4);
    const header = table(["x"]).replace("<w:tr>", "<w:tr><w:trPr><w:tblHeader/></w:trPr>");
    expect(trusted(header + text)).toBe(1);
    expect(trusted(table(["x"]) + paragraph("x", "<w:keepNext/>"))).toBe(1);
    expect(trusted(paragraph("x", "<w:pBdr><w:top/></w:pBdr>"))).toBe(1);
    expect(trusted(paragraph("x", '<w:shd w:fill="FF0000"/>'))).toBe(1);
  });

  test("also depend on styles, unless only headers use them", () => {
    const styled = paragraph("x", '<w:pStyle w:val="S"/>');
    const borders = { styles: style("<w:pBdr><w:top/></w:pBdr>") };
    expect(trusted(styled, borders)).toBe(1);
    expect(trusted(paragraph("x"), { ...borders, footer: styled })).toBe(Number.POSITIVE_INFINITY);
    expect(trusted(table(["x"]) + styled, { styles: style("<w:keepNext/>") })).toBe(1);
  });
});

describe("the vocabulary", () => {
  const forms = (body: string): ReadonlySet<number> => vocabularyOf(docxOf(body)) ?? new Set();

  test("does not depend on texts or on how often a form occurs", () => {
    expect(forms(paragraph("a") + paragraph("b") + paragraph("c"))).toEqual(
      forms(paragraph("d") + paragraph("e") + paragraph("f") + paragraph("g")),
    );
  });

  test.each([
    ["properties", paragraph("a", "<w:keepNext/>")],
    ["elements", run("<w:tab/>")],
    ["tables", table(["a"])],
    ["breaks", run('<w:br w:type="page"/>')],
    ["scripts", paragraph("日")],
    ["fields", `<w:p>${field("PAGE")}</w:p>`],
  ])("grows with %s", (_, more) => {
    const [few, many] = [
      forms(paragraph("a") + paragraph("b") + paragraph("c")),
      forms(paragraph("a") + more + paragraph("b") + paragraph("c")),
    ];
    expect([...few].every((form) => many.has(form))).toBe(true);
    expect(many.size).toBeGreaterThan(few.size);
  });

  test("is null for a document that is not joined", () => {
    expect(vocabularyOf(docxOf("<w:p/>"))).toBeNull();
  });

  function run(content: string): string {
    return `<w:p><w:r>${content}</w:r></w:p>`;
  }
});
