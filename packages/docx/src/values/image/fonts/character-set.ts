import type { ByteReader } from "./byte-reader.ts";

/** The characters of a font, as ranges of code points in ascending order. */
export class CharacterSet {
  /** The first and the last code point of each range, alternately. */
  readonly #bounds: number[] = [];

  /** Adds a range. Throws a `RangeError` if it does not come after all others. */
  add(first: number, last: number): void {
    const end = this.#bounds.at(-1) ?? -1;
    if (first <= end || last < first) throw new RangeError("The ranges are not in order.");
    if (first === end + 1 && end >= 0) this.#bounds[this.#bounds.length - 1] = last;
    else this.#bounds.push(first, last);
  }

  get isEmpty(): boolean {
    return this.#bounds.length === 0;
  }

  has(codePoint: number): boolean {
    let low = 0;
    let high = this.#bounds.length / 2;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#bounds[middle * 2 + 1] ?? 0) < codePoint) low = middle + 1;
      else high = middle;
    }
    return codePoint >= (this.#bounds[low * 2] ?? Number.POSITIVE_INFINITY);
  }
}

/** Platform and encoding of the Unicode maps, best first, in the order in which the renderer looks for them. */
const UNICODE_MAPS = ["3,10", "0,6", "0,4", "3,1", "0,3", "0,2", "0,1", "0,0"];

/**
 * Reads the characters of a `cmap` table. The set is empty if the font has no Unicode map. Throws a `RangeError` for a
 * damaged table.
 */
export function readCharacters(cmap: ByteReader): CharacterSet {
  const offsets = new Map<string, number>();
  for (let index = 0; index < cmap.u16(2); index++) {
    const at = 4 + index * 8;
    offsets.set(`${cmap.u16(at)},${cmap.u16(at + 2)}`, cmap.u32(at + 4));
  }
  const best = UNICODE_MAPS.find((each) => offsets.has(each));
  const characters = new CharacterSet();
  const start = offsets.get(best ?? "");
  if (start === undefined) return characters;
  const map = cmap.part(start, cmap.length - start);
  const read = FORMATS.get(map.u16(0));
  read?.(map, characters);
  return characters;
}

/** Reads a map of one format. A character with the glyph 0 is missing. */
type ReadMap = (map: ByteReader, characters: CharacterSet) => void;

const FORMATS: ReadonlyMap<number, ReadMap> = new Map<number, ReadMap>([
  [4, readSegments],
  [6, readTrimmed],
  [12, readGroups],
]);

function readSegments(map: ByteReader, characters: CharacterSet): void {
  const twice = map.u16(6);
  for (let at = 0; at < twice; at += 2) {
    const end = map.u16(14 + at);
    const start = map.u16(16 + twice + at);
    const delta = map.u16(16 + twice * 2 + at);
    const offsetAt = 16 + twice * 3 + at;
    const offset = map.u16(offsetAt);
    for (let code = start; code <= end && code < 0xffff; code++) {
      const stored = offset === 0 ? code : map.u16(offsetAt + offset + (code - start) * 2);
      const isMissing = (offset !== 0 && stored === 0) || ((stored + delta) & 0xffff) === 0;
      if (!isMissing) characters.add(code, code);
    }
  }
}

function readTrimmed(map: ByteReader, characters: CharacterSet): void {
  const first = map.u16(6);
  for (let index = 0; index < map.u16(8); index++) {
    if (map.u16(10 + index * 2) !== 0) characters.add(first + index, first + index);
  }
}

const LAST_CODE_POINT = 0x10ffff;

function readGroups(map: ByteReader, characters: CharacterSet): void {
  const count = map.u32(12);
  for (let index = 0; index < count; index++) {
    const at = 16 + index * 12;
    const [first, last, glyph] = [map.u32(at), map.u32(at + 4), map.u32(at + 8)];
    if (last > LAST_CODE_POINT) throw new RangeError("The map has invalid code points.");
    const start = glyph === 0 ? first + 1 : first;
    if (start <= last) characters.add(start, last);
  }
}
