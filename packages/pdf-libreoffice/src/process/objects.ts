import { isQuireError } from "@quire/contracts";
import { type Docx, openDocx } from "@quire/ooxml";
import { unescapeXml } from "@quire/ooxml/internal/xml/escape";

/**
 * Removes the files of embedded objects from the document that LibreOffice gets, and keeps the pictures that represent
 * them, which Word also prints. LibreOffice would open an embedded document, which nobody has checked, with everything
 * that it fetches, and would show nothing for objects that it cannot open. Formulas of Word's equation editor are kept,
 * because LibreOffice can read them.
 */
export function closeObjects(docx: Docx): Docx {
  const changed = new Map<string, string | Uint8Array>();
  for (const name of docx.parts) {
    const targets = new Map(docx.relationshipsOf(name).map(({ id, part }) => [id, part]));
    if (targets.size === 0) continue;
    const text = textOf(docx, name);
    const closed = text.replace(OBJECT, (tag) => {
      const files = [...tag.matchAll(VALUE)].flatMap(([, double, single]) => {
        return targets.get(unescapeXml(double ?? single ?? "")) ?? [];
      });
      const isFormula = files.length > 0 && files.every((file) => holdsFormula(docx, file));
      if (isFormula && FORMULA.test(tag)) return tag;
      for (const file of files) changed.set(file, NOTHING);
      return tag.replace(PROGRAM, '$1"Package"');
    });
    if (closed !== text) changed.set(name, closed);
  }
  return changed.size === 0 ? docx : openDocx(docx.write(changed), { rendered: true });
}

/** The start tag of an object with any prefix, and the text after it. */
const OBJECT = /<(?:[^\s<>/:"'=]+:)?OLEObject\s[^<]*/g;

const VALUE = /=\s*(?:"([^"]*)"|'([^']*)')/g;

/** The program of an object. For a program named `Package`, LibreOffice shows the picture. */
const PROGRAM = /(\sProgID\s*=\s*)(?:"[^"]*"|'[^']*')/g;
const FORMULA = /\sProgID\s*=\s*["']Equation\.[23]["']/;

const NOTHING = new Uint8Array();

/**
 * Returns the text of a part; empty if the part is not text. Ignores the name and the type of the part, because
 * LibreOffice follows the relationship that leads to it. If LibreOffice would read a part that is not text as XML,
 * cleaning has already rejected the document.
 */
function textOf(docx: Docx, part: string): string {
  try {
    return docx.readText(part);
  } catch (error) {
    if (isQuireError(error)) return "";
    throw error;
  }
}

const COMPOUND_FILE = "d0cf11e0a1b11ae1";

/** Class ids of versions 2 and 3 of the equation editor. */
const EQUATIONS: ReadonlySet<string> = new Set([
  "0017020000000000c000000000000046",
  "02ce020000000000c000000000000046",
]);

/** Whether a part is a compound file (MS-CFB) whose root declares a formula. */
function holdsFormula(docx: Docx, part: string): boolean {
  const bytes = Buffer.from(docx.readBytes(part));
  if (bytes.length < 512 || bytes.toString("hex", 0, 8) !== COMPOUND_FILE) return false;
  const sector = 2 ** bytes.readUInt16LE(30);
  const root = (bytes.readUInt32LE(48) + 1) * sector;
  return EQUATIONS.has(bytes.subarray(root + 80, root + 96).toString("hex"));
}
