import { describe, expect, test } from "vitest";
import { manyRuns } from "../../../contracts/test/support/runs.ts";
import {
  bodyOf,
  docx,
  linesOf,
  p,
  r,
  type TestDocument,
} from "../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../src/index.ts";
import { outcome, printed, printedBody, told } from "../support/language.ts";
import { assertSound } from "../support/sound.ts";

const paragraph = (xml: string): string => `<w:p>${xml}</w:p>`;
const cell = (content: string, properties = ""): string =>
  `<w:tc><w:tcPr>${properties}</w:tcPr>${content.startsWith("<") ? content : p(content)}</w:tc>`;
const row = (...cells: readonly string[]): string =>
  `<w:tr>${cells.map((each) => (each.startsWith("<w:tc>") ? each : cell(each))).join("")}</w:tr>`;

function table(widths: readonly number[], ...rows: readonly string[]): string {
  const columns = widths.map((width) => `<w:gridCol w:w="${width}"/>`).join("");
  return `<w:tbl><w:tblPr/><w:tblGrid>${columns}</w:tblGrid>${rows.join("")}</w:tbl>${p("end")}`;
}

/** Returns the elements of a body, without formatting that does not matter here. */
async function rendered(
  template: TestDocument | string,
  data: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { bytes, error } = await outcome(template, data);
  expect(error).toBe(null);
  assertSound(bytes);
  return bodyOf(bytes).replaceAll(' xml:space="preserve"', "");
}

describe("tablecolumn in rows that a section repeats", () => {
  const columns = "{{tablecolumn c in cols}}{{c}}{{endtablecolumn}}";
  const repeated = table([1000, 1000], row("{{#rows}}{{n}}", `${columns}{{/rows}}`));
  const rows = [
    { n: "a", cols: [1, 2, 3] },
    { n: "b", cols: [1] },
  ];

  test("takes its list from outside of the table, even if the rows have a list of that name", async () => {
    const result = await outcome(repeated, { cols: [7], rows });
    expect(result.lines).toEqual(["a | 7", "b | 7", "end"]);
    expect(result.warnings.filter(({ severity }) => severity === "error")).toEqual([]);
  });

  test("reports a list that only the rows have", async () => {
    const result = await outcome(repeated, { rows });
    expect(result.lines).toEqual(["a", "b", "end"]);
    expect(result.warnings.map(({ code }) => code)).toContain("missing_value");
  });

  test("takes the list from the section around the table", async () => {
    const tables = [
      { cols: ["x", "y"], rows },
      { cols: ["z"], rows },
    ];
    const result = await outcome(p("{{#tables}}") + repeated + p("{{/tables}}"), { tables });
    expect(result.lines).toEqual(["a | x | y", "b | x | y", "end", "a | z", "b | z", "end"]);
  });

  test("in a heading creates the same columns in the rows below", async () => {
    const body = table([1000, 1000], row("N", columns), row("{{#rows}}{{n}}", "{{c}}{{/rows}}"));
    expect((await outcome(body, { cols: [7, 8], rows })).lines).toEqual([
      "N | 7 | 8",
      "a | 7 | 8",
      "b | 7 | 8",
      "end",
    ]);
  });

  test("cannot take its list from the current item, which differs from row to row", async () => {
    const own = "{{tablecolumn c in .cols}}{{c}}{{endtablecolumn}}";
    const body = table([1000, 1000], row("{{#rows}}{{n}}", `${own}{{/rows}}`));
    expect(await printedBody(body, { rows })).toBe("invalid_template: tablecolumn_in_row");
    const beside = table([1000, 1000], row("{{#rows}}{{n}}{{/rows}}", "x"), row("y", own));
    expect((await outcome(beside, { rows, cols: [1] })).error).toBe(null);
  });
});

describe("a cell over columns that a tablecolumn repeats", () => {
  const width = (twips: number, span = 1): string =>
    `<w:tcW w:w="${twips}" w:type="dxa"/>${span === 1 ? "" : `<w:gridSpan w:val="${span}"/>`}`;
  const body = table(
    [1000, 2000, 3000],
    row(
      cell("L", width(1000)),
      cell("{{tablecolumn x in xs}}{{x}}{{endtablecolumn}}", width(2000)),
      cell("R", width(3000)),
    ),
    row(cell("span", width(3000, 2)), cell("r", width(3000))),
  );
  const widths = (xml: string): number[] =>
    [...xml.matchAll(/<w:tcW w:w="(\d+)"/g)].map(([, number]) => Number(number));

  test("is narrower by their width if the list is empty", async () => {
    expect(widths(await rendered(body, { xs: [] }))).toEqual([1000, 3000, 1000, 3000]);
  });

  test("keeps its width if there are columns, which share theirs", async () => {
    expect(widths(await rendered(body, { xs: [1, 2] }))).toEqual([
      1000, 1000, 1000, 3000, 3000, 3000,
    ]);
  });
});

describe("many blocks", () => {
  test("with each tag in a separate paragraph are moved at once", async () => {
    const count = manyRuns(1_000, 4_000);
    const body = (p("{{if a}}") + p("x") + p("{{endif}}")).repeat(count);
    const template = await compileTemplate(docx({ body }));
    const { bytes } = template.render({ a: true });
    expect(linesOf(bytes)).toEqual(new Array(count).fill("x"));
  });

  test("in a cell leave one paragraph, even if all others disappear", async () => {
    const inside = p("{{if a}}") + p("{{endif}}") + p("{{if a}}") + p("{{endif}}");
    const xml = await rendered(table([100], row(cell(inside))), { a: true });
    expect(xml).toMatch(/<w:tc><w:tcPr\/><w:p\/><\/w:tc>/);
  });

  test("between two tables keep these separate", async () => {
    const one = table([100], row("x")).replace(p("end"), "");
    const body = p("{{if a}}") + one + p("{{endif}}") + p("{{if a}}") + one + p("{{endif}}");
    const xml = await rendered(body + p("end"), { a: true });
    expect(xml.match(/<w:tbl>/g)).toHaveLength(2);
  });
});

describe("a condition over the current item", () => {
  test.each([
    ["{{#l}}{{if .}}[{{.}}]{{endif}}{{/l}}", "[1][2]"],
    ["{{#l}}{{if . == 1}}one{{elseif .}}more{{else}}none{{endif}}{{/l}}", "onenonemore"],
    ["{{for i in o}}{{if .a}}{{.a}}{{elseif .b}}{{.b}}{{endif}}{{endfor}}", "xy"],
    ["{{if .s}}s{{endif}}", "s"],
    ["{{if . isPresent}}there{{endif}}", "there"],
    ["{{#t}}{{if . contains 'a'}}{{.}}{{endif}}{{/t}}", "ab"],
    ["{{#l}}{{if . and s}}+{{endif}}{{if . or s}}-{{endif}}{{/l}}", "+--+-"],
    ["{{for x in .l}}{{x}}{{endfor}}", "102"],
  ])("may begin with a dot: %s", async (text, expected) => {
    const data = { l: [1, 0, 2], o: [{ a: "x" }, { b: "y" }], s: "S", t: ["ab", "c"] };
    expect(await printed(text, data)).toBe(expected);
  });

  test("needs a space before the dot: without it, a keyword is a key", async () => {
    expect(await printed("{{if.a}} {{for.b}} {{for .b}}", { if: { a: 1 }, for: { b: 2 } })).toBe(
      "1 2 2",
    );
  });
});

describe("the alternative text of a table", () => {
  const described = (caption: string, description: string): string =>
    table([100], row("x")).replace(
      "<w:tblPr/>",
      `<w:tblPr><w:tblCaption w:val="${caption}"/><w:tblDescription w:val="${description}"/></w:tblPr>`,
    );

  test("may contain tags, in its title and in its description", async () => {
    const xml = await rendered(`${described("T {{a}}", "{{b}}!")}${p("{{a}}")}`, {
      a: 'x<"&',
      b: "y",
    });
    expect(xml).toContain('<w:tblCaption w:val="T x&lt;&quot;&amp;"/>');
    expect(xml).toContain('<w:tblDescription w:val="y!"/>');
  });

  test("has the item of a loop around the table", async () => {
    const body = p("{{for t in ts}}") + described("{{t}}", "") + p("{{endfor}}");
    const xml = await rendered(body, { ts: ["one", "two"] });
    expect([...xml.matchAll(/tblCaption w:val="([^"]*)"/g)].map(([, text]) => text)).toEqual([
      "one",
      "two",
    ]);
  });

  test("cannot contain blocks, and its tags are before the first row", async () => {
    const { error, warnings } = await outcome(described("{{if a}}{{endif}}", "") + p("{{a}}"), {
      a: 1,
    });
    expect(error).toBe("invalid_template");
    expect(warnings.map(({ code }) => code)).toEqual(["tag_out_of_text", "tag_out_of_text"]);
    expect(warnings[0]?.template).toMatchObject({ table: 1 });
    expect(warnings[0]?.template).not.toHaveProperty("row");
  });

  test("is not confused with another w:val", async () => {
    const body = `<w:p><w:pPr><w:pStyle w:val="{{a}}"/></w:pPr>${r("{{a}}")}</w:p>`;
    expect(await rendered(body, { a: "x" })).toContain('<w:pStyle w:val="{{a}}"/>');
  });
});

describe("a paragraph that contains a block tag and another element", () => {
  test.each([
    "w:dayLong",
    "w:dayShort",
    "w:monthLong",
    "w:monthShort",
    "w:yearLong",
    "w:yearShort",
    "w:softHyphen",
    "w:contentPart",
  ])("is kept if the element is %s", async (name) => {
    const body = `${paragraph(`<w:r><${name}/></w:r>${r("{{if a}}")}`)}${p("x")}${p("{{endif}}")}`;
    expect(await rendered(body, { a: true })).toContain(`<${name}/>`);
  });
});

describe("a block that begins inside an element around its runs", () => {
  const ins = (id: number, runs: string): string => `<w:ins w:id="${id}">${runs}</w:ins>`;

  test("leaves no empty half of the element, and each remaining half has a unique id", async () => {
    const xml = await rendered(paragraph(`${ins(4, r("{{for i in l}}{{i}}"))}${r("{{endfor}}")}`), {
      l: [1, 2],
    });
    expect(xml).not.toMatch(/<w:ins[^>]*\/>/);
    expect(xml).toContain('<w:ins w:id="4">');
  });

  test("leaves no empty copy of a link", async () => {
    const link = `<w:hyperlink w:anchor="_top">${r("{{for i in l}}{{i}}")}</w:hyperlink>`;
    const xml = await rendered(paragraph(link + r("{{endfor}}")), { l: [1, 2] });
    expect(xml.match(/<w:hyperlink /g)).toHaveLength(2);
    expect(xml).not.toMatch(/<w:hyperlink[^>]*\/>/);
  });

  test("gives both halves unique ids, and also the changes of formatting in them", async () => {
    const formatted = `<w:r><w:rPr><w:b/><w:rPrChange w:id="9"><w:rPr/></w:rPrChange></w:rPr><w:t>a{{for i in l}}b</w:t></w:r>`;
    const xml = await rendered(
      paragraph(`${ins(7, formatted)}${ins(8, r("{{endfor}}c"))}`) +
        p("").replace("<w:p>", '<w:p><w:pPr><w:rPr><w:ins w:id="6"/></w:rPr></w:pPr>'),
      { l: [1, 2] },
    );
    const ids = [...xml.matchAll(/<w:(?:ins|rPrChange) w:id="(\d+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(8);
  });

  test("removes the element if it contains nothing else", async () => {
    const body = paragraph(`${ins(4, r("{{if a}}"))}${r("x")}`) + p("{{endif}}");
    expect(await rendered(body, { a: true })).not.toContain("w:ins");
  });
});

describe("a comment of the author", () => {
  const commented = (runs: string, behind = ""): string =>
    paragraph(
      `<w:commentRangeStart w:id="0"/>${runs}<w:commentRangeEnd w:id="0"/><w:r><w:commentReference w:id="0"/></w:r>${behind}`,
    );
  const withComment = (body: string): TestDocument => ({
    body,
    stories: { "comments.xml": `<w:comment w:id="0">${p("why")}</w:comment>` },
  });

  test("about a block tag is removed with the tag's paragraph", async () => {
    const body = commented(r("{{for i in l}}")) + p("{{i}}") + p("{{endfor}}") + p("end");
    const xml = await rendered(withComment(body), { l: [1, 2] });
    expect(xml).not.toContain("w:comment");
    expect(xml.match(/<w:p>/g)).toHaveLength(3);
  });

  test("about the end of a block is removed with its paragraph", async () => {
    const body = p("{{for i in l}}") + p("{{i}}") + commented(r("{{endfor}}")) + p("end");
    expect((await rendered(withComment(body), { l: [1, 2] })).match(/<w:p>/g)).toHaveLength(3);
  });

  test("about a block tag is removed with the tag's row", async () => {
    const body = table(
      [100],
      row(cell(commented(r("{{for i in l}}")))),
      row("{{i}}"),
      row("{{endfor}}"),
    );
    expect((await outcome(body, { l: [1, 2] })).lines).toEqual(["1", "2", "end"]);
  });

  test("is kept with the text that it is about", async () => {
    const body = p("{{if a}}") + p("x") + commented(r("{{endif}}") + r("text"));
    const xml = await rendered(withComment(body), { a: true });
    expect(xml).toMatch(/<w:p><w:commentRangeStart w:id="0"\/>.*text.*<w:commentReference/);
  });

  test("is kept in the only paragraph of a cell", async () => {
    const body = table([100], row(cell(p("{{if a}}") + commented(r("{{endif}}")))));
    expect(await rendered(withComment(body), { a: true })).toContain("<w:commentReference");
  });

  test("about more than the paragraph is kept", async () => {
    const body =
      paragraph(`<w:commentRangeStart w:id="0"/>${r("{{if a}}")}`) +
      p("x") +
      p("{{endif}}") +
      paragraph(`${r("y")}<w:commentRangeEnd w:id="0"/><w:r><w:commentReference w:id="0"/></w:r>`);
    expect(await rendered(withComment(body), { a: true })).toContain("<w:commentRangeStart");
  });
});

describe("a string that autocorrect has changed", () => {
  const data = { a: "x-y", b: "O'Brien", c: "10 kg", d: "O’Brien", l: ["x-y"], q: 'say "so"' };

  test.each([
    ['{{if a == "x–y"}}T{{else}}F{{endif}}', "T"],
    ['{{if b == "O’Brien"}}T{{else}}F{{endif}}', "T"],
    ['{{if d == "O’Brien"}}T{{else}}F{{endif}}', "T"],
    ['{{if "O’Brien" == b}}T{{else}}F{{endif}}', "T"],
    ['{{if c == "10\u00a0kg"}}T{{else}}F{{endif}}', "T"],
    ['{{if a != "x–y"}}T{{else}}F{{endif}}', "F"],
    ['{{if b != "O’Brien"}}T{{else}}F{{endif}}', "F"],
    ['{{if a != "x–z"}}T{{else}}F{{endif}}', "T"],
    ['{{if a contains "–"}}T{{else}}F{{endif}}', "T"],
    ['{{if l contains "x–y"}}T{{else}}F{{endif}}', "T"],
    ["{{if q contains '“so”'}}T{{else}}F{{endif}}", "T"],
    ['{{#a == "x–y"}}T{{/}}{{^a == "x–y"}}F{{/}}', "T"],
    ['{{if not (a == "x–y") or a == "z–z"}}T{{else}}F{{endif}}', "F"],
  ])("compares as it was typed and as it is: %s", async (text, expected) => {
    expect(await printed(text, data)).toBe(expected);
  });

  test("reports a missing value in its comparison once", async () => {
    expect(await told('{{if zip == "x–y"}}T{{endif}}', {})).toEqual([
      "warning missing_in_condition",
    ]);
  });

  test("prints as it is", async () => {
    expect(await printed('{{a :: default("–")}}{{b}}', { b: "’" })).toBe("–’");
  });

  test("in nested comparisons takes time that does not double with each", async () => {
    let condition = 'a == "–"';
    for (let depth = 0; depth < 60; depth++) condition = `(${condition}) == "–"`;
    expect(await printed(`{{if ${condition}}}T{{else}}F{{endif}}`, { a: "-" })).toBe("F");
  });
});

describe("arithmetic with a string in the template", () => {
  test.each([
    "{{a + 'x'}}",
    "{{'EUR' + a}}",
    "{{a * (b - 'y')}}",
    "{{-'x'}}",
    "{{if a + 'x' > 1}}y{{endif}}",
  ])("is a template error: %s", async (text) => {
    expect(await printed(text, { a: 1, b: 2 })).toBe("invalid_template: tag_syntax");
  });

  test("has a hint on how to join strings", async () => {
    const [problem] = (await outcome(p("{{a + 'x'}}"), {})).warnings;
    expect(problem?.message).toBe(
      'The text "x" is not a number, so it cannot be used in a computation.',
    );
    expect(problem?.hint).toBe(
      "Write {{$concat(a, 'x')}}. Or write the tags and the text next to each other.",
    );
  });

  test("is accepted if the string spells a number", async () => {
    expect(await printed("{{a + '5'}}", { a: 1 })).toBe("6");
  });
});

test("the only tag of a document may be in the alternative text of a table", async () => {
  const body =
    '<w:tbl><w:tblPr><w:tblCaption w:val="{{name}}"/></w:tblPr><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl><w:p/>';
  expect(bodyOf((await outcome(body, { name: "Ann" })).bytes)).toContain(
    '<w:tblCaption w:val="Ann"/>',
  );
});
