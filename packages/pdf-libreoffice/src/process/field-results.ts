import type { Diagnostic } from "@quire/contracts";
import { type Docx, openDocx } from "@quire/ooxml";

/** The number of pages of a section. LibreOffice does not know this field, and shows its saved result. */
const SECTION_PAGES = "SECTIONPAGES";

/**
 * Fields that LibreOffice cannot compute, and whether the result that Word saved may be wrong. LibreOffice shows nothing
 * for a condition, and the name of a temporary file for the document name. Its sums differ from Word's if numbers
 * have digit groups or a currency, or are in repeated rows.
 */
const LOST: ReadonlyMap<string, "right" | "doubtful"> = new Map([
  ["=", "right"],
  ["IF", "right"],
  ["FILENAME", "doubtful"],
  ["NUMCHARS", "doubtful"],
  ["NUMWORDS", "doubtful"],
  [SECTION_PAGES, "doubtful"],
]);

const KEYWORD = `(=|(?:${[...LOST.keys()].join("|")})(?![a-z]))`;

/** Matches a field in runs if the first text of its instruction starts with a keyword. */
const COMPLEX = `w:fldCharType="begin"(?:(?!<w:instrText|<w:fldChar)[^])*<w:instrText(?: [^>]*)?>\\s*${KEYWORD}`;
const SIMPLE = `<w:fldSimple\\s[^>]*?w:instr="\\s*${KEYWORD}`;

const FIELD = new RegExp(`${COMPLEX}|${SIMPLE}`, "gi");

/** LibreOffice does not know this field and therefore shows its saved result. */
const UNKNOWN_FIELD = "QUOTE";

/** A document in which LibreOffice shows the saved results of fields, and the warnings about them. */
export interface KeptResults {
  readonly docx: Docx;
  readonly warnings: readonly Diagnostic[];
}

/**
 * Makes LibreOffice show the results that Word saved, for fields whose results it would otherwise lose. If a document
 * has only one section, SECTIONPAGES equals NUMPAGES, which LibreOffice computes. `version` is the version of
 * LibreOffice; null if unknown.
 */
export function keepFieldResults(docx: Docx, version: string | null): KeptResults {
  const changed = new Map<string, string>();
  const warnings: Diagnostic[] = [];
  const hasSections = isDivided(docx);
  for (const part of docx.storyParts) {
    const text = docx.readText(part);
    const doubtful = new Set<string>();
    const kept = text.replace(FIELD, (all: string, complex?: string, simple?: string) => {
      const keyword = complex ?? simple ?? "";
      const name = keyword.toUpperCase();
      const isWhole = name === SECTION_PAGES && !hasSections;
      if (LOST.get(name) === "doubtful" && !isWhole) doubtful.add(name);
      return `${all.slice(0, -keyword.length)}${isWhole ? "NUMPAGES" : UNKNOWN_FIELD} `;
    });
    if (kept !== text) changed.set(part, kept);
    if (doubtful.delete(SECTION_PAGES)) warnings.push(keptResult([SECTION_PAGES], part, APART));
    if (doubtful.size > 0) warnings.push(keptResult([...doubtful], part));
  }
  if (Number.parseFloat(version ?? "0") < KNOWS_HEADS) warnings.push(...runningHeads(docx));
  if (changed.size === 0) return { docx, warnings };
  return { docx: openDocx(docx.write(changed), { rendered: true }), warnings };
}

const APART =
  "Make a separate document for each section, and combine the PDFs with --packet or quire merge. In a document with one section, the number is right.";

/** Whether a document has more than one section. */
function isDivided(docx: Docx): boolean {
  return docx.readText(docx.mainPart).split(/<(?:\w+:)?sectPr[\s>/]/).length > 2;
}

/** The first version of LibreOffice that computes STYLEREF. */
const KNOWS_HEADS = 24.2;

const STYLEREF =
  /<w:instrText(?: [^>]*)?>\s*STYLEREF\s+(?:"([^"]*)"|(\w+))|w:instr="\s*STYLEREF\s+(?:&quot;(.*?)&quot;|(\w+))/gi;

/**
 * Finds headers and footers that show the chapter of their page. An older LibreOffice shows the saved result on all
 * pages, which is wrong if the document has several chapters.
 */
function runningHeads(docx: Docx): Diagnostic[] {
  const main = docx.readText(docx.mainPart);
  return docx.storyParts.flatMap((part) => {
    const text = /\/(?:header|footer)[^/]*$/.test(part) ? docx.readText(part) : "";
    const styles = [...text.matchAll(STYLEREF)].map(([, a, b, c, d]) => a ?? b ?? c ?? d ?? "");
    return styles.some((style) => isRepeated(style, docx, main))
      ? [keptResult(["STYLEREF"], part)]
      : [];
  });
}

/** Whether more than one paragraph has this style. `style` is the name in a field: `1` means `heading 1`. */
function isRepeated(style: string, docx: Docx, main: string): boolean {
  const name = (/^\d$/.test(style) ? `heading ${style}` : style).toLowerCase();
  const styles = docx.partByKind("styles");
  const all = styles === null ? "" : docx.readText(styles);
  for (const [xml, id = ""] of all.matchAll(
    /<w:style\s[^>]*?w:styleId="([^"]*)"[\s\S]*?<\/w:style>/g,
  )) {
    if (/<w:name\s[^>]*?w:val="([^"]*)"/.exec(xml)?.[1]?.toLowerCase() !== name) continue;
    return main.split(`<w:pStyle w:val="${id}"/>`).length > 2;
  }
  return false;
}

function keptResult(
  fields: readonly string[],
  part: string,
  hint = "Replace each field with the text itself, or with a tag.",
): Diagnostic {
  return {
    severity: "warning",
    code: "field_result_kept",
    message: `In the PDF, these fields show the result that Word saved, which may be wrong: ${fields.join(", ")} in ${part}. LibreOffice cannot compute them.`,
    hint,
    template: { part },
  };
}
