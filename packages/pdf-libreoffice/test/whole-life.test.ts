/**
 * Tests that a LibreOffice that keeps running carries nothing over from one document to the next, and does not fail.
 */
import { expect } from "vitest";
import { docx, paragraph, textDocx } from "./docx.ts";
import { officesIn, sharedOffice, slowTest } from "./laboratory.ts";

const office = sharedOffice({ lanes: 1 });

const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

/** LibreOffice creates links only from text with a style. */
const LOOK = '<w:rPr><w:rStyle w:val="Link"/></w:rPr>';
const STYLES = {
  parts: {
    "word/styles.xml": `<w:styles ${WORD}><w:style w:type="character" w:styleId="Link"><w:name w:val="Link"/></w:style></w:styles>`,
  },
  types: {
    "word/styles.xml": "application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml",
  },
};

function commented(text: string): Uint8Array {
  const reference = '<w:r><w:commentReference w:id="0"/></w:r>';
  const body = `<w:p><w:commentRangeStart w:id="0"/><w:r><w:t>${text}</w:t></w:r><w:commentRangeEnd w:id="0"/>${reference}</w:p>`;
  const comment = `<w:comment w:id="0" w:author="Ann" w:initials="A">${paragraph("Why?")}</w:comment>`;
  return docx({
    body,
    relationships: [{ id: "rIdC", type: "comments", target: "comments.xml" }],
    parts: { "word/comments.xml": `<w:comments ${WORD}>${comment}</w:comments>` },
    types: {
      "word/comments.xml":
        "application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml",
    },
  });
}

slowTest("documents with comments are converted and LibreOffice keeps running", async () => {
  await office.convert(textDocx("first"));
  const [first] = officesIn(office.tempDir);
  for (let number = 0; number < 2; number++) {
    expect((await office.convert(commented(`Commented ${number}`))).pages).toBe(1);
    expect((await office.convert(textDocx(`Plain ${number}`))).pages).toBe(1);
  }
  expect(officesIn(office.tempDir)).toEqual([first]);
});

slowTest("a document that cannot be opened does not affect later ones", async () => {
  const broken = docx({ body: "<w:p><w:r><w:t>x</w:p>" });
  for (let number = 0; number < 2; number++) {
    const refused = office.convert(broken, { rendered: true, tenant: `${number}` });
    await expect(refused).rejects.toMatchObject({ code: "conversion_failed" });
    expect((await office.convert(textDocx(`Plain ${number}`))).pages).toBe(1);
  }
});

slowTest("links to files remain as written and reveal nothing about this machine", async () => {
  const linksOf = async (...targets: string[]): Promise<string[]> => {
    const body = targets.map(
      (_, at) =>
        `<w:p><w:hyperlink r:id="rIdL${at}"><w:r>${LOOK}<w:t>link</w:t></w:r></w:hyperlink></w:p>`,
    );
    const links = targets.map((target, at) => ({
      id: `rIdL${at}`,
      type: "hyperlink",
      target,
      external: true,
    }));
    const relationships = [{ id: "rIdS", type: "styles", target: "styles.xml" }, ...links];
    const { bytes } = await office.convert(docx({ body: body.join(""), relationships, ...STYLES }));
    const pdf = Buffer.from(bytes).toString("latin1");
    return [...pdf.matchAll(/\/URI\s*\(([^)]*)\)/g)].map(([, link = ""]) => link).sort();
  };
  expect(await linksOf("terms.docx", "../more/terms.html", "https://example.org/")).toEqual([
    "../more/terms.html",
    "https://example.org/",
    "terms.docx",
  ]);
  expect(await linksOf("file:///srv/terms.docx")).toEqual(["file:///srv/terms.docx"]);
});
