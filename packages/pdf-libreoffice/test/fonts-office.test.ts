import { execFile } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { PDFDict, PDFDocument, PDFName } from "pdf-lib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { familyKey } from "../src/fonts/family-name.ts";
import { type FontSet, listFonts } from "../src/fonts/font-set.ts";
import { fontNeedsOf } from "../src/fonts/needs.ts";
import { fontWarnings } from "../src/fonts/preflight.ts";
import { fontSubstitutes } from "../src/fonts/substitutes.ts";
import { laneEnvironment } from "../src/office/environment.ts";
import { findSoffice } from "../src/office/soffice.ts";
import {
  documentWith,
  everywhere,
  type PrivateFonts,
  paragraph,
  privateFonts,
  run,
} from "./fonts-documents.ts";

let made: PrivateFonts;
let fonts: FontSet;

beforeAll(async () => {
  made = await privateFonts("Carlito", "Liberation Serif");
  const listed = await listFonts({ environment: made.environment });
  if (listed === null) throw new Error("fontconfig is not installed");
  fonts = listed;
});

afterAll(() => rm(made.folder, { recursive: true, force: true, maxRetries: 5 }));

/** Returns the families in the PDF that LibreOffice writes if only the private fonts exist. */
async function familiesInPdf(document: Uint8Array): Promise<string[]> {
  const soffice = await findSoffice();
  if (soffice === null) throw new Error("LibreOffice is not installed");
  const file = join(made.folder, "document.docx");
  await writeFile(file, document);
  const profile = pathToFileURL(join(made.folder, "profile")).href;
  const args = [`-env:UserInstallation=${profile}`, "--headless", "--convert-to", "pdf", file];
  const host = { ...made.environment, LANG: "C.UTF-8" };
  const env = laneEnvironment({ home: made.folder, temp: made.folder }, host);
  await promisify(execFile)(soffice, [...args, "--outdir", made.folder], { env, timeout: 60_000 });
  const pdf = await PDFDocument.load(await readFile(join(made.folder, "document.pdf")));
  const names = pdf.context.enumerateIndirectObjects().flatMap(([, object]) => {
    const name = object instanceof PDFDict ? object.get(PDFName.of("FontName")) : undefined;
    return name instanceof PDFName ? [name.decodeText().replace(/^[A-Z]{6}\+|-.*$/g, "")] : [];
  });
  return [...new Set(names.map(familyKey))].sort();
}

test("the warnings for a document match its PDF", async () => {
  const document = documentWith(
    paragraph(run(everywhere("Calibri"), "There in other letters")) +
      paragraph(run(everywhere("Liberation Serif"), "There")) +
      paragraph(run(everywhere("Nobody Sans"), "Not there 漢")),
  );
  const needs = fontNeedsOf(document);
  const standIn = await fontSubstitutes({ environment: made.environment }).of(needs, fonts);
  const told = fontWarnings(needs, fonts, standIn).map(({ code, message }) => `${code} ${message}`);
  expect(told).toHaveLength(2);
  expect(told[0]).toContain('font_substituted The document uses the font "Nobody Sans"');
  expect(told[1]).toMatch(/^glyph_missing .*: U\+6F22\.$/);
  const expected = ["carlito", "liberationserif", familyKey(standIn("Nobody Sans") ?? "")];
  const found = await familiesInPdf(document.bytes);
  // Some packages of LibreOffice include OpenSymbol.
  expect(found.filter((family) => family !== "opensymbol")).toEqual([...new Set(expected)].sort());
}, 90_000);
