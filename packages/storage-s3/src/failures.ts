/** What is to be known of an error that came out of the client: of the server, of the network or of the SDK. */
export interface Failure {
  /** The server's code, the operating system's or the SDK's name for it, or null. */
  readonly code: string | null;
  /** The HTTP status, or null when no answer came. */
  readonly status: number | null;
}

/** An answer that ended early, came damaged or stood still: nothing of it may be used. */
export class BrokenAnswer extends Error {
  override readonly name = "BrokenAnswer";
}

/** The time of one request is over. */
export class RequestTimeout extends Error {
  override readonly name = "RequestTimeout";
}

/** Codes of 4xx answers after which the same request may succeed. */
const TRANSIENT_CODES = new Set([
  "RequestTimeout",
  "RequestTimeTooSkewed", // The SDK takes the server's clock from the answer and signs with that.
  "ConditionalRequestConflict",
  "OperationAborted",
  // The body was damaged on its way.
  "BadDigest",
  "IncompleteBody",
  "XAmzContentSHA256Mismatch",
]);

/** Before any byte of the request was sent. */
const NOT_CONNECTED = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);
const NETWORK_CODES = new Set([
  ...NOT_CONNECTED,
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
]);
const NETWORK_NAMES = new Set(["BrokenAnswer", "RequestTimeout", "TimeoutError"]);

/** Status and code of whatever was thrown. */
export function failureOf(error: unknown): Failure {
  const { name, code, $metadata } = fieldsOf(error);
  const status =
    typeof $metadata === "object" ? numberOf(fieldsOf($metadata).httpStatusCode) : null;
  const system = typeof code === "string" ? code : null;
  return { code: system ?? (typeof name === "string" && name !== "Error" ? name : null), status };
}

/** Whether the same request may succeed soon. */
export function isTransient(error: unknown): boolean {
  const { code, status } = failureOf(error);
  if (code !== null && TRANSIENT_CODES.has(code)) return true;
  if (status !== null) {
    // Of a success the body cannot be read: it was cut off.
    return status < 300 || status === 408 || status === 429 || (status >= 500 && status !== 501);
  }
  return code !== null && (NETWORK_CODES.has(code) || NETWORK_NAMES.has(code));
}

/** Whether the server may have done what it was asked for although the request failed. */
export function mayHaveArrived(error: unknown): boolean {
  const { code, status } = failureOf(error);
  if (status !== null) return status < 300 || (status >= 500 && status !== 503 && status !== 501);
  return code === null || !NOT_CONNECTED.has(code);
}

/** Whether it says that there is no such object or no such version. Not so for a bucket that is missing. */
export function isMissing(error: unknown): boolean {
  const { code, status } = failureOf(error);
  return status === 404 && code !== "NoSuchBucket" && code !== "NoSuchUpload";
}

/** Whether the condition of a create-only write did not hold: the key is taken. */
export function isTaken(error: unknown): boolean {
  return failureOf(error).status === 412;
}

/** Whether the server has no such operation, or does not know a header of it. */
export function isNotImplemented(error: unknown): boolean {
  return failureOf(error).status === 501;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}
