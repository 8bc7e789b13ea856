import type { Logger } from "../options.ts";

/** What is said of a request beside its answer: nothing that anybody has sent, but the method. */
export interface RequestLine {
  readonly requestId: string;
  readonly method: string;
  /** The route's pattern, never the path. */
  readonly route: string;
  /** How long the answer took, in milliseconds. */
  readonly ms: number;
}

/** One line for a request; for one that failed in the service, with where in our code. */
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
    // A request is more than its line.
  }
}

/** What an operator needs of an error: its code and its place in our code, no message, which may quote names. */
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

/** The frames of a stack, without the message before them. */
function placesOf({ stack = "" }: Error): string[] {
  return stack
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 8)
    .map((line) => line.trim());
}
