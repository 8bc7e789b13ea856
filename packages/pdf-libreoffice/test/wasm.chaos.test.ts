/** Tests LibreOffice as WebAssembly, from its npm package, with all features. */
import { execFile } from "node:child_process";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { PDFDict, PDFDocument, PDFName } from "pdf-lib";
import { expect, test } from "vitest";
import { libreOffice, networkIsolation } from "../src/index.ts";
import { docx, pageBreak, paragraph, textDocx } from "./docx.ts";
import { docxBytes, everywhere, paragraph as inFonts, run } from "./fonts-documents.ts";
import { closing, lanesIn, processesWith, rejection, testFolder } from "./laboratory.ts";
import { catalogEntry, look, plainText } from "./pdf-look.ts";

/** The time limit for a start, during which LibreOffice sometimes stalls and is restarted. */
const START_LIMIT_MS = 300_000;

test(
  "creates the requested PDF, applies its options, and leaves nothing behind",
  async () => {
    const tempDir = await testFolder();
    await using office = closing(libreOffice({ mode: "wasm", lanes: 1, tempDir, cacheMb: 0 }));
    const document = docx({
      body: `${paragraph("first")}${pageBreak()}${paragraph("second")}<m:oMathPara xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><m:oMath><m:r><m:t>formula</m:t></m:r></m:oMath></m:oMathPara>`,
    });
    const converted = await office.convert(document);
    expect(converted.pages).toBe(2);
    expect(converted.warnings.map(({ code }) => code)).toEqual(["fonts_unchecked"]);
    expect((await look(converted.bytes)).text.join("\n")).toMatch(/first.*second.*formula/s);
    expect(converted.fingerprint).toMatchObject({
      program: expect.stringContaining("WebAssembly"),
      fonts: null,
    });
    expect((await office.convert(document)).bytes).toEqual(converted.bytes);

    if (networkIsolation() !== "none") {
      const [lane] = lanesIn(tempDir);
      const devices = await readFile(`/proc/${lane?.pid}/net/dev`, "utf8");
      expect(devices.match(/\w+(?=:)/g)).toEqual(["lo"]);
    }

    const archival = await office.convert(document, { pdf: { pdfA: "2b", pages: "2" } });
    expect(archival.pages).toBe(1);
    expect(await plainText(archival.bytes)).toContain("<pdfaid:part>2</pdfaid:part>");
    const tagged = await office.convert(document, { pdf: { tagged: true } });
    expect(await catalogEntry(tagged.bytes, "StructTreeRoot")).not.toBe("");

    for (const pdf of [{ metadata: { title: "A title" } }, { updateIndexes: true }]) {
      const refused = await rejection(office.convert(document, { pdf }));
      expect([refused.code, refused.message]).toEqual([
        "conversion_failed",
        expect.stringContaining("as WebAssembly cannot"),
      ]);
    }
    const broken = await rejection(office.convert(Buffer.from("no docx")));
    expect(broken.code).toBe("conversion_failed");
    await office.close();
    expect(processesWith(tempDir)).toEqual([]);
  },
  START_LIMIT_MS,
);

test(
  "stops a document that takes too long, and continues with the next",
  async () => {
    await using office = closing(libreOffice({ mode: "wasm", lanes: 1, deadlineMs: 5_000 }));
    const long = docx({ body: paragraph("One of many words").repeat(100_000) });
    const error = await rejection(office.convert(long, { rendered: true }));
    expect(error.code).toBe("timeout");
    expect((await office.convert(textDocx("next"))).pages).toBe(1);
  },
  START_LIMIT_MS,
);

test(
  "uses fonts from additional folders, and rejects strict fonts because it cannot list its own",
  async () => {
    const folder = await testFolder();
    await mkdir(join(folder, "below"));
    const elsewhere = join(await testFolder(), "font");
    await writeFile(elsewhere, await fontNamed("Zarlito"));
    await symlink(elsewhere, join(folder, "below", "font.ttf"));
    await symlink(folder, join(folder, "below", "circle"));
    await using office = closing(libreOffice({ mode: "wasm", lanes: 1, fontFolders: [folder] }));
    const document = docxBytes(inFonts(run(everywhere("Zarlito"), "House letters")));
    const { bytes } = await office.convert(document);
    expect(await fontsOf(bytes)).toEqual(["Zarlito"]);
    await office.close();
    await using strict = closing(libreOffice({ mode: "wasm", lanes: 1, fonts: "strict" }));
    const refused = await rejection(strict.convert(document));
    expect(refused.message).toContain("cannot be listed");
    expect(refused.diagnostics).toMatchObject([{ severity: "error", code: "fonts_unchecked" }]);
  },
  START_LIMIT_MS,
);

/** Returns Carlito under another name of the same length that no LibreOffice has. */
async function fontNamed(name: string): Promise<Buffer> {
  const { stdout } = await promisify(execFile)("fc-match", ["-f", "%{file}", "Carlito:regular"]);
  const font = await readFile(stdout);
  for (const encoding of ["latin1", "utf16le"] as const) {
    const [from, to] = ["Carlito", name].map((text) => {
      const bytes = Buffer.from(text, encoding);
      return encoding === "latin1" ? bytes : bytes.swap16(); // fonts are big-endian
    });
    if (from === undefined || to === undefined) throw new Error("There are two names.");
    for (let at = font.indexOf(from); at >= 0; at = font.indexOf(from, at)) to.copy(font, at);
  }
  return font;
}

async function fontsOf(bytes: Uint8Array): Promise<string[]> {
  const pdf = await PDFDocument.load(bytes);
  return pdf.context.enumerateIndirectObjects().flatMap(([, object]) => {
    const name = object instanceof PDFDict ? object.get(PDFName.of("FontName")) : undefined;
    return name instanceof PDFName ? [name.decodeText().replace(/^[A-Z]{6}\+|-.*$/g, "")] : [];
  });
}
