import { describe, expect, test } from "vitest";
import { p, partOf, r } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../src/index.ts";
import { from, include } from "../support/including.ts";
import { labelledLines } from "../support/labels.ts";
import { assertSound } from "../support/sound.ts";
import { wordFile } from "../support/word-file.ts";

/** Returns a list level with its text and more properties. */
const level = (index: number, text: string, more = "", start = 1): string =>
  `<w:lvl w:ilvl="${index}"><w:start w:val="${start}"/><w:numFmt w:val="decimal"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`;

const bullet =
  '<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="bullet"/><w:lvlText w:val="*"/></w:lvl>';

/** A numbering part with the levels of each definition, and each list with its definition and overrides. */
const numbering = (
  definitions: readonly string[],
  lists: readonly (readonly [definition: number, overrides?: string])[],
): string =>
  definitions
    .map((levels, id) => `<w:abstractNum w:abstractNumId="${id}">${levels}</w:abstractNum>`)
    .join("") +
  lists
    .map(
      ([definition, overrides = ""], index) =>
        `<w:num w:numId="${index + 1}"><w:abstractNumId w:val="${definition}"/>${overrides}</w:num>`,
    )
    .join("");

/** Returns a paragraph style with its list and more properties. */
const style = (id: string, name: string, numId: number | null, more = "", of = ""): string =>
  `<w:style w:type="paragraph" w:styleId="${id}"${of}><w:name w:val="${name}"/><w:pPr>${
    numId === null ? "" : `<w:numPr><w:numId w:val="${numId}"/></w:numPr>`
  }${more}</w:pPr></w:style>`;

const item = (text: string, numId: number, ilvl = 0, named = ""): string =>
  `<w:p><w:pPr>${named && `<w:pStyle w:val="${named}"/>`}<w:numPr><w:ilvl w:val="${ilvl}"/><w:numId w:val="${numId}"/></w:numPr></w:pPr>${r(text)}</w:p>`;

interface Lists {
  readonly numbering?: string;
  readonly styles?: string;
}

const file = (body: string, { numbering: lists, styles }: Lists): Uint8Array =>
  wordFile({
    body,
    parts: {
      ...(lists === undefined ? {} : { "numbering.xml": lists }),
      ...(styles === undefined ? {} : { "styles.xml": styles }),
    },
  });

/** Returns the lines of a rendered document, with their numbers. */
async function labels(
  host: Uint8Array,
  files: Readonly<Record<string, Uint8Array>>,
  data: Record<string, unknown> = {},
): Promise<string[]> {
  const { bytes } = (await compileTemplate(host, from(files))).render(data);
  assertSound(bytes);
  return labelledLines(bytes);
}

const listNumber = (text: string, start = 1): Lists => ({
  numbering: numbering([level(0, text, '<w:pStyle w:val="ListNumber"/>', start)], [[0]]),
  styles: style("ListNumber", "List Number", 1),
});
const numbered = (text: string): string => p(text, "ListNumber");

describe("an included list of a style that both templates have", () => {
  const t = file(numbered("a") + numbered("b"), listNumber("%1."));

  test("starts in each inclusion as in its file, and the surrounding list continues", async () => {
    const body = numbered("x") + numbered("y") + include + numbered("z") + include;
    const host = file(body, listNumber("%1."));
    const expected = ["1. x", "2. y", "1. a", "2. b", "3. z", "1. a", "2. b"];
    expect(await labels(host, { t })).toEqual(expected);
  });

  test("uses the look of the including template and keeps its start number", async () => {
    const host = file(numbered("x") + include, listNumber("(%1)"));
    const five = file(numbered("a") + numbered("b"), listNumber("%1.", 5));
    expect(await labels(host, { t: five })).toEqual(["(1) x", "(5) a", "(6) b"]);
  });

  test("starts in each iteration of a loop as in its file, with one item or more", async () => {
    const body = p("{{for i in l}}") + numbered("x") + include + p("{{endfor}}");
    const host = file(body, listNumber("%1."));
    const one = file(numbered("a {{i}}"), listNumber("%1."));
    const data = { l: [1, 2] };
    expect(await labels(host, { t }, data)).toEqual([
      "1. x",
      "1. a",
      "2. b",
      "2. x",
      "1. a",
      "2. b",
    ]);
    expect(await labels(host, { t: one }, data)).toEqual(["1. x", "1. a 1", "2. x", "1. a 2"]);
  });

  test("counts the iterations of a loop in the included file", async () => {
    const own = p("{{for i in l}}") + numbered("{{i}}") + p("{{endfor}}") + numbered("end");
    const host = file(p("{{for j in l}}") + include + p("{{endfor}}"), listNumber("%1."));
    const lines = ["1. A", "2. B", "3. end"];
    expect(await labels(host, { t: file(own, listNumber("%1.")) }, { l: ["A", "B"] })).toEqual([
      ...lines,
      ...lines,
    ]);
  });

  test("restarts and continues as its paragraphs define", async () => {
    const restart = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>';
    const { styles = "" } = listNumber("");
    const lists = numbering([level(0, "%1.")], [[0], [0, restart], [0]]);
    const body =
      numbered("a") +
      item("b", 3, 0, "ListNumber") +
      item("c", 2, 0, "ListNumber") +
      item("d", 2, 0, "ListNumber") +
      numbered("e");
    const own = file(body, { numbering: lists, styles });
    const expected = ["(1) a", "(2) b", "(1) c", "(2) d", "(3) e"];
    const host = file(numbered("x") + include + include, listNumber("(%1)"));
    expect(await labels(host, { t: own })).toEqual(["(1) x", ...expected, ...expected]);
    const loop = file(p("{{for i in l}}") + include + p("{{endfor}}"), listNumber("(%1)"));
    expect(await labels(loop, { t: own }, { l: [1, 2] })).toEqual([...expected, ...expected]);
  });

  test("continues after a nested include", async () => {
    const spanning = file(numbered("a") + p('{{include "u"}}') + numbered("b"), listNumber("%1."));
    const u = file(numbered("c") + numbered("d"), listNumber("%1."));
    const host = file(numbered("x") + include, listNumber("%1."));
    expect(await labels(host, { t: spanning, u })).toEqual([
      "1. x",
      "1. a",
      "1. c",
      "2. d",
      "2. b",
    ]);
  });

  test("keeps its numbers if the including template counts differently", async () => {
    const styles = style("A", "A", 1) + style("B", "B", 1);
    const two =
      level(0, "%1.", '<w:pStyle w:val="A"/>') + level(1, "%1.%2", '<w:pStyle w:val="B"/>');
    const own = file(p("a", "A") + p("b", "B") + p("c", "A") + p("d", "B"), {
      numbering: numbering([two], [[0]]),
      styles,
    });
    const apart = [
      level(0, "%1)", '<w:pStyle w:val="A"/>'),
      level(0, "(%1)", '<w:pStyle w:val="B"/>'),
    ];
    const host = file(p("x", "A") + p("y", "B") + include, {
      numbering: numbering(apart, [[0], [1]]),
      styles: style("A", "A", 1) + style("B", "B", 2),
    });
    expect(await labels(host, { t: own })).toEqual([
      "1) x",
      "(1) y",
      "1. a",
      "1.1 b",
      "2. c",
      "2.1 d",
    ]);
  });

  test("keeps its numbers if the including template has bullets or nothing instead", async () => {
    const bullets = file(include, {
      numbering: numbering([bullet], [[0]]),
      styles: style("ListNumber", "List Number", 1),
    });
    const nothing = file(include, { styles: style("ListNumber", "List Number", null) });
    for (const host of [bullets, nothing]) {
      expect(await labels(host, { t })).toEqual(["1. a", "2. b"]);
    }
  });

  test("keeps its bullets if the including template has nothing instead", async () => {
    const own = file(numbered("a"), {
      numbering: numbering([bullet], [[0]]),
      styles: style("ListNumber", "List Number", 1),
    });
    const host = file(include + include, { styles: style("ListNumber", "List Number", null) });
    expect(await labels(host, { t: own })).toEqual(["• a", "• a"]);
  });

  test("keeps levels that the including template does not have", async () => {
    const both = level(0, "%1.") + level(1, "%1.%2");
    const own = file(numbered("a") + item("b", 1, 1, "ListNumber"), {
      numbering: numbering([both], [[0]]),
      styles: style("ListNumber", "List Number", 1),
    });
    const host = file(numbered("x") + include, listNumber("(%1)"));
    expect(await labels(host, { t: own })).toEqual(["(1) x", "1. a", "1.1 b"]);
  });
});

describe("an included list of a style that only the included template has", () => {
  const steps = {
    numbering: numbering(
      [level(0, "%1)", '<w:pStyle w:val="Step"/>') + level(1, "%1.%2", '<w:pStyle w:val="Sub"/>')],
      [[0]],
    ),
    styles: style("Step", "Step", 1) + style("Sub", "Sub", 1),
  };
  const t = file(p("a", "Step") + p("b", "Sub") + p("c", "Step"), steps);

  test("starts in each inclusion as in its file", async () => {
    const own = ["1) a", "1.1 b", "2) c"];
    const loop = p("{{for i in l}}") + include + p("{{endfor}}");
    for (const host of [file(include + loop, {}), file(include + loop, listNumber("%1."))]) {
      expect(await labels(host, { t }, { l: [1, 2] })).toEqual([...own, ...own, ...own]);
    }
  });

  test("can belong to the default style", async () => {
    const normal = style("Normal", "Normal", 1, "", ' w:default="1"');
    const own = file(p("a") + p("b"), {
      numbering: numbering([level(0, "%1.")], [[0]]),
      styles: normal,
    });
    const host = file(p("x") + include + include, {
      styles: style("Normal", "Normal", null, "", ' w:default="1"'),
    });
    expect(await labels(host, { t: own })).toEqual(["x", "1. a", "2. b", "1. a", "2. b"]);
  });

  test("keeps a level that the paragraph names without a list", async () => {
    const second = `<w:p><w:pPr><w:pStyle w:val="Step"/><w:numPr><w:ilvl w:val="1"/></w:numPr></w:pPr>${r("b")}</w:p>`;
    const own = file(p("a", "Step") + second, steps);
    expect(await labels(file(include, {}), { t: own })).toEqual(["1) a", "1.1 b"]);
  });

  test("keeps the indents with which the style overrides the list", async () => {
    const indented = (numId: number): string =>
      style("Base", "Base", numId, '<w:ind w:left="10" w:hanging="20"/>') +
      '<w:style w:type="paragraph" w:styleId="Step"><w:name w:val="Step"/><w:basedOn w:val="Base"/><w:pPr><w:ind w:right="30"/></w:pPr></w:style>';
    const lists = numbering([level(0, "%1.")], [[0]]);
    const more = `<w:p><w:pPr><w:pStyle w:val="Step"/><w:jc w:val="right"/><w:ind w:firstLine="5"/></w:pPr>${r("b")}</w:p>`;
    const own = file(p("a", "Step") + more, { numbering: lists, styles: indented(1) });
    for (const host of [
      file(include, {}),
      file(include, { numbering: lists, styles: indented(1) }),
    ]) {
      const { bytes } = (await compileTemplate(host, from({ t: own }))).render({});
      const [first, second] = [...partOf(bytes).matchAll(/<w:pPr>(.*?)<\/w:pPr>/g)].map(
        ([, x]) => x,
      );
      expect(first).toMatch(/<\/w:numPr><w:ind w:left="10" w:hanging="20" w:right="30"\/>$/);
      expect(second).toMatch(/<w:ind w:firstLine="5" w:left="10" w:right="30"\/>/);
    }
  });

  test("is kept in the style if it has bullets", async () => {
    const own = file(p("a", "Dot"), {
      numbering: numbering([bullet], [[0]]),
      styles: style("Dot", "Dot", 1),
    });
    const { bytes } = (await compileTemplate(file(include + include, {}), from({ t: own }))).render(
      {},
    );
    expect(labelledLines(bytes)).toEqual(["• a", "• a"]);
    expect(partOf(bytes)).not.toContain("w:numPr");
    expect(partOf(bytes, "word/numbering.xml").match(/<w:num /g)).toHaveLength(1);
  });

  test("counts together with other lists of its list style", async () => {
    const lists =
      `<w:abstractNum w:abstractNumId="1"><w:styleLink w:val="L"/>${level(0, "(%1)")}</w:abstractNum>` +
      `<w:abstractNum w:abstractNumId="2"><w:numStyleLink w:val="L"/></w:abstractNum>` +
      '<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="2"/></w:num>';
    const own = file(item("a", 2) + item("b", 1), { numbering: lists });
    expect(await labels(file(include, {}), { t: own })).toEqual(["(1) a", "(2) b"]);
  });
});

test("included lists of more than 50 million characters are rejected", async () => {
  const large = `<w:lvl w:ilvl="0"><w:lvlText w:val="${"x".repeat(1_000_000)}"/></w:lvl>`;
  const t = file(item("a", 1), { numbering: numbering([large], [[0]]) });
  await expect(labels(file(include.repeat(60), {}), { t })).rejects.toMatchObject({
    code: "limit_exceeded",
    message: expect.stringContaining("50000000 characters of included lists"),
  });
});

describe("included numbered headings", () => {
  const clauses = (first: string, name: string, text: string): Lists => ({
    numbering: numbering(
      [level(0, text, `<w:pStyle w:val="${first}"/>`) + level(1, `${text}%2.`)],
      [[0]],
    ),
    styles: style(first, name, 1) + style("Clause", "Clause", null),
  });
  const terms = file(
    p("Terms", "berschrift1") + item("a", 1, 1, "Clause") + p("End", "berschrift1"),
    clauses("berschrift1", "heading 1", "%1."),
  );

  test("continue the headings of the including template, in any language of Word", async () => {
    const body = p("Intro", "Heading1") + include + p("Last", "Heading1") + include;
    const host = file(body, clauses("Heading1", "heading 1", "§ %1."));
    expect(await labels(host, { t: terms })).toEqual([
      "§ 1. Intro",
      "§ 2. Terms",
      "§ 2.1. a",
      "§ 3. End",
      "§ 4. Last",
      "§ 5. Terms",
      "§ 5.1. a",
      "§ 6. End",
    ]);
  });

  test("continue across inclusions if the including template has no numbered headings", async () => {
    const outlined = {
      numbering: numbering([level(0, "%1.", '<w:pStyle w:val="Clause1"/>')], [[0]]),
      styles: style("Clause1", "Clause 1", 1, '<w:outlineLvl w:val="0"/>'),
    };
    const t = file(p("a", "Clause1") + item("b", 1, 0, "Clause1"), outlined);
    expect(await labels(file(include + include, {}), { t })).toEqual([
      "1. a",
      "2. b",
      "3. a",
      "4. b",
    ]);
  });
});

describe("an included style", () => {
  const look = (id: string, name: string, color: string, more = ""): string =>
    `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/>${more}<w:rPr><w:color w:val="${color}"/></w:rPr></w:style>`;
  /** Returns the name and the color of the style of each paragraph. */
  const looks = async (host: Uint8Array, t: Uint8Array): Promise<string[]> => {
    const { bytes } = (await compileTemplate(host, from({ t }))).render({});
    assertSound(bytes);
    const styles = partOf(bytes, "word/styles.xml");
    const ids = [...partOf(bytes).matchAll(/<w:pStyle w:val="([^"]*)"/g)].map(([, id]) => id);
    return ids.map((id) => {
      const [xml = ""] =
        styles.match(new RegExp(`<w:style [^>]*w:styleId="${id}".*?</w:style>`)) ?? [];
      return [...xml.matchAll(/<w:(?:name|color) w:val="([^"]*)"/g)]
        .map(([, value]) => value)
        .join();
    });
  };

  test("is shared by name, not by id, with the look of the including template", async () => {
    const host = file(p("x", "a5") + include, {
      styles: look("a5", "Quote", "111111") + look("1", "heading 1", "222222"),
    });
    const t = file(p("a", "a5") + p("b", "berschrift1") + p("c", "Zitat"), {
      styles:
        look("a5", "Terms", "333333", '<w:basedOn w:val="Zitat"/><w:next w:val="a5"/>') +
        look("berschrift1", "Heading 1", "444444") +
        look("Zitat", "quote", "555555"),
    });
    expect(await looks(host, t)).toEqual([
      "Quote,111111",
      "Terms,333333",
      "heading 1,222222",
      "Quote,111111",
    ]);
    const { bytes } = (await compileTemplate(host, from({ t }))).render({});
    expect(partOf(bytes, "word/styles.xml")).toContain(
      '<w:basedOn w:val="a5"/><w:next w:val="a5_2"/>',
    );
  });

  test("can be based on itself through other styles", async () => {
    const styles =
      look("A", "A", "111111", '<w:basedOn w:val="B"/>') +
      style("B", "B", null).replace("<w:pPr>", '<w:basedOn w:val="A"/><w:pPr>');
    const t = file(p("a", "A"), { styles });
    expect(await looks(file(include, {}), t)).toEqual(["A,111111"]);
  });
});
