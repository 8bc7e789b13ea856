import { type Diagnostic, isQuireError } from "@quire/contracts";
import { describe, expect, test } from "vitest";
import { docx, linesOf, p, partOf } from "../../../ooxml/test/support/docx.ts";
import { annotateTemplate, compileTemplate } from "../../src/index.ts";
import { type AddedPart, withFile, withParts } from "../support/add-parts.ts";
import { CHART, chart, SMART_ART, smartArt } from "../support/figures.ts";

const PART = "word/charts/chart1.xml";
const text = (value: string): string =>
  `<c:title><c:tx><c:rich><a:p><a:r><a:t>${value}</a:t></a:r></a:p></c:rich></c:tx></c:title>`;

function withChart(xml: string, body = CHART, ...others: readonly AddedPart[]): Uint8Array {
  return withParts(docx({ body }), [chart(xml), ...others]);
}

async function problemsOf(file: Uint8Array): Promise<readonly Diagnostic[]> {
  const error: unknown = await compileTemplate(file).catch((reason: unknown) => reason);
  return isQuireError(error) ? error.diagnostics : [];
}

const loop = (inner: string): string => p("{{for x in xs}}") + inner + p("{{endfor}}");

describe("a chart", () => {
  test("without a tag is copied byte for byte", async () => {
    const xml = `<c:title><!-- as it is --></c:title><c:f>{"a","b"}</c:f>`;
    const template = await compileTemplate(withChart(xml, CHART + p("{{v}}")));
    const { bytes } = template.render({ v: 1 });
    expect(partOf(bytes, PART)).toBe(chart(xml).xml);
  });

  test("keeps its numbers when its title is filled", async () => {
    const numbers =
      '<c:val><c:numRef><c:f>S!$B$2</c:f><c:numCache><c:formatCode>0.0</c:formatCode><c:pt idx="0"><c:v>4.3</c:v></c:pt></c:numCache></c:numRef></c:val>';
    const { bytes } = (await compileTemplate(withChart(text("{{v}}") + numbers))).render({
      v: "T",
    });
    expect(partOf(bytes, PART)).toContain(text("T") + numbers);
  });

  test("accepts tags after empty numbers", async () => {
    const file = withChart(
      `<c:numCache x="1"/><c:strCache><c:pt idx="0"><c:v>{{v}}</c:v></c:pt></c:strCache><c:numCache><c:pt idx="0"><c:v>1</c:v></c:pt></c:numCache>`,
    );
    const { bytes } = (await compileTemplate(file)).render({ v: "T" });
    expect(partOf(bytes, PART)).toContain("<c:v>T</c:v>");
  });

  test("accepts modifiers, and prints rich text as plain text", async () => {
    const template = await compileTemplate(withChart(text("{{v :: uppercase}} {{h :: html}}")));
    const { bytes, warnings } = template.render({ v: "north\nwest", h: "<p>a <b>b</b></p>" });
    expect(partOf(bytes, PART)).toContain("<a:t>NORTH WEST a b</a:t>");
    expect(warnings.map(({ code }) => code)).toEqual(["flattened_markup"]);
  });

  test("rejects pictures", async () => {
    const template = await compileTemplate(withChart(text("{{v}}")));
    const image =
      "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    const found = template.check({ v: image });
    expect(found[0]?.message).toContain("is a picture, which cannot be printed here");
  });

  test("rejects blocks", async () => {
    const problems = await problemsOf(withChart(text("{{if v}}a{{endif}}")));
    expect(problems.map(({ code }) => code)).toEqual(["tag_out_of_text", "tag_out_of_text"]);
    expect(problems[0]?.template?.part).toBe(PART);
  });

  test("reports a tag that is not closed within its paragraph", async () => {
    for (const xml of [text("a {{v b"), text("{{v") + text("}}")]) {
      const [problem] = await problemsOf(withChart(xml));
      expect(problem?.code).toBe("unclosed_tag");
    }
  });

  test("reports what looks like a tag", async () => {
    const { warnings } = await compileTemplate(withChart(text("{{v}} {name}")));
    expect(warnings.map(({ code, template }) => [code, template?.part])).toEqual([
      ["looks_like_tag", PART],
    ]);
  });

  test("can have a link with a tag in its address", async () => {
    const link = '<a:p><a:r><a:rPr><a:hlinkClick r:id="rIdLink"/></a:rPr><a:t>x</a:t></a:r></a:p>';
    const file = withChart(link, CHART, {
      name: "word/embeddings/none.txt",
      xml: "",
      type: "text/plain",
      kind: "package",
      id: "rIdOther",
      owner: PART,
    });
    const relationships = "word/charts/_rels/chart1.xml.rels";
    const hyperlink =
      '<Relationship Id="rIdLink" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" Target="https://example.com/%7B%7Bv%7D%7D" TargetMode="External"/></Relationships>';
    const linked = withFile(file, relationships, (xml) =>
      xml.replace("</Relationships>", hyperlink),
    );
    const { bytes } = (await compileTemplate(linked)).render({ v: "a b" });
    expect(partOf(bytes, relationships)).toContain('Target="https://example.com/a%20b"');
    expect(partOf(bytes, relationships)).toContain("rIdOther");
  });

  test("counts towards the limit for text", async () => {
    const file = withChart(text(`{{v}}${"x".repeat(5_000)}`));
    const limited = compileTemplate(file, { limits: { textBytes: 4_000 } });
    await expect(limited).rejects.toMatchObject({ code: "limit_exceeded" });
  });

  test.each(["x", "{{v}}"])("with broken XML is rejected: content %s", async (value) => {
    const broken: AddedPart = {
      ...chart(""),
      xml: `<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:v>&nothing;${value}</c:v></c:chartSpace>`,
    };
    const file = withParts(docx({ body: CHART }), [broken]);
    await expect(compileTemplate(file)).rejects.toMatchObject({ code: "invalid_template" });
  });
});

describe("a chart in a loop", () => {
  test("is shared by all repetitions if it contains no tag", async () => {
    const template = await compileTemplate(withChart(text("x"), loop(CHART)));
    const { bytes } = template.render({ xs: [1, 2] });
    expect(partOf(bytes).match(/r:id="rIdChart"/g)).toHaveLength(2);
  });

  test("is filled between the tags of a condition, and next to a loop", async () => {
    const body = `${p("{{if v}}")}${CHART}${p("{{endif}}")}${loop(p("{{x}}"))}`;
    const { bytes } = (await compileTemplate(withChart(text("{{v}}"), body))).render({
      v: "T",
      xs: [1, 2],
    });
    expect(partOf(bytes, PART)).toContain("<a:t>T</a:t>");
    expect(linesOf(bytes)).toEqual(["", "1", "2"]);
  });
});

describe("SmartArt in a loop", () => {
  const run = (value: string): string => `<a:r><a:t>${value}</a:t></a:r>`;

  test("is rejected for both of its parts", async () => {
    const file = withParts(docx({ body: loop(SMART_ART) }), smartArt(run("{{v}}")));
    const problems = await problemsOf(file);
    expect(problems.map(({ code, template }) => [code, template?.part])).toEqual([
      ["tag_in_looped_drawing", "word/diagrams/data1.xml"],
      ["tag_in_looped_drawing", "word/diagrams/drawing1.xml"],
    ]);
  });
});

test("problems of a chart are comments at the start of an annotated copy", async () => {
  const file = withChart(text("{{if v}}"));
  const bytes = await annotateTemplate(file, await problemsOf(file));
  expect(partOf(bytes, "word/comments.xml")).toContain(
    "In the chart chart1.xml, near &apos;{{if v}}&apos;: ".replaceAll("&apos;", "'"),
  );
});
