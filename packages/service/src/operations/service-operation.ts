import { type Call, type MarkingService, operationOver } from "@quire/http/parts";
import type { Files } from "../files/files-types.ts";
import type { Limits } from "../limits/limits.ts";
import type { TenantQuotas } from "../limits/quotas.ts";
import type { TenantBudget } from "../request/tenant-budget.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";

/** The dependencies of the operations of a service. */
export interface Service extends MarkingService {
  readonly files: Files;
  /** Null if the service has no webhooks. */
  readonly webhooks: Webhooks | null;
  /** Null if there are no quotas. */
  readonly quotas: TenantQuotas | null;
  readonly limits: Limits;
  /** The bytes of files and long responses that are being sent. */
  readonly downloads: TenantBudget;
  /**
   * Waits until received bytes of an upload may be processed. Resolves with a function to call when they are processed.
   */
  uploadTurn(tenant: string): Promise<() => void>;
}

/** A request to an operation of a service. */
export type ServiceCall<Query = unknown, Body = unknown> = Call<Service, Query, Body>;

/** Defines an operation of a service. */
export const operation = operationOver<Service>();
