import { throwIfAborted } from "@quire/core/host";
import type { Principal } from "@quire/http/parts";
import { type Authenticate, unlessAborted } from "./authenticate.ts";
import { type ClaimNames, type Claims, checkClaimNames, principalOfClaims } from "./claims.ts";
import { limitConcurrency } from "./concurrency-limit.ts";
import { type ExpiringCache, expiringCache } from "./expiring-cache.ts";
import { askAbout, type IntrospectionServer } from "./introspection-server.ts";
import type { IssuerFetch } from "./issuer-request.ts";
import {
  checkAddress,
  checkText,
  checkWholeNumber,
  LONGEST_TIMER_MS,
  optionProblems,
} from "./option-problems.ts";
import { hashToken } from "./token-hash.ts";

/** The server that introspects tokens, and the client's credentials. */
export interface IntrospectionOptions {
  /** The introspection endpoint (RFC 7662). Default: the endpoint in the metadata of `issuer`. */
  readonly url?: string;
  /**
   * The issuer, whose metadata contain the endpoint (OpenID Connect Discovery, otherwise RFC 8414). If a response
   * contains `iss`, it must match the issuer. Required if `url` is not set.
   */
  readonly issuer?: string;
  /** The service's client id at the issuer. The issuer must allow this client to introspect tokens. */
  readonly clientId: string;
  /** The client secret, sent with each request to the introspection endpoint. */
  readonly clientSecret: string;
  /** How the client sends its credentials: `basic` in a header, `post` in the form. Default: `basic`. */
  readonly clientAuthentication?: "basic" | "post";
  /**
   * The value that `aud` must equal or contain. Set it if the issuer also serves others. Default: `aud` is not checked.
   */
  readonly audience?: string;
  /** The names of the claims that identify the owner of a token. Default: as in {@link ClaimNames}. */
  readonly claims?: ClaimNames;
  /**
   * How long a positive response is cached, in milliseconds, but never beyond the token's expiry. A revoked token may
   * remain valid for this time. At most 300,000; default 30,000; 0 turns the cache off.
   */
  readonly cacheMs?: number;
  /**
   * How long a negative response is cached, in milliseconds. A token that becomes active may be rejected for this time.
   * At most 30,000; default 2000; 0 turns the cache off. Failed requests are never cached.
   */
  readonly inactiveCacheMs?: number;
  /** The maximum number of cached positive responses, and separately of cached negative responses. Default: 10,000. */
  readonly cacheSize?: number;
  /**
   * The maximum number of concurrent requests to the issuer. Default: 32. Up to 256 more requests wait. Further
   * requests immediately reject `unavailable`.
   */
  readonly concurrency?: number;
  /** The timeout of a request to the issuer, in milliseconds. The first token needs two requests. Default: 5000. */
  readonly timeoutMs?: number;
  /** Whether URLs may begin with http://. Default: false, because requests contain tokens and the client's secret. */
  readonly allowInsecure?: boolean;
  /** Sends the requests to the issuer. Default: Node's fetch. */
  readonly fetch?: IssuerFetch;
  /** The wall clock, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

const MOST_WAITING = 256;

/**
 * Checks the tokens of an issuer by introspection. Concurrent requests with the same token share one request to the
 * issuer. Rejects `unavailable` if that request fails, if the issuer rejects the client or sends an unexpected
 * response, and if too many requests are waiting. An active token must also name a user, a tenant and scopes. Throws
 * `invalid_request` for invalid options, with a diagnostic for each.
 */
export function introspection(options: IntrospectionOptions): Authenticate {
  checkOptions(options);
  const { now = Date.now, cacheMs = 30_000, inactiveCacheMs = 2_000, cacheSize = 10_000 } = options;
  const ask = askAbout(serverOf(options));
  const active = expiringCache<Principal>(cacheSize, now);
  // Negative responses have a separate cache, so that a flood of invalid tokens does not evict the valid ones.
  const inactive = expiringCache<true>(cacheSize, now);
  const pending = new Map<string, Promise<Principal | null>>();
  const limited = limitConcurrency(options.concurrency ?? 32, MOST_WAITING);
  const introspect = async (token: string, hash: string): Promise<Principal | null> => {
    const askedAt = now();
    const answer = await ask(token);
    const principal = isAccepted(answer, options, now())
      ? principalOfClaims(answer, options.claims ?? {})
      : null;
    if (principal === null) inactive.set(hash, true, now() + inactiveCacheMs);
    else remember(active, { hash, principal, until: askedAt + cacheMs }, answer);
    return principal;
  };
  return async (token, { signal }) => {
    throwIfAborted(signal);
    const hash = hashToken(token).toString("hex");
    const known = active.get(hash);
    if (known !== null) return known;
    if (inactive.get(hash) !== null) return null;
    const shared =
      pending.get(hash) ??
      limited(() => introspect(token, hash)).finally(() => pending.delete(hash));
    pending.set(hash, shared);
    return await unlessAborted(shared, signal);
  };
}

function serverOf(options: IntrospectionOptions): IntrospectionServer {
  return {
    url: options.url,
    issuer: options.issuer,
    clientId: options.clientId,
    clientSecret: options.clientSecret,
    clientAuthentication: options.clientAuthentication ?? "basic",
    timeoutMs: options.timeoutMs ?? 5000,
    allowInsecure: options.allowInsecure ?? false,
    fetch: options.fetch ?? fetch,
  };
}

interface Answer {
  readonly hash: string;
  readonly principal: Principal;
  readonly until: number;
}

function remember(
  active: ExpiringCache<Principal>,
  { hash, principal, until }: Answer,
  claims: Claims,
): void {
  const end = typeof claims.exp === "number" ? claims.exp * 1000 : Number.POSITIVE_INFINITY;
  active.set(hash, principal, Math.min(until, end));
}

/** Checks more than `active`, so that an issuer's wrong `active` does not grant access. */
function isAccepted(
  answer: Claims,
  { issuer, audience }: IntrospectionOptions,
  now: number,
): boolean {
  const { active, exp, iss, aud, token_type: type } = answer;
  return (
    active === true &&
    (exp === undefined || (typeof exp === "number" && exp * 1000 > now)) &&
    (issuer === undefined || iss === undefined || isSameIssuer(iss, issuer)) &&
    (audience === undefined ||
      aud === audience ||
      (Array.isArray(aud) && aud.includes(audience))) &&
    (type === undefined || isForBearers(type))
  );
}

/** Compares issuers in the same way as discovery: a slash after the host makes no difference. */
function isSameIssuer(issued: unknown, issuer: string): boolean {
  return typeof issued === "string" && URL.parse(issued)?.href === URL.parse(issuer)?.href;
}

/**
 * Whether a bearer request may use a token of this type. DPoP and other types need a proof that a bearer request lacks.
 * Some issuers use `access_token` for `Bearer`.
 */
function isForBearers(type: unknown): boolean {
  return typeof type === "string" && ["bearer", "access_token"].includes(type.toLowerCase());
}

function checkOptions(options: IntrospectionOptions): void {
  const problems = optionProblems();
  const { url, issuer, audience, clientAuthentication, allowInsecure = false } = options;
  if (url === undefined && issuer === undefined) {
    const fix = "Set url to the introspection endpoint, or set issuer, whose metadata name it";
    problems.add("/url", "url and issuer are both missing", fix);
  }
  if (url !== undefined) checkAddress(problems, "url", url, allowInsecure);
  if (issuer !== undefined) checkAddress(problems, "issuer", issuer, allowInsecure);
  checkText(problems, "clientId", options.clientId);
  checkText(problems, "clientSecret", options.clientSecret);
  if (audience !== undefined) checkText(problems, "audience", audience);
  if (![undefined, "basic", "post"].includes(clientAuthentication)) {
    const why = "clientAuthentication is neither basic nor post";
    problems.add("/clientAuthentication", why, "Set one of them, or omit it");
  }
  checkClaimNames(problems, options.claims ?? {});
  const { cacheMs, inactiveCacheMs, cacheSize, concurrency, timeoutMs } = options;
  checkWholeNumber(problems, "cacheMs", cacheMs, { least: 0, most: 300_000 });
  checkWholeNumber(problems, "inactiveCacheMs", inactiveCacheMs, { least: 0, most: 30_000 });
  checkWholeNumber(problems, "concurrency", concurrency, { least: 1, most: 10_000 });
  checkWholeNumber(problems, "cacheSize", cacheSize, { least: 1, most: 1_000_000 });
  checkWholeNumber(problems, "timeoutMs", timeoutMs, { least: 1, most: LONGEST_TIMER_MS });
  problems.throwIfAny("Tokens cannot be introspected");
}
