import { Buffer } from "node:buffer";

/**
 * For each of this number of bytes outside the heap, one word is added to the heap, up to a maximum number of words.
 */
const BYTES_PER_WORD = 16;
const MOST_WORDS = 8192;

const latest: { weight: readonly unknown[] } = { weight: [] };

/**
 * Memory for one document. It is outside V8's heap, and a document leaves almost nothing on the heap. When 64 MB of
 * documents exist, V8 therefore collects the whole heap to find unused ones. Its small collections also free documents
 * and cost much less, but they run only when the young generation is full. An unused object on the heap, the weight,
 * makes them run first. This saves a quarter of the CPU time for a document of 60 kB.
 */
export function documentBytes(size: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.allocUnsafeSlow(size);
  // Some memory must remain in use. Otherwise the system takes it back and has to provide it again.
  latest.weight = new Array(Math.min(Math.ceil(size / BYTES_PER_WORD), MOST_WORDS));
  return bytes;
}
