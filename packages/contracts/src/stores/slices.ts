import { abortedError, throwIfAborted } from "../errors.ts";
import type { NewJob } from "../ports/job-records.ts";

/** Maximum size of the data in a slice, in bytes, unless it has a single job. */
const SLICE_BYTES = 1_000_000;

/** Jobs that are written in one transaction. */
export interface Slice {
  /** At least one. */
  readonly jobs: readonly NewJob[];
  /** Whether the source has no more jobs. */
  readonly isLast: boolean;
}

/** Splits the jobs of a source into slices of at most `most` jobs. Yields nothing for an empty source. */
export async function* slicesOf(
  jobs: AsyncIterable<NewJob> | Iterable<NewJob>,
  most: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Slice> {
  let slice: NewJob[] = [];
  let bytes = 0;
  for await (const job of jobs) {
    throwIfAborted(signal);
    if (slice.length >= most || bytes >= SLICE_BYTES) {
      yield { jobs: slice, isLast: false };
      [slice, bytes] = [[], 0];
    }
    slice.push(job);
    bytes += job.input?.bytes.length ?? 0;
  }
  if (signal?.aborted) throw abortedError(signal);
  if (slice.length > 0) yield { jobs: slice, isLast: true };
}
