/** The possible lengths of a bitmap header, in OS/2 and in the versions of Windows. */
const HEADERS: ReadonlySet<number> = new Set([12, 16, 40, 52, 56, 64, 108, 124]);

const FILE_HEADER_LENGTH = 14;
const SHORT_HEADER = 12;

/** Compression methods that embed a JPEG or PNG. They are for printers, not for files. */
const OTHER_PICTURES: ReadonlySet<number> = new Set([4, 5]);

/** Whether bytes that begin as a BMP have a valid header. The pixels may be truncated. */
export function isBmp(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < FILE_HEADER_LENGTH + SHORT_HEADER) return false;
  const pixels = view.getUint32(10, true);
  const length = view.getUint32(FILE_HEADER_LENGTH, true);
  const end = FILE_HEADER_LENGTH + length;
  if (!HEADERS.has(length) || end > bytes.length || pixels < end || pixels >= bytes.length) {
    return false;
  }
  const isShort = length === SHORT_HEADER;
  const width = isShort ? view.getUint16(18, true) : view.getInt32(18, true);
  // A negative height means that the top row comes first.
  const height = isShort ? view.getUint16(20, true) : view.getInt32(22, true);
  const compression = length < 40 ? 0 : view.getUint32(30, true);
  return width > 0 && height !== 0 && !OTHER_PICTURES.has(compression);
}
