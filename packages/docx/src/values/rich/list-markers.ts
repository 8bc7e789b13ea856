import { roman } from "../roman.ts";
import { attributeXml } from "../text.ts";
import { LIST_INDENT, LIST_LEVELS, type ListKind, type RichList } from "./model.ts";

/** The distance between the marker of an item and its text, in twentieths of a point. */
export const HANGING = 360;

const FORMATS: Readonly<Record<ListKind, string>> = {
  bullet: "bullet",
  decimal: "decimal",
  "lower-letter": "lowerLetter",
  "upper-letter": "upperLetter",
  "lower-roman": "lowerRoman",
  "upper-roman": "upperRoman",
};

/** The default form of a number, with `%` for the number. */
const USUAL_TEXT = "%.";

/** Bullets that every common font has. Word's own bullets need Symbol and Wingdings, which Linux does not have. */
const BULLETS = ["\u2022", "\u25e6", "\u25aa"];

/** Returns the usual bullet of a level, from 0. */
export function bulletOf(level: number): string {
  return BULLETS[level % BULLETS.length] ?? "";
}

/** The marker of a list. */
type Marked = Pick<RichList, "kind" | "text">;

/**
 * Returns a `w:abstractNum` with nine levels of one kind, all starting at 1; instances override the start. If nested
 * ordered lists in a table shared a definition, they would continue each other's numbers.
 */
export function listNumberingXml(abstractNumId: number, list: Marked): string {
  const levels = Array.from({ length: LIST_LEVELS }, (_, level) => levelXml(list, level));
  return `<w:abstractNum w:abstractNumId="${abstractNumId}"><w:multiLevelType w:val="hybridMultilevel"/>${levels.join("")}</w:abstractNum>`;
}

function levelXml({ kind, text: said }: Marked, level: number): string {
  const bullet = kind === "bullet";
  const text = bullet
    ? (said ?? bulletOf(level))
    : (said ?? USUAL_TEXT).replace("%", `%${level + 1}`);
  // For other symbols, the program that shows the document chooses the font.
  const font =
    bullet && said === null
      ? '<w:rPr><w:rFonts w:ascii="Arial" w:hAnsi="Arial" w:cs="Arial" w:hint="default"/></w:rPr>'
      : "";
  const indent = `<w:pPr><w:ind w:left="${LIST_INDENT * (level + 1)}" w:hanging="${HANGING}"/></w:pPr>`;
  return `<w:lvl w:ilvl="${level}"><w:start w:val="1"/><w:numFmt w:val="${FORMATS[kind]}"/><w:lvlText w:val="${attributeXml(text)}"/><w:lvlJc w:val="left"/>${indent}${font}</w:lvl>`;
}

/** Returns the marker of an item as text, for places where Word cannot number items. */
export function markerText({ kind, text }: Marked, number: number): string {
  if (kind === "bullet") return text ?? bulletOf(0);
  return (text ?? USUAL_TEXT).replace("%", numberText(kind, number));
}

/** Returns a number in the style of a list, or in digits if the number is beyond the range of the style. */
export function numberText(kind: ListKind, number: number): string {
  const formatted = number < 1 ? null : COUNTERS[kind]?.(number);
  return formatted ?? String(number);
}

const COUNTERS: Partial<Record<ListKind, (number: number) => string | null>> = {
  "lower-letter": letters,
  "upper-letter": (number) => letters(number).toUpperCase(),
  "lower-roman": romanOf,
  "upper-roman": (number) => romanOf(number)?.toUpperCase() ?? null,
};

/** Returns a number in letters, as in browsers: a, b, …, z, aa, ab, …. */
function letters(number: number): string {
  let text = "";
  for (let rest = number; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    text = String.fromCharCode(97 + ((rest - 1) % 26)) + text;
  }
  return text;
}

/** The greatest number that browsers write in Roman numerals. */
const MAX_ROMAN = 3999;

function romanOf(number: number): string | null {
  return number > MAX_ROMAN ? null : roman(number);
}
