/** Tests that fonts embedded in a document, which LibreOffice keeps, do not show in any other document. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { PDFDict, PDFDocument, PDFName } from "pdf-lib";
import { expect } from "vitest";
import { libreOffice } from "../src/index.ts";
import { docx } from "./docx.ts";
import { closing, lanesIn, slowTest, testFolder } from "./laboratory.ts";

/** Returns Carlito under a name that no installed font has. Every reader accepts the font. */
function fontNamed(name: string): Uint8Array {
  const file = execFileSync("fc-match", ["-f", "%{file}", "Carlito:style=Regular"]).toString();
  let font = readFileSync(file).toString("latin1");
  const wide = (text: string) => Buffer.from(text, "utf16le").swap16().toString("latin1");
  for (const spell of [(text: string) => text, wide]) {
    font = font.replaceAll(spell("Carlito"), spell(name));
  }
  return Buffer.from(font, "latin1");
}

const IN_QARLITO =
  '<w:p><w:r><w:rPr><w:rFonts w:ascii="Qarlito" w:hAnsi="Qarlito"/></w:rPr><w:t>Text</w:t></w:r></w:p>';

/** Creates a document in Qarlito, and embeds `font` unless it is null. A key of zeros leaves the font unchanged. */
function inQarlito(font: Uint8Array | null, text = ""): Uint8Array {
  const body = IN_QARLITO.replace("Text", `Text ${text}`);
  if (font === null) return docx({ body });
  const key = "{00000000-0000-0000-0000-000000000000}";
  const word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
  const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  return docx({
    body,
    relationships: [{ id: "fonts", type: "fontTable", target: "fontTable.xml" }],
    parts: {
      "word/fontTable.xml":
        `<w:fonts xmlns:w="${word}" xmlns:r="${office}"><w:font w:name="Qarlito">` +
        `<w:embedRegular r:id="font" w:fontKey="${key}"/></w:font></w:fonts>`,
      "word/_rels/fontTable.xml.rels":
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
        `<Relationship Id="font" Type="${office}/font" Target="fonts/font1.odttf"/></Relationships>`,
      "word/fonts/font1.odttf": font,
    },
    types: {
      "word/fontTable.xml":
        "application/vnd.openxmlformats-officedocument.wordprocessingml.fontTable+xml",
      "word/fonts/font1.odttf": "application/vnd.openxmlformats-officedocument.obfuscatedFont",
    },
  });
}

async function fontsOf(pdf: Uint8Array): Promise<string[]> {
  const { context } = await PDFDocument.load(pdf, { updateMetadata: false });
  return context.enumerateIndirectObjects().flatMap(([, object]) => {
    const name = object instanceof PDFDict ? object.get(PDFName.of("FontName")) : undefined;
    return name instanceof PDFName ? [name.decodeText().replace(/^[A-Z]{6}\+/, "")] : [];
  });
}

slowTest("an embedded font shows in its document and in no later document", async () => {
  const tempDir = await testFolder();
  await using office = closing(libreOffice({ lanes: 1, cacheMb: 0, tempDir, fonts: "off" }));
  const font = fontNamed("Qarlito");
  const own = await office.convert(inQarlito(font), { rendered: true });
  expect(await fontsOf(own.bytes)).toContainEqual(expect.stringContaining("Qarlito"));
  const [lane] = lanesIn(tempDir);

  // A document with the same embedded font may use the same LibreOffice.
  const second = await office.convert(inQarlito(font, "again"), { rendered: true });
  expect(await fontsOf(second.bytes)).toContainEqual(expect.stringContaining("Qarlito"));
  expect(lanesIn(tempDir)).toEqual([lane]);

  const without = await office.convert(inQarlito(null), { rendered: true });
  expect(await fontsOf(without.bytes)).not.toContainEqual(expect.stringContaining("Qarlito"));
  expect(lanesIn(tempDir)).not.toContainEqual(lane);
});
