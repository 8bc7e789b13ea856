import {
  type ListPlace,
  NO_FORMAT,
  type RunFormat,
  readListPlace,
  readRunFormat,
} from "./formats.ts";
import { attributeIn, attributeOf, elementIn, elementsIn, withWordPrefix } from "./xml.ts";

/** The properties of a style that affect fonts. */
export interface Style {
  readonly id: string;
  /** `paragraph`, `character`, `table` or `numbering`. */
  readonly type: string | null;
  readonly basedOn: string | null;
  readonly format: RunFormat;
  readonly list: ListPlace | null;
  /** For table styles: the format of the first row and the first column. */
  readonly firstRow: RunFormat;
  readonly firstColumn: RunFormat;
}

/** The styles of a document. */
export interface StyleSheet {
  readonly defaults: RunFormat;
  /** The default paragraph style. */
  readonly paragraph: Style | null;
  /** Styles of all types, by id. */
  readonly styles: ReadonlyMap<string, Style>;
}

/** The style sheet of a document without a styles part. */
export const NO_STYLES: StyleSheet = { defaults: NO_FORMAT, paragraph: null, styles: new Map() };

/** Reads the styles part. */
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

/** Adds Times New Roman, the default font of Word and LibreOffice, if the defaults name no font. */
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
    // The w:pPr contains the format of the paragraph mark. The style's own format comes after it.
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

/** A longer chain is circular. */
const LONGEST_CHAIN = 50;

/** Returns a style and the styles that it is based on, nearest first. */
export function chainOf({ styles }: StyleSheet, style: Style | null | undefined): Style[] {
  const chain: Style[] = [];
  let next = style;
  while (next !== null && next !== undefined && chain.length < LONGEST_CHAIN) {
    chain.push(next);
    next = next.basedOn === null ? null : styles.get(next.basedOn);
  }
  return chain;
}

/** Returns the style of a paragraph with this style id; the default style if the id is null or unknown. */
export function paragraphStyle(sheet: StyleSheet, id: string | null): Style | null {
  return (id === null ? undefined : sheet.styles.get(id)) ?? sheet.paragraph;
}
