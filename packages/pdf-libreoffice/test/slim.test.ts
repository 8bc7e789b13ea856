/** Tests which styles of a docx LibreOffice does not get. */
import { openDocx } from "@quire/ooxml";
import { expect, test } from "vitest";
import { StyleSlimmer } from "../src/process/slim.ts";
import { docx, paragraph } from "./docx.ts";

const WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

function styles(...ids: readonly string[]): string {
  const each = ids.map((id) => `<w:style w:styleId="${id}"><w:name w:val="${id}"/></w:style>`);
  return `<w:styles xmlns:w="${WORD}">${each.join("")}</w:styles>`;
}

/** Returns the ids of the remaining styles in a document with this body and these parts. */
function left(body: string, more: Readonly<Record<string, string>> = {}): string[] {
  const kinds: Readonly<Record<string, string>> = {
    "word/stylesWithEffects.xml": "stylesWithEffects",
    "word/glossary/document.xml": "glossaryDocument",
    "word/header1.xml": "header",
    "word/glossary/header1.xml": "header",
  };
  const document = docx({
    body,
    relationships: [
      { id: "styles", type: "styles", target: "styles.xml" },
      ...Object.keys(more).flatMap((name) => {
        const kind = kinds[name];
        return kind === undefined
          ? []
          : [{ id: kind, type: kind, target: name.replace("word/", "") }];
      }),
    ],
    parts: { "word/styles.xml": styles("Used", "Unused", "Elsewhere"), ...more },
  });
  const opened = openDocx(document);
  const slim = openDocx(new StyleSlimmer().slim(opened), { rendered: true });
  return [...slim.readText("word/styles.xml").matchAll(/styleId="(\w+)"/g)].map(
    ([, id = ""]) => id,
  );
}

const using = (id: string): string => `<w:p><w:pPr><w:pStyle w:val="${id}"/></w:pPr></w:p>`;

test("unused styles are removed, and styles of headers are kept", () => {
  expect(left(using("Used"))).toEqual(["Used"]);
  const header = `<w:hdr xmlns:w="${WORD}">${using("Elsewhere")}</w:hdr>`;
  expect(left(using("Used"), { "word/header1.xml": header })).toEqual(["Used", "Elsewhere"]);
});

test("Word 2010's copy of the styles and a glossary do not count as uses", () => {
  const copy = styles("TOC Heading", "STYLEREF");
  expect(left(using("Used"), { "word/stylesWithEffects.xml": copy })).toEqual(["Used"]);
  const glossary = `<w:glossaryDocument xmlns:w="${WORD}">${using("Elsewhere")}</w:glossaryDocument>`;
  const parts = { "word/glossary/document.xml": glossary, "word/glossary/styles.xml": copy };
  expect(left(using("Used"), parts)).toEqual(["Used"]);
  // A header uses styles, even if it is in another folder.
  const header = `<w:hdr xmlns:w="${WORD}">${using("Unused")}</w:hdr>`;
  const among = { ...parts, "word/glossary/header1.xml": header };
  expect(left(using("Used"), among)).toEqual(["Used", "Unused"]);
});

test("all styles are kept if a field finds styles by name", () => {
  const field = '<w:p><w:r><w:instrText>STYLEREF "Unused"</w:instrText></w:r></w:p>';
  expect(left(using("Used") + field)).toEqual(["Used", "Unused", "Elsewhere"]);
  expect(left(paragraph("plain"))).toEqual([]);
});
