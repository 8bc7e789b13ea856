import { cutPointer, cutSentence, type JsonError, pageRoom } from "@quire/core/host";

/** The possible codes of an error body: exactly the list of the hosted service. */
export const WIRE_CODES = [
  "created",
  "accepted",
  "no_content",
  "redirect",
  "not_modified",
  "bad_request",
  "unauthorized",
  "forbidden",
  "not_found",
  "method_not_allowed",
  "conflict",
  "precondition_failed",
  "too_many_requests",
  "internal_server_error",
  "unavailable",
  "item_name_invalid",
  "insufficient_scope",
] as const;

/** The kind of an error, as clients see it. */
export type WireCode = (typeof WIRE_CODES)[number];

/** One problem of a request. */
export interface FieldProblem {
  /** A JSON Pointer into the body, or a slash followed by the name of a query parameter. Empty for the whole body. */
  readonly path: string;
  /** One of Quire's own codes, not a {@link WireCode}: `required`, `wrong_value`, or the code of a diagnostic. */
  readonly code: string;
  /** The problem and how to fix it. */
  readonly message: string;
}

/** The options of a {@link Problem}. */
export interface ProblemOptions {
  /** `context_info` of the error object, as JSON. Default: null. */
  readonly context?: Readonly<Record<string, unknown>> | undefined;
  /** Headers that are added to the response. Default: none. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The error that caused the problem, for logs. Clients never see it. */
  readonly cause?: unknown;
}

/** An error response. Code that handles a request may throw it, and the router sends it as the response. */
export class Problem extends Error {
  /** Always `Problem`, even in minified code. */
  override readonly name = "Problem";
  /** The HTTP status. */
  readonly status: number;
  /** The `code` of the error object. */
  readonly code: WireCode;
  /** `context_info` of the error object; null if there are no details. */
  readonly context: Readonly<Record<string, unknown>> | null;
  /** Additional headers of the response, such as `retry-after`; empty by default. */
  readonly headers: Readonly<Record<string, string>>;

  /** `message` says what failed, why and how to fix it. A very long message is shortened. */
  constructor(status: number, code: WireCode, message: string, options: ProblemOptions = {}) {
    super(cutSentence(message), options.cause === undefined ? undefined : { cause: options.cause });
    this.status = status;
    this.code = code;
    this.context = options.context ?? null;
    this.headers = options.headers ?? {};
  }
}

/** Maximum total size of the listed problems of a request, in bytes. */
const MAX_BYTES = 1_000_000;

/** Returns problems in the format for clients: long quotations are shortened, and the list ends at its maximum size. */
export function listedProblems(problems: readonly FieldProblem[]): FieldProblem[] {
  const takes = pageRoom({ limit: problems.length, maxBytes: MAX_BYTES });
  const listed: FieldProblem[] = [];
  for (const { path, code, message } of problems) {
    const each = { path: cutPointer(path), code, message: cutSentence(message) };
    if (!takes(JSON.stringify(each).length)) break;
    listed.push(each);
  }
  return listed;
}

/** Returns a 400 with these problems. Its message begins with the message of the first problem. */
export function invalid(problems: readonly FieldProblem[]): Problem {
  const [first] = problems;
  const more = problems.length > 1 ? ` The request has ${problems.length} problems.` : "";
  const where = first?.path ? ` (at ${first.path})` : "";
  return new Problem(
    400,
    "bad_request",
    `${first?.message ?? "The request is invalid."}${where}${more}`,
    {
      context: { errors: listedProblems(problems) },
    },
  );
}

/** Returns a 400 with one problem. See {@link FieldProblem} for the parameters. */
export function invalidAt(path: string, code: string, message: string): Problem {
  return invalid([{ path, code, message }]);
}

/** Returns the 400 for JSON that cannot be parsed. */
export function jsonProblem({ path, code, message }: JsonError): Problem {
  return invalidAt(path, code, message);
}

/** Returns a 413 for a body that is too long. It closes the connection, because the rest of the body is not read. */
export function tooLarge(limitBytes: number): Problem {
  return new Problem(
    413,
    "bad_request",
    `The request body is longer than ${limitBytes} bytes. Send less data per request, for example in several batches.`,
    {
      context: { reason: "request_entity_too_large", limit_bytes: limitBytes },
      headers: { connection: "close" },
    },
  );
}

/** Returns a 503. The same request may succeed after `retrySeconds`. */
export function unavailable(message: string, retrySeconds: number, cause?: unknown): Problem {
  return new Problem(503, "unavailable", message, {
    headers: { "retry-after": String(retrySeconds) },
    cause,
  });
}

/** Returns a 429 for too many requests. */
export function tooMany(
  message: string,
  retrySeconds: number,
  options: Pick<ProblemOptions, "context" | "cause"> = {},
): Problem {
  return new Problem(429, "too_many_requests", message, {
    ...options,
    headers: { "retry-after": String(Math.max(1, Math.ceil(retrySeconds))) },
  });
}

/** Returns the error for a batch request with too many entries. */
export function tooManyEntries(most: number): Problem {
  return invalidAt(
    "/document_generation_data",
    "limit_exceeded",
    `A batch may have at most ${most} entries. Split it into several batches.`,
  );
}
