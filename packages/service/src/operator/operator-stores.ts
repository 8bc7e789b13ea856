import type { TenantStore, TokenStore } from "@quire/core/host";
import type { ServiceStores } from "./service-stores.ts";

/** The stores of a service, including those that only operators change. */
export interface OperatorStores extends ServiceStores {
  /** Suspensions, custom quotas and the audit log. Services with the same store apply the suspensions and quotas. */
  readonly tenants: TenantStore;
  /** The tokens that erasing a tenant removes. See `storedTokens`. */
  readonly tokens: TokenStore;
}
