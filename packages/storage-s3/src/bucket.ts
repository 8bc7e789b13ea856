import type { S3Client } from "@aws-sdk/client-s3";
import { type Attempt, type Patience, retrying, type Tried } from "./retry.ts";

/** A bucket, and how it is spoken to. */
export interface Bucket {
  readonly client: S3Client;
  readonly name: string;
  readonly patience: Patience;
  /** Whether it is known that there is such a bucket: the answer to a HEAD does not tell what is missing. */
  seen: boolean;
}

/** What every command is sent with. */
export interface SendOptions {
  readonly abortSignal: AbortSignal;
}

/** Sends a request by the client, with retries. Rejects with what came out of the client at last. */
export function ask<T>(
  bucket: Bucket,
  tried: Tried,
  send: (options: SendOptions, attempt: Attempt) => Promise<T>,
): Promise<T> {
  return retrying(bucket.patience, tried, (attempt) => {
    return send({ abortSignal: attempt.signal }, attempt);
  });
}
