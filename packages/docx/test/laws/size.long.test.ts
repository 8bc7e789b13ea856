import { expect, test } from "vitest";
import { p, partOf, r, table } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../src/index.ts";
import { wordFile } from "../support/word-file.ts";

/** Returns the length of the main part in characters, and the number of marks in it. */
function measured(xml: string, mark: string): { readonly length: number; readonly marks: number } {
  return { length: xml.length, marks: xml.split(mark).length - 1 };
}

const NUMBERED = '<w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>';
const NUMBERING =
  '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>';

test.each([
  [
    "rows",
    table([p("{{tablerow i in l}}{{i.a}}"), p('{{i.b :: number("0.00")}}{{endtablerow}}')]),
    "<w:tr>",
  ],
  ["rows of a section", table([p("{{#l}}{{a}}"), p("{{b}}{{/l}}")]), "<w:tr>"],
  [
    "paragraphs",
    p("{{for i in l}}") + p("{{i.a}}: {{i.b}}{{if i.b}}!{{endif}}") + p("{{endfor}}"),
    "<w:p>",
  ],
  [
    "items of a list",
    `${p("{{for i in l}}")}<w:p>${NUMBERED}${r("{{i.a}}")}</w:p>${p("{{endfor}}")}`,
    "<w:numPr>",
  ],
  ["texts in one paragraph", p("{{for i in l}}{{i.a}}{{endfor}}"), "item"],
])(
  "the length of a document with 100,000 %s grows linearly",
  async (_name, body, mark) => {
    const template = await compileTemplate(
      wordFile({ body: `${body}<w:p/>`, parts: { "numbering.xml": NUMBERING } }),
    );
    const of = (count: number): ReturnType<typeof measured> => {
      // All items print the same number of characters.
      const l = Array.from({ length: count }, () => ({ a: "item", b: 1.5 }));
      return measured(partOf(template.render({ l }).bytes), mark);
    };
    const [none, some, many] = [of(1_000), of(20_000), of(100_000)];
    expect(many.marks).toBe(100_000);
    const perItem = (some.length - none.length) / 19_000;
    expect(many.length).toBe(some.length + perItem * 80_000);
  },
  60_000,
);
