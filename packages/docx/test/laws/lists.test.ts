import { describe, expect, test } from "vitest";
import { p, partOf, r, table } from "../../../ooxml/test/support/docx.ts";
import { labelledLines } from "../support/labels.ts";
import { render } from "../support/render.ts";
import { partsOf, wordFile } from "../support/word-file.ts";

/**
 * A list with the levels `%1.`, `%1.%2` and `a)`; a list that starts at 5; bullets; a list that is linked by a style; a
 * list of headings.
 */
const DEFINITIONS = [
  definition(0, [lvl(0, "%1."), lvl(1, "%1.%2"), lvl(2, "%3)", "lowerLetter")]),
  definition(1, [lvl(0, "%1.", "decimal", 5)]),
  definition(2, [lvl(0, "•", "bullet")]),
  definition(3, [lvl(0, "%1.")], '<w:styleLink w:val="MyList"/>'),
  definition(4, [], '<w:numStyleLink w:val="MyList"/>'),
  definition(5, [lvl(0, "%1.", "decimal", 1, "H1"), lvl(1, "%1.%2", "decimal", 1, "H2")]),
];

const INSTANCES = [
  num(1, 0),
  num(2, 1),
  num(3, 2),
  num(4, 3),
  num(5, 4),
  num(6, 5),
  num(7, 0, '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>'),
  num(8, 0, `<w:lvlOverride w:ilvl="0">${lvl(0, "(%1)", "decimal", 3)}</w:lvlOverride>`),
];

const STYLES = [
  style("MyList", '<w:numPr><w:numId w:val="4"/></w:numPr>', "numbering"),
  style("Step", '<w:numPr><w:numId w:val="1"/></w:numPr>'),
  style("Substep", '<w:numPr><w:ilvl w:val="1"/></w:numPr>', "paragraph", "Step"),
  style("Child", "", "paragraph", "Step"),
  style("Indented", '<w:numPr><w:numId w:val="1"/></w:numPr><w:ind w:left="10" w:hanging="20"/>'),
  style("H1", '<w:numPr><w:numId w:val="6"/></w:numPr>'),
  style("H2", '<w:numPr><w:numId w:val="6"/></w:numPr>'),
];

function definition(id: number, levels: readonly string[], link = ""): string {
  return `<w:abstractNum w:abstractNumId="${id}"><w:multiLevelType w:val="multilevel"/>${link}${levels.join("")}</w:abstractNum>`;
}

function lvl(
  level: number,
  text: string,
  format = "decimal",
  start = 1,
  paragraphStyle = "",
): string {
  const linked = paragraphStyle === "" ? "" : `<w:pStyle w:val="${paragraphStyle}"/>`;
  return `<w:lvl w:ilvl="${level}"><w:start w:val="${start}"/><w:numFmt w:val="${format}"/>${linked}<w:lvlText w:val="${text}"/></w:lvl>`;
}

function num(id: number, definitionId: number, overrides = ""): string {
  return `<w:num w:numId="${id}"><w:abstractNumId w:val="${definitionId}"/>${overrides}</w:num>`;
}

function style(id: string, numbering: string, type = "paragraph", basedOn = ""): string {
  const base = basedOn === "" ? "" : `<w:basedOn w:val="${basedOn}"/>`;
  return `<w:style w:type="${type}" w:styleId="${id}"><w:name w:val="${id}"/>${base}<w:pPr>${numbering}</w:pPr></w:style>`;
}

/** Returns a numbered paragraph. */
function item(text: string, numId = 1, level = 0): string {
  return `<w:p><w:pPr><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${numId}"/></w:numPr></w:pPr>${r(text)}</w:p>`;
}

const FOR = p("{{for c in customers}}");
const END = p("{{endfor}}");

const customers = [
  { name: "A", items: ["x", "y"], vip: true },
  { name: "B", items: [], vip: false },
  { name: "C", items: ["z", "u", "v"], vip: true },
];

async function labels(
  body: string,
  data: Record<string, unknown> = { customers },
): Promise<string[]> {
  return labelledLines((await render(file(body), data)).bytes);
}

function file(body: string): Uint8Array {
  const parts = {
    "numbering.xml": [...DEFINITIONS, ...INSTANCES].join(""),
    "styles.xml": STYLES.join(""),
  };
  return wordFile({ body, parts });
}

test("the labels of a document without tags are those that Word shows", () => {
  const body =
    item("a") +
    item("b", 1, 1) +
    item("c", 1, 1) +
    item("d", 1, 2) +
    item("e") +
    item("f", 1, 1) +
    item("g", 7) +
    item("h") +
    item("i", 2) +
    item("j", 3) +
    p("k", "Substep") +
    p("l", "H2") +
    item("m", 8);
  expect(labelledLines(file(body))).toEqual([
    "1. a",
    "1.1 b",
    "1.2 c",
    "a) d",
    "2. e",
    "2.1 f",
    "1. g",
    "2. h",
    "5. i",
    "• j",
    "2.1 k",
    "1.1 l",
    "(3) m",
  ]);
});

describe("a for over the items of a list", () => {
  test.each([
    ["with its tags in separate paragraphs", FOR + item("{{c.name}}") + END],
    ["with its tags in the item", item("{{for c in customers}}{{c.name}}") + END],
    ["in the section syntax", p("{{#customers}}") + item("{{name}}") + p("{{/customers}}")],
    ["whose list comes from a style", FOR + p("{{c.name}}", "Step") + END],
    ["whose style inherits the list", FOR + p("{{c.name}}", "Child") + END],
    ["whose list is defined by a style", FOR + item("{{c.name}}", 5) + END],
    [
      "between the rows of a table",
      table([FOR]).replace("</w:tbl>", "") +
        "<w:tr><w:tc>" +
        item("{{c.name}}") +
        "</w:tc></w:tr><w:tr><w:tc>" +
        END +
        "</w:tc></w:tr></w:tbl>",
    ],
    ["as a row of a table", table([item("{{tablerow c in customers}}{{c.name}}{{endtablerow}}")])],
  ])("counts 1, 2, 3 %s", async (_name, body) => {
    expect(await labels(body)).toEqual(["1. A", "2. B", "3. C"]);
  });

  test("continues the numbers if a text, a sublist or a picture follows each item", async () => {
    expect(await labels(FOR + item("{{c.name}}") + p("about {{c.name}}") + END)).toEqual([
      "1. A",
      "about A",
      "2. B",
      "about B",
      "3. C",
      "about C",
    ]);
    const sub =
      FOR + item("{{c.name}}") + p("{{for i in c.items}}") + item("{{i}}", 1, 1) + END + END;
    expect(await labels(sub)).toEqual([
      "1. A",
      "1.1 x",
      "1.2 y",
      "2. B",
      "3. C",
      "3.1 z",
      "3.2 u",
      "3.3 v",
    ]);
    const fixed = FOR + item("{{c.name}}") + item("one", 1, 1) + item("two", 1, 1) + END;
    expect((await labels(fixed)).slice(0, 5)).toEqual([
      "1. A",
      "1.1 one",
      "1.2 two",
      "2. B",
      "2.1 one",
    ]);
  });

  test.each([
    ["a text", p("about {{c.name}}"), ["about A", "about B", "about C"]],
    ["a blank paragraph", p(""), ["", "", ""]],
    ["a text with a condition", p("{{if c.vip}}VIP{{endif}}"), ["VIP", null, "VIP"]],
    ["an item of another list", item("other", 3), ["• other", "• other", "• other"]],
  ])("continues the numbers if %s comes before each item", async (_name, before, [a, b, c]) => {
    const lines = [a, "1. A", b, "2. B", c, "3. C"];
    expect(await labels(FOR + before + item("{{c.name}}") + p("end") + END)).toEqual(
      lines.flatMap((line, at) =>
        line === null || line === undefined ? [] : at % 2 === 0 ? [line] : [line, "end"],
      ),
    );
  });

  test("in the section syntax continues the numbers below a heading, if the data has one item", async () => {
    const body =
      p("{{#customers}}") +
      p("{{name}}") +
      p("{{#vip}}") +
      item("VIP") +
      p("{{/vip}}") +
      p("{{/customers}}");
    expect(await labels(body)).toEqual(["A", "1. VIP", "B", "C", "2. VIP"]);
  });

  test("with a tag in the item restarts the list in each repetition", async () => {
    const body = FOR + p("{{c.name}}") + item('{{paragraph :: numbering("restart")}}one') + END;
    expect(await labels(body)).toEqual(["A", "1. one", "B", "1. one", "C", "1. one"]);
  });

  test("continues the numbers before it, and a later item continues its numbers", async () => {
    expect(await labels(item("first") + FOR + item("{{c.name}}") + END + item("last"))).toEqual([
      "1. first",
      "2. A",
      "3. B",
      "4. C",
      "5. last",
    ]);
    expect(await labels(FOR + item("{{c.name}}") + END + item("last"))).toEqual([
      "1. A",
      "2. B",
      "3. C",
      "4. last",
    ]);
  });

  test("counts each iteration if it shows one of two items", async () => {
    const branches =
      FOR +
      p("{{if c.vip}}") +
      item("VIP {{c.name}}") +
      p("{{else}}") +
      item("{{c.name}}") +
      p("{{endif}}") +
      END;
    expect(await labels(branches)).toEqual(["1. VIP A", "2. B", "3. VIP C"]);
    const sections =
      FOR +
      p("{{#c.vip}}") +
      item("VIP {{c.name}}") +
      p("{{/}}") +
      p("{{^c.vip}}") +
      item("{{c.name}}") +
      p("{{/}}") +
      END;
    expect(await labels(sections)).toEqual(["1. VIP A", "2. B", "3. VIP C"]);
  });

  test("does not count iterations without an item", async () => {
    const body = FOR + p("{{if c.vip}}") + item("{{c.name}}") + p("{{endif}}") + END;
    expect(await labels(body)).toEqual(["1. A", "2. C"]);
    const section = FOR + p("{{#c.vip}}") + item("{{c.name}}") + p("{{/c.vip}}") + END;
    expect(await labels(section)).toEqual(["1. A", "2. C"]);
  });

  test("counts its iterations in a content control that it repeats", async () => {
    const control = `<w:sdt><w:sdtPr/><w:sdtContent>${item("{{c.name}}")}</w:sdtContent></w:sdt>`;
    expect(await labels(FOR + control + END)).toEqual(["1. A", "2. B", "3. C"]);
  });

  test("before another for on the same list continues the numbers", async () => {
    const body = FOR + item("{{c.name}}") + END + FOR + item("{{c.name}} again") + END;
    expect(await labels(body)).toEqual([
      "1. A",
      "2. B",
      "3. C",
      "4. A again",
      "5. B again",
      "6. C again",
    ]);
  });
});

describe("a list restarts in each iteration", () => {
  const two = item("one") + item("two");
  const twice = ["1. one", "2. two"];

  test("if the block contains its items directly", async () => {
    expect(await labels(FOR + two + END)).toEqual([...twice, ...twice, ...twice]);
    expect(await labels(FOR + p("{{c.name}}") + two + END)).toEqual([
      "A",
      ...twice,
      "B",
      ...twice,
      "C",
      ...twice,
    ]);
  });

  test("if an inner loop repeats its items", async () => {
    const inner = p("{{for i in c.items}}") + item("{{i}}") + END;
    const counted = ["A", "1. x", "2. y", "B", "C", "1. z", "2. u", "3. v"];
    expect(await labels(FOR + p("{{c.name}}") + inner + END)).toEqual(counted);
    const sections =
      p("{{#customers}}") +
      p("{{name}}") +
      p("{{#items}}") +
      item("{{.}}") +
      p("{{/items}}") +
      p("{{/customers}}");
    expect(await labels(sections)).toEqual(counted);
    const styled =
      FOR + p("{{c.name}}") + p("{{for i in c.items}}") + p("{{i}}", "Child") + END + END;
    expect(await labels(styled)).toEqual(counted);
    const rows =
      FOR +
      p("{{c.name}}") +
      table([item("{{tablerow i in c.items}}{{i}}{{endtablerow}}")]) +
      p("") +
      END;
    expect((await labels(rows)).filter((line) => line !== "")).toEqual(counted);
  });

  test("if a style has its definition", async () => {
    expect(await labels(FOR + item("one", 5) + item("two", 5) + END)).toEqual([
      ...twice,
      ...twice,
      ...twice,
    ]);
  });

  test("at the first number of its definition or its instance", async () => {
    expect((await labels(FOR + item("a", 2) + item("b", 2) + END)).slice(0, 4)).toEqual([
      "5. a",
      "6. b",
      "5. a",
      "6. b",
    ]);
    expect((await labels(FOR + item("a", 8) + item("b", 8) + END)).slice(0, 4)).toEqual([
      "(3) a",
      "(4) b",
      "(3) a",
      "(4) b",
    ]);
    expect((await labels(FOR + item("a", 7) + item("b", 7) + END)).slice(0, 4)).toEqual([
      "1. a",
      "2. b",
      "1. a",
      "2. b",
    ]);
  });

  test("together with its lower levels", async () => {
    const body =
      FOR + item("a") + item("b", 1, 1) + item("c", 1, 1) + item("d") + item("e", 1, 1) + END;
    const turn = ["1. a", "1.1 b", "1.2 c", "2. d", "2.1 e"];
    expect(await labels(body)).toEqual([...turn, ...turn, ...turn]);
  });

  test("with levels that come from styles", async () => {
    const turn = ["1. a", "1.1 b", "2. c", "2.1 d"];
    const steps =
      FOR + p("a", "Step") + p("b", "Substep") + p("c", "Step") + p("d", "Substep") + END;
    expect(await labels(steps)).toEqual([...turn, ...turn, ...turn]);
    const headings = FOR + p("a", "H1") + p("b", "H2") + p("c", "H1") + p("d", "H2") + END;
    expect(await labels(headings)).toEqual([...turn, ...turn, ...turn]);
  });

  test("of every block around its first item", async () => {
    const groups = [{ parts: [["a", "b"], ["c"]] }, { parts: [["d"], ["e", "f"]] }];
    const body =
      p("{{for g in groups}}") +
      p("group") +
      p("{{for q in g.parts}}") +
      p("part") +
      p("{{for i in q}}") +
      item("{{i}}") +
      END +
      END +
      END;
    expect(await labels(body, { groups })).toEqual([
      "group",
      "part",
      "1. a",
      "2. b",
      "part",
      "1. c",
      "group",
      "part",
      "1. d",
      "part",
      "1. e",
      "2. f",
    ]);
  });

  test("but a list that began before the block continues through all iterations", async () => {
    expect(await labels(item("zero") + FOR + two + END)).toEqual([
      "1. zero",
      "2. one",
      "3. two",
      "4. one",
      "5. two",
      "6. one",
      "7. two",
    ]);
  });

  test("and a later item continues the list of the last iteration", async () => {
    expect((await labels(FOR + two + END + item("after"))).at(-1)).toBe("3. after");
  });

  test("and separately from other lists", async () => {
    const body = FOR + item("a") + item("b") + item("m", 2) + item("n", 2) + END;
    const turn = ["1. a", "2. b", "5. m", "6. n"];
    expect(await labels(body)).toEqual([...turn, ...turn, ...turn]);
  });

  test("but not in the only iteration of a section over an object or a condition", async () => {
    const data = { o: { x: 1 }, on: true };
    const body =
      p("{{#o}}") +
      two +
      p("{{/o}}") +
      p("{{if on}}") +
      item("three") +
      p("{{endif}}") +
      p("{{#on}}") +
      item("four") +
      p("{{/on}}");
    expect(await labels(body, data)).toEqual(["1. one", "2. two", "3. three", "4. four"]);
  });
});

describe("lists without restarts", () => {
  test("bullets and the definitions of the document do not change", async () => {
    const body = FOR + p("{{c.name}}") + item("one", 3) + item("two", 3) + END;
    const bytes = file(body);
    const rendered = (await render(bytes, { customers })).bytes;
    expect(labelledLines(rendered).slice(0, 3)).toEqual(["A", "• one", "• two"]);
    expect(partsOf(rendered).get("word/numbering.xml")).toBe(
      partsOf(bytes).get("word/numbering.xml"),
    );
  });

  test("a list in a block with one or no iteration needs no other definition", async () => {
    const bytes = file(FOR + item("one") + item("two") + END);
    for (const list of [[], [{ name: "A" }]]) {
      const rendered = (await render(bytes, { customers: list })).bytes;
      expect(partsOf(rendered).get("word/numbering.xml")).toBe(
        partsOf(bytes).get("word/numbering.xml"),
      );
    }
  });
});

describe("a tag with numbering", () => {
  const TAG = '{{paragraph :: numbering("continue")}}';
  const turn = (tag: string): string =>
    FOR + p("{{c.name}}") + item(`${tag}first`) + item("second") + END;

  test("continues a list over the repetitions of a loop", async () => {
    expect(await labels(turn(""))).toEqual(
      expect.arrayContaining(["1. first", "2. second", "1. first", "2. second"]),
    );
    const lines = (await labels(turn(TAG))).filter((line) => /first|second/.test(line));
    expect(lines.slice(0, 4)).toEqual(["1. first", "2. second", "3. first", "4. second"]);
  });

  test("continues it only when its condition is true", async () => {
    const tag = '{{paragraph :: numbering("continue"), when($index == 1)}}';
    const lines = (await labels(turn(tag))).filter((line) => /first|second/.test(line));
    expect(lines.slice(0, 4)).toEqual(["1. first", "2. second", "3. first", "4. second"]);
    const never = '{{paragraph :: numbering("continue"), when($index > 5)}}';
    const restarted = (await labels(turn(never))).filter((line) => /first/.test(line));
    expect(restarted.slice(0, 2)).toEqual(["1. first", "1. first"]);
  });

  test("restarts a list when its condition is true", async () => {
    const tag = '{{paragraph :: numbering("restart"), when($index == 1)}}';
    const lines = await labels(FOR + item(`${tag}{{c.name}}`) + END);
    expect(lines.slice(0, 2).map((line) => line.slice(0, 2))).toEqual(["1.", "1."]);
    const steps = await labels(FOR + p(`${tag}{{c.name}}`, "Step") + END);
    expect(steps.slice(0, 2).map((line) => line.slice(0, 2))).toEqual(["1.", "1."]);
  });

  test("outside a loop restarts the list from its paragraph on", async () => {
    const restart = '{{paragraph :: numbering("restart")}}';
    expect(await labels(item("a") + item("b") + item(`${restart}c`) + item("d"))).toEqual([
      "1. a",
      "2. b",
      "1. c",
      "2. d",
    ]);
  });

  test.each([
    ["a condition", "{{if yes}}", "{{endif}}"],
    ["a section of a value", "{{#yes}}", "{{/yes}}"],
    ["an inverted section", "{{^no}}", "{{/no}}"],
    ["a section of an object", "{{#customer}}", "{{/customer}}"],
  ])("in %s restarts the list also for the items after it", async (_what, start, end) => {
    const restarted = item('{{paragraph :: numbering("restart")}}c');
    const body = item("a") + item("b") + p(start) + restarted + p(end) + item("d");
    const data = { yes: true, no: false, customer: { name: "Ann" } };
    expect(await labels(body, data)).toEqual(["1. a", "2. b", "1. c", "2. d"]);
  });
});

describe("lists in footnotes", () => {
  const reference = (id: number): string =>
    `<w:p><w:r><w:footnoteReference w:id="${id}"/></w:r></w:p>`;
  const notesOf = async (
    body: string,
    notes: Readonly<Record<number, string>>,
  ): Promise<string[]> => {
    const footnotes = Object.entries(notes).map(
      ([id, content]) => `<w:footnote w:id="${id}">${content}</w:footnote>`,
    );
    const parts = {
      "numbering.xml": [...DEFINITIONS, ...INSTANCES].join(""),
      "styles.xml": STYLES.join(""),
      "footnotes.xml": footnotes.join(""),
    };
    const { bytes } = await render(wordFile({ body, parts }), { customers });
    return labelledLines(bytes, "word/footnotes.xml");
  };

  test("restart in each copy of their note", async () => {
    const body = FOR + reference(2) + END;
    expect(await notesOf(body, { 2: item("{{c.name}}") + item("b") })).toEqual([
      "1. A",
      "2. b",
      "1. B",
      "2. b",
      "1. C",
      "2. b",
    ]);
  });

  test("continue from one note to the next within an iteration", async () => {
    const body = FOR + reference(2) + reference(3) + END;
    const turn = ["1. a", "2. b"];
    expect(await notesOf(body, { 2: item("a"), 3: item("b") })).toEqual([
      ...turn,
      ...turn,
      ...turn,
    ]);
  });

  test("continue if notes share a list outside of loops", async () => {
    expect(
      await notesOf(reference(2) + reference(3), {
        2: item("a"),
        3: item("{{if customers}}b{{endif}}"),
      }),
    ).toEqual(["1. a", "2. b"]);
  });
});

test("a paragraph keeps the indents of its style in iterations that restart its list", async () => {
  const body =
    FOR +
    p("{{c.name}}", "Indented") +
    `<w:p><w:pPr><w:pStyle w:val="Indented"/><w:ind w:firstLine="5"/></w:pPr>${r("x")}</w:p>` +
    END;
  const { bytes } = await render(file(body), { customers });
  expect(labelledLines(bytes)).toEqual(["1. A", "2. x", "1. B", "2. x", "1. C", "2. x"]);
  const indents = [...partOf(bytes).matchAll(/<w:ind [^>]*>/g)].map(([indent]) => indent);
  const both = ['<w:ind w:left="10" w:hanging="20"/>', '<w:ind w:firstLine="5" w:left="10"/>'];
  expect(indents).toEqual([...both, ...both, ...both]);
});

describe("rich text in a paragraph that a style numbers", () => {
  const html = "<p>one</p><table><tr><td>cell</td></tr></table><p>two</p>";

  test("is one item: its tables, further paragraphs and the text after it have no numbers", async () => {
    const body = p("first", "Step") + p("{{x :: html}} behind", "Step") + p("next", "Step");
    expect((await labels(body, { x: html })).map((line) => line.trim())).toEqual([
      "1. first",
      "2. one",
      "cell",
      "two behind",
      "3. next",
    ]);
  });

  test("may contain a list", async () => {
    const body = p("first", "Step") + p("{{x :: html}}", "Step") + p("next", "Step");
    expect(await labels(body, { x: "<ol><li>a</li><li>b</li></ol>" })).toEqual([
      "1. first",
      "1. a",
      "2. b",
      "2. next",
    ]);
  });
});
