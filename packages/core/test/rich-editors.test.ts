import { describe, expect, test } from "vitest";
import { listNumberingXml } from "../src/docx/values/rich/numbering.ts";
import { parseHtml } from "../src/docx/values/rich/parse-html.ts";
import { parseMarkdown } from "../src/docx/values/rich/parse-markdown.ts";
import { blocksXml, flattenedText } from "../src/docx/values/rich/write.ts";
import { p, partOf } from "./support/docx.ts";
import { outcome } from "./support/language.ts";
import { codes, context, pPrs, runs, runsOf } from "./support/rich-text.ts";
import { assertSound } from "./support/sound.ts";

/** The lines of a value, with the markers of its lists as text. */
function shown(html: string): string[] {
  return flattenedText(parseHtml(html)).split("\n");
}

/** An item as Quill 2 writes it. */
function item(kind: string, text: string, classes = ""): string {
  const named = classes === "" ? "" : ` class="${classes}"`;
  return `<li data-list="${kind}"${named}><span class="ql-ui" contenteditable="false"></span>${text}</li>`;
}

describe("lists of Quill 2", () => {
  test("have the kind that each item says, and numbers that go on after other kinds", () => {
    const html = `<ol>${item("ordered", "a")}${item("bullet", "b")}${item("ordered", "c")}${item("checked", "d")}${item("unchecked", "e")}</ol>`;
    expect(shown(html)).toEqual(["1. a", "• b", "2. c", "☒ d", "☐ e"]);
    const where = context();
    const numbers = [...blocksXml(parseHtml(html), where).matchAll(/<w:numId w:val="(\d)"/g)];
    expect(where.lists).toEqual(["decimal 1 0", "bullet 1 0", "bullet ☒ 1 0", "bullet ☐ 1 0"]);
    expect(numbers.map(([, numId]) => numId)).toEqual(["1", "2", "1", "3", "4"]);
  });

  test("have the levels of their classes, which an item of an outer level ends", () => {
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

  test("may begin at an inner level, and are nine levels deep at the most", () => {
    expect(shown(`<ol>${item("ordered", "a", "ql-indent-3")}</ol>`)).toEqual(["            1. a"]);
    const deep = parseHtml(`<ul><li>x<ol>${item("bullet", "a", "ql-indent-8")}</ol></li></ul>`);
    expect(codes(deep)).toEqual(["markup_limit"]);
    expect(blocksXml(deep, context())).toContain('<w:ilvl w:val="8"/>');
  });

  test("of its semantic HTML are lists as all others, and their boxes are kept", () => {
    const html =
      '<ol><li>a<ol><li>b</li></ol></li></ol><ul><li data-list="checked">c</li><li data-list="unchecked">d</li></ul>';
    expect(shown(html)).toEqual(["1. a", "    1. b", "☒ c", "☐ d"]);
  });
});

test("lists of Quill 1 have levels and boxes, too", () => {
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

  test("say sizes, fonts and colours, of which a style of the element itself wins", () => {
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

  test("that a site has added are told by their family, and others are read past", () => {
    const document = parseHtml(
      '<p class="ql-font-secret ql-size-17px ql-align-top ql-mention my-ql-font-x">a</p>',
    );
    expect(document.warnings).toEqual([
      {
        code: "unsupported_markup",
        message:
          "The rich text holds elements that have no form in Word (ql-font, ql-size, ql-align); their text was kept.",
      },
    ]);
    expect(parseHtml('<p class="ql-editor ql-size-constructor">a</p>').warnings).toHaveLength(1);
  });

  test("mark code, in which blanks count, and what belongs to the editor is left out", () => {
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

  test("mark formulas, of which the source is printed, with a warning", () => {
    const document = parseHtml(
      '<p>x <span class="ql-formula" data-value="e=mc^2"><span class="katex">e=mc2</span></span></p>',
    );
    expect(flattenedText(document)).toBe("x e=mc^2");
    expect(document.warnings[0]?.message).toContain("(ql-formula)");
  });
});

describe("an item that begins with a check box", () => {
  test("is marked by it", () => {
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

test("a bullet of another sign has a definition of its own", () => {
  const definition = listNumberingXml(3, { kind: "bullet", text: '"' });
  expect(definition).toContain('<w:lvlText w:val="&quot;"/>');
  expect(definition).not.toContain("Arial");
  expect(listNumberingXml(3, { kind: "decimal", text: "(%)" })).toContain(
    '<w:lvlText w:val="(%9)"/>',
  );
});

test("the style of a list may stand at its items, as Google Docs writes it", () => {
  const html =
    '<b style="font-weight:normal;" id="docs-internal-guid-1"><ol style="margin-top:0;"><li dir="ltr" style="list-style-type:lower-alpha;" aria-level="1"><p dir="ltr" role="presentation">a</p></li><ol><li dir="ltr" style="list-style-type:lower-roman;" aria-level="2"><p dir="ltr">b</p></li></ol></ol></b>';
  expect(shown(html)).toEqual(["a. a", "    i. b"]);
  expect(runsOf(blocksXml(parseHtml(html), context()))).toEqual([
    '<w:b w:val="0"/><w:bCs w:val="0"/>:a',
    '<w:b w:val="0"/><w:bCs w:val="0"/>:b',
  ]);
});

test("lists of editors are sound in a document, and values share what they can", async () => {
  const quill = `<ol>${item("ordered", "a")}${item("checked", "b", "ql-indent-1")}${item("bullet", "c")}</ol>`;
  const body = p("{{for v in l}}") + p("{{v :: html}}") + p("{{endfor}}");
  const { bytes, warnings } = await outcome(body, { l: [quill, quill] });
  assertSound(bytes);
  expect(warnings).toEqual([]);
  const numbering = partOf(bytes, "word/numbering.xml");
  expect(numbering.match(/<w:abstractNum /g)).toHaveLength(3);
  expect(numbering.match(/<w:num /g)).toHaveLength(4);
  expect(numbering).toContain('<w:lvlText w:val="☒"/>');
});
