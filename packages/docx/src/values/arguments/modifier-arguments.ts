import { checkDecimals } from "../../format/format-number.ts";
import { checkLocale, checkPattern, checkTimeZone } from "../../format/format-pattern.ts";
import type { LookTarget } from "../../language/looks.ts";
import type { ModifierArgument, ModifierCall } from "../../language/modifiers.ts";
import { checkBarcodeKind } from "../image/barcode.ts";
import { parseLength } from "../image/size.ts";
import { patternIn } from "../modifiers.ts";
import { lookColor } from "../rich/colors.ts";
import { columnWidthProblem } from "./column-width.ts";

/** The ways in which an image may fill its box. */
export const FITS: readonly string[] = ["contain", "cover", "stretch"];

/** The largest size of text in Word, in points. */
const LARGEST_SIZE = 1_638;

/** What `numbering` does with the list of its paragraph. */
export const NUMBERINGS: readonly string[] = ["continue", "restart"];

/**
 * Returns why an argument of a modifier is invalid, as the end of a sentence that begins with the argument; null if it
 * is valid. `index`: the place of the argument, from 0. `target`: the element that the tag changes, or null.
 */
export function argumentProblem(
  name: ModifierCall["name"],
  index: number,
  argument: ModifierArgument,
  target: LookTarget | null = null,
): string | null {
  const { value } = argument;
  if (index > 0) return secondProblem(name, value);
  if (name === "width" && target === "column") return columnWidthProblem(value);
  switch (name) {
    case "format":
    case "number":
    case "currency":
    case "percent":
      return checkPattern(name, patternIn(argument));
    case "locale":
      return checkLocale(value);
    case "timeZone":
      return checkTimeZone(value);
    case "width":
    case "height":
      return parseLength(value) === null ? lengthProblem(value) : null;
    case "fit":
      return FITS.includes(value) ? null : `is not one of ${FITS.join(", ")}`;
    case "barcode":
      return checkBarcodeKind(value);
    case "numbering":
      return NUMBERINGS.includes(value) ? null : 'is not "continue" or "restart"';
    case "shrink":
      return Number(value) >= 1 && Number(value) <= LARGEST_SIZE
        ? null
        : "is not a size in points: write a whole number, such as 8";
    case "span":
      return Number(value) >= 1 ? null : "is not a number of columns: the least is 1";
    case "fill":
    case "color":
      return value.trim() === "" || lookColor(value) !== null
        ? null
        : "is not a color: write a name such as red, or #FFE0E0";
    default:
      return null;
  }
}

function lengthProblem(value: string): string {
  const point = value.replace(",", ".");
  return value !== point && parseLength(point) !== null
    ? `is not a length: write a point before the decimals, "${point}"`
    : 'is not a length: write a number with a unit, such as "4cm", "25mm", "1.5in", "90pt" or "120px"';
}

function secondProblem(name: ModifierCall["name"], value: string): string | null {
  if (name === "currency") return checkDecimals(value);
  return name !== "barcode" || value === "text"
    ? null
    : 'is not "text", which prints the text below the bars';
}
