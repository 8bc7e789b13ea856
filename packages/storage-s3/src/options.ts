import { S3Client, type S3ClientConfig } from "@aws-sdk/client-s3";
import { checkOptions, type OptionNames, QuireError } from "@quire/contracts";
import type { Bucket } from "./bucket.ts";
import { idProblem } from "./keys.ts";

/** Options of `s3Storage`: a bucket, and either a client or the settings to create one. */
export interface S3StorageOptions {
  /** The name of an existing bucket. */
  readonly bucket: string;
  /** The prefix of all keys, for example `"quire/letters"`: the root of the storage. Default: the whole bucket. */
  readonly prefix?: string;
  /**
   * Your own client, which you close. It must have all connection settings; set its `maxAttempts` to 1, because the
   * storage retries. Without this option, the storage creates a client.
   */
  readonly client?: S3Client;
  /** Default: the region that the AWS SDK finds (`AWS_REGION`, the profile); `"us-east-1"` with an endpoint. */
  readonly region?: string;
  /** The URL of a server other than AWS, for example `"http://127.0.0.1:9000"`. */
  readonly endpoint?: string;
  /**
   * Fixed credentials, or a function that returns new ones when they expire. Default: the credentials that the AWS SDK
   * finds.
   */
  readonly credentials?: NonNullable<S3ClientConfig["credentials"]>;
  /** Whether the bucket is in the path of the URL instead of its host. Default: true with an endpoint. */
  readonly forcePathStyle?: boolean;
  /**
   * Whether the SDK sends and checks CRC checksums wherever S3 supports them, in addition to the SHA-256 that signs
   * every body. Default: `"when_supported"`; with an endpoint, `"when_required"`, because not every server supports
   * them.
   */
  readonly checksums?: "when_supported" | "when_required";
  /** Time limit of a request in milliseconds, plus one second per 128 kB transferred. Default 30,000. */
  readonly requestTimeoutMs?: number;
  /** Maximum number of attempts per request. Default 6. */
  readonly attempts?: number;
  /** Time in milliseconds after which no further attempt at a request begins. Default 60,000. */
  readonly totalTimeoutMs?: number;
}

const NAMES: OptionNames<S3StorageOptions> = {
  bucket: true,
  prefix: true,
  client: true,
  region: true,
  endpoint: true,
  credentials: true,
  forcePathStyle: true,
  checksums: true,
  requestTimeoutMs: true,
  attempts: true,
  totalTimeoutMs: true,
};

/** Returns the bucket and the prefix from the options. Throws `invalid_request` for invalid options. */
export function parseOptions(options: S3StorageOptions): { bucket: Bucket; prefix: string } {
  checkOptions("s3Storage()", options, NAMES);
  const {
    bucket: name,
    requestTimeoutMs = 30_000,
    attempts = 6,
    totalTimeoutMs = 60_000,
  } = options;
  if (typeof name !== "string" || name === "") {
    throw invalid(
      "the bucket has no name",
      'Pass the name of a bucket: s3Storage({ bucket: "letters" })',
    );
  }
  if (!["when_supported", "when_required", undefined].includes(options.checksums)) {
    throw invalid(
      `checksums cannot be ${JSON.stringify(options.checksums)}`,
      'Pass "when_supported" or "when_required", or omit it',
    );
  }
  if (!Number.isInteger(attempts) || attempts < 1) {
    throw invalid(
      "attempts must be a positive integer",
      "Pass a valid number, or omit it to use 6",
    );
  }
  for (const [key, value] of Object.entries({ requestTimeoutMs, totalTimeoutMs })) {
    // Node fires a timer immediately if its delay is longer.
    if (value > 0 && value < 2 ** 31) continue;
    throw invalid(`${key} must be a time in milliseconds`, "Pass a number above 0, or omit it");
  }
  const retryPolicy = { requestTimeoutMs, attempts, totalTimeoutMs };
  const client = options.client ?? makeClient(options);
  if (options.client !== undefined) refuseSettings(options);
  return {
    bucket: { client, name, retryPolicy, seen: false },
    prefix: parsePrefix(options.prefix),
  };
}

const CONNECTION = ["region", "endpoint", "credentials", "forcePathStyle", "checksums"] as const;

function refuseSettings(options: S3StorageOptions): void {
  const given = CONNECTION.filter((key) => options[key] !== undefined);
  if (given.length === 0) return;
  throw invalid(
    `a client is given together with ${given.join(", ")}, which apply only to a client that the storage creates`,
    "Set them on your client, or omit the client",
  );
}

/** This limit is high, because a request's time includes waiting for a connection. The engine limits concurrency. */
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

/** Returns the prefix as it appears in keys: `""`, or a string that ends with "/". */
function parsePrefix(prefix = ""): string {
  const path = prefix.endsWith("/") ? prefix.slice(0, -1) : prefix;
  if (prefix === "") return "";
  const problem = idProblem(path);
  if (problem === null) return `${path}/`;
  throw invalid(
    `the prefix ${JSON.stringify(prefix)} ${problem}`,
    'Pass segments joined by "/", or omit it for the whole bucket',
  );
}

function invalid(why: string, fix: string): QuireError {
  return new QuireError("invalid_request", `The S3 storage cannot be created: ${why}. ${fix}.`);
}
