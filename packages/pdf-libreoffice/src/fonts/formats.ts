import { attributeIn, attributeOf, elementIn, toggleIn } from "./xml.ts";

/** A font as a `w:rFonts` names it: directly, or by its role in the theme, which takes precedence. */
export interface FontName {
  readonly name: string | null;
  /** For example `minorHAnsi`. */
  readonly theme: string | null;
}

/** The properties that determine the font of a run. Null if not set. */
export interface RunFormat {
  readonly latin: FontName | null;
  readonly asian: FontName | null;
  readonly complex: FontName | null;
  /** The id of a character style. */
  readonly style: string | null;
  readonly hidden: boolean | null;
}

/** The properties of a paragraph that affect its fonts. */
export interface ParagraphFormat {
  readonly style: string | null;
  /** The format of the paragraph mark, which also applies to a list number. */
  readonly mark: RunFormat;
  readonly list: ListPlace | null;
}

/** A paragraph's position in a list. */
export interface ListPlace {
  /** The id of the list; null if only a level is set. */
  readonly list: string | null;
  readonly level: number | null;
}

/** A format with no properties set. */
export const NO_FORMAT: RunFormat = {
  latin: null,
  asian: null,
  complex: null,
  style: null,
  hidden: null,
};

/** A paragraph format with no properties set. */
export const NO_PARAGRAPH: ParagraphFormat = { style: null, mark: NO_FORMAT, list: null };

/** Reads the content of a `w:rPr`. */
export function readRunFormat(xml: string): RunFormat {
  const now = until(xml, "<w:rPrChange");
  const fonts = elementIn(now, "w:rFonts")?.tag;
  return {
    ...(fonts === undefined ? NO_FORMAT : fontsOf(fonts)),
    style: attributeIn(now, "w:rStyle", "w:val"),
    hidden: toggleIn(now, "w:vanish"),
  };
}

/** Reads the fonts of a `w:rFonts`. LibreOffice ignores `w:hAnsi`. */
function fontsOf(tag: string): RunFormat {
  return {
    ...NO_FORMAT,
    latin: nameOf(tag, "w:ascii", "w:asciiTheme"),
    asian: nameOf(tag, "w:eastAsia", "w:eastAsiaTheme"),
    complex: nameOf(tag, "w:cs", "w:cstheme"),
  };
}

function nameOf(tag: string, attribute: string, themeAttribute: string): FontName | null {
  const name = attributeOf(tag, attribute);
  const theme = attributeOf(tag, themeAttribute);
  return name === null && theme === null ? null : { name, theme };
}

/** Reads the content of a `w:pPr`. */
export function readParagraphFormat(xml: string): ParagraphFormat {
  const now = until(xml, "<w:pPrChange");
  const mark = elementIn(now, "w:rPr")?.content;
  return {
    style: attributeIn(now, "w:pStyle", "w:val"),
    mark: mark === undefined ? NO_FORMAT : readRunFormat(mark),
    list: readListPlace(now),
  };
}

/** Reads the `w:numPr` within a `w:pPr`; returns null if it is missing. */
export function readListPlace(xml: string): ListPlace | null {
  const place = elementIn(xml, "w:numPr")?.content;
  if (place === undefined) return null;
  const level = attributeIn(place, "w:ilvl", "w:val");
  return {
    list: attributeIn(place, "w:numId", "w:val"),
    level: level === null ? null : Number(level),
  };
}

/** Cuts off the record of a tracked change, which contains the previous format. */
function until(xml: string, change: string): string {
  const at = xml.indexOf(change);
  return at < 0 ? xml : xml.slice(0, at);
}
