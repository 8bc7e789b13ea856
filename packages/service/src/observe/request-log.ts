import type { Logger } from "./logger.ts";

/**
 * The logged fields of a request, in addition to its response. Except for the method, no field comes from the client.
 */
export interface RequestLine {
  readonly requestId: string;
  readonly method: string;
  /** The route pattern, never the path. */
  readonly route: string;
  /** The time until the response, in milliseconds. */
  readonly ms: number;
}

/** Logs one line for a request. If the service failed, the line contains the error and its location in Quire's code. */
export function logRequest(
  logger: Logger | undefined,
  { requestId, method, route, ms }: RequestLine,
  answer: { readonly response: Response; readonly code: string | null; readonly cause: unknown },
): void {
  if (logger === undefined) return;
  const { response, code, cause } = answer;
  const facts = {
    request_id: requestId,
    method,
    route,
    status: response.status,
    ...(code === null ? {} : { code }),
    ms,
  };
  try {
    if (response.status < 500) logger.info(facts, "request");
    else logger.error({ ...facts, ...reasonOf(cause) }, "request failed");
  } catch {
    // If the line cannot be written, the request must not fail.
  }
}

/** Returns the code of an error and its location in Quire's code. Omits the message, which may quote names. */
function reasonOf(cause: unknown): Readonly<Record<string, unknown>> {
  if (!(cause instanceof Error)) return {};
  const { code } = cause as { readonly code?: unknown };
  const root = cause.cause instanceof Error ? cause.cause : null;
  return {
    error: cause.name,
    ...(typeof code === "string" ? { error_code: code } : {}),
    at: placesOf(cause),
    ...(root === null ? {} : { cause: root.name, cause_at: placesOf(root) }),
  };
}

/** Returns the first frames of a stack trace, without the message. */
function placesOf({ stack = "" }: Error): string[] {
  return stack
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 8)
    .map((line) => line.trim());
}
