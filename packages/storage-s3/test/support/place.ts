import { hash, randomUUID } from "node:crypto";
import {
  CreateBucketCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutBucketVersioningCommand,
  S3Client,
  type S3ClientConfig,
} from "@aws-sdk/client-s3";
import { inject } from "vitest";
import type { S3StorageOptions } from "../../src/index.ts";
import type { Radosgw } from "./radosgw.ts";

/** Time limit for the first test file, whose request starts the server. */
export const START_TIMEOUT_MS = 180_000;

let server: Promise<Radosgw> | undefined;

/** Returns the S3 server that all test files share. */
export function radosgw(): Promise<Radosgw> {
  server ??= askForServer();
  return server;
}

async function askForServer(): Promise<Radosgw> {
  const answer = await fetch(inject("radosgwDesk"));
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as Radosgw;
}

/** A separate bucket for a test file, and the options for a storage over it. */
export interface Place {
  readonly bucket: string;
  /** Accesses the server directly, without the storage. */
  readonly client: S3Client;
  readonly options: S3StorageOptions & { readonly endpoint: string };
}

export async function makePlace(kind: "plain" | "versioned" = "plain"): Promise<Place> {
  const { endpoint, ...credentials } = await radosgw();
  const bucket = `${kind}-${randomUUID()}`;
  const options = { endpoint, credentials, bucket };
  const client = clientFor(options);
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  if (kind === "versioned") {
    const VersioningConfiguration = { Status: "Enabled" } as const;
    await client.send(new PutBucketVersioningCommand({ Bucket: bucket, VersioningConfiguration }));
  }
  return { bucket, client, options };
}

/** Creates a client like that of a program that knows nothing about Quire. */
export function clientFor({
  endpoint,
  credentials,
}: Pick<S3ClientConfig, "endpoint" | "credentials">): S3Client {
  return new S3Client({
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(credentials === undefined ? {} : { credentials }),
    region: "us-east-1",
    forcePathStyle: true,
    maxAttempts: 1,
    requestChecksumCalculation: "WHEN_REQUIRED",
  });
}

/** Removes `If-None-Match` from these commands, so that the server behaves like one that does not know the header. */
export function withoutCondition(client: S3Client, ...commands: string[]): S3Client {
  client.middlewareStack.add(
    (next, { commandName = "" }) =>
      async (args) => {
        if (commands.includes(commandName)) delete Object(args.request).headers["if-none-match"];
        return next(args);
      },
    { step: "build" },
  );
  return client;
}

/** Returns the keys with the prefix, including keys that the storage hides. */
export async function keysIn({ client, bucket }: Place, prefix = ""): Promise<string[]> {
  const input = { Bucket: bucket, Prefix: prefix };
  const { Contents = [] } = await client.send(new ListObjectsV2Command(input));
  return Contents.map(({ Key }) => Key ?? "");
}

/** Returns the keys of multipart uploads that were begun and neither completed nor aborted. */
export async function openUploads({ client, bucket }: Place, prefix: string): Promise<string[]> {
  const input = { Bucket: bucket, Prefix: prefix };
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand(input));
  return Uploads.map(({ Key }) => Key ?? "");
}

export const OUT = { type: "folder", id: "out" } as const;

export function file(id: string): { readonly type: "file"; readonly id: string } {
  return { type: "file", id };
}

export function text(content: string): Uint8Array {
  return new TextEncoder().encode(content);
}

/** Creates bytes with a period of 16 MiB, so that tests notice if a part is lost or duplicated. */
export function pattern(size: number, seed: number): Uint8Array {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += 1) bytes[at] = (at * 31 + (at >> 8) + (at >> 16) + seed) & 255;
  return bytes;
}

export function sha256(bytes: Uint8Array): string {
  return hash("sha256", bytes);
}
