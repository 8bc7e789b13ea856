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

/** Why an attempt did not succeed. */
export type DeliveryFailure =
  /** The address leads to what webhooks may not reach, or is none. */
  | "address_refused"
  | "name_not_resolved"
  | "connection_failed"
  /** The certificate is not good for the host, or there is no TLS. */
  | "tls_failed"
  /** The receiver hung up before it answered. */
  | "connection_closed"
  /** No HTTP, or headers that are too large. */
  | "bad_answer"
  /** Redirects are not followed. */
  | "redirect"
  | "bad_status"
  | "timeout"
  /** By the signal. */
  | "aborted"
  /** Something that is wrong here, not there. */
  | "internal";

/** What came of an attempt. `status` is there when there was an answer. */
export type DeliveryResult =
  | { readonly ok: true; readonly status: number }
  | { readonly ok: false; readonly reason: DeliveryFailure; readonly status?: number };

/** One request to a receiver. */
export interface Shipment {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Options of {@link deliver}. */
export interface DeliverOptions {
  readonly allowed: AllowList;
  /** By default the system's resolver. */
  readonly resolve?: Resolve | undefined;
  /** For all of it, from the name to the answer. Default 30 s. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How long an attempt may take. */
export const ATTEMPT_MS = 30_000;
const MAX_HEADER_BYTES = 16_384;
/** Of the answer's body, which nobody reads: it is taken up to here, so that usual receivers see no reset. */
const MAX_BODY_BYTES = 65_536;
const MAX_BODY_MS = 1_000;
/** How long each but the last of several addresses is tried. */
const ADDRESS_MS = 2_000;

/**
 * Sends once. The host is resolved once, its addresses are checked, and the connection goes to one of those;
 * TLS is still about the host's name. No redirect is followed and no proxy asked. Whatever the other side
 * does, or does not do, is a result and no error.
 */
export async function deliver(
  shipment: Shipment,
  { allowed, resolve, timeoutMs = ATTEMPT_MS, signal }: DeliverOptions,
): Promise<DeliveryResult> {
  const target = checked(shipment.address, allowed);
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
    const result = await post(target, usable, shipment, end.signal);
    const isCutOff = !result.ok && result.status === undefined && end.signal.aborted;
    return isCutOff ? { ok: false, reason: why } : result;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}

/** The rules may have become stricter since the webhook was made. */
function checked(address: string, allowed: AllowList): CheckedAddress | null {
  try {
    return checkAddress(address, allowed);
  } catch (error) {
    if (isQuireError(error)) return null;
    throw error;
  }
}

/** Null when the signal comes first. */
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
  { headers, body }: Shipment,
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
      // Its own, for the global one may be told to use a proxy by the environment.
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
      // Once there is a status, what goes wrong behind it changes nothing.
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
  // The answer is known; what becomes of its body is of no interest.
  response.on("error", () => {});
  response.on("close", () => clearTimeout(timer));
}
