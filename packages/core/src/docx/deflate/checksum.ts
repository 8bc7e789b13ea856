import { crc32 } from "node:zlib";

/** The polynomial of CRC-32, its bits reversed (ISO/IEC 8802-3). */
const POLYNOMIAL = 0xedb8_8320;

/** The register after one byte and 8 zero bits, by the lowest byte of the register. */
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

/** What one zero byte makes of a register; then two, four, and so on, as far as they have been asked for. */
const ZERO_BYTES: BitMap[] = [
  Int32Array.from({ length: 32 }, (_value, bit) => {
    const register = 1 << bit;
    return (CRC_TABLE[register & 255] as number) ^ (register >>> 8);
  }),
];

/** The map of `2 ** power` zero bytes. */
function zeroBytes(power: number): BitMap {
  let map = ZERO_BYTES[power];
  if (map === undefined) {
    const half = zeroBytes(power - 1);
    map = composed(half, half);
    ZERO_BYTES[power] = map;
  }
  return map;
}

/** What so many zero bytes make of a register: by each of its four bytes, 256 images. */
function shiftTable(bytes: number): Int32Array {
  let map: BitMap = Int32Array.from({ length: 32 }, (_value, bit) => 1 << bit);
  for (let power = 0, rest = bytes; rest > 0; power++, rest >>>= 1) {
    if (rest & 1) map = composed(zeroBytes(power), map);
  }
  const table = new Int32Array(1024);
  for (let place = 0; place < 4; place++) {
    for (let byte = 1; byte < 256; byte++) {
      const lowest = 31 - Math.clz32(byte & -byte);
      const others = table[place * 256 + (byte & (byte - 1))] as number;
      table[place * 256 + byte] = others ^ (map[place * 8 + lowest] as number);
    }
  }
  return table;
}

/** The checksum of a text that does not change, for being put behind any other one. */
export interface Checksum {
  readonly crc: number;
  readonly shift: Int32Array;
}

/** Makes {@link Checksum}s; texts of one length share a table of 4 kB. */
export class Checksums {
  readonly #shifts = new Map<number, Int32Array>();

  of(bytes: Uint8Array): Checksum {
    let shift = this.#shifts.get(bytes.length);
    if (shift === undefined) {
      shift = shiftTable(bytes.length);
      this.#shifts.set(bytes.length, shift);
    }
    return { crc: crc32(bytes) | 0, shift };
  }
}

/** The checksum of what was before, and then a text. */
export function appended(before: number, { crc, shift }: Checksum): number {
  return (
    (shift[before & 255] as number) ^
    (shift[256 + ((before >>> 8) & 255)] as number) ^
    (shift[512 + ((before >>> 16) & 255)] as number) ^
    (shift[768 + (before >>> 24)] as number) ^
    crc
  );
}
