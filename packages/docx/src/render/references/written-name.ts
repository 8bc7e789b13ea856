import { unescapeText } from "@quire/ooxml/internal/xml/escape";
import { referencesIn } from "../../template/fields/references.ts";

/** Number of characters before the end of an instruction to search for its start. */
export const INSTRUCTION_WINDOW = 4000;

/**
 * Returns the name of the bookmark in the instruction of a field at the end of the XML; null if it is not known. The
 * instruction is an attribute, or between the marks of the field.
 */
export function writtenName(xml: string): string | null {
  const written = xml.slice(-INSTRUCTION_WINDOW);
  const [, simple] = / w:instr="([^"]*)"[^<>]*>$/.exec(written) ?? [];
  const instruction = simple ?? instructionAtEnd(written);
  const [reference] = instruction === null ? [] : referencesIn(instruction);
  return reference === undefined ? null : unescapeText(reference.name);
}

function instructionAtEnd(written: string): string | null {
  const start = written.lastIndexOf('w:fldCharType="begin"');
  const field = written.slice(start);
  // The result of a field within the instruction is not known.
  if (start === -1 || /w:fldCharType="(?:separate|end)"/.test(field)) return null;
  return [...field.matchAll(/<w:instrText(?: [^>]*)?>([^<]*)</g)].map(([, text]) => text).join("");
}
