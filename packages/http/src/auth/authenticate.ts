import { abortedError, isQuireError, QuireError, throwIfAborted } from "@quire/core/host";
import type { Principal } from "./principal.ts";

/** What a question about a token may be given. */
export interface AuthenticateOptions {
  /** Ends the waiting, with `aborted`. A question that others share goes on without the one who left. */
  readonly signal?: AbortSignal;
}

/**
 * Who a token belongs to; null when it is not a valid token, whatever it lacks (401). Rejects with a `QuireError`
 * `unavailable`, retryable, when nobody can say so now (503), or `aborted`: an error never lets anybody in.
 */
export type Authenticate = (
  token: string,
  options: AuthenticateOptions,
) => Promise<Principal | null>;

/**
 * Asks one after the other, and takes the first one who knows the token. When none does and one could not be asked,
 * it rejects `unavailable`: the token may be a good one. Without any, nobody gets in.
 */
export function firstOf(...authenticates: readonly Authenticate[]): Authenticate {
  return async (token, options) => {
    const failures: unknown[] = [];
    for (const authenticate of authenticates) {
      throwIfAborted(options.signal);
      try {
        const principal = await authenticate(token, options);
        if (principal !== null) return principal;
      } catch (error) {
        throwIfAborted(options.signal);
        failures.push(error);
      }
    }
    if (failures.length === 0) return null;
    throw noneCouldSay(failures);
  };
}

function noneCouldSay(failures: readonly unknown[]): QuireError {
  const [first] = failures;
  if (failures.length === 1 && isQuireError(first) && first.code === "unavailable") return first;
  return cannotCheck(
    `${failures.length} of those who know tokens could not be asked`,
    "Try again later; what they failed with is in the cause of this error",
    failures.length === 1 ? first : new AggregateError(failures, "Several could not be asked."),
  );
}

/** The error of whoever cannot be asked: `unavailable`, retryable. `why` and `fix` are without their full stop. */
export function cannotCheck(why: string, fix: string, cause: unknown): QuireError {
  return new QuireError("unavailable", `The access token cannot be checked: ${why}. ${fix}.`, {
    cause,
    retryable: true,
  });
}

/** Waits for work until the signal is aborted, then rejects `aborted`; the work goes on, for others wait as well. */
export async function unlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (signal === undefined) return await work;
  return await new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(abortedError(signal));
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
