import {
  compactEntry,
  JsonError,
  type JsonLimits,
  type ParseOptions,
  parseJson,
} from "@quire/core/host";
import type { Admission, AdmittedRequest } from "./admission.ts";
import type { AuthenticateRequest } from "./auth/authenticate-request.ts";
import { hasScope, type Principal, scopesFor } from "./auth/principal.ts";
import type { Call, Operation } from "./openapi/operation.ts";
import { type ReceivedBody, receiveBody } from "./request/body.ts";
import { check } from "./request/check.ts";
import type { HeldBytes } from "./request/held-bytes.ts";
import { toResponse } from "./request/json-response.ts";
import type { HttpLimits } from "./request/limits.ts";
import { invalidAt, jsonProblem, Problem, tooManyEntries } from "./wire/problem.ts";

/** The dependencies of {@link serveOperation}. */
export interface Pipeline<Service> {
  /** The dependencies of the operations, passed to each operation as `Call.service`. */
  readonly service: Service;
  /** Limits on the bodies of requests. */
  readonly limits: HttpLimits;
  /** The first step for each request to an operation. */
  readonly authenticate: AuthenticateRequest;
  /** The second step, which decides when the request is processed. It gets the sender that `authenticate` found. */
  readonly admission: Admission;
}

/** A request to an operation, from the router. */
export interface RequestContext {
  readonly request: Request;
  /** The address of the service for clients, including the version of the API. */
  readonly baseUrl: string;
  /** The path parameters, by name. */
  readonly params: Readonly<Record<string, string>>;
  /** The `traceparent` of the request's span, which is the parent of the spans of jobs; undefined if tracing is off. */
  readonly trace: string | undefined;
}

const VERSION = "2025.0";
const VERSION_HEADERS = ["service-version", "box-version"];
/** Number of body levels down to an entry's data: the request, the list, the entry, the data. */
const LEVELS_AROUND = 4;
/**
 * The maximum number of keys and values in a body other than a batch. It must be small, because all problems of such a
 * body are reported.
 */
const SMALL_BODY = 1000;

/** Authenticates and checks a request, and runs its operation. Throws a `Problem`, or the error of the operation. */
export async function serveOperation<Service>(
  pipeline: Pipeline<Service>,
  operation: Operation<Service>,
  context: RequestContext,
): Promise<Response> {
  let who: Principal | null = null;
  try {
    who = await authenticated(pipeline, context.request);
    const visit = await pipeline.admission.admit(who);
    return await serve(pipeline, operation, context, { who, visit });
  } catch (error) {
    await pipeline.admission.rejected(who, error);
    throw error;
  }
}

/** The sender of a request, and its admission. */
interface Sender {
  readonly who: Principal;
  readonly visit: AdmittedRequest;
}

async function serve<Service>(
  { service, limits }: Pipeline<Service>,
  operation: Operation<Service>,
  { request, baseUrl, params, trace }: RequestContext,
  { who, visit }: Sender,
): Promise<Response> {
  const { holding } = visit;
  let leave = (): void => {};
  try {
    // The request is read before it may be processed, so that a slow client does not delay others. Parsing the body and
    // reporting problems must both wait for their turn.
    const readResult = await settled(
      readRequest(limits, operation, request, { who, holding }),
      () => holding.release(),
    );
    leave = await visit.enter(operation).catch(async (full: unknown) => {
      try {
        readResult();
      } catch (wrong) {
        // The problem takes precedence over the rejection, because a retry would fail with the same problem.
        await visit.reportTurn();
        throw wrong;
      }
      throw full;
    });
    const { query, body } = readResult();
    const call: Call<Service> = {
      service,
      request,
      baseUrl,
      who,
      params,
      query,
      body: body === null ? undefined : await parsedBody(limits, operation, body),
      trace,
      hold: (bytes) => holding.add(bytes),
      signal: request.signal,
    };
    const answer = await operation.run(call as Call<Service, never, never>);
    if (answer instanceof Response) return answer;
    return toResponse(answer, (text) => visit.sent(text));
  } finally {
    leave();
    holding.release();
  }
}

/**
 * Resolves with a function that returns the value or throws the error. If there is an error, calls `failed`
 * immediately.
 */
function settled<T>(promise: Promise<T>, failed: () => void): Promise<() => T> {
  return promise.then(
    (value) => () => value,
    (error: unknown) => {
      failed();
      return () => {
        throw error;
      };
    },
  );
}

/** A request before its body is parsed. */
interface UnparsedRequest {
  readonly query: unknown;
  /** Null if the operation has no JSON body. */
  readonly body: ReceivedBody | null;
}

async function readRequest(
  { bodyBytes: maxBytes, idleMs }: HttpLimits,
  operation: Operation,
  request: Request,
  { who, holding }: { readonly who: Principal; readonly holding: HeldBytes },
): Promise<UnparsedRequest> {
  if (!hasScope(who, operation.needs)) throw insufficientScope(operation.needs);
  if (operation.versioned) assertVersion(request.headers);
  const query = queryOf(operation, new URL(request.url).searchParams);
  if (operation.body === null) return { query, body: null };
  assertJson(request.headers);
  const body = await receiveBody(request, { maxBytes, idleMs, holding });
  if (body.length > 0) return { query, body };
  throw invalidAt("", "required", "The body is missing. Send a JSON body.");
}

async function authenticated(
  { authenticate }: Pick<Pipeline<unknown>, "authenticate">,
  request: Request,
): Promise<Principal> {
  const who = await authenticate(request);
  if (who instanceof Problem) throw who;
  return who;
}

function insufficientScope(needs: Operation["needs"]): Problem {
  const scopes = scopesFor(needs);
  return new Problem(
    403,
    "insufficient_scope",
    `The access token lacks the scope ${scopes.join(" or ")}. Get a token with this scope.`,
    {
      headers: { "www-authenticate": `Bearer error="insufficient_scope", scope="${scopes[0]}"` },
    },
  );
}

/** Throws unless at least one of the two headers is present and all values are the supported version. */
function assertVersion(headers: Headers): void {
  const versions = VERSION_HEADERS.map((name) => headers.get(name)).filter(
    (value) => value !== null,
  );
  if (versions.length > 0 && versions.every((value) => value === VERSION)) return;
  const message = `The header service-version (or box-version) must be present once, with the value ${VERSION}, the only supported version.`;
  throw new Problem(400, "bad_request", message, { context: { message } });
}

function queryOf(operation: Operation, search: URLSearchParams): unknown {
  if (operation.query === null) return undefined;
  const values: Record<string, string> = Object.create(null);
  for (const name of Object.keys(operation.query.shape)) {
    const all = search.getAll(name);
    if (all.length > 1) {
      const message = `The parameter '${name}' occurs several times. Send it once.`;
      throw invalidAt(`/${name}`, "repeated", message);
    }
    if (all[0] !== undefined) values[name] = all[0];
  }
  return check(operation.query, values);
}

async function parsedBody(
  limits: HttpLimits,
  { body: schema, checksBody }: Operation,
  received: ReceivedBody,
): Promise<unknown> {
  const jsonLimits = {
    maxDepth: limits.depth + LEVELS_AROUND,
    maxKeys: checksBody ? limits.keys : Math.min(limits.keys, SMALL_BODY),
    maxValues: checksBody ? limits.values : Math.min(limits.values, SMALL_BODY),
    maxStringBytes: limits.stringBytes,
    maxEntryBytes: limits.entryBytes,
  };
  const options = checksBody ? { readEntry: entryReader(limits.entries) } : {};
  const body = await received.use((bytes) => parsedJson(bytes, jsonLimits, options));
  return checksBody || schema === null ? body : check(schema, body);
}

/**
 * Compacts each entry of a batch request while it is parsed. Rejects the request at the first entry beyond the limit.
 */
function entryReader(maxEntries: number): Required<ParseOptions>["readEntry"] {
  return (entry, index) => {
    if (index >= maxEntries) throw tooManyEntries(maxEntries);
    return compactEntry(entry);
  };
}

async function parsedJson(
  bytes: Buffer,
  limits: JsonLimits,
  options: ParseOptions,
): Promise<unknown> {
  try {
    return await parseJson(bytes, limits, options);
  } catch (error) {
    throw error instanceof JsonError ? jsonProblem(error) : error;
  }
}

function assertJson(headers: Headers): void {
  const type = headers.get("content-type") ?? "";
  if (/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type)) return;
  throw new Problem(
    415,
    "bad_request",
    "The content-type of the body must be application/json, in UTF-8.",
  );
}
