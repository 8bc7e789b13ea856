import type { S3Client } from "@aws-sdk/client-s3";
import { type Attempt, type AttemptOptions, type RetryPolicy, withRetries } from "./retry.ts";

/** A bucket, with its client and its retry settings. */
export interface Bucket {
  readonly client: S3Client;
  readonly name: string;
  readonly retryPolicy: RetryPolicy;
  /**
   * Whether the bucket is known to exist. A failed HEAD request does not say whether the key or the bucket is missing.
   */
  seen: boolean;
}

/** Options for every command. */
export interface SendOptions {
  readonly abortSignal: AbortSignal;
}

/** Sends a request through the client, with retries. Rejects with the client's last error. */
export function sendRequest<T>(
  bucket: Bucket,
  options: AttemptOptions,
  send: (options: SendOptions, attempt: Attempt) => Promise<T>,
): Promise<T> {
  return withRetries(bucket.retryPolicy, options, (attempt) => {
    return send({ abortSignal: attempt.signal }, attempt);
  });
}
