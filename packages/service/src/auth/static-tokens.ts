import { throwIfAborted } from "@quire/core/host";
import { DEFAULT_SCOPES, isBearerToken, type Principal, toPrincipal } from "@quire/http/parts";
import type { Authenticate } from "./authenticate.ts";
import { type OptionProblems, optionProblems } from "./option-problems.ts";
import { findHash, hashToken } from "./token-hash.ts";
import { checkOwner, type TokenOwner } from "./token-owner.ts";

/** A token in the configuration: either the token or its hash. */
export interface StaticToken extends TokenOwner {
  /**
   * The token: at least 8 characters that a bearer token may contain (letters, digits, `-._~+/`, and `=` at the end).
   */
  readonly token?: string;
  /** The SHA-256 of the token, in hex. */
  readonly hash?: string;
}

interface KnownToken {
  readonly hash: Uint8Array;
  readonly principal: Principal;
}

/**
 * Checks tokens against a list. Reads the list once and keeps only the hashes. The tokens are valid for the lifetime of
 * the process. Throws `invalid_request`, with a diagnostic for each problem: a token that is missing, too short or
 * unsuitable for a header, an invalid hash, both a token and a hash, a duplicate token, an invalid user or enterprise,
 * an unknown scope.
 */
export function staticTokens(tokens: readonly StaticToken[]): Authenticate {
  const known = readTokens(tokens);
  const hashes = known.map(({ hash }) => hash);
  return async (token, { signal }) => {
    throwIfAborted(signal);
    return known[findHash(hashes, hashToken(token))]?.principal ?? null;
  };
}

function readTokens(tokens: readonly StaticToken[]): readonly KnownToken[] {
  const problems = optionProblems();
  const seen = new Set<string>();
  const known: KnownToken[] = [];
  for (const [index, entry] of tokens.entries()) {
    const hash = readHash(problems, index, entry);
    checkOwner(problems, `/${index}`, entry);
    const { user, enterprise, scopes = DEFAULT_SCOPES } = entry;
    const principal = toPrincipal(user, enterprise, scopes);
    if (hash === null || principal === null) continue;
    if (seen.has(hash.toString("hex"))) {
      const why = `The token of entry ${index} is already in the list`;
      problems.add(`/${index}`, why, "List each token once, since it belongs to one user");
    }
    seen.add(hash.toString("hex"));
    known.push({ hash, principal });
  }
  problems.throwIfAny("The static tokens cannot be used");
  return known;
}

const FEWEST_CHARACTERS = 8;
const HASH = /^[0-9a-f]{64}$/i;

function readHash(problems: OptionProblems, index: number, entry: StaticToken): Buffer | null {
  const { token, hash } = entry;
  if ((token === undefined) === (hash === undefined)) {
    const why = `Entry ${index} has ${token === undefined ? "neither token nor hash" : "both token and hash"}`;
    problems.add(`/${index}`, why, "Set exactly one of them");
  } else if (hash !== undefined) {
    if (typeof hash === "string" && HASH.test(hash)) return Buffer.from(hash, "hex");
    const why = `The hash of entry ${index} is not a SHA-256 in hex`;
    problems.add(`/${index}/hash`, why, "Use the 64 digits that sha256sum prints for the token");
  } else if (typeof token !== "string" || token.length < FEWEST_CHARACTERS) {
    const why = `The token of entry ${index} is shorter than ${FEWEST_CHARACTERS} characters`;
    problems.add(`/${index}/token`, why, "Use a long random token");
  } else if (!isBearerToken(token)) {
    const why = `The token of entry ${index} cannot be sent in an Authorization header`;
    const fix = "Use at most 8 KiB of letters, digits and -._~+/, with = only at the end";
    problems.add(`/${index}/token`, why, fix);
  } else {
    return hashToken(token);
  }
  return null;
}
