import { isQuireError, QuireError } from "@quire/contracts";
import { type Failure, failureOf, isTransient } from "./failures.ts";
import { UnknownOutcome } from "./retry.ts";

/** An operation of the storage, described for error messages. */
export interface Attempted {
  /** The failure as a sentence, for example `The file "a.docx" cannot be read`. */
  readonly failed: string;
  readonly bucket: string;
}

interface Reason {
  readonly why: (attempted: Attempted) => string;
  readonly fix: string;
}

const CREDENTIALS: Reason = {
  why: () => "the server does not accept the credentials",
  fix: "Check the access key, the secret key and the region of s3Storage or its client.",
};
const EXPIRED: Reason = {
  why: () => "the credentials have expired",
  fix: "Get new credentials, or pass a function that returns new credentials.",
};
const NO_CREDENTIALS: Reason = {
  why: () => "no credentials were found",
  fix: "Pass credentials to s3Storage, or configure the AWS SDK through environment variables, a profile or a role.",
};
const NO_REGION: Reason = {
  why: () => "no region is configured",
  fix: "Pass the region of the bucket to s3Storage, or set AWS_REGION.",
};
const DENIED: Reason = {
  why: ({ bucket }) => `the server denies access to the bucket ${JSON.stringify(bucket)}`,
  fix:
    "Check the credentials and that they have the permissions listed in the README of @quire/storage-s3: " +
    "without s3:ListBucket, S3 also denies access to objects that do not exist.",
};
const NO_BUCKET: Reason = {
  why: ({ bucket }) => `the bucket ${JSON.stringify(bucket)} does not exist`,
  fix: "Create it, or check the bucket, the region and the endpoint that you pass to s3Storage.",
};
const WRONG_REGION: Reason = {
  why: ({ bucket }) => `the bucket ${JSON.stringify(bucket)} is in another region`,
  fix: "Pass the region of the bucket to s3Storage.",
};
const CLOCK: Reason = {
  why: () => "the clock of this machine differs too much from the server's",
  fix: "Set the clock.",
};
const BUSY: Reason = {
  why: () => "the server asks for fewer requests",
  fix: "Try again later, or run fewer jobs at once.",
};
const SERVER: Reason = {
  why: () => "the server failed",
  fix: "Try again later; the server's log has the details.",
};
const UNREACHABLE: Reason = {
  why: () => "the server cannot be reached",
  fix: "Check the endpoint, the region and the network.",
};
const LOST: Reason = {
  why: () => "the connection to the server was lost",
  fix: "Try again later; check the network.",
};
const SLOW: Reason = {
  why: () => "the server did not answer in time",
  fix: "Try again later, or pass a longer requestTimeoutMs to s3Storage.",
};
const DAMAGED: Reason = {
  why: () => "the response was cut off, or its bytes are not the bytes that were written",
  fix:
    "Try again later. If the error persists, another program changed the object but kept the metadata that " +
    "Quire wrote: write the file again.",
};
const FOREIGN_ANSWER: Reason = {
  why: () => "the response is not an S3 response",
  fix: "Check the endpoint: it must speak the S3 protocol.",
};
const TOO_LARGE: Reason = {
  why: () => "the file is larger than the server allows",
  fix: "Make the document smaller.",
};
const ARCHIVED: Reason = {
  why: () => "the object is archived",
  fix: "Restore it first, or exclude the files that Quire reads from lifecycle rules that archive.",
};
const NOT_DELETED: Reason = {
  why: () =>
    "the server reported the deletion, but the object or one of its versions is still there",
  fix: "Remove the object with a tool of the server, and check whether the server supports ?versions and ?versionId: run quire doctor --out s3://BUCKET.",
};
const REFUSED: Reason = {
  why: () => "the server rejected the request",
  fix: "The cause of this error has the server's response.",
};
const UNKNOWN: Reason = {
  why: () => "the S3 client failed",
  fix: "The cause of this error has what the client threw.",
};

const BY_CODE: Readonly<Record<string, Reason>> = {
  InvalidAccessKeyId: CREDENTIALS,
  SignatureDoesNotMatch: CREDENTIALS,
  InvalidToken: CREDENTIALS,
  AuthorizationHeaderMalformed: CREDENTIALS,
  ExpiredToken: EXPIRED,
  TokenRefreshRequired: EXPIRED,
  CredentialsProviderError: NO_CREDENTIALS,
  NoSuchBucket: NO_BUCKET,
  PermanentRedirect: WRONG_REGION,
  RequestTimeTooSkewed: CLOCK,
  SlowDown: BUSY,
  EntityTooLarge: TOO_LARGE,
  InvalidObjectState: ARCHIVED,
  ECONNREFUSED: UNREACHABLE,
  ENOTFOUND: UNREACHABLE,
  EAI_AGAIN: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ECONNRESET: LOST,
  ECONNABORTED: LOST,
  EPIPE: LOST,
  ETIMEDOUT: LOST,
  RequestTimeout: SLOW,
  TimeoutError: SLOW,
  BrokenAnswer: DAMAGED,
  NotDeleted: NOT_DELETED,
};

/** Converts an error into the `QuireError` that the port specifies. Returns a `QuireError` unchanged. */
export function toQuireError(error: unknown, attempted: Attempted): QuireError {
  if (isQuireError(error)) return error;
  const open = error instanceof UnknownOutcome;
  const cause = open ? error.cause : error;
  const failure = failureOf(cause);
  const isWithoutRegion = cause instanceof Error && cause.message === "Region is missing";
  const { why, fix } = isWithoutRegion ? NO_REGION : reasonOf(failure);
  const unknown = open
    ? " The operation may still have succeeded: check before you try again."
    : "";
  return new QuireError(
    "storage_failed",
    `${attempted.failed}: ${why(attempted)}${detail(failure)}. ${fix}${unknown}`,
    { cause, retryable: isTransient(cause) },
  );
}

function reasonOf({ code, status }: Failure): Reason {
  const known = code === null ? undefined : BY_CODE[code];
  if (known !== undefined) return known;
  if (status === null) return UNKNOWN;
  if (status === 401 || status === 403) return DENIED;
  if (status === 429 || status === 503) return BUSY;
  if (status === 301) return WRONG_REGION;
  if (status >= 500) return SERVER;
  return status < 400 ? FOREIGN_ANSWER : REFUSED;
}

/** Formats the code and the status, because administrators search for them. */
function detail({ code, status }: Failure): string {
  const parts = [code === "Unknown" ? null : code, status === null ? null : `status ${status}`];
  const known = parts.filter((part) => part !== null);
  return known.length === 0 ? "" : ` (${known.join(", ")})`;
}
