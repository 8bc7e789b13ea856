import { abortedError, isQuireError, QuireError, throwIfAborted } from "@quire/core/host";
import {
  type AuthenticateRequest,
  bearerToken,
  type Principal,
  unauthorized,
} from "@quire/http/parts";

/** Options of {@link Authenticate}. */
export interface AuthenticateOptions {
  /**
   * When aborted, the call stops waiting and rejects `aborted`. A request to an issuer that other calls share
   * continues.
   */
  readonly signal?: AbortSignal;
}

/**
 * Resolves with the owner of a token; null for any invalid token (401). Rejects with a `QuireError`: `unavailable` and
 * retryable if the token cannot be checked now (503), or `aborted`. An error never grants access.
 */
export type Authenticate = (
  token: string,
  options: AuthenticateOptions,
) => Promise<Principal | null>;

/** Identifies requests by their bearer tokens. A request without a valid token gets a 401. */
export function byToken(authenticate: Authenticate): AuthenticateRequest {
  return async ({ headers, signal }) => {
    const token = bearerToken(headers);
    const who = token === null ? null : await authenticate(token, { signal });
    return who ?? unauthorized(headers);
  };
}

/**
 * Tries these functions in order and uses the first one that knows the token. If none knows the token and at least one
 * failed, rejects `unavailable`, because the token may be valid. Without any functions, rejects all tokens.
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
    throw allFailed(failures);
  };
}

function allFailed(failures: readonly unknown[]): QuireError {
  const [first] = failures;
  if (failures.length === 1 && isQuireError(first) && first.code === "unavailable") return first;
  return cannotCheck(
    `${failures.length} token sources failed`,
    "Try again later; the cause of this error has the reasons",
    failures.length === 1 ? first : new AggregateError(failures, "Several token sources failed."),
  );
}

/**
 * Returns the error for a token that cannot be checked: `unavailable`, retryable. `why` and `fix` have no full stop.
 */
export function cannotCheck(why: string, fix: string, cause: unknown): QuireError {
  return new QuireError("unavailable", `The access token cannot be checked: ${why}. ${fix}.`, {
    cause,
    retryable: true,
  });
}

/**
 * Waits for work until the signal is aborted, then rejects `aborted`. The work continues, because other calls share it.
 */
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
