import { describe, expect, test } from "vitest";
import { bodyOf, p, partOf, r, table } from "../../../ooxml/test/support/docx.ts";
import { outcome, printed, printedBody, told } from "../support/language.ts";

describe("a loop", () => {
  test.each([
    ["{{for x in l}}{{x}}{{endfor}}"],
    ["{{ for  x  in  l }}{{ x }}{{ endfor }}"],
    ["{{\u00a0for\u00a0x\u00a0in\u00a0l\u00a0}}{{x}}{{\u00a0endfor\u00a0}}"],
    ["{{for in in l}}{{in}}{{endfor}}"],
    ["{{for x in l}}{{.}}{{endfor}}"],
    ["{{for x in l}}{{this}}{{endfor}}"],
    ["{{for l in l}}{{l}}{{endfor}}"],
    ["{{for größe in l}}{{größe}}{{endfor}}"],
  ])("is written %s", async (text) => {
    expect(await printed(text, { l: [1, 2, 3] })).toBe("123");
  });

  test("does not put the keys of its item into scope", async () => {
    expect(await printed("{{for x in l}}{{n}}{{x.n}}{{endfor}}", { l: [{ n: 1 }], n: "r" })).toBe(
      "r1",
    );
    expect(await printed("{{for x in l}}{{n}}{{endfor}}", { l: [{ n: 1 }] })).toBe("{{n}}");
  });

  test("looks up the innermost name first, before outer names and keys of the root", async () => {
    const text = "{{for x in a}}{{for x in b}}{{x}}{{endfor}}{{x}};{{endfor}}{{x}}";
    expect(await printed(text, { a: ["A", "B"], b: [1, 2], x: "root" })).toBe("12A;12B;root");
  });

  test("takes any path: an element, a quoted key, an outer item's list, a list of lists, a projection", async () => {
    const data = {
      l: [[1, 2], [], [3]],
      o: { "a b": [4, 5] },
      groups: [{ items: [{ n: 1 }] }, { items: [{ n: 2 }, { n: 3 }] }],
    };
    expect(await printed("{{for x in l[0]}}{{x}}{{endfor}}", data)).toBe("12");
    expect(await printed('{{for x in o["a b"]}}{{x}}{{endfor}}', data)).toBe("45");
    expect(await printed("{{for x in o[“a b”]}}{{x}}{{endfor}}", data)).toBe("45");
    expect(await printed("{{for x in l}}{{for y in x}}{{y}}{{endfor}};{{endfor}}", data)).toBe(
      "12;;3;",
    );
    expect(await printed("{{for x in l}}{{x}};{{endfor}}", data)).toBe("1, 2;;3;");
    expect(await printed("{{for x in groups.items}}{{x.n}}{{endfor}}", data)).toBe("123");
  });

  test("has an iteration for each null item, hole and falsy item", async () => {
    // biome-ignore lint/suspicious/noSparseArray: the subject of the test
    const l = [0, "", false, null, , "x"];
    expect(await printed("{{for x in l}}[{{x :: optional}}]{{endfor}}", { l })).toBe(
      "[0][][false][][][x]",
    );
    expect(await printed("{{for x in l}}{{$number}}{{endfor}}", { l })).toBe("123456");
    const { warnings } = await outcome(p("{{for x in l}}{{x}}{{endfor}}"), { l });
    expect(warnings).toEqual([expect.objectContaining({ pointers: ["/l/3", "/l/4"], count: 2 })]);
  });

  test("provides variables for the position", async () => {
    const text = "{{for x in l}}{{$index}}/{{$number}}/{{$length}}/{{$first}}/{{$last}} {{endfor}}";
    expect(await printed(text, { l: ["a", "b"] })).toBe("0/1/2/true/false 1/2/2/false/true ");
    expect(await printed("{{for x in l}}{{$number * 10}};{{endfor}}", { l: [1, 2] })).toBe(
      "10;20;",
    );
  });

  test("provides variables for the position in the innermost loop", async () => {
    const text =
      "{{for g in l}}{{$number}}({{for x in g}}{{$number}}{{endfor}}){{$number}} {{endfor}}";
    expect(await printed(text, { l: [["a", "b"], ["c"]] })).toBe("1(12)1 2(1)2 ");
  });

  test("repeats nothing for an empty list, and reports nothing", async () => {
    expect(await printed("a{{for x in l}}{{x.y.z}}{{endfor}}b", { l: [] })).toBe("ab");
    expect(await told("a{{for x in l}}{{x}}{{endfor}}b", { l: [] })).toEqual([]);
  });

  test.each([
    ["a text", "abc", "text"],
    ["an empty text", "", "text"],
    ["a number", 3, "number"],
    ["0", 0, "number"],
    ["true", true, "boolean"],
    ["false", false, "boolean"],
    ["an object", { 0: "a", length: 1 }, "object"],
    ["an empty object", {}, "object"],
    ["a date", new Date(0), "date"],
  ])("over %s is an error that names the path and the type", async (_what, value, type) => {
    for (const text of [
      "{{for x in deep.v}}{{x}}{{endfor}}",
      "{{tablerow x in deep.v}}{{x}}{{endtablerow}}",
    ]) {
      const { error, warnings } = await outcome(table([p("h")], [p(text)]), { deep: { v: value } });
      expect(error).toBe("invalid_data");
      expect(warnings[0]?.message).toContain("deep.v");
      expect(warnings[0]?.message).toContain(type);
      expect(warnings[0]?.pointer).toBe("/deep/v");
    }
  });

  test("over a missing value repeats nothing and is reported, unless it is optional", async () => {
    expect(await told("a{{for x in gone}}{{x}}{{endfor}}", {})).toEqual(["error missing_value"]);
    expect(await told("a{{for x in gone :: optional}}{{x}}{{endfor}}", { gone: null })).toEqual([]);
  });

  test("may be split over runs anywhere", async () => {
    const runs = [..."{{for x in l}}<{{x.n}}>{{endfor}}"].map((each) => r(each)).join("");
    expect(await printedBody(`<w:p>${runs}</w:p>`, { l: [{ n: 1 }, { n: 2 }] })).toBe("<1><2>");
  });

  test("may share a paragraph with others, side by side or nested", async () => {
    const body =
      p("{{for x in a}}{{for y in b}}") +
      p("{{x}}{{y}}") +
      p("{{endfor}}{{endfor}}{{for z in a}}") +
      p("{{z}}") +
      p("{{endfor}}");
    expect(await printedBody(body, { a: [1, 2], b: ["p", "q"] })).toBe("1p / 1q / 2p / 2q / 1 / 2");
  });

  test("repeats ten levels deep", async () => {
    let data: unknown = "x";
    let text = "{{v0}}";
    for (let level = 0; level < 10; level++) {
      data = [data, data];
      const list = level === 9 ? "root" : `v${level + 1}`;
      text = `{{for v${level} in ${list}}}${text}{{endfor}}`;
    }
    expect(await printed(text, { root: data })).toBe("x".repeat(1024));
  });
});

describe("an empty list", () => {
  const list = { l: [] };
  test.each([
    ["inline in its paragraph", p("a") + p("{{for x in l}}{{x}}{{endfor}}") + p("b"), "a / b"],
    ["with spaces around it", p("a") + p(" {{for x in l}}{{x}}{{endfor}} ") + p("b"), "a / b"],
    [
      "over paragraphs",
      p("a") + p("{{for x in l}}") + p("{{x}}") + p("{{endfor}}") + p("b"),
      "a / b",
    ],
    ["of a section", p("a") + p("{{#l}}") + p("{{.}}") + p("{{/l}}") + p("b"), "a / b"],
    ["of rows", table([p("h")], [p("{{for x in l}}")], [p("{{x}}")], [p("{{endfor}}")]), "h"],
    ["of a tablerow", table([p("h")], [p("{{tablerow x in l}}{{x}}{{endtablerow}}")]), "h"],
    [
      "within an if",
      p("a") + p("{{if 1 == 1}}{{for x in l}}{{x}}{{endfor}}{{endif}}") + p("b"),
      "a / b",
    ],
    [
      "of loops in loops",
      p("a") + p("{{for x in k}}{{for y in x}}{{y}}{{endfor}}{{endfor}}") + p("b"),
      "a / b",
    ],
  ])("%s leaves no blank paragraph and no empty row", async (_what, body, expected) => {
    expect(await printedBody(body, { ...list, k: [[], []] })).toBe(expected);
  });

  test("removes a table if no row remains", async () => {
    const body = p("a") + table([p("{{tablerow x in l}}{{x}}"), p("{{endtablerow}}")]) + p("b");
    const { bytes, lines } = await outcome(body, list);
    expect(lines).toEqual(["a", "b"]);
    expect(bodyOf(bytes)).not.toContain("<w:tbl>");
  });

  test("removes a table from a cell, and the cell still ends in a paragraph", async () => {
    const inner = table([p("{{tablerow x in l}}{{x}}{{endtablerow}}")]);
    const { bytes } = await outcome(table([inner, p("y")]), list);
    expect(bodyOf(bytes)).toMatch(/<w:tc><w:tcPr\/><w:p\/><\/w:tc>/);
  });

  test("leaves one paragraph in a cell, with for, section and if", async () => {
    for (const block of ["{{for x in l}}|{{endfor}}", "{{#l}}|{{/l}}", "{{if l}}|{{endif}}"]) {
      const [open = "", close = ""] = block.split("|");
      const cell = p(open) + p("t") + p(close);
      const { bytes } = await outcome(table([cell, p("y")]), list);
      expect(bodyOf(bytes)).toMatch(/<w:tc><w:tcPr\/><w:p(?:\/>|>.*?<\/w:p>)<\/w:tc><w:tc>/);
    }
  });
});

describe("tablerow", () => {
  const data = {
    l: [
      { n: 1, m: ["a", "b"] },
      { n: 2, m: [] },
      { n: 3, m: ["c"] },
    ],
  };

  test("over several rows ends in a later one", async () => {
    const body = table(
      [p("h"), p("h")],
      [p("{{tablerow x in l}}{{x.n}}"), p("-")],
      [p("second"), p("{{x.n}}{{endtablerow}}")],
    );
    expect(await printedBody(body, { l: [{ n: 1 }, { n: 2 }] })).toBe(
      "h | h / 1 | - / second | 1 / 2 | - / second | 2",
    );
  });

  test("may contain loops and conditions in its cells", async () => {
    const body = table([
      p("{{tablerow x in l}}{{x.n}}"),
      p("{{for y in x.m}}{{y}},{{endfor}}"),
      p("{{if x.m}}yes{{else}}no{{endif}}{{endtablerow}}"),
    ]);
    expect(await printedBody(body, data)).toBe("1 | a,b, | yes / 2 |  | no / 3 | c, | yes");
  });

  test("in an outer tablerow repeats groups of rows", async () => {
    const body = table(
      [p("{{tablerow x in l}}{{x.n}}"), p("")],
      [p("{{tablerow y in x.m}}{{x.n}}{{y}}"), p("{{endtablerow}}")],
      [p("end {{x.n}}"), p("{{endtablerow}}")],
    );
    expect(await printedBody(body, data)).toBe(
      "1 |  / 1a |  / 1b |  / end 1 |  / 2 |  / end 2 |  / 3 |  / 3c |  / end 3 | ",
    );
  });

  test("in a table in a cell of a tablerow repeats the rows of its table", async () => {
    const inner = table([p("{{tablerow y in x.m}}<{{y}}>{{endtablerow}}")]);
    const body = table([p("{{tablerow x in l}}{{x.n}}"), inner + p("{{endtablerow}}")]);
    const { bytes } = await outcome(body, data);
    const text = bodyOf(bytes)
      .replace(/<\/w:tr>/g, ";")
      .replace(/<[^>]*>/g, "");
    expect(text).toBe("1&lt;a&gt;;&lt;b&gt;;;2;3&lt;c&gt;;;");
  });

  test("between two fixed rows keeps both", async () => {
    const body = table(
      [p("h")],
      [p("{{tablerow x in l}}{{x.n}}{{endtablerow}}")],
      [p("sum {{$sum(l.n)}}")],
    );
    expect(await printedBody(body, data)).toBe("h / 1 / 2 / 3 / sum 6");
  });
});

describe("Word's own structures in loops", () => {
  const numbered = (text: string, level = 0): string =>
    `<w:p><w:pPr><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr></w:pPr>${r(text)}</w:p>`;
  const numbering =
    '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>';
  const numbersOf = (xml: string): string[] =>
    [...xml.matchAll(/<w:numId w:val="(\d+)"/g)].map(([, id = ""]) => id);

  test("a numbered list restarts in each iteration of a block that contains its first item", async () => {
    for (const [open, close] of [
      ["{{for x in l}}", "{{endfor}}"],
      ["{{#l}}", "{{/l}}"],
    ]) {
      const body = p(open ?? "") + p("title") + numbered("a") + numbered("b") + p(close ?? "");
      const { bytes } = await outcome({ body, numbering }, { l: [1, 2, 3] });
      const [a, b, c, d, e, f] = numbersOf(bodyOf(bytes));
      expect([a === b, c === d, e === f]).toEqual([true, true, true]);
      expect(new Set([a, c, e]).size).toBe(3);
      expect(partOf(bytes, "word/numbering.xml")).toContain("<w:startOverride");
    }
  });

  test("a numbered list continues if its first item is before the block", async () => {
    const body = numbered("first") + p("{{for x in l}}") + numbered("{{x}}") + p("{{endfor}}");
    const { bytes } = await outcome({ body, numbering }, { l: [1, 2, 3] });
    expect(new Set(numbersOf(bodyOf(bytes))).size).toBe(1);
  });

  test("repeated items continue the numbers: the list does not restart at each of them", async () => {
    // The block contains the list's first item, so the general rule would restart the list. But each iteration is an
    // item of one list.
    const body = p("{{for x in l}}") + numbered("{{x}}") + p("{{endfor}}");
    const { bytes } = await outcome({ body, numbering }, { l: [1, 2, 3] });
    expect(new Set(numbersOf(bodyOf(bytes))).size).toBe(1);
  });

  test("ids of drawings, bookmarks and paragraphs remain unique", async () => {
    const wp =
      'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"';
    const drawing = `<w:r><w:drawing><wp:inline ${wp}><wp:docPr id="5" name="d" descr="{{x}}"/></wp:inline></w:drawing></w:r>`;
    const paragraph = `<w:p ${wp} w14:paraId="0000000A" w14:textId="0000000B"><w:bookmarkStart w:id="3" w:name="mark"/>${r("{{x}}")}${drawing}<w:bookmarkEnd w:id="3"/></w:p>`;
    const body =
      p("{{for x in l}}") +
      paragraph +
      p("{{endfor}}") +
      paragraph
        .replaceAll("{{x}}", "y")
        .replace('w:id="3" w:name="mark"', 'w:id="4" w:name="other"')
        .replace('End w:id="3"', 'End w:id="4"')
        .replace('id="5"', 'id="6"')
        .replace("000A", "000C");
    const { bytes } = await outcome(body, { l: ["a", "b", "c"] });
    const xml = bodyOf(bytes);
    const unique = (pattern: RegExp, count: number): void => {
      const found = [...xml.matchAll(pattern)].map(([, id]) => id);
      expect(new Set(found).size).toBe(found.length);
      expect(found.length).toBe(count);
    };
    unique(/<wp:docPr[^>]*? id="(\d+)"/g, 4);
    unique(/<w:bookmarkStart[^>]*? w:id="(\d+)"/g, 4);
    unique(/<w:bookmarkStart[^>]*? w:name="([^"]*)"/g, 4);
    const paragraphIds = [...xml.matchAll(/w14:paraId="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(paragraphIds).size).toBe(paragraphIds.length);
    const starts = [...xml.matchAll(/<w:bookmarkStart[^>]*? w:id="(\d+)"/g)].map(([, id]) => id);
    const ends = [...xml.matchAll(/<w:bookmarkEnd[^>]*? w:id="(\d+)"/g)].map(([, id]) => id);
    expect(ends).toEqual(starts);
    expect([...xml.matchAll(/descr="([^"]*)"/g)].map(([, text]) => text)).toEqual([
      "a",
      "b",
      "c",
      "y",
    ]);
  });

  test("bookmarks of a paragraph that disappears in several iterations remain unique", async () => {
    const marked = `<w:p><w:bookmarkStart w:id="3" w:name="mark"/>${r("{{if none}}t{{endif}}")}<w:bookmarkEnd w:id="3"/></w:p>`;
    const body = p("{{for x in l}}") + marked + p("{{x}}") + p("{{endfor}}");
    const { bytes, lines } = await outcome(body, { l: [1, 2, 3] });
    expect(lines).toEqual(["1", "2", "3"]);
    for (const pattern of [
      /<w:bookmarkStart[^>]*? w:id="(\d+)"/g,
      /<w:bookmarkStart[^>]*? w:name="([^"]*)"/g,
    ]) {
      const found = [...bodyOf(bytes).matchAll(pattern)].map(([, id]) => id);
      expect(new Set(found).size).toBe(found.length);
    }
  });

  test("empty content controls are removed, also nested ones and those with several paragraphs", async () => {
    const control = (xml: string): string =>
      `<w:sdt><w:sdtPr/><w:sdtContent>${xml}</w:sdtContent></w:sdt>`;
    for (const inner of [
      p("{{for x in l}}") + p("{{x}}") + p("{{endfor}}"),
      p("{{for x in l}}{{x}}{{endfor}}"),
      p("{{for x in l}}{{x}}{{endfor}}") + p("{{if l}}x{{endif}}"),
    ]) {
      for (const xml of [control(inner), control(control(inner))]) {
        const { bytes } = await outcome(p("a") + xml + p("b"), { l: [] });
        expect(bodyOf(bytes)).not.toMatch(/<w:sdtContent\/>|<w:sdtContent><\/w:sdtContent>/);
      }
    }
  });

  test("page sections inside loops are kept in each iteration", async () => {
    const section =
      '<w:p><w:pPr><w:sectPr><w:pgSz w:w="16838" w:h="11906" w:orient="landscape"/></w:sectPr></w:pPr></w:p>';
    const body = p("{{for x in l}}") + p("{{x}}") + section + p("{{endfor}}") + p("end");
    const { bytes } = await outcome(body, { l: [1, 2, 3] });
    expect(bodyOf(bytes).match(/w:orient="landscape"/g)).toHaveLength(3);
  });

  test("a table cell always ends in a paragraph, regardless of its last element", async () => {
    const cell = p("{{for x in l}}") + table([p("{{x}}")]) + p("{{endfor}}");
    for (const l of [[], [1], [1, 2]]) {
      const { bytes } = await outcome(table([cell]), { l });
      for (const [, last] of bodyOf(bytes).matchAll(/(<[^>]*>)<\/w:tc>/g)) {
        expect(last).toMatch(/<\/w:p>|<w:p\/>/);
      }
    }
  });
});
