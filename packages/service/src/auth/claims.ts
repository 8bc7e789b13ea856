import { type Principal, toPrincipal } from "@quire/http/parts";
import type { OptionProblems } from "./option-problems.ts";

/**
 * The names of the claims that identify a token's owner. They are not paths: `https://example.com/tenant` is one name.
 */
export interface ClaimNames {
  /**
   * The claim with the user. Default: `sub`. Tokens of clients without a user may use another claim, such as
   * `client_id`.
   */
  readonly user?: string;
  /**
   * The claim with the tenant, which must be a string. Default: `enterprise`. Other issuers use `tenant`, `tid` or
   * `org_id`.
   */
  readonly enterprise?: string;
  /**
   * The claim with the scopes: a string of names separated by spaces, or a list of names. Default: `scope`. Some
   * issuers use `scp`.
   */
  readonly scopes?: string;
}

/** An issuer's claims about a token. */
export type Claims = Readonly<Record<string, unknown>>;

/** Adds a problem for each empty name. */
export function checkClaimNames(problems: OptionProblems, names: ClaimNames): void {
  for (const key of ["user", "enterprise", "scopes"] as const) {
    const name = names[key];
    if (name === undefined || (typeof name === "string" && name !== "")) continue;
    const why = `The claim name of ${key} is empty`;
    problems.add(`/claims/${key}`, why, "Set the name that the issuer uses, or omit it");
  }
}

/**
 * Returns the principal that the claims name; null if one of the three claims is missing or has another type. Also
 * returns null for a token that is bound to a key (`cnf`, RFC 7800). Such a token requires a proof of the key, which a
 * bearer request does not contain.
 */
export function principalOfClaims(claims: Claims, names: ClaimNames): Principal | null {
  if (claim(claims, "cnf") !== undefined) return null;
  return toPrincipal(
    claim(claims, names.user ?? "sub"),
    claim(claims, names.enterprise ?? "enterprise"),
    scopeList(claim(claims, names.scopes ?? "scope")),
  );
}

/** Returns an own property of the claims, never a property of Object.prototype. */
function claim(claims: Claims, name: string): unknown {
  return Object.hasOwn(claims, name) ? claims[name] : undefined;
}

function scopeList(value: unknown): unknown {
  return typeof value === "string" ? value.split(" ").filter((name) => name !== "") : value;
}
