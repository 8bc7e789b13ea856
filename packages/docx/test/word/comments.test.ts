import { describe, expect, test } from "vitest";
import { p, r, table } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../src/index.ts";
import { all, rootOf } from "../support/labels.ts";
import { render } from "../support/render.ts";
import { assertSound } from "../support/sound.ts";
import { partsOf, type WordFile, wordFile } from "../support/word-file.ts";

const reference = (id: number): string => `<w:r><w:commentReference w:id="${id}"/></w:r>`;
const commented = (id: number, runs: string): string =>
  `<w:p><w:commentRangeStart w:id="${id}"/>${runs}<w:commentRangeEnd w:id="${id}"/>${reference(id)}</w:p>`;
const comment = (id: number, text: string): string =>
  `<w:comment w:id="${id}" w:author="a">${p(text)}</w:comment>`;
const loop = (content: string): string => p("{{for i in l}}") + content + p("{{endfor}}");

/** Returns the comments of a document in the order of their references, and all comments of the part. */
async function comments(
  file: WordFile,
  data: Record<string, unknown>,
): Promise<{ readonly referred: string[]; readonly all: string[]; readonly xml: string }> {
  const { bytes } = await render(wordFile(file), data);
  assertSound(bytes);
  const parts = partsOf(bytes);
  const xml = parts.get("word/comments.xml") ?? "";
  const found = all(rootOf(xml), "w:comment");
  const texts = new Map(
    found.map((each) => [each.getAttribute("w:id"), each.textContent ?? ""] as const),
  );
  const referred = [...parts].flatMap(([part, story]) =>
    /^word\/(?:document|footnotes)\.xml$/.test(part)
      ? all(rootOf(story), "w:commentReference").map(
          (each) => texts.get(each.getAttribute("w:id")) ?? "none",
        )
      : [],
  );
  return { referred, all: [...texts.values()], xml };
}

describe("a comment in a loop", () => {
  const body = loop(commented(0, r("{{i}}"))) + commented(1, r("tail"));

  test("is repeated for each iteration, with the data of this iteration", async () => {
    const parts = { "comments.xml": comment(0, "{{$number}} {{i}} {{x}}") + comment(1, "tail") };
    const { referred } = await comments({ body, parts }, { l: ["A", "B"], x: "X" });
    expect(referred).toEqual(["1 A X", "2 B X", "tail"]);
  });

  test("is repeated for each iteration even if it contains no tag", async () => {
    const parts = { "comments.xml": comment(0, "why") + comment(1, "tail") };
    const { referred } = await comments({ body, parts }, { l: ["A", "B"] });
    expect(referred).toEqual(["why", "why", "tail"]);
  });

  test("is removed if the list is empty", async () => {
    const parts = { "comments.xml": comment(0, "{{i}}") + comment(1, "tail") };
    expect((await comments({ body, parts }, { l: [] })).all).toEqual(["tail"]);
  });

  test("keeps its id for other parts in the first copy only", async () => {
    const named = comment(0, "{{i}}").replace("<w:p>", '<w:p w14:paraId="0A" w14:textId="0B">');
    const parts = { "comments.xml": named + comment(1, "tail") };
    const { xml } = await comments({ body, parts }, { l: ["A", "B"] });
    expect(xml.match(/<w:p [^>]*>/g)).toEqual(['<w:p w14:paraId="0A" w14:textId="0B">']);
  });

  test("has separate bookmarks in each copy", async () => {
    const marked = comment(0, "{{i}}").replace(
      "<w:p>",
      '<w:p><w:bookmarkStart w:id="7" w:name="b"/><w:bookmarkEnd w:id="7"/>',
    );
    const parts = { "comments.xml": marked + comment(1, "tail") };
    const { referred } = await comments({ body, parts }, { l: ["A", "B", "C"] });
    expect(referred).toEqual(["A", "B", "C", "tail"]);
  });

  test("follows its reference if its range starts outside the loop", async () => {
    const across = `<w:p><w:commentRangeStart w:id="0"/>${r("a")}</w:p>${loop(
      `<w:p>${r("{{i}}")}<w:commentRangeEnd w:id="0"/>${reference(0)}</w:p>`,
    )}`;
    const parts = { "comments.xml": comment(0, "{{i}}") };
    expect((await comments({ body: across, parts }, { l: ["A", "B"] })).referred).toEqual([
      "A",
      "B",
    ]);
    expect((await comments({ body: across, parts }, { l: [] })).all).toEqual([]);
  });

  test("that belongs to a note is repeated for each copy of the note", async () => {
    const noted = loop(`<w:p>${r("{{i}}")}<w:r><w:footnoteReference w:id="2"/></w:r></w:p>`);
    const parts = {
      "footnotes.xml": `<w:footnote w:id="2">${commented(0, r("note {{i}}"))}</w:footnote>`,
      "comments.xml": comment(0, "on {{i}}"),
    };
    const { referred } = await comments({ body: noted, parts }, { l: ["A", "B"] });
    expect(referred).toEqual(["on A", "on B"]);
  });
});

describe("a comment that a condition hides", () => {
  const body = p("{{if a}}") + commented(0, r("hidden")) + p("{{endif}}") + commented(1, r("end"));

  test.each(["{{secret :: optional}}", "words"])("is removed: %s", async (text) => {
    const parts = { "comments.xml": comment(0, text) + comment(1, "end") };
    const data = { a: false, secret: "SECRET" };
    expect((await comments({ body, parts }, data)).all).toEqual(["end"]);
    expect((await comments({ body, parts }, { ...data, a: true })).all).toHaveLength(2);
  });

  test("is removed if its range is outside the condition and its reference is inside", async () => {
    const across = `<w:p><w:commentRangeStart w:id="0"/>${r("a")}<w:commentRangeEnd w:id="0"/>${r("{{if a}}")}${reference(0)}${r("b{{endif}}")}</w:p>`;
    const parts = { "comments.xml": comment(0, "why") };
    expect((await comments({ body: across, parts }, { a: false })).all).toEqual([]);
    expect((await comments({ body: across, parts }, { a: true })).referred).toEqual(["why"]);
  });
});

describe("the range of a comment", () => {
  const start = '<w:commentRangeStart w:id="0"/>';
  const end = `<w:commentRangeEnd w:id="0"/>${reference(0)}`;

  /** Returns the text between the marks of each comment, with `¶` at the end of each paragraph. */
  async function about(body: string, data: Record<string, unknown>): Promise<string[]> {
    const file = { body, parts: { "comments.xml": comment(0, "why") } };
    const { bytes } = await render(wordFile(file), data);
    assertSound(bytes);
    const xml = partsOf(bytes).get("word/document.xml") ?? "";
    const ranges = xml.matchAll(/<w:commentRangeStart [^>]*>(.*?)<w:commentRangeEnd /gs);
    return [...ranges].map(([, range = ""]) =>
      range.replaceAll("</w:p>", "¶").replaceAll(/<[^>]*>/g, ""),
    );
  }

  test("that starts in a block and ends after it covers the whole block and the text after it", async () => {
    const behind = `<w:p>${r("c")}${end}${r("d")}</w:p>`;
    const over = loop(p("a") + `<w:p>${start}${r("{{i}}")}</w:p>`) + behind;
    expect(await about(over, { l: [] })).toEqual(["c"]);
    expect(await about(over, { l: ["1", "2"] })).toEqual(["a¶1¶a¶2¶c"]);
    const branch = p("{{if x}}") + p("a") + p("{{else}}") + `<w:p>${start}${r("b")}</w:p>`;
    expect(await about(`${branch}${p("{{endif}}")}${behind}`, { x: true })).toEqual(["a¶c"]);
    const text = `<w:p>${r("a{{if x}}b{{if x}}")}${start}${r("c{{endif}}{{endif}}d")}${end}</w:p>`;
    expect(await about(text, { x: true })).toEqual(["bcd"]);
    expect(await about(text, {})).toEqual(["d"]);
  });

  test("that starts before a block and ends in it starts in each iteration", async () => {
    const over = `<w:p>${start}${r("a")}</w:p>${loop(`${p("b")}<w:p>${r("{{i}}")}${end}</w:p>`)}`;
    expect(await about(over, { l: ["1", "2"] })).toEqual(["b¶1", "b¶2"]);
    const branch = `<w:p>${r("{{if x}}")}${start}${r("a{{else}}b")}${end}${r("c{{endif}}")}</w:p>`;
    expect(await about(branch, {})).toEqual(["b"]);
    expect(await about(branch, { x: true })).toEqual([]);
  });

  test("can cover the rows of a table and the text after it", async () => {
    const rows = table(
      [`<w:p>${r("{{tablerow i in l}}")}${start}${r("{{i}}{{endtablerow}}")}</w:p>`],
      [p("sum")],
    );
    const body = `${rows}<w:p>${r("c")}${end}</w:p>`;
    expect(await about(body, { l: ["1", "2"] })).toEqual(["1¶2¶sum¶c"]);
    expect(await about(body, { l: [] })).toEqual(["sum¶c"]);
  });
});

test("a comment on a removed tag alone is removed", async () => {
  const body = commented(0, r("{{for i in l}}")) + p("{{i}}") + p("{{endfor}}") + p("end");
  const parts = { "comments.xml": comment(0, "a loop") };
  expect((await comments({ body, parts }, { l: [1] })).all).toEqual([]);
});

test("comments outside blocks are copied unchanged", async () => {
  const body = commented(0, r("{{x}}")) + commented(1, r("b"));
  const content = `${comment(1, "one")}\n${comment(0, "two")}`;
  const { xml } = await comments({ body, parts: { "comments.xml": content } }, { x: 1 });
  expect(xml).toContain(content);
});

test("keeps comments without references and comments that only parts without tags refer to", async () => {
  const parts = {
    "footnotes.xml": `<w:footnote w:id="2">${commented(3, r("note"))}</w:footnote>`,
    "comments.xml": comment(3, "on a note {{x}}") + comment(4, "stray {{x}}"),
  };
  const body = `<w:p>${r("{{x}}")}<w:r><w:footnoteReference w:id="2"/></w:r></w:p>`;
  const { all: found, referred } = await comments({ body, parts }, { x: "X" });
  expect(found).toEqual(["on a note X", "stray X"]);
  expect(referred).toEqual(["on a note X"]);
});

test("a comment that refers to itself is written once", async () => {
  const parts = {
    "comments.xml": `<w:comment w:id="0" w:author="a">${commented(0, r("{{x}}"))}</w:comment>`,
  };
  const { bytes } = await render(wordFile({ body: commented(0, r("{{x}}")), parts }), { x: "X" });
  expect(
    partsOf(bytes)
      .get("word/comments.xml")
      ?.match(/<w:comment /g),
  ).toHaveLength(1);
});

describe("data used by comments and notes", () => {
  test("is found for every block that refers to them", async () => {
    const body = ["a", "b"].map(
      (list) => p(`{{for i in ${list}}}`) + commented(0, r("x")) + p("{{endfor}}"),
    );
    const file = { body: body.join(""), parts: { "comments.xml": comment(0, "{{i.n}}") } };
    const data = { a: [{ n: 1 }], b: [{ n: 2, other: 3 }] };
    const { warnings } = await render(wordFile(file), data);
    expect(warnings.map(({ message }) => message)).toEqual([
      "The tag 'b.other' was provided but not used in the template.",
    ]);
  });

  test("is collected once, even if notes and comments refer to each other many times", async () => {
    const note = `<w:r><w:footnoteReference w:id="1"/></w:r>`.repeat(1000);
    const parts = {
      "footnotes.xml": `<w:footnote w:id="1"><w:p>${reference(1).repeat(1000)}</w:p></w:footnote>`,
      "comments.xml": comment(1, "{{x}} ".repeat(1000)),
    };
    const template = await compileTemplate(
      wordFile({ body: `<w:p>${note}${r("{{x}}")}</w:p>`, parts }),
    );
    expect(template.check({ x: "v", y: 1 })).toMatchObject([
      { code: "unused_value", pointer: "/y" },
    ]);
  });
});
