import { PDFDict, PDFName } from "../read/pdf-lib.ts";
import { dictIn, key, nameIn, spelled } from "../read/pdf-objects.ts";

/** The style of a field's text. */
export interface FieldLook {
  readonly font: FontChoice;
  /** Font size in points; 0 means automatic. */
  readonly size: number;
  /** The operator that sets the colour, preceded by its operands. */
  readonly color: string;
}

/** The font that replaces a field's font. */
export interface FontChoice {
  /** The name of a standard font (ISO 32000-1, 9.6.2.2), which need not be in the file. */
  readonly name: string;
  /** The name of the font that the field requests, if it looks different; otherwise null. */
  readonly insteadOf: string | null;
}

/** Names of the standard fonts in form editors. */
const SHORT_NAMES: ReadonlyMap<string, string> = new Map([
  ["Helv", "Helvetica"],
  ["HeBo", "Helvetica-Bold"],
  ["HeOb", "Helvetica-Oblique"],
  ["HeBO", "Helvetica-BoldOblique"],
  ["TiRo", "Times-Roman"],
  ["TiBo", "Times-Bold"],
  ["TiIt", "Times-Italic"],
  ["TiBI", "Times-BoldItalic"],
  ["Cour", "Courier"],
  ["CoBo", "Courier-Bold"],
  ["CoOb", "Courier-Oblique"],
  ["CoBO", "Courier-BoldOblique"],
]);

const COLORS: ReadonlyMap<string, number> = new Map([
  ["g", 1],
  ["rg", 3],
  ["k", 4],
]);

/** Reads the text style of a field. `form` contains the fonts that the operators name. */
export function readLook(operators: string, form: PDFDict): FieldLook {
  const operands: string[] = [];
  let font = "";
  let size = 0;
  let color = "0 g";
  for (const token of operators.split(/[\s\0]+/)) {
    const count = COLORS.get(token);
    if (token === "Tf") {
      font = (operands.at(-2) ?? "").replace(/^\//, "");
      size = sensible(Number(operands.at(-1)));
    } else if (count !== undefined) {
      const numbers = operands.slice(-count).map(Number);
      if (numbers.length === count && numbers.every((each) => each >= 0 && each <= 1))
        color = `${numbers.map(spelled).join(" ")} ${token}`;
    }
    if (/^[a-zA-Z]/.test(token)) operands.length = 0;
    else operands.push(token);
  }
  return { font: chooseFont(font, form), size, color };
}

/** Returns the size, or 0 if it is invalid. */
function sensible(size: number): number {
  return Number.isFinite(size) && size > 0 && size < 1000 ? size : 0;
}

function chooseFont(name: string, form: PDFDict): FontChoice {
  const fonts = dictIn(form, "DR")?.lookup(key("Font"));
  const font = fonts instanceof PDFDict && name !== "" ? fonts.lookup(PDFName.of(name)) : null;
  const base = font instanceof PDFDict ? nameIn(font, "BaseFont") : name;
  const asked = (SHORT_NAMES.get(base) ?? base).replace(/^[A-Z]{6}\+/, "");
  const choice = standardFont(asked);
  const isSame = asked === "" || /^(?:helvetica|arial|times|courier)/i.test(asked);
  return { name: choice, insteadOf: isSame ? null : asked };
}

/** Returns the standard font that is closest to another font, judging by the name of that font. */
function standardFont(asked: string): string {
  const name = asked.toLowerCase();
  const isBold = /bold|black|heavy|demi/.test(name);
  const isSlanted = /italic|oblique/.test(name);
  if (/courier|mono|consol|typewriter/.test(name)) return styled("Courier", isBold, isSlanted);
  const isSerif = /times|roman|georgia|garamond|cambria|palatino|antiqua|century|minion|serif/;
  if (!isSerif.test(name) || name.includes("sans")) return styled("Helvetica", isBold, isSlanted);
  const style = `${isBold ? "Bold" : ""}${isSlanted ? "Italic" : ""}`;
  return `Times-${style === "" ? "Roman" : style}`;
}

function styled(family: string, isBold: boolean, isSlanted: boolean): string {
  const style = `${isBold ? "Bold" : ""}${isSlanted ? "Oblique" : ""}`;
  return style === "" ? family : `${family}-${style}`;
}
