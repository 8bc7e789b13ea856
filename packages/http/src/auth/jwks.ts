import {
  type CryptoKey,
  createRemoteJWKSet,
  customFetch,
  errors,
  type FetchImplementation,
  type JWTVerifyGetKey,
  type RemoteJWKSet,
} from "jose";
import { askIssuer, type IssuerFetch, issuerUnavailable } from "./ask-issuer.ts";

/** Where keys are fetched, and how often. */
export interface KeySource {
  readonly url: string;
  readonly timeoutMs: number;
  /** How soon after a fetch a token with an unknown key may lead to the next one. */
  readonly cooldownMs: number;
  /** How long keys are used without asking again. */
  readonly maxAgeMs: number;
  readonly fetch: IssuerFetch;
  readonly now: () => number;
}

/** How long after a failed fetch nobody is asked again, so that requests do not pile up on an issuer in trouble. */
const FAILURE_PAUSE_MS = 1000;

/** A fetch that was not done, since one had failed just before: the cause is what it failed with. */
class PausedError extends Error {
  override readonly name = "PausedError";
}

/**
 * Finds the key of a token among those that an issuer publishes, never one that the token brings or points to.
 * Rejects `unavailable` when they cannot be fetched, and with jose's own errors for what is wrong with the token.
 */
export function issuerKeys(source: KeySource): JWTVerifyGetKey<CryptoKey> {
  let failure: { readonly until: number; readonly cause: unknown } | null = null;
  const fetchKeys: FetchImplementation = async (url, options) => {
    if (failure !== null && source.now() < failure.until) {
      throw new PausedError("A fetch has failed just before.", { cause: failure.cause });
    }
    return await askIssuer(source.fetch, url, options);
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
      const whenRefused = "Check the address: keys are published for everybody";
      throw issuerUnavailable(error, { what: "for its keys", url: source.url, whenRefused });
    }
  };
}

/** No key, several, or an algorithm that no published key can have: the issuer has been asked and has answered. */
function isOfToken(error: unknown): boolean {
  return (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys ||
    error instanceof errors.JOSENotSupported
  );
}
