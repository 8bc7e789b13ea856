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
import { type Authenticate, cannotCheck, unlessAborted } from "./authenticate.ts";
import { type ClaimNames, checkClaimNames, principalOfClaims } from "./claims.ts";
import type { IssuerFetch } from "./issuer-request.ts";
import { issuerKeys } from "./jwks.ts";
import {
  checkAddress,
  checkText,
  checkWholeNumber,
  LONGEST_TIMER_MS,
  optionProblems,
} from "./option-problems.ts";

/** The algorithms that {@link jwt} supports. All of them are asymmetric, so nobody can sign with a published key. */
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

/** Describes the accepted tokens: their issuer, audience and format. */
export interface JwtOptions {
  /** The exact value of `iss`. */
  readonly issuer: string;
  /** The name of the service, which `aud` must equal or contain. If this is a list, one of its names is sufficient. */
  readonly audience: string | readonly string[];
  /** The URL of the issuer's keys (JWKS). */
  readonly jwksUrl: string;
  /** The accepted algorithms. Default: RS256, RS512, PS256, ES256, ES384 and EdDSA. */
  readonly algorithms?: readonly JwtAlgorithm[];
  /** The names of the claims that identify the owner of a token. Default: as in {@link ClaimNames}. */
  readonly claims?: ClaimNames;
  /** The required `typ` of the header, for example `at+jwt` (RFC 9068). Default: not checked. */
  readonly type?: string;
  /** The maximum difference between the clocks of the issuer and the service. From 0 to 300; default 5. */
  readonly clockToleranceSeconds?: number;
  /** The timeout for fetching keys, in milliseconds. Default: 5000. */
  readonly timeoutMs?: number;
  /** The minimum time between fetches that tokens with unknown keys cause, in milliseconds. Default: 30,000. */
  readonly cooldownMs?: number;
  /**
   * How long fetched keys are used, in milliseconds. A withdrawn key remains valid for up to this time. Default:
   * 600,000.
   */
  readonly keysMaxAgeMs?: number;
  /**
   * Whether `jwksUrl` may begin with http://. Default: false, because an attacker could replace the keys in transit.
   */
  readonly allowInsecure?: boolean;
  /** Sends the requests for keys. Default: Node's fetch. */
  readonly fetch?: IssuerFetch;
  /** The wall clock for checking tokens, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

/**
 * Checks the signed tokens (JWT) of one issuer. A token needs a valid signature, `iss`, `aud` and `exp`, must not be
 * used before `nbf`, and must name a user, a tenant and scopes. It is valid until it expires: the issuer is not asked
 * about individual tokens. The first token makes the service fetch the keys. Rejects `unavailable` if the keys cannot
 * be fetched. Throws `invalid_request` for invalid options, with a diagnostic for each.
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
    // If the token is from another issuer, the keys are not needed and need not be available.
    if (decodeJwt(token).iss !== rules.issuer) throw new errors.JWKSNoMatchingKey();
    return await keys(header, jws);
  };
  try {
    return await verify(token, findKey, rules);
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    if (isQuireError(error)) throw error;
    const fix = "Have the issuer publish RSA keys of at least 2048 bits; the cause has details";
    throw cannotCheck("the published key of its issuer cannot be used", fix, error);
  }
}

/** Verifies a token. If it has no key id, any one of the matching keys is sufficient. */
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
    const why = "audience is missing or empty, so tokens for other services would be accepted";
    problems.add("/audience", why, "Set the value of aud that the issuer uses for this service");
  }
  checkAddress(problems, "jwksUrl", options.jwksUrl, allowInsecure);
  if (algorithms !== undefined && !isAlgorithmList(algorithms)) {
    const why = "algorithms is not a list of supported algorithms";
    problems.add("/algorithms", why, `Use one or more of ${JWT_ALGORITHMS.join(", ")}`);
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
