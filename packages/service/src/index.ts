// This import comes first, because it reports a Node version that is too old.
import "@quire/core/host";

export type { RequestFacts } from "@quire/http/parts";
export { DEFAULT_SCOPES, isScope, type Principal, SCOPES, type Scope } from "@quire/http/parts";
export {
  type Authenticate,
  type AuthenticateOptions,
  firstOf,
} from "./auth/authenticate.ts";
export { type IntrospectionOptions, introspection } from "./auth/introspection.ts";
export { type JwtAlgorithm, type JwtOptions, jwt } from "./auth/jwt.ts";
export { type StaticToken, staticTokens } from "./auth/static-tokens.ts";
export {
  type CreatedToken,
  createToken,
  type NewToken,
  storedTokens,
} from "./auth/stored-tokens.ts";
export { createFiles } from "./files/create-files.ts";
export type {
  Actor,
  Files,
  FilesOptions,
  ListFilesOptions,
  ReadFileOptions,
  UploadOptions,
} from "./files/files-types.ts";
export { DEFAULT_LIMITS, type Limits } from "./limits/limits.ts";
export {
  createQuotas,
  DEFAULT_QUOTAS,
  mostUsed,
  QUOTA_NAMES,
  type QuotaName,
  type QuotaStores,
  type Quotas,
  type TenantQuotas,
  type TenantQuotasOptions,
} from "./limits/quotas.ts";
export { type NodeListener, nodeListener } from "./node-listener.ts";
export { type RunningServer, type ServerOptions, startServer } from "./node-server.ts";
export { createTelemetry, type TelemetryOptions } from "./observe/create-telemetry.ts";
export type { Logger } from "./observe/logger.ts";
export { createLogger, type LoggerOptions } from "./observe/logger.ts";
export {
  CONVERTER_RESTARTS,
  type ConverterRestart,
  type RequestOutcome,
  type ServiceTelemetry,
  type Telemetry,
} from "./observe/telemetry.ts";
export type { OAuthAddresses } from "./openapi/oauth.ts";
export {
  createOperator,
  type Operator,
  type OperatorOptions,
} from "./operator/operator.ts";
export type { OperatorStores } from "./operator/operator-stores.ts";
export type { ServiceStores } from "./operator/service-stores.ts";
export type { ServiceHandlerOptions } from "./options.ts";
export {
  createService,
  type HttpService,
  type ServiceOptions,
} from "./service.ts";
export type { ServiceParts } from "./service-engine.ts";
export { createServiceHandler, type ServiceHandler } from "./service-handler.ts";
export type { SigningKeys } from "./webhooks/signature.ts";
export { createWebhooks, type Webhooks, type WebhooksOptions } from "./webhooks/webhooks.ts";
export {
  createServiceWorker,
  type ServiceWorker,
  type ServiceWorkerOptions,
} from "./worker.ts";
