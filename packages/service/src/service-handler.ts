import type { Engine } from "@quire/core/host";
import {
  createRouter,
  type Page,
  type Problem,
  type Router,
  type RouterOptions,
} from "@quire/http/parts";
import { byToken } from "./auth/authenticate.ts";
import { DEFAULT_LIMITS } from "./limits/limits.ts";
import { healthPages } from "./observe/health-pages.ts";
import { logRequest } from "./observe/request-log.ts";
import { docsPages } from "./openapi/pages.ts";
import { OPERATIONS } from "./operations/all.ts";
import type { Service } from "./operations/service-operation.ts";
import { TagReader } from "./operations/tag-reader.ts";
import type { ServiceHandlerOptions } from "./options.ts";
import { ServiceAdmission } from "./service-admission.ts";

/** Handles requests. Created by {@link createServiceHandler}. */
export interface ServiceHandler {
  /** Never rejects: every error becomes a response with an error object. */
  (request: Request): Promise<Response>;
  /** Makes `/readyz` fail and makes requests that write get a 503, so that load balancers use another instance. */
  drain(): void;
  /** Returns the response to a malformed request. It is logged if its method is known. */
  refuse(method: string | null, problem: Problem): Response;
}

/**
 * Returns the service as a function from request to response, for any server that supports the Fetch API. Never
 * rejects: every error becomes a response with an error object. The caller closes the engine, the webhooks and the
 * stores.
 */
export function createServiceHandler(
  engine: Engine,
  options: ServiceHandlerOptions,
): ServiceHandler {
  const handler = new Handler(engine, options);
  const handle = (request: Request): Promise<Response> => handler.handle(request);
  return Object.assign(handle, {
    drain: () => handler.drain(),
    refuse: (method: string | null, problem: Problem) => handler.refuse(method, problem),
  });
}

class Handler {
  readonly #options: ServiceHandlerOptions;
  readonly #service: Service;
  readonly #admission: ServiceAdmission;
  readonly #router: Router;
  readonly #draining = new AbortController();

  constructor(engine: Engine, options: ServiceHandlerOptions) {
    this.#options = options;
    const limits = { ...DEFAULT_LIMITS, ...options.limits };
    const { files, templates, webhooks = null, quotas = null, tenants = null } = options;
    this.#admission = new ServiceAdmission(limits, tenants);
    this.#service = {
      engine,
      files,
      templates,
      webhooks,
      tags: new TagReader(engine),
      quotas,
      limits,
      downloads: this.#admission.downloads,
      uploadTurn: (tenant) => this.#admission.uploadTurn(tenant),
      draining: this.#draining.signal,
    };
    this.#router = createRouter(this.#routing());
  }

  drain(): void {
    this.#draining.abort();
  }

  refuse(method: string | null, problem: Problem): Response {
    const { requestId, response } = this.#router.refuse(problem);
    if (method !== null) {
      const { code, cause } = problem;
      const line = { requestId, method, route: "*", ms: 0 };
      logRequest(this.#options.logger, line, { response, code, cause });
    }
    return response;
  }

  handle(request: Request): Promise<Response> {
    return this.#router.handle(request);
  }

  #routing(): RouterOptions<Service> {
    const { authenticate, prefix, publicUrl } = this.#options;
    return {
      service: this.#service,
      limits: this.#service.limits,
      authenticate: byToken(authenticate),
      admission: this.#admission,
      operations: OPERATIONS,
      pages: this.#pages(),
      docs: "/docs",
      prefix,
      publicUrl,
      helpUrl: (url) => `${url}/docs/errors`,
      around: (facts, answer) => this.#around(facts, answer),
    };
  }

  #pages(): Page[] {
    const { telemetry, oauth, converter } = this.#options;
    const { engine, limits } = this.#service;
    const pages = healthPages({
      name: "service",
      engine,
      draining: this.#draining.signal,
      isFull: () => this.#admission.isFull,
      converter,
      telemetry,
    });
    for (const [path, respond] of docsPages(OPERATIONS, limits, oauth)) {
      pages.push({ path, respond: async (url) => respond(url) });
    }
    return pages;
  }

  /** Logs, measures and traces a request. */
  async #around(
    { requestId, method, route, headers }: Parameters<RouterOptions<Service>["around"]>[0],
    answer: Parameters<RouterOptions<Service>["around"]>[1],
  ): Promise<Response> {
    const { telemetry, logger } = this.#options;
    const startedAt = performance.now();
    const logged = async (trace: string | undefined) => {
      const answered = await answer(trace);
      const ms = Math.round(performance.now() - startedAt);
      logRequest(logger, { requestId, method, route, ms }, answered);
      const { response, code } = answered;
      return { response, outcome: { status: response.status, code } };
    };
    if (telemetry === undefined) return (await logged(undefined)).response;
    return telemetry.request({ requestId, method, route, headers }, logged);
  }
}
