import { abortedError, type NewJob, throwIfAborted } from "@quire/contracts";

/** Limits of a slice, which is written in one transaction that blocks the event loop for some milliseconds. */
const SLICE_JOBS = 100;
const SLICE_BYTES = 1_000_000;

/** Jobs that are written in one transaction. */
export interface Slice {
  readonly jobs: readonly NewJob[];
  readonly isLast: boolean;
}

/** Splits the jobs of a source into slices. Yields nothing for an empty source. */
export async function* slicesOf(
  jobs: AsyncIterable<NewJob> | Iterable<NewJob>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Slice> {
  let slice: NewJob[] = [];
  let bytes = 0;
  for await (const job of jobs) {
    throwIfAborted(signal);
    if (slice.length >= SLICE_JOBS || bytes >= SLICE_BYTES) {
      yield { jobs: slice, isLast: false };
      [slice, bytes] = [[], 0];
    }
    slice.push(job);
    bytes += job.input?.bytes.length ?? 0;
  }
  if (signal?.aborted) throw abortedError(signal);
  if (slice.length > 0) yield { jobs: slice, isLast: true };
}
