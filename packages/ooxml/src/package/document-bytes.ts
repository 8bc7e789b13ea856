import { Buffer } from "node:buffer";

/** The weight (see {@link documentBytes}) has one word per this many bytes of a document, up to a maximum. */
const BYTES_PER_WORD = 16;
const MOST_WORDS = 8192;

const latest: { weight: readonly unknown[] } = { weight: [] };

/**
 * Memory for one document. It is outside V8's heap, and a document leaves almost nothing on the heap. Therefore, V8
 * collects the whole heap to find unused documents when all documents together reach 64 MB. Its small collections also
 * free documents and cost much less, but they run only when the young generation is full. An unused object on the heap,
 * the weight, fills the young generation so that they run first. This saves a quarter of the CPU time for a document of
 * 60 kB.
 */
export function documentBytes(size: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.allocUnsafeSlow(size);
  // Some memory must remain in use. Otherwise the system takes it back and has to provide it again.
  latest.weight = new Array(Math.min(Math.ceil(size / BYTES_PER_WORD), MOST_WORDS));
  return bytes;
}
