import type { Resolution } from "./outcome.ts";

const ORIENTATION = 0x0112;
const X_RESOLUTION = 0x011a;
const Y_RESOLUTION = 0x011b;
const RESOLUTION_UNIT = 0x0128;

const SHORT = 3;
const RATIONAL = 5;

const ENTRY_LENGTH = 12;
const CENTIMETRES_PER_INCH = 2.54;

/** EXIF data about the display of an image. A value is null if it is missing or invalid. */
export interface ExifFacts {
  readonly orientation: number | null;
  readonly dpi: Resolution | null;
}

/**
 * Reads the first directory of EXIF data, which begins with a TIFF header. If the data is invalid, all values are null,
 * because every reader then shows the image as stored.
 */
export function readExif(bytes: Uint8Array): ExifFacts {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values = readDirectory(view);
  const x = values.get(X_RESOLUTION);
  const y = values.get(Y_RESOLUTION);
  const perInch = values.get(RESOLUTION_UNIT) === 3 ? CENTIMETRES_PER_INCH : 1;
  return {
    orientation: values.get(ORIENTATION) ?? null,
    dpi: x === undefined || y === undefined ? null : { x: x * perInch, y: y * perInch },
  };
}

/** Returns the numbers of the directory by tag. If a tag is repeated, the first number counts. */
function readDirectory(view: DataView): ReadonlyMap<number, number> {
  const values = new Map<number, number>();
  if (view.byteLength < 8) return values;
  const byteOrder = view.getUint16(0);
  const isLittle = byteOrder === 0x4949;
  if (!isLittle && byteOrder !== 0x4d4d) return values;
  const start = view.getUint32(4, isLittle);
  if (start + 2 > view.byteLength) return values;
  const count = view.getUint16(start, isLittle);
  for (let index = 0; index < count; index++) {
    const at = start + 2 + index * ENTRY_LENGTH;
    if (at + ENTRY_LENGTH > view.byteLength) break;
    const tag = view.getUint16(at, isLittle);
    const value = readNumber(view, at, isLittle);
    if (value !== null && !values.has(tag)) values.set(tag, value);
  }
  return values;
}

function readNumber(view: DataView, entry: number, isLittle: boolean): number | null {
  const type = view.getUint16(entry + 2, isLittle);
  if (view.getUint32(entry + 4, isLittle) !== 1) return null;
  if (type === SHORT) return view.getUint16(entry + 8, isLittle);
  if (type !== RATIONAL) return null;
  const at = view.getUint32(entry + 8, isLittle);
  if (at + 8 > view.byteLength) return null;
  const denominator = view.getUint32(at + 4, isLittle);
  return denominator === 0 ? null : view.getUint32(at, isLittle) / denominator;
}
