import fc from "fast-check";
import { parseFragment } from "parse5";
import { describe, expect, test } from "vitest";
import { manyRuns } from "../../../../contracts/test/support/runs.ts";
import type { RichDocument } from "../../../src/values/rich/model.ts";
import { looksLikeHtml } from "../../../src/values/rich/read/detect.ts";
import { parseHtml } from "../../../src/values/rich/read/parse-html.ts";
import { parseMarkdown } from "../../../src/values/rich/read/parse-markdown.ts";
import {
  blocksXml,
  flattenedXml,
  inlineXml,
  runsXml,
  splitForMerge,
} from "../../../src/values/rich/write.ts";
import {
  codes,
  context,
  lines,
  type Parsed,
  parseXml,
  runsOf,
  styled,
  textOf,
} from "../../support/rich-text.ts";

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
      "done",
      "todo",
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

  test("with one paragraph is inline", () => {
    const document = parseMarkdown("Hello **World**\n");
    expect(document.inline).toBe(true);
    expect(runsOf(inlineXml(document, context()))).toEqual([":Hello ", "<w:b/><w:bCs/>:World"]);
  });

  test("is checked like HTML", () => {
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
  ])("that is hostile is limited, and keeps its text (%#)", (source, text) => {
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
  const size = manyRuns(20_000, 100_000);
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
  ])("%j repeated many times is limited", (piece, text) => {
    const source = fill(piece);
    looksLikeHtml(source);
    const document = parseHtml(source);
    const xml = inlineXml(document, context());
    expect(textOf(parseXml(blocksXml(document, context())))).toContain(text);
    parseXml(xml);
  });

  test("of 100,000 attributes, or that makes the parser multiply elements, is limited", () => {
    const attributes = Array.from({ length: 100_000 }, (_, i) => `a${i}=1`).join(" ");
    expect(lines(parseHtml(`<p ${attributes}>x</p>`))).toEqual(["x"]);
    const bomb = `<p>${Array.from({ length: 2000 }, (_, i) => `<b a=${i}>`).join("")}${"<p>x".repeat(5000)}`;
    expect(codes(parseHtml(bomb))).toEqual(["markup_limit"]);
  });

  test("with merged cells over very many rows is limited", () => {
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

  test("that is nested too deep keeps its text and its lines", () => {
    const document = parseHtml(`${"<div>".repeat(200)}a<p>b</p><b>c</b>`);
    expect(lines(document)).toEqual(["a", "b", "c"]);
    expect(codes(document)).toEqual(["markup_limit"]);
  });
});

describe("random markup", () => {
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
    ' class="ql-indent-8 ql-align-center ql-font-x ql-formula" data-value=f',
    " data-list=ordered",
    " data-list=checked",
    ' class=ql-ui style="mso-tab-count:3"',
    ' class=MsoListParagraph style="mso-list:l0 level9 lfo1"',
    ' style="mso-list:Ignore;font-family:Wingdings"',
    ' style="font:italic 9px/2 Symbol"',
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
      "(iv)",
      "1.1.",
      "\uf0b7",
      "<name>",
      "<b and c>",
      '"',
      "'",
    ),
    fc.string(),
  );
  const html = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(""));

  /** Word's rules that the schema does not express. */
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
      { numRuns: manyRuns(60, 2_000) },
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
      { numRuns: manyRuns(60, 2_000) },
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
        // Without tags, line breaks are lost.
        expect(document.warnings.filter(({ code }) => code !== "lost_lines")).toEqual([]);
      }),
    );
  });

  function plainText(node: object): string {
    if ("value" in node && typeof node.value === "string") return node.value;
    if (!("childNodes" in node) || !Array.isArray(node.childNodes)) return "";
    return node.childNodes.map(plainText).join("");
  }
});
