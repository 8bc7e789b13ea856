import { createHash } from "node:crypto";
import type { Docx } from "@quire/core/docx";

/**
 * Takes the styles out of a docx that nothing in it uses: reading them is up to a third of what LibreOffice
 * does for a short document, and an unused one shows in nothing. What is used is what any part or any kept
 * style names; whoever finds styles by their name (fields, the programs themselves) keeps all of them.
 */
export class StyleSlimmer {
  /** By the styles part and what is used of it: documents of a template have both in common. */
  readonly #slimmed = new Map<string, string | null>();

  /** The docx without unused styles; its own bytes when there are none, or when it is not certain. */
  slim(docx: Docx): Uint8Array {
    const part = docx.partByKind("styles");
    if (part === null) return docx.bytes;
    const used = new Set<string>();
    for (const name of partsUsingStyles(docx, part)) {
      const text = docx.readText(name);
      if (FINDS_BY_NAME.test(text)) return docx.bytes;
      for (const [, id] of text.matchAll(USE)) used.add(id ?? "");
    }
    const styles = docx.readText(part);
    const key = JSON.stringify([hash(styles), ...[...used].sort()]);
    let slimmed = this.#slimmed.get(key);
    if (slimmed === undefined) {
      slimmed = slimStyles(styles, used);
      if (this.#slimmed.size >= MAX_KEPT) this.#slimmed.clear();
      this.#slimmed.set(key, slimmed);
    }
    return slimmed === null ? docx.bytes : docx.write(new Map([[part, slimmed]]));
  }
}

const MAX_KEPT = 50;

/**
 * Kinds of parts of which LibreOffice takes no style: among them a second, large copy of all styles that Word 2010
 * wrote, and so the templates of several libraries have.
 */
const WITHOUT_STYLES = new Set([
  "customXml",
  "fontTable",
  "glossaryDocument",
  "stylesWithEffects",
  "theme",
  "webSettings",
]);

/** The parts that may use a style, beside the one that holds them. */
function partsUsingStyles(docx: Docx, styles: string): string[] {
  const relationships = docx.relationshipsOf(docx.mainPart);
  const isUsed = ({ kind }: { readonly kind: string }) => !WITHOUT_STYLES.has(kind);
  const used = new Set<string | null>(relationships.filter(isUsed).map(({ part }) => part));
  const skipped = new Set([styles]);
  for (const { kind, part } of relationships) {
    if (part === null || !WITHOUT_STYLES.has(kind)) continue;
    // A glossary is a document of its own, with styles of its own.
    const own = kind === "glossaryDocument" ? docx.parts.filter((name) => isBelow(part, name)) : [];
    for (const name of [part, ...own]) if (!used.has(name)) skipped.add(name);
  }
  const isRead = (name: string) => name.endsWith(".xml") && !name.startsWith("docProps/");
  return docx.parts.filter((name) => isRead(name) && !skipped.has(name));
}

/** Whether a part is in the folder of a glossary, which Word names so. */
function isBelow(glossary: string, name: string): boolean {
  const folder = glossary.slice(0, glossary.lastIndexOf("/") + 1);
  return /\/glossary\/$/i.test(folder) && name.startsWith(folder);
}

/** Fields that name a style, and alternate definitions of styles. */
const FINDS_BY_NAME = /STYLEREF|\\t\s|TOC\s|AUTOTEXT|<w:altChunk|<w:subDoc/;

const USE =
  /<w:(?:pStyle|rStyle|tblStyle|styleLink|numStyleLink|clickAndTypeStyle|defaultTableStyle)\s[^>]*?w:val="([^"]*)"/g;
const STYLE = /<w:style\s[^>]*>(?:(?!<w:style[\s>])[\s\S])*?<\/w:style>/g;
const ID = /^<w:style\s[^>]*?w:styleId="([^"]*)"/;
const NAME = /<w:name\s[^>]*?w:val="([^"]*)"/;
const IS_DEFAULT = /^<w:style\s[^>]*?w:default="(?:1|true|on)"/;
const LEADS_TO = /<w:(?:basedOn|link|next)\s[^>]*?w:val="([^"]*)"/g;
const LATENT = /<w:latentStyles[\s\S]*?<\/w:latentStyles>|<w:latentStyles[^>]*\/>/;

/** LibreOffice uses styles of these names itself: for what has none, for links, notes and page numbers. */
const OF_THE_PROGRAM =
  /^(?:normal|hyperlink|followedhyperlink|(?:footnote|endnote|annotation) \w+|page number|line number|no list|normal table|default paragraph font)$/i;

function slimStyles(xml: string, used: ReadonlySet<string>): string | null {
  const styles = new Map<string, string>();
  const names = new Set<string>();
  for (const [style] of xml.matchAll(STYLE)) {
    const id = ID.exec(style)?.[1];
    const name = NAME.exec(style)?.[1]?.toLowerCase();
    // LibreOffice tells styles apart by their names: of two with the same one, the other one matters.
    if (id === undefined || name === undefined || styles.has(id) || names.has(name)) return null;
    styles.set(id, style);
    names.add(name);
  }
  const kept = new Set<string>();
  const keep = [...styles].flatMap(([id, style]) => (isNeeded(id, style, used) ? [id] : []));
  for (let id = keep.pop(); id !== undefined; id = keep.pop()) {
    const style = styles.get(id);
    if (style === undefined || kept.has(id)) continue;
    kept.add(id);
    for (const [, other] of style.matchAll(LEADS_TO)) keep.push(other ?? "");
  }
  if (kept.size === styles.size) return null;
  return xml
    .replace(LATENT, "")
    .replace(STYLE, (style) => (kept.has(ID.exec(style)?.[1] ?? "") ? style : ""));
}

function isNeeded(id: string, style: string, used: ReadonlySet<string>): boolean {
  const name = NAME.exec(style)?.[1] ?? "";
  return used.has(id) || IS_DEFAULT.test(style) || OF_THE_PROGRAM.test(name);
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
