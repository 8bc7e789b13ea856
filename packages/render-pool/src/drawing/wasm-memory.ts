import { Buffer } from "node:buffer";

/**
 * Maximum memory of a module in pages of 64 KiB: 512 MiB, which is enough for about thirty layers of the largest
 * drawing, and for the largest WebP image.
 */
export const MAX_PAGES = 8192;

const HEADER_LENGTH = 8;
const MEMORY_SECTION = 5;

/**
 * Limits the only memory of a WebAssembly module to a number of pages of 64 KiB. The module must define that memory
 * itself, without a limit. Throws for any other module, because its memory would remain unlimited.
 */
export function withMemoryLimit(wasm: Uint8Array, maxPages: number): Uint8Array {
  for (let at = HEADER_LENGTH; at < wasm.length; ) {
    const length = readUnsigned(wasm, at + 1);
    const end = length.end + length.value;
    if (wasm[at] === MEMORY_SECTION) {
      const limits = wasm.subarray(length.end, end);
      const [count, flags] = limits;
      if (count !== 1 || flags !== 0) break;
      // The section contains one memory with a maximum: first the unchanged minimum, then the maximum.
      const content = [1, 1, ...limits.subarray(2), ...writeUnsigned(maxPages)];
      const section = [MEMORY_SECTION, ...writeUnsigned(content.length), ...content];
      return Buffer.concat([wasm.subarray(0, at), Buffer.from(section), wasm.subarray(end)]);
    }
    at = end;
  }
  throw new Error("The WebAssembly module does not declare a memory that can be limited.");
}

/** Reads an unsigned number in LEB128 (WebAssembly core, 5.2.2). `end` is the offset after it. */
function readUnsigned(bytes: Uint8Array, start: number): { value: number; end: number } {
  let value = 0;
  for (let at = start, factor = 1; ; at++, factor *= 128) {
    const byte = bytes[at] ?? 0;
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) return { value, end: at + 1 };
  }
}

function writeUnsigned(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest % 128) | 0x80);
  }
}
