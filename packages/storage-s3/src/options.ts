import { S3Client, type S3ClientConfig } from "@aws-sdk/client-s3";
import { QuireError } from "@quire/core/host";
import type { Bucket } from "./bucket.ts";
import { idProblem } from "./keys.ts";

/** What `s3Storage` needs: a bucket, and either a client or how to make one. */
export interface S3StorageOptions {
  readonly bucket: string;
  /** What the keys begin with, for example `"quire/letters"`: the root of the storage. Default: the whole bucket. */
  readonly prefix?: string;
  /**
   * A client of your own, which you close. Settings of the connection then are its own; give it
   * `maxAttempts: 1`, since the storage retries. Without it the storage makes one.
   */
  readonly client?: S3Client;
  /** Default: what the AWS SDK finds (`AWS_REGION`, the profile); `"us-east-1"` with an endpoint. */
  readonly region?: string;
  /** The URL of a server other than AWS, for example `"http://127.0.0.1:9000"`. */
  readonly endpoint?: string;
  /** Fixed ones, or a function that gives new ones when they expire. Default: what the AWS SDK finds. */
  readonly credentials?: NonNullable<S3ClientConfig["credentials"]>;
  /** Whether the bucket stands in the path of the URL and not in its host. Default: true with an endpoint. */
  readonly forcePathStyle?: boolean;
  /**
   * Whether the SDK sends and checks CRC checksums wherever S3 has them, beside the SHA-256 that signs every
   * body. Default: `"when_supported"`, with an endpoint `"when_required"`, as not every server knows them.
   */
  readonly checksums?: "when_supported" | "when_required";
  /** How long a request may take, with a second more for every 128 kB that travel. Default 30,000. */
  readonly requestTimeoutMs?: number;
  /** How often a request is tried. Default 6. */
  readonly attempts?: number;
  /** For how long a request is tried again: after that no further attempt begins. Default 60,000. */
  readonly totalTimeoutMs?: number;
}

/** The bucket and the prefix that the options name. Rejects `invalid_request` for what makes no sense. */
export function parseOptions(options: S3StorageOptions): { bucket: Bucket; prefix: string } {
  const {
    bucket: name,
    requestTimeoutMs = 30_000,
    attempts = 6,
    totalTimeoutMs = 60_000,
  } = options;
  if (name === "") throw invalid("the bucket has no name", "Give the name of a bucket");
  if (!Number.isInteger(attempts) || attempts < 1) {
    throw invalid("attempts must be a whole number from 1", "Give such a number, or none for 6");
  }
  for (const [key, value] of Object.entries({ requestTimeoutMs, totalTimeoutMs })) {
    // A longer time of a timer is none.
    if (value > 0 && value < 2 ** 31) continue;
    throw invalid(`${key} must be a time in milliseconds`, "Give a number above 0, or none");
  }
  const patience = { requestTimeoutMs, attempts, totalTimeoutMs };
  const client = options.client ?? makeClient(options);
  if (options.client !== undefined) refuseSettings(options);
  return { bucket: { client, name, patience, seen: false }, prefix: parsePrefix(options.prefix) };
}

const CONNECTION = ["region", "endpoint", "credentials", "forcePathStyle", "checksums"] as const;

function refuseSettings(options: S3StorageOptions): void {
  const given = CONNECTION.filter((key) => options[key] !== undefined);
  if (given.length === 0) return;
  throw invalid(
    `a client is given, and also ${given.join(", ")}, which only a client of the storage's own would use`,
    "Give them to the client, or leave the client out",
  );
}

/** The engine bounds what is in work; whoever waits here for a connection would use up the time of the request. */
const MOST_CONNECTIONS = 256;

function makeClient(options: S3StorageOptions): S3Client {
  const { endpoint, credentials, region, requestTimeoutMs = 30_000 } = options;
  const custom = endpoint !== undefined;
  const checksums = options.checksums ?? (custom ? "when_required" : "when_supported");
  const calculation = checksums === "when_required" ? "WHEN_REQUIRED" : "WHEN_SUPPORTED";
  return new S3Client({
    ...(custom ? { endpoint, region: region ?? "us-east-1" } : {}),
    ...(region === undefined ? {} : { region }),
    ...(credentials === undefined ? {} : { credentials }),
    forcePathStyle: options.forcePathStyle ?? custom,
    requestChecksumCalculation: calculation,
    responseChecksumValidation: calculation,
    maxAttempts: 1,
    requestHandler: {
      connectionTimeout: requestTimeoutMs,
      httpAgent: { maxSockets: MOST_CONNECTIONS },
      httpsAgent: { maxSockets: MOST_CONNECTIONS },
    },
  });
}

/** The prefix as keys have it: `""`, or something that ends with "/". */
function parsePrefix(prefix = ""): string {
  const path = prefix.endsWith("/") ? prefix.slice(0, -1) : prefix;
  if (prefix === "") return "";
  const problem = idProblem(path);
  if (problem === null) return `${path}/`;
  throw invalid(
    `the prefix ${JSON.stringify(prefix)} ${problem}`,
    'Give segments joined by "/", or none for the whole bucket',
  );
}

function invalid(why: string, fix: string): QuireError {
  return new QuireError("invalid_request", `The S3 storage cannot be made: ${why}. ${fix}.`);
}
