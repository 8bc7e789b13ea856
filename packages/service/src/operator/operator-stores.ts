import type { TenantStore, TokenStore } from "@quire/core/host";
import type { ServiceStores } from "../service-stores.ts";

/** The stores of a service, including those that only operators change. */
export interface OperatorStores extends ServiceStores {
  readonly tenants: TenantStore;
  readonly tokens: TokenStore;
}
