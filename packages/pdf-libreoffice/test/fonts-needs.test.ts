import { openDocx } from "@quire/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { embedsFonts, type FontNeeds, fontNeedsOf } from "../src/fonts/needs.ts";
import {
  documentWith,
  docxBytes,
  everywhere,
  type MoreParts,
  paragraph,
  run,
} from "./fonts-documents.ts";

function needsOf(body: string, more: MoreParts = {}): FontNeeds {
  return fontNeedsOf(documentWith(body, more));
}

function familiesOf(body: string, more: MoreParts = {}): string[] {
  return needsOf(body, more).families.map(({ family }) => family);
}

function defaults(fonts: string): string {
  return `<w:docDefaults><w:rPrDefault><w:rPr><w:rFonts ${fonts}/></w:rPr></w:rPrDefault></w:docDefaults>`;
}

function style(id: string, type: string, content: string, more = ""): string {
  return `<w:style w:type="${type}" w:styleId="${id}"${more}><w:name w:val="${id}"/>${content}</w:style>`;
}

function font(name: string): string {
  return `<w:rPr><w:rFonts w:ascii="${name}"/></w:rPr>`;
}

const HELLO = run("", "Hello");

const THEME =
  '<a:theme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:themeElements>' +
  '<a:fontScheme name="x"><a:majorFont><a:latin typeface="Major"/><a:ea typeface=""/><a:cs typeface=""/>' +
  '</a:majorFont><a:minorFont><a:latin typeface="Minor"/><a:ea typeface=""/><a:cs typeface=""/>' +
  '<a:font script="Jpan" typeface="Japanese"/><a:font script="Hang" typeface="Korean"/>' +
  '<a:font script="Hebr" typeface="Hebrew"/></a:minorFont></a:fontScheme></a:themeElements></a:theme>';

const THEMED = defaults(
  'w:asciiTheme="minorHAnsi" w:eastAsiaTheme="minorEastAsia" w:cstheme="minorBidi"',
);

describe("which families a document asks for", () => {
  test("those of its runs, each once", () => {
    expect(
      familiesOf(paragraph(run(everywhere("One"), "a") + run(everywhere("Two"), "b"))),
    ).toEqual(["One", "Two"]);
  });

  test("for each kind of characters the one that is named for it", () => {
    const fonts = 'w:ascii="Latin" w:eastAsia="Asian" w:cs="Complex"';
    expect(familiesOf(paragraph(run(fonts, "abc")))).toEqual(["Latin"]);
    expect(familiesOf(paragraph(run(fonts, "漢字")))).toEqual(["Asian"]);
    expect(familiesOf(paragraph(run(fonts, "שלום")))).toEqual(["Complex"]);
    expect(familiesOf(paragraph(run(fonts, "a漢ש")))).toEqual(["Latin", "Asian", "Complex"]);
    expect(familiesOf(paragraph(run(fonts, "{שלום}")))).toEqual(["Complex"]);
    expect(familiesOf(paragraph(run(fonts, "漢字 12")))).toEqual(["Latin", "Asian"]);
    expect(familiesOf(paragraph(run(fonts, "… ✓")))).toEqual(["Latin"]);
  });

  test("none for text without anything to be seen, instructions of fields and hidden text", () => {
    const all = everywhere("Unseen");
    expect(familiesOf(paragraph(run(all, " \u00a0\u200d")))).toEqual([]);
    expect(familiesOf(paragraph(run(all, "gone", "<w:vanish/>")))).toEqual([]);
    const field = `<w:r><w:rPr><w:rFonts ${all}/></w:rPr><w:instrText>PAGE</w:instrText></w:r>`;
    expect(familiesOf(paragraph(field))).toEqual([]);
    expect(familiesOf(paragraph("", `<w:rPr><w:rFonts ${all}/></w:rPr>`))).toEqual([]);
  });

  test("deleted text of tracked changes counts: LibreOffice shows it", () => {
    const deleted = `<w:del w:id="1" w:author="a"><w:r>${font("Deleted")}<w:delText>a</w:delText></w:r></w:del>`;
    expect(familiesOf(paragraph(deleted))).toEqual(["Deleted"]);
  });

  test("what a tracked change of formatting had before does not count", () => {
    const before = `<w:rPrChange w:id="1" w:author="a">${font("Before")}</w:rPrChange>`;
    expect(familiesOf(paragraph(run('w:ascii="Now"', "a", before)))).toEqual(["Now"]);
    expect(familiesOf(paragraph(run("", "a", before)))).toEqual([]);
  });

  test("the nearest one of run, style of characters, style of the paragraph, table and defaults", () => {
    const styles =
      defaults('w:ascii="Default"') +
      style("Base", "paragraph", font("Base")) +
      style("Child", "paragraph", '<w:basedOn w:val="Base"/>') +
      style("Letters", "character", font("Letters")) +
      style("Grid", "table", font("Grid"));
    const child = '<w:pStyle w:val="Child"/>';
    const letters = '<w:r><w:rPr><w:rStyle w:val="Letters"/></w:rPr><w:t>a</w:t></w:r>';
    const table = (content: string): string =>
      `<w:tbl><w:tblPr><w:tblStyle w:val="Grid"/></w:tblPr><w:tr><w:tc>${content}</w:tc></w:tr></w:tbl>`;
    expect(familiesOf(paragraph(HELLO), { styles })).toEqual(["Default"]);
    expect(familiesOf(table(paragraph(HELLO)), { styles })).toEqual(["Grid"]);
    expect(familiesOf(paragraph(HELLO, child), { styles })).toEqual(["Base"]);
    expect(familiesOf(table(paragraph(HELLO, child)), { styles })).toEqual(["Base"]);
    expect(familiesOf(paragraph(letters, child), { styles })).toEqual(["Letters"]);
    expect(familiesOf(paragraph(run('w:ascii="Run"', "a"), child), { styles })).toEqual(["Run"]);
    expect(familiesOf(table("") + paragraph(HELLO), { styles })).toEqual(["Default"]);
  });

  test("the default style of paragraphs, for those that name none or one that is not there", () => {
    const styles = style("Normal", "paragraph", font("Normal"), ' w:default="1"');
    expect(familiesOf(paragraph(HELLO), { styles })).toEqual(["Normal"]);
    expect(familiesOf(paragraph(HELLO, '<w:pStyle w:val="No"/>'), { styles })).toEqual(["Normal"]);
  });

  test("what a style of tables says of the first row, only there and only when it is used", () => {
    const first = `<w:tblStylePr w:type="firstRow">${font("First")}</w:tblStylePr>`;
    const styles = defaults('w:ascii="Default"') + style("Grid", "table", first);
    const table = (look: string): string =>
      `<w:tbl><w:tblPr><w:tblStyle w:val="Grid"/><w:tblLook ${look}/></w:tblPr>` +
      `<w:tr><w:tc>${paragraph(HELLO)}</w:tc></w:tr><w:tr><w:tc>${paragraph(HELLO)}</w:tc></w:tr></w:tbl>`;
    expect(familiesOf(table('w:firstRow="1"'), { styles })).toEqual(["First", "Default"]);
    expect(familiesOf(table('w:val="0000"'), { styles })).toEqual(["Default"]);
  });

  test("those that styles name and nothing uses do not count, nor do circles of styles hang", () => {
    const styles =
      defaults('w:ascii="Default"') +
      style("A", "paragraph", '<w:basedOn w:val="B"/>') +
      style("B", "paragraph", '<w:basedOn w:val="A"/>') +
      style("Unused", "paragraph", font("Unused"));
    expect(familiesOf(paragraph(HELLO, '<w:pStyle w:val="A"/>'), { styles })).toEqual(["Default"]);
  });

  test("Times New Roman where the styles name none", () => {
    expect(familiesOf(paragraph(HELLO), { styles: "" })).toEqual(["Times New Roman"]);
  });

  test("fonts of the theme by their places, which come before names", () => {
    const more = { styles: THEMED, theme: THEME };
    expect(familiesOf(paragraph(HELLO), more)).toEqual(["Minor"]);
    const both = 'w:ascii="Named" w:asciiTheme="majorHAnsi"';
    expect(familiesOf(paragraph(run(both, "a")), more)).toEqual(["Major"]);
    expect(familiesOf(paragraph(run('w:ascii="Named"', "a")), more)).toEqual(["Named"]);
  });

  test("fonts of the theme by the language of the document", () => {
    const more = (asian: string): MoreParts => ({
      styles: THEMED,
      theme: THEME,
      settings: `<w:themeFontLang w:val="en-US" w:eastAsia="${asian}" w:bidi="he-IL"/>`,
    });
    expect(familiesOf(paragraph(run("", "漢字")), more("ja-JP"))).toEqual(["Japanese"]);
    expect(familiesOf(paragraph(run("", "漢字")), more("ko-KR"))).toEqual(["Korean"]);
    expect(familiesOf(paragraph(run("", "漢字")), more("not a language"))).toEqual([]);
    expect(familiesOf(paragraph(run("", "שלום")), more("ja-JP"))).toEqual(["Hebrew"]);
  });

  test("headers and notes count, comments do not", () => {
    const text = (name: string): string => paragraph(run(`w:ascii="${name}"`, "a"));
    const families = familiesOf(text("Body"), {
      header: text("Header"),
      footnotes: `<w:footnote w:id="1">${text("Note")}</w:footnote>`,
      comments: `<w:comment w:id="1" w:author="a">${text("Comment")}</w:comment>`,
    });
    expect(families).toEqual(["Body", "Header", "Note"]);
  });

  test("text boxes stand for themselves, and the text around goes on as before", () => {
    const box = `<w:pict><w:txbxContent>${paragraph(run('w:ascii="Box"', "a"))}</w:txbxContent></w:pict>`;
    const around = `<w:r>${font("Around")}<w:t>a</w:t>${box}<w:t>b</w:t></w:r>`;
    expect(familiesOf(paragraph(around))).toEqual(["Around", "Box"]);
  });

  test("watermarks count", () => {
    const path =
      '<w:r><w:pict><v:textpath xmlns:v="urn:schemas-microsoft-com:vml" ' +
      'style="font-family:&quot;Water&quot;;font-size:1pt" string="DRAFT"/></w:pict></w:r>';
    expect(familiesOf(paragraph(path))).toEqual(["Water"]);
  });

  test("parts with other prefixes are read alike", () => {
    const body = '<x:p xmlns:x="urn:x"/>';
    expect(familiesOf(body)).toEqual([]);
    const document = documentWith("");
    const part = document
      .readText(document.mainPart)
      .replaceAll("w:", "ns0:")
      .replaceAll("xmlns:w=", "xmlns:ns0=");
    const other = part.replace(
      "<ns0:body>",
      `<ns0:body>${paragraph(run('w:ascii="Other"', "a")).replaceAll("w:", "ns0:")}`,
    );
    const source = {
      mainPart: document.mainPart,
      readText: () => other,
      relationshipsOf: () => [],
      partByKind: () => null,
    };
    expect(fontNeedsOf(source).families).toEqual([{ family: "Other", sample: 97 }]);
  });
});

describe("lists", () => {
  const list = (level: string): string =>
    `<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0">${level}</w:lvl></w:abstractNum>` +
    '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>';
  const inList = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>';
  const decimal = '<w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/>';

  test("numbers ask for the font of their level, or that of the paragraph's mark", () => {
    expect(
      familiesOf(paragraph("", inList), { numbering: list(decimal + font("Number")) }),
    ).toEqual(["Number"]);
    const mark = `${inList}<w:rPr><w:rFonts w:ascii="Mark"/></w:rPr>`;
    expect(familiesOf(paragraph("", mark), { numbering: list(decimal) })).toEqual(["Mark"]);
  });

  test("lists by a style, taken back, and not used", () => {
    const numbering = list(decimal + font("Number"));
    const styles = style("List", "paragraph", `<w:pPr>${inList}</w:pPr>`);
    const listed = '<w:pStyle w:val="List"/>';
    expect(familiesOf(paragraph("", listed), { numbering, styles })).toEqual(["Number"]);
    const none = `${listed}<w:numPr><w:numId w:val="0"/></w:numPr>`;
    expect(familiesOf(paragraph("", none), { numbering, styles })).toEqual([]);
    expect(familiesOf(paragraph(""), { numbering, styles })).toEqual([]);
  });

  test("bullets of fonts of symbols are told with the font", () => {
    const bullet = `<w:numFmt w:val="bullet"/><w:lvlText w:val="\uf0b7"/>${font("Symbol")}`;
    const needs = needsOf(paragraph("", inList), { numbering: list(bullet) });
    expect(needs.symbols).toEqual([{ family: "Symbol", codePoints: [0xf0b7] }]);
    expect(needs.families).toEqual([]);
    expect(needs.codePoints).toEqual([]);
  });

  test("other bullets are text", () => {
    const bullet = `<w:numFmt w:val="bullet"/><w:lvlText w:val="•"/>${font("Plain")}`;
    const needs = needsOf(paragraph("", inList), { numbering: list(bullet) });
    expect(needs.symbols).toEqual([]);
    expect(needs.families).toEqual([{ family: "Plain", sample: 0x2022 }]);
  });
});

describe("which characters a document needs", () => {
  test("those that are to be seen, in order, with entities resolved", () => {
    const { codePoints } = needsOf(paragraph(run("", "b&amp;a &#x1F600;\u00ad\ufe0f\u3000\u200b")));
    expect(codePoints).toEqual([0x26, 0x61, 0x62, 0x1f600]);
  });

  test("those of formulas, which ask for no font", () => {
    const formula =
      '<m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math">' +
      `<m:r>${font("Cambria Math")}<m:t>∑</m:t></m:r></m:oMath>`;
    const needs = needsOf(paragraph(formula));
    expect(needs.codePoints).toEqual([0x2211]);
    expect(needs.families).toEqual([]);
  });

  test("inserted symbols with their font, others as text", () => {
    const symbol = (name: string, char: string): string =>
      `<w:r><w:sym w:font="${name}" w:char="${char}"/></w:r>`;
    const needs = needsOf(paragraph(symbol("Wingdings", "F0FC") + symbol("MS Gothic", "2610")));
    expect(needs.symbols).toEqual([{ family: "Wingdings", codePoints: [0xf0fc] }]);
    expect(needs.codePoints).toEqual([0x2610]);
    expect(needs.families).toEqual([{ family: "MS Gothic", sample: 0x2610 }]);
  });

  test("text in Symbol is made of symbols", () => {
    expect(needsOf(paragraph(run(everywhere("Symbol"), "a\uf0b7"))).symbols).toEqual([
      { family: "Symbol", codePoints: [0xf061, 0xf0b7] },
    ]);
  });

  test("every character of any text, whatever else the document holds", () => {
    const character = fc.string({ unit: "grapheme", maxLength: 20 });
    fc.assert(
      fc.property(fc.array(character, { maxLength: 8 }), (texts) => {
        const escaped = texts.map((text) =>
          text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
        );
        const { codePoints } = needsOf(escaped.map((text) => paragraph(run("", text))).join(""));
        const found = new Set(codePoints);
        const seen = texts.join("").replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "");
        const wanted = seen.match(/[\p{L}\p{N}\p{P}\p{S}]/gu) ?? [];
        expect(wanted.filter((each) => !found.has(each.codePointAt(0) ?? 0))).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});

test("a document may bring fonts with it when its table of fonts leads anywhere", () => {
  const bytes = (relationships: string) =>
    docxBytes(
      "",
      { fontTable: '<w:font w:name="A"/>' },
      { "word/_rels/fontTable.xml.rels": relationships },
    );
  const relationship =
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="f" ' +
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/font" Target="fontTable.xml"/>' +
    "</Relationships>";
  const isFound = (file: Uint8Array): boolean => embedsFonts(openDocx(file, { rendered: true }));
  expect(isFound(bytes(relationship))).toBe(true);
  expect(isFound(docxBytes("", { fontTable: "" }))).toBe(false);
  expect(isFound(docxBytes(""))).toBe(false);
});

test("fonts that a document brings with it are named", () => {
  const fontTable =
    '<w:font w:name="Brought"><w:embedRegular w:fontKey="{0}"/></w:font><w:font w:name="Named"/>';
  expect(needsOf("", { fontTable }).embedded).toEqual(["Brought"]);
});

test("documents of one template do not get each other's needs", () => {
  const header = (name: string): MoreParts => ({
    header: paragraph(run(`w:ascii="${name}"`, "a")),
    styles: "",
  });
  expect(familiesOf("", header("One"))).toEqual(["One"]);
  expect(familiesOf("", header("Two"))).toEqual(["Two"]);
  expect(familiesOf(paragraph(run('w:ascii="Body"', "b")), header("One"))).toEqual(["Body", "One"]);
});

test("parts that are equal and used in another way are read in that way", () => {
  const level = `<w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/>${font("Number")}`;
  const numbering =
    `<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0">${level}</w:lvl></w:abstractNum>` +
    '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>';
  const whole = documentWith("", { numbering }).readText("word/numbering.xml");
  const body = paragraph("", '<w:numPr><w:numId w:val="1"/></w:numPr>');
  expect(familiesOf(body, { theme: whole })).toEqual([]);
  expect(familiesOf(body, { numbering })).toEqual(["Number"]);
});

test("broken XML ends soon", () => {
  const pieces = [
    "<w:rPr>",
    "<w:r>",
    "<w:pPr ",
    "<w:t>",
    "&",
    '"',
    "<w:sym ",
    "<!--",
    "<m:t>",
    "</w:tbl>",
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 40 }), (parts) => {
      const xml = parts.join("");
      const source = {
        mainPart: "word/document.xml",
        readText: () => xml,
        relationshipsOf: () => [],
        partByKind: () => "word/styles.xml",
      };
      expect(fontNeedsOf(source).families.length).toBeLessThanOrEqual(1);
    }),
  );
});
