import type { LookupAddress } from "node:dns";
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { isQuireError } from "@quire/core/host";
import {
  type CheckedAddress,
  checkAddress,
  pinnedLookup,
  type Resolve,
  usableAddresses,
} from "./address.ts";
import type { AllowList } from "./allow-list.ts";

/** The reason why an attempt failed. */
export type DeliveryFailure =
  /** The address is invalid, or webhooks may not reach it. */
  | "address_refused"
  | "name_not_resolved"
  | "connection_failed"
  /** The certificate is not valid for the host, or the receiver does not support TLS. */
  | "tls_failed"
  /** The receiver closed the connection before it responded. */
  | "connection_closed"
  /** The response is not HTTP, or its headers are too large. */
  | "bad_answer"
  /** Redirects are not followed. */
  | "redirect"
  | "bad_status"
  | "timeout"
  /** Aborted by the signal. */
  | "aborted"
  /** An error of this service, not of the receiver. */
  | "internal";

/** The result of an attempt. `status` is set if there was a response. */
export type DeliveryResult =
  | { readonly ok: true; readonly status: number }
  | { readonly ok: false; readonly reason: DeliveryFailure; readonly status?: number };

/** One request to a receiver. */
export interface DeliveryRequest {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Options of {@link deliver}. */
export interface DeliverOptions {
  readonly allowed: AllowList;
  /** Resolves host names. Default: the system's resolver. */
  readonly resolve?: Resolve | undefined;
  /** The time limit for the whole attempt in milliseconds, from name resolution to the response. Default: 30,000. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The maximum duration of an attempt in milliseconds. */
export const ATTEMPT_MS = 30_000;
const MAX_HEADER_BYTES = 16_384;
/**
 * The maximum number of bytes to read from a response body. The body is ignored, but reading it avoids a connection
 * reset.
 */
const MAX_BODY_BYTES = 65_536;
const MAX_BODY_MS = 1_000;
/** The timeout in milliseconds of each address except the last, if a host has several. */
const ADDRESS_MS = 2_000;

/**
 * Sends one request. Resolves the host once, checks its addresses, and connects to one of them. TLS still verifies the
 * host's name. Does not follow redirects or use a proxy. The receiver's behaviour is always part of the result and
 * never causes an error.
 */
export async function deliver(
  request: DeliveryRequest,
  { allowed, resolve, timeoutMs = ATTEMPT_MS, signal }: DeliverOptions,
): Promise<DeliveryResult> {
  const target = checked(request.address, allowed);
  if (target === null) return { ok: false, reason: "address_refused" };
  const end = new AbortController();
  let why: DeliveryFailure = "timeout";
  const onAbort = (): void => {
    why = "aborted";
    end.abort();
  };
  const timer = setTimeout(() => end.abort(), timeoutMs);
  signal?.addEventListener("abort", onAbort, { once: true });
  if (signal?.aborted === true) onAbort();
  try {
    const found = await orNull(usableAddresses(target, allowed, resolve), end.signal);
    if (found === null) return { ok: false, reason: why };
    const { resolved, usable } = found;
    if (!resolved) return { ok: false, reason: "name_not_resolved" };
    if (usable.length === 0) return { ok: false, reason: "address_refused" };
    const result = await post(target, usable, request, end.signal);
    const isCutOff = !result.ok && result.status === undefined && end.signal.aborted;
    return isCutOff ? { ok: false, reason: why } : result;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}

/**
 * Checks the address again, because the rules may have become stricter since the webhook was created. Null if it is not
 * allowed.
 */
function checked(address: string, allowed: AllowList): CheckedAddress | null {
  try {
    return checkAddress(address, allowed);
  } catch (error) {
    if (isQuireError(error)) return null;
    throw error;
  }
}

/** Resolves with the value of the promise; null if the signal is aborted first. */
function orNull<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | null> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) resolve(null);
    signal.addEventListener("abort", () => resolve(null), { once: true });
    promise.then(resolve, reject);
  });
}

function post(
  target: CheckedAddress,
  addresses: readonly LookupAddress[],
  { headers, body }: DeliveryRequest,
  signal: AbortSignal,
): Promise<DeliveryResult> {
  return new Promise((resolve) => {
    let result: DeliveryResult = failed("connection_failed");
    const { request: open, Agent } = target.isHttps ? https : http;
    const request = open({
      method: "POST",
      hostname: target.host,
      port: target.port,
      path: target.path,
      headers: {
        "content-type": "application/json",
        "content-length": body.byteLength,
        "user-agent": "quire",
        ...headers,
      },
      lookup: pinnedLookup(addresses),
      // This agent is separate, because the environment may configure a proxy for the global one.
      agent: new Agent({ keepAlive: false, autoSelectFamilyAttemptTimeout: ADDRESS_MS }),
      maxHeaderSize: MAX_HEADER_BYTES,
      insecureHTTPParser: false,
      rejectUnauthorized: true,
      signal,
    });
    request.on("socket", (socket) => {
      socket.on("connect", () => {
        result = failed(target.isHttps ? "tls_failed" : "connection_closed");
      });
      socket.on("secureConnect", () => {
        result = failed("connection_closed");
      });
    });
    request.on("response", (response) => {
      result = resultOf(response.statusCode ?? 0);
      discard(response);
    });
    request.on("error", (error) => {
      const isParsers = "code" in error && String(error.code).startsWith("HPE_");
      // When the status is known, later errors change nothing.
      if (isParsers && !("status" in result)) result = failed("bad_answer");
    });
    request.on("close", () => resolve(result));
    request.end(body);
  });
}

function failed(reason: DeliveryFailure): DeliveryResult {
  return { ok: false, reason };
}

function resultOf(status: number): DeliveryResult {
  if (status >= 200 && status < 300) return { ok: true, status };
  const isRedirect = status >= 300 && status < 400;
  return { ok: false, reason: isRedirect ? "redirect" : "bad_status", status };
}

function discard(response: IncomingMessage): void {
  let room = MAX_BODY_BYTES;
  const timer = setTimeout(() => response.destroy(), MAX_BODY_MS);
  response.on("data", (chunk: Buffer) => {
    room -= chunk.length;
    if (room < 0) response.destroy();
  });
  // The status is known, so errors while reading the body do not matter.
  response.on("error", () => {});
  response.on("close", () => clearTimeout(timer));
}
