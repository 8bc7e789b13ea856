import { describe, expect, test } from "vitest";
import { bodyOf, p } from "../../../ooxml/test/support/docx.ts";
import { outcome } from "../support/language.ts";

const first = '<w:vMerge w:val="restart"/>';
const further = "<w:vMerge/>";

function row(merge: string, text: string, other = "x"): string {
  const cells = `<w:tc><w:tcPr>${merge}</w:tcPr>${p(text)}</w:tc><w:tc>${p(other)}</w:tc>`;
  return `<w:tr>${cells}</w:tr>`;
}

function table(...rows: readonly string[]): string {
  return `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol/><w:gridCol/></w:tblGrid>${rows.join("")}</w:tbl>`;
}

function tags(tag: string): string {
  return row("", tag, "");
}

/** Returns the text of each row's first cell: `A` begins merged cells, `+A` continues them, `.A` is not merged. */
async function groups(body: string, data: Record<string, unknown>): Promise<string> {
  const { bytes } = await outcome(body, data);
  const rows = [...bodyOf(bytes).matchAll(/<w:tr>.*?<\/w:tc>/gs)].map(([cell]) => {
    const text = [...cell.matchAll(/<w:t[^>]*>([^<]*)</g)].map(([, each]) => each).join("");
    const sign = cell.includes(first) ? "" : cell.includes("<w:vMerge") ? "+" : ".";
    return `${sign}${text}`;
  });
  return rows.join(" ");
}

describe("cells merged down a column", () => {
  const conditional = table(
    row(first, "A"),
    row(further, "a"),
    row(first, "{{if head}}B", "y{{endif}}"),
    row(further, "b"),
    row(further, "c"),
  );

  test("begin with the first remaining row if a condition removes their first row", async () => {
    expect(await groups(conditional, { head: true })).toBe("A +a B +b +c");
    expect(await groups(conditional, { head: false })).toBe("A +a b +c");
  });

  test("remain merged if a condition removes a row in the middle", async () => {
    const body = table(row(first, "A"), row(further, "{{if on}}a", "{{endif}}"), row(further, "b"));
    expect(await groups(body, { on: false })).toBe("A +b");
    expect(await groups(body, { on: true })).toBe("A +a +b");
  });

  test("continue below the branch of a block that begins them", async () => {
    const body = table(
      tags("{{if a}}"),
      row(first, "A"),
      row(further, "a"),
      tags("{{else}}"),
      row(first, "B"),
      tags("{{endif}}"),
      row(further, "c"),
    );
    expect(await groups(body, { a: true })).toBe("A +a +c");
    expect(await groups(body, { a: false })).toBe("B +c");
  });

  test("continue below the condition that begins them", async () => {
    const body = table(
      row("", "head"),
      row(first, "{{if a}}A", "{{endif}}"),
      row(first, "{{if b}}B", "{{endif}}"),
      row(further, "c"),
    );
    expect(await groups(body, { a: true, b: false })).toBe(".head A +c");
    expect(await groups(body, { a: false, b: true })).toBe(".head B +c");
    expect(await groups(body, { a: false, b: false })).toBe(".head c");
  });

  test("begin and continue in the iterations of a loop according to its conditions", async () => {
    const body = table(
      tags("{{for x in list}}{{if x.new}}"),
      row(first, "{{x.t}}"),
      tags("{{else}}"),
      row(further, "{{x.t}}"),
      tags("{{endif}}{{endfor}}"),
    );
    const list = [
      { new: true, t: 1 },
      { new: false, t: 2 },
      { new: true, t: 3 },
      { new: false, t: 4 },
    ];
    expect(await groups(body, { list })).toBe("1 +2 3 +4");
    expect(await groups(body, { list: list.slice(1) })).toBe("2 3 +4");
  });

  test("continue in the next iteration if the last row of a loop begins them", async () => {
    const body = table(
      tags("{{for x in list}}{{if not x.new}}"),
      row(further, "{{x.t}}"),
      tags("{{else}}"),
      row(first, "{{x.t}}"),
      tags("{{endif}}{{endfor}}"),
    );
    const list = [
      { new: true, t: 1 },
      { new: false, t: 2 },
    ];
    expect(await groups(body, { list })).toBe("1 +2");
  });

  test("of one table do not depend on the previous table in a loop", async () => {
    const inner = table(row(first, "{{if x}}A", "{{endif}}"), row(further, "b"));
    const body = p("{{for x in list}}") + inner + p("between") + p("{{endfor}}");
    expect(await groups(body, { list: [true, false] })).toBe("A +b b");
  });

  test("begin below a loop without iterations", async () => {
    const body = table(
      row(first, "A"),
      row(first, "{{tablerow x in list}}{{x}}", "{{endtablerow}}"),
      row(further, "b"),
    );
    expect(await groups(body, { list: [1] })).toBe("A 1 +b");
    expect(await groups(body, { list: [] })).toBe("A b");
  });
});
