import type { Box } from "./box.ts";
import { fits, type Room } from "./lay-out.ts";
import { type BoxText, MAX_CHARACTERS, readBoxText, SHRINK_MARK } from "./read-text.ts";
import { resized } from "./resize.ts";
import { readMargins, type TextStyles } from "./text-styles.ts";
import { childOf, numberOf, readElements, type XmlElement } from "./xml-tree.ts";

/** The result of shrinking the text of a box. */
export interface Shrunk {
  readonly xml: string;
  /** Whether the text fits now. */
  readonly fits: boolean;
  /** Why the sizes are only estimates, as sentences without a full stop. Empty if they are exact, or do not matter. */
  readonly doubts: readonly string[];
  /** The number of characters that were measured, and how many times. */
  readonly characters: number;
  readonly rounds: number;
}

/**
 * Makes text smaller until it fits in its box. `xml`: the content of the box, as canonical XML. `minimum`: the smallest
 * size of all text in half points, or 0 for the usual one; null if only the marked runs shrink.
 */
export function shrinkText(
  xml: string,
  box: Box,
  styles: TextStyles,
  minimum: number | null,
): Shrunk {
  if (minimum === null && !xml.includes(`<${SHRINK_MARK} `)) return unchanged(xml);
  const content = readElements(xml);
  const text = readBoxText(content, xml, { styles, table: box.table, all: minimum });
  const room = roomIn(box, content);
  const found = search(text, room);
  const isDoubtful =
    !found.isFull || !fits(text, sizesAt(text, found.most, found.most), tight(room));
  const doubts = [...text.doubts, ...(box.isRough ? [ROUGH] : [])];
  return {
    xml: resized(xml, text.runs, found.sizes),
    fits: found.fits,
    doubts: isDoubtful ? doubts : [],
    characters: text.characters,
    rounds: found.rounds,
  };
}

function unchanged(xml: string): Shrunk {
  return { xml, fits: true, doubts: [], characters: 0, rounds: 0 };
}

const ROUGH = "the form of its text box may leave less room";

/** Layouts differ by fractions of a point, so a line that is full to the last bit may be broken. */
const TOLERANCE = 0.005;
/** If the widths are estimates, the part of the room that text fills without a doubt. */
const SURE = 0.85;

function roomIn({ width, height, margins, wraps }: Box, content: XmlElement): Room {
  const properties = childOf(content, "w:tcPr");
  const own: { readonly [side: string]: number } = {
    ...margins,
    ...readMargins(childOf(properties, "w:tcMar")),
  };
  const { left = 0, right = 0, top = 0, bottom = 0 } = own;
  const whole = width ?? numberOf(childOf(properties, "w:tcW"), "w:w") ?? 0;
  return {
    width: (whole - left - right) * (1 - TOLERANCE),
    height: height === null ? null : (height - top - bottom) * (1 - TOLERANCE),
    wraps: wraps && height !== null,
  };
}

function tight(room: Room): Room {
  return {
    ...room,
    width: room.width * SURE,
    height: room.height === null ? null : room.height * SURE,
  };
}

interface Found {
  readonly sizes: readonly number[];
  readonly fits: boolean;
  /** Whether no text had to be made smaller. */
  readonly isFull: boolean;
  /** The greatest size of text that shrinks, in half points. */
  readonly most: number;
  readonly rounds: number;
}

/** Finds the largest sizes that fit. The sizes of all runs keep their ratio, as far as their smallest sizes allow it. */
function search(text: BoxText, room: Room): Found {
  const most = text.runs.reduce(
    (greatest, { size, minimum }) => (minimum === null ? greatest : Math.max(greatest, size)),
    1,
  );
  let rounds = 0;
  const fitsAt = (step: number): boolean => {
    rounds += 1;
    return text.characters <= MAX_CHARACTERS && fits(text, sizesAt(text, step, most), room);
  };
  if (fitsAt(most)) {
    return { sizes: sizesAt(text, most, most), fits: true, isFull: true, most, rounds };
  }
  // At step 1, all text has its smallest size.
  let low = 1;
  let high = most;
  if (!fitsAt(low)) {
    return { sizes: sizesAt(text, low, most), fits: false, isFull: false, most, rounds };
  }
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (fitsAt(middle)) low = middle;
    else high = middle;
  }
  return { sizes: sizesAt(text, low, most), fits: true, isFull: false, most, rounds };
}

/** Returns the size of each run if the greatest size becomes `step`. */
function sizesAt({ runs }: BoxText, step: number, most: number): number[] {
  const sizes = runs.map(({ size, minimum }) =>
    minimum === null ? size : Math.max(minimum, Math.floor((size * step) / most)),
  );
  for (const [index, { size, marks }] of runs.entries()) {
    if (marks === null) continue;
    let largest = 0;
    for (let run = marks; run < index; run += 1) largest = Math.max(largest, sizes[run] ?? 0);
    sizes[index] = Math.min(size, largest);
  }
  return sizes;
}
