import { isEnterpriseId, isScope } from "@quire/http/parts";
import type { OptionProblems } from "./option-problems.ts";

/** The owner of a token. */
export interface TokenOwner {
  /** The id of the user: 1 to 255 characters, no control characters. */
  readonly user: string;
  /** The id of the tenant: 1 to 255 characters, no control characters. */
  readonly enterprise: string;
  /** Names of `SCOPES`. Default: `DEFAULT_SCOPES`, for reading, writing and webhooks. An empty list grants nothing. */
  readonly scopes?: readonly string[];
}

/** Adds a problem for each invalid id and each unknown scope. `base` is the JSON Pointer to the owner. */
export function checkOwner(problems: OptionProblems, base: string, owner: TokenOwner): void {
  for (const name of ["user", "enterprise"] as const) {
    if (isEnterpriseId(owner[name])) continue;
    const why = `The ${name} of a token must be a string of 1 to 255 characters without control characters`;
    problems.add(`${base}/${name}`, why, "Use a valid string");
  }
  const { scopes } = owner;
  if (scopes === undefined) return;
  if (!Array.isArray(scopes)) {
    problems.add(`${base}/scopes`, "The scopes of a token are not a list", "Use a list of names");
    return;
  }
  for (const [index, scope] of scopes.entries()) {
    if (isScope(scope)) continue;
    const why = `A token has the scope ${JSON.stringify(scope)}, which is unknown`;
    problems.add(`${base}/scopes/${index}`, why, "Use only names from SCOPES");
  }
}
