import { crc32 } from "node:zlib";

/** The polynomial of CRC-32, with its bits reversed (ISO/IEC 8802-3). */
const POLYNOMIAL = 0xedb8_8320;

/** The register after 8 zero bits, for each register in which only the lowest byte is set. */
export const CRC_TABLE: Int32Array = Int32Array.from({ length: 256 }, (_value, byte) => {
  let register = byte;
  for (let bit = 0; bit < 8; bit++) {
    register = register & 1 ? (register >>> 1) ^ POLYNOMIAL : register >>> 1;
  }
  return register;
});

/** A linear map of registers, as the images of the 32 single bits. */
type BitMap = Int32Array;

function apply(map: BitMap, register: number): number {
  let result = 0;
  for (let bit = 0, rest = register; rest !== 0; bit++, rest >>>= 1) {
    if (rest & 1) result ^= map[bit] as number;
  }
  return result;
}

function composed(outer: BitMap, inner: BitMap): BitMap {
  return inner.map((image) => apply(outer, image));
}

/** The maps for one zero byte, two, four, and so on, up to the highest number that has been needed. */
const ZERO_BYTES: BitMap[] = [
  Int32Array.from({ length: 32 }, (_value, bit) => {
    const register = 1 << bit;
    return (CRC_TABLE[register & 255] as number) ^ (register >>> 8);
  }),
];

/** Returns the map for `2 ** power` zero bytes. */
function zeroBytes(power: number): BitMap {
  let map = ZERO_BYTES[power];
  if (map === undefined) {
    const half = zeroBytes(power - 1);
    map = composed(half, half);
    ZERO_BYTES[power] = map;
  }
  return map;
}

/** The size of a table: 16 numbers for each of the eight half bytes of a register. */
const TABLE = 8 * 16;

/** Returns the map for this number of zero bytes: 16 images for each of the eight half bytes of a register. */
function shiftTable(bytes: number): Int32Array {
  let map: BitMap = Int32Array.from({ length: 32 }, (_value, bit) => 1 << bit);
  for (let power = 0, rest = bytes; rest > 0; power++, rest >>>= 1) {
    if (rest & 1) map = composed(zeroBytes(power), map);
  }
  const table = new Int32Array(TABLE);
  for (let half = 0; half < 8; half++) {
    for (let value = 1; value < 16; value++) {
      const lowest = 31 - Math.clz32(value & -value);
      const others = table[half * 16 + (value & (value - 1))] as number;
      table[half * 16 + value] = others ^ (map[half * 4 + lowest] as number);
    }
  }
  return table;
}

/** The checksums of static texts. They can be appended to any other checksum. */
export class Checksums {
  readonly #crcs: Int32Array;
  /** For each static text, the start of its table. Texts of the same length share a table. */
  readonly #tableAt: Int32Array;
  readonly #tables: Int32Array;

  constructor(texts: readonly Uint8Array[]) {
    const lengths = [...new Set(texts.map(({ length }) => length))];
    const places = new Map(lengths.map((length, index) => [length, index * TABLE]));
    this.#crcs = Int32Array.from(texts, (bytes) => crc32(bytes) | 0);
    this.#tableAt = Int32Array.from(texts, ({ length }) => places.get(length) ?? 0);
    this.#tables = new Int32Array(lengths.length * TABLE);
    for (const [length, at] of places) this.#tables.set(shiftTable(length), at);
  }

  /** Returns the checksum of earlier data followed by a static text. */
  appended(before: number, text: number): number {
    const table = this.#tables;
    const at = this.#tableAt[text] as number;
    return (
      (table[at + (before & 15)] as number) ^
      (table[at + 16 + ((before >>> 4) & 15)] as number) ^
      (table[at + 32 + ((before >>> 8) & 15)] as number) ^
      (table[at + 48 + ((before >>> 12) & 15)] as number) ^
      (table[at + 64 + ((before >>> 16) & 15)] as number) ^
      (table[at + 80 + ((before >>> 20) & 15)] as number) ^
      (table[at + 96 + ((before >>> 24) & 15)] as number) ^
      (table[at + 112 + (before >>> 28)] as number) ^
      (this.#crcs[text] as number)
    );
  }
}
