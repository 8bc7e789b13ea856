import { inflateSync } from "node:zlib";

/** Returns the width of a PNG with 8 bits for each of red, green, blue and alpha, and the sum of all alpha values. */
export function coverage(png: Uint8Array): { readonly width: number; readonly sum: number } {
  const file = Buffer.from(png);
  const width = file.readUInt32BE(16);
  if (file.readUInt16BE(24) !== 0x0806) throw new Error("This PNG has other pixels.");
  const data: Buffer[] = [];
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at)) {
    const isData = file.toString("latin1", at + 4, at + 8) === "IDAT";
    if (isData) data.push(file.subarray(at + 8, at + 8 + file.readUInt32BE(at)));
  }
  const raw = inflateSync(Buffer.concat(data));
  const stride = width * 4;
  let above = Buffer.alloc(stride);
  let sum = 0;
  for (let at = 0; at < raw.length; at += stride + 1) {
    const line = Buffer.from(raw.subarray(at + 1, at + 1 + stride));
    unfilter(raw[at] ?? 0, line, above);
    for (let alpha = 3; alpha < stride; alpha += 4) sum += line[alpha] ?? 0;
    above = line;
  }
  return { width, sum };
}

/** Undoes the filter of a line (PNG, section 9). */
function unfilter(filter: number, line: Buffer, above: Buffer): void {
  for (let at = 0; at < line.length; at++) {
    const [left, up, corner] = [line[at - 4] ?? 0, above[at] ?? 0, above[at - 4] ?? 0];
    const guesses = [0, left, up, (left + up) >> 1, paeth(left, up, corner)];
    line[at] = (line[at] ?? 0) + (guesses[filter] ?? 0);
  }
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [left, up, corner].map((each) => Math.abs(guess - each));
  if (a === undefined || b === undefined || c === undefined) return 0;
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}
