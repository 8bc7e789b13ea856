import fc from "fast-check";
import { expect, test } from "vitest";
import { manyRuns } from "../../../contracts/test/support/runs.ts";
import { bodyOf, docx, p, r, table } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../src/index.ts";

/** The text of each paragraph of a template. A table row has bars between its cells. */
const TEMPLATE = [
  "Dear {{customer.name}},",
  "{{for item in items}}",
  '{{item.name}}: {{item.note :: default("none")}}{{if item.price > 5}} (dear){{else}} (cheap){{endif}}',
  "{{endfor}}",
  "All: {{for item in items}}{{item.name :: delimiter(“, ”)}}{{endfor}}. {{unknown.value}}",
  "{{if items isPresent}}{{for item in items}}{{item.name}}",
  "{{endfor}}{{endif}}Bye",
];

const DATA = {
  customer: { name: "A & B\nLtd" },
  items: [
    { name: "Pen", price: 2, note: "n" },
    { name: "Ink", price: 9 },
  ],
};

/** XML that Word leaves between two runs, without text. */
const NOISE = [
  "",
  '<w:proofErr w:type="spellStart"/>',
  "<w:r><w:lastRenderedPageBreak/></w:r>",
  "<w:r><w:t></w:t></w:r>",
  '<w:bookmarkStart w:id="7" w:name="x"/><w:bookmarkEnd w:id="7"/>',
];

/** One paragraph, cut at the given positions, with each piece in a separate run. */
function split(text: string, cuts: readonly number[], noise: readonly number[]): string {
  const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
  const pieces = [0, ...places].map((from, index) =>
    text.slice(from, places[index] ?? text.length),
  );
  const xml = pieces.map(
    (piece, index) => r(piece) + (NOISE[(noise[index] ?? 0) % NOISE.length] ?? ""),
  );
  return `<w:p>${xml.join("")}</w:p>`;
}

/** Returns the text of each paragraph, and its line breaks. */
function shape(bytes: Uint8Array): string {
  return bodyOf(bytes)
    .replace(/<w:br\/>/g, "⏎")
    .replace(/<\/w:p>/g, "¶")
    .replace(/<[^>]*>/g, "");
}

test("a template split over runs anywhere renders to the same text", async () => {
  const rows = (line: string): string => table([p("{{tablerow i in items}}{{i.name}}"), line]);
  const whole = await compileTemplate(
    docx({
      body: TEMPLATE.map((text) => p(text)).join("") + rows(p("{{i.price}}{{endtablerow}}")),
    }),
  );
  const expected = shape(whole.render(DATA).bytes);
  expect(expected).toContain(
    "Dear A &amp; B⏎Ltd,¶Pen: n (cheap)¶Ink: none (dear)¶All: Pen, Ink. {{unknown.value}}¶Pen¶Ink¶Bye¶",
  );
  const cuts = fc.array(fc.nat(200), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(cuts, fc.array(fc.nat(50), { maxLength: 21 })), {
        minLength: 8,
        maxLength: 8,
      }),
      async (plan) => {
        const body = TEMPLATE.map((text, index) =>
          split(text, plan[index]?.[0] ?? [], plan[index]?.[1] ?? []),
        ).join("");
        const last = split("{{i.price}}{{endtablerow}}", plan[7]?.[0] ?? [], plan[7]?.[1] ?? []);
        const template = await compileTemplate(docx({ body: body + rows(last) }));
        expect(shape(template.render(DATA).bytes)).toBe(expected);
      },
    ),
    { numRuns: manyRuns(30, 1_000) },
  );
});

test("the output of a tag takes the formatting of the tag's first character, wherever the rest is split", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 15 }), { minLength: 1, maxLength: 10 }),
      async (cuts) => {
        const text = "{{customer.name}}";
        const places = [...new Set(cuts)].sort((a, b) => a - b);
        const pieces = [0, ...places].map((from, index) =>
          text.slice(from, places[index] ?? text.length),
        );
        const xml = pieces
          .map((piece, index) => r(piece, index === 0 ? "<w:b/>" : "<w:i/>"))
          .join("");
        const template = await compileTemplate(docx({ body: `<w:p>${xml}${r(" end")}</w:p>` }));
        expect(bodyOf(template.render({ customer: { name: "Ann" } }).bytes)).toBe(
          '<w:p><w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve">Ann</w:t></w:r><w:r><w:t xml:space="preserve"> end</w:t></w:r></w:p>',
        );
      },
    ),
    { numRuns: manyRuns(40, 400) },
  );
});
