/** The relevant properties of an error from the server, the network or the SDK. */
export interface Failure {
  /** The code from the server, the operating system or the SDK; null without a code. */
  readonly code: string | null;
  /** The HTTP status; null if no response arrived. */
  readonly status: number | null;
}

/** A response that was cut off, damaged or stalled. No part of it may be used. */
export class BrokenAnswer extends Error {
  override readonly name = "BrokenAnswer";
}

/** A request exceeded its time limit. */
export class RequestTimeout extends Error {
  override readonly name = "RequestTimeout";
}

/** The server reported a deletion, but the object or one of its versions is still there. */
export class NotDeleted extends Error {
  override readonly name = "NotDeleted";
}

/** Codes of 4xx responses after which the same request may succeed. */
const TRANSIENT_CODES = new Set([
  "RequestTimeout",
  "RequestTimeTooSkewed", // The SDK takes the server's clock from the response and signs the retry with it.
  "ConditionalRequestConflict",
  "OperationAborted",
  // The body was damaged in transit.
  "BadDigest",
  "IncompleteBody",
  "XAmzContentSHA256Mismatch",
]);

/** Codes of failures that occur before any byte of the request is sent. */
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

/** Reads the status and the code of any thrown value. */
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
    // An error with a success status means that the body could not be read because it was cut off.
    return status < 300 || status === 408 || status === 429 || (status >= 500 && status !== 501);
  }
  return code !== null && (NETWORK_CODES.has(code) || NETWORK_NAMES.has(code));
}

/** Whether the server may have carried out a request that failed. */
export function mayHaveArrived(error: unknown): boolean {
  const { code, status } = failureOf(error);
  if (status !== null) return status < 300 || (status >= 500 && status !== 503 && status !== 501);
  return code === null || !NOT_CONNECTED.has(code);
}

/** Whether the error means that the object or the version does not exist. False for a missing bucket. */
export function isMissing(error: unknown): boolean {
  const { code, status } = failureOf(error);
  return status === 404 && code !== "NoSuchBucket" && code !== "NoSuchUpload";
}

/** Whether a create-only write failed because the key is taken. */
export function isTaken(error: unknown): boolean {
  return failureOf(error).status === 412;
}

/** Whether the server does not support the operation or one of its headers. */
export function isNotImplemented(error: unknown): boolean {
  const { status } = failureOf(error);
  return status === 501 || status === 405;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}
