import { describe, expect, test } from "vitest";
import { openPackage } from "../../../ooxml/src/open.ts";
import { docx, linesOf, p, table } from "../../../ooxml/test/support/docx.ts";
import { compileParts } from "../../src/compile-parts.ts";
import { compileTemplate } from "../../src/index.ts";
import { sampleOf } from "../../src/inspect/sample.ts";
import { shapeOf } from "../../src/inspect/shape.ts";
import { outcome } from "../support/language.ts";

const FILES: Readonly<Record<string, string>> = {
  "rent.docx": p("Rent of {{c.name}}"),
  "sale.docx": p("Sale") + p("{{if c.name}}") + p("of {{c.name}}") + p("{{endif}}"),
  "none.docx": p('{{include c.more in ["rent.docx", "sale.docx"]}}'),
};

async function readTemplate(name: string): Promise<Uint8Array> {
  const body = FILES[name];
  if (body === undefined) throw new Error("The file does not exist.");
  return docx({ body });
}

const TAG = '{{include c.file in ["rent.docx", "sale.docx", "none.docx"]}}';
const LOOP = p("{{for c in clauses}}") + p(TAG) + p("{{endfor}}");

describe("an include with several templates", () => {
  test("includes the template that the value names, for each item", async () => {
    const clauses = [
      { file: "sale.docx", name: "A" },
      { file: "rent.docx", name: "B" },
      { file: "none.docx", more: "sale.docx", name: "C" },
    ];
    const { lines, warnings } = await outcome(LOOP, { clauses }, { readTemplate });
    expect(lines).toEqual(["Sale", "of A", "Rent of B", "Sale", "of C"]);
    expect(warnings).toEqual([]);
  });

  test("works in a cell of a table", async () => {
    const body = table([p(TAG), p("next")]);
    const { lines } = await outcome(
      body,
      { c: { file: "rent.docx", name: "B" } },
      { readTemplate },
    );
    expect(lines).toEqual(["Rent of B | next"]);
  });

  test.each([
    ["another name", { file: "other.docx", name: "A" }],
    ["a path", { file: "../rent.docx", name: "A" }],
    ["a missing name", { name: "A" }],
    ["a number", { file: 1, name: "A" }],
  ])("is an error with %s", async (_what, clause) => {
    const { error, warnings } = await outcome(LOOP, { clauses: [clause] }, { readTemplate });
    expect(error).toBe("invalid_data");
    expect(warnings.map(({ message }) => message)).toContain(
      `The value for the tag ${TAG} is missing, or is not one of the templates.`,
    );
  });

  test.each([
    ["{{include c.file in []}}", "The templates after 'in' are different names in quotes."],
    ["{{include c.file in [rent]}}", "The templates after 'in' are different names in quotes."],
    ['{{include c.file in ["a", "a"]}}', "The templates after 'in' are different names in quotes."],
    ['{{include c.file in ["a"] x}}', "'x' is not expected here."],
  ])("%s is an error of the template", async (tag, message) => {
    const { error, warnings } = await outcome(p(tag), {}, { readTemplate });
    expect(error).toBe("invalid_template");
    expect(warnings.map((each) => each.message)).toContain(message);
  });

  test("must be alone in its paragraph", async () => {
    const { warnings } = await outcome(p(`See ${TAG}`), {}, { readTemplate });
    expect(warnings.map(({ code }) => code)).toEqual(["include_not_alone"]);
  });

  test("reports a template that does not exist, although the data may never name it", async () => {
    const { error, warnings } = await outcome(
      p('{{include file in ["rent.docx", "gone.docx"]}}'),
      { file: "rent.docx" },
      { readTemplate },
    );
    expect(error).toBe("invalid_template");
    expect(warnings.map(({ code }) => code)).toEqual(["include_failed"]);
  });

  test("has sample data that names one of the templates", async () => {
    const bytes = docx({ body: LOOP });
    const parts = await compileParts(await openPackage(bytes), { readTemplate });
    const sample = sampleOf(shapeOf(parts));
    const template = await compileTemplate(bytes, { readTemplate });
    expect(
      linesOf(template.render(sample as Record<string, unknown>, {}).bytes).length,
    ).toBeGreaterThan(0);
  });
});
