import { createHmac } from "node:crypto";

/**
 * The keys that sign deliveries. A receiver accepts a delivery if one of the signatures matches the corresponding key.
 * To rotate keys, replace one at a time: receivers accept the other key until they know the new one.
 */
export interface SigningKeys {
  /** The key of `BOX-SIGNATURE-PRIMARY`. Not empty. */
  readonly primary: string;
  /** The key of `BOX-SIGNATURE-SECONDARY`. Not empty. Default: no such header. */
  readonly secondary?: string | undefined;
}

/**
 * Returns a time in the format of headers and bodies, such as `2026-01-31T12:00:00+00:00`. Rounds down to whole
 * seconds, because a receiver rejects times that are later than its clock. `at` is in milliseconds since 1970.
 */
export function timestampOf(at: number): string {
  return new Date(at).toISOString().slice(0, "2026-01-31T12:00:00".length) + "+00:00";
}

/** Returns the HMAC-SHA256 of the bytes of the body followed by the bytes of the timestamp, in base64. */
export function signatureOf(key: string, body: Uint8Array, timestamp: string): string {
  return createHmac("sha256", key).update(body).update(timestamp).digest("base64");
}

/**
 * Returns the headers with which a receiver verifies a delivery. They are valid only for a few minutes, so each attempt
 * gets new headers; `deliveryId` does not change. `at` is the time of the attempt, in milliseconds since 1970.
 */
export function signedHeaders(
  keys: SigningKeys,
  deliveryId: string,
  body: Uint8Array,
  at: number,
): Record<string, string> {
  const timestamp = timestampOf(at);
  const headers: Record<string, string> = {
    "BOX-DELIVERY-ID": deliveryId,
    "BOX-DELIVERY-TIMESTAMP": timestamp,
    "BOX-SIGNATURE-VERSION": "1",
    "BOX-SIGNATURE-ALGORITHM": "HmacSHA256",
    "BOX-SIGNATURE-PRIMARY": signatureOf(keys.primary, body, timestamp),
  };
  if (keys.secondary !== undefined) {
    headers["BOX-SIGNATURE-SECONDARY"] = signatureOf(keys.secondary, body, timestamp);
  }
  return headers;
}
