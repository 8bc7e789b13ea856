import { setImmediate as nextTurn } from "node:timers/promises";
import { abortedError } from "../errors.ts";

/** Number of items per turn of the event loop. */
const PIECE = 500;

/**
 * Yields the items of a source. Throws `aborted` as soon as the signal is aborted, even while the source is stalled, so
 * that a partial read cannot look complete.
 */
export async function* untilAborted(
  source: Iterable<unknown> | AsyncIterable<unknown>,
  signal: AbortSignal,
): AsyncGenerator<unknown, void, undefined> {
  const iterator =
    Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  // Racing all items against one promise would keep every item in memory.
  let stopWaiting = (): void => {};
  const abort = (): void => stopWaiting();
  signal.addEventListener("abort", abort, { once: true });
  try {
    for (let items = 1; ; items += 1) {
      // Without this pause, a stream that never waits could not be aborted.
      if (items % PIECE === 0) await nextTurn();
      if (signal.aborted) throw abortedError(signal);
      const next = await new Promise<IteratorResult<unknown> | null>((resolve, reject) => {
        stopWaiting = () => resolve(null);
        Promise.resolve(iterator.next()).then(resolve, reject);
      });
      if (next === null) continue;
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener("abort", abort);
    // A source that is stuck in `next()` may never settle `return()`, so this does not wait for it.
    void Promise.resolve(iterator.return?.()).catch(() => {});
  }
}
