import { type Principal, toPrincipal } from "@quire/http/parts";
import type { OptionProblems } from "./option-problems.ts";

/** Names of the claims that identify a token's owner. They are not paths: `https://example.com/tenant` is one name. */
export interface ClaimNames {
  /** Default: `sub`. Tokens of clients without a user may use another claim, such as `client_id`. */
  readonly user?: string;
  /** Default: `enterprise`. Other issuers use `tenant`, `tid` or `org_id`. Must be a string, not a number. */
  readonly enterprise?: string;
  /** Default: `scope`; some issuers use `scp`. A string of names separated by spaces, or a list of names. */
  readonly scopes?: string;
}

/** An issuer's claims about a token. */
export type Claims = Readonly<Record<string, unknown>>;

/** Reports empty names. */
export function checkClaimNames(problems: OptionProblems, names: ClaimNames): void {
  for (const key of ["user", "enterprise", "scopes"] as const) {
    const name = names[key];
    if (name === undefined || (typeof name === "string" && name !== "")) continue;
    const why = `The claim name of ${key} is empty`;
    problems.add(`/claims/${key}`, why, "Set the name that the issuer uses, or omit it");
  }
}

/**
 * The principal that the claims name; null if one of the three claims is missing or has another type. Also null for a
 * token that is bound to a key (`cnf`, RFC 7800): such a token requires a proof of the key, which a bearer request does
 * not contain.
 */
export function principalOfClaims(claims: Claims, names: ClaimNames): Principal | null {
  if (claim(claims, "cnf") !== undefined) return null;
  return toPrincipal(
    claim(claims, names.user ?? "sub"),
    claim(claims, names.enterprise ?? "enterprise"),
    scopeList(claim(claims, names.scopes ?? "scope")),
  );
}

/** An own property of the claims, never one of Object.prototype. */
function claim(claims: Claims, name: string): unknown {
  return Object.hasOwn(claims, name) ? claims[name] : undefined;
}

function scopeList(value: unknown): unknown {
  return typeof value === "string" ? value.split(" ").filter((name) => name !== "") : value;
}
