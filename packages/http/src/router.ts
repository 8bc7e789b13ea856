import { randomUUID } from "node:crypto";
import { isQuireError } from "@quire/core/host";
import { type Context, Hono } from "hono";
import type { Operation } from "./openapi/operation.ts";
import type { DocGenService } from "./operations/doc-gen.ts";
import { toResponse } from "./request/json-response.ts";
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
import { errorBody, toProblem } from "./wire/error-body.ts";
import { Problem, unavailable } from "./wire/problem.ts";

/** The properties of a request that are known before the response. */
export interface RequestFacts {
  /** A random UUID. The response contains it in the header `x-request-id` and in the error object. */
  readonly requestId: string;
  /** The HTTP method. Clients may also send unknown methods. */
  readonly method: string;
  /** The route pattern, such as `/2.0/docgen_jobs/{job_id}`, and never the path; `*` if no route matches. */
  readonly route: string;
  /** All headers of the request. Do not log them: they contain the token. */
  readonly headers: Headers;
}

/** A response, and the reason if it is not successful. */
export interface Answered {
  /** The complete response, including `x-request-id`. Its body must be sent or cancelled. */
  readonly response: Response;
  /** The code of the error object; null for a successful response. */
  readonly code: string | null;
  /**
   * The error behind `code`, for logs; undefined for a successful response. It may expose internals: never show it to
   * clients.
   */
  readonly cause: unknown;
}

/** A path that is not an operation. It needs no token and supports only GET and HEAD. */
export interface Page {
  /** The path below the prefix. */
  readonly path: string;
  /** Returns the page. `url` is the address of the prefix for clients. Errors become error objects. */
  respond(url: string): Promise<Response>;
}

/** The options of {@link createRouter}. */
export interface RouterOptions<Service extends DocGenService> extends Pipeline<Service> {
  /** The operations below `/2.0`; uploads are also below `/api/2.0`. Other methods on their paths get a 405. */
  readonly operations: readonly Operation<Service>[];
  /** Pages such as health checks and documentation, below the prefix. */
  readonly pages: readonly Page[];
  /** The path of the page that lists the operations. */
  readonly docs: string;
  /** The part of the path before `/2.0`. Default: empty. */
  readonly prefix?: string | undefined;
  /** The address of the service for clients. Default: the address of the request. */
  readonly publicUrl?: string | undefined;
  /** Returns the address of the page about error codes. `url` is the address of the prefix for clients. */
  helpUrl(url: string): string;
  /**
   * Wraps each request in order to measure, trace and log it. `answer` never rejects and must be called exactly once.
   * Its `trace` is the `traceparent` of the request's span, which is the parent of the spans of jobs.
   */
  around(
    facts: RequestFacts,
    answer: (trace: string | undefined) => Promise<Answered>,
  ): Promise<Response>;
}

/** Passes requests to operations and pages. Created by {@link createRouter}. */
export interface Router {
  /** Never rejects: every error becomes a response with an error object. */
  handle(request: Request): Promise<Response>;
  /** Returns the response for a problem that occurs before there is a `Request`. */
  refuse(problem: Problem): { readonly requestId: string; readonly response: Response };
}

const DRAIN_SECONDS = 10;

/** Creates a router for operations and pages. */
export function createRouter<Service extends DocGenService>(
  options: RouterOptions<Service>,
): Router {
  return new OperationRouter(options);
}

/** Handles a request. `trace` is the `traceparent` of the request's span, which is the parent of the spans of jobs. */
type Run = (trace: string | undefined) => Promise<Response>;

class OperationRouter<Service extends DocGenService> implements Router {
  readonly #options: RouterOptions<Service>;
  readonly #prefix: string;
  readonly #app: Hono;

  constructor(options: RouterOptions<Service>) {
    this.#options = options;
    this.#prefix = prefixOf(options.prefix);
    this.#app = this.#routes();
  }

  async handle(request: Request): Promise<Response> {
    return this.#app.fetch(request);
  }

  refuse(problem: Problem): { readonly requestId: string; readonly response: Response } {
    const requestId = randomUUID();
    const response = this.#failed(problem, requestId, this.#urlAt("http://localhost"));
    identify(response, requestId);
    return { requestId, response };
  }

  #routes(): Hono {
    const app = new Hono().basePath(this.#prefix);
    const { operations, pages, docs } = this.#options;
    for (const base of [BASE, UPLOAD_BASE]) {
      for (const operation of operations) {
        if (base === UPLOAD_BASE && operation.upload === null) continue;
        const route = base + operation.path;
        app.on(operation.method, patternOf(route), (context) =>
          this.#answer(context, route, (trace) => this.#operate(operation, context, trace)),
        );
      }
    }
    const rejects = (path: string, allowed: readonly string[]): void => {
      app.all(patternOf(path), (context) =>
        this.#answer(context, path, () => Promise.reject(notAllowed(allowed))),
      );
    };
    for (const [path, allowed] of allowedMethods(operations)) rejects(path, allowed);
    for (const page of pages) {
      app.get(page.path, (context) =>
        this.#answer(context, page.path, () => page.respond(this.#urlOf(context.req.raw))),
      );
      rejects(page.path, ["GET", "HEAD"]);
    }
    app.notFound((context) => this.#answer(context, "*", () => Promise.reject(noSuchPath(docs))));
    // Only errors from outside `#answer` arrive here.
    app.onError((error, context) => this.#answer(context, "*", () => Promise.reject(error)));
    return app;
  }

  async #operate(
    operation: Operation<Service>,
    context: Context,
    trace: string | undefined,
  ): Promise<Response> {
    const isDraining = this.#options.service.draining.aborted;
    if (isDraining && operation.needs !== "read" && operation.method !== "GET") {
      throw unavailable(
        "The service is shutting down and accepts no new work. Try again later.",
        DRAIN_SECONDS,
      );
    }
    const request = context.req.raw;
    return serveOperation(this.#options, operation, {
      request,
      baseUrl: this.#urlOf(request) + BASE,
      params: context.req.param(),
      trace,
    });
  }

  /** Handles a request and turns its errors into responses with an error object. */
  async #answer(context: Context, route: string, run: Run): Promise<Response> {
    const requestId = randomUUID();
    const request = context.req.raw;
    const { method, headers } = request;
    const response = await this.#options.around({ requestId, method, route, headers }, (trace) =>
      this.#answered(request, requestId, run, trace),
    );
    // Nobody will read the body. Some bodies, such as a progress stream, would remain open if they were not cancelled.
    if (method === "HEAD") await response.body?.cancel();
    return response;
  }

  async #answered(
    request: Request,
    requestId: string,
    run: Run,
    trace: string | undefined,
  ): Promise<Answered> {
    const answered: Answered = await run(trace).then(
      (response) => ({ response, code: null, cause: undefined }),
      (error: unknown) => {
        const problem = isLeft(request, error) ? clientLeft() : toProblem(error);
        const response = this.#failed(problem, requestId, this.#urlOf(request));
        return { response, code: problem.code, cause: problem.cause };
      },
    );
    identify(answered.response, requestId);
    return answered;
  }

  #failed(problem: Problem, requestId: string, url: string): Response {
    const { status, headers } = problem;
    const body = errorBody(problem, requestId, this.#options.helpUrl(url));
    return toResponse({ status, body, headers });
  }

  /** Returns the address of the prefix for clients. */
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

/** Whether a request failed because its client disconnected, which is not an error of the service. */
function isLeft({ signal }: Request, error: unknown): boolean {
  if (!signal.aborted || error instanceof Problem) return false;
  return error === signal.reason || (isQuireError(error) && error.code === "aborted");
}

/** Returns the problem for a client that has disconnected. It appears only in the log. */
function clientLeft(): Problem {
  return new Problem(400, "bad_request", "The client closed the connection before the response.");
}
