import { createHash } from "node:crypto";
import type { Docx } from "@quire/core/docx";
import { embedsFonts } from "./needs.ts";

/**
 * Tells the fonts that a document brings with it from those of other documents; empty when it brings none.
 * LibreOffice keeps them for all documents that follow: another one in a font of that name is shown in it.
 */
export function embeddedFonts(document: Docx): string {
  if (!embedsFonts(document)) return "";
  const hash = createHash("sha256");
  for (const { kind, part } of document.relationshipsOf(document.mainPart)) {
    if (part === null || kind.toLowerCase() !== "fonttable") continue;
    hash.update(document.readBytes(part));
    for (const font of document.relationshipsOf(part)) {
      hash.update(JSON.stringify([font.id, font.target]));
      if (font.part !== null) hash.update(document.readBytes(font.part));
    }
  }
  return hash.digest("hex");
}
