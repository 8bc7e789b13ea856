import type { PdfFile } from "../../pdf/pdf-file.ts";
import {
  type PdfDict,
  PdfName,
  PdfOperator,
  PdfReader,
  PdfRef,
  PdfText,
  type PdfValue,
  unusual,
} from "../../pdf/pdf-syntax.ts";
import { canonical } from "./canonical.ts";
import { type PdfFont, readFont } from "./fonts.ts";

/** A step in drawing a page: the operation and its numbers. */
export interface Step {
  /** `glyph` with its font and text, or an operator with resolved resource names. */
  readonly what: string;
  readonly numbers: readonly number[];
}

/** The six numbers of a transformation matrix. */
type Matrix = readonly [number, number, number, number, number, number];

const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** The text state: `q` saves it, and `Q` restores it. */
interface TextState {
  readonly font: PdfFont | null;
  readonly size: number;
  readonly spacing: number;
  readonly wordSpacing: number;
  /** Horizontal scale; 1 is normal. */
  readonly scale: number;
}

/** The category of resources that an operator refers to. */
const CATEGORY: ReadonlyMap<string, string> = new Map([
  ["gs", "ExtGState"],
  ["cs", "ColorSpace"],
  ["CS", "ColorSpace"],
  ["scn", "Pattern"],
  ["SCN", "Pattern"],
  ["sh", "Shading"],
  ["BDC", "Properties"],
  ["DP", "Properties"],
]);

/** Operators that are not supported here. LibreOffice does not write them. */
const UNREAD: ReadonlySet<string> = new Set(["BI", "TL", "T*", "'", '"', "TD"]);

/** Maximum depth of nested drawings. */
const DEEPEST = 20;

/**
 * Returns the steps that draw a page. Glyphs have their text, font, size and position, independent of their codes. All
 * other steps are as written, with resource names resolved. Two pages with the same steps look the same.
 */
export function drawingOf(file: PdfFile, page: PdfDict): Step[] {
  const drawing = new Drawing(file);
  drawing.run(page.get("Contents"), file.dict(page.get("Resources")), 0);
  return drawing.steps;
}

class Drawing {
  readonly steps: Step[] = [];
  readonly #file: PdfFile;
  readonly #fonts = new Map<string, PdfFont>();
  readonly #kept: TextState[] = [];
  /** Replaces the text of the following glyphs; null to use the font's text. */
  #actualText: string | null = null;
  #state: TextState = { font: null, size: 0, spacing: 0, wordSpacing: 0, scale: 1 };
  #line: Matrix = IDENTITY;
  #matrix: Matrix = IDENTITY;

  constructor(file: PdfFile) {
    this.#file = file;
  }

  /** Executes a stream of operators. */
  run(stream: PdfValue | undefined, resources: PdfDict, depth: number): void {
    if (depth > DEEPEST) unusual("drawings that are nested too deeply");
    const content = this.#file.contentOf(stream).toString("latin1");
    const reader = new PdfReader(content);
    let operands: PdfValue[] = [];
    while (!reader.ended()) {
      const value = reader.read();
      if (!(value instanceof PdfOperator)) {
        operands.push(value);
        continue;
      }
      if (UNREAD.has(value.name)) unusual(`the operator ${value.name}`);
      if (value.name === "Do") this.#show(operands[0], resources, depth);
      else if (!this.#textOperator(value.name, operands, resources)) {
        this.#step(value.name, operands, resources);
      }
      operands = [];
    }
  }

  /** Executes an operator that shows text or changes the text state. Returns false for all other operators. */
  #textOperator(operator: string, operands: PdfValue[], resources: PdfDict): boolean {
    const [first] = operands;
    switch (operator) {
      case "BT":
        this.#line = this.#matrix = IDENTITY;
        return true;
      case "ET":
        return true;
      case "Td":
        this.#line = moved(this.#line, numberOf(first), numberOf(operands[1]));
        this.#matrix = this.#line;
        return true;
      case "Tm":
        this.#line = this.#matrix = matrixOf(operands);
        return true;
      case "Tf":
        this.#state = {
          ...this.#state,
          font: this.#font(first, resources),
          size: numberOf(operands[1]),
        };
        return true;
      case "Tc":
        this.#state = { ...this.#state, spacing: numberOf(first) };
        return true;
      case "Tw":
        this.#state = { ...this.#state, wordSpacing: numberOf(first) };
        return true;
      case "Tz":
        this.#state = { ...this.#state, scale: numberOf(first) / 100 };
        return true;
      case "BDC":
        this.#actualText = actualTextOf(operands);
        return this.#actualText !== null;
      case "EMC": {
        const ended = this.#actualText !== null;
        this.#actualText = null;
        return ended;
      }
      case "Tj":
      case "TJ":
        for (const part of Array.isArray(first) ? first : [first]) this.#write(part);
        return true;
      default:
        this.#keep(operator);
        return false;
    }
  }

  #keep(operator: string): void {
    if (operator === "q") this.#kept.push(this.#state);
    if (operator === "Q") this.#state = this.#kept.pop() ?? unusual("an unmatched operator Q");
  }

  #font(name: PdfValue | undefined, resources: PdfDict): PdfFont {
    const value = this.#resource("Font", name, resources);
    const key = value instanceof PdfRef ? String(value.id) : unusual("a font without a number");
    const known = this.#fonts.get(key);
    if (known !== undefined) return known;
    const font = readFont(this.#file, value);
    this.#fonts.set(key, font);
    return font;
  }

  #write(part: PdfValue | undefined): void {
    const { font, size, spacing, wordSpacing, scale } = this.#state;
    if (typeof part === "number") this.#advance((-part / 1000) * size * scale);
    else if (!(part instanceof PdfText) || font === null) unusual("text without a font");
    else {
      for (let at = 0; at < part.bytes.length; at++) {
        const code = part.bytes.charCodeAt(at);
        const [a, b, c, d, x, y] = this.#matrix;
        const numbers = [a * size * scale, b * size * scale, c * size, d * size, x, y];
        const text = this.#actualText ?? font.textOf(code);
        // The replacement text represents all of these glyphs together.
        if (this.#actualText !== null) this.#actualText = "";
        this.steps.push({ what: `glyph ${font.name} ${text}`, numbers });
        const width = (font.widthOf(code) / 1000) * size + spacing;
        this.#advance((code === 32 ? width + wordSpacing : width) * scale);
      }
    }
  }

  #advance(by: number): void {
    this.#matrix = moved(this.#matrix, by, 0);
  }

  /** Draws a picture or a form. */
  #show(name: PdfValue | undefined, resources: PdfDict, depth: number): void {
    const value = this.#resource("XObject", name, resources);
    const dict = this.#file.dict(value);
    const type = dict.get("Subtype");
    if (!(type instanceof PdfName) || type.name !== "Form") {
      this.steps.push({ what: `show ${canonical(this.#file, value)}`, numbers: [] });
      return;
    }
    const facts = new Map(
      [...dict].filter(([key]) => !["Length", "Resources", "Filter"].includes(key)),
    );
    this.steps.push({ what: `draw ${canonical(this.#file, facts)}`, numbers: [] });
    const own = dict.get("Resources");
    const kept = this.#state;
    this.run(value, own === undefined ? resources : this.#file.dict(own), depth + 1);
    this.#state = kept;
    this.steps.push({ what: "drawn", numbers: [] });
  }

  #step(operator: string, operands: readonly PdfValue[], resources: PdfDict): void {
    const numbers: number[] = [];
    let what = operator;
    const category = CATEGORY.get(operator);
    for (const operand of operands) {
      if (typeof operand === "number") numbers.push(operand);
      else {
        const named = operand instanceof PdfName && category !== undefined;
        const value =
          named && this.#has(category, operand, resources)
            ? this.#resource(category, operand, resources)
            : operand;
        what += ` ${canonical(this.#file, value)}`;
      }
    }
    this.steps.push({ what, numbers });
  }

  #has(category: string, { name }: PdfName, resources: PdfDict): boolean {
    const named = resources.get(category);
    return named !== undefined && this.#file.dict(named).has(name);
  }

  #resource(category: string, name: PdfValue | undefined, resources: PdfDict): PdfValue {
    if (!(name instanceof PdfName)) return unusual("a resource without a name");
    const value = this.#file.dict(resources.get(category)).get(name.name);
    return value ?? unusual("a missing resource");
  }
}

/** The UTF-16 byte order mark at the start of a PDF text string. */
const UTF16 = "\xfe\xff";

/**
 * Returns the text with which glyphs are marked, as UTF-16 bytes; null without such a mark. LibreOffice marks a glyph
 * if the same glyph represents different text elsewhere in the file, possibly in another entry.
 */
function actualTextOf([tag, properties]: readonly PdfValue[]): string | null {
  if (!(tag instanceof PdfName) || tag.name !== "Span" || !(properties instanceof Map)) return null;
  const text = properties.get("ActualText");
  if (!(text instanceof PdfText) || properties.size > 1) return null;
  return text.bytes.startsWith(UTF16) ? text.bytes.slice(UTF16.length) : null;
}

function numberOf(value: PdfValue | undefined): number {
  return typeof value === "number" ? value : unusual("a value that is not a number");
}

function matrixOf(operands: readonly PdfValue[]): Matrix {
  const [a, b, c, d, e, f] = operands.map(numberOf);
  if (f === undefined) return unusual("a transformation");
  return [a ?? 0, b ?? 0, c ?? 0, d ?? 0, e ?? 0, f];
}

/** Returns the matrix that first translates by `x` and `y`, and then applies the matrix. */
function moved([a, b, c, d, e, f]: Matrix, x: number, y: number): Matrix {
  return [a, b, c, d, e + x * a + y * c, f + x * b + y * d];
}
