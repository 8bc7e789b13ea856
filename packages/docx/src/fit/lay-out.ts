import { UNITS } from "./font-metrics.ts";
import type { BoxText, ReadParagraph } from "./read-text.ts";
import type { Part, Segment } from "./segments.ts";

/** The room for text, in twentieths of a point. */
export interface Room {
  readonly width: number;
  /** Null if it is unlimited. */
  readonly height: number | null;
  /** Whether lines may be broken. */
  readonly wraps: boolean;
}

/** The distance of Word's default tab stops, and the line of `auto` line spacing. */
const TAB = 720;
const SINGLE = 240;
/** A half point, in twentieths of a point. */
const HALF_POINT = 10;

/** Whether the text fits with these sizes of its runs, in half points. */
export function fits({ runs, paragraphs }: BoxText, sizes: readonly number[], room: Room): boolean {
  const layout: Layout = {
    room,
    widthOf: runs.map(({ scale }, index) => ((sizes[index] ?? 0) * HALF_POINT * scale) / UNITS),
    spacingOf: runs.map(({ spacing }) => spacing),
    lineOf: runs.map(({ line }, index) => (sizes[index] ?? 0) * HALF_POINT * line),
  };
  let height = 0;
  const last = paragraphs.findLastIndex(({ segments }) => segments.length > 0);
  for (const [index, paragraph] of paragraphs.slice(0, last + 1).entries()) {
    // What grows with its text need not hold other paragraphs on one line.
    if (room.height === null && !paragraph.shrinks) continue;
    const lines = heightOf(paragraph, layout);
    if (lines === null) return false;
    height +=
      lines +
      spaceAround(
        paragraph,
        paragraphs[index - 1],
        index === last ? undefined : paragraphs[index + 1],
      );
    if (room.height !== null && height > room.height) return false;
  }
  return true;
}

interface Layout {
  readonly room: Room;
  /** The width of a unit of each run. */
  readonly widthOf: readonly number[];
  readonly spacingOf: readonly number[];
  readonly lineOf: readonly number[];
}

/** Returns the space above a paragraph, and the one below if another follows. */
function spaceAround(
  { format, style }: ReadParagraph,
  before: ReadParagraph | undefined,
  after: ReadParagraph | undefined,
): number {
  const isLeftOut = (other: ReadParagraph | undefined): boolean =>
    format.isContextual === true && other !== undefined && other.style === style;
  const above = isLeftOut(before) ? 0 : (format.before ?? 0);
  const below = after === undefined || isLeftOut(after) ? 0 : (format.after ?? 0);
  return above + below;
}

/** Returns the height of the lines of a paragraph; null if one of them is too long. */
function heightOf({ format, segments, mark }: ReadParagraph, layout: Layout): number | null {
  const { left = 0, right = 0, first = 0, line = SINGLE, rule = "auto" } = format;
  const lines = new Lines(layout, layout.room.width - right, left, left + first);
  for (const segment of segments) if (!lines.add(segment)) return null;
  lines.grow(layout.lineOf[mark] ?? 0);
  lines.end();
  return lines.heights.reduce((sum, each) => {
    if (rule === "auto") return sum + (each * line) / SINGLE;
    return sum + (rule === "exact" ? line : Math.max(each, line));
  }, 0);
}

/** The lines of a paragraph. */
class Lines {
  readonly heights: number[] = [];
  readonly #layout: Layout;
  /** Where lines end, and where all lines but the first begin. */
  readonly #end: number;
  readonly #left: number;
  #at: number;
  #height = 0;
  /** Whether the line has nothing yet. */
  #isEmpty = true;

  constructor(layout: Layout, end: number, left: number, first: number) {
    this.#layout = layout;
    this.#end = end;
    this.#left = left;
    this.#at = first;
  }

  /** Adds a segment. Returns false if it is too long. */
  add(segment: Segment): boolean {
    switch (segment.kind) {
      case "break":
        this.grow(this.#layout.lineOf[segment.run] ?? 0);
        this.end();
        return true;
      case "tab": {
        const stop = (Math.floor(this.#at / TAB) + 1) * TAB;
        return this.#place(stop - this.#at, this.#layout.lineOf[segment.run] ?? 0, 0);
      }
      case "picture":
        // A smaller text does not make a picture smaller.
        return this.#place(Math.min(segment.width, this.#end - this.#left), segment.height, 0);
      case "word":
        return this.#place(
          this.#widthOf(segment.parts),
          this.#lineOf(segment.parts, segment.spaces),
          this.#widthOf(segment.spaces),
        );
    }
  }

  /** Makes the line at least this high. */
  grow(height: number): void {
    this.#height = Math.max(this.#height, height);
  }

  end(): void {
    this.heights.push(this.#height);
    this.#at = this.#left;
    this.#height = 0;
    this.#isEmpty = true;
  }

  #place(width: number, height: number, after: number): boolean {
    if (this.#at + width > this.#end) {
      if (this.#isEmpty || !this.#layout.room.wraps) return width === 0;
      this.end();
      if (this.#at + width > this.#end) return false;
    }
    this.#at += width + after;
    this.grow(height);
    this.#isEmpty = false;
    return true;
  }

  #widthOf(parts: readonly Part[]): number {
    const { widthOf, spacingOf } = this.#layout;
    let width = 0;
    for (const { run, units, count } of parts) {
      width += units * (widthOf[run] ?? 0) + count * (spacingOf[run] ?? 0);
    }
    return width;
  }

  #lineOf(parts: readonly Part[], spaces: readonly Part[]): number {
    let height = 0;
    for (const { run } of parts) height = Math.max(height, this.#layout.lineOf[run] ?? 0);
    for (const { run } of spaces) height = Math.max(height, this.#layout.lineOf[run] ?? 0);
    return height;
  }
}
