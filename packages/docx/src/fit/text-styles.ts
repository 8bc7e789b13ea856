import {
  type ParagraphFormat,
  type RunFormat,
  readParagraphFormat,
  readRunFormat,
  type ThemeFont,
} from "./text-format.ts";
import { attributeOf, childOf, numberOf, readElements, type XmlElement } from "./xml-tree.ts";

/** The margins of cells, in twentieths of a point. */
export interface Margins {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The part of a table in which a cell is, for the conditional formats of its style. */
export type TablePart = "firstRow" | "lastRow" | "firstCol" | "lastCol";

/** The table around a text, as far as its style changes the text. */
export interface TablePlace {
  /** The id of the style; null for the default style. */
  readonly style: string | null;
  readonly parts: readonly TablePart[];
}

interface Formats {
  readonly run: RunFormat;
  readonly paragraph: ParagraphFormat;
}

/** The formats of a template's styles. */
export interface TextStyles {
  readonly theme: ThemeFont;
  /** Returns the format of a paragraph with this style, and of its text; null for the default style. */
  readonly ofParagraph: (style: string | null, table: TablePlace | null) => Formats;
  /** Returns the format that a character style sets. */
  readonly ofCharacters: (style: string) => RunFormat;
  /** Returns the margins that a table style sets. */
  readonly marginsOf: (style: string | null) => Partial<Margins>;
}

interface Style extends Formats {
  readonly type: string;
  readonly basedOn: string | null;
  readonly margins: Partial<Margins>;
  readonly parts: ReadonlyMap<string, Formats>;
}

const NOTHING: Formats = { run: {}, paragraph: {} };

/** Word's format if the template defines nothing else. */
const WORD: Formats = { run: { font: "Times New Roman", size: 20 }, paragraph: {} };

/** Maximum length of a chain of base styles. In a damaged file, styles may be based on each other. */
const MAX_CHAIN = 100;

/** Reads the styles part as canonical XML; null for a template without one. */
export function readTextStyles(xml: string | null, theme: ThemeFont): TextStyles {
  const root = childOf(readElements(xml ?? ""), "w:styles");
  const styles = new Map<string, Style>();
  const usual = new Map<string, string>();
  for (const element of root?.children ?? []) {
    if (element.name !== "w:style") continue;
    const id = attributeOf(element, "w:styleId") ?? "";
    const style = readStyle(element, theme);
    styles.set(id, style);
    const isDefault = ["1", "true", "on"].includes(attributeOf(element, "w:default") ?? "");
    if (isDefault) usual.set(style.type, id);
  }
  const defaults = childOf(root, "w:docDefaults");
  const base = merged(WORD, {
    run: readRunFormat(childOf(childOf(defaults, "w:rPrDefault"), "w:rPr"), theme),
    paragraph: readParagraphFormat(childOf(childOf(defaults, "w:pPrDefault"), "w:pPr")),
  });
  const chainOf = (type: string, id: string | null): readonly Style[] => {
    const chain: Style[] = [];
    const named = id === null ? undefined : styles.get(id);
    let at = named?.type === type ? named : styles.get(usual.get(type) ?? "");
    while (at !== undefined && chain.length < MAX_CHAIN) {
      chain.unshift(at);
      at = at.basedOn === null ? undefined : styles.get(at.basedOn);
    }
    return chain;
  };
  const known = new Map<string, Formats>();
  return {
    theme,
    ofParagraph(style, table) {
      const key = JSON.stringify([style, table]);
      const found = known.get(key);
      if (found !== undefined) return found;
      const ofTable =
        table === null ? [] : ofTableStyle(chainOf("table", table.style), table.parts);
      const made = [...ofTable, ...chainOf("paragraph", style)].reduce<Formats>(merged, base);
      if (known.size < MAX_KNOWN) known.set(key, made);
      return made;
    },
    ofCharacters: (style) =>
      Object.assign({}, ...chainOf("character", style).map(({ run }) => run)),
    marginsOf: (style) =>
      Object.assign({}, ...chainOf("table", style).map(({ margins }) => margins)),
  };
}

/** Maximum number of formats to remember. */
const MAX_KNOWN = 1_000;

/** Returns the formats of a table style, the conditional ones last. */
function ofTableStyle(chain: readonly Style[], parts: readonly TablePart[]): readonly Formats[] {
  const conditional = parts.flatMap((part) => chain.map((each) => each.parts.get(part) ?? NOTHING));
  return [...chain, ...conditional];
}

function merged(base: Formats, { run, paragraph }: Formats): Formats {
  return { run: { ...base.run, ...run }, paragraph: { ...base.paragraph, ...paragraph } };
}

function readStyle(element: XmlElement, theme: ThemeFont): Style {
  const parts = element.children.filter(({ name }) => name === "w:tblStylePr");
  return {
    type: attributeOf(element, "w:type") ?? "paragraph",
    basedOn: attributeOf(childOf(element, "w:basedOn"), "w:val") ?? null,
    ...readFormats(element, theme),
    margins: readMargins(childOf(childOf(element, "w:tblPr"), "w:tblCellMar")),
    parts: new Map(
      parts.map((each) => [attributeOf(each, "w:type") ?? "", readFormats(each, theme)]),
    ),
  };
}

function readFormats(element: XmlElement, theme: ThemeFont): Formats {
  return {
    run: readRunFormat(childOf(element, "w:rPr"), theme),
    paragraph: readParagraphFormat(childOf(element, "w:pPr")),
  };
}

/** Reads a `w:tblCellMar` or a `w:tcMar`. */
export function readMargins(element: XmlElement | undefined): Partial<Margins> {
  const margins: Partial<Record<keyof Margins, number>> = {};
  for (const child of element?.children ?? []) {
    const side = SIDES.get(child.name);
    const isLength = (attributeOf(child, "w:type") ?? "dxa") === "dxa";
    const width = isLength ? numberOf(child, "w:w") : undefined;
    if (side !== undefined && width !== undefined) margins[side] = width;
  }
  return margins;
}

/** The sides of a `w:tblCellMar` or a `w:tcMar`, by the names of their elements. */
export const SIDES: ReadonlyMap<string, keyof Margins> = new Map([
  ["w:left", "left"],
  ["w:start", "left"],
  ["w:right", "right"],
  ["w:end", "right"],
  ["w:top", "top"],
  ["w:bottom", "bottom"],
]);
