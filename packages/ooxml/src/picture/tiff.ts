const HEADER_LENGTH = 8;
const ENTRY_LENGTH = 12;

/** More pages than this are treated as an attack. */
const MAX_DIRECTORIES = 10_000;

/**
 * Whether bytes that begin as a TIFF have a valid chain of directories: it ends, and all of it is within the bytes. The
 * entries of the directories are not checked: they cannot refer to anything outside the file.
 */
export function isTiff(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEADER_LENGTH) return false;
  const isLittle = bytes[0] === 0x49;
  const seen = new Set<number>();
  let at = view.getUint32(4, isLittle);
  if (at === 0) return false;
  while (at !== 0) {
    if (at < HEADER_LENGTH || at + 2 > bytes.length || seen.has(at)) return false;
    if (seen.size >= MAX_DIRECTORIES) return false;
    seen.add(at);
    const count = view.getUint16(at, isLittle);
    const next = at + 2 + count * ENTRY_LENGTH;
    if (count === 0 || next + 4 > bytes.length) return false;
    at = view.getUint32(next, isLittle);
  }
  return true;
}
