/** Lists in which tags choose the styles of the items, and so their levels. */
import { describe, expect, test } from "vitest";
import { p, partOf, r, table } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../src/index.ts";
import { from, include } from "../support/including.ts";
import { labelledLines } from "../support/labels.ts";
import { render } from "../support/render.ts";
import { assertSound } from "../support/sound.ts";
import { partsOf, wordFile } from "../support/word-file.ts";

/** A list for each of the styles Outline 1 to 3, which the definition links to its levels; one of Step; and bullets. */
const NUMBERING = [
  definition(
    0,
    [1, 2, 3].map((level) => lvl(level - 1, `%${level}.`, "decimal", `O${level}`)),
  ),
  definition(1, [lvl(0, "(%1)"), lvl(1, "(%1.%2)")]),
  definition(2, [lvl(0, "•", "bullet")]),
  ...[0, 1, 2].map((id) => `<w:num w:numId="${id + 1}"><w:abstractNumId w:val="${id}"/></w:num>`),
].join("");

const STYLES = [
  style("O1", "Outline 1", numbered(1)),
  style("O2", "Outline 2", numbered(1)),
  style("O3", "Outline 3", `<w:numPr><w:ilvl w:val="2"/><w:numId w:val="1"/></w:numPr>`),
  style("O2b", "Outline 2 bold", "", "O2"),
  style("Step", "Step", numbered(2)),
  style("Substep", "Substep", '<w:numPr><w:ilvl w:val="1"/></w:numPr>', "Step"),
  style("Wide", "Wide Step", `${numbered(2)}<w:ind w:left="900" w:hanging="300"/>`),
  style("Plain", "Plain Step", numbered(0), "Step"),
  style("Bullet", "Bullet", numbered(3)),
  style("Warning", "Warning", ""),
].join("");

function numbered(numId: number): string {
  return `<w:numPr><w:numId w:val="${numId}"/></w:numPr>`;
}

function definition(id: number, levels: readonly string[]): string {
  return `<w:abstractNum w:abstractNumId="${id}"><w:multiLevelType w:val="multilevel"/>${levels.join("")}</w:abstractNum>`;
}

function lvl(level: number, text: string, format = "decimal", of = ""): string {
  const linked = of === "" ? "" : `<w:pStyle w:val="${of}"/>`;
  return `<w:lvl w:ilvl="${level}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${linked}<w:lvlText w:val="${text}"/></w:lvl>`;
}

function style(id: string, name: string, properties: string, basedOn = ""): string {
  const base = basedOn === "" ? "" : `<w:basedOn w:val="${basedOn}"/>`;
  return `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/>${base}<w:pPr>${properties}</w:pPr></w:style>`;
}

function file(body: string, styles = STYLES): Uint8Array {
  return wordFile({ body, parts: { "numbering.xml": NUMBERING, "styles.xml": styles } });
}

const WARNINGS_OF_DATA = ["unused_value"];

/** Renders a body. Returns the lines with their numbers; the document must be sound, and no warning is expected. */
async function labels(body: string, data: Record<string, unknown>): Promise<string[]> {
  const { bytes, warnings } = await render(file(body), data);
  expect(warnings.filter(({ code }) => !WARNINGS_OF_DATA.includes(code))).toEqual([]);
  assertSound(bytes);
  return labelledLines(bytes);
}

/** Returns items from lines such as `Step a`: a style and a text. */
function items(...lines: string[]): { s: string; text: string }[] {
  return lines.map((line) => {
    const [, s = "", text = ""] = /^(.*) (\w+)$/.exec(line) ?? [];
    return { s, text };
  });
}

const CHAPTERS = p("{{for c in chapters}}") + p("{{c.title}}") + p("{{for i in c.items}}");
const END = p("{{endfor}}");
const ENDS = END + END;
const TAG = "{{paragraph :: style(i.s)}}";

const chapters = [
  {
    title: "One",
    items: items("Outline 1 a", "Outline 2 b", "Outline 2 c", "Outline 3 d", "Outline 1 e"),
  },
  { title: "Two", items: items("Outline 1 f", "Outline 2 g", "Outline 3 h", "Outline 1 i") },
];
const OUTLINED = ["One", "1. a", "1. b", "2. c", "1. d", "2. e"];
const OUTLINED_TWO = ["Two", "1. f", "1. g", "1. h", "2. i"];

describe("a paragraph whose style a tag chooses", () => {
  test.each([
    ["Outline 1", "O1"],
    ["Outline 2", "O2"],
    ["Step", "Step"],
    ["Warning", "Warning"],
    ["Normal", undefined],
  ])("has the level of that style, and the list restarts, if it is %s in Word", async (_, id) => {
    const body = CHAPTERS + p(`${TAG}{{i.text}}`, id) + ENDS;
    expect(await labels(body, { chapters })).toEqual([...OUTLINED, ...OUTLINED_TWO]);
  });

  test("has no number if that style has none", async () => {
    const one = { title: "One", items: items("Step a", "Warning w", "Plain Step x", "Step b") };
    const two = { title: "Two", items: items("Warning v", "Step c", "Bullet y", "Step d") };
    for (const id of ["Step", "Warning", undefined]) {
      const body = CHAPTERS + p(`${TAG}{{i.text}}`, id) + ENDS;
      expect(await labels(body, { chapters: [one, two] })).toEqual(
        ["One", "(1) a", "w", "x", "(2) b"].concat(["Two", "v", "(1) c", "• y", "(2) d"]),
      );
    }
  });

  test("has the level that its style inherits", async () => {
    const c = {
      title: "T",
      items: items("Step a", "Substep b", "Outline 1 c", "Outline 2 bold d"),
    };
    const body = CHAPTERS + p(`${TAG}{{i.text}}`) + ENDS;
    const lines = ["T", "(1) a", "(1.1) b", "1. c", "1. d"];
    expect(await labels(body, { chapters: [c, c] })).toEqual([...lines, ...lines]);
  });

  test("keeps the style and the number of the template if no tag applies", async () => {
    const tag = '{{paragraph :: style("Warning"), when(i.s == "Warning")}}';
    const c = { title: "T", items: items("Step a", "Warning w", "Step b") };
    const lines = ["T", "(1) a", "w", "(2) b"];
    const body = CHAPTERS + p(`${tag}{{i.text}}`, "Step") + ENDS;
    expect(await labels(body, { chapters: [c, c] })).toEqual([...lines, ...lines]);
    const empty = {
      title: "T",
      items: [
        { s: "", text: "a" },
        { s: " ", text: "b" },
      ],
    };
    const blank = CHAPTERS + p(`${TAG}{{i.text}}`, "Step") + ENDS;
    expect(await labels(blank, { chapters: [empty, empty] })).toEqual(
      ["T", "(1) a", "(2) b"].concat(["T", "(1) a", "(2) b"]),
    );
  });

  test("gets its style from the last tag that applies, also from one of its row", async () => {
    const row = table([
      p(
        '{{tablerow i in c.items}}{{row :: style("Step")}}{{paragraph :: style("Warning"), when(i.s == "Warning")}}{{i.text}}{{endtablerow}}',
      ),
    ]);
    const body = p("{{for c in chapters}}") + p("{{c.title}}") + row + p("") + END;
    const c = { title: "T", items: items("Step a", "Warning w", "Step b") };
    const lines = ["T", "(1) a", "w", "(2) b", ""];
    expect(await labels(body, { chapters: [c, c] })).toEqual([...lines, ...lines]);
  });

  test("keeps a list that the paragraph itself names, as in Word", async () => {
    const own = `<w:p><w:pPr><w:pStyle w:val="Warning"/>${numbered(2)}</w:pPr>${r(`${TAG}{{i.text}}`)}</w:p>`;
    const c = { title: "T", items: items("Outline 1 a", "Warning b", "Outline 1 c") };
    const lines = ["T", "(1) a", "(2) b", "(3) c"];
    expect(await labels(CHAPTERS + own + ENDS, { chapters: [c, c] })).toEqual([...lines, ...lines]);
    const none = own.replace(numbered(2), numbered(0));
    expect(await labels(CHAPTERS + none + ENDS, { chapters: [c, c] })).toEqual(
      ["T", "a", "b", "c"].concat(["T", "a", "b", "c"]),
    );
  });

  test("has the indents of its style in every repetition", async () => {
    const c = { title: "T", items: items("Wide Step a", "Step b") };
    for (const id of ["Step", "Wide"]) {
      const { bytes } = await render(file(CHAPTERS + p(`${TAG}{{i.text}}`, id) + ENDS), {
        chapters: [c, c],
      });
      expect(labelledLines(bytes).slice(3)).toEqual(["T", "(1) a", "(2) b"]);
      const properties = [...partOf(bytes).matchAll(/<w:pPr>(.*?)<\/w:pPr>/g)].map(
        ([, xml]) => xml,
      );
      expect(properties.slice(0, 2).join("")).not.toMatch(/<w:ind|<w:numPr/);
      expect(properties[2]).toMatch(/<w:numPr>.*<w:ind w:left="900" w:hanging="300"\/>$/);
      expect(properties[3]).not.toContain("<w:ind");
    }
    const indented = `<w:p><w:pPr><w:pStyle w:val="Wide"/><w:spacing w:after="0"/><w:ind w:firstLine="5"/><w:jc w:val="right"/></w:pPr>${r(`${TAG}{{i.text}}`)}</w:p>`;
    const { bytes } = await render(file(CHAPTERS + indented + ENDS), { chapters: [c, c] });
    const found = [...partOf(bytes).matchAll(/(<w:ind [^>]*>)<w:jc/g)].map(([, indent]) => indent);
    const own = '<w:ind w:firstLine="5"/>';
    expect(found).toEqual([own, own, '<w:ind w:firstLine="5" w:left="900"/>', own]);
  });
});

describe("the list of a chosen style", () => {
  const styled = (id?: string): string => p(`${TAG}{{i.text}}`, id);
  const step = { title: "T", items: items("Step a", "Step b") };

  test("counts 1, 2, 3 if each repetition makes one paragraph", async () => {
    const body = p("{{for i in items}}") + p("about") + styled() + END;
    expect(await labels(body, step)).toEqual(["about", "(1) a", "about", "(2) b"]);
    const sub = p("{{for i in items}}") + styled("Step") + p("sub", "Substep") + END;
    expect(await labels(sub, step)).toEqual(["(1) a", "(1.1) sub", "(2) b", "(2.1) sub"]);
  });

  test("continues below an item of the template that each repetition makes once", async () => {
    const c = { title: "T", items: items("Substep a", "Warning w", "Substep b") };
    for (const id of ["Substep", "Warning"]) {
      const body =
        p("{{for c in chapters}}") +
        p("{{c.title}}", "Step") +
        p("{{for i in c.items}}") +
        styled(id) +
        ENDS;
      expect(await labels(body, { chapters: [c, c] })).toEqual(
        ["(1) T", "(1.1) a", "w", "(1.2) b"].concat(["(2) T", "(2.1) a", "w", "(2.2) b"]),
      );
    }
  });

  test("restarts in each repetition of every loop around it", async () => {
    const body =
      p("{{for g in groups}}") +
      p("group") +
      CHAPTERS.replace("chapters", "g.chapters") +
      styled() +
      ENDS +
      END;
    const group = { chapters: [step, step] };
    const lines = ["group", "T", "(1) a", "(2) b", "T", "(1) a", "(2) b"];
    expect(await labels(body, { groups: [group, group] })).toEqual([...lines, ...lines]);
  });

  test("continues if it began before the loop, in the template or by another tag", async () => {
    const loop = CHAPTERS + styled() + ENDS;
    const continued = ["T", "(2) a", "(3) b", "T", "(4) a", "(5) b"];
    const data = { chapters: [step, step], intro: items("Step first") };
    expect(await labels(p("first", "Step") + loop, data)).toEqual(["(1) first", ...continued]);
    const intro = p("{{for i in intro}}") + styled() + END;
    expect(await labels(intro + loop, data)).toEqual(["(1) first", ...continued]);
    const fixed = p("{{for c in chapters}}") + p("x", "Step") + p("y", "Step") + END;
    expect(await labels(intro + fixed, data)).toEqual([
      "(1) first",
      "(2) x",
      "(3) y",
      "(4) x",
      "(5) y",
    ]);
  });

  test("restarts although another list began before the loop", async () => {
    const data = { chapters: [step, step], intro: items("Outline 1 first") };
    const intro = p("{{for i in intro}}") + styled() + END;
    expect(await labels(intro + CHAPTERS + styled() + ENDS, data)).toEqual([
      "1. first",
      "T",
      "(1) a",
      "(2) b",
      "T",
      "(1) a",
      "(2) b",
    ]);
  });

  test("restarts only in the iterations that use it", async () => {
    const none = { title: "N", items: items("Warning w") };
    const body = CHAPTERS + styled() + ENDS + p("last", "Step");
    expect(await labels(body, { chapters: [none, step, none, step] })).toEqual([
      "N",
      "w",
      "T",
      "(1) a",
      "(2) b",
      "N",
      "w",
      "T",
      "(1) a",
      "(2) b",
      "(3) last",
    ]);
  });

  test("restarts in the section syntax if the section repeats items", async () => {
    const tag = "{{paragraph :: style(s)}}{{text}}";
    const body =
      p("{{#chapters}}") +
      p("{{title}}") +
      p("{{#items}}") +
      p(tag) +
      p("{{/items}}") +
      p("{{/chapters}}");
    const lines = ["T", "(1) a", "(2) b"];
    expect(await labels(body, { chapters: [step, step] })).toEqual([...lines, ...lines]);
    const [one, two] = items("Step a", "Step b");
    const single = [
      { title: "T", items: one },
      { title: "T", items: two },
    ];
    expect(await labels(body, { chapters: single })).toEqual(["T", "(1) a", "T", "(2) b"]);
  });

  test("needs no other definition in a loop with one repetition", async () => {
    const bytes = file(CHAPTERS + styled() + ENDS);
    const rendered = (await render(bytes, { chapters: [step] })).bytes;
    expect(partsOf(rendered).get("word/numbering.xml")).toBe(
      partsOf(bytes).get("word/numbering.xml"),
    );
  });
});

describe("a tag with numbering beside one with style", () => {
  test.each(["O1", undefined])("continues the list of the final style (%s in Word)", async (id) => {
    const tag = '{{paragraph :: style(i.s), numbering("continue")}}{{i.text}}';
    expect(await labels(CHAPTERS + p(tag, id) + ENDS, { chapters })).toEqual([
      ...OUTLINED,
      ...["Two", "3. f", "1. g", "1. h", "4. i"],
    ]);
  });

  test.each(["O1", undefined])("restarts the list of the final style (%s in Word)", async (id) => {
    const tag = `${TAG}{{paragraph :: numbering("restart"), when($first)}}{{i.text}}`;
    expect(await labels(CHAPTERS + p(tag, id) + ENDS, { chapters })).toEqual([
      ...OUTLINED,
      ...OUTLINED_TWO,
    ]);
    const flat = [...(chapters[0]?.items ?? []), ...(chapters[1]?.items ?? [])];
    const restart = `${TAG}{{paragraph :: numbering("restart"), when(i.text == "f")}}{{i.text}}`;
    expect(await labels(p("{{for i in flat}}") + p(restart, id) + END, { flat })).toEqual([
      ...OUTLINED.slice(1),
      ...OUTLINED_TWO.slice(1),
    ]);
  });

  test("restarts a list at a paragraph below its first level", async () => {
    const tag = `${TAG}{{paragraph :: numbering("restart"), when(i.text == "c")}}{{i.text}}`;
    const flat = items("Outline 1 a", "Outline 2 b", "Outline 2 c", "Outline 2 d");
    expect(await labels(p("{{for i in flat}}") + p(tag, "O1") + END, { flat })).toEqual([
      "1. a",
      "1. b",
      "1. c",
      "2. d",
    ]);
  });

  test("changes nothing in a paragraph without a number, with a warning only if it restarts", async () => {
    const flat = items("Warning w", "Step a", "Step b");
    const result = async (numbering: string) => {
      const tag = `${TAG}{{paragraph :: numbering("${numbering}"), when($index != 2)}}{{i.text}}`;
      const { bytes, warnings } = await render(
        file(p("{{for i in flat}}") + p(tag, "Step") + END),
        { flat },
      );
      return {
        lines: labelledLines(bytes),
        warnings: warnings.map(({ code, hint }) => [code, hint]),
      };
    };
    const lines = ["w", "(1) a", "(2) b"];
    expect(await result("continue")).toEqual({ lines, warnings: [] });
    expect(await result("restart")).toEqual({
      lines,
      warnings: [
        [
          "not_numbered",
          "The style of this paragraph has no number: restart the list at an item with a number.",
        ],
      ],
    });
  });
});

describe("in an included template, a paragraph whose style a tag chooses", () => {
  const t = file(p("{{for i in c.items}}") + p(`${TAG}{{i.text}}`, "O1") + END);
  const twice = p("{{for c in chapters}}") + p("{{c.title}}") + include + END;

  async function included(host: Uint8Array, data: Record<string, unknown>): Promise<string[]> {
    const { bytes } = (await compileTemplate(host, from({ t }))).render(data);
    assertSound(bytes);
    return labelledLines(bytes);
  }

  test("has the level of that style, and the list restarts in each inclusion", async () => {
    const lines = [...OUTLINED, ...OUTLINED_TWO];
    expect(await included(file(twice), { chapters })).toEqual(lines);
    expect(await included(file(p("x", "O1") + twice), { chapters })).toEqual(["1. x", ...lines]);
  });

  test("has no number if that style has none", async () => {
    const c = { title: "T", items: items("Outline 1 a", "Warning w", "Outline 1 b") };
    const lines = ["T", "1. a", "w", "2. b"];
    expect(await included(file(twice), { chapters: [c, c] })).toEqual([...lines, ...lines]);
  });
});
