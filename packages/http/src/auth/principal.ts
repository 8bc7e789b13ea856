/** What the tokens of the Doc Gen API may be good for. Only the first two and `manage_webhook` open anything here. */
export const SCOPES = [
  "root_readonly",
  "root_readwrite",
  "manage_app_users",
  "manage_managed_users",
  "manage_groups",
  "manage_webhook",
  "manage_enterprise_properties",
  "manage_data_retention",
  "manage_legal_hold",
] as const;

/** One of {@link SCOPES}. */
export type Scope = (typeof SCOPES)[number];

/** What each of them means, as the contract has it. */
export const SCOPE_MEANINGS: Readonly<Record<Scope, string>> = {
  root_readonly: "Read all files and folders",
  root_readwrite: "Read and write all files and folders",
  manage_app_users: "Provision and manage app users",
  manage_managed_users: "Provision and manage managed users",
  manage_groups: "Manage an enterprise's groups",
  manage_webhook: "Create webhooks through the API",
  manage_enterprise_properties: "Manage enterprise properties",
  manage_data_retention: "Manage data retention policies",
  manage_legal_hold: "Manage legal holds",
};

/** What a token is good for when nothing is said: reading, writing, and webhooks. */
export const DEFAULT_SCOPES: readonly Scope[] = [
  "root_readonly",
  "root_readwrite",
  "manage_webhook",
];

/** Who a request comes from. Frozen, since requests with the same token may share one. */
export interface Principal {
  /** 1 to 255 characters, none of them a control character; unique only within the enterprise. */
  readonly user: string;
  /** The tenant: {@link isEnterpriseId}. Never changed on its way from the token: two spellings are two tenants. */
  readonly enterprise: string;
  /** As the token has them, also those that are not known here and grant nothing. */
  readonly scopes: readonly string[];
}

/** What a request wants to do. */
export type ScopeNeed = "read" | "write" | "webhooks";

const GRANTED_BY: Readonly<Record<ScopeNeed, readonly Scope[]>> = {
  read: ["root_readonly", "root_readwrite"],
  write: ["root_readwrite"],
  webhooks: ["manage_webhook"],
};

/** The scopes that allow something: any one of them is enough, and the first one allows least. */
export function scopesFor(need: ScopeNeed): readonly Scope[] {
  return GRANTED_BY[need];
}

/**
 * Whether the scopes of a principal allow something: `read` needs root_readonly or root_readwrite, `write`
 * root_readwrite, `webhooks` manage_webhook. False for whatever else is asked for.
 */
export function hasScope(principal: Principal, need: ScopeNeed): boolean {
  if (!Object.hasOwn(GRANTED_BY, need)) return false;
  return GRANTED_BY[need].some((scope) => principal.scopes.includes(scope));
}

/** Whether a value is one of {@link SCOPES}, letter for letter. */
export function isScope(value: unknown): value is Scope {
  return SCOPES.some((scope) => scope === value);
}

const MOST_CHARACTERS = 255;

/** Control characters, halves of a surrogate pair, and what ends a line elsewhere than in ASCII. */
const UNFIT = /[\p{Cc}\p{Cs}\u2028\u2029]/u;

/** Whether a value can be the id of a user or a tenant: 1 to 255 characters, not all blank, no control characters. */
export function isEnterpriseId(value: unknown): value is string {
  if (typeof value !== "string" || value.length > MOST_CHARACTERS) return false;
  return value.trim() !== "" && !UNFIT.test(value);
}

/**
 * A principal of what some issuer says; null when that is none: an id that is missing or unfit, scopes that are not
 * a list of texts. Every way to authenticate ends here. Scopes are kept once each.
 */
export function toPrincipal(user: unknown, enterprise: unknown, scopes: unknown): Principal | null {
  if (!isEnterpriseId(user) || !isEnterpriseId(enterprise) || !isScopeList(scopes)) return null;
  return Object.freeze({ user, enterprise, scopes: Object.freeze([...new Set(scopes)]) });
}

function isScopeList(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) &&
    value.every((scope) => typeof scope === "string" && scope !== "" && !UNFIT.test(scope))
  );
}
