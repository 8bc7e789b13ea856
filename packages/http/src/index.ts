// This import comes first, because it reports a Node version that is too old.
import "@quire/core/host";

export type { AuthenticateRequest } from "./auth/authenticate-request.ts";
export { bearerToken, unauthorized } from "./auth/bearer.ts";
export { DEFAULT_SCOPES, type Principal, SCOPES, type Scope } from "./auth/principal.ts";
export { createHttpHandler, type HttpHandlerOptions } from "./http-handler.ts";
export type { DocGenFiles, FoundFile, FoundFolder, FoundVersion } from "./operations/doc-gen.ts";
export { DEFAULT_HTTP_LIMITS, type HttpLimits } from "./request/limits.ts";
export type { Answered, RequestFacts } from "./router.ts";
export { storageFiles } from "./storage-files.ts";
export { Problem, type ProblemOptions, WIRE_CODES, type WireCode } from "./wire/problem.ts";
