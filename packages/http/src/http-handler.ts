import {
  checkOptions,
  type Engine,
  namesOf,
  type OptionNames,
  type TemplateStore,
} from "@quire/core/host";
import { OPEN_ADMISSION } from "./admission.ts";
import type { AuthenticateRequest } from "./auth/authenticate-request.ts";
import { toPrincipal } from "./auth/principal.ts";
import type { Json } from "./openapi/json.ts";
import { openApi } from "./openapi/open-api.ts";
import type { Operation } from "./openapi/operation.ts";
import { BATCH_OPERATIONS, MARK_OPERATIONS, TAG_OPERATIONS } from "./operations/all.ts";
import type { DocGenFiles, DocGenService, MarkingService } from "./operations/doc-gen.ts";
import { directReader } from "./operations/read-template.ts";
import { toResponse } from "./request/json-response.ts";
import { DEFAULT_HTTP_LIMITS, type HttpLimits } from "./request/limits.ts";
import { type Answered, createRouter, type RequestFacts } from "./router.ts";
import { PLAIN_IDS } from "./storage-files.ts";
import { Problem } from "./wire/problem.ts";

/** Options of {@link createHttpHandler}. */
export interface HttpHandlerOptions {
  /** Identifies the sender of each request. `bearerToken` and `unauthorized` help with bearer tokens. */
  readonly authenticate: AuthenticateRequest;
  /**
   * Finds files by the ids in requests. Default: the ids are the engine's ids, and names and sizes are unknown. With
   * `storageFiles(storage)`, responses contain the names of templates.
   */
  readonly files?: DocGenFiles;
  /**
   * Records which files are marked as templates. The caller closes it. Default: every file is a template, and the
   * handler has no operations that mark files.
   */
  readonly templates?: TemplateStore;
  /** Limits that differ from {@link DEFAULT_HTTP_LIMITS}. */
  readonly limits?: Partial<HttpLimits>;
  /** The part of the path before `/2.0`, for example `/v1/docs`. Default: empty. */
  readonly prefix?: string;
  /** The address for clients, for example `https://docs.example.com`. Default: the address of the request. */
  readonly publicUrl?: string;
  /**
   * The address of your page about error codes. The `help_url` of an error is this address, followed by `#` and the
   * code. Default: the OpenAPI document.
   */
  readonly helpUrl?: string;
  /** How clients authenticate: the Security Scheme Object for the OpenAPI document. Default: bearer. */
  readonly securityScheme?: Readonly<Record<string, unknown>>;
  /** When aborted, requests that write are rejected with a 503, and progress streams end. Default: never aborted. */
  readonly signal?: AbortSignal;
  /** Called with each response, for a log or for metrics. Must not throw. Default: does nothing. */
  readonly onResponse?: (request: RequestFacts, answered: Answered) => void;
}

const NAMES: OptionNames<HttpHandlerOptions> = {
  authenticate: true,
  files: true,
  templates: true,
  limits: true,
  prefix: true,
  publicUrl: true,
  helpUrl: true,
  securityScheme: true,
  signal: true,
  onResponse: true,
};
const LIMIT_NAMES = namesOf(DEFAULT_HTTP_LIMITS);

const DESCRIPTION =
  "Generates documents from Word templates and JSON: send a batch of data, get a `.docx` or `.pdf` for each entry. The interface is compatible with the hosted Doc Gen service, version 2025.0. Additions are marked as Quire extensions.";

const TAGS: Readonly<Record<string, string>> = {
  "Doc Gen": "Batches of documents and their jobs.",
  "Doc Gen templates": "Templates and their tags.",
};

/** The path of the OpenAPI document below the prefix. */
const DOCUMENT = "/openapi.json";
const BEARER = { type: "http", scheme: "bearer", description: "An access token." };

/**
 * Returns the Doc Gen operations for an engine, as a function from request to response for any server that supports the
 * Fetch API. Never rejects: every error becomes a response with an error object. The caller closes the engine. Does not
 * limit the request rate or the memory of concurrent requests: that is the job of the surrounding server.
 */
export function createHttpHandler(
  engine: Engine,
  options: HttpHandlerOptions,
): (request: Request) => Promise<Response> {
  checkOptions("createHttpHandler()", options, NAMES);
  checkOptions("The option limits of createHttpHandler()", options.limits, LIMIT_NAMES);
  const { files = PLAIN_IDS, templates = null, signal } = options;
  const service: DocGenService = {
    engine,
    files,
    templates,
    tags: directReader(engine),
    quotas: null,
    limits: { ...DEFAULT_HTTP_LIMITS, ...options.limits },
    draining: signal ?? new AbortController().signal,
  };
  if (templates === null) {
    return handlerOver(service, [...BATCH_OPERATIONS, ...TAG_OPERATIONS], options);
  }
  const all: readonly Operation<MarkingService>[] = [
    ...BATCH_OPERATIONS,
    ...MARK_OPERATIONS,
    ...TAG_OPERATIONS,
  ];
  return handlerOver<MarkingService>({ ...service, templates }, all, options);
}

function handlerOver<Service extends DocGenService>(
  service: Service,
  operations: readonly Operation<Service>[],
  options: HttpHandlerOptions,
): (request: Request) => Promise<Response> {
  const { authenticate, prefix, publicUrl, helpUrl, onResponse } = options;
  const document = documentOf(service, operations, options);
  const router = createRouter<Service>({
    service,
    limits: service.limits,
    authenticate: async (request) => checked(await authenticate(request)),
    admission: OPEN_ADMISSION,
    operations,
    pages: [
      { path: DOCUMENT, respond: async (url) => toResponse({ status: 200, body: document(url) }) },
    ],
    docs: DOCUMENT,
    prefix,
    publicUrl,
    helpUrl: (url) => helpUrl ?? url + DOCUMENT,
    async around(facts, answer) {
      const answered = await answer(undefined);
      try {
        onResponse?.(facts, answered);
      } catch {
        // An error in `onResponse` must not make the request fail.
      }
      return answered.response;
    },
  });
  return (request) => router.handle(request);
}

/** Returns a function that creates the OpenAPI document for an address and caches the last document. */
function documentOf(
  { limits }: DocGenService,
  operations: readonly Operation[],
  { securityScheme = BEARER }: HttpHandlerOptions,
): (url: string) => Json {
  let last: { readonly url: string; readonly json: Json } | null = null;
  return (url) => {
    if (last?.url === url) return last.json;
    const json = openApi(operations, {
      url,
      docsUrl: url + DOCUMENT,
      description: DESCRIPTION,
      tags: TAGS,
      limits: { ...limits },
      security: { name: "caller", scheme: securityScheme },
    });
    last = { url, json };
    return json;
  };
}

/** Throws for an invalid principal, because batches need a valid user and enterprise. */
function checked(who: Awaited<ReturnType<AuthenticateRequest>>): typeof who {
  if (who instanceof Problem) return who;
  const principal = toPrincipal(who.user, who.enterprise, who.scopes);
  if (principal !== null) return principal;
  throw new TypeError(
    "`authenticate` returned a principal without a valid user, enterprise or list of scopes. See `Principal`.",
  );
}
