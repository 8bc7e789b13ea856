import { type ErrorCode, isQuireError, type QuireError } from "@quire/core/host";
import {
  type FieldProblem,
  listedProblems,
  Problem,
  tooMany,
  unavailable,
  type WireCode,
} from "./problem.ts";

/** The status and the wire code of each error code of the engine. This is the only such table. */
const STATUS: Readonly<Record<ErrorCode, { readonly status: number; readonly code: WireCode }>> = {
  invalid_request: { status: 400, code: "bad_request" },
  invalid_template: { status: 400, code: "bad_request" },
  invalid_data: { status: 400, code: "bad_request" },
  item_name_invalid: { status: 400, code: "item_name_invalid" },
  forbidden: { status: 403, code: "forbidden" },
  not_found: { status: 404, code: "not_found" },
  conflict: { status: 409, code: "conflict" },
  limit_exceeded: { status: 400, code: "bad_request" },
  quota_exceeded: { status: 403, code: "forbidden" },
  render_failed: { status: 500, code: "internal_server_error" },
  conversion_failed: { status: 500, code: "internal_server_error" },
  internal: { status: 500, code: "internal_server_error" },
  timeout: { status: 503, code: "unavailable" },
  lease_lost: { status: 503, code: "unavailable" },
  storage_failed: { status: 503, code: "unavailable" },
  job_store_failed: { status: 503, code: "unavailable" },
  unavailable: { status: 503, code: "unavailable" },
  aborted: { status: 503, code: "unavailable" },
};

/**
 * Messages for errors whose own messages name paths, servers and other internals. Clients get these messages instead.
 */
const INTERNAL: Partial<Record<ErrorCode, string>> = {
  storage_failed: "The storage is not available at the moment. Try again later.",
  job_store_failed: "The job store is not available at the moment. Try again later.",
  lease_lost: "The service was interrupted. Try again.",
  aborted: "The request was aborted before it was complete. Try again.",
};

const RETRY_SECONDS = 5;
/** Delay in seconds after which a client may retry when its quota is used up. */
const QUOTA_RETRY_SECONDS = 60;

/** Returns the response to any error. An unexpected error is a 500 without details. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (!isQuireError(error)) return unforeseen(error);
  const { status, code } = STATUS[error.code];
  if (status === 500) return unforeseen(error);
  if (status === 503) {
    return unavailable(INTERNAL[error.code] ?? error.message, RETRY_SECONDS, error);
  }
  const context =
    error.diagnostics.length === 0 ? undefined : { errors: listedProblems(fieldProblems(error)) };
  if (error.code === "quota_exceeded" && error.retryable) {
    return tooMany(error.message, QUOTA_RETRY_SECONDS, { context, cause: error });
  }
  return new Problem(status, code, error.message, { context, cause: error });
}

/** Returns the diagnostics of an error in the format for clients. */
export function fieldProblems({ diagnostics }: Pick<QuireError, "diagnostics">): FieldProblem[] {
  return diagnostics.map(({ pointer = "", code, message, hint }) => ({
    path: pointer,
    code,
    message: hint === undefined ? message : `${message} ${hint}`,
  }));
}

function unforeseen(cause: unknown): Problem {
  return new Problem(
    500,
    "internal_server_error",
    "The service failed unexpectedly. Your request is not the cause. Report the request_id to the operator.",
    { cause },
  );
}

/** The body of an error, exactly as the hosted service defines it. */
export interface ErrorBody {
  /** Always `error`. */
  readonly type: "error";
  /** HTTP status of the response. */
  readonly status: number;
  /** The kind of the error, for programs. */
  readonly code: WireCode;
  /** What failed, why and how to fix it, for people. */
  readonly message: string;
  /** Details, such as all problems of the request in `errors`, or null. */
  readonly context_info: Readonly<Record<string, unknown>> | null;
  /** The page about error codes, with the code as anchor. */
  readonly help_url: string;
  /** The `x-request-id` of the response, which also appears in the service's log. */
  readonly request_id: string;
}

/** Creates the body of an error. `helpUrl` is the address of the page that has an anchor for each code. */
export function errorBody(problem: Problem, requestId: string, helpUrl: string): ErrorBody {
  const { status, code, message, context } = problem;
  return {
    type: "error",
    status,
    code,
    message,
    context_info: context,
    help_url: `${helpUrl}#${code}`,
    request_id: requestId,
  };
}
