/** The scopes of the Doc Gen API. Here, only the first two and `manage_webhook` grant anything. */
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

/** The default scopes of a token: reading, writing and webhooks. */
export const DEFAULT_SCOPES: readonly Scope[] = [
  "root_readonly",
  "root_readwrite",
  "manage_webhook",
];

/** The sender of a request. Frozen, because requests with the same token may share one object. */
export interface Principal {
  /** The id of the user: 1 to 255 characters, no control characters; unique only within the enterprise. */
  readonly user: string;
  /** The id of the tenant, see {@link isEnterpriseId}. Case-sensitive: two spellings are different tenants. */
  readonly enterprise: string;
  /** The scopes of the token, including unknown ones, which grant nothing. */
  readonly scopes: readonly string[];
}

/** The permission that a request needs. */
export type ScopeNeed = "read" | "write" | "webhooks";

const GRANTED_BY: Readonly<Record<ScopeNeed, readonly Scope[]>> = {
  read: ["root_readonly", "root_readwrite"],
  write: ["root_readwrite"],
  webhooks: ["manage_webhook"],
};

/** Returns the scopes that grant a permission. Any one of them is sufficient. The first one grants the least. */
export function scopesFor(need: ScopeNeed): readonly Scope[] {
  return GRANTED_BY[need];
}

/**
 * Whether the scopes of a principal grant a permission: `read` needs root_readonly or root_readwrite, `write` needs
 * root_readwrite, `webhooks` needs manage_webhook. False for unknown permissions.
 */
export function hasScope(principal: Principal, need: ScopeNeed): boolean {
  if (!Object.hasOwn(GRANTED_BY, need)) return false;
  return GRANTED_BY[need].some((scope) => principal.scopes.includes(scope));
}

/** Whether a value is exactly one of {@link SCOPES}. */
export function isScope(value: unknown): value is Scope {
  return SCOPES.some((scope) => scope === value);
}

const MOST_CHARACTERS = 255;

/** Control characters, unpaired surrogates, and line separators beyond ASCII. */
const UNFIT = /[\p{Cc}\p{Cs}\u2028\u2029]/u;

/** Whether a value is a valid id of a user or a tenant: 1 to 255 characters, not blank, no control characters. */
export function isEnterpriseId(value: unknown): value is string {
  if (typeof value !== "string" || value.length > MOST_CHARACTERS) return false;
  return value.trim() !== "" && !UNFIT.test(value);
}

/**
 * Returns the principal that an issuer describes. Returns null for a missing or invalid id, and for scopes that are not
 * a list of strings. All authentication methods use this function. Removes duplicate scopes.
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
