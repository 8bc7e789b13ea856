import { randomBytes, randomUUID } from "node:crypto";
import { type TokenRecord, type TokenStore, throwIfAborted } from "@quire/core/host";
import { type Authenticate, cannotCheck, unlessAborted } from "./authenticate.ts";
import { optionProblems } from "./option-problems.ts";
import { DEFAULT_SCOPES, type Principal, toPrincipal } from "./principal.ts";
import { hashToken } from "./token-hash.ts";
import { checkOwner, type TokenOwner } from "./token-owner.ts";

/** How time is told. */
export interface StoredTokenOptions {
  /** The wall clock, in milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
}

/**
 * Knows the tokens of a store. It is asked for each request and nothing is remembered: a token that is removed is
 * good for nothing from then on. When the store fails, it is `unavailable`.
 */
export function storedTokens(store: TokenStore, options: StoredTokenOptions = {}): Authenticate {
  const { now = Date.now } = options;
  return async (token, { signal }) => {
    throwIfAborted(signal);
    const hash = hashToken(token).toString("hex");
    const record = await unlessAborted(findRecord(store, hash), signal);
    return record === null ? null : principalOf(record, hash, now());
  };
}

async function findRecord(store: TokenStore, hash: string): Promise<TokenRecord | null> {
  try {
    return await store.find(hash);
  } catch (error) {
    const fix = "Try again later; what the store failed with is in the cause of this error";
    throw cannotCheck("the store of the tokens cannot be read", fix, error);
  }
}

/** Never by a record of another token, whatever the store takes for equal. */
function principalOf(record: TokenRecord, hash: string, now: number): Principal | null {
  const { user, enterprise, scopes, expiresAt } = record;
  const good = record.hash === hash && (expiresAt === null || expiresAt > now);
  return good ? toPrincipal(user, enterprise, scopes) : null;
}

/** Whose a token is to be, and how long. */
export interface NewToken extends TokenOwner {
  /** From now on. Default: for ever. */
  readonly expiresInMs?: number;
}

/** A token that was made. */
export interface CreatedToken {
  /** `quire_` and 43 random characters. It is nowhere else: whoever loses it needs a new one. */
  readonly token: string;
  /** What is kept of it. */
  readonly record: TokenRecord;
}

/** How each token begins, for those who look for secrets where they should not be. */
export const TOKEN_PREFIX = "quire_";

const RANDOM_BYTES = 32;

/** The end of time, as a Date has it. */
const LAST_MOMENT = 8_640_000_000_000_000;

/**
 * Makes a random token of 256 bits and adds it to the store. Rejects `invalid_request`, with a diagnostic for each
 * problem, for ids that are unfit, scopes that are not known and a time that is none; else as the store does.
 */
export async function createToken(
  store: TokenStore,
  owner: NewToken,
  options: StoredTokenOptions = {},
): Promise<CreatedToken> {
  const { user, enterprise, scopes = DEFAULT_SCOPES, expiresInMs } = owner;
  const createdAt = (options.now ?? Date.now)();
  checkNewToken(owner, createdAt);
  const token = TOKEN_PREFIX + randomBytes(RANDOM_BYTES).toString("base64url");
  const record: TokenRecord = {
    id: randomUUID(),
    hash: hashToken(token).toString("hex"),
    user,
    enterprise,
    scopes: [...new Set(scopes)],
    createdAt,
    expiresAt: expiresInMs === undefined ? null : createdAt + expiresInMs,
  };
  await store.add(record);
  return { token, record };
}

function checkNewToken(owner: NewToken, createdAt: number): void {
  const problems = optionProblems();
  checkOwner(problems, "", owner);
  const { expiresInMs } = owner;
  if (expiresInMs !== undefined && !isLifetime(expiresInMs, createdAt)) {
    const why =
      "expiresInMs is no whole number of milliseconds above 0 that a date can be told for";
    problems.add(
      "/expiresInMs",
      why,
      "Give one, or leave it out for a token that is good for ever",
    );
  }
  problems.throwIfAny("The token cannot be made");
}

function isLifetime(expiresInMs: number, createdAt: number): boolean {
  return (
    Number.isSafeInteger(expiresInMs) && expiresInMs > 0 && createdAt + expiresInMs <= LAST_MOMENT
  );
}
