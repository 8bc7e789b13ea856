/** A range of merged cells; rows from 1, columns from 0. */
export interface MergedRange {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** The approximate maximum number of bytes that are searched after the rows. */
const MAX_BEHIND = 64_000_000;
const NAME = "mergeCell";

/**
 * Reads a sheet to its end to find the ranges of merged cells. A sheet lists them after its rows, which is too late
 * when the rows are read as a stream.
 */
export async function readMergedRanges(
  content: AsyncIterable<Uint8Array>,
): Promise<readonly MergedRange[]> {
  const behind: Uint8Array[] = [];
  let size = 0;
  // A tag name may begin in one chunk and end in the next one.
  let last = Buffer.alloc(0);
  for await (const chunk of content) {
    if (size > MAX_BEHIND) continue;
    const isFound = size > 0 || Buffer.from(chunk).includes(NAME);
    if (isFound || Buffer.concat([last, chunk.subarray(0, NAME.length)]).includes(NAME)) {
      if (size === 0) behind.push(last);
      behind.push(chunk);
      size += chunk.length;
    }
    last = Buffer.from(chunk.subarray(-NAME.length - 16));
  }
  return rangesIn(Buffer.concat(behind).toString("latin1"));
}

function rangesIn(xml: string): MergedRange[] {
  const ranges: MergedRange[] = [];
  for (const [, ref = ""] of xml.matchAll(
    /<(?:\w+:)?mergeCell\s[^>]*?ref\s*=\s*["']([^"']*)["']/g,
  )) {
    const [first = "", last = ""] = ref.split(":");
    const [topLeft, bottomRight] = [cellAt(first), cellAt(last)];
    if (topLeft === null || bottomRight === null) continue;
    const { row: top, column: left } = topLeft;
    ranges.push({ top, left, bottom: bottomRight.row, right: bottomRight.column });
  }
  return ranges.sort((a, b) => a.top - b.top);
}

/** Parses the reference of a cell such as `AB12`; returns null for any other string. */
export function cellAt(
  reference: string,
): { readonly row: number; readonly column: number } | null {
  const [, letters = "", digits] = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/.exec(reference) ?? [];
  if (digits === undefined) return null;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return { row: Number(digits), column: column - 1 };
}

/** Tracks, row by row, which cells are hidden by merged cells. */
export class MergedCells {
  readonly #ranges: readonly MergedRange[];
  #next = 0;
  #open: MergedRange[] = [];
  readonly #hidden = new Set<number>();

  /** `ranges` must be ordered by their first row. */
  constructor(ranges: readonly MergedRange[]) {
    this.#ranges = ranges;
  }

  /** Must be called with increasing row numbers. Returns false if ranges overlap, which is invalid in a workbook. */
  beginRow(row: number): boolean {
    this.#hidden.clear();
    if (this.#open.length > 0) this.#open = this.#open.filter(({ bottom }) => bottom >= row);
    for (let range = this.#ranges[this.#next]; range !== undefined && range.top <= row; ) {
      if (range.bottom >= row) this.#open.push(range);
      this.#next += 1;
      range = this.#ranges[this.#next];
    }
    return this.#open.every((range) => this.#hide(range, row));
  }

  /** Whether a cell of this row belongs to a merged cell that begins in another cell. */
  hides(column: number): boolean {
    return this.#hidden.has(column);
  }

  #hide({ top, left, right }: MergedRange, row: number): boolean {
    // The first cell has the value.
    for (let column = row === top ? left + 1 : left; column <= right; column++) {
      if (this.#hidden.has(column)) return false;
      this.#hidden.add(column);
    }
    return true;
  }
}
