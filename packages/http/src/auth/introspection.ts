import { throwIfAborted } from "@quire/core/host";
import type { IssuerFetch } from "./ask-issuer.ts";
import { type Authenticate, unlessAborted } from "./authenticate.ts";
import { type ClaimNames, type Claims, checkClaimNames, principalOfClaims } from "./claims.ts";
import { askAbout, type IntrospectionServer } from "./introspection-server.ts";
import {
  checkAddress,
  checkText,
  checkWholeNumber,
  LONGEST_TIMER_MS,
  optionProblems,
} from "./option-problems.ts";
import type { Principal } from "./principal.ts";
import { questionLine } from "./question-line.ts";
import { type RecentAnswers, recentAnswers } from "./recent-answers.ts";
import { hashToken } from "./token-hash.ts";

/** Who is asked about tokens, as which client. */
export interface IntrospectionOptions {
  /** The introspection endpoint (RFC 7662). Without it, it is found through `issuer`. */
  readonly url?: string;
  /** Whose metadata name the endpoint (OpenID Connect Discovery, else RFC 8414). An `iss` that is told must be it. */
  readonly issuer?: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** How the client says who it is: in a header, or in the form. Default `basic`. */
  readonly clientAuthentication?: "basic" | "post";
  /** What `aud` must be, or have among others. Give it when the issuer serves others too. Default: not looked at. */
  readonly audience?: string;
  readonly claims?: ClaimNames;
  /**
   * How long a positive answer is used again, never longer than the token is good: a token that is revoked may be good
   * for so long. Up to 300 000, default 30 000; 0 for none.
   */
  readonly cacheMs?: number;
  /**
   * How long a token that was refused is refused without a question: one that becomes active meanwhile is refused for so
   * long. Up to 30 000, default 2000; 0 for none. That an issuer could not be asked is never remembered.
   */
  readonly inactiveCacheMs?: number;
  /** How many answers are remembered, and beside them how many refusals. Default 10 000. */
  readonly cacheSize?: number;
  /**
   * How many tokens the issuer is asked about at the same time. Default 32. Of the others 256 wait; those beyond are
   * `unavailable` at once.
   */
  readonly concurrency?: number;
  /** How long a request to the issuer may take, of which the first token needs two. Default 5000. */
  readonly timeoutMs?: number;
  /** Whether addresses may begin with http://. Default false: tokens and the client's secret are sent there. */
  readonly allowInsecure?: boolean;
  /** Default: that of Node. */
  readonly fetch?: IssuerFetch;
  /** The wall clock, in milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
}

const MOST_WAITING = 256;

/**
 * Knows the tokens of an issuer by asking it. Requests with the same token at the same time share one question. An
 * issuer that cannot be asked, that refuses the client or answers with something else is `unavailable`, and so is one of
 * whom too much is asked already. A token that is
 * active must also name a user, a tenant and scopes. Throws `invalid_request` for options that make no sense, with a
 * diagnostic for each.
 */
export function introspection(options: IntrospectionOptions): Authenticate {
  checkOptions(options);
  const { now = Date.now, cacheMs = 30_000, inactiveCacheMs = 2_000, cacheSize = 10_000 } = options;
  const ask = askAbout(serverOf(options));
  const recent = recentAnswers<Principal>(cacheSize, now);
  // Beside the good ones: whoever invents tokens must not push those out.
  const refused = recentAnswers<true>(cacheSize, now);
  const asking = new Map<string, Promise<Principal | null>>();
  const inLine = questionLine(options.concurrency ?? 32, MOST_WAITING);
  const learn = async (token: string, hash: string): Promise<Principal | null> => {
    const asked = now();
    const answer = await ask(token);
    const principal = isGood(answer, options, now())
      ? principalOfClaims(answer, options.claims ?? {})
      : null;
    if (principal === null) refused.keep(hash, true, now() + inactiveCacheMs);
    else remember(recent, { hash, principal, until: asked + cacheMs }, answer);
    return principal;
  };
  return async (token, { signal }) => {
    throwIfAborted(signal);
    const hash = hashToken(token).toString("hex");
    const known = recent.get(hash);
    if (known !== null) return known;
    if (refused.get(hash) !== null) return null;
    const shared =
      asking.get(hash) ?? inLine(() => learn(token, hash)).finally(() => asking.delete(hash));
    asking.set(hash, shared);
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
  recent: RecentAnswers<Principal>,
  { hash, principal, until }: Answer,
  claims: Claims,
): void {
  const end = typeof claims.exp === "number" ? claims.exp * 1000 : Number.POSITIVE_INFINITY;
  recent.keep(hash, principal, Math.min(until, end));
}

/** What can be seen of an answer besides `active`: an issuer that is wrong about it lets nobody in. */
function isGood(answer: Claims, { issuer, audience }: IntrospectionOptions, now: number): boolean {
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

/** As discovery compares them: a slash at the end of a host makes no difference. */
function isSameIssuer(told: unknown, issuer: string): boolean {
  return typeof told === "string" && URL.parse(told)?.href === URL.parse(issuer)?.href;
}

/** DPoP and other kinds need a proof that a bearer does not give. Some issuers tell `access_token` for the same thing. */
function isForBearers(type: unknown): boolean {
  return typeof type === "string" && ["bearer", "access_token"].includes(type.toLowerCase());
}

function checkOptions(options: IntrospectionOptions): void {
  const problems = optionProblems();
  const { url, issuer, audience, clientAuthentication, allowInsecure = false } = options;
  if (url === undefined && issuer === undefined) {
    const fix = "Give the introspection endpoint as url, or the issuer, whose metadata name it";
    problems.add("/url", "Neither url nor issuer is given", fix);
  }
  if (url !== undefined) checkAddress(problems, "url", url, allowInsecure);
  if (issuer !== undefined) checkAddress(problems, "issuer", issuer, allowInsecure);
  checkText(problems, "clientId", options.clientId);
  checkText(problems, "clientSecret", options.clientSecret);
  if (audience !== undefined) checkText(problems, "audience", audience);
  if (![undefined, "basic", "post"].includes(clientAuthentication)) {
    const why = "clientAuthentication is neither basic nor post";
    problems.add("/clientAuthentication", why, "Give one of them, or leave it out");
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
