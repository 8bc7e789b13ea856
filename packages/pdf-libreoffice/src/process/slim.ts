import { createHash } from "node:crypto";
import type { Docx } from "@quire/ooxml";
import { LRUCache } from "lru-cache";

const MAX_KEPT = 50;

/** The styles part without unused styles; null if nothing can be removed. */
interface SlimmedStyles {
  readonly xml: string | null;
}

/**
 * Removes unused styles from a docx. Reading styles takes up to a third of LibreOffice's time for a short document, and
 * unused styles do not affect the PDF. A style is kept if a printed part or another kept style refers to it, or if
 * LibreOffice itself uses it. If anything may find styles by name (some fields, included documents), keeps all styles.
 */
export class StyleSlimmer {
  /** Results by the styles part and the used ids. Documents of one template have both in common. */
  readonly #slimmed = new LRUCache<string, SlimmedStyles>({ max: MAX_KEPT });

  /**
   * Returns the docx without unused styles, or the original bytes if all styles are used or the result would be
   * uncertain.
   */
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
      slimmed = { xml: slimStyles(styles, used) };
      this.#slimmed.set(key, slimmed);
    }
    return slimmed.xml === null ? docx.bytes : docx.write(new Map([[part, slimmed.xml]]));
  }
}

/**
 * Kinds of parts whose styles LibreOffice does not use. One of them is a second, large copy of all styles that Word
 * 2010 wrote and that the templates of several libraries therefore contain.
 */
const WITHOUT_STYLES = new Set([
  "customXml",
  "fontTable",
  "glossaryDocument",
  "stylesWithEffects",
  "theme",
  "webSettings",
]);

/** Returns the parts that may use a style, except the styles part itself. */
function partsUsingStyles(docx: Docx, styles: string): string[] {
  const relationships = docx.relationshipsOf(docx.mainPart);
  const isUsed = ({ kind }: { readonly kind: string }) => !WITHOUT_STYLES.has(kind);
  const used = new Set<string | null>(relationships.filter(isUsed).map(({ part }) => part));
  const skipped = new Set([styles]);
  for (const { kind, part } of relationships) {
    if (part === null || !WITHOUT_STYLES.has(kind)) continue;
    // A glossary is a separate document with separate styles.
    const own = kind === "glossaryDocument" ? docx.parts.filter((name) => isBelow(part, name)) : [];
    for (const name of [part, ...own]) if (!used.has(name)) skipped.add(name);
  }
  const isRead = (name: string) => name.endsWith(".xml") && !name.startsWith("docProps/");
  return docx.parts.filter((name) => isRead(name) && !skipped.has(name));
}

/** Whether a part is in the folder that Word uses for a glossary. */
function isBelow(glossary: string, name: string): boolean {
  const folder = glossary.slice(0, glossary.lastIndexOf("/") + 1);
  return /\/glossary\/$/i.test(folder) && name.startsWith(folder);
}

/** Fields that may name a style, and included documents. */
const FINDS_BY_NAME = /STYLEREF|\\t\s|TOC\s|AUTOTEXT|<w:altChunk|<w:subDoc/;

const USE =
  /<w:(?:pStyle|rStyle|tblStyle|styleLink|numStyleLink|clickAndTypeStyle|defaultTableStyle)\s[^>]*?w:val="([^"]*)"/g;
const STYLE = /<w:style\s[^>]*>(?:(?!<w:style[\s>])[\s\S])*?<\/w:style>/g;
const ID = /^<w:style\s[^>]*?w:styleId="([^"]*)"/;
const NAME = /<w:name\s[^>]*?w:val="([^"]*)"/;
const IS_DEFAULT = /^<w:style\s[^>]*?w:default="(?:1|true|on)"/;
const LEADS_TO = /<w:(?:basedOn|link|next)\s[^>]*?w:val="([^"]*)"/g;
const LATENT = /<w:latentStyles[\s\S]*?<\/w:latentStyles>|<w:latentStyles[^>]*\/>/;

/** LibreOffice itself uses styles with these names: as defaults, and for links, notes and page numbers. */
const OF_THE_PROGRAM =
  /^(?:normal|hyperlink|followedhyperlink|(?:footnote|endnote|annotation) \w+|page number|line number|no list|normal table|default paragraph font)$/i;

function slimStyles(xml: string, used: ReadonlySet<string>): string | null {
  const styles = new Map<string, string>();
  const names = new Set<string>();
  for (const [style] of xml.matchAll(STYLE)) {
    const id = ID.exec(style)?.[1];
    const name = NAME.exec(style)?.[1]?.toLowerCase();
    // LibreOffice identifies styles by name. If two have the same name, removing one could affect the other.
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
