import { setTimeout as sleep } from "node:timers/promises";
import { throwIfAborted } from "@quire/contracts";
import { isTransient, mayHaveArrived, RequestTimeout } from "./failures.ts";

/** Time limits and number of attempts of a request. */
export interface RetryPolicy {
  readonly requestTimeoutMs: number;
  readonly attempts: number;
  readonly totalTimeoutMs: number;
}

/** A request to retry. */
export interface AttemptOptions {
  readonly signal: AbortSignal | undefined;
  /**
   * Whether the request creates something. If so, the signal does not abort an attempt in progress, because its outcome
   * would be unknown. Between attempts, the signal takes effect, unless an attempt got no response: then it is ignored
   * until the outcome is known.
   */
  readonly creates?: boolean;
  /** Number of bytes to transfer. Extends the time limit. Default 0. */
  readonly size?: number;
}

/** One attempt at a request. */
export interface Attempt {
  /** Aborted by the caller, or when the attempt exceeds its time limit. */
  readonly signal: AbortSignal;
  /** Restarts the attempt's time limit, and extends it for a response of `bytes` bytes. */
  readonly expect: (bytes: number) => void;
}

/** The request failed for the reason in `cause`, but an attempt may have succeeded. */
export class UnknownOutcome extends Error {
  override readonly name = "UnknownOutcome";
}

const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 5_000;
/** The slowest connection to wait for, in bytes per millisecond. */
const SLOWEST = 128;

/**
 * Runs a request until it succeeds, fails permanently, or reaches its limits. Waits a random time between
 * attempts, up to a maximum that doubles each time, so that clients do not all retry at once. Quire retries
 * only here: the SDK makes a single attempt.
 */
export async function withRetries<T>(
  retryPolicy: RetryPolicy,
  options: AttemptOptions,
  request: (attempt: Attempt) => Promise<T>,
): Promise<T> {
  const { creates = false, size = 0 } = options;
  const end = performance.now() + retryPolicy.totalTimeoutMs;
  let { signal } = options;
  let unknown = false;
  for (let attempt = 1; ; attempt += 1) {
    throwIfAborted(signal);
    const limits = {
      timeoutMs: retryPolicy.requestTimeoutMs,
      size,
      signal: creates ? undefined : signal,
    };
    const [outcome] = await Promise.allSettled([bounded(limits, request)]);
    if (outcome.status === "fulfilled") return outcome.value;
    const error: unknown = outcome.reason;
    throwIfAborted(limits.signal);
    const transient = isTransient(error);
    if (creates && transient && mayHaveArrived(error)) [unknown, signal] = [true, undefined];
    const delayMs = transient ? delayAfter(attempt, retryPolicy, end) : null;
    if (delayMs === null) {
      throw unknown ? new UnknownOutcome("A response is missing.", { cause: error }) : error;
    }
    await pause(delayMs, signal);
  }
}

/** Returns the pause before the next attempt, in milliseconds; null if the limits are reached. */
function delayAfter(attempt: number, retryPolicy: RetryPolicy, end: number): number | null {
  const delayMs = Math.random() * Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt);
  const over = attempt >= retryPolicy.attempts || performance.now() + delayMs > end;
  return over ? null : delayMs;
}

interface Limits {
  readonly timeoutMs: number;
  readonly size: number;
  readonly signal: AbortSignal | undefined;
}

async function bounded<T>(
  { timeoutMs, size, signal }: Limits,
  request: (attempt: Attempt) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  const onAbort = () => abort.abort();
  let late = false;
  let timer: NodeJS.Timeout | undefined;
  const expect = (bytes: number) => {
    clearTimeout(timer);
    timer = setTimeout(
      () => {
        late = true;
        abort.abort();
      },
      timeoutMs + bytes / SLOWEST,
    );
  };
  expect(size);
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    return await request({ signal: abort.signal, expect });
  } catch (error) {
    if (!late) throw error;
    throw new RequestTimeout("The request took too long.", { cause: error });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}

async function pause(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  // The check before the next attempt handles an abort during the pause.
  await sleep(delayMs, undefined, signal === undefined ? {} : { signal }).catch(() => {});
}
