import {
  type CryptoKey,
  createRemoteJWKSet,
  customFetch,
  errors,
  type FetchImplementation,
  type JWTVerifyGetKey,
  type RemoteJWKSet,
} from "jose";
import { type IssuerFetch, issuerUnavailable, requestIssuer } from "./issuer-request.ts";

/** The URL of the keys, and how often to fetch them. Times are in milliseconds. */
export interface KeySource {
  readonly url: string;
  readonly timeoutMs: number;
  /** The minimum time between fetches that tokens with unknown keys cause. */
  readonly cooldownMs: number;
  /** How long fetched keys are used. */
  readonly maxAgeMs: number;
  readonly fetch: IssuerFetch;
  readonly now: () => number;
}

/** The pause after a failed fetch, so that requests do not pile up at an issuer that has problems. */
const FAILURE_PAUSE_MS = 1000;

/** The error if a fetch is skipped because an earlier fetch has just failed. Its cause is the earlier error. */
class PausedError extends Error {
  override readonly name = "PausedError";
}

/**
 * Finds the key of a token among the keys that an issuer publishes. Never uses a key that the token contains or points
 * to. Rejects with `unavailable` if the keys cannot be fetched, and with jose's errors for an invalid token.
 */
export function issuerKeys(source: KeySource): JWTVerifyGetKey<CryptoKey> {
  let failure: { readonly until: number; readonly cause: unknown } | null = null;
  const fetchKeys: FetchImplementation = async (url, options) => {
    if (failure !== null && source.now() < failure.until) {
      throw new PausedError("The previous fetch has just failed.", { cause: failure.cause });
    }
    return await requestIssuer(source.fetch, url, options);
  };
  const keys: RemoteJWKSet = createRemoteJWKSet(new URL(source.url), {
    timeoutDuration: source.timeoutMs,
    cooldownDuration: source.cooldownMs,
    cacheMaxAge: source.maxAgeMs,
    [customFetch]: fetchKeys,
  });
  return async (header, token) => {
    try {
      return await keys(header, token);
    } catch (error) {
      if (isOfToken(error)) throw error;
      if (!(error instanceof PausedError)) {
        failure = { until: source.now() + FAILURE_PAUSE_MS, cause: error };
      }
      const whenRefused = "Check the address: published keys need no authentication";
      throw issuerUnavailable(error, { what: "for its keys", url: source.url, whenRefused });
    }
  };
}

/**
 * Whether the token caused the error: no matching key, several matching keys, or an algorithm that no published key
 * has. In these cases, the issuer's response was valid.
 */
function isOfToken(error: unknown): boolean {
  return (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys ||
    error instanceof errors.JOSENotSupported
  );
}
