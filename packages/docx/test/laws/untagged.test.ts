import PizZip from "pizzip";
import { describe, expect, test } from "vitest";
import { p, r } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../src/index.ts";
import { render } from "../support/render.ts";
import { wordFile } from "../support/word-file.ts";

/** Returns the bytes of each part. */
function contents(bytes: Uint8Array): Map<string, string> {
  const { files } = new PizZip(bytes);
  const parts = Object.values(files).filter(({ dir }) => !dir);
  return new Map(
    parts.map((file) => [file.name, Buffer.from(file.asUint8Array()).toString("latin1")]),
  );
}

const LIST = '<w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>';
const BODY = [
  "<!-- a comment --><?pi kept?>\n  ",
  p("plain text, { and } and { {, a }"),
  `<w:p w14:paraId="00000001">${LIST}<w:bookmarkStart w:id="1" w:name="x"/>${r("item")}<w:bookmarkEnd w:id="1"/></w:p>`,
  '<w:p><w:r><w:t>one</w:t></w:r><w:r/><w:r><w:t></w:t><w:footnoteReference w:id="1"/></w:r></w:p>',
  "<w:tbl><w:tblPr/><w:tblGrid/><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl><w:tbl><w:tblPr/><w:tblGrid/><w:tr><w:tc><w:tbl/></w:tc></w:tr></w:tbl>",
  '<w:p><w:r><w:t xml:space="preserve"> &#xe9;<![CDATA[&]]> </w:t></w:r></w:p >',
].join("");

const PARTS = {
  "header1.xml": "<w:p/>",
  "footnotes.xml": `<w:footnote w:id="1">${p("a note")}</w:footnote>`,
  "numbering.xml":
    '<w:abstractNum w:abstractNumId="0"/><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>',
  "styles.xml": '<w:style w:type="paragraph" w:styleId="S"><w:name w:val="S"/></w:style>',
};

describe("a document without tags", () => {
  test("keeps each part unchanged", async () => {
    const bytes = wordFile({ body: BODY, parts: PARTS });
    const { bytes: rendered, warnings } = await render(bytes, { unused: 1 });
    expect(contents(rendered)).toEqual(contents(bytes));
    expect(warnings.map(({ code, severity }) => ({ code, severity }))).toEqual([
      { code: "unused_value", severity: "warning" },
    ]);
  });

  test("remains unchanged when it is rendered several times", async () => {
    const bytes = wordFile({ body: BODY, parts: PARTS });
    const once = (await render(bytes, {})).bytes;
    const twice = (await render(once, {})).bytes;
    expect(Buffer.compare(once, twice)).toBe(0);
  });

  test("with tags in some parts keeps the others unchanged", async () => {
    const bytes = wordFile({ body: `${BODY}${p("{{x}}")}`, parts: PARTS });
    const [before, after] = [contents(bytes), contents((await render(bytes, { x: "X" })).bytes)];
    before.delete("word/document.xml");
    expect(after.get("word/document.xml")).toContain("X");
    after.delete("word/document.xml");
    expect(after).toEqual(before);
  });

  test("is the same with any data and any options", async () => {
    const template = await compileTemplate(wordFile({ body: BODY, parts: PARTS }));
    const plain = template.render({}).bytes;
    const other = template.render(
      { a: [1] },
      { locale: "de-DE", onMissing: "fail", timeZone: "Asia/Tokyo" },
    ).bytes;
    expect(Buffer.compare(plain, other)).toBe(0);
  });
});
