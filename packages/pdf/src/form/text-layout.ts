import type { PrintFont } from "./print-font.ts";

/** Text that was fitted into a room. */
export interface FittedText {
  readonly size: number;
  readonly lines: readonly string[];
  /** Whether the text had to be smaller than requested. */
  readonly shrunk: boolean;
}

/** The room for text, in points. */
export interface TextRoom {
  readonly width: number;
  readonly height: number;
}

/** The smallest font size that can be read on paper. */
export const MIN_SIZE = 4;

/** The size of multi-line text if the field does not set it. */
const USUAL_SIZE = 12;

/** Readers do not notice if text is reduced to at least this fraction of its size. */
const NOTICED = 0.9;

/** Line height relative to the size, and the height of a room relative to the size of its only line. */
export const LEADING = 1.15;
const ROOM_OF_LINE = 1.35;

/** Fits one line. A size of 0 is automatic. Null if the size would be too small to read. */
export function fitLine(
  text: string,
  font: PrintFont,
  asked: number,
  room: TextRoom,
): FittedText | null {
  const wanted = asked > 0 ? asked : Math.max(MIN_SIZE, room.height / ROOM_OF_LINE);
  const width = font.width(text);
  const widest = width === 0 ? wanted : room.width / width;
  // Text that is slightly too high is still readable, but a line that is higher than its room is not.
  const highest = room.height / (font.ascent || 1);
  const size = Math.min(wanted, widest, Math.max(highest, MIN_SIZE));
  if (size < MIN_SIZE && size < wanted) return null;
  return { size, lines: [text], shrunk: size < asked * NOTICED };
}

/** Fits text, with line breaks where lines are too long. A size of 0 is automatic. */
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

/** Breaks text into lines of a width, for a size of 1; null if there are more than `most` lines. */
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
