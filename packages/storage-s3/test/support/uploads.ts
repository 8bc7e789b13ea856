import { randomUUID } from "node:crypto";
import { HeadObjectCommand } from "@aws-sdk/client-s3";
import type { TestContext } from "vitest";
import { type S3StorageOptions, s3Storage } from "../../src/index.ts";
import { type Fault, type FaultProxy, faultProxy, faults, type Seen } from "./fault-proxy.ts";
import { clientFor, type Place, withoutCondition } from "./place.ts";

/** Whether a request uploads a part of a multipart upload. */
export const isPart = ({ method, url }: Seen) =>
  method === "PUT" && url.searchParams.has("partNumber");
/** Whether a request is the first step of a multipart upload. */
export const isStart = ({ method, url }: Seen) =>
  method === "POST" && url.searchParams.has("uploads");
/** Whether a request is the last step of a multipart upload. */
export const isEnd = ({ method, url }: Seen) =>
  method === "POST" && url.searchParams.has("uploadId");
/** Whether a request tests the server. */
export const isProbe = ({ url }: Seen) => url.pathname.includes(".quire-probe-");

/** Creates a storage behind a proxy, and a separate folder. */
export async function proxied(
  place: Place,
  context: TestContext,
  options: Partial<S3StorageOptions> = {},
) {
  const proxy = await faultProxy(place.options.endpoint);
  context.onTestFinished(() => proxy[Symbol.asyncDispose]());
  const storage = s3Storage({ ...place.options, ...options, endpoint: proxy.endpoint });
  return { proxy, storage, folder: { type: "folder", id: randomUUID() } as const };
}

/** Creates a storage that omits the condition in the last step of an upload, as if the server ignored it there. */
export async function overwriting(place: Place, context: TestContext) {
  const opened = await proxied(place, context);
  const options = { ...place.options, endpoint: opened.proxy.endpoint };
  const client = withoutCondition(clientFor(options), "CompleteMultipartUploadCommand");
  context.onTestFinished(() => client.destroy());
  return { ...opened, storage: s3Storage({ client, bucket: place.bucket }) };
}

/**
 * Creates a storage behind a proxy that honors `If-None-Match` in the last step of an upload, one upload at a time.
 * Radosgw ignores the header there.
 */
export async function honouring(
  place: Place,
  context: TestContext,
  options: Partial<S3StorageOptions> = {},
) {
  const opened = await proxied(place, context, options);
  let last: Promise<unknown> = Promise.resolve();
  const honour: Fault = (exchange) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = last;
    last = promise;
    return before.then(() => checkedEnd(place, exchange)).finally(resolve);
  };
  opened.proxy.plan = (seen) =>
    isEnd(seen) && seen.headers["if-none-match"] === "*" ? honour : null;
  return opened;
}

async function checkedEnd(place: Place, exchange: Parameters<Fault>[0]): Promise<void> {
  const Key = decodeURIComponent(exchange.seen.url.pathname).slice(place.bucket.length + 2);
  const head = new HeadObjectCommand({ Bucket: place.bucket, Key });
  const free = await place.client.send(head).then(
    () => false,
    () => true,
  );
  await (free ? faults.none : faults.answer(412, "PreconditionFailed"))(exchange);
}

/** Applies the fault to the first matching request that does not test the server. */
export function failOnce(proxy: FaultProxy, which: (seen: Seen) => boolean, fault: Fault): void {
  let met = false;
  proxy.plan = (seen) => {
    if (met || !which(seen) || isProbe(seen)) return null;
    met = true;
    return fault;
  };
}

/** Returns the write requests, except those that test the server. */
export function writes(proxy: FaultProxy): Seen[] {
  return proxy.seen.filter((seen) => ["PUT", "POST"].includes(seen.method) && !isProbe(seen));
}
