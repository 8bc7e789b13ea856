import { Buffer } from "node:buffer";

/** So many bytes beside the heap bring one word on it, at most so many words. */
const BYTES_PER_WORD = 16;
const MOST_WORDS = 8192;

const latest: { weight: readonly unknown[] } = { weight: [] };

/**
 * Memory of its own for a document. It lies beside V8's heap, where a document leaves next to nothing. So when
 * 64 MB of documents are there, V8 goes through all of its heap to see which of them are still used; its small
 * collections, which free them as well and take a small part of that, wait until the young part of the heap is
 * full. A weight on the heap that is of no use has them come first: a quarter less CPU for a document of 60 kB.
 */
export function documentBytes(size: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.allocUnsafeSlow(size);
  // What is freed must not be all there is: then the system gets the memory back, and has to be asked again.
  latest.weight = new Array(Math.min(Math.ceil(size / BYTES_PER_WORD), MOST_WORDS));
  return bytes;
}
