import {
  PDFArray,
  type PDFContext,
  type PDFDict,
  PDFNumber,
  type PDFObject,
} from "../read/pdf-lib.ts";
import { arrayIn, dictIn, nameIn, numberIn, numbersOf, spelled } from "../read/pdf-objects.ts";
import type { FieldWidget } from "./form-fields.ts";
import type { PrintFont } from "./print-font.ts";
import { type FittedText, LEADING, type TextRoom } from "./text-layout.ts";

/** The frame of a widget in points, rotated so that its text is upright. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  /** The width of the border in points; 0 if there is no border. */
  readonly border: number;
  /** The content-stream operators that draw the border and the background. */
  readonly drawing: string;
  /** The matrix that rotates the frame into the widget. */
  readonly matrix: readonly number[];
}

/** Distance between the border and the text. */
const PADDING = 2;

/** Returns the frame of a widget, based on its appearance characteristics. */
export function frameOf({ dict, box }: FieldWidget): Frame {
  const looks = dictIn(dict, "MK");
  const turned =
    ((Math.round((looks === null ? 0 : (numberIn(looks, "R") ?? 0)) / 90) % 4) + 4) % 4;
  const [across, up] = [box.right - box.left, box.top - box.bottom];
  const [width, height] = turned % 2 === 0 ? [across, up] : [up, across];
  const matrix = [
    [1, 0, 0, 1, 0, 0],
    [0, 1, -1, 0, across, 0],
    [-1, 0, 0, -1, across, up],
    [0, -1, 1, 0, 0, up],
  ][turned] as number[];
  const background = colorOf(looks, "BG", ["g", "rg", "k"]);
  const line = colorOf(looks, "BC", ["G", "RG", "K"]);
  const border = line === "" ? 0 : borderWidth(dict);
  const ground = background === "" ? "" : `${background} 0 0 ${points(width, height)} re f\n`;
  const drawing = `${ground}${border > 0 ? borderDrawing(dict, { width, height, border, line }) : ""}`;
  return { width, height, border, drawing, matrix };
}

/** Returns the space for text within a frame. A single line may come close to the top and bottom borders. */
export function roomIn({ width, height, border }: Frame, isMultiline: boolean): TextRoom {
  const inset = Math.max(border, 1) + (isMultiline ? PADDING / 2 : 0);
  return { width: width - 2 * (border + PADDING), height: height - 2 * inset };
}

function points(...numbers: readonly number[]): string {
  return numbers.map(spelled).join(" ");
}

function colorOf(looks: PDFDict | null, entry: string, operators: readonly string[]): string {
  const numbers =
    numbersOf(looks === null ? undefined : (arrayIn(looks, entry) ?? undefined)) ?? [];
  const operator = operators[[1, 3, 4].indexOf(numbers.length)];
  return operator === undefined ? "" : `${points(...numbers)} ${operator}`;
}

function borderWidth(dict: PDFDict): number {
  const style = dictIn(dict, "BS");
  const border = arrayIn(dict, "Border");
  const width =
    style !== null ? numberIn(style, "W") : border instanceof PDFArray ? border.lookup(2) : null;
  const number = width instanceof PDFNumber ? width.asNumber() : width;
  return typeof number === "number" ? Math.max(0, Math.min(number, 20)) : 1;
}

function borderDrawing(
  dict: PDFDict,
  { width, height, border, line }: Pick<Frame, "width" | "height" | "border"> & { line: string },
): string {
  const style = dictIn(dict, "BS");
  const kind = style === null ? "S" : nameIn(style, "S");
  const half = border / 2;
  const set = `q ${line} ${spelled(border)} w`;
  if (kind === "U") return `${set} 0 ${spelled(half)} m ${points(width, half)} l S Q\n`;
  const dashes = numbersOf(style === null ? undefined : (arrayIn(style, "D") ?? undefined)) ?? [3];
  const dash =
    kind === "D" ? ` [${points(...dashes.filter((each) => each > 0).slice(0, 8))}] 0 d` : "";
  const frame = points(half, half, width - border, height - border);
  return `${set}${dash} ${frame} re S Q\n`;
}

/** Returns the dictionary of a form XObject that fills the frame. */
export function drawingDict(
  context: PDFContext,
  { width, height, matrix }: Pick<Frame, "width" | "height" | "matrix">,
  resources: PDFObject,
): PDFDict {
  return context.obj({
    Type: "XObject",
    Subtype: "Form",
    BBox: [0, 0, width, height],
    Matrix: [...matrix],
    Resources: resources,
  });
}

/** The style of text. */
export interface TextStyle {
  readonly font: PrintFont;
  readonly color: string;
  /** 0 is left, 1 is centred, 2 is right. */
  readonly alignment: number;
}

/** Returns the complete drawing of a text field: the frame and the lines. A single line is centred vertically. */
export function textDrawing(
  frame: Frame,
  { size, lines }: FittedText,
  style: TextStyle,
  isMultiline: boolean,
): string {
  const { font } = style;
  const first = isMultiline
    ? frame.height - Math.max(frame.border, 1) - PADDING - font.ascent * size
    : middleLine(frame, font, size);
  const placed = lines.map((line, index) => ({
    text: line.trimEnd(),
    x: aligned(frame, font.width(line.trimEnd()) * size, style.alignment),
    y: first - index * size * LEADING,
  }));
  return drawnText(frame, placed, size, style);
}

/** Draws each character of the text in the middle of its own cell. */
export function combDrawing(
  frame: Frame,
  { size, lines }: FittedText,
  style: TextStyle,
  cells: number,
): string {
  const { font, alignment } = style;
  const characters = Array.from(lines[0] ?? "");
  const cell = frame.width / cells;
  const free = cells - characters.length;
  const skipped = alignment === 2 ? free : alignment === 1 ? Math.floor(free / 2) : 0;
  const y = middleLine(frame, font, size);
  const placed = characters.map((text, index) => ({
    text,
    x: (skipped + index + 0.5) * cell - (font.width(text) * size) / 2,
    y,
  }));
  return drawnText(frame, placed, size, style);
}

/** Draws the lines of a list from the top. Selected lines have a background. */
export function listDrawing(
  frame: Frame,
  lines: readonly { readonly text: string; readonly chosen: boolean }[],
  size: number,
  style: TextStyle,
): string {
  const inset = Math.max(frame.border, 1);
  const step = size * LEADING;
  const top = frame.height - inset;
  const ground = lines.map(({ chosen }, index) =>
    chosen
      ? `${points(inset, top - (index + 1) * step, frame.width - 2 * inset, step)} re f\n`
      : "",
  );
  const placed = lines.map(({ text }, index) => ({
    text,
    x: aligned(frame, style.font.width(text) * size, style.alignment),
    y: top - (index + 1) * step + (step + (style.font.descent - style.font.ascent) * size) / 2,
  }));
  return drawnText(frame, placed, size, style, `0.6 0.757 0.855 rg\n${ground.join("")}`);
}

function middleLine({ height }: Frame, { ascent, descent }: PrintFont, size: number): number {
  return (height - (ascent + descent) * size) / 2 + descent * size;
}

function aligned({ width, border }: Frame, length: number, alignment: number): number {
  if (alignment === 1) return (width - length) / 2;
  return alignment === 2 ? width - border - PADDING - length : border + PADDING;
}

function drawnText(
  { width, height, border, drawing }: Frame,
  placed: readonly { readonly text: string; readonly x: number; readonly y: number }[],
  size: number,
  { font, color }: TextStyle,
  ground = "",
): string {
  const shown = placed.filter(({ text }) => text !== "");
  const texts = shown.map(
    ({ text, x, y }) => `1 0 0 1 ${points(x, y)} Tm ${font.encode(text)} Tj\n`,
  );
  const clip = `${points(border, border, width - 2 * border, height - 2 * border)} re W n\n`;
  const body =
    texts.length === 0 ? "" : `BT\n${color}\n/F ${spelled(size)} Tf\n${texts.join("")}ET\n`;
  // Readers replace the content between these marks when somebody fills the field by hand.
  return `${drawing}/Tx BMC\nq\n${clip}${ground}${body}Q\nEMC\n`;
}

/** Draws a tick, for a check box that has no appearance. */
export function tickDrawing(frame: Frame): string {
  const { width, height, drawing } = frame;
  const side = Math.min(width, height);
  const [x, y] = [(width - side) / 2, (height - side) / 2];
  const at = (across: number, up: number): string => points(x + across * side, y + up * side);
  return `${drawing}q 0 G ${spelled(side / 8)} w ${at(0.2, 0.5)} m ${at(0.42, 0.25)} l ${at(0.8, 0.78)} l S Q\n`;
}
