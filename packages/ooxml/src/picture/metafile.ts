import { Buffer } from "node:buffer";
import { EmfPlusRecords, type IsPicture, viewOf } from "./emf-plus.ts";

const EMF_END = 14;
const EMF_COMMENT = 70;
const EMF_PLUS = 0x2b464d45;

/** The shortest header of an EMF. */
const EMF_HEADER = 88;

/**
 * Whether bytes that begin as an EMF have valid records up to the end record, and embed only allowed pictures
 * (MS-EMF 2.3, MS-EMFPLUS). Drawing records are not checked.
 */
export function isEmf(bytes: Uint8Array, isPicture: IsPicture): boolean {
  const view = viewOf(bytes);
  const plus = new EmfPlusRecords(isPicture);
  let at = 0;
  while (at + 8 <= bytes.length) {
    const type = view.getUint32(at, true);
    const size = view.getUint32(at + 4, true);
    const end = at + size;
    if (size < (at === 0 ? EMF_HEADER : 8) || size % 4 !== 0 || end > bytes.length) return false;
    if (type === EMF_END) return plus.end();
    if (type === EMF_COMMENT && size >= 16) {
      const length = view.getUint32(at + 8, true);
      if (length > size - 12) return false;
      const isPlus = length >= 4 && view.getUint32(at + 12, true) === EMF_PLUS;
      if (isPlus && !plus.read(bytes.subarray(at + 16, at + 12 + length))) return false;
    }
    at = end;
  }
  return false;
}

const PLACEABLE_KEY = 0x9ac6cdd7;
const PLACEABLE_LENGTH = 22;
const WMF_HEADER = 18;

const WMF_END = 0;
const WMF_ESCAPE = 0x0626;
const ESCAPE_COMMENT = 15;

/** The signature of a comment that contains a piece of an EMF, and the offset of the piece. */
const EMF_PIECE = 0x43464d57;
const PIECE_START = 34;

/** Like {@link isEmf}, for a WMF (MS-WMF 2.3). A WMF may contain an EMF, in pieces in its comments. */
export function isWmf(bytes: Uint8Array, isPicture: IsPicture): boolean {
  const view = viewOf(bytes);
  const isPlaceable = bytes.length >= 4 && view.getUint32(0, true) === PLACEABLE_KEY;
  const start = isPlaceable ? PLACEABLE_LENGTH : 0;
  if (start + WMF_HEADER > bytes.length || view.getUint16(start + 2, true) !== 9) return false;
  const pieces: Uint8Array[] = [];
  let at = start + WMF_HEADER;
  while (at + 6 <= bytes.length) {
    const size = 2 * view.getUint32(at, true);
    const type = view.getUint16(at + 4, true);
    const end = at + size;
    if (size < 6 || end > bytes.length) return false;
    if (type === WMF_END) return size === 6 && isWhole(pieces, isPicture);
    const piece = type === WMF_ESCAPE ? pieceOfEmf(bytes.subarray(at + 6, end)) : null;
    if (piece !== null) pieces.push(piece);
    at = end;
  }
  return isWhole(pieces, isPicture);
}

/** Returns the piece of an EMF in the data of an escape record, or null. */
function pieceOfEmf(data: Uint8Array): Uint8Array | null {
  const view = viewOf(data);
  if (data.length < 8 || view.getUint16(0, true) !== ESCAPE_COMMENT) return null;
  if (view.getUint32(4, true) !== EMF_PIECE) return null;
  if (data.length < 4 + PIECE_START) return data.subarray(0, 0);
  const length = view.getUint32(4 + 22, true);
  return data.subarray(4 + PIECE_START, 4 + PIECE_START + length);
}

function isWhole(pieces: readonly Uint8Array[], isPicture: IsPicture): boolean {
  return pieces.length === 0 || isPicture(Buffer.concat(pieces));
}
