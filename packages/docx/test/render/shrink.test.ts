/** Text that becomes smaller until it fits in its cell or its text box. */
import { describe, expect, test } from "vitest";
import {
  cell,
  codes,
  exactly,
  rendered,
  run,
  runs,
  runsIn,
  sized,
  TEN_WIDE,
} from "../support/shrink.ts";

describe("a value with shrink", () => {
  const tag = cell(sized("{{name :: shrink}}"));

  test("keeps its size if it fits on one line", async () => {
    const { xml, warnings } = await rendered(tag, { name: "Ann" });
    expect([runsIn(xml), warnings]).toEqual([["Ann 40"], []]);
    expect(xml).not.toContain("w:szCs");
  });

  test("takes the largest size at which it fits, in steps of half a point", async () => {
    expect(await runs(tag, { name: TEN_WIDE })).toEqual([`${TEN_WIDE} 21`]);
    const wider = '<w:tcW w:w="2816" w:type="dxa"/>';
    expect(
      await runs(cell(sized("{{name :: shrink}}"), { width: wider }), { name: TEN_WIDE }),
    ).toEqual([`${TEN_WIDE} 27`]);
  });

  test("leaves other text as it is", async () => {
    const body = cell(`<w:p>${run("A ")}${run("{{name :: shrink}} B")}</w:p>`);
    expect(await runs(body, { name: "MMMM" })).toEqual(["A  40", "MMMM 37", " B 40"]);
  });

  test("sets the size for all scripts, where the schema wants it", async () => {
    const properties = '<w:b/><w:color w:val="FF0000"/>';
    const extended = sized("{{name :: shrink}}").replace('<w:sz w:val="40"/>', "<w14:cntxtAlts/>");
    expect((await rendered(cell(extended), { name: "W".repeat(20) })).xml).toContain(
      '<w:sz w:val="12"/><w:szCs w:val="12"/><w14:cntxtAlts/></w:rPr>',
    );
    const { xml } = await rendered(cell(sized("{{name :: shrink}}", 40, properties)), {
      name: TEN_WIDE,
    });
    expect(xml).toContain(
      '<w:b/><w:color w:val="FF0000"/><w:sz w:val="21"/><w:szCs w:val="21"/></w:rPr>',
    );
  });

  test("makes the mark of its paragraph no higher than its text", async () => {
    const mark = '<w:pPr><w:jc w:val="center"/><w:rPr><w:sz w:val="40"/></w:rPr></w:pPr>';
    const body = cell(`<w:p>${mark}${run("{{name :: shrink}}")}</w:p>`);
    expect((await rendered(body, { name: TEN_WIDE })).xml).toContain(
      '<w:jc w:val="center"/><w:rPr><w:sz w:val="21"/><w:szCs w:val="21"/></w:rPr></w:pPr>',
    );
  });

  test("keeps each of its lines on one line", async () => {
    expect(await runs(tag, { name: `Ann\n${TEN_WIDE}\nB` })).toEqual([`Ann/${TEN_WIDE}/B 21`]);
  });

  test("does not care about other paragraphs of a cell that grows", async () => {
    const long = sized("a long text that is broken into lines");
    expect(await runs(cell(long + sized("{{name :: shrink}}")), { name: TEN_WIDE })).toEqual([
      "a long text that is broken into lines 40",
      `${TEN_WIDE} 21`,
    ]);
  });

  test("is as small as half of its size, but at least 6 points, with a warning", async () => {
    const name = "W".repeat(100);
    for (const [size, least] of [
      [40, 20],
      [18, 12],
      [10, 10],
    ]) {
      const { xml, warnings } = await rendered(cell(sized("{{name :: shrink}}", size)), { name });
      expect(runsIn(xml)).toEqual([`${name} ${least}`]);
      expect(warnings).toMatchObject([
        {
          code: "does_not_fit",
          message:
            "The text at the tag {{name :: shrink}} does not fit, even with the smallest size.",
          hint: expect.stringContaining("exact height"),
        },
      ]);
    }
  });

  test("takes the smallest size in points, also from the data", async () => {
    expect(await runs(cell(sized("{{name :: shrink(4)}}")), { name: "W".repeat(20) })).toEqual([
      `${"W".repeat(20)} 10`,
    ]);
    const body = cell(sized("{{name :: shrink(least)}}"));
    const { xml, warnings } = await rendered(body, { name: TEN_WIDE, least: 12 });
    expect([runsIn(xml), warnings.length]).toEqual([[`${TEN_WIDE} 24`], 1]);
    expect(await runs(body, { name: "Ann", least: 30 })).toEqual(["Ann 40"]);
  });

  test("has a condition", async () => {
    const body = cell(sized("{{name :: shrink, when(long)}}"));
    expect(await runs(body, { name: TEN_WIDE, long: false })).toEqual([`${TEN_WIDE} 40`]);
    expect(await runs(body, { name: TEN_WIDE, long: true })).toEqual([`${TEN_WIDE} 21`]);
  });

  test("has its own size in each repetition", async () => {
    const body = cell(sized("{{tablerow i in l}}{{i :: shrink}}{{endtablerow}}"));
    expect(await runs(body, { l: ["Ann", TEN_WIDE, "Bob"] })).toEqual([
      "Ann 40",
      `${TEN_WIDE} 21`,
      "Bob 40",
    ]);
  });

  test("that does not fit is reported with its places in the data", async () => {
    const wide = "W".repeat(99);
    const body = cell(sized("{{tablerow i in l}}{{i.name :: shrink}}{{endtablerow}}"));
    const { warnings } = await rendered(body, {
      l: [{ name: wide }, { name: "b" }, { name: wide }],
    });
    expect(warnings).toMatchObject([
      { code: "does_not_fit", pointers: ["/l/0/name", "/l/2/name"], count: 2 },
    ]);
    const ofCell = body.replace(":: shrink}}", "}}{{cell :: shrink}}");
    expect((await rendered(ofCell, { l: [{ name: wide }] })).warnings).toMatchObject([
      { code: "does_not_fit", pointer: "/l/0/name" },
    ]);
    const inner = cell(sized("{{for i in l}}{{i :: shrink}}{{endfor}}"));
    const [warning] = (await rendered(inner, { l: [wide] })).warnings;
    expect([warning?.code, warning?.pointer]).toEqual(["does_not_fit", undefined]);
  });

  test("shrinks together with the other such values of its cell", async () => {
    const body = cell(sized("{{a :: shrink}}") + sized("{{b :: shrink}}", 20));
    expect(await runs(body, { a: TEN_WIDE, b: "b" })).toEqual([`${TEN_WIDE} 21`, "b 12"]);
  });

  test("knows the width of a column that repeats", async () => {
    const body = cell(sized("{{tablecolumn i in l}}{{i :: shrink(4)}}{{endtablecolumn}}"));
    expect(await runs(body, { l: [TEN_WIDE] })).toEqual([`${TEN_WIDE} 21`]);
    const [first] = await runs(body, { l: [TEN_WIDE, "b"] });
    expect(first).toBe(`${TEN_WIDE} 9`);
  });

  test("may be missing, empty, or a number", async () => {
    const body = cell(sized("{{a :: shrink, optional}}{{b :: shrink}}{{c :: shrink}}"));
    expect(await runs(body, { b: "", c: 5 })).toEqual([" 40", " 40", "5 40"]);
  });

  test("with a delimiter that a later item decides has a warning", async () => {
    const body = cell(sized('{{tablerow i in l}}{{i :: shrink, delimiter(";")}}{{endtablerow}}'));
    const { xml, warnings } = await rendered(body, { l: ["a", "b"] });
    expect(runsIn(xml)).toEqual(["a; 40", "b 40"]);
    expect(warnings).toMatchObject([{ code: "size_estimated" }]);
  });
});

describe("a row of an exact height", () => {
  const words = "seven words that need two whole lines";

  test("lets the text have several lines, as many as there is room for", async () => {
    const body = (height: number): string =>
      cell(sized("{{text :: shrink(4)}}", 24), { row: exactly(height) });
    const sizes = [];
    for (const height of [2_000, 800, 600, 400]) {
      const [found = ""] = await runs(body(height), { text: words });
      sizes.push(Number(found.split(" ").at(-1)));
    }
    expect(sizes).toEqual([24, 23, 21, 17]);
  });

  test("counts the lines and spaces of all paragraphs", async () => {
    const spaced = (text: string): string =>
      sized(text, 24).replace(
        "<w:p>",
        '<w:p><w:pPr><w:spacing w:after="100" w:line="480"/></w:pPr>',
      );
    const body = cell(spaced("label") + spaced("{{text :: shrink(4)}}"), { row: exactly(1_100) });
    // The lines of the label take 552, the space 100: 448 are left.
    expect(await runs(body, { text: "text" })).toEqual(["label 24", "text 19"]);
  });

  test("is not wide enough for a word that would be broken", async () => {
    const body = cell(sized("{{text :: shrink}}"), { row: exactly(4_000) });
    expect(await runs(body, { text: `a ${TEN_WIDE}` })).toEqual([`a ${TEN_WIDE} 21`]);
  });

  test("with at least a height grows, so that each paragraph is one line", async () => {
    const row = '<w:trPr><w:trHeight w:val="4000"/></w:trPr>';
    const [text] = await runs(cell(sized("{{text :: shrink(1)}}"), { row }), { text: words });
    expect(text).toBe(`${words} 11`);
  });
});

describe("a tag for all text of a cell", () => {
  test("makes all of it smaller in the same ratio", async () => {
    const body = cell(
      sized("{{cell :: shrink}}{{name}}") + sized("static", 20) + sized("<w:t/>", 30),
    );
    expect(await runs(body, { name: TEN_WIDE })).toEqual([`${TEN_WIDE} 21`, "static 12", " 15"]);
  });

  test("also shrinks rich text, links and empty paragraphs", async () => {
    const body = cell(`${sized("{{cell :: shrink(1)}}{{text :: html}}")}<w:p/>`, {
      row: exactly(700),
    });
    const { xml, warnings } = await rendered(body, {
      text: "<p>one</p><p>two <b>three</b></p><p>four</p>",
    });
    expect(warnings).toEqual([]);
    const sizes = new Set(runsIn(xml).map((each) => each.split(" ").at(-1)));
    expect([...sizes]).toEqual(["20"]);
    expect(xml).toContain('<w:p><w:pPr><w:rPr><w:sz w:val="');
  });

  test("has a condition with the values at its place", async () => {
    const body = cell(sized("{{cell :: shrink, when(long)}}{{name}}"));
    expect(await runs(body, { name: TEN_WIDE, long: false })).toEqual([`${TEN_WIDE} 40`]);
    expect(await runs(body, { name: TEN_WIDE, long: true })).toEqual([`${TEN_WIDE} 21`]);
  });

  test("of several, the last that applies counts", async () => {
    const body = cell(sized("{{cell :: shrink(15)}}{{cell :: shrink(5), when(small)}}{{name}}"));
    expect(await codes(body, { name: TEN_WIDE, small: false })).toEqual(["does_not_fit"]);
    expect(await runs(body, { name: TEN_WIDE, small: true })).toEqual([`${TEN_WIDE} 21`]);
  });
});
