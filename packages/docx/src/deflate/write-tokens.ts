import type { BlockWriter } from "./block-writer.ts";
import { MIN_MATCH, WINDOW } from "./format.ts";
import type { TemplateCode } from "./template-code.ts";

/** A piece of a static text: the number of the text, and the range in it. */
interface Piece {
  readonly index: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Writes a piece of a static text for the first time, with the codes in use. `last`: for each static text, where it was
 * last written, or -1; `position`: where the piece begins in the document.
 */
export function writeTokens(
  writer: BlockWriter,
  { tokens, bytes }: TemplateCode,
  { index, from, to }: Piece,
  last: Int32Array,
  position: number,
): void {
  const list = tokens[index] as Int32Array;
  const own = bytes[index] as Uint8Array;
  const begin = position - from;
  let place = 0;
  for (let at = 0; at < list.length && place < to; at++) {
    const token = list[at] as number;
    const first = Math.max(place, from);
    place += Math.max(-token, 1);
    const end = Math.min(place, to);
    let far = Number.POSITIVE_INFINITY;
    if (token < 0) {
      const [text, difference] = [list[at + 1] as number, list[at + 2] as number];
      at += 2;
      const source = text === index ? begin : (last[text] as number);
      const isThere = text === index ? first - difference >= from : source >= 0;
      if (isThere) far = begin - source + difference;
    }
    if (first >= end) continue;
    if (far > WINDOW || end - first < MIN_MATCH) writer.spell(own, first, end);
    else writer.match(end - first, far);
  }
}
