import type { PrintFont } from "./print-font.ts";

/** Text that was fitted into a room. */
export interface FittedText {
  readonly size: number;
  readonly lines: readonly string[];
  /** Whether it had to become smaller than was asked for. */
  readonly shrunk: boolean;
}

/** The room for a text, in points. */
export interface TextRoom {
  readonly width: number;
  readonly height: number;
}

/** Smaller text cannot be read on paper. */
export const MIN_SIZE = 4;

/** The size of running text where the field leaves it open. */
const USUAL_SIZE = 12;

/** Nobody sees that a text is smaller by less than this. */
const NOTICED = 0.9;

/** From line to line, and from the height of a room to the size of its only line. */
export const LEADING = 1.15;
const ROOM_OF_LINE = 1.35;

/** Fits one line; a size of 0 is left open. Null when it has to be smaller than can be read. */
export function fitLine(
  text: string,
  font: PrintFont,
  asked: number,
  room: TextRoom,
): FittedText | null {
  const wanted = asked > 0 ? asked : Math.max(MIN_SIZE, room.height / ROOM_OF_LINE);
  const width = font.width(text);
  const widest = width === 0 ? wanted : room.width / width;
  // What is a little too high still shows; a line that is higher than its room does not.
  const highest = room.height / (font.ascent || 1);
  const size = Math.min(wanted, widest, Math.max(highest, MIN_SIZE));
  if (size < MIN_SIZE && size < wanted) return null;
  return { size, lines: [text], shrunk: size < asked * NOTICED };
}

/** Fits lines that are broken where they are too long; a size of 0 is left open. */
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
  // In steps of half a point, the largest that fits.
  let [low, high] = [0, Math.ceil((wanted - MIN_SIZE) * 2)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const found = at(MIN_SIZE + middle / 2);
    if (found === null) high = middle;
    else [low, best] = [middle, found];
  }
  return best;
}

/** The lines of a text in a width for a size of 1; null when there are more than `most`. */
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
