import { attributeIn, attributeOf, elementIn, toggleIn } from "./xml.ts";

/** A font as a `w:rFonts` names it: by itself, or by its place in the theme, which comes first. */
export interface FontName {
  readonly name: string | null;
  /** For example `minorHAnsi`. */
  readonly theme: string | null;
}

/** What says in which font text stands. Null where nothing is said. */
export interface RunFormat {
  readonly latin: FontName | null;
  readonly asian: FontName | null;
  readonly complex: FontName | null;
  /** The id of a style of characters. */
  readonly style: string | null;
  readonly hidden: boolean | null;
}

/** What says how a paragraph stands, as far as it takes part in choosing fonts. */
export interface ParagraphFormat {
  readonly style: string | null;
  /** The format of the paragraph's mark, which the number of a list takes. */
  readonly mark: RunFormat;
  readonly list: ListPlace | null;
}

/** A paragraph's place in a list. */
export interface ListPlace {
  /** Null when only a level is given. */
  readonly list: string | null;
  readonly level: number | null;
}

/** Says nothing. */
export const NO_FORMAT: RunFormat = {
  latin: null,
  asian: null,
  complex: null,
  style: null,
  hidden: null,
};

/** Says nothing. */
export const NO_PARAGRAPH: ParagraphFormat = { style: null, mark: NO_FORMAT, list: null };

/** Reads what stands in a `w:rPr`. */
export function readRunFormat(xml: string): RunFormat {
  const now = until(xml, "<w:rPrChange");
  const fonts = elementIn(now, "w:rFonts")?.tag;
  return {
    ...(fonts === undefined ? NO_FORMAT : fontsOf(fonts)),
    style: attributeIn(now, "w:rStyle", "w:val"),
    hidden: toggleIn(now, "w:vanish"),
  };
}

/** LibreOffice takes no notice of `w:hAnsi`. */
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

/** Reads what stands in a `w:pPr`. */
export function readParagraphFormat(xml: string): ParagraphFormat {
  const now = until(xml, "<w:pPrChange");
  const mark = elementIn(now, "w:rPr")?.content;
  return {
    style: attributeIn(now, "w:pStyle", "w:val"),
    mark: mark === undefined ? NO_FORMAT : readRunFormat(mark),
    list: readListPlace(now),
  };
}

/** Reads the `w:numPr` within a `w:pPr`; null when there is none. */
export function readListPlace(xml: string): ListPlace | null {
  const place = elementIn(xml, "w:numPr")?.content;
  if (place === undefined) return null;
  const level = attributeIn(place, "w:ilvl", "w:val");
  return {
    list: attributeIn(place, "w:numId", "w:val"),
    level: level === null ? null : Number(level),
  };
}

/** What was before a tracked change follows behind. */
function until(xml: string, change: string): string {
  const at = xml.indexOf(change);
  return at < 0 ? xml : xml.slice(0, at);
}
