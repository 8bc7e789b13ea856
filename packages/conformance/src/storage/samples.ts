import { pattern } from "../assertions.ts";

/** A stream that records how it is used. */
export interface WatchedStream extends AsyncIterable<Uint8Array> {
  /** The number of requested chunks. */
  readonly asked: number;
  /** Whether `return()` was called before the end of the stream. */
  readonly returned: boolean;
}

/** Returns a stream of these chunks that records how it is used. */
export function watched(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): WatchedStream & { asked: number; returned: boolean } {
  const stream = {
    asked: 0,
    returned: false,
    [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
      const inner = iterated(chunks);
      return {
        next: () => {
          stream.asked += 1;
          return inner.next();
        },
        return: async () => {
          stream.returned = true;
          await inner.return(undefined);
          return { done: true, value: undefined };
        },
      };
    },
  };
  return stream;
}

async function* iterated(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  yield* chunks;
}

/** Yields the bytes in chunks whose sizes cycle through `sizes`. Waits for `pause` after each chunk. */
export async function* chunked(
  bytes: Uint8Array,
  sizes: readonly number[],
  pause: () => Promise<void> | void = () => {},
): AsyncGenerator<Uint8Array> {
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? bytes.length;
    yield bytes.subarray(at, at + size);
    at += size;
    await pause();
  }
}

/** Yields chunks endlessly. `beforeEach` receives the number of earlier chunks. */
export async function* endless(
  beforeEach: (given: number) => void = () => {},
): AsyncGenerator<Uint8Array> {
  const chunk = pattern(64 * 1024, 5);
  for (let given = 0; ; given += 1) {
    beforeEach(given);
    yield chunk;
    // Waits as a file or a socket would, so that other work can run.
    await turn();
  }
}

/** Returns a stream that never yields a chunk and never ends. Its `return()` resolves immediately. */
export function silent(): WatchedStream & { returned: boolean } {
  const stream = {
    asked: 0,
    returned: false,
    [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
      return {
        next: () => {
          stream.asked += 1;
          return new Promise(() => {});
        },
        return: async () => {
          stream.returned = true;
          return { done: true, value: undefined };
        },
      };
    },
  };
  return stream;
}

/** Waits for the event loop's next turn. */
export function turn(): Promise<void> {
  return new Promise((done) => setImmediate(done));
}
