import type { TenantStore } from "@quire/core/host";
import { bearerToken } from "./auth/bearer.ts";
import { hasScope, type Principal, scopesFor } from "./auth/principal.ts";
import type { Call, Operation, Service } from "./operations/operation.ts";
import type { HttpHandlerOptions, Limits } from "./options.ts";
import { toResponse, untilTaken } from "./request/answer.ts";
import { type KeptBody, keptBody } from "./request/body.ts";
import { check } from "./request/check.ts";
import type { FairGate } from "./request/fair-gate.ts";
import type { Gates } from "./request/gates.ts";
import type { Holding } from "./request/holding.ts";
import { parseJson } from "./request/parse-json.ts";
import type { RateLimit } from "./request/rate-limit.ts";
import type { SlowRefusals } from "./request/slow-refusals.ts";
import type { TenantRoom } from "./request/tenant-room.ts";
import { invalid, Problem } from "./wire/problem.ts";

/** The checks that a request passes before its operation. */
export interface Doorway extends Gates {
  readonly service: Service;
  readonly authenticate: HttpHandlerOptions["authenticate"];
  /** Knows the suspended tenants; null if there are never any. */
  readonly tenants: TenantStore | null;
  readonly rate: RateLimit;
  /** Delays rejections with 401 or 429, and of suspended tenants. */
  readonly refusals: SlowRefusals;
  /** For JSON bodies, from reading until their request ends. */
  readonly room: TenantRoom;
}

/** A request to an operation, from the router. */
export interface Arrival {
  readonly request: Request;
  readonly baseUrl: string;
  readonly params: Readonly<Record<string, string>>;
  readonly trace: string | undefined;
}

/** No enterprise has this name. */
const NOBODY = "";
const VERSION = "2025.0";
const VERSION_HEADERS = ["service-version", "box-version"];
/** The levels of the body around an entry's data: the request, the list, the entry, the data. */
const LEVELS_AROUND = 4;
/** The maximum keys and values of a body other than a batch. All its problems are reported, so it must be small. */
const SMALL_BODY = 1000;
/** The parsed form of a longer body may take a hundred megabytes. */
const LONG_BYTES = 512 * 1024;

/** Authenticates and checks a request, and runs its operation. Throws a `Problem`, or the error of the operation. */
export async function serveOperation(
  doorway: Doorway,
  operation: Operation,
  arrival: Arrival,
): Promise<Response> {
  let tenant = NOBODY;
  try {
    const who = await authenticated(doorway, arrival.request);
    tenant = who.enterprise;
    if (await isSuspended(doorway, tenant)) throw suspended();
    return await serve(doorway, operation, arrival, who);
  } catch (error) {
    const { status, context } = error instanceof Problem ? error : { status: null, context: null };
    if (status === 401 || status === 429 || context === SUSPENDED)
      await doorway.refusals.turn(tenant);
    throw error;
  }
}

async function serve(
  doorway: Doorway,
  operation: Operation,
  arrival: Arrival,
  who: Principal,
): Promise<Response> {
  const { request } = arrival;
  doorway.rate.take(JSON.stringify([who.enterprise, who.user]));
  const holding = doorway.room.holding(who.enterprise);
  let leave = (): void => {};
  try {
    // Read before its turn, so that a slow client delays nobody. Parsing and reporting problems wait for the turn.
    const asked = await settled(whatIsAsked(doorway, operation, request, { who, holding }), () =>
      holding.release(),
    );
    const isLong = holding.bytes > LONG_BYTES;
    leave = await enter(doorway, operation, { tenant: who.enterprise, isLong }).catch(
      async (full: unknown) => {
        try {
          asked();
        } catch (wrong) {
          // A retry would fail with the same problem, so it takes precedence over the rejection of the gate.
          await doorway.refusals.turn(who.enterprise);
          throw wrong;
        }
        throw full;
      },
    );
    const { query, body } = asked();
    const call: Call = {
      service: doorway.service,
      request,
      baseUrl: arrival.baseUrl,
      who,
      params: arrival.params,
      query,
      body: body === null ? undefined : await parsedBody(doorway.service.limits, operation, body),
      trace: arrival.trace,
      hold: (bytes) => holding.add(bytes),
      turn: () => doorway.slowGate.enter(who.enterprise, { isBack: true }),
      signal: request.signal,
    };
    const answer = await operation.run(call as Call<never, never>);
    if (answer instanceof Response) return answer;
    return toResponse(answer, (text) => untilTaken(doorway.service, who.enterprise, text));
  } finally {
    leave();
    holding.release();
  }
}

function gateOf({ gate, slowGate, uploads }: Doorway, { isSlow, upload }: Operation): FairGate {
  if (upload !== null) return uploads;
  return isSlow ? slowGate : gate;
}

/**
 * Resolves with a function that releases all places. A long body first gets a place among the long ones, so that
 * requests that wait for it do not occupy places of others.
 */
async function enter(
  doorway: Doorway,
  operation: Operation,
  { tenant, isLong }: { readonly tenant: string; readonly isLong: boolean },
): Promise<() => void> {
  const gate = gateOf(doorway, operation);
  if (!isLong) return gate.enter(tenant);
  const { longGate, longSlowGate } = doorway;
  const leaveLong = await (operation.isSlow ? longSlowGate : longGate).enter(tenant);
  try {
    const leave = await gate.enter(tenant);
    return () => {
      leave();
      leaveLong();
    };
  } catch (error) {
    leaveLong();
    throw error;
  }
}

/** Resolves with a function that returns the value or throws the error. Calls `failed` at once for an error. */
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
interface Asked {
  readonly query: unknown;
  /** JSON only; null for operations without a body. */
  readonly body: KeptBody | null;
}

async function whatIsAsked(
  { service }: Doorway,
  operation: Operation,
  request: Request,
  { who, holding }: { readonly who: Principal; readonly holding: Holding },
): Promise<Asked> {
  if (!hasScope(who, operation.needs)) throw insufficientScope(operation.needs);
  if (operation.versioned) assertVersion(request.headers);
  const query = queryOf(operation, new URL(request.url).searchParams);
  if (operation.body === null) return { query, body: null };
  assertJson(request.headers);
  const { bodyBytes: maxBytes, idleMs } = service.limits;
  const body = await keptBody(request, { maxBytes, idleMs, holding });
  if (body.length > 0) return { query, body };
  throw invalid([
    { path: "", code: "required", message: "The body is missing. Send a JSON body." },
  ]);
}

async function authenticated(
  { authenticate }: Doorway,
  { headers, signal }: Request,
): Promise<Principal> {
  const token = bearerToken(headers);
  const who = token === null ? null : await authenticate(token, { signal });
  if (who !== null) return who;
  const challenge = headers.has("authorization") ? 'Bearer error="invalid_token"' : "Bearer";
  throw new Problem(
    401,
    "unauthorized",
    "The request needs a valid access token in the header `Authorization: Bearer`. Send a token that has not expired.",
    { headers: { "www-authenticate": challenge } },
  );
}

async function isSuspended({ tenants }: Doorway, name: string): Promise<boolean> {
  const tenant = (await tenants?.find(name)) ?? null;
  return tenant !== null && tenant.suspendedAt !== null;
}

const SUSPENDED = { reason: "suspended" } as const;

function suspended(): Problem {
  return new Problem(
    403,
    "forbidden",
    "The operator of the service has suspended the enterprise: it cannot read or change anything, and its jobs wait. Ask the operator to resume it.",
    { context: SUSPENDED },
  );
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

/** At least one of the two headers must be present, and all values must be the supported version. */
function assertVersion(headers: Headers): void {
  const said = VERSION_HEADERS.map((name) => headers.get(name)).filter((value) => value !== null);
  if (said.length > 0 && said.every((value) => value === VERSION)) return;
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
      throw invalid([{ path: `/${name}`, code: "repeated", message }]);
    }
    if (all[0] !== undefined) values[name] = all[0];
  }
  return check(operation.query, values);
}

async function parsedBody(
  limits: Limits,
  { body: schema, checksBody }: Operation,
  kept: KeptBody,
): Promise<unknown> {
  const body = await parseJson(kept.take(), {
    maxDepth: limits.depth + LEVELS_AROUND,
    maxKeys: checksBody ? limits.keys : Math.min(limits.keys, SMALL_BODY),
    maxValues: checksBody ? limits.values : Math.min(limits.values, SMALL_BODY),
    maxStringBytes: limits.stringBytes,
    maxEntryBytes: limits.entryBytes,
  });
  return checksBody || schema === null ? body : check(schema, body);
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
