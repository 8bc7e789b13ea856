import {
  type ListPlace,
  NO_FORMAT,
  type RunFormat,
  readListPlace,
  readRunFormat,
} from "./formats.ts";
import { attributeIn, attributeOf, elementIn, elementsIn, withWordPrefix } from "./xml.ts";

/** A style, as far as it takes part in choosing fonts. */
export interface Style {
  readonly id: string;
  /** `paragraph`, `character`, `table` or `numbering`. */
  readonly type: string | null;
  readonly basedOn: string | null;
  readonly format: RunFormat;
  readonly list: ListPlace | null;
  /** Of a table: what holds for its first row and first column only. */
  readonly firstRow: RunFormat;
  readonly firstColumn: RunFormat;
}

/** The styles of a document. */
export interface StyleSheet {
  readonly defaults: RunFormat;
  /** The style of paragraphs that name none. */
  readonly paragraph: Style | null;
  /** By their ids, of all types. */
  readonly styles: ReadonlyMap<string, Style>;
}

/** What a document without a part of styles has. */
export const NO_STYLES: StyleSheet = { defaults: NO_FORMAT, paragraph: null, styles: new Map() };

/** Reads the part of styles. */
export function readStyleSheet(part: string): StyleSheet {
  const xml = withWordPrefix(part);
  const styles = new Map<string, Style>();
  let paragraph: Style | null = null;
  for (const { tag, content } of elementsIn(xml, "w:style")) {
    const id = attributeOf(tag, "w:styleId");
    if (id === null) continue;
    const type = attributeOf(tag, "w:type");
    const style = readStyle(id, type, content);
    styles.set(id, style);
    const isDefault = attributeOf(tag, "w:default");
    if (type === "paragraph" && isDefault !== null && isDefault !== "0") {
      paragraph = style;
    }
  }
  const defaults = elementIn(xml, "w:rPrDefault")?.content ?? "";
  return { defaults: withTimes(readRunFormat(defaults)), paragraph, styles };
}

/** Word and LibreOffice begin with this font. */
function withTimes(defaults: RunFormat): RunFormat {
  return { ...defaults, latin: defaults.latin ?? { name: "Times New Roman", theme: null } };
}

function readStyle(id: string, type: string | null, xml: string): Style {
  const conditions = xml.indexOf("<w:tblStylePr");
  const own = conditions < 0 ? xml : xml.slice(0, conditions);
  return {
    id,
    type,
    basedOn: attributeIn(own, "w:basedOn", "w:val"),
    // The format of the mark stands within the w:pPr: only what follows is the style's.
    format: readRunFormat(
      elementIn(own.slice(own.indexOf("</w:pPr>") + 1), "w:rPr")?.content ?? "",
    ),
    list: readListPlace(elementIn(own, "w:pPr")?.content ?? ""),
    firstRow: conditionalFormat(xml, conditions, "firstRow"),
    firstColumn: conditionalFormat(xml, conditions, "firstCol"),
  };
}

function conditionalFormat(xml: string, from: number, type: string): RunFormat {
  if (from < 0) return NO_FORMAT;
  for (const { tag, content } of elementsIn(xml.slice(from), "w:tblStylePr")) {
    if (attributeOf(tag, "w:type") !== type) continue;
    return readRunFormat(elementIn(content, "w:rPr")?.content ?? "");
  }
  return NO_FORMAT;
}

/** More are a circle. */
const LONGEST_CHAIN = 50;

/** A style and those that it is based on, the nearest first. */
export function chainOf({ styles }: StyleSheet, style: Style | null | undefined): Style[] {
  const chain: Style[] = [];
  let next = style;
  while (next !== null && next !== undefined && chain.length < LONGEST_CHAIN) {
    chain.push(next);
    next = next.basedOn === null ? null : styles.get(next.basedOn);
  }
  return chain;
}

/** The style of a paragraph that names this one, or none. */
export function paragraphStyle(sheet: StyleSheet, id: string | null): Style | null {
  return (id === null ? undefined : sheet.styles.get(id)) ?? sheet.paragraph;
}
