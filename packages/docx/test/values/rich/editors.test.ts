import { describe, expect, test } from "vitest";
import { p, partOf } from "../../../../ooxml/test/support/docx.ts";
import { listNumberingXml } from "../../../src/values/rich/list-markers.ts";
import { parseHtml } from "../../../src/values/rich/read/parse-html.ts";
import { parseMarkdown } from "../../../src/values/rich/read/parse-markdown.ts";
import { blocksXml, flattenedText } from "../../../src/values/rich/write.ts";
import { outcome } from "../../support/language.ts";
import { codes, context, pPrs, runs, runsOf } from "../../support/rich-text.ts";
import { assertSound } from "../../support/sound.ts";

/** Returns the lines of a value, with the markers of its lists as text. */
function shown(html: string): string[] {
  return flattenedText(parseHtml(html)).split("\n");
}

/** Returns an item as Quill 2 writes it. */
function item(kind: string, text: string, classes = ""): string {
  const named = classes === "" ? "" : ` class="${classes}"`;
  return `<li data-list="${kind}"${named}><span class="ql-ui" contenteditable="false"></span>${text}</li>`;
}

describe("lists of Quill 2", () => {
  test("have the type of each item, and numbers that continue after items of other types", () => {
    const html = `<ol>${item("ordered", "a")}${item("bullet", "b")}${item("ordered", "c")}${item("checked", "d")}${item("unchecked", "e")}</ol>`;
    expect(shown(html)).toEqual(["1. a", "• b", "2. c", "☒ d", "☐ e"]);
    const where = context();
    const numbers = [...blocksXml(parseHtml(html), where).matchAll(/<w:numId w:val="(\d)"/g)];
    expect(where.lists).toEqual(["decimal 1 0", "bullet 1 0", "bullet ☒ 1 0", "bullet ☐ 1 0"]);
    expect(numbers.map(([, numId]) => numId)).toEqual(["1", "2", "1", "3", "4"]);
  });

  test("have the levels of their classes, and an item of an outer level ends them", () => {
    const html = `<ol>${item("ordered", "a")}${item("ordered", "b", "ql-indent-1")}${item("ordered", "c", "ql-indent-2")}${item("bullet", "d", "ql-indent-1")}${item("ordered", "e", "ql-indent-1")}${item("ordered", "f", "ql-indent-2")}${item("bullet", "g")}${item("ordered", "h", "ql-indent-1")}${item("ordered", "i")}</ol>`;
    expect(shown(html)).toEqual([
      "1. a",
      "    a. b",
      "        i. c",
      "    • d",
      "    b. e",
      "        i. f",
      "• g",
      "    a. h",
      "2. i",
    ]);
    const where = context();
    blocksXml(parseHtml(html), where);
    expect(where.lists).toContain("lower-letter 1 1");
    expect(where.lists).toContain("lower-roman 1 2");
  });

  test("may begin at an inner level, and have at most nine levels", () => {
    expect(shown(`<ol>${item("ordered", "a", "ql-indent-3")}</ol>`)).toEqual(["            1. a"]);
    const deep = parseHtml(`<ul><li>x<ol>${item("bullet", "a", "ql-indent-8")}</ol></li></ul>`);
    expect(codes(deep)).toEqual(["markup_limit"]);
    expect(blocksXml(deep, context())).toContain('<w:ilvl w:val="8"/>');
  });

  test("in its semantic HTML are ordinary lists, and their check boxes are kept", () => {
    const html =
      '<ol><li>a<ol><li>b</li></ol></li></ol><ul><li data-list="checked">c</li><li data-list="unchecked">d</li></ul>';
    expect(shown(html)).toEqual(["1. a", "    1. b", "☒ c", "☐ d"]);
  });
});

test("lists of Quill 1 also have levels and check boxes", () => {
  expect(
    shown(
      '<ol><li>a</li><li class="ql-indent-1">b</li><li class="ql-indent-1">c</li><li>d</li></ol>',
    ),
  ).toEqual(["1. a", "    a. b", "    b. c", "2. d"]);
  expect(shown('<ul><li>a</li><li class="ql-indent-1">b</li></ul>')).toEqual(["• a", "    • b"]);
  expect(
    shown('<ul data-checked="true"><li>a</li></ul><ul data-checked="false"><li>b</li></ul>'),
  ).toEqual(["☒ a", "☐ b"]);
});

describe("the classes of Quill", () => {
  test("align, turn and indent paragraphs", () => {
    const html =
      '<p class="ql-align-center">a</p><p class="ql-align-right ql-direction-rtl">b</p><h2 class="ql-align-justify">c</h2><p class="ql-indent-2">d</p>';
    expect(pPrs(blocksXml(parseHtml(html), context()))).toEqual([
      '<w:jc w:val="center"/>',
      '<w:bidi/><w:jc w:val="left"/>',
      '<w:keepNext/><w:jc w:val="both"/><w:outlineLvl w:val="1"/>',
      '<w:ind w:left="1440"/>',
    ]);
  });

  test("set sizes, fonts and colours, unless the style of the element does", () => {
    expect(
      runs(
        '<span class="ql-size-huge">a</span><span class="ql-size-small" style="font-size:20px">b</span><span class="ql-font-monospace">c</span><span class="ql-color-red">d</span><span class="ql-bg-yellow">e</span>',
      ),
    ).toEqual([
      '<w:sz w:val="55"/><w:szCs w:val="55"/>:a',
      '<w:sz w:val="30"/><w:szCs w:val="30"/>:b',
      '<w:rFonts w:ascii="Courier New" w:hAnsi="Courier New" w:cs="Courier New"/>:c',
      '<w:color w:val="E60000"/>:d',
      '<w:shd w:val="clear" w:color="auto" w:fill="FFFF00"/>:e',
    ]);
  });

  test("of a site are reported by their family if they mean a font, size or alignment, and ignored otherwise", () => {
    const document = parseHtml(
      '<p class="ql-font-secret ql-size-17px ql-align-top ql-mention my-ql-font-x">a</p>',
    );
    expect(document.warnings).toEqual([
      {
        code: "unsupported_markup",
        message:
          "The rich text contains elements that Word cannot show (ql-font, ql-size, ql-align); their text was kept.",
      },
    ]);
    expect(parseHtml('<p class="ql-editor ql-size-constructor">a</p>').warnings).toHaveLength(1);
  });

  test("mark code, which keeps its spaces, and controls of the editor, which are omitted", () => {
    const html =
      '<div class="ql-code-block-container"><select class="ql-ui"><option>Plain</option></select><div class="ql-code-block">if  (a)</div><div class="ql-code-block">  b</div></div><pre class="ql-syntax" spellcheck="false">c  d\n</pre>';
    const document = parseHtml(html);
    expect(runsOf(blocksXml(document, context()))).toEqual(
      ["if  (a)", "  b", "c  d"].map(
        (line) =>
          `<w:rFonts w:ascii="Courier New" w:hAnsi="Courier New" w:cs="Courier New"/>:${line}`,
      ),
    );
    expect(document.warnings).toEqual([]);
  });

  test("mark formulas, whose source is printed with a warning", () => {
    const document = parseHtml(
      '<p>x <span class="ql-formula" data-value="e=mc^2"><span class="katex">e=mc2</span></span></p>',
    );
    expect(flattenedText(document)).toBe("x e=mc^2");
    expect(document.warnings[0]?.message).toContain("(ql-formula)");
  });
});

describe("an item that begins with a check box", () => {
  test("has it as its marker", () => {
    const tiptap = (checked: boolean, text: string): string =>
      `<li data-checked="${checked}" data-type="taskItem"><label><input type="checkbox"${checked ? ' checked="checked"' : ""}><span></span></label><div><p>${text}</p></div></li>`;
    const html = `<ul data-type="taskList">${tiptap(true, "a")}${tiptap(false, "b")}</ul>`;
    expect(shown(html)).toEqual(["☒ a", "☐ b"]);
    const todo =
      '<ul class="todo-list"><li><label class="todo-list__label"> <input type="checkbox" checked disabled> <span>a</span></label></li></ul>';
    expect(shown(todo)).toEqual(["☒ a"]);
    expect(flattenedText(parseMarkdown("- [x] a\n- [ ] b\n- c\n"))).toBe("☒ a\n☐ b\n• c");
    expect(
      shown('<ul style="list-style-type:none"><li><input type="checkbox"> a</li><li>b</li></ul>'),
    ).toEqual(["☐ a", "    b"]);
  });

  test("keeps its number, and a box within the text is text", () => {
    expect(flattenedText(parseMarkdown("1. [x] a\n2. [ ] b\n"))).toBe("1. ☒ a\n2. ☐ b");
    expect(shown('<ul><li>a <input type="checkbox" checked></li></ul>')).toEqual(["• a ☒"]);
    expect(shown('<p><input type="checkbox"> a</p>')).toEqual(["☐ a"]);
  });
});

test("a bullet with another character has a separate definition", () => {
  const definition = listNumberingXml(3, { kind: "bullet", text: '"' });
  expect(definition).toContain('<w:lvlText w:val="&quot;"/>');
  expect(definition).not.toContain("Arial");
  expect(listNumberingXml(3, { kind: "decimal", text: "(%)" })).toContain(
    '<w:lvlText w:val="(%9)"/>',
  );
});

/** What Word writes between a marker and the text. */
const GAP = `<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span>`;

/** Returns a paragraph of a list as Word and Outlook write it. */
function ofWord(place: string, marker: string, text: string, font = ""): string {
  const look = font === "" ? "" : ` style='font-family:${font};mso-fareast-font-family:${font}'`;
  return `<p class=MsoListParagraphCxSpMiddle style='margin-left:72.0pt;text-indent:-18.0pt;mso-list:${place}'><![if !supportLists]><span${look}><span style='mso-list:Ignore'>${marker}${GAP}</span></span><![endif]>${text}<o:p></o:p></p>`;
}

describe("lists that were copied from Word", () => {
  test("become lists, with the bullets of their levels and without Word's markers", () => {
    const html =
      ofWord("l0 level1 lfo1", "·", "a", "Symbol") +
      ofWord("l0 level2 lfo1", "o", "b", '"Courier New"') +
      ofWord("l0 level3 lfo1", "§", "c", "Wingdings") +
      ofWord("l0 level1 lfo1", "·", "d", "Symbol");
    const document = parseHtml(html);
    expect(document.warnings).toEqual([]);
    const where = context();
    const xml = blocksXml(document, where);
    expect(runsOf(xml)).toEqual([":a", ":b", ":c", ":d"]);
    expect(pPrs(xml)).toEqual(
      [0, 1, 2, 0].map(
        (level) => `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr>`,
      ),
    );
    expect(where.lists).toEqual(["bullet 1 0"]);
  });

  test("are numbered like their markers", () => {
    const html =
      ofWord("l1 level1 lfo2", "1.", "a") +
      ofWord("l1 level2 lfo2", "1.1.", "b") +
      ofWord("l1 level2 lfo2", "1.2.", "c") +
      "<p class=MsoNormal>Text<o:p></o:p></p>" +
      ofWord("l1 level1 lfo2", "2.", "d") +
      ofWord("l1 level2 lfo2", "2.1.", "e") +
      ofWord("l2 level1 lfo3", "(a)", "f") +
      ofWord("l2 level1 lfo3", "(b)", "g") +
      ofWord("l3 level1 lfo4", "IV)", "h") +
      ofWord("l3 level1 lfo4", "V)", "i") +
      ofWord("l4 level1 lfo5", "i.", "j") +
      ofWord("l5 level1 lfo6", "h.", "k") +
      ofWord("l5 level1 lfo6", "i.", "l") +
      ofWord("l6 level1 lfo7", "Article 7:", "m");
    expect(shown(html)).toEqual([
      "1. a",
      "    1.1. b",
      "    1.2. c",
      "Text",
      "2. d",
      "    2.1. e",
      "(a) f",
      "(b) g",
      "IV) h",
      "V) i",
      "i. j",
      "h. k",
      "i. l",
      "Article 7: m",
    ]);
    const where = context();
    blocksXml(parseHtml(html), where);
    expect(where.lists).toEqual([
      "decimal 1 0",
      "decimal 1.%. 1 1",
      "decimal 2.%. 1 1",
      "lower-letter (%) 1 0",
      "upper-roman %) 4 0",
      "lower-roman 1 0",
      "lower-letter 8 0",
      "decimal Article %: 7 0",
    ]);
  });

  test("keep other symbols as Unicode characters, and have the default bullet for a picture", () => {
    const html =
      ofWord("l0 level1 lfo1", "Ø", "a", "Wingdings") +
      ofWord("l0 level1 lfo1", "ü", "b", "Wingdings") +
      ofWord("l0 level1 lfo1", "\uf0b7", "c", "Symbol") +
      ofWord("l0 level1 lfo1", "-", "d") +
      ofWord("l0 level1 lfo1", '<img width=11 src="file:///C:/a.gif" alt="*">', "e");
    expect(shown(html)).toEqual(["➢ a", "✓ b", "• c", "- d", "• e"]);
    expect(codes(parseHtml(html))).toEqual([]);
  });

  test("keep a marker as text if Word's numbering would not produce it", () => {
    expect(shown(ofWord("l0 level1 lfo1", "01.", "a"))[0]?.replaceAll("\u00a0", " ")).toBe(
      "01.    a",
    );
    for (const marker of ["Clause", "50%.", "①", "IIII.", "xyz)"]) {
      expect(shown(ofWord("l0 level1 lfo1", marker, "a"))[0]).toContain(marker);
    }
  });

  test("have the default bullet for a symbol without a Unicode character, with a warning", () => {
    const document = parseHtml(ofWord("l0 level1 lfo1", "4", "a", "Webdings"));
    expect(flattenedText(document)).toBe("• a");
    expect(document.warnings[0]?.message).toContain("(symbols of Webdings)");
  });

  test("may be in comments, headings and other lists, and only need the class", () => {
    const comments = ofWord("l0 level1 lfo1", "·", "a", "Symbol")
      .replace("<![if !supportLists]>", "<!--[if !supportLists]-->")
      .replace("<![endif]>", "<!--[endif]-->");
    expect(shown(comments)).toEqual(["• a"]);
    expect(parseHtml(comments).warnings).toEqual([]);
    const heading = `<h1 style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>1<span>&nbsp;</span></span>Title</h1>`;
    const [pPr] = pPrs(blocksXml(parseHtml(heading), context()));
    expect(pPr).toContain('<w:ilvl w:val="0"/>');
    expect(pPr).toContain('<w:outlineLvl w:val="0"/>');
    expect(shown(`<ul><li>x${ofWord("l0 level1 lfo1", "1.", "a")}</li></ul>`)).toEqual([
      "• x",
      "    1. a",
    ]);
    const classes = `<p class="MsoListParagraph"><span style="mso-list:Ignore">·</span>a</p>`;
    expect(shown(classes)).toEqual(["• a"]);
  });

  test("that are already lists, or have no marker, do not change", () => {
    const list = "<ul><li class=MsoNormal style='mso-list:l0 level1 lfo1'>a</li></ul>";
    expect(shown(list)).toEqual(["• a"]);
    expect(shown("<p class=MsoListParagraph style='mso-list:l0 level1 lfo1'>a</p>")).toEqual(["a"]);
    expect(
      shown("<p style='mso-list:l0 level1 lfo1'>a<span style='mso-list:Ignore'>1.</span></p>"),
    ).toEqual(["a1."]);
  });
});

/** The properties that the `font` shorthand resets. */
const NORMAL =
  '<w:b w:val="0"/><w:bCs w:val="0"/><w:i w:val="0"/><w:iCs w:val="0"/><w:caps w:val="0"/><w:smallCaps w:val="0"/>';

describe("text in a symbol font", () => {
  test("becomes Unicode characters in the font of the surrounding text", () => {
    expect(runs("<span style='font-family:Symbol'>a·£</span>")).toEqual([":α•≤"]);
    expect(
      runs("<span style='font-family:Arial'><font face=Wingdings>ü\u00a0þ</font></span>"),
    ).toEqual(['<w:rFonts w:ascii="Arial" w:hAnsi="Arial" w:cs="Arial"/>:✓\u00a0☑']);
    expect(parseHtml("<span style='font-family:symbol'>α</span>").warnings).toEqual([]);
  });

  test("keeps the font for a symbol without a Unicode character, with a warning, but not for its spaces", () => {
    const html = "a<span style='font-family:Webdings'>4\u00a0x</span>";
    expect(runs(html)).toEqual([
      ":a",
      '<w:rFonts w:ascii="Webdings" w:hAnsi="Webdings" w:cs="Webdings"/>:4 x',
    ]);
    expect(parseHtml(html).warnings[0]?.message).toContain("(symbols of Webdings)");
  });

  test("ends at another font, also in the shorthand", () => {
    const html = `<span style='font-family:Symbol'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;a</span></span>`;
    expect(runs(html)).toEqual([
      ":•",
      `<w:rFonts w:ascii="Times New Roman" w:hAnsi="Times New Roman" w:cs="Times New Roman"/>${NORMAL}<w:sz w:val="14"/><w:szCs w:val="14"/>:\u00a0a`,
    ]);
  });
});

describe("the CSS shorthand for fonts", () => {
  test.each([
    [
      "italic bold 12px/1.5 Arial, serif",
      '<w:rFonts w:ascii="Arial" w:hAnsi="Arial" w:cs="Arial"/><w:b/><w:bCs/><w:i/><w:iCs/><w:caps w:val="0"/><w:smallCaps w:val="0"/><w:sz w:val="18"/><w:szCs w:val="18"/>',
    ],
    [
      "small-caps 700 10pt / 12pt 'My Font'",
      '<w:rFonts w:ascii="My Font" w:hAnsi="My Font" w:cs="My Font"/><w:b/><w:bCs/><w:i w:val="0"/><w:iCs w:val="0"/><w:caps w:val="0"/><w:smallCaps/><w:sz w:val="20"/><w:szCs w:val="20"/>',
    ],
    ["inherit", ""],
    ["menu", ""],
    ["12px", ""],
    ["", ""],
  ])("%s", (font, expected) => {
    expect(runs(`<span style="font:${font}">x</span>`)).toEqual([`${expected}:x`]);
  });

  test("is overridden by later properties", () => {
    expect(runs('<span style="font:bold 12px Arial;font-family:Georgia">x</span>')[0]).toContain(
      "Georgia",
    );
  });
});

describe("content copied from Word, Outlook or Google Docs", () => {
  test("may contain marks of these programs, which are ignored", () => {
    const html =
      "<html xmlns:o='urn:o'><body><!--StartFragment--><p class=MsoNormal>a <st1:place w:st='on'>b</st1:place><o:p>&nbsp;</o:p></p><!--EndFragment--></body></html>";
    const document = parseHtml(html);
    expect(document.warnings).toEqual([]);
    expect(flattenedText(document)).toBe("a b\u00a0");
    expect(codes(parseHtml("<p>a</p><!--[if gte mso 9]><xml>x</xml><![endif]-->"))).toEqual([
      "dropped_markup",
    ]);
  });

  test("has spaces for tabs, which become tabs again", () => {
    const html = "a<span style='mso-tab-count:2'>&nbsp;&nbsp;&nbsp; </span>b";
    expect(flattenedText(parseHtml(html))).toBe("a\t\tb");
    for (const count of ["-5", "1e9", "x", ""]) {
      const tab = `a<span style='mso-tab-count:${count}'> </span>b`;
      expect(flattenedText(parseHtml(tab))).toBe("a\tb");
    }
  });

  test("may be in a <b> whose style resets the weight", () => {
    const html =
      '<b style="font-weight:normal;" id="docs-internal-guid-1"><ol style="margin-top:0;"><li dir="ltr" style="list-style-type:lower-alpha;" aria-level="1"><p dir="ltr" role="presentation">a</p></li><ol><li dir="ltr" style="list-style-type:lower-roman;" aria-level="2"><p dir="ltr">b</p></li></ol></ol></b>';
    expect(shown(html)).toEqual(["a. a", "    i. b"]);
    expect(runsOf(blocksXml(parseHtml(html), context()))).toEqual([
      '<w:b w:val="0"/><w:bCs w:val="0"/>:a',
      '<w:b w:val="0"/><w:bCs w:val="0"/>:b',
    ]);
  });
});

test("lists of editors are valid in a document, and values share definitions", async () => {
  const quill = `<ol>${item("ordered", "a")}${item("checked", "b", "ql-indent-1")}${item("bullet", "c")}</ol>`;
  const word =
    ofWord("l0 level1 lfo1", "(a)", "d") +
    ofWord("l0 level2 lfo1", "ü", "e", "Wingdings") +
    ofWord("l0 level1 lfo1", "&gt;", "f");
  const body = p("{{for v in l}}") + p("{{v :: html}}") + p("{{endfor}}");
  const { bytes, warnings } = await outcome(body, { l: [quill, word, quill, word] });
  assertSound(bytes);
  expect(warnings).toEqual([]);
  const numbering = partOf(bytes, "word/numbering.xml");
  expect(numbering.match(/<w:abstractNum /g)).toHaveLength(6);
  expect(numbering.match(/<w:num /g)).toHaveLength(8);
  expect(numbering).toContain('<w:lvlText w:val="(%1)"/>');
  expect(numbering).toContain('<w:lvlText w:val="☒"/>');
  expect(numbering).toContain('<w:lvlText w:val="&gt;"/>');
});
