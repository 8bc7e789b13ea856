import { openDocx } from "@quire/ooxml";
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

describe("the requested families", () => {
  test("include the families of runs, each once", () => {
    expect(
      familiesOf(paragraph(run(everywhere("One"), "a") + run(everywhere("Two"), "b"))),
    ).toEqual(["One", "Two"]);
  });

  test("include the family that is named for each kind of character", () => {
    const fonts = 'w:ascii="Latin" w:eastAsia="Asian" w:cs="Complex"';
    expect(familiesOf(paragraph(run(fonts, "abc")))).toEqual(["Latin"]);
    expect(familiesOf(paragraph(run(fonts, "漢字")))).toEqual(["Asian"]);
    expect(familiesOf(paragraph(run(fonts, "שלום")))).toEqual(["Complex"]);
    expect(familiesOf(paragraph(run(fonts, "a漢ש")))).toEqual(["Latin", "Asian", "Complex"]);
    expect(familiesOf(paragraph(run(fonts, "{שלום}")))).toEqual(["Complex"]);
    expect(familiesOf(paragraph(run(fonts, "漢字 12")))).toEqual(["Latin", "Asian"]);
    expect(familiesOf(paragraph(run(fonts, "… ✓")))).toEqual(["Latin"]);
  });

  test("exclude the fonts of invisible text, field instructions and hidden text", () => {
    const all = everywhere("Unseen");
    expect(familiesOf(paragraph(run(all, " \u00a0\u200d")))).toEqual([]);
    expect(familiesOf(paragraph(run(all, "gone", "<w:vanish/>")))).toEqual([]);
    const field = `<w:r><w:rPr><w:rFonts ${all}/></w:rPr><w:instrText>PAGE</w:instrText></w:r>`;
    expect(familiesOf(paragraph(field))).toEqual([]);
    expect(familiesOf(paragraph("", `<w:rPr><w:rFonts ${all}/></w:rPr>`))).toEqual([]);
  });

  test("include the fonts of deleted text in tracked changes, which LibreOffice shows", () => {
    const deleted = `<w:del w:id="1" w:author="a"><w:r>${font("Deleted")}<w:delText>a</w:delText></w:r></w:del>`;
    expect(familiesOf(paragraph(deleted))).toEqual(["Deleted"]);
  });

  test("exclude the previous formatting of tracked changes", () => {
    const before = `<w:rPrChange w:id="1" w:author="a">${font("Before")}</w:rPrChange>`;
    expect(familiesOf(paragraph(run('w:ascii="Now"', "a", before)))).toEqual(["Now"]);
    expect(familiesOf(paragraph(run("", "a", before)))).toEqual([]);
  });

  test("come from the nearest of run, character style, paragraph style, table style and defaults", () => {
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

  test("come from the default paragraph style if a paragraph names none or a missing one", () => {
    const styles = style("Normal", "paragraph", font("Normal"), ' w:default="1"');
    expect(familiesOf(paragraph(HELLO), { styles })).toEqual(["Normal"]);
    expect(familiesOf(paragraph(HELLO, '<w:pStyle w:val="No"/>'), { styles })).toEqual(["Normal"]);
  });

  test("come from a table style's first row only in that row and only if it is enabled", () => {
    const first = `<w:tblStylePr w:type="firstRow">${font("First")}</w:tblStylePr>`;
    const styles = defaults('w:ascii="Default"') + style("Grid", "table", first);
    const table = (look: string): string =>
      `<w:tbl><w:tblPr><w:tblStyle w:val="Grid"/><w:tblLook ${look}/></w:tblPr>` +
      `<w:tr><w:tc>${paragraph(HELLO)}</w:tc></w:tr><w:tr><w:tc>${paragraph(HELLO)}</w:tc></w:tr></w:tbl>`;
    expect(familiesOf(table('w:firstRow="1"'), { styles })).toEqual(["First", "Default"]);
    expect(familiesOf(table('w:val="0000"'), { styles })).toEqual(["Default"]);
  });

  test("exclude the fonts of unused styles, and circular styles do not hang", () => {
    const styles =
      defaults('w:ascii="Default"') +
      style("A", "paragraph", '<w:basedOn w:val="B"/>') +
      style("B", "paragraph", '<w:basedOn w:val="A"/>') +
      style("Unused", "paragraph", font("Unused"));
    expect(familiesOf(paragraph(HELLO, '<w:pStyle w:val="A"/>'), { styles })).toEqual(["Default"]);
  });

  test("include Times New Roman if the styles name no font", () => {
    expect(familiesOf(paragraph(HELLO), { styles: "" })).toEqual(["Times New Roman"]);
  });

  test("include theme fonts by their role, which takes precedence over names", () => {
    const more = { styles: THEMED, theme: THEME };
    expect(familiesOf(paragraph(HELLO), more)).toEqual(["Minor"]);
    const both = 'w:ascii="Named" w:asciiTheme="majorHAnsi"';
    expect(familiesOf(paragraph(run(both, "a")), more)).toEqual(["Major"]);
    expect(familiesOf(paragraph(run('w:ascii="Named"', "a")), more)).toEqual(["Named"]);
  });

  test("include theme fonts by the language of the document", () => {
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

  test("include the fonts of headers and notes, but not of comments", () => {
    const text = (name: string): string => paragraph(run(`w:ascii="${name}"`, "a"));
    const families = familiesOf(text("Body"), {
      header: text("Header"),
      footnotes: `<w:footnote w:id="1">${text("Note")}</w:footnote>`,
      comments: `<w:comment w:id="1" w:author="a">${text("Comment")}</w:comment>`,
    });
    expect(families).toEqual(["Body", "Header", "Note"]);
  });

  test("are separate within a text box, and the text after it is not affected", () => {
    const box = `<w:pict><w:txbxContent>${paragraph(run('w:ascii="Box"', "a"))}</w:txbxContent></w:pict>`;
    const around = `<w:r>${font("Around")}<w:t>a</w:t>${box}<w:t>b</w:t></w:r>`;
    expect(familiesOf(paragraph(around))).toEqual(["Around", "Box"]);
  });

  test("include the fonts of watermarks", () => {
    const path =
      '<w:r><w:pict><v:textpath xmlns:v="urn:schemas-microsoft-com:vml" ' +
      'style="font-family:&quot;Water&quot;;font-size:1pt" string="DRAFT"/></w:pict></w:r>';
    expect(familiesOf(paragraph(path))).toEqual(["Water"]);
  });

  test("are the same with other namespace prefixes", () => {
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

  test("request the font of their level, or of the paragraph mark, for numbers", () => {
    expect(
      familiesOf(paragraph("", inList), { numbering: list(decimal + font("Number")) }),
    ).toEqual(["Number"]);
    const mark = `${inList}<w:rPr><w:rFonts w:ascii="Mark"/></w:rPr>`;
    expect(familiesOf(paragraph("", mark), { numbering: list(decimal) })).toEqual(["Mark"]);
  });

  test("may be set by a style, reset, or not used", () => {
    const numbering = list(decimal + font("Number"));
    const styles = style("List", "paragraph", `<w:pPr>${inList}</w:pPr>`);
    const listed = '<w:pStyle w:val="List"/>';
    expect(familiesOf(paragraph("", listed), { numbering, styles })).toEqual(["Number"]);
    const none = `${listed}<w:numPr><w:numId w:val="0"/></w:numPr>`;
    expect(familiesOf(paragraph("", none), { numbering, styles })).toEqual([]);
    expect(familiesOf(paragraph(""), { numbering, styles })).toEqual([]);
  });

  test("report bullets in symbol fonts with the font", () => {
    const bullet = `<w:numFmt w:val="bullet"/><w:lvlText w:val="\uf0b7"/>${font("Symbol")}`;
    const needs = needsOf(paragraph("", inList), { numbering: list(bullet) });
    expect(needs.symbols).toEqual([{ family: "Symbol", codePoints: [0xf0b7] }]);
    expect(needs.families).toEqual([]);
    expect(needs.codePoints).toEqual([]);
  });

  test("treat other bullets as text", () => {
    const bullet = `<w:numFmt w:val="bullet"/><w:lvlText w:val="•"/>${font("Plain")}`;
    const needs = needsOf(paragraph("", inList), { numbering: list(bullet) });
    expect(needs.symbols).toEqual([]);
    expect(needs.families).toEqual([{ family: "Plain", sample: 0x2022 }]);
  });
});

describe("the needed characters", () => {
  test("are the visible ones, in order, with entities decoded", () => {
    const { codePoints } = needsOf(paragraph(run("", "b&amp;a &#x1F600;\u00ad\ufe0f\u3000\u200b")));
    expect(codePoints).toEqual([0x26, 0x61, 0x62, 0x1f600]);
  });

  test("include the characters of formulas, which request no font", () => {
    const formula =
      '<m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math">' +
      `<m:r>${font("Cambria Math")}<m:t>∑</m:t></m:r></m:oMath>`;
    const needs = needsOf(paragraph(formula));
    expect(needs.codePoints).toEqual([0x2211]);
    expect(needs.families).toEqual([]);
  });

  test("include inserted symbols with their font, and others as text", () => {
    const symbol = (name: string, char: string): string =>
      `<w:r><w:sym w:font="${name}" w:char="${char}"/></w:r>`;
    const needs = needsOf(paragraph(symbol("Wingdings", "F0FC") + symbol("MS Gothic", "2610")));
    expect(needs.symbols).toEqual([{ family: "Wingdings", codePoints: [0xf0fc] }]);
    expect(needs.codePoints).toEqual([0x2610]);
    expect(needs.families).toEqual([{ family: "MS Gothic", sample: 0x2610 }]);
  });

  test("are symbols for text in Symbol", () => {
    expect(needsOf(paragraph(run(everywhere("Symbol"), "a\uf0b7"))).symbols).toEqual([
      { family: "Symbol", codePoints: [0xf061, 0xf0b7] },
    ]);
  });

  test("include every character of any text, whatever else the document contains", () => {
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

test("a document may embed fonts if its font table has relationships", () => {
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

test("embedded fonts are named", () => {
  const fontTable =
    '<w:font w:name="Brought"><w:embedRegular w:fontKey="{0}"/></w:font><w:font w:name="Named"/>';
  expect(needsOf("", { fontTable }).embedded).toEqual(["Brought"]);
});

test("the needs of documents of one template are separate", () => {
  const header = (name: string): MoreParts => ({
    header: paragraph(run(`w:ascii="${name}"`, "a")),
    styles: "",
  });
  expect(familiesOf("", header("One"))).toEqual(["One"]);
  expect(familiesOf("", header("Two"))).toEqual(["Two"]);
  expect(familiesOf(paragraph(run('w:ascii="Body"', "b")), header("One"))).toEqual(["Body", "One"]);
});

test("equal parts with a different use are read separately", () => {
  const level = `<w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/>${font("Number")}`;
  const numbering =
    `<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0">${level}</w:lvl></w:abstractNum>` +
    '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>';
  const whole = documentWith("", { numbering }).readText("word/numbering.xml");
  const body = paragraph("", '<w:numPr><w:numId w:val="1"/></w:numPr>');
  expect(familiesOf(body, { theme: whole })).toEqual([]);
  expect(familiesOf(body, { numbering })).toEqual(["Number"]);
});

test("broken XML is read quickly", () => {
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
