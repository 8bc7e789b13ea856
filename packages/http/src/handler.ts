import { randomUUID } from "node:crypto";
import { type Engine, isQuireError } from "@quire/core/host";
import { type Context, Hono } from "hono";
import { byToken } from "./auth/authenticate.ts";
import { logRequest } from "./observe/request-log.ts";
import { docsPages } from "./openapi/pages.ts";
import { OPERATIONS } from "./operations/all.ts";
import type { Operation } from "./operations/operation.ts";
import type { Service } from "./operations/service-operation.ts";
import { TagReader } from "./operations/tag-reader.ts";
import { DEFAULT_LIMITS, type HttpHandlerOptions } from "./options.ts";
import { toResponse } from "./request/answer.ts";
import {
  allowedMethods,
  BASE,
  noSuchPath,
  notAllowed,
  patternOf,
  prefixOf,
  UPLOAD_BASE,
} from "./routes.ts";
import { type Pipeline, serveOperation } from "./serve-operation.ts";
import { ServiceAdmission } from "./service-admission.ts";
import { errorBody, toProblem } from "./wire/error-body.ts";
import { Problem, unavailable } from "./wire/problem.ts";

/** Handles requests. Created by {@link createHttpHandler}. */
export interface HttpHandler {
  (request: Request): Promise<Response>;
  /** From now on, `/readyz` fails and no new batch is accepted, so that load balancers use another instance. */
  drain(): void;
  /** The response to a malformed request. It is logged if its method is known. */
  refuse(method: string | null, problem: Problem): Response;
}

/** Handles a request. `trace` is the `traceparent` for child spans elsewhere. */
type Run = (trace: string | undefined) => Promise<Response>;

interface Told {
  readonly response: Response;
  /** The code of the error object; null for success. */
  readonly code: string | null;
  readonly cause: unknown;
}

const DRAIN_SECONDS = 10;
const ERROR_PAGE = "/docs/errors";

/**
 * The service as a function from request to response, for any server that supports the Fetch API. Never rejects: every
 * error becomes a response with the contract's error object. The caller closes the engine, the files and the stores.
 */
export function createHttpHandler(engine: Engine, options: HttpHandlerOptions): HttpHandler {
  const handler = new Handler(engine, options);
  const handle = (request: Request): Promise<Response> => handler.handle(request);
  return Object.assign(handle, {
    drain: () => handler.drain(),
    refuse: (method: string | null, problem: Problem) => handler.refuse(method, problem),
  });
}

class Handler {
  readonly #options: HttpHandlerOptions;
  readonly #admission: ServiceAdmission;
  readonly #pipeline: Pipeline<Service>;
  readonly #prefix: string;
  readonly #app: Hono;
  readonly #draining = new AbortController();

  constructor(engine: Engine, options: HttpHandlerOptions) {
    this.#options = options;
    this.#prefix = prefixOf(options.prefix);
    const limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.#admission = new ServiceAdmission(limits, options.tenants ?? null);
    const service: Service = {
      engine,
      files: options.files,
      templates: options.templates,
      webhooks: options.webhooks ?? null,
      tags: new TagReader(engine),
      quotas: options.quotas ?? null,
      limits,
      downloads: this.#admission.downloads,
      uploadTurn: (tenant) => this.#admission.uploadTurn(tenant),
      draining: this.#draining.signal,
    };
    this.#pipeline = {
      service,
      limits,
      authenticate: byToken(options.authenticate),
      admission: this.#admission,
    };
    this.#app = this.#router();
  }

  drain(): void {
    this.#draining.abort();
  }

  refuse(method: string | null, problem: Problem): Response {
    const requestId = randomUUID();
    const { status, code, headers, cause } = problem;
    const body = errorBody(problem, requestId, this.#urlAt("http://localhost") + ERROR_PAGE);
    const response = toResponse({ status, body, headers });
    identify(response, requestId);
    if (method !== null) {
      const line = { requestId, method, route: "*", ms: 0 };
      logRequest(this.#options.logger, line, { response, code, cause });
    }
    return response;
  }

  async handle(request: Request): Promise<Response> {
    return this.#app.fetch(request);
  }

  #router(): Hono {
    const app = new Hono().basePath(this.#prefix);
    for (const base of [BASE, UPLOAD_BASE]) {
      for (const operation of OPERATIONS) {
        if (base === UPLOAD_BASE && operation.upload === null) continue;
        const route = base + operation.path;
        app.on(operation.method, patternOf(route), (context) =>
          this.#answer(context, route, (trace) => this.#operate(operation, context, trace)),
        );
      }
    }
    for (const [path, allowed] of allowedMethods(OPERATIONS)) {
      app.all(patternOf(path), (context) =>
        this.#answer(context, path, () => Promise.reject(notAllowed(allowed))),
      );
    }
    this.#beside(app);
    app.notFound((context) =>
      this.#answer(context, "*", () => Promise.reject(noSuchPath("/docs"))),
    );
    // Only errors that are thrown outside of `#answer` come here.
    app.onError((error, context) => this.#answer(context, "*", () => Promise.reject(error)));
    return app;
  }

  /** Adds the routes other than operations. They need no token. */
  #beside(app: Hono): void {
    const page = (path: string, body: () => Promise<Response>) => {
      app.get(path, (context) => this.#answer(context, path, body));
      app.all(path, (context) =>
        this.#answer(context, path, () => Promise.reject(notAllowed(["GET", "HEAD"]))),
      );
    };
    page("/healthz", async () => toResponse({ status: 200, body: { status: "ok" } }));
    page("/readyz", () => this.#ready());
    const { telemetry, oauth } = this.#options;
    const { limits } = this.#pipeline.service;
    if (telemetry !== undefined) {
      page("/metrics", async () => {
        const { contentType, text } = await telemetry.metrics();
        return new Response(text, { headers: { "content-type": contentType } });
      });
    }
    for (const [path, respond] of docsPages(OPERATIONS, limits, oauth)) {
      app.get(path, (context) =>
        this.#answer(context, path, async () => respond(this.#urlOf(context.req.raw))),
      );
    }
  }

  async #operate(
    operation: Operation<Service>,
    context: Context,
    trace: string | undefined,
  ): Promise<Response> {
    if (this.#draining.signal.aborted && operation.needs !== "read" && operation.method !== "GET") {
      throw unavailable(
        "The service is shutting down and accepts no new work. Try again later.",
        DRAIN_SECONDS,
      );
    }
    const request = context.req.raw;
    return serveOperation(this.#pipeline, operation, {
      request,
      baseUrl: this.#urlOf(request) + BASE,
      params: context.req.param(),
      trace,
    });
  }

  /** Runs a request and turns its errors into the contract's error object. */
  async #answer(context: Context, route: string, run: Run): Promise<Response> {
    const began = performance.now();
    const requestId = randomUUID();
    const request = context.req.raw;
    const { method, headers } = request;
    const answer = async (trace: string | undefined) => {
      const told = await this.#tell(request, requestId, run, trace);
      const ms = Math.round(performance.now() - began);
      logRequest(this.#options.logger, { requestId, method, route, ms }, told);
      return {
        response: told.response,
        outcome: { status: told.response.status, code: told.code },
      };
    };
    const { telemetry } = this.#options;
    const response =
      telemetry === undefined
        ? (await answer(undefined)).response
        : await telemetry.request({ requestId, method, route, headers }, answer);
    // Nobody will read the body, and some bodies, such as a stream of progress, would otherwise remain open.
    if (method === "HEAD") await response.body?.cancel();
    return response;
  }

  async #tell(
    request: Request,
    requestId: string,
    run: Run,
    trace: string | undefined,
  ): Promise<Told> {
    const told: Told = await run(trace).then(
      (response) => ({ response, code: null, cause: undefined }),
      (error: unknown) => {
        const problem = isLeft(request, error) ? clientLeft() : toProblem(error);
        const { status, code, cause, headers } = problem;
        const body = errorBody(problem, requestId, this.#urlOf(request) + ERROR_PAGE);
        return { response: toResponse({ status, body, headers }), code, cause };
      },
    );
    // Nobody will read the body of a response to HEAD, so release its resources.
    if (request.method === "HEAD") await told.response.body?.cancel();
    identify(told.response, requestId);
    return told;
  }

  async #ready(): Promise<Response> {
    const { service } = this.#pipeline;
    const reason = this.#draining.signal.aborted
      ? "draining"
      : this.#admission.isFull || (await isFull(service.engine))
        ? "full"
        : null;
    const seal = this.#options.converter?.seal?.() ?? null;
    const told = seal === null ? {} : { seal };
    if (reason === null) return toResponse({ status: 200, body: { status: "ready", ...told } });
    throw unavailable(
      reason === "full"
        ? "The service is full. Try again later."
        : "The service is shutting down. Try again later.",
      DRAIN_SECONDS,
    );
  }

  /** The address of the prefix for clients. */
  #urlOf(request: Request): string {
    return this.#urlAt(new URL(request.url).origin);
  }

  #urlAt(origin: string): string {
    const { publicUrl } = this.#options;
    return (publicUrl?.replace(/\/+$/, "") ?? origin) + this.#prefix;
  }
}

function identify({ headers }: Response, requestId: string): void {
  headers.set("x-request-id", requestId);
  headers.set("x-content-type-options", "nosniff");
}

async function isFull(engine: Engine): Promise<boolean> {
  const { submitted, pending, capacity } = await engine.depth();
  return submitted + pending >= capacity;
}

/** Whether a request failed because its client has disconnected, which is not an error of the service. */
function isLeft({ signal }: Request, error: unknown): boolean {
  if (!signal.aborted || error instanceof Problem) return false;
  return error === signal.reason || (isQuireError(error) && error.code === "aborted");
}

/** Appears only in the log. */
function clientLeft(): Problem {
  return new Problem(400, "bad_request", "The client closed the connection before the response.");
}
