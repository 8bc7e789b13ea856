import { describe, expect, test } from "vitest";
import { p, r, table } from "../../../ooxml/test/support/docx.ts";
import { outcome, printedBody } from "../support/language.ts";

async function codes(body: string): Promise<string[]> {
  const { error, warnings } = await outcome(body, { l: [], m: [], a: 1 });
  expect(error).toBe("invalid_template");
  for (const { severity, message, hint } of warnings) {
    expect(severity).toBe("error");
    expect(message).toMatch(/\.$/);
    if (hint !== undefined) expect(hint.length).toBeGreaterThan(0);
  }
  return warnings.map(({ code }) => code);
}

describe("an unclosed or unopened block", () => {
  test.each([
    ["{{for x in l}}", "unclosed_block"],
    ["{{if a}}", "unclosed_block"],
    ["{{if a}}x{{else}}y", "unclosed_block"],
    ["{{#l}}", "unclosed_block"],
    ["{{^l}}", "unclosed_block"],
    ["{{endfor}}", "unopened_block"],
    ["{{endif}}", "unopened_block"],
    ["{{else}}", "unopened_block"],
    ["{{elseif a}}", "unopened_block"],
    ["{{/l}}", "unopened_block"],
    ["{{/}}", "unopened_block"],
    ["{{endtablerow}}", "unopened_block"],
    ["{{endtablecolumn}}", "unopened_block"],
    ["{{#l}}{{/l}}{{/l}}", "unopened_block"],
    ["{{for x in l}}{{else}}{{endfor}}", "unopened_block"],
    ["{{if a}}1{{else}}2{{else}}3{{endif}}", "branch_after_else"],
    ["{{if a}}1{{else}}2{{elseif a}}3{{endif}}", "branch_after_else"],
  ])("in %s is %s", async (text, code) => {
    expect(await codes(p(text))).toEqual([code]);
  });
});

describe("blocks that cross", () => {
  test.each([
    "{{for x in l}}{{if a}}{{endfor}}{{endif}}",
    "{{if a}}{{for x in l}}{{endif}}{{endfor}}",
    "{{#l}}{{#m}}{{/l}}{{/m}}",
    "{{#l}}{{for x in m}}{{/l}}{{endfor}}",
    "{{for x in m}}{{#l}}{{endfor}}{{/l}}",
    "{{#l}}{{if a}}{{/}}{{endif}}",
    "{{if a}}{{#l}}{{endif}}{{/}}",
  ])("in %s are reported", async (text) => {
    expect(await codes(p(text))).toContain("crossed_block");
  });

  test.each([
    "{{#l}}x{{/m}}",
    "{{#l}}x{{endfor}}",
    "{{for x in l}}x{{/l}}",
    "{{for x in l}}x{{/}}",
    "{{if a}}x{{/if}}",
    "{{if a}}x{{endfor}}",
    "{{for x in l}}x{{endif}}",
    "{{for x in l}}x{{endtablerow}}",
    "{{for x in l}}x{{end}}",
    "{{if a}}x{{end if}}",
    "{{#if a}}x{{/if}}",
    "{{#for x in l}}x{{/for}}",
    "{{#each l}}x{{/each}}",
    "{{#l}}x{{else}}y{{/l}}",
  ])("with a wrong end are reported: %s", async (text) => {
    expect((await codes(p(text))).length).toBeGreaterThan(0);
  });
});

describe("blocks across structures", () => {
  test.each([
    ["across the border of a cell", table([p("{{for x in l}}a"), p("b{{endfor}}")])],
    ["an if across the border of a cell", table([p("{{if a}}a"), p("b{{endif}}"), p("c")])],
    ["into a table", p("{{for x in l}}") + table([p("{{endfor}}")])],
    ["out of a table", table([p("{{#l}}")]) + p("{{/l}}")],
    [
      "across rows of two tables",
      table([p("{{tablerow x in l}}a")]) + table([p("b{{endtablerow}}")]),
    ],
    ["a tablerow outside of a table", p("{{tablerow x in l}}a{{endtablerow}}")],
    ["a tablecolumn outside of a table", p("{{tablecolumn x in l}}a{{endtablecolumn}}")],
    [
      "into a text box",
      `${p("{{if a}}")}<w:p><w:r><w:pict><w:txbxContent>${p("{{endif}}")}</w:txbxContent></w:pict></w:r></w:p>`,
    ],
    [
      "across the border of a row's loop",
      table([p("{{tablerow x in l}}{{if a}}"), p("{{endif}}{{endtablerow}}")], [p("c"), p("d")]),
    ],
  ])("%s are template errors", async (_what, body) => {
    const { error, lines } = await outcome(body, { l: [1, 2], a: 1 });
    // An `if` around all cells of a row may show the row, but must not break it.
    if (error === null)
      for (const line of lines) expect(line.split(" | ").length).toBeGreaterThan(1);
    else expect(error).toBe("invalid_template");
  });
});

describe("a malformed tag", () => {
  test.each([
    "{{for}}",
    "{{for x}}",
    "{{for x of l}}",
    "{{for x in}}",
    "{{for in l}}",
    "{{for x in l + m}}",
    "{{for x in [1, 2]}}",
    "{{for x.y in l}}",
    "{{for x in l :: uppercase}}",
    "{{for 1 in l}}",
    "{{endfor x}}",
    "{{endif a}}",
    "{{else a}}",
    "{{#}}",
    "{{^}}",
    "{{a..b}}",
    "{{.a.}}",
    "{{a.}}",
    "{{a[}}",
    "{{a[0}}",
    "{{a[x}}",
    "{{a[]}}",
    "{{a['x]}}",
    "{{a b}}",
    "{{a?b}}",
    "{{a = 1}}",
    "{{a => a}}",
    "{{a`x`}}",
    "{{a;b}}",
    "{{new Date()}}",
    "{{a.b.c()}}",
    "{{(a)}",
    "{{#l | filter}}",
    "{{a | upper}}",
  ])("%s is reported, and nothing is rendered", async (text) => {
    expect((await outcome(p(text), {})).error).toBe("invalid_template");
  });

  test.each([
    ["{{ednfor}}", "{{for x in l}}x{{ednfor}}"],
    ["{{esle}}", "{{if a}}x{{esle}}y{{endif}}"],
    ["{{fro x in l}}", "{{fro x in l}}x{{endfor}}"],
    ["{{elsif b}}", "{{if a}}{{elsif b}}{{endif}}"],
  ])("%s is never read as a value", async (_tag, text) => {
    const { error, warnings } = await outcome(p(text), { a: 1, l: [1] });
    expect(error !== null || warnings.some(({ severity }) => severity === "error")).toBe(true);
  });

  test("is reported with the text around it, its part, its paragraph and its cell", async () => {
    const body =
      `<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr>${r("Chapter")}</w:p>` +
      p("first") +
      table([p("a"), p("some text {{b..c}} after")]);
    const { warnings } = await outcome(body, {});
    expect(warnings).toHaveLength(1);
    expect(warnings[0]?.template).toMatchObject({
      part: "word/document.xml",
      tag: "{{b..c}}",
      paragraph: 4,
      table: 1,
      row: 1,
      cell: 2,
      near: "some text {{b..c}} after",
    });
    expect(warnings[0]?.code).toMatch(/^[a-z_]+$/);
  });
});

describe("template errors", () => {
  test("are all reported at once, and nothing is rendered", async () => {
    const body =
      p("{{for x in l}}") +
      p("{{a :: upercase}}") +
      p("{{if}}") +
      p("{{endfor}}") +
      p("{{b..c}}") +
      p("{{/z}}") +
      table([p("{{$foo(x)}}"), p("{{endtablerow}}")]) +
      p("{{x") +
      p("y}}");
    const { error, warnings } = await outcome(body, {});
    expect(error).toBe("invalid_template");
    const near = warnings
      .map(({ template, message }) => `${template?.tag ?? ""}${template?.near ?? ""}${message}`)
      .join("\n");
    for (const each of ["upercase", "{{if}}", "b..c", "{{/z}}", "$foo", "{{endtablerow}}", "{{x"]) {
      expect(near).toContain(each);
    }
  });

  test("across cells and of columns are reported together with others", async () => {
    const body =
      table([p("a{{for x in l}}b"), p("c{{endfor}}d"), p("e")]) +
      table([p("{{tablerow x in l}}")], [p("{{endtablerow}}{{a :: nope}}")]) +
      p("{{tablecolumn x in l}}{{endtablecolumn}}") +
      p("{{tablerow x in l}}{{endtablerow}}");
    const { warnings } = await outcome(body, {});
    const tags = warnings.map(({ template }) => template?.tag);
    expect(tags).toContain("{{for x in l}}");
    expect(tags).toContain("{{a :: nope}}");
    expect(tags).toContain("{{tablecolumn x in l}}");
    expect(tags).toContain("{{tablerow x in l}}");
  });

  test("of structure do not hide errors across cells", async () => {
    const body = p("{{endif}}") + table([p("a{{for x in l}}b"), p("c{{endfor}}d"), p("e")]);
    const tags = (await outcome(body, {})).warnings.map(({ template }) => template?.tag);
    expect(tags).toContain("{{endif}}");
    expect(tags).toContain("{{for x in l}}");
  });

  test("are reported once for each mistake", async () => {
    expect((await outcome(p("{{for x of l}}{{x}}{{endfor}}"), {})).warnings).toHaveLength(1);
    expect((await outcome(p("{{if a = b}}x{{else}}y{{endif}}"), {})).warnings).toHaveLength(1);
    expect((await outcome(p("{{#l | f}}x{{/l | f}}"), {})).warnings).toHaveLength(1);
  });

  test("name the nearest section for a misspelled end", async () => {
    const { warnings } = await outcome(p("{{#items}}x{{/itmes}}"), {});
    expect(warnings.map(({ hint }) => hint).join()).toContain("{{/items}}");
  });
});

describe("loop variables outside of every loop", () => {
  test.each(["{{$index}}", "{{$number + 1}}", "{{if $first}}x{{endif}}", "{{#$last}}x{{/}}"])(
    "%s is a template error",
    async (text) => {
      expect(await printedBody(p(text), {})).toMatch(/^invalid_template/);
    },
  );

  test("in a section over an object never print undefined", async () => {
    expect(await printedBody(p("{{#o}}{{$index}}{{/o}}"), { o: { a: 1 } })).not.toContain(
      "undefined",
    );
  });
});
