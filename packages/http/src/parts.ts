// This import comes first, because it reports a Node version that is too old.
import "@quire/core/host";

/**
 * The parts of {@link createHttpHandler}, for services that add more operations, pages or limits: the router, the
 * steps before an operation, the operations, and their wire format.
 */
export type { Admission, AdmittedRequest } from "./admission.ts";
export type { AuthenticateRequest } from "./auth/authenticate-request.ts";
export { bearerToken, isBearerToken, unauthorized } from "./auth/bearer.ts";
export {
  DEFAULT_SCOPES,
  isEnterpriseId,
  isScope,
  type Principal,
  SCOPES,
  type Scope,
  toPrincipal,
} from "./auth/principal.ts";
export type { Components } from "./openapi/components.ts";
export type { Json } from "./openapi/json.ts";
export { openApi } from "./openapi/open-api.ts";
export {
  type Answer,
  type Call,
  type Operation,
  operationOver,
  type UploadDoc,
} from "./openapi/operation.ts";
export { BYTES } from "./openapi/operation-object.ts";
export { BATCH_OPERATIONS, MARK_OPERATIONS, TAG_OPERATIONS } from "./operations/all.ts";
export type { MarkingService } from "./operations/doc-gen.ts";
export { fileOf } from "./operations/find-template.ts";
export {
  readTemplate,
  type TemplateFacts,
  type TemplateReader,
} from "./operations/read-template.ts";
export { type BodyOptions, bodyChunks } from "./request/body.ts";
export { check } from "./request/check.ts";
export type { HeldBytes } from "./request/held-bytes.ts";
export { toResponse } from "./request/json-response.ts";
export { DEFAULT_HTTP_LIMITS, type HttpLimits } from "./request/limits.ts";
export { pageAnswer, pageRequest } from "./request/paging.ts";
export {
  createRouter,
  type Page,
  type RequestFacts,
  type Router,
  type RouterOptions,
} from "./router.ts";
export {
  fileVersionReference,
  folderReferenceInput,
  id,
  instant,
  page,
  pageQuery,
  userReference,
} from "./schemas/common.ts";
export { EXAMPLE } from "./schemas/example-values.ts";
export { errorBody, toProblem } from "./wire/error-body.ts";
export { failuresOf, wireJobFull } from "./wire/jobs.ts";
export {
  invalidAt,
  jsonProblem,
  Problem,
  tooLarge,
  tooMany,
  unavailable,
  WIRE_CODES,
  type WireCode,
} from "./wire/problem.ts";
