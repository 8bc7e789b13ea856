import { setTimeout as sleep } from "node:timers/promises";
import { throwIfAborted } from "@quire/core/host";
import { isTransient, mayHaveArrived, RequestTimeout } from "./failures.ts";

/** How long one request may take, and how often and how long it is tried. */
export interface Patience {
  readonly requestTimeoutMs: number;
  readonly attempts: number;
  readonly totalTimeoutMs: number;
}

/** What one request needs to be known of. */
export interface Tried {
  readonly signal: AbortSignal | undefined;
  /**
   * The request makes something. It then is not cut off by the signal, since nobody could say what came of
   * it; and when an attempt ends without an answer, the signal no longer counts until it is known.
   */
  readonly makes?: boolean;
  /** How many bytes travel, for which there is more time. Default 0. */
  readonly size?: number;
}

/** One attempt of a request. */
export interface Attempt {
  /** Aborted by the caller, or when the attempt's time is over. */
  readonly signal: AbortSignal;
  /** Begins the attempt's time anew, with more of it for so many bytes of an answer. */
  readonly expect: (bytes: number) => void;
}

/** The request failed, as told by `cause`; but an attempt may have done what it was for. */
export class UnknownOutcome extends Error {
  override readonly name = "UnknownOutcome";
}

const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 5_000;
/** The slowest connection that is waited for, in bytes per millisecond. */
const SLOWEST = 128;

/**
 * Runs a request until it succeeds, fails for good, or patience is at its end. Between attempts there is a
 * random delay, up to a limit that doubles each time, so that many clients do not come back at once. This is
 * the only place where Quire retries: the SDK's own attempts are set to one.
 */
export async function retrying<T>(
  patience: Patience,
  tried: Tried,
  request: (attempt: Attempt) => Promise<T>,
): Promise<T> {
  const { makes = false, size = 0 } = tried;
  const end = performance.now() + patience.totalTimeoutMs;
  let { signal } = tried;
  let unknown = false;
  for (let attempt = 1; ; attempt += 1) {
    throwIfAborted(signal);
    const limits = {
      timeoutMs: patience.requestTimeoutMs,
      size,
      signal: makes ? undefined : signal,
    };
    const [outcome] = await Promise.allSettled([bounded(limits, request)]);
    if (outcome.status === "fulfilled") return outcome.value;
    const error: unknown = outcome.reason;
    throwIfAborted(limits.signal);
    const transient = isTransient(error);
    if (makes && transient && mayHaveArrived(error)) [unknown, signal] = [true, undefined];
    const delayMs = transient ? delayAfter(attempt, patience, end) : null;
    if (delayMs === null) {
      throw unknown ? new UnknownOutcome("An answer is missing.", { cause: error }) : error;
    }
    await pause(delayMs, signal);
  }
}

/** Null when patience is at its end. */
function delayAfter(attempt: number, patience: Patience, end: number): number | null {
  const delayMs = Math.random() * Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt);
  const over = attempt >= patience.attempts || performance.now() + delayMs > end;
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
  // What an abort makes of the pause is told by the check before the next attempt.
  await sleep(delayMs, undefined, signal === undefined ? {} : { signal }).catch(() => {});
}
