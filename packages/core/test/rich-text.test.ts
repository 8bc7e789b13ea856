import fc from "fast-check";
import { parseFragment } from "parse5";
import { SaxesParser } from "saxes";
import { describe, expect, test } from "vitest";
import type { RichContext } from "../src/docx/values/rich/context.ts";
import { looksLikeHtml } from "../src/docx/values/rich/detect.ts";
import { safeLink } from "../src/docx/values/rich/link.ts";
import type { RichDocument, RichTable } from "../src/docx/values/rich/model.ts";
import { listNumberingXml, markerText } from "../src/docx/values/rich/numbering.ts";
import { parseHtml } from "../src/docx/values/rich/parse-html.ts";
import { parseMarkdown } from "../src/docx/values/rich/parse-markdown.ts";
import {
  blocksXml,
  flattenedXml,
  inlineXml,
  runsXml,
  splitForMerge,
} from "../src/docx/values/rich/write.ts";

interface TestContext extends RichContext {
  readonly lists: string[];
  readonly warned: string[];
  readonly links: string[];
}

function context(changes: Partial<RichContext> = {}): TestContext {
  const lists: string[] = [];
  const warned: string[] = [];
  const links: string[] = [];
  return {
    runProperties: "",
    paragraphProperties: "",
    style: () => null,
    link: (url) => `rId${links.push(url)}`,
    image: (_uri, { width, height }, alt) =>
      `<w:drawing w="${width}" h="${height}" alt="${alt.length}"/>`,
    list: (kind, start, level) => lists.push(`${kind} ${start} ${level}`),
    warn: (_code, message) => warned.push(message),
    lists,
    warned,
    links,
    ...changes,
  };
}

const STYLES = new Map([
  ["heading 1", "Heading1"],
  ["list paragraph", "ListParagraph"],
  ["quote", "Quote"],
  ["table grid", "TableGrid"],
  ["hyperlink", "Hyperlink"],
]);

function styled(changes: Partial<RichContext> = {}): TestContext {
  return context({ style: (name) => STYLES.get(name) ?? null, ...changes });
}

interface Parsed {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Parsed[];
  text: string;
}

/** Parses XML strictly; throws when it is not well-formed. */
function parseXml(xml: string): Parsed {
  const root: Parsed = { name: "root", attributes: {}, children: [], text: "" };
  const stack = [root];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const node = { name, attributes: { ...attributes }, children: [], text: "" };
    stack.at(-1)?.children.push(node);
    stack.push(node);
  });
  parser.on("closetag", () => {
    stack.pop();
  });
  parser.on("text", (text) => {
    const top = stack.at(-1);
    if (top !== undefined) top.text += text;
  });
  parser.write(`<body>${xml}</body>`).close();
  return root.children[0] ?? root;
}

/** The text of XML: paragraphs in lines, a cell in brackets, ⏎ for a line break, ⇥ for a tab. */
function textOf(node: Parsed): string {
  switch (node.name) {
    case "w:t":
      return node.text;
    case "w:br":
      return "⏎";
    case "w:tab":
      return "⇥";
    case "w:p":
      return `${node.children.map(textOf).join("")}\n`;
    case "w:tc":
      return `[${node.children.map(textOf).join("").trimEnd()}]`;
    case "w:tr":
      return `${node.children.map(textOf).join("")}\n`;
    default:
      return node.children.map(textOf).join("");
  }
}

function lines(document: RichDocument, where = context()): string[] {
  return textOf(parseXml(blocksXml(document, where)))
    .split("\n")
    .slice(0, -1);
}

/** The runs of an inline document, each as `properties:text`. */
function runs(html: string, where = context()): string[] {
  const document = parseHtml(html);
  expect(document.inline).toBe(true);
  return runsOf(inlineXml(document, where));
}

function runsOf(xml: string): string[] {
  parseXml(xml);
  return [
    ...xml.matchAll(
      /<w:r>(?:<w:rPr>(.*?)<\/w:rPr>)?<w:t xml:space="preserve">(.*?)<\/w:t><\/w:r>/g,
    ),
  ].map(([, properties = "", text = ""]) => `${properties}:${text}`);
}

function pPrs(xml: string): string[] {
  return [...xml.matchAll(/<w:p>(?:<w:pPr>(.*?)<\/w:pPr>)?/g)].map(([, pPr = ""]) => pPr);
}

function codes(document: RichDocument): string[] {
  return document.warnings.map(({ code }) => code);
}

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

  test("nests, in whatever order the tags close", () => {
    expect(runs("a <b>b <i>c</b> d</i> e")).toEqual([
      ":a ",
      "<w:b/><w:bCs/>:b ",
      "<w:b/><w:bCs/><w:i/><w:iCs/>:c",
      "<w:i/><w:iCs/>: d",
      ": e",
    ]);
  });

  test("goes over the formatting of the tag only where the HTML says something, in the order of the schema", () => {
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

  test("takes relative sizes from the style's size where the run says none", () => {
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

  test("at the ends of inline markup counts, but not the line ends of the source", () => {
    const text = (html: string): string => textOf(parseXml(inlineXml(parseHtml(html), context())));
    expect(text("  <b>Note:</b>  ")).toBe(" Note: ");
    expect(text("\n  <b>Note:</b>\n")).toBe("Note:");
    expect(text("<b> </b>")).toBe(" ");
  });

  test("between blocks vanishes, and empty paragraphs with it", () => {
    const html =
      "<div>\n <p> a </p>\n\n <p></p> <p> <b> </b> </p><p>&nbsp;</p><p><br></p><p>b<br></p> c </div>";
    expect(lines(parseHtml(html))).toEqual(["a", "\u00a0", "", "b", "c"]);
  });

  test("in preformatted text stays", () => {
    expect(
      lines(parseHtml("<pre>\n a  b\n\tc\n</pre><p style='white-space:pre-line'>a  b \n  c</p>")),
    ).toEqual([" a  b⏎⇥c", "a b⏎c"]);
  });

  test("that XML cannot hold becomes U+FFFD, with one warning", () => {
    const document = parseHtml("<b>a\u0000b\u0001c\ud800d\ufffee&#11;f&#0;</b>");
    expect(textOf(parseXml(inlineXml(document, context())))).toBe(
      "a\ufffdb\ufffdc\ufffdd\ufffde\ufffdf\ufffd",
    );
    expect(codes(document)).toEqual(["forbidden_character"]);
  });
});

describe("a '<' that begins no tag", () => {
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
  ])("is text, and nothing after it is swallowed: %s", (html, text) => {
    const document = parseHtml(html);
    expect(textOf(parseXml(inlineXml(document, context())))).toBe(text);
    expect(codes(document)).toContain("literal_markup");
  });
});

describe("blocks", () => {
  test("are paragraphs with the properties of the tag's paragraph, of which only the first breaks the page", () => {
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

  test("of a heading take the template's style, whose look the tag does not cover", () => {
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

  test("written from right to left say so, and left stays left", () => {
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

  test("nest, each ordered list counts for itself, and all bullets share a definition", () => {
    const where = context();
    const html =
      "<ul><li>a<ol><li>b<li>c</ol><li>d<ol><li>e<ul><li>f</ul></ol></ul><ol start=5 type=a><li>g</ol><ul><li>h</ul>";
    expect(places(html, where)).toEqual(["0:1", "1:2", "1:2", "0:1", "1:3", "2:1", "0:4", "0:1"]);
    expect(where.lists).toEqual(["bullet 1 0", "decimal 1 1", "decimal 1 1", "lower-letter 5 0"]);
  });

  test("go on after what is no item, with its blocks in their indent", () => {
    const where = context();
    const html = "<ol><li><p>a</p><p>b</p><table><tr><td>t</table>c<li><li>d</ol>e";
    expect(places(html, where)).toEqual(["0:1", "720", "-", "720", "0:1", "0:1", "-"]);
  });

  test("jump to a value, and count down", () => {
    const where = context();
    places("<ol><li>a<li value=7>b<li>c</ol><ol reversed type=I><li>x<li>y</ol>", where);
    expect(where.lists).toEqual([
      "decimal 1 0",
      "decimal 7 0",
      "upper-roman 2 0",
      "upper-roman 1 0",
    ]);
  });

  test("of no marker are indented only, and a sublist in another one still shows the item's own marker", () => {
    const where = context();
    expect(
      places("<ul style='list-style-type:none'><li>a</ul><ol><li><ul><li>b</ul></ol>", where),
    ).toEqual(["720", "0:1", "1:2"]);
  });

  test("deeper than nine levels stay at the ninth, with a warning", () => {
    const document = parseHtml(`${"<ul><li>a".repeat(12)}`);
    expect(codes(document)).toEqual(["markup_limit"]);
    expect(places("<ul><li>a".repeat(12), context()).at(-1)).toBe("8:1");
  });

  test("without a list around them are bullets", () => {
    const where = context();
    expect(places("<li>a</li><li>b</li>", where)).toEqual(["0:1", "0:1"]);
    expect(where.lists).toEqual(["bullet 1 0"]);
  });

  test("take the template's style unless the tag's paragraph has one", () => {
    const document = parseHtml("<ul><li>a</ul>");
    expect(blocksXml(document, styled())).toContain('<w:pStyle w:val="ListParagraph"/>');
    const own = styled({ paragraphProperties: '<w:pStyle w:val="Body"/>' });
    expect(blocksXml(document, own)).toContain('<w:pStyle w:val="Body"/>');
  });

  test("that Word cannot count have their numbers as text", () => {
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
      const definition = parseXml(listNumberingXml(3, kind)).children[0];
      expect(definition?.attributes).toEqual({ "w:abstractNumId": "3" });
      expect(definition?.children.filter(({ name }) => name === "w:lvl")).toHaveLength(9);
    }
    expect(listNumberingXml(3, "upper-roman")).toContain(
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
    expect(markerText(kind, number)).toBe(text);
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

  test("are written in full", () => {
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

  test("repeat the rows of a head, stand feet last, and show a caption above", () => {
    const html =
      "<table><caption>Cap</caption><tfoot><tr><td>f</tfoot><thead><tr><td>h</thead><tbody><tr><td>b</table>";
    expect(lines(parseHtml(html))).toEqual(["Cap", "[h]", "[b]", "[f]"]);
    expect(blocksXml(parseHtml(html), context()).match(/<w:tblHeader\/>/g)).toHaveLength(1);
  });

  test("never touch, and a cell ends in a paragraph", () => {
    const html =
      "<table><tr><td><table><tr><td>a</table><table><tr><td>b</table><td></table><table><tr><td>c</table>";
    const xml = blocksXml(parseHtml(html), context());
    expect(xml).not.toContain("</w:tbl><w:tbl>");
    expect(xml).not.toMatch(/<\/w:tbl><\/w:tc>|<\/w:tcPr><\/w:tc>/);
  });

  test("of another width and without borders say so", () => {
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

  test("of more columns than Word has lose no cell", () => {
    const document = parseHtml(
      `<table><tr>${Array.from({ length: 70 }, (_, i) => `<td>${i}`).join("")}</table>`,
    );
    expect(tableOf(`<table><tr>${"<td>x".repeat(70)}</table>`).columns).toHaveLength(63);
    expect(lines(document).slice(1)).toEqual(["63", "64", "65", "66", "67", "68", "69"]);
    expect(codes(document)).toEqual(["markup_limit"]);
  });

  test("nested deeper than eight become their text", () => {
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
  ])("%j is %j", (url, link) => {
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
  ])("%j is none", (url) => {
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

  test("that are refused leave their text, with a warning that quotes nothing", () => {
    const document = parseHtml(
      '<a href="javascript:secret()">x</a><a href="y">y</a><a name=z>z</a>',
    );
    expect(inlineXml(document, context())).toBe('<w:r><w:t xml:space="preserve">xyz</w:t></w:r>');
    expect(codes(document)).toEqual(["unsafe_link"]);
    expect(document.warnings[0]?.message).not.toMatch(/secret|javascript/);
  });

  test("where none can stand are plain text", () => {
    expect(runs('<a href="http://a.b">x</a>', context({ link: () => null }))).toEqual([":x"]);
  });
});

describe("pictures", () => {
  test("within the value become drawings in their size", () => {
    const html = '<img src="data:image/png;base64,AA==" width=96 style="height:1in" alt="abc">';
    expect(inlineXml(parseHtml(html), context())).toBe(
      '<w:r><w:drawing w="914400" h="914400" alt="3"/></w:r>',
    );
  });

  test("elsewhere, or that cannot be shown, are their alternative text", () => {
    const document = parseHtml('a <img src="http://x/y.png" alt="A &lt; B"><img src="file:///x">');
    expect(textOf(parseXml(inlineXml(document, context())))).toBe("a A < B");
    expect(codes(document)).toEqual(["external_image"]);
    const none = context({ image: () => null });
    expect(runs('<b><img src="data:,x" alt="alt"></b><img src="data:,">', none)).toEqual([
      "<w:b/><w:bCs/>:alt",
    ]);
  });
});

describe("what has no form in Word", () => {
  test("keeps its text, with one warning that names the elements", () => {
    const document = parseHtml(
      "<video>v</video><form>a<button>b</button></form><x-y z=1>c</x-y><marquee>d</marquee>",
    );
    expect(lines(document)).toEqual(["ab", "cd"]);
    expect(document.warnings).toEqual([
      {
        code: "dropped_markup",
        message:
          "The rich text holds content that is not meant for readers (<video>); it was left out.",
      },
      {
        code: "unsupported_markup",
        message:
          "The rich text holds elements that have no form in Word (<form>, <button>, <x-y>, <marquee>); their text was kept.",
      },
    ]);
  });

  test("and is no text for readers is left out, with a warning", () => {
    const document = parseHtml(
      "<head><title>t</title><style>s</style></head><script>x</script><!-- c --><p>a<span hidden>h</span><span style='display:none'>h</span></p><template>t</template>",
    );
    expect(lines(document)).toEqual(["a"]);
    expect(codes(document)).toEqual(["dropped_markup"]);
  });

  test("in a whole page is read past", () => {
    expect(lines(parseHtml("<!doctype html><html><body class=x><p>a</p></body></html>"))).toEqual([
      "a",
    ]);
  });

  test("names at most ten elements", () => {
    const html = Array.from({ length: 30 }, (_, i) => `<x-${i} a=b>`).join("");
    expect(parseHtml(html).warnings[0]?.message).toMatch(/<x-9>, …\)/);
  });
});

describe("merging with the text around", () => {
  test("takes plain paragraphs at the ends apart", () => {
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

  test("in one paragraph flattens blocks into lines", () => {
    const html =
      "<h1>H</h1><p>a<br>b</p><ol start=3><li>x<ul><li>y</ul>z</ol><table><tr><td>1<td>2<tr><td>3</table><hr>e";
    const xml = flattenedXml(parseHtml(html), context());
    expect(textOf(parseXml(xml))).toBe("H⏎a⏎b⏎3. x⏎    • y⏎    z⏎1⇥2⏎3⏎⏎e");
    expect(runsOf(xml)[0]).toBe("<w:b/><w:bCs/>:H");
    expect(inlineXml(parseHtml(html), context())).toBe(xml);
  });
});

describe("Markdown", () => {
  test("becomes the same as its HTML", () => {
    const markdown =
      "# Title\n\nSome *em* **strong** ~~del~~ `a < b` [l](http://a.b) &amp; <u>html</u>  \nnext\n\n1. one\n2. two\n   - [x] done\n   - [ ] todo\n\n> quote\n\n| a | b |\n|:-:|--:|\n| 1 | 2 |\n\n```\ncode <b>\n  x\n```\n\n---\n";
    const document = parseMarkdown(markdown);
    expect(lines(document)).toEqual([
      "Title",
      "Some em strong del a < b l & html⏎next",
      "one",
      "two",
      "☑ done",
      "☐ todo",
      "quote",
      "[a][b]",
      "[1][2]",
      "code <b>⏎  x",
      "",
    ]);
    expect(document.inline).toBe(false);
    expect(document.warnings).toEqual([]);
    expect(blocksXml(document, context())).toContain('<w:jc w:val="right"/>');
  });

  test("of one paragraph is inline", () => {
    const document = parseMarkdown("Hello **World**\n");
    expect(document.inline).toBe(true);
    expect(runsOf(inlineXml(document, context()))).toEqual([":Hello ", "<w:b/><w:bCs/>:World"]);
  });

  test("goes through the same checks", () => {
    const document = parseMarkdown(
      "[a](javascript:x) ![alt](http://x/y.png) <script>x</script> <name> <b@c.de>\n",
    );
    expect(textOf(parseXml(inlineXml(document, context())))).toBe("a alt <name> b@c.de");
    expect(codes(document).toSorted()).toEqual([
      "dropped_markup",
      "external_image",
      "literal_markup",
      "unsafe_link",
    ]);
  });

  test.each([
    ["> ".repeat(5000) + "x", "x"],
    ["- ".repeat(5000) + "x", "x"],
    ["*a_".repeat(7000), "_"],
    ["[*a](".repeat(4000), "["],
    ["`*a".repeat(7000), "a"],
    ["!".repeat(100_000), "!"],
    [`- a\n${"b\n".repeat(20_000)}`, "b"],
    [`- a\n${"  b\n".repeat(20_000)}`, "b"],
    [`- a\n${"  2. b\n".repeat(20_000)}`, "b"],
    [`http://a${".".repeat(100_000)}`, "http"],
    ["*a **a ".repeat(1000) + "b** b* ".repeat(1000), "b"],
  ])("that is hostile is bounded, and its text stays (%#)", (source, text) => {
    const document = parseMarkdown(source);
    const xml = inlineXml(document, context());
    expect(textOf(parseXml(xml))).toContain(text);
  });

  test("that is too long is printed as it is", () => {
    const document = parseMarkdown("*a* ".repeat(200_000));
    expect(codes(document)).toEqual(["markup_limit"]);
    expect(textOf(parseXml(inlineXml(document, context())))).toBe("*a* ".repeat(200_000));
  });
});

describe("hostile HTML", () => {
  const size = 100_000;
  const fill = (text: string): string => text.repeat(Math.ceil(size / text.length));

  test.each([
    ["<div>x", "x"],
    ["<b>x", "x"],
    ["<p><b>", ""],
    ["<table><tr><td>x", "x"],
    ["<table>", ""],
    ["<i></b><b>x", "x"],
    ["<a href=http://x>y", "y"],
    ["<ul><li>x", "x"],
    ["<svg>", ""],
    ["<", "<"],
    ["<!--", "<!--"],
    ["<b a='", "<b a='"],
    ["<b a=\"'", "<b"],
    ["<script>", "<script>"],
    ["<![", "<!["],
    ["&", "&"],
    ["<b x=1 ", "<b"],
    ["<q>", "“"],
  ])("%j over and over is bounded", (piece, text) => {
    const source = fill(piece);
    looksLikeHtml(source);
    const document = parseHtml(source);
    const xml = inlineXml(document, context());
    expect(textOf(parseXml(blocksXml(document, context())))).toContain(text);
    parseXml(xml);
  });

  test("of 100,000 attributes, or that makes the parser multiply elements, is bounded", () => {
    const attributes = Array.from({ length: 100_000 }, (_, i) => `a${i}=1`).join(" ");
    expect(lines(parseHtml(`<p ${attributes}>x</p>`))).toEqual(["x"]);
    const bomb = `<p>${Array.from({ length: 2000 }, (_, i) => `<b a=${i}>`).join("")}${"<p>x".repeat(5000)}`;
    expect(codes(parseHtml(bomb))).toEqual(["markup_limit"]);
  });

  test("of merged cells over very many rows is bounded", () => {
    const document = parseHtml(
      `<table><tr>${"<td rowspan=65534>x".repeat(63)}${"<tr>".repeat(50_000)}</table>`,
    );
    expect(codes(document)).toEqual(["markup_limit"]);
    expect(blocksXml(document, context()).length).toBeLessThan(20_000_000);
  });

  test("that is too long is printed as text, but a large picture does not count", () => {
    const long = `<b>x</b>${"<i>".repeat(700_000)}`;
    const document = parseHtml(long);
    expect(codes(document)).toEqual(["markup_limit"]);
    expect(textOf(parseXml(inlineXml(document, context())))).toBe(long);
    const picture = parseHtml(`<img src="data:image/png;base64,${"A".repeat(3_000_000)}">`);
    expect(picture.warnings).toEqual([]);
    expect(picture.blocks).toHaveLength(1);
  });

  test("nested too deep keeps its text and its lines", () => {
    const document = parseHtml(`${"<div>".repeat(200)}a<p>b</p><b>c</b>`);
    expect(lines(document)).toEqual(["a", "b", "c"]);
    expect(codes(document)).toEqual(["markup_limit"]);
  });
});

describe("anything at all", () => {
  const TAGS =
    "a b i u s sub sup p br div h1 h6 ul ol li table thead tbody tr td th caption span font img blockquote pre hr code dl dd q script style svg math form select option textarea template title input x-y nobr button".split(
      " ",
    );
  const ATTRIBUTES = [
    "",
    ' style="color:red;font-size:2em;text-align:right"',
    " rowspan=3",
    " colspan=2",
    " start=4",
    " type=a",
    ' href="http://a.b"',
    ' href="x:y"',
    ' src="data:,x" width=10',
    " dir=rtl",
    " hidden",
    ' style="',
    " a='\ud800'",
    " reversed",
    " value=9",
    " checked type=checkbox",
  ];
  const piece = fc.oneof(
    fc
      .tuple(fc.constantFrom(...TAGS), fc.constantFrom(...ATTRIBUTES))
      .map(([tag, attribute]) => `<${tag}${attribute}>`),
    fc.constantFrom(...TAGS).map((tag) => `</${tag}>`),
    fc.constantFrom(
      "<",
      ">",
      "&",
      "&amp;",
      "&#1;",
      "\u0000",
      "\ud800",
      "\ufffe",
      " ",
      "\n",
      "\t",
      "<!--",
      "-->",
      "]]>",
      "text",
      "<name>",
      "<b and c>",
      '"',
      "'",
    ),
    fc.string(),
  );
  const html = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(""));

  /** The rules of Word that a schema cannot or need not say. */
  function checkWord(node: Parsed): void {
    const names = node.children.map(({ name }) => name);
    if (node.name === "w:tc") expect(names.at(-1)).toBe("w:p");
    if (node.name === "w:tc") expect(names[0]).toBe("w:tcPr");
    if (node.name === "w:tr") expect(names).toContain("w:tc");
    if (node.name === "w:tbl") expect(names.slice(0, 3)).toEqual(["w:tblPr", "w:tblGrid", "w:tr"]);
    if (node.name === "w:p") expect(names).not.toContain("w:tbl");
    if (node.name !== "w:pPr" && names.some((name) => /^w:[pr]Pr$/.test(name)))
      expect(names[0]).toMatch(/^w:[pr]Pr$/);
    for (const [index, name] of names.entries()) {
      if (name === "w:tbl") expect(names[index + 1]).not.toBe("w:tbl");
    }
    if (node.name === "w:tbl") {
      const columns = node.children[1]?.children.length;
      for (const row of node.children.filter(({ name }) => name === "w:tr")) {
        expect(gridColumns(row)).toBe(columns);
      }
    }
    node.children.forEach(checkWord);
  }

  function gridColumns(row: Parsed): number {
    let columns = 0;
    for (const child of row.children) {
      const parts = child.children.filter(({ name }) => name === "w:gridAfter");
      if (child.name === "w:trPr") columns += Number(parts[0]?.attributes["w:val"] ?? 0);
      if (child.name !== "w:tc") continue;
      const span = child.children[0]?.children.find(({ name }) => name === "w:gridSpan");
      columns += Number(span?.attributes["w:val"] ?? 1);
    }
    return columns;
  }

  function check(document: RichDocument): void {
    for (const where of [
      context(),
      styled({
        runProperties: "<w:b/>",
        paragraphProperties: '<w:pStyle w:val="X"/><w:ind w:left="5"/>',
      }),
    ]) {
      checkWord(parseXml(blocksXml(document, where)));
      const flat = parseXml(flattenedXml(document, where));
      for (const { name } of flat.children) expect(["w:r", "w:hyperlink"]).toContain(name);
      const { first, middle, last } = splitForMerge(document);
      parseXml(runsXml([...(first ?? []), ...(last ?? [])], where));
      checkWord(parseXml(blocksXml({ blocks: middle }, where, { continues: true })));
    }
  }

  test("gives XML that Word opens, from HTML", () => {
    fc.assert(
      fc.property(html, (source) => check(parseHtml(source))),
      { numRuns: 400 },
    );
  });

  test("gives XML that Word opens, from Markdown", () => {
    const mark = fc.constantFrom(
      "*",
      "**",
      "_",
      "`",
      "```\n",
      "# ",
      "> ",
      "- ",
      "1. ",
      "\n",
      "\n\n",
      "    ",
      "[",
      "](",
      ")",
      "![",
      "|",
      "|-|\n",
      "~~",
      "<",
      ">",
      "\\",
      "http://a.b",
      "a",
    );
    const source = fc
      .array(fc.oneof(mark, piece), { maxLength: 40 })
      .map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(source, (text) => check(parseMarkdown(text))),
      { numRuns: 400 },
    );
  });

  test("keeps all text of simple HTML, as an HTML parser reads it", () => {
    const word = fc.string({
      unit: fc.constantFrom("a", "B", "é", " ", "&amp;", "&lt;", "1", "\n", "€"),
    });
    const inline = fc.letrec<{ node: string; list: string }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        word,
        fc
          .tuple(fc.constantFrom("b", "i", "u", "span", "sub", "code", "small"), tie("list"))
          .map(([tag, content]) => `<${tag}>${content}</${tag}>`),
      ),
      list: fc.array(tie("node"), { maxLength: 4 }).map((nodes) => nodes.join("")),
    })).list;
    const tidy = (text: string): string => text.replace(/[ \n]+/g, " ").trim();
    fc.assert(
      fc.property(inline, (source) => {
        const document = parseHtml(source);
        expect(tidy(textOf(parseXml(inlineXml(document, context()))))).toBe(
          tidy(plainText(parseFragment(source))),
        );
        expect(document.warnings).toEqual([]);
      }),
    );
  });

  function plainText(node: object): string {
    if ("value" in node && typeof node.value === "string") return node.value;
    if (!("childNodes" in node) || !Array.isArray(node.childNodes)) return "";
    return node.childNodes.map(plainText).join("");
  }
});
