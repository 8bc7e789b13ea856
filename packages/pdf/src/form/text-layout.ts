import type { PrintFont } from "./print-font.ts";

/** Text that was fitted into a rectangle. */
export interface FittedText {
  readonly size: number;
  readonly lines: readonly string[];
  /** Whether the text had to be smaller than requested. */
  readonly shrunk: boolean;
}

/** The space for text, in points. */
export interface TextRoom {
  readonly width: number;
  readonly height: number;
}

/** The smallest legible font size on paper, in points. */
export const MIN_SIZE = 4;

/** The font size of multi-line text, in points, if the field does not set it. */
const USUAL_SIZE = 12;

/** Readers do not notice a reduction to this fraction of the font size. */
const NOTICED = 0.9;

/** Line height divided by font size, and the height of a single-line field divided by its font size. */
export const LEADING = 1.15;
const ROOM_OF_LINE = 1.35;

/** Fits one line. A font size of 0 is automatic. Returns null if the font size would be too small to read. */
export function fitLine(
  text: string,
  font: PrintFont,
  asked: number,
  room: TextRoom,
): FittedText | null {
  const wanted = asked > 0 ? asked : Math.max(MIN_SIZE, room.height / ROOM_OF_LINE);
  const width = font.width(text);
  const widest = width === 0 ? wanted : room.width / width;
  // Text that is slightly too high is still readable, but a line that is higher than the field is not.
  const highest = room.height / (font.ascent || 1);
  const size = Math.min(wanted, widest, Math.max(highest, MIN_SIZE));
  if (size < MIN_SIZE && size < wanted) return null;
  return { size, lines: [text], shrunk: size < asked * NOTICED };
}

/**
 * Fits text and breaks lines that are too long. A font size of 0 is automatic. Returns null if the text does not fit.
 */
export function fitLines(
  text: string,
  font: PrintFont,
  asked: number,
  room: TextRoom,
): FittedText | null {
  const wanted = asked > 0 ? asked : USUAL_SIZE;
  const at = (size: number): FittedText | null => {
    const most = Math.max(1, Math.floor(room.height / (size * LEADING)));
    const lines = breakLines(text, font, room.width / size, most);
    return lines === null ? null : { size, lines, shrunk: size < asked * NOTICED };
  };
  const whole = at(wanted);
  if (whole !== null || wanted <= MIN_SIZE) return whole;
  let best = at(MIN_SIZE);
  if (best === null) return null;
  // Binary search for the largest size that fits, in steps of half a point.
  let [low, high] = [0, Math.ceil((wanted - MIN_SIZE) * 2)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const found = at(MIN_SIZE + middle / 2);
    if (found === null) high = middle;
    else [low, best] = [middle, found];
  }
  return best;
}

/** Breaks text into lines of this width at font size 1. Returns null if there are more than `most` lines. */
function breakLines(text: string, font: PrintFont, width: number, most: number): string[] | null {
  const lines: string[] = [];
  for (const paragraph of text.split("\n")) {
    if (!breakParagraph(paragraph, font, width, most, lines)) return null;
  }
  return lines;
}

function breakParagraph(
  paragraph: string,
  font: PrintFont,
  width: number,
  most: number,
  lines: string[],
): boolean {
  let line = "";
  let used = 0;
  for (const word of paragraph.match(/ *[^ ]+| +$/g) ?? []) {
    const needed = font.width(word);
    if (used + needed <= width || word.trim() === "") {
      line += word;
      used += needed;
      continue;
    }
    if (line.trim() !== "") lines.push(line);
    line = "";
    used = 0;
    for (const character of word.trimStart()) {
      const one = font.width(character);
      if (used + one > width && line !== "") {
        lines.push(line);
        line = "";
        used = 0;
        if (lines.length >= most) return false;
      }
      line += character;
      used += one;
    }
    if (lines.length >= most) return false;
  }
  lines.push(line);
  return lines.length <= most;
}
