import type { OptionProblems } from "./option-problems.ts";
import { isEnterpriseId, isScope } from "./principal.ts";

/** Whose a token is to be. */
export interface TokenOwner {
  /** 1 to 255 characters, without control characters. */
  readonly user: string;
  /** Likewise. */
  readonly enterprise: string;
  /** Names of `SCOPES`. Default: `DEFAULT_SCOPES`, for reading, writing and webhooks. With none it grants nothing. */
  readonly scopes?: readonly string[];
}

/** Notes ids that are unfit and scopes that are not known; `base` is the pointer of the owner. */
export function checkOwner(problems: OptionProblems, base: string, owner: TokenOwner): void {
  for (const name of ["user", "enterprise"] as const) {
    if (isEnterpriseId(owner[name])) continue;
    const why = `The ${name} of a token is no text of 1 to 255 characters without control characters`;
    problems.add(`${base}/${name}`, why, "Give such a text");
  }
  const { scopes } = owner;
  if (scopes === undefined) return;
  if (!Array.isArray(scopes)) {
    problems.add(`${base}/scopes`, "The scopes of a token are no list", "Give a list of names");
    return;
  }
  for (const [index, scope] of scopes.entries()) {
    if (isScope(scope)) continue;
    const why = `A token has the scope ${JSON.stringify(scope)}, which is not known`;
    problems.add(`${base}/scopes/${index}`, why, "Give names of those that SCOPES lists");
  }
}
