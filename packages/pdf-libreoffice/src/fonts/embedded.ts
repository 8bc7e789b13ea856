import { createHash } from "node:crypto";
import type { Docx } from "@quire/ooxml";
import { embedsFonts } from "./needs.ts";

/**
 * Returns a key that identifies the fonts embedded in a document, or an empty string. LibreOffice keeps embedded
 * fonts for all later documents, so another document would use these fonts wherever it names them.
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
