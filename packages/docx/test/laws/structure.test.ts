import { describe, expect, test } from "vitest";
import { linesOf, p, r, table } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../src/index.ts";
import { all, children, rootOf } from "../support/labels.ts";
import { render } from "../support/render.ts";
import { assertSound } from "../support/sound.ts";
import { partsOf, type WordFile, wordFile } from "../support/word-file.ts";

type Data = Record<string, unknown>;

const items = ["a", "b"];
const LISTS: readonly Data[] = [{ l: [] }, { l: ["a"] }, { l: items }, {}, { l: items, on: true }];

async function sound(file: WordFile | string, data: Data): Promise<Uint8Array> {
  const { bytes } = await render(wordFile(typeof file === "string" ? { body: file } : file), data);
  assertSound(bytes);
  return bytes;
}

async function lines(file: WordFile | string, data: Data): Promise<string[]> {
  return linesOf(await sound(file, data));
}

/** The same block in both syntaxes: its beginning, the tag for the item, its end. */
const SPELLINGS = [
  { name: "for", open: "{{for i in l :: optional}}", item: "{{i}}", close: "{{endfor}}" },
  { name: "a section", open: "{{#l}}", item: "{{.}}", close: "{{/l}}" },
  { name: "a section with a short end", open: "{{#l}}", item: "{{this}}", close: "{{/}}" },
];
const control = (content: string): string =>
  `<w:sdt><w:sdtPr/><w:sdtContent>${content}</w:sdtContent></w:sdt>`;
const box = (content: string): string =>
  `<w:r><w:pict><v:textbox><w:txbxContent>${content}</w:txbxContent></v:textbox></w:pict></w:r>`;
const row = (...cells: readonly string[]): string =>
  `<w:tr>${cells.map((cell) => `<w:tc><w:tcPr/>${cell}</w:tc>`).join("")}</w:tr>`;
const tbl = (...rows: readonly string[]): string =>
  `<w:tbl><w:tblPr/><w:tblGrid/>${rows.join("")}</w:tbl>`;

describe.each(SPELLINGS)("$name over an empty list", ({ open, item, close }) => {
  const empty = async (body: string): Promise<string[]> => lines(body, { l: [] });

  test.each([
    ["in separate paragraphs", p(open) + p(item) + p(close)],
    ["within one paragraph", p(`${open}${item} ${close}`)],
    ["at the beginning of its paragraph", p(`${open}${item}`) + p(close)],
    ["at the end of its last paragraph", p(open) + p(`${item}${close}`)],
    ["in two paragraphs", p(`${open}${item}`) + p(`more${close}`)],
    ["around a table", p(open) + table([p(item)]) + p(close)],
    ["around a content control", p(open) + control(p(item)) + p(close)],
    ["within a content control", control(p(open) + p(item) + p(close))],
    ["with spaces around its tags", p(` ${open} `) + p(item) + p(` ${close} `)],
    [
      "with different formatting",
      `<w:p><w:pPr><w:pStyle w:val="S"/></w:pPr>${r(open, "<w:b/>")}</w:p>${p(item)}${p(close)}`,
    ],
    ["within another block", p("{{if true}}") + p(open) + p(item) + p(close) + p("{{endif}}")],
    ["with a note", p("{{! all items }}") + p(open) + p(item) + p(close)],
  ])("leaves no blank paragraph: %s", async (_name, body) => {
    expect(await empty(p("before") + body + p("after"))).toEqual(["before", "after"]);
  });

  test.each([
    ["in separate rows", [row(p(open), p("")), row(p(item), p("x")), row(p(close), p(""))]],
    ["in the first and the last cell", [row(p(`${open}${item}`), p(`x${close}`))]],
    ["over two rows", [row(p(`${open}${item}`)), row(p(`x${close}`))]],
    ["in rows of content controls", [row(p(open)), control(row(p(item))), row(p(close))]],
  ])("leaves no empty row: %s", async (_name, rows) => {
    expect(await empty(p("before") + tbl(row(p("head")), ...rows) + p("after"))).toEqual([
      "before",
      "head",
      "after",
    ]);
    expect(await empty(p("before") + tbl(...rows) + p("after"))).toEqual(["before", "after"]);
    expect(await empty(p("before") + tbl(...rows, row(p("foot"))) + p("after"))).toEqual([
      "before",
      "foot",
      "after",
    ]);
  });

  test("removes a table if it contains all of its rows, and no other table", async () => {
    const repeated = row(p(`${open}${item}`), p(close));
    const two = tbl(repeated, repeated);
    expect(await empty(p("a") + two + p("b"))).toEqual(["a", "b"]);
    const nested = tbl(row(tbl(repeated) + p("")));
    const xml =
      partsOf(await sound(p("a") + nested + p("b"), { l: [] })).get("word/document.xml") ?? "";
    expect(xml.match(/<w:tbl>/g)).toHaveLength(1);
  });

  test("leaves no blank paragraph in a cell with other paragraphs", async () => {
    const cell = p("cell") + p(open) + p(item) + p(close);
    expect(await empty(table([cell]) + p(""))).toEqual(["cell", ""]);
  });

  test("leaves no blank paragraphs in the iterations of a list around it", async () => {
    const inner = open.replace("in l", "in q.l").replace("#l", "#q.l");
    const end = close.replace("/l", "/q.l");
    const body =
      p("{{for q in qs}}") + p("{{q.n}}") + p(inner) + p(item) + p(end) + p("{{endfor}}");
    const qs = [
      { n: 1, l: [] },
      { n: 2, l: ["x"] },
      { n: 3, l: [] },
    ];
    expect(await lines(body, { qs })).toEqual(["1", "2", "x", "3"]);
  });
});

describe("a loop leaves no paragraph for its tags", () => {
  test.each(SPELLINGS)("$name over some items", async ({ open, item, close }) => {
    for (const body of [
      p(open) + p(item) + p(close),
      p(`${open}${item}`) + p(close),
      p(open) + p(`${item}${close}`),
      p(open) + control(p(item)) + p(close),
      control(p(open) + p(item) + p(close)),
    ]) {
      expect(await lines(p("before") + body + p("after"), { l: items })).toEqual([
        "before",
        "a",
        "b",
        "after",
      ]);
    }
  });

  test("an author's blank paragraph within it is kept in each iteration", async () => {
    const body = p("{{for i in l}}") + p("{{i}}") + p("") + p("{{endfor}}") + p("after");
    expect(await lines(body, { l: items })).toEqual(["a", "", "b", "", "after"]);
  });

  test("even with several ends and beginnings in one paragraph", async () => {
    const body =
      p("{{for i in l}}{{#on}}") +
      p("{{i}}") +
      p("{{/on}}{{endfor}}{{^on}}") +
      p("off") +
      p("{{/on}}");
    expect(await lines(body, { l: items, on: true })).toEqual(["a", "b"]);
    expect(await lines(p("x") + body, { l: [] })).toEqual(["x", "off"]);
  });
});

describe("a table", () => {
  test("is kept if it has a header row, marked or not", async () => {
    const repeated = row(p("{{tablerow i in l}}{{i}}{{endtablerow}}"));
    const header = row(p("head")).replace("<w:tr>", "<w:tr><w:trPr><w:tblHeader/></w:trPr>");
    expect(await lines(tbl(header, repeated) + p(""), { l: [] })).toEqual(["head", ""]);
  });

  test("disappears if all its columns come from an empty list", async () => {
    const columns = `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="100"/></w:tblGrid>${row(p("{{tablecolumn i in l}}{{i}}{{endtablecolumn}}"))}</w:tbl>`;
    expect(await lines(p("a") + columns + p("b"), { l: items })).toEqual(["a", "a | b", "b"]);
    expect(await lines(p("a") + columns + p("b"), { l: [] })).toEqual(["a", "b"]);
  });

  test.each([
    ["alone in a loop", p("{{for i in l}}") + table([p("{{i}}")]) + p("{{endfor}}")],
    [
      "last in a loop that begins with one",
      p("{{#l}}") + table([p("x")]) + p("{{.}}") + table([p("y")]) + p("{{/l}}"),
    ],
    [
      "in a content control in a loop",
      p("{{for i in l}}") + control(table([p("{{i}}")])) + p("{{endfor}}"),
    ],
    [
      "next to a table that a condition shows",
      p("{{for i in l}}") +
        table([p("{{i}}")]) +
        p("{{endfor}}{{if on}}") +
        table([p("on")]) +
        p("{{endif}}"),
    ],
    [
      "after a fixed table",
      table([p("fixed")]) + p("{{for i in l}}") + table([p("{{i}}")]) + p("{{endfor}}"),
    ],
    [
      "before a fixed table",
      p("{{for i in l}}") + table([p("{{i}}")]) + p("{{endfor}}") + table([p("fixed")]),
    ],
    [
      "between tables, if the middle one disappears",
      table([p("x")]) + p("{{for i in l}}{{i}}{{endfor}}") + table([p("y")]),
    ],
    [
      "separated from the next one by a condition",
      table([p("x")]) + p("{{if on}}between{{endif}}") + table([p("y")]),
    ],
    [
      "separated from the next one by a table that disappears",
      table([p("x")]) +
        p("{{! }}") +
        table([p("{{tablerow i in l}}{{i}}{{endtablerow}}")]) +
        p("{{! }}") +
        table([p("y")]),
    ],
    ["separated from the next one by a note", table([p("x")]) + p("{{! note }}") + table([p("y")])],
    ["in a cell, in a loop", table([p("{{for i in l}}") + table([p("{{i}}")]) + p("{{endfor}}")])],
    [
      "in two nested loops",
      p("{{for i in l}}") +
        p("{{for j in l}}") +
        table([p("{{j}}")]) +
        p("{{endfor}}") +
        p("{{endfor}}"),
    ],
    [
      "with bookmarks between",
      `${p("{{for i in l}}")}<w:bookmarkStart w:id="1" w:name="x"/>${table([p("{{i}}")])}<w:bookmarkEnd w:id="1"/>${p("{{endfor}}")}`,
    ],
  ])("never touches another table: %s", async (_name, body) => {
    for (const data of LISTS) await sound(body + p("end"), data);
  });
});

describe("everything that must end in a paragraph does", () => {
  const CONTENTS = [
    ["nothing but a loop", p("{{for i in l :: optional}}") + p("{{i}}") + p("{{endfor}}")],
    ["an inline loop", p("{{for i in l :: optional}}{{i}}{{endfor}}")],
    ["two loops", p("{{#l}}{{.}}{{/l}}") + p("{{#l}}") + p("{{.}}") + p("{{/l}}")],
    ["a loop around a table", p("{{#l}}") + table([p("{{.}}")]) + p("{{/l}}")],
    [
      "a table that may disappear",
      p("{{! }}") +
        table([p("{{tablerow i in l :: optional}}{{i}}{{endtablerow}}")]) +
        p("{{#l}}{{.}}{{/}}"),
    ],
    ["a condition", p("{{if on}}") + p("x") + p("{{endif}}")],
    ["a content control with a loop", control(p("{{#l}}") + p("{{.}}") + p("{{/l}}"))],
    [
      "a loop in a condition",
      p("{{if on}}{{for i in l}}") + table([p("{{i}}")]) + p("{{endfor}}{{endif}}"),
    ],
    ["a value that may be missing", p("{{x :: optional}}")],
    ["a note", p("{{! nothing }}")],
  ] as const;
  const PLACES: readonly [string, (content: string) => WordFile][] = [
    ["a body", (content) => ({ body: content })],
    ["a body without a section", (content) => ({ body: content, section: null })],
    ["a cell", (content) => ({ body: table([content, p("")]) + p("") })],
    [
      "a cell of a repeated row",
      (content) => ({
        body: tbl(row(p("{{tablerow z in two}}"), content, p("{{endtablerow}}"))) + p(""),
      }),
    ],
    ["a cell in a cell", (content) => ({ body: table([table([content]) + p("")]) + p("") })],
    ["a text box", (content) => ({ body: `<w:p>${box(content)}</w:p>` })],
    [
      "a text box in a loop",
      (content) => ({
        body: `${p("{{for z in two}}")}<w:p>${box(content)}</w:p>${p("{{endfor}}")}${p("")}`,
      }),
    ],
    ["a header", (content) => ({ body: p(""), parts: { "header1.xml": content } })],
    ["a footer", (content) => ({ body: p(""), parts: { "footer1.xml": content } })],
    [
      "a footnote",
      (content) => ({
        body: '<w:p><w:r><w:footnoteReference w:id="1"/></w:r></w:p>',
        parts: { "footnotes.xml": `<w:footnote w:id="1">${content}</w:footnote>` },
      }),
    ],
    [
      "an endnote in a loop",
      (content) => ({
        body: `${p("{{for z in two}}")}<w:p><w:r><w:endnoteReference w:id="1"/></w:r></w:p>${p("{{endfor}}")}${p("")}`,
        parts: { "endnotes.xml": `<w:endnote w:id="1">${content}</w:endnote>` },
      }),
    ],
    [
      "a comment",
      (content) => ({
        body: '<w:p><w:r><w:commentReference w:id="1"/></w:r></w:p>',
        parts: { "comments.xml": `<w:comment w:id="1" w:author="a">${content}</w:comment>` },
      }),
    ],
  ];

  test.each(PLACES)("%s", async (_name, place) => {
    for (const [content, xml] of CONTENTS) {
      const template = await compileTemplate(wordFile(place(xml)));
      for (const data of LISTS) {
        const { bytes } = template.render({ two: [1, 2], ...data });
        expect(() => assertSound(bytes), `${content} with ${JSON.stringify(data)}`).not.toThrow();
      }
    }
  });
});

describe("sections", () => {
  const section = (kind: string): string =>
    `<w:p><w:pPr><w:sectPr><w:type w:val="${kind}"/><w:pgSz w:w="1" w:h="2"/></w:sectPr></w:pPr></w:p>`;
  const breaks = async (body: string, data: Data): Promise<string[]> => {
    const root = rootOf(partsOf(await sound(body, data)).get("word/document.xml") ?? "");
    const found = all(root, "w:sectPr").slice(0, -1);
    for (const each of found) expect(children(each, "w:pgSz")).toHaveLength(1);
    return found.map((each) => children(each, "w:type")[0]?.getAttribute("w:val") ?? "");
  };

  test("in a loop end in each iteration", async () => {
    const body =
      p("{{for i in l}}") + p("{{i}}") + section("nextPage") + p("{{endfor}}") + p("end");
    expect(await breaks(body, { l: items })).toEqual(["nextPage", "nextPage"]);
    expect(await breaks(body, { l: [] })).toEqual([]);
  });

  test("that end in a paragraph with text, or with the tags of a block within it, are kept", async () => {
    const within = section("continuous").replace("</w:p>", `${r("{{#l}}{{.}}{{/l}}")}</w:p>`);
    expect(await breaks(within + p("end"), { l: [] })).toEqual(["continuous"]);
    const text = section("evenPage").replace("</w:p>", `${r("{{i}}")}</w:p>`);
    expect(await breaks(p("{{for i in l}}") + text + p("{{endfor}}"), { l: items })).toEqual([
      "evenPage",
      "evenPage",
    ]);
  });

  test("that end where a loop ends do so after it, once or in each iteration, and are never lost", async () => {
    const end = section("oddPage").replace("</w:p>", `${r("{{endfor}}")}</w:p>`);
    const found = await breaks(p("{{for i in l}}") + p("{{i}}") + end + p("after"), { l: items });
    expect(found.length).toBeGreaterThan(0);
    expect(await breaks(p("{{for i in l}}") + p("{{i}}") + end + p("after"), { l: [] })).toEqual([
      "oddPage",
    ]);
  });

  test("keep the headers that they refer to", async () => {
    const referring = section("nextPage").replace(
      "<w:type",
      '<w:headerReference w:type="default" r:id="rId1"/><w:type',
    );
    const file = {
      body: p("{{for i in l}}") + p("{{i}}") + referring + p("{{endfor}}") + p(""),
      parts: { "header1.xml": p("H {{x}}") },
    };
    const parts = partsOf(await sound(file, { l: items, x: 1 }));
    expect(parts.get("word/document.xml")?.match(/<w:headerReference /g)).toHaveLength(2);
    expect(parts.get("word/header1.xml")).toContain("H 1");
  });
});
