import { describe, expect, test } from "vitest";
import { safeLink } from "../../../src/values/rich/link.ts";
import { listNumberingXml, markerText } from "../../../src/values/rich/list-markers.ts";
import type { RichTable } from "../../../src/values/rich/model.ts";
import { parseHtml } from "../../../src/values/rich/read/parse-html.ts";
import { blocksXml, inlineXml } from "../../../src/values/rich/write.ts";
import {
  codes,
  context,
  lines,
  parseXml,
  pPrs,
  runs,
  runsOf,
  styled,
  type TestContext,
  textOf,
} from "../../support/rich-text.ts";

describe("blocks", () => {
  test("are paragraphs with the properties of the tag's paragraph, and only the first breaks the page", () => {
    const where = context({
      paragraphProperties:
        '<w:pStyle w:val="Body"/><w:pageBreakBefore/><w:spacing w:after="80"/><w:rPr><w:ins w:id="1" w:author="a"/><w:b/></w:rPr>',
    });
    const document = parseHtml("<p>a</p>b<div>c</div><p style='text-align:center'>d</p>");
    const usual = '<w:pStyle w:val="Body"/><w:spacing w:after="80"/>';
    const mark = "<w:rPr><w:b/></w:rPr>";
    expect(pPrs(blocksXml(document, where))).toEqual([
      `<w:pStyle w:val="Body"/><w:pageBreakBefore/><w:spacing w:after="80"/>${mark}`,
      usual + mark,
      usual + mark,
      `${usual}<w:jc w:val="center"/>${mark}`,
    ]);
    expect(blocksXml(document, where, { continues: true })).not.toContain("pageBreakBefore");
  });

  test("of a heading take the template's style, without the tag's formatting", () => {
    const where = styled({
      runProperties: '<w:rFonts w:ascii="Arial"/><w:b/><w:sz w:val="18"/><w:lang w:val="de-DE"/>',
      paragraphProperties: '<w:pStyle w:val="Body"/><w:spacing w:after="80"/><w:jc w:val="right"/>',
    });
    expect(blocksXml(parseHtml("<h1>A <i>b</i></h1>"), where)).toBe(
      '<w:p><w:pPr><w:pStyle w:val="Heading1"/><w:jc w:val="right"/></w:pPr><w:r><w:rPr><w:lang w:val="de-DE"/></w:rPr><w:t xml:space="preserve">A </w:t></w:r><w:r><w:rPr><w:i/><w:iCs/><w:lang w:val="de-DE"/></w:rPr><w:t xml:space="preserve">b</w:t></w:r></w:p>',
    );
  });

  test("of a heading without a style are bold and larger", () => {
    const xml = blocksXml(parseHtml("<h1>A</h1><h2>B</h2><h6>C</h6>"), context());
    expect(runsOf(xml)).toEqual([
      '<w:b/><w:bCs/><w:sz w:val="44"/><w:szCs w:val="44"/>:A',
      '<w:b/><w:bCs/><w:sz w:val="33"/><w:szCs w:val="33"/>:B',
      '<w:b/><w:bCs/><w:sz w:val="15"/><w:szCs w:val="15"/>:C',
    ]);
    expect(pPrs(xml)[1]).toBe('<w:keepNext/><w:outlineLvl w:val="1"/>');
  });

  test("of a quote are indented, or take the template's style", () => {
    const document = parseHtml("<blockquote>a<blockquote>b</blockquote></blockquote>");
    expect(pPrs(blocksXml(document, context()))).toEqual([
      '<w:ind w:left="720"/>',
      '<w:ind w:left="1440"/>',
    ]);
    expect(pPrs(blocksXml(document, styled()))).toEqual([
      '<w:pStyle w:val="Quote"/>',
      '<w:pStyle w:val="Quote"/><w:ind w:left="1440"/>',
    ]);
  });

  test("indent in addition to the tag's paragraph", () => {
    const where = context({
      paragraphProperties: '<w:ind w:left="300" w:right="50" w:firstLine="10"/>',
    });
    const html = "<p>a</p><dl><dd>b</dl><p style='margin-left:20px'>c</p><ul><li>d</ul>";
    expect(pPrs(blocksXml(parseHtml(html), where))).toEqual([
      '<w:ind w:left="300" w:right="50" w:firstLine="10"/>',
      '<w:ind w:left="1020" w:right="50"/>',
      '<w:ind w:left="600" w:right="50"/>',
      '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr><w:ind w:left="1020" w:right="50" w:hanging="360"/>',
    ]);
  });

  test("written from right to left are marked, and left-aligned text remains on the left", () => {
    const xml = blocksXml(parseHtml("<p dir=rtl align=left>שלום <b>abc</b></p>"), context());
    expect(pPrs(xml)).toEqual(['<w:bidi/><w:jc w:val="right"/>']);
    expect(runsOf(xml)).toEqual(["<w:rtl/>:שלום ", "<w:b/><w:bCs/>:abc"]);
  });

  test("include rules and line breaks", () => {
    const xml = blocksXml(parseHtml("<p>a<br>b</p><hr><p>c</p>"), context());
    expect(pPrs(xml)[1]).toContain("<w:pBdr><w:bottom ");
    expect(lines(parseHtml("<p>a<br>b</p><hr><p>c</p>"))).toEqual(["a⏎b", "", "c"]);
  });
});

describe("lists", () => {
  function places(html: string, where: TestContext): string[] {
    return pPrs(blocksXml(parseHtml(html), where)).map((pPr) => {
      const [, level, number] = /<w:ilvl w:val="(\d)"\/><w:numId w:val="(\d+)"\/>/.exec(pPr) ?? [];
      return level === undefined ? (/w:left="(\d+)"/.exec(pPr)?.[1] ?? "-") : `${level}:${number}`;
    });
  }

  test("nest, each ordered list has separate numbers, and all bullets share a definition", () => {
    const where = context();
    const html =
      "<ul><li>a<ol><li>b<li>c</ol><li>d<ol><li>e<ul><li>f</ul></ol></ul><ol start=5 type=a><li>g</ol><ul><li>h</ul>";
    expect(places(html, where)).toEqual(["0:1", "1:2", "1:2", "0:1", "1:3", "2:1", "0:4", "0:1"]);
    expect(where.lists).toEqual(["bullet 1 0", "decimal 1 1", "decimal 1 1", "lower-letter 5 0"]);
  });

  test("continue after paragraphs and tables, which get the indent of the item", () => {
    const where = context();
    const html = "<ol><li><p>a</p><p>b</p><table><tr><td>t</table>c<li><li>d</ol>e";
    expect(places(html, where)).toEqual(["0:1", "720", "-", "720", "0:1", "0:1", "-"]);
  });

  test("jump to a given value, and count down", () => {
    const where = context();
    places("<ol><li>a<li value=7>b<li>c</ol><ol reversed type=I><li>x<li>y</ol>", where);
    expect(where.lists).toEqual([
      "decimal 1 0",
      "decimal 7 0",
      "upper-roman 2 0",
      "upper-roman 1 0",
    ]);
  });

  test("without markers are only indented, and a sublist at the start of an item does not hide the item's marker", () => {
    const where = context();
    expect(
      places("<ul style='list-style-type:none'><li>a</ul><ol><li><ul><li>b</ul></ol>", where),
    ).toEqual(["720", "0:1", "1:2"]);
  });

  test("deeper than nine levels remain at the ninth, with a warning", () => {
    const document = parseHtml(`${"<ul><li>a".repeat(12)}`);
    expect(codes(document)).toEqual(["markup_limit"]);
    expect(places("<ul><li>a".repeat(12), context()).at(-1)).toBe("8:1");
  });

  test("without a list around them are bullets", () => {
    const where = context();
    expect(places("<li>a</li><li>b</li>", where)).toEqual(["0:1", "0:1"]);
    expect(where.lists).toEqual(["bullet 1 0"]);
  });

  test("take the template's style unless the tag's paragraph has a style", () => {
    const document = parseHtml("<ul><li>a</ul>");
    expect(blocksXml(document, styled())).toContain('<w:pStyle w:val="ListParagraph"/>');
    const own = styled({ paragraphProperties: '<w:pStyle w:val="Body"/>' });
    expect(blocksXml(document, own)).toContain('<w:pStyle w:val="Body"/>');
  });

  test("that Word cannot number have their numbers as text", () => {
    const where = context();
    const many = "<ol><li>x</ol>".repeat(502);
    expect(lines(parseHtml(many), where).slice(-3)).toEqual(["x", "1.⇥x", "1.⇥x"]);
    expect(where.lists).toHaveLength(500);
    expect(where.warned[0]).toContain("more than 500 ordered lists");
    expect(lines(parseHtml("<ol start=-1><li>x<li>y</ol>"))).toEqual(["-1.⇥x", "0.⇥y"]);
  });

  test("have definitions of nine levels", () => {
    for (const kind of [
      "bullet",
      "decimal",
      "lower-letter",
      "upper-letter",
      "lower-roman",
      "upper-roman",
    ] as const) {
      const definition = parseXml(listNumberingXml(3, { kind, text: null })).children[0];
      expect(definition?.attributes).toEqual({ "w:abstractNumId": "3" });
      expect(definition?.children.filter(({ name }) => name === "w:lvl")).toHaveLength(9);
    }
    expect(listNumberingXml(3, { kind: "upper-roman", text: null })).toContain(
      '<w:start w:val="1"/><w:numFmt w:val="upperRoman"/><w:lvlText w:val="%9."/>',
    );
  });

  test.each([
    ["decimal", 12, "12."],
    ["lower-letter", 28, "ab."],
    ["upper-letter", 26, "Z."],
    ["lower-roman", 1994, "mcmxciv."],
    ["upper-roman", 4000, "4000."],
    ["lower-letter", 0, "0."],
    ["bullet", 3, "•"],
  ] as const)("as text: %s %d is %s", (kind, number, text) => {
    expect(markerText({ kind, text: null }, number)).toBe(text);
  });
});

describe("tables", () => {
  function tableOf(html: string): RichTable {
    const block = parseHtml(html).blocks.find(({ kind }) => kind === "table");
    if (block?.kind !== "table") throw new Error("There is no table.");
    return block;
  }

  function grid(html: string): string[] {
    return tableOf(html).rows.map(({ cells }) =>
      cells.map(({ span, merge }) => `${span}${merge === "none" ? "" : merge.charAt(0)}`).join(" "),
    );
  }

  test("are written with style, width, grid and cell properties", () => {
    const html =
      "<table><tr><th>A</th><th>B</th></tr><tr><td style='background:#eee'>x</td><td valign=bottom>y</td></tr></table>";
    expect(blocksXml(parseHtml(html), styled())).toBe(
      '<w:tbl><w:tblPr><w:tblStyle w:val="TableGrid"/><w:tblW w:w="5000" w:type="pct"/><w:tblLook w:val="04A0" w:firstRow="1" w:lastRow="0" w:firstColumn="1" w:lastColumn="0" w:noHBand="0" w:noVBand="1"/></w:tblPr><w:tblGrid><w:gridCol w:w="4513"/><w:gridCol w:w="4513"/></w:tblGrid>' +
        '<w:tr><w:tc><w:tcPr><w:tcW w:w="0" w:type="auto"/></w:tcPr><w:p><w:pPr><w:jc w:val="center"/></w:pPr><w:r><w:rPr><w:b/><w:bCs/></w:rPr><w:t xml:space="preserve">A</w:t></w:r></w:p></w:tc><w:tc><w:tcPr><w:tcW w:w="0" w:type="auto"/></w:tcPr><w:p><w:pPr><w:jc w:val="center"/></w:pPr><w:r><w:rPr><w:b/><w:bCs/></w:rPr><w:t xml:space="preserve">B</w:t></w:r></w:p></w:tc></w:tr>' +
        '<w:tr><w:tc><w:tcPr><w:tcW w:w="0" w:type="auto"/><w:shd w:val="clear" w:color="auto" w:fill="EEEEEE"/></w:tcPr><w:p><w:r><w:t xml:space="preserve">x</w:t></w:r></w:p></w:tc><w:tc><w:tcPr><w:tcW w:w="0" w:type="auto"/><w:vAlign w:val="bottom"/></w:tcPr><w:p><w:r><w:t xml:space="preserve">y</w:t></w:r></w:p></w:tc></w:tr></w:tbl>',
    );
  });

  test.each([
    ["<table><tr><td rowspan=2>a<td>b<tr><td>c</table>", ["1s 1", "1c 1"]],
    ["<table><tr><td>a<td rowspan=2>b<tr></table>", ["1 1s", "1 1c"]],
    ["<table><tr><td colspan=2>a<tr><td>b<td>c</table>", ["2", "1 1"]],
    ["<table><tr><td rowspan=0>a<td>b<tr><td>c<tr><td>d</table>", ["1s 1", "1c 1", "1c 1"]],
    ["<table><tr><td rowspan=2 colspan=2>a<td>b<tr><td>c</table>", ["2s 1", "2c 1"]],
    [
      "<table><tr><td>a<td rowspan=3>b<tr><td colspan=5>c<tr><td>d</table>",
      ["1 1s", "1 1c", "1 1c"],
    ],
    ["<table><tr><td rowspan=9>a</table>", ["1"]],
    ["<table><thead><tr><td rowspan=9>a</thead><tr><td>b</table>", ["1", "1"]],
    ["<table><tr><td colspan=0>a<td colspan=x>b<td colspan=-1>c</table>", ["1 1 1"]],
    ["<table><tr></tr><tr><td>a</table>", ["1"]],
    ["<table><tr><td>a<tr><td>b<td>c<td>d</table>", ["1", "1 1 1"]],
  ])("%s has the cells %j", (html, cells) => {
    expect(grid(html)).toEqual(cells);
    parseXml(blocksXml(parseHtml(html), context()));
  });

  test("fill short rows with gridAfter", () => {
    const xml = blocksXml(parseHtml("<table><tr><td>a<tr><td>b<td>c<td>d</table>"), context());
    expect(xml.match(/<w:gridAfter w:val="2"\/>/g)).toHaveLength(1);
  });

  test("repeat header rows, put footer rows last, and show a caption above", () => {
    const html =
      "<table><caption>Cap</caption><tfoot><tr><td>f</tfoot><thead><tr><td>h</thead><tbody><tr><td>b</table>";
    expect(lines(parseHtml(html))).toEqual(["Cap", "[h]", "[b]", "[f]"]);
    expect(blocksXml(parseHtml(html), context()).match(/<w:tblHeader\/>/g)).toHaveLength(1);
  });

  test("are never adjacent, and a cell ends in a paragraph", () => {
    const html =
      "<table><tr><td><table><tr><td>a</table><table><tr><td>b</table><td></table><table><tr><td>c</table>";
    const xml = blocksXml(parseHtml(html), context());
    expect(xml).not.toContain("</w:tbl><w:tbl>");
    expect(xml).not.toMatch(/<\/w:tbl><\/w:tc>|<\/w:tcPr><\/w:tc>/);
  });

  test("may have a given width and no borders", () => {
    const wide = blocksXml(
      parseHtml("<table width=50% border=0><tr><td width=80%>a<td>b</table>"),
      context(),
    );
    expect(wide).toContain('<w:tblW w:w="2500" w:type="pct"/>');
    expect(wide).not.toContain("w:tblBorders");
    expect(wide).toContain('<w:gridCol w:w="6877"/><w:gridCol w:w="2149"/>');
    const points = blocksXml(parseHtml("<table style='width:300pt'><tr><td>a</table>"), context());
    expect(points).toContain('<w:tblW w:w="6000" w:type="dxa"/>');
  });

  test("with more columns than Word allows keep all cells", () => {
    const document = parseHtml(
      `<table><tr>${Array.from({ length: 70 }, (_, i) => `<td>${i}`).join("")}</table>`,
    );
    expect(tableOf(`<table><tr>${"<td>x".repeat(70)}</table>`).columns).toHaveLength(63);
    expect(lines(document).slice(1)).toEqual(["63", "64", "65", "66", "67", "68", "69"]);
    expect(codes(document)).toEqual(["markup_limit"]);
  });

  test("nested more than eight levels deep become their text", () => {
    const document = parseHtml("<table><tr><td>x".repeat(20));
    const xml = blocksXml(document, context());
    parseXml(xml);
    expect(xml.match(/<w:tbl>/g)).toHaveLength(8);
    expect(xml.match(/>x</g)).toHaveLength(20);
    expect(codes(document)).toEqual(["markup_limit"]);
  });
});

describe("links", () => {
  test.each([
    ["https://example.com/a?b=c&d=e#f", "https://example.com/a?b=c&d=e#f"],
    ["  HTTP://Example.com ", "http://example.com/"],
    ["mailto:a@b.c?subject=x y", "mailto:a@b.c?subject=x%20y"],
    ["tel:+49-30-1", "tel:+49-30-1"],
    ['https://exa\u0000mple.com/\n{x}|"<>^`\\', "https://example.com/%7Bx%7D%7C%22%3C%3E%5E%60/"],
    ["https://a.b/100%/%41", "https://a.b/100%25/%41"],
    ["https://a.b/é\ud800", "https://a.b/%C3%A9%EF%BF%BD"],
  ])("%j becomes %j", (url, link) => {
    expect(safeLink(url)).toBe(link);
  });

  test.each([
    "javascript:alert(1)",
    "java\nscript:alert(1)",
    "\u0001javascript:alert(1)",
    "JAVASCRIPT:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "vbscript:x",
    "ftp://a.b",
    "ms-word:ofe|u|http://a.b",
    "\\\\server\\share",
    "//a.b",
    "/x",
    "#x",
    "",
    "http://",
    "http:///",
    `https://a.b/${"x".repeat(2100)}`,
    "x".repeat(1_000_000),
  ])("%j is rejected as an address", (url) => {
    expect(safeLink(url)).toBeNull();
  });

  test("become hyperlinks, in the template's style or in blue", () => {
    const where = context({ runProperties: '<w:color w:val="111111"/>' });
    const html = 'a <a href="http://a.b/?x=1&amp;y=2">b <b>c</b></a><a href="http://d.e">f</a>';
    expect(inlineXml(parseHtml(html), where)).toBe(
      '<w:r><w:rPr><w:color w:val="111111"/></w:rPr><w:t xml:space="preserve">a </w:t></w:r>' +
        '<w:hyperlink r:id="rId1" w:history="1"><w:r><w:rPr><w:color w:val="0563C1"/><w:u w:val="single"/></w:rPr><w:t xml:space="preserve">b </w:t></w:r><w:r><w:rPr><w:b/><w:bCs/><w:color w:val="0563C1"/><w:u w:val="single"/></w:rPr><w:t xml:space="preserve">c</w:t></w:r></w:hyperlink>' +
        '<w:hyperlink r:id="rId2" w:history="1"><w:r><w:rPr><w:color w:val="0563C1"/><w:u w:val="single"/></w:rPr><w:t xml:space="preserve">f</w:t></w:r></w:hyperlink>',
    );
    expect(where.links).toEqual(["http://a.b/?x=1&y=2", "http://d.e/"]);
    expect(runs('<a href="http://a.b">x</a>', styled())).toEqual([
      '<w:rStyle w:val="Hyperlink"/>:x',
    ]);
  });

  test("that are rejected leave their text, with a warning without the address", () => {
    const document = parseHtml(
      '<a href="javascript:secret()">x</a><a href="y">y</a><a name=z>z</a>',
    );
    expect(inlineXml(document, context())).toBe('<w:r><w:t xml:space="preserve">xyz</w:t></w:r>');
    expect(codes(document)).toEqual(["unsafe_link"]);
    expect(document.warnings[0]?.message).not.toMatch(/secret|javascript/);
  });

  test("are plain text if links are not possible", () => {
    expect(runs('<a href="http://a.b">x</a>', context({ link: () => null }))).toEqual([":x"]);
  });
});

describe("pictures", () => {
  test("in the value become drawings of their size", () => {
    const html = '<img src="data:image/png;base64,AA==" width=96 style="height:1in" alt="abc">';
    expect(inlineXml(parseHtml(html), context())).toBe(
      '<w:r><w:drawing w="914400" h="914400" alt="3"/></w:r>',
    );
  });

  test("elsewhere, or invalid ones, are their alternative text", () => {
    const document = parseHtml('a <img src="http://x/y.png" alt="A &lt; B"><img src="file:///x">');
    expect(textOf(parseXml(inlineXml(document, context())))).toBe("a A < B");
    expect(codes(document)).toEqual(["external_image"]);
    const none = context({ image: () => null });
    expect(runs('<b><img src="data:,x" alt="alt"></b><img src="data:,">', none)).toEqual([
      "<w:b/><w:bCs/>:alt",
    ]);
  });
});

describe("markup without an equivalent in Word", () => {
  test("keeps its text, with one warning that names the elements", () => {
    const document = parseHtml(
      "<video>v</video><form>a<button>b</button></form><x-y z=1>c</x-y><marquee>d</marquee>",
    );
    expect(lines(document)).toEqual(["ab", "cd"]);
    expect(document.warnings).toEqual([
      {
        code: "dropped_markup",
        message:
          "The rich text contains content that is not meant for readers (<video>); it was left out.",
      },
      {
        code: "unsupported_markup",
        message:
          "The rich text contains elements that Word cannot show (<form>, <button>, <x-y>, <marquee>); their text was kept.",
      },
    ]);
  });

  test("and without text for readers is omitted, with a warning", () => {
    const document = parseHtml(
      "<head><title>t</title><style>s</style></head><script>x</script><!-- c --><p>a<span hidden>h</span><span style='display:none'>h</span></p><template>t</template>",
    );
    expect(lines(document)).toEqual(["a"]);
    expect(codes(document)).toEqual(["dropped_markup"]);
  });

  test("is ignored if it only frames a whole page", () => {
    expect(lines(parseHtml("<!doctype html><html><body class=x><p>a</p></body></html>"))).toEqual([
      "a",
    ]);
  });

  test("is reported for at most ten elements", () => {
    const html = Array.from({ length: 30 }, (_, i) => `<x-${i} a=b>`).join("");
    expect(parseHtml(html).warnings[0]?.message).toMatch(/<x-9>, …\)/);
  });
});
