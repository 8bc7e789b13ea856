/** A transformation matrix in PDF notation: a, b, c, d, e, f. */
export type Matrix = readonly [number, number, number, number, number, number];

/** A glyph of a page: its text, and the start of its baseline in the page's coordinates. */
export interface PlacedGlyph {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  /** The end of the glyph on its baseline. */
  readonly endX: number;
  readonly endY: number;
  /** The font size on the page, as a reader sees it. */
  readonly fontSize: number;
}

/** A glyph from PDF.js. */
interface Glyph {
  readonly unicode: string;
  readonly width: number;
  readonly isSpace: boolean;
  readonly vmetric?: readonly number[] | null;
}

/** A font from PDF.js. */
export interface GlyphFont {
  readonly fontMatrix?: readonly number[] | undefined;
  readonly vertical?: boolean | undefined;
}

/** The operators that place text. */
export type TextOperator =
  | "save"
  | "restore"
  | "transform"
  | "paintFormXObjectBegin"
  | "paintFormXObjectEnd"
  | "beginText"
  | "setCharSpacing"
  | "setWordSpacing"
  | "setHScale"
  | "setLeading"
  | "setFont"
  | "setTextRise"
  | "moveText"
  | "setLeadingMoveText"
  | "setTextMatrix"
  | "nextLine"
  | "showText";

/** The part of the graphics state that affects text (ISO 32000-2, 9.3). */
interface TextState {
  readonly matrix: Matrix;
  readonly font: string;
  readonly fontSize: number;
  readonly charSpacing: number;
  readonly wordSpacing: number;
  readonly scale: number;
  readonly leading: number;
  readonly rise: number;
}

const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];
const MAX_SAVED = 10_000;

/** Executes the operators of a page and places its glyphs, in drawing order. */
export class GlyphPlacer {
  readonly glyphs: PlacedGlyph[] = [];
  readonly #ops: Readonly<Record<TextOperator, number>>;
  readonly #fontOf: (name: string) => GlyphFont | null;
  readonly #saved: TextState[] = [];
  #state: TextState = {
    matrix: IDENTITY,
    font: "",
    fontSize: 0,
    charSpacing: 0,
    wordSpacing: 0,
    scale: 1,
    leading: 0,
    rise: 0,
  };
  #line: Matrix = IDENTITY;
  #text: Matrix = IDENTITY;

  /** `ops` contains PDF.js's operator numbers by name. */
  constructor(
    ops: Readonly<Record<TextOperator, number>>,
    fontOf: (name: string) => GlyphFont | null,
  ) {
    this.#ops = ops;
    this.#fontOf = fontOf;
  }

  /** Executes one operator with its operands. */
  run(op: number, operands: readonly unknown[]): void {
    const ops = this.#ops;
    switch (op) {
      case ops.save:
        this.#save();
        break;
      case ops.restore:
      case ops.paintFormXObjectEnd:
        this.#state = this.#saved.pop() ?? this.#state;
        break;
      case ops.transform:
        this.#transform(operands);
        break;
      case ops.paintFormXObjectBegin:
        this.#save();
        this.#transform(operands[0] as readonly unknown[] | null);
        break;
      case ops.beginText:
        this.#line = this.#text = IDENTITY;
        break;
      case ops.showText:
        this.#show(operands[0] as readonly (Glyph | number | null)[]);
        break;
      default:
        this.#set(op, operands);
    }
  }

  #save(): void {
    if (this.#saved.length < MAX_SAVED) this.#saved.push(this.#state);
  }

  #transform(matrix: readonly unknown[] | null | undefined): void {
    const read = matrixOf(matrix);
    if (read === null) return;
    this.#state = { ...this.#state, matrix: multiply(read, this.#state.matrix) };
  }

  /** Executes operators that set the text state or move to another line. */
  #set(op: number, operands: readonly unknown[]): void {
    const ops = this.#ops;
    const [first, second] = operands;
    switch (op) {
      case ops.setCharSpacing:
        this.#state = { ...this.#state, charSpacing: numberOf(first) };
        break;
      case ops.setWordSpacing:
        this.#state = { ...this.#state, wordSpacing: numberOf(first) };
        break;
      case ops.setHScale:
        this.#state = { ...this.#state, scale: numberOf(first) / 100 };
        break;
      case ops.setLeading:
        this.#state = { ...this.#state, leading: numberOf(first) };
        break;
      case ops.setTextRise:
        this.#state = { ...this.#state, rise: numberOf(first) };
        break;
      case ops.setFont:
        this.#state = { ...this.#state, font: String(first), fontSize: numberOf(second) };
        break;
      case ops.setLeadingMoveText:
        this.#state = { ...this.#state, leading: -numberOf(second) };
        this.#move(numberOf(first), numberOf(second));
        break;
      case ops.moveText:
        this.#move(numberOf(first), numberOf(second));
        break;
      case ops.nextLine:
        this.#move(0, -this.#state.leading);
        break;
      case ops.setTextMatrix:
        this.#line = this.#text =
          matrixOf(Array.isArray(first) ? first : toArray(first)) ?? IDENTITY;
        break;
    }
  }

  #move(x: number, y: number): void {
    this.#line = multiply([1, 0, 0, 1, x, y], this.#line);
    this.#text = this.#line;
  }

  #show(glyphs: readonly (Glyph | number | null)[]): void {
    const { font, fontSize, charSpacing, wordSpacing, scale, rise, matrix } = this.#state;
    const { fontMatrix, vertical = false } = this.#fontOf(font) ?? {};
    const unit = fontSize * (fontMatrix?.[0] ?? 0.001);
    const whole = multiply(this.#text, matrix);
    const size = Math.abs(fontSize) * Math.hypot(whole[2], whole[3]);
    let at = 0;
    const pointAt = (along: number): readonly [number, number] =>
      vertical ? apply(whole, 0, along + rise) : apply(whole, along * scale, rise);
    for (const glyph of glyphs) {
      if (glyph === null) continue;
      if (typeof glyph === "number") {
        at += ((vertical ? 1 : -1) * glyph * fontSize) / 1000;
        continue;
      }
      const advance = vertical ? (glyph.vmetric?.[0] ?? -1000) : glyph.width;
      const end = at + advance * unit;
      const [x, y] = pointAt(at);
      const [endX, endY] = pointAt(end);
      this.glyphs.push({ text: glyph.unicode, x, y, endX, endY, fontSize: size });
      const spacing = charSpacing + (glyph.isSpace ? wordSpacing : 0);
      at = vertical ? end - spacing : end + spacing;
    }
    const moved: Matrix = vertical ? [1, 0, 0, 1, 0, at] : [1, 0, 0, 1, at * scale, 0];
    this.#text = multiply(moved, this.#text);
  }
}

function numberOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

function toArray(value: unknown): number[] {
  return value instanceof Float32Array ? [...value] : [];
}

function matrixOf(value: readonly unknown[] | null | undefined): Matrix | null {
  const list = value === null || value === undefined ? [] : [...value];
  if (list.length < 6) return null;
  const [a, b, c, d, e, f] = list.map(numberOf);
  return [a ?? 1, b ?? 0, c ?? 0, d ?? 1, e ?? 0, f ?? 0];
}

/** Returns the matrix that applies `one` first and then `other`. */
function multiply(one: Matrix, other: Matrix): Matrix {
  const [a, b, c, d, e, f] = one;
  const [g, h, i, j, k, l] = other;
  return [
    a * g + b * i,
    a * h + b * j,
    c * g + d * i,
    c * h + d * j,
    e * g + f * i + k,
    e * h + f * j + l,
  ];
}

function apply([a, b, c, d, e, f]: Matrix, x: number, y: number): readonly [number, number] {
  return [a * x + c * y + e, b * x + d * y + f];
}
