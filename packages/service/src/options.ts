import type { Converter, TemplateStore, TenantStore } from "@quire/core/host";
import type { Authenticate } from "./auth/authenticate.ts";
import type { Files } from "./files/files-types.ts";
import type { Limits } from "./limits/limits.ts";
import type { TenantQuotas } from "./limits/quotas.ts";
import type { Logger } from "./observe/logger.ts";
import type { Telemetry } from "./observe/telemetry.ts";
import type { OAuthAddresses } from "./openapi/oauth.ts";
import type { Webhooks } from "./webhooks/webhooks.ts";

/** The options of {@link createServiceHandler} in addition to the engine. */
export interface ServiceHandlerOptions {
  /** The files of the engine. The engine must have been created with `storage: (tenant) => files.storageOf(tenant)`. */
  readonly files: Files;
  /** The files that are marked as templates. */
  readonly templates: TemplateStore;
  /** The tenants that the operator has suspended. Default: none. */
  readonly tenants?: TenantStore;
  /** Finds the owner of a token. A token without a known owner is rejected. */
  readonly authenticate: Authenticate;
  /** Sends events. The engine must have been created with `onEvents: webhooks.onEvents`. Default: no webhooks. */
  readonly webhooks?: Webhooks;
  /** Limits that differ from {@link DEFAULT_LIMITS}. */
  readonly limits?: Partial<Limits>;
  /** The quotas of tenants. Pass the same quotas to the files and the webhooks. Default: no quotas. */
  readonly quotas?: TenantQuotas;
  /** The part of the path before `/2.0`, for example `/v1/docs`. Default: empty. */
  readonly prefix?: string;
  /**
   * The address of the service for clients, used for URLs in responses, for example `https://docs.example.com`.
   * Default: the address of the request.
   */
  readonly publicUrl?: string;
  /** Where clients get tokens, for the OpenAPI document. Default: the document says that the URLs are not set. */
  readonly oauth?: OAuthAddresses;
  /** The converter whose seal `/readyz` reports. Default: no report. */
  readonly converter?: Pick<Converter, "seal">;
  /** Logs one line for each request. Default: no log. */
  readonly logger?: Logger;
  /** Measures and traces requests. Default: no telemetry. */
  readonly telemetry?: Telemetry;
}
