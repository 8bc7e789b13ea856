import type { OptionProblems } from "./option-problems.ts";
import { type Principal, toPrincipal } from "./principal.ts";

/** Which claims say who a token belongs to. Names, not paths: `https://example.com/tenant` is one, dots and all. */
export interface ClaimNames {
  /** Default `sub`. Tokens of clients without a user may have it elsewhere, as in `client_id`. */
  readonly user?: string;
  /** Default `enterprise`. Other issuers have it in `tenant`, `tid` or `org_id`. A text; a number is not taken. */
  readonly enterprise?: string;
  /** Default `scope`; others have `scp`. A text of names with spaces between, or a list of names. */
  readonly scopes?: string;
}

/** What an issuer says of a token. */
export type Claims = Readonly<Record<string, unknown>>;

/** Notes names that are empty. */
export function checkClaimNames(problems: OptionProblems, names: ClaimNames): void {
  for (const key of ["user", "enterprise", "scopes"] as const) {
    const name = names[key];
    if (name === undefined || (typeof name === "string" && name !== "")) continue;
    const why = `The claim of ${key} has no name`;
    problems.add(`/claims/${key}`, why, "Give the name that the issuer uses, or leave it out");
  }
}

/**
 * The principal that claims name; null when one of the three is missing or of another type. Also null for a token
 * that is bound to a key (`cnf`, RFC 7800): whoever presents it would have to prove that they have the key, and a
 * bearer does not.
 */
export function principalOfClaims(claims: Claims, names: ClaimNames): Principal | null {
  if (claim(claims, "cnf") !== undefined) return null;
  return toPrincipal(
    claim(claims, names.user ?? "sub"),
    claim(claims, names.enterprise ?? "enterprise"),
    scopeList(claim(claims, names.scopes ?? "scope")),
  );
}

/** A claim of the token's own, never one of Object.prototype. */
function claim(claims: Claims, name: string): unknown {
  return Object.hasOwn(claims, name) ? claims[name] : undefined;
}

function scopeList(value: unknown): unknown {
  return typeof value === "string" ? value.split(" ").filter((name) => name !== "") : value;
}
