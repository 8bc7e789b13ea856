import { isQuireError, throwIfAborted } from "@quire/core/host";
import {
  type CryptoKey,
  decodeJwt,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
} from "jose";
import type { IssuerFetch } from "./ask-issuer.ts";
import { type Authenticate, cannotCheck, unlessAborted } from "./authenticate.ts";
import { type ClaimNames, checkClaimNames, principalOfClaims } from "./claims.ts";
import { issuerKeys } from "./jwks.ts";
import {
  checkAddress,
  checkText,
  checkWholeNumber,
  LONGEST_TIMER_MS,
  optionProblems,
} from "./option-problems.ts";

/** The algorithms that {@link jwt} knows. All have a public and a private key: a key that is published signs nothing. */
export const JWT_ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
] as const;

/** One of {@link JWT_ALGORITHMS}. */
export type JwtAlgorithm = (typeof JWT_ALGORITHMS)[number];

const DEFAULT_ALGORITHMS: readonly JwtAlgorithm[] = [
  "RS256",
  "RS512",
  "PS256",
  "ES256",
  "ES384",
  "EdDSA",
];

/** Whose tokens are good, and for whom they must be made out. */
export interface JwtOptions {
  /** What stands in `iss`, letter for letter. */
  readonly issuer: string;
  /** What `aud` must be, or have among others: this service. With several, one of them. */
  readonly audience: string | readonly string[];
  /** Where the issuer publishes its keys (JWKS). */
  readonly jwksUrl: string;
  /** Default RS256, RS512, PS256, ES256, ES384 and EdDSA. */
  readonly algorithms?: readonly JwtAlgorithm[];
  readonly claims?: ClaimNames;
  /** What `typ` must be in the header, for example `at+jwt` (RFC 9068). Default: anything. */
  readonly type?: string;
  /** How far the clocks may differ. 0 to 300, default 5. */
  readonly clockToleranceSeconds?: number;
  /** How long a fetch of keys may take. Default 5000. */
  readonly timeoutMs?: number;
  /** How soon after a fetch a token with an unknown key may lead to another one. Default 30 000. */
  readonly cooldownMs?: number;
  /** How long keys are used without asking again, and so how long one that is withdrawn stays good. Default 600 000. */
  readonly keysMaxAgeMs?: number;
  /** Whether `jwksUrl` may begin with http://. Default false: who can change the keys on their way makes tokens. */
  readonly allowInsecure?: boolean;
  /** Default: that of Node. */
  readonly fetch?: IssuerFetch;
  /** The wall clock that tokens are judged by, in milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
}

/**
 * Knows the signed tokens (JWT) of one issuer. A token must have its signature, `iss`, `aud` and `exp`, not be before
 * its `nbf`, and name a user, a tenant and scopes; it is good until it expires, for nobody is asked about it. Keys are
 * fetched when the first token comes. Issuers that cannot be asked for them are `unavailable`. Throws `invalid_request`
 * for options that make no sense, with a diagnostic for each.
 */
export function jwt(options: JwtOptions): Authenticate {
  checkOptions(options);
  const { issuer, audience, claims = {}, type, now = Date.now } = options;
  const keys = issuerKeys({
    url: options.jwksUrl,
    timeoutMs: options.timeoutMs ?? 5000,
    cooldownMs: options.cooldownMs ?? 30_000,
    maxAgeMs: options.keysMaxAgeMs ?? 600_000,
    fetch: options.fetch ?? fetch,
    now,
  });
  const rules: JWTVerifyOptions = {
    issuer,
    audience: typeof audience === "string" ? audience : [...audience],
    algorithms: [...(options.algorithms ?? DEFAULT_ALGORITHMS)],
    requiredClaims: ["exp"],
    clockTolerance: options.clockToleranceSeconds ?? 5,
    ...(type === undefined ? {} : { typ: type }),
  };
  return async (token, { signal }) => {
    throwIfAborted(signal);
    const work = checkToken(token, keys, { ...rules, currentDate: new Date(now()) });
    const payload = await unlessAborted(work, signal);
    return payload === null ? null : principalOfClaims(payload, claims);
  };
}

async function checkToken(
  token: string,
  keys: JWTVerifyGetKey<CryptoKey>,
  rules: JWTVerifyOptions,
): Promise<JWTPayload | null> {
  const findKey: JWTVerifyGetKey<CryptoKey> = async (header, jws) => {
    // Of another issuer: its keys are not asked for, so that it does not matter whether they can be had.
    if (decodeJwt(token).iss !== rules.issuer) throw new errors.JWKSNoMatchingKey();
    return await keys(header, jws);
  };
  try {
    return await verify(token, findKey, rules);
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    if (isQuireError(error)) throw error;
    const fix = "Have the issuer publish RSA keys of at least 2048 bits; the cause tells more";
    throw cannotCheck("the key that its issuer publishes cannot be used", fix, error);
  }
}

/** A token that does not say by which key it is signed may be so by any that fits it. */
async function verify(
  token: string,
  findKey: JWTVerifyGetKey<CryptoKey>,
  rules: JWTVerifyOptions,
): Promise<JWTPayload | null> {
  try {
    return (await jwtVerify(token, findKey, rules)).payload;
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error) {
      try {
        return (await jwtVerify(token, key, rules)).payload;
      } catch (failure) {
        if (!(failure instanceof errors.JWSSignatureVerificationFailed)) throw failure;
      }
    }
    return null;
  }
}

function checkOptions(options: JwtOptions): void {
  const problems = optionProblems();
  checkText(problems, "issuer", options.issuer);
  const { audience, algorithms, allowInsecure = false } = options;
  const audiences: unknown = typeof audience === "string" ? [audience] : audience;
  if (!isListOfTexts(audiences)) {
    const why = "audience is missing or empty, so that tokens for any other service would be good";
    problems.add("/audience", why, "Give what the issuer writes into aud for this service");
  }
  checkAddress(problems, "jwksUrl", options.jwksUrl, allowInsecure);
  if (algorithms !== undefined && !isAlgorithmList(algorithms)) {
    const why = "algorithms is no list of algorithms with a public key";
    problems.add("/algorithms", why, `Give some of ${JWT_ALGORITHMS.join(", ")}`);
  }
  if (options.type !== undefined) checkText(problems, "type", options.type);
  checkClaimNames(problems, options.claims ?? {});
  const { clockToleranceSeconds, timeoutMs, cooldownMs, keysMaxAgeMs } = options;
  checkWholeNumber(problems, "clockToleranceSeconds", clockToleranceSeconds, {
    least: 0,
    most: 300,
  });
  checkWholeNumber(problems, "timeoutMs", timeoutMs, { least: 1, most: LONGEST_TIMER_MS });
  checkWholeNumber(problems, "cooldownMs", cooldownMs, { least: 0, most: LONGEST_TIMER_MS });
  checkWholeNumber(problems, "keysMaxAgeMs", keysMaxAgeMs, { least: 1, most: LONGEST_TIMER_MS });
  problems.throwIfAny("Signed tokens cannot be checked");
}

function isListOfTexts(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((text) => typeof text === "string" && text !== "")
  );
}

function isAlgorithmList(value: unknown): boolean {
  const known: readonly unknown[] = JWT_ALGORITHMS;
  return Array.isArray(value) && value.length > 0 && value.every((name) => known.includes(name));
}
