/**
 * Elements whose text belongs to no paragraph: the properties of the document (ECMA-376 part 1, 15.2.12 and 22.3; part
 * 2, 11) and of a cover page, and texts of a chart (names of series, categories and trend lines, and the separator in
 * labels).
 */
export const LONE_ELEMENTS = [
  ...["dc:title", "dc:subject", "dc:creator", "dc:description"],
  ...["cp:keywords", "cp:category", "cp:contentStatus"],
  ...["vt:lpwstr", "vt:lpstr", "Company", "Manager", "HyperlinkBase"],
  ...["PublishDate", "Abstract", "CompanyAddress", "CompanyPhone", "CompanyFax", "CompanyEmail"],
  ...["c:v", "c:name", "c:separator", "cx:v", "cx:pt"],
];

/** Elements whose text is part of the paragraph's text, including in equations, drawings and field instructions. */
const PARAGRAPH_ELEMENTS = ["w:t", "m:t", "w:instrText", "a:t"];

/** The elements whose text may contain tags. */
export const TEXT_ELEMENTS = [...PARAGRAPH_ELEMENTS, ...LONE_ELEMENTS];

/** Elements whose text is content, by name. In other elements, spaces only format the XML. */
export const HOLDS_TEXT = /:(?:t|v|pt|name|separator)$|Text$|^(?:dc|cp|vt):|^[A-Z]/;

/** Paragraph elements, of running text and of drawings. */
export const PARAGRAPHS: readonly string[] = ["w:p", "a:p"];

/** A piece of text within the XML of a part. */
export interface Segment {
  readonly text: string;
  /** The offset of the text in the XML. */
  readonly start: number;
  /** The name of the element that contains the text; empty for a space that separates two pieces. */
  readonly element: string;
}

/**
 * Returns a function that finds the positions of a paragraph's characters in the XML. Call it with ascending offsets.
 */
export function locator(
  segments: readonly Segment[],
): (offset: number) => { readonly segment: Segment; readonly position: number } {
  let index = 0;
  let before = 0;
  return (offset) => {
    for (let segment = segments[index]; segment !== undefined; segment = segments[index]) {
      const { length } = segment.text;
      if (offset < before + length) return { segment, position: segment.start + offset - before };
      before += length;
      index += 1;
    }
    throw new Error("The offset is after the end of the text.");
  };
}

/** Matches where paragraphs and separate text elements such as `dc:title` begin and end. */
const BOUNDARIES = new RegExp(
  `<(?:${PARAGRAPHS.join("|")})(?=[ >])|</(?:${PARAGRAPHS.join("|")})>|<(${TEXT_ELEMENTS.join("|")})(?: [^>]*)?>([^<]*)</`,
  "g",
);

/** Returns the text segments of each paragraph that contains one of the given characters. */
export function paragraphsOf(xml: string, characters: readonly string[]): Segment[][] {
  const found: Segment[][] = [];
  let segments: Segment[] = [];
  let wanted = false;
  let behind = 0;
  const settle = (): void => {
    if (wanted) found.push(segments);
    segments = [];
    wanted = false;
  };
  for (const { 0: all, 1: name, 2: text = "", index } of xml.matchAll(BOUNDARIES)) {
    if (name === undefined || !PARAGRAPH_ELEMENTS.includes(name)) {
      settle();
      behind = index;
    }
    if (name === undefined) continue;
    const end = index + all.length - "</".length;
    const start = end - text.length;
    if (segments.length > 0 && SHOWN.test(xml.slice(behind, start))) {
      segments.push({ text: BREAK, start, element: "" });
    }
    segments.push({ text, start, element: name });
    behind = end;
    wanted ||= characters.some((character) => text.includes(character));
  }
  settle();
  return found;
}

/** Whether these characters of a paragraph are in the text of runs. Block tags are not possible elsewhere. */
export function isInText(segments: readonly Segment[], ...offsets: readonly number[]): boolean {
  return offsets.every((offset) => locator(segments)(offset).segment.element === "w:t");
}

/**
 * Returns the text of each paragraph that contains one of the given characters, escaped, with its start in the part.
 * The instructions of fields are omitted, because their braces have another meaning. The part is canonical XML.
 */
export function textsOfParagraphs(
  xml: string,
  characters: readonly string[],
): { readonly text: string; readonly position: number }[] {
  return paragraphsOf(xml, characters).flatMap((segments) => {
    const shown = segments.map(({ text, element }) => (element === "w:instrText" ? BREAK : text));
    const text = shown.join("");
    const isWanted = characters.some((character) => text.includes(character));
    return isWanted ? [{ text, position: segments[0]?.start ?? 0 }] : [];
  });
}

/**
 * Separates pieces of text that are not visibly adjacent, because a backslash in one is unrelated to a tag in the
 * other.
 */
const BREAK = " ";
const SHOWN =
  /<(?:w:(?:tab|ptab|br|cr|sym|drawing|pict|object|noBreakHyphen|footnoteReference|endnoteReference)|a:br)[ />]/;
