import { describe, expect, test } from "vitest";
import { looksLikeHtml } from "../../../src/values/rich/read/detect.ts";
import { parseHtml } from "../../../src/values/rich/read/parse-html.ts";
import { flattenedXml, inlineXml, runsXml, splitForMerge } from "../../../src/values/rich/write.ts";
import { codes, context, lines, parseXml, runs, runsOf, textOf } from "../../support/rich-text.ts";

describe("detection of HTML", () => {
  test.each([
    "<b>x</b>",
    "<p>One</p>",
    "a<br>b",
    "a<br/>b",
    "a<BR />b",
    "<P CLASS='x'>One</P>",
    'x <a href="http://a.b/?c>d">y</a>',
    "<ul>\n<li>x</li></ul>",
    "1 < 2 <i>x</i>",
    '<img src="data:image/png;base64,AA==" alt="<">',
    "<!-- x --><b>x</b>",
    "<name> and <b>x</b>",
    "<hr>",
  ])("takes %j for HTML", (text) => {
    expect(looksLikeHtml(text)).toBe(true);
  });

  test.each([
    "",
    "plain",
    "a < b and c > d",
    "a <b and c> d",
    "a <b and c> d</b>",
    "<name>",
    "x<y>",
    "<name>x</name>",
    "<p>",
    "</b>",
    "</b><b>",
    "<b>x</i>",
    "<b",
    "<b>x</b",
    "<br",
    "< br>",
    "<b>x< /b>",
    "<script>alert(1)</script>",
    "<!-- <b>x</b> -->",
    '<b title="</b>">',
    'if (a<i) { x("</i>") }',
    "<john@example.com>",
    "List<i> and Map<i, b>",
    "&lt;b&gt;x&lt;/b&gt;",
    "<x:b>x</x:b>",
  ])("takes %j for plain text", (text) => {
    expect(looksLikeHtml(text)).toBe(false);
  });
});

describe("text formatting", () => {
  test.each([
    ["<b>x</b>", "<w:b/><w:bCs/>"],
    ["<strong>x</strong>", "<w:b/><w:bCs/>"],
    ["<i>x</i>", "<w:i/><w:iCs/>"],
    ["<em>x</em>", "<w:i/><w:iCs/>"],
    ["<u>x</u>", '<w:u w:val="single"/>'],
    ["<ins>x</ins>", '<w:u w:val="single"/>'],
    ["<s>x</s>", "<w:strike/>"],
    ["<strike>x</strike>", "<w:strike/>"],
    ["<del>x</del>", "<w:strike/>"],
    ["<sub>x</sub>", '<w:vertAlign w:val="subscript"/>'],
    ["<sup>x</sup>", '<w:vertAlign w:val="superscript"/>'],
    ["<mark>x</mark>", '<w:shd w:val="clear" w:color="auto" w:fill="FFFF00"/>'],
    [
      "<code>x</code>",
      '<w:rFonts w:ascii="Courier New" w:hAnsi="Courier New" w:cs="Courier New"/>',
    ],
    ["<small>x</small>", '<w:sz w:val="18"/><w:szCs w:val="18"/>'],
    ["<font color=red>x</font>", '<w:color w:val="FF0000"/>'],
    ["<font size=5>x</font>", '<w:sz w:val="36"/><w:szCs w:val="36"/>'],
    [
      "<font face='Comic Sans, x'>x</font>",
      '<w:rFonts w:ascii="Comic Sans" w:hAnsi="Comic Sans" w:cs="Comic Sans"/>',
    ],
    ['<span style="color:#0a0">x</span>', '<w:color w:val="00AA00"/>'],
    ['<span style="color: #12AB9f !important">x</span>', '<w:color w:val="12AB9F"/>'],
    ['<span style="COLOR:RGB(255, 0, 128)">x</span>', '<w:color w:val="FF0080"/>'],
    ['<span style="color:rgba(0,0,0,.5)">x</span>', '<w:color w:val="808080"/>'],
    ['<span style="color:hsl(120, 100%, 25%)">x</span>', '<w:color w:val="008000"/>'],
    ['<span style="color:rebeccapurple">x</span>', '<w:color w:val="663399"/>'],
    ['<span style="color:javascript:alert(1)">x</span>', ""],
    ['<span style="color:constructor">x</span>', ""],
    ['<span style="color:rgb(1,2)">x</span>', ""],
    [
      '<span style="background-color:yellow">x</span>',
      '<w:shd w:val="clear" w:color="auto" w:fill="FFFF00"/>',
    ],
    ['<span style="background:transparent">x</span>', ""],
    ['<span style="font-size:14pt">x</span>', '<w:sz w:val="28"/><w:szCs w:val="28"/>'],
    ['<span style="font-size:16px">x</span>', '<w:sz w:val="24"/><w:szCs w:val="24"/>'],
    ['<span style="font-size:1.5em">x</span>', '<w:sz w:val="33"/><w:szCs w:val="33"/>'],
    ['<span style="font-size:200%">x</span>', '<w:sz w:val="44"/><w:szCs w:val="44"/>'],
    ['<span style="font-size:large">x</span>', '<w:sz w:val="27"/><w:szCs w:val="27"/>'],
    ['<span style="font-size:99999pt">x</span>', '<w:sz w:val="800"/><w:szCs w:val="800"/>'],
    ['<span style="font-size:0.001pt">x</span>', '<w:sz w:val="2"/><w:szCs w:val="2"/>'],
    ['<span style="font-size:0">x</span>', ""],
    ['<span style="font-size:-3pt">x</span>', ""],
    ['<span style="font-size:1e9pt">x</span>', ""],
    [
      "<span style=\"font-family:'Times, x'\">x</span>",
      '<w:rFonts w:ascii="Times" w:hAnsi="Times" w:cs="Times"/>',
    ],
    [
      '<span style="font-family:monospace">x</span>',
      '<w:rFonts w:ascii="Courier New" w:hAnsi="Courier New" w:cs="Courier New"/>',
    ],
    ['<span style="font-weight:700;font-style:italic">x</span>', "<w:b/><w:bCs/><w:i/><w:iCs/>"],
    [
      '<span style="text-decoration:underline line-through">x</span>',
      '<w:strike/><w:u w:val="single"/>',
    ],
    ['<b><span style="font-weight:normal">x</span></b>', '<w:b w:val="0"/><w:bCs w:val="0"/>'],
    [
      '<span style="font-size:20pt"><span style="font-size:50%">x</span></span>',
      '<w:sz w:val="20"/><w:szCs w:val="20"/>',
    ],
    ["<small><small>x</small></small>", '<w:sz w:val="15"/><w:szCs w:val="15"/>'],
    ['<span style="text-transform:uppercase">x</span>', '<w:caps/><w:smallCaps w:val="0"/>'],
    ['<span style="vertical-align:super">x</span>', '<w:vertAlign w:val="superscript"/>'],
    ["<abbr title=y>x</abbr>", ""],
  ])("%s", (html, properties) => {
    expect(runs(html)).toEqual([`${properties}:x`]);
  });

  test("nests, regardless of the order of closing tags", () => {
    expect(runs("a <b>b <i>c</b> d</i> e")).toEqual([
      ":a ",
      "<w:b/><w:bCs/>:b ",
      "<w:b/><w:bCs/><w:i/><w:iCs/>:c",
      "<w:i/><w:iCs/>: d",
      ": e",
    ]);
  });

  test("overrides the tag's formatting only where the HTML sets it, in the order of the schema", () => {
    const where = context({
      runProperties:
        '<w:rStyle w:val="S"/><w:rFonts w:ascii="Arial" w:eastAsia="SimSun" w:asciiTheme="x"/><w:i/><w:color w:val="112233" w:themeColor="accent1"/><w:sz w:val="40"/><w:highlight w:val="green"/><w:u w:val="double"/><w:lang w:val="de-DE"/><w:rPrChange w:id="1"><w:rPr><w:b/></w:rPr></w:rPrChange>',
    });
    expect(
      runs(
        "a<b style='color:red;font-family:Georgia;background:#fff'>b</b><small style='font-style:normal'>c</small>",
        where,
      ),
    ).toEqual([
      '<w:rStyle w:val="S"/><w:rFonts w:ascii="Arial" w:eastAsia="SimSun" w:asciiTheme="x"/><w:i/><w:color w:val="112233" w:themeColor="accent1"/><w:sz w:val="40"/><w:highlight w:val="green"/><w:u w:val="double"/><w:lang w:val="de-DE"/>:a',
      '<w:rStyle w:val="S"/><w:rFonts w:ascii="Georgia" w:hAnsi="Georgia" w:cs="Georgia" w:eastAsia="SimSun"/><w:b/><w:bCs/><w:i/><w:color w:val="FF0000"/><w:sz w:val="40"/><w:highlight w:val="none"/><w:u w:val="double"/><w:shd w:val="clear" w:color="auto" w:fill="FFFFFF"/><w:lang w:val="de-DE"/>:b',
      '<w:rStyle w:val="S"/><w:rFonts w:ascii="Arial" w:eastAsia="SimSun" w:asciiTheme="x"/><w:i w:val="0"/><w:iCs w:val="0"/><w:color w:val="112233" w:themeColor="accent1"/><w:sz w:val="33"/><w:szCs w:val="33"/><w:highlight w:val="green"/><w:u w:val="double"/><w:lang w:val="de-DE"/>:c',
    ]);
  });

  test("computes relative sizes from the style's size if the run has none", () => {
    expect(runs("<small>x</small>", context({ fontSize: 40 }))).toEqual([
      '<w:sz w:val="33"/><w:szCs w:val="33"/>:x',
    ]);
  });
});

describe("white space and characters", () => {
  test.each([
    ["a <b> b </b> c", "a b c"],
    ["a\n\t b<i> </i> c", "a b c"],
    ["<b>a</b>\u00a0 \u00a0b", "a\u00a0 \u00a0b"],
    ["<b>a</b>&nbsp;&amp;&lt;p&gt;&euro;&#x1F600;", "a\u00a0&<p>€😀"],
    ["<b>a</b> <br> b", "a⏎b"],
    ["<b>x</b><q>y</q>", "x“y”"],
  ])("%j reads %j", (html, text) => {
    expect(textOf(parseXml(inlineXml(parseHtml(html), context())))).toBe(text);
  });

  test("at the ends of inline markup is kept, except line breaks in the source", () => {
    const text = (html: string): string => textOf(parseXml(inlineXml(parseHtml(html), context())));
    expect(text("  <b>Note:</b>  ")).toBe(" Note: ");
    expect(text("\n  <b>Note:</b>\n")).toBe("Note:");
    expect(text("<b> </b>")).toBe(" ");
  });

  test("between blocks disappears, like empty paragraphs", () => {
    const html =
      "<div>\n <p> a </p>\n\n <p></p> <p> <b> </b> </p><p>&nbsp;</p><p><br></p><p>b<br></p> c </div>";
    expect(lines(parseHtml(html))).toEqual(["a", "\u00a0", "", "b", "c"]);
  });

  test("in preformatted text is kept", () => {
    expect(
      lines(parseHtml("<pre>\n a  b\n\tc\n</pre><p style='white-space:pre-line'>a  b \n  c</p>")),
    ).toEqual([" a  b⏎⇥c", "a b⏎c"]);
  });

  test("that XML cannot hold becomes U+FFFD, with one warning", () => {
    const document = parseHtml("<b>a\u0000b\u0001c\ud800d\ufffee&#14;f&#0;</b>");
    expect(textOf(parseXml(inlineXml(document, context())))).toBe(
      "a\ufffdb\ufffdc\ufffdd\ufffde\ufffdf\ufffd",
    );
    expect(codes(document)).toEqual(["forbidden_character"]);
  });
});

describe("a '<' that does not begin a tag", () => {
  test.each([
    ["<b>x</b> a <b and c> d", "x a <b and c> d"],
    ["<b>x</b> if a <b then all the rest", "x if a <b then all the rest"],
    ["<b>x</b> <name> <bob@example.com> <3 </>", "x <name> <bob@example.com> <3 </>"],
    ["<b>x</b> <!-- never closed", "x <!-- never closed"],
    ["<b>x</b> <script>never closed", "x <script>never closed"],
    ["<b>x</b> <textarea>never <i>closed</i>", "x <textarea>never closed"],
    ['<b>x</b> <a href="never closed', 'x <a href="never closed'],
    ["<b>x</b> <plaintext> <i>y</i>", "x <plaintext> y"],
    ["<b>x</b> 1<2 & 3>2 <", "x 1<2 & 3>2 <"],
  ])("is text, and the text after it is complete: %s", (html, text) => {
    const document = parseHtml(html);
    expect(textOf(parseXml(inlineXml(document, context())))).toBe(text);
    expect(codes(document)).toContain("literal_markup");
  });
});

describe("merging with the surrounding text", () => {
  test("separates plain paragraphs at the ends", () => {
    const parts = splitForMerge(parseHtml("<p>a <b>b</b></p><ul><li>c</ul><p>d</p>"));
    expect(runsOf(runsXml(parts.first ?? [], context()))).toEqual([":a ", "<w:b/><w:bCs/>:b"]);
    expect(lines({ blocks: parts.middle, inline: false, warnings: [] })).toEqual(["c"]);
    expect(runsOf(runsXml(parts.last ?? [], context()))).toEqual([":d"]);
  });

  test.each([
    ["<p>a</p>", true, 0, false],
    ["<h1>a</h1>", false, 1, false],
    ["<p align=center>a</p><p>b</p>", false, 1, true],
    ["<p>a</p><table><tr><td>b</table>", true, 1, false],
    ["<div></div>", false, 0, false],
  ])("%s", (html, first, middle, last) => {
    const parts = splitForMerge(parseHtml(html));
    expect([parts.first !== null, parts.middle.length, parts.last !== null]).toEqual([
      first,
      middle,
      last,
    ]);
  });

  test("into one paragraph turns blocks into lines", () => {
    const html =
      "<h1>H</h1><p>a<br>b</p><ol start=3><li>x<ul><li>y</ul>z</ol><table><tr><td>1<td>2<tr><td>3</table><hr>e";
    const xml = flattenedXml(parseHtml(html), context());
    expect(textOf(parseXml(xml))).toBe("H⏎a⏎b⏎3. x⏎    • y⏎    z⏎1⇥2⏎3⏎⏎e");
    expect(runsOf(xml)[0]).toBe("<w:b/><w:bCs/>:H");
    expect(inlineXml(parseHtml(html), context())).toBe(xml);
  });
});
