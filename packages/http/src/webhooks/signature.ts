import { createHmac } from "node:crypto";

/**
 * What deliveries are signed with. Receivers hold each signature against the key of the same place, so keys are
 * rotated one at a time: the other one is accepted until they know the new one.
 */
export interface SigningKeys {
  readonly primary: string;
  readonly secondary?: string | undefined;
}

/**
 * A moment as headers and bodies have it: `2026-01-31T12:00:00+00:00`. It is cut to whole seconds, since a
 * receiver refuses what is later than its own clock. `at` is in milliseconds since 1970.
 */
export function timestampOf(at: number): string {
  return new Date(at).toISOString().slice(0, "2026-01-31T12:00:00".length) + "+00:00";
}

/** The base64 of HMAC-SHA256 over the bytes of the body and then those of the timestamp. */
export function signatureOf(key: string, body: Uint8Array, timestamp: string): string {
  return createHmac("sha256", key).update(body).update(timestamp).digest("base64");
}

/**
 * The headers that a receiver checks a delivery with. They hold for some minutes only, so each attempt has
 * its own; `deliveryId` stays the same. `at` is the moment of the attempt, in milliseconds since 1970.
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
