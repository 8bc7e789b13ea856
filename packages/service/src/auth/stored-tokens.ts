import { randomBytes, randomUUID } from "node:crypto";
import { type TokenRecord, type TokenStore, throwIfAborted } from "@quire/core/host";
import { DEFAULT_SCOPES, type Principal, toPrincipal } from "@quire/http/parts";
import { type Authenticate, cannotCheck, unlessAborted } from "./authenticate.ts";
import { optionProblems } from "./option-problems.ts";
import { hashToken } from "./token-hash.ts";
import { checkOwner, type TokenOwner } from "./token-owner.ts";

/** Options of {@link storedTokens}. */
export interface StoredTokenOptions {
  /** The wall clock, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

/**
 * Checks tokens against a store. Reads the store for each request and caches nothing, so a removed token is invalid
 * immediately. Rejects `unavailable` if the store fails.
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
    const fix = "Try again later; the cause of this error has the reason";
    throw cannotCheck("the token store cannot be read", fix, error);
  }
}

/**
 * Returns the owner of a valid token. Compares the hash again, in case the store returns the record of another token.
 */
function principalOf(record: TokenRecord, hash: string, now: number): Principal | null {
  const { user, enterprise, scopes, expiresAt } = record;
  const isValid = record.hash === hash && (expiresAt === null || expiresAt > now);
  return isValid ? toPrincipal(user, enterprise, scopes) : null;
}

/** The owner and lifetime of a new token. */
export interface NewToken extends TokenOwner {
  /** The lifetime of the token in milliseconds from now. Default: no expiry. */
  readonly expiresInMs?: number;
}

/** A new token. */
export interface CreatedToken {
  /** `quire_` and 43 random characters. Only its hash is stored, so a lost token cannot be recovered. */
  readonly token: string;
  /** The stored record. */
  readonly record: TokenRecord;
}

/** The prefix of all tokens, for tools that scan for leaked secrets. */
export const TOKEN_PREFIX = "quire_";

const RANDOM_BYTES = 32;

/** The latest time that a `Date` can represent, in milliseconds. */
const LAST_MOMENT = 8_640_000_000_000_000;

/**
 * Creates a random token of 256 bits and adds it to the store. Rejects `invalid_request`, with a diagnostic for each
 * problem, for invalid ids, unknown scopes and an invalid lifetime. Otherwise rejects like the store.
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
    const why = "expiresInMs is not a positive integer (milliseconds) within the range of dates";
    problems.add(
      "/expiresInMs",
      why,
      "Set a valid number, or omit it for a token that does not expire",
    );
  }
  problems.throwIfAny("The token cannot be created");
}

function isLifetime(expiresInMs: number, createdAt: number): boolean {
  return (
    Number.isSafeInteger(expiresInMs) && expiresInMs > 0 && createdAt + expiresInMs <= LAST_MOMENT
  );
}
