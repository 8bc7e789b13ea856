import { describe, expect, test } from "vitest";
import { p, partOf, table } from "../../../ooxml/test/support/docx.ts";
import { outcome } from "../support/language.ts";

/** The XML of the body without section properties. */
async function xml(body: string, data: Record<string, unknown>): Promise<string> {
  const { bytes, error, warnings } = await outcome(body, data);
  expect([error, warnings.filter(({ code }) => code !== "unused_value")]).toEqual([null, []]);
  return partOf(bytes);
}

describe("a look modifier", () => {
  test("changes the text that its tag prints, and nothing else in its run", async () => {
    const body = p('a {{x :: color("red"), bold}} b');
    expect(await xml(body, { x: "v" })).toContain(
      '<w:r><w:t xml:space="preserve">a </w:t></w:r><w:r><w:rPr><w:b/><w:bCs/><w:color w:val="FF0000"/></w:rPr><w:t xml:space="preserve">v</w:t></w:r><w:r><w:t xml:space="preserve"> b</w:t></w:r>',
    );
  });

  test("takes a color from the data, and nothing for empty text", async () => {
    const body = p("{{x :: color(c)}}");
    expect(await xml(body, { x: 1, c: "#abc" })).toContain('<w:color w:val="AABBCC"/>');
    expect(await xml(body, { x: 1, c: "" })).not.toContain("w:color");
  });

  test("has a condition", async () => {
    const body = p("{{x :: bold(x > 10), italic(x < 0)}}");
    expect(await xml(body, { x: 11 })).toContain("<w:b/>");
    expect(await xml(body, { x: 11 })).not.toContain("<w:i/>");
    const when = p('{{x :: color("red"), when(x < 0), number(2)}}');
    expect(await xml(when, { x: -1 })).toContain('<w:color w:val="FF0000"/>');
    expect(await xml(when, { x: 1 })).not.toContain("w:color");
  });

  test("of a row fills its cells in each repetition", async () => {
    const body = table([
      p('{{tablerow i in l}}{{row :: fill("#FFE0E0"), bold, when(i.late)}}{{i.n}}'),
      p("{{i.m}}{{endtablerow}}"),
    ]);
    const result = await xml(body, {
      l: [
        { n: 1, m: "a", late: true },
        { n: 2, m: "b", late: false },
      ],
    });
    const rows = result.split("<w:tr>").slice(1);
    expect(rows).toHaveLength(2);
    expect(rows[0]?.match(/w:fill="FFE0E0"/g)).toHaveLength(2);
    expect(rows[0]?.match(/<w:b\/>/g)).toHaveLength(2);
    expect(rows[1]).not.toMatch(/w:fill|<w:b\/>/);
  });

  test("of a cell fills this cell only", async () => {
    const body = table([p("{{cell :: fill(c)}}{{x}}"), p("{{x}}")]);
    expect((await xml(body, { x: 1, c: "blue" })).match(/w:fill="0000FF"/g)).toHaveLength(1);
  });
});

describe("a look of a row, a cell or a paragraph", () => {
  const DATA = {
    months: ["Jan", "Feb", "Mar"],
    rows: [
      { n: "a", color: "red", w: [1, 2, 3] },
      { n: "b", color: "blue", w: [3, 4, 5] },
    ],
    colors: ["red", "blue"],
  };

  /** Returns the fill of each cell, by rows, of a table with a column for each month. */
  async function fills(row: readonly string[]): Promise<string[]> {
    const head = [p("x"), p("{{tablecolumn m in months}}{{m}}{{endtablecolumn}}")];
    const result = await xml(
      table(
        head,
        row.map((text) => p(text)),
      ),
      DATA,
    );
    return result.split("<w:tr>").map((cells) => {
      const found = cells.split("<w:tc>").slice(1);
      return found.map((cell) => /w:fill="(\w+)"/.exec(cell)?.[1] ?? "-").join(" ");
    });
  }

  test.each([
    ['{{row :: fill("red"), when($index % 2 == 1)}}', "- - - -", "FF0000 FF0000 FF0000 FF0000"],
    ['{{row :: fill("red"), when($last)}}', "- - - -", "FF0000 FF0000 FF0000 FF0000"],
    ['{{row :: fill("red"), when($number == 1)}}', "FF0000 FF0000 FF0000 FF0000", "- - - -"],
    [
      "{{row :: fill(colors[$index])}}",
      "FF0000 FF0000 FF0000 FF0000",
      "0000FF 0000FF 0000FF 0000FF",
    ],
    ["{{row :: fill(r.color)}}", "FF0000 FF0000 FF0000 FF0000", "0000FF 0000FF 0000FF 0000FF"],
    ['{{cell :: fill("red"), when($last)}}', "- - - -", "FF0000 - - -"],
  ])(
    "%s takes the position in the loop of the row, not of the repeated column",
    async (tag, one, two) => {
      const row = [`{{tablerow r in rows}}${tag}{{r.n}}`, "{{r.w[$index]}}{{endtablerow}}"];
      expect((await fills(row)).slice(2)).toEqual([one, two]);
    },
  );

  test("of a cell in a repeated column takes the position of the column", async () => {
    const row = [
      "{{tablerow r in rows}}{{r.n}}",
      '{{cell :: fill("red"), when($last)}}{{cell :: fill("blue"), when(r.$index == $index)}}{{r.w[$index]}}{{endtablerow}}',
    ];
    expect((await fills(row)).slice(2)).toEqual(["- 0000FF - FF0000", "- - 0000FF FF0000"]);
  });

  test.each([
    ["{{#list}}", "{{name}}", "{{/list}}"],
    ["{{for i in list}}", "{{i.name}}", "{{endfor}}"],
  ])(
    "has the values at its place, also for the text of a loop in it: %s",
    async (begin, value, end) => {
      const data = { color: "lime", list: [{ name: "a", color: "red" }] };
      for (const target of ["paragraph", "cell"]) {
        const texts = [`{{${target} :: color(color)}}x ${begin}`, value, `${end} y`];
        const runs = texts.map((each) => `<w:r><w:t xml:space="preserve">${each}</w:t></w:r>`);
        const text = `<w:p>${runs.join("")}</w:p>`;
        const { bytes } = await outcome(target === "cell" ? table([text]) : text, data);
        expect(partOf(bytes).match(/(?<=<w:color w:val=")\w+/g)).toEqual(Array(3).fill("00FF00"));
      }
    },
  );

  test("has one place for each row of a table in a cell", async () => {
    const inner = table([
      p('{{tablerow t in r.w}}{{row :: fill("blue"), when($first)}}{{t}}{{endtablerow}}'),
    ]);
    const body = table([
      p("{{tablerow r in rows}}{{row :: bold, when($last)}}{{r.n}}"),
      `${inner}${p("{{r.n}}{{endtablerow}}")}`,
    ]);
    const result = await xml(body, { rows: DATA.rows.map(({ n, w }) => ({ n, w })) });
    const pieces = [...result.matchAll(/w:fill="\w+"|<w:b\/>|>(\w)<\/w:t>/g)];
    expect(pieces.map(([piece, text]) => text ?? (piece === "<w:b/>" ? "*" : "#")).join("")).toBe(
      "a#123a*b#*3*4*5*b",
    );
  });

  test("of a row is an error in a repeated column, and the hint names the tag for its cells", async () => {
    const row = (first: string): string =>
      table([
        p(first),
        p("{{tablecolumn m in months}}{{row :: bold, when($first)}}{{m}}{{endtablecolumn}}"),
      ]);
    const { warnings } = await outcome(row("x"), DATA);
    expect(warnings.map(({ code, hint }) => [code, hint])).toEqual([
      [
        "look_in_block",
        "For the cell in each of these columns write {{cell :: bold, when($first)}}. For the row, move the tag into a cell outside of the block.",
      ],
    ]);
    const { warnings: alone } = await outcome(
      table([p("{{tablecolumn m in months}}{{row :: bold}}{{m}}{{endtablecolumn}}")]),
      DATA,
    );
    expect(alone[0]?.hint).toBe("For the cell in each of these columns write {{cell :: bold}}.");
  });
});

describe("a wrong look", () => {
  test.each([
    [p('{{cell :: fill("red")}}'), "look_outside"],
    [p('{{x :: fill("rosee")}}'), "modifier_argument"],
    [p("{{x :: fill(c)}}"), "invalid_value"],
    [p('{{x :: style("Nope")}}'), "invalid_value"],
    [table([p('{{row :: fill("red"), when($index == 0)}}a')]), "tag_outside_loop"],
    [p("{{x :: bold($last)}}"), "tag_outside_loop"],
    [table([p("{{cell :: span($index)}}a"), p("b")]), "tag_outside_loop"],
    [table([p('{{if x}}{{cell :: fill("red")}}{{endif}}a')]), "look_in_block"],
  ])("%s is reported as %s", async (body, code) => {
    const { warnings } = await outcome(body, { x: 1, c: "rosee" });
    expect(warnings.map((each) => each.code)).toContain(code);
  });
});
