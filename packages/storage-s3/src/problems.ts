import { isQuireError, QuireError } from "@quire/core/host";
import { type Failure, failureOf, isTransient } from "./failures.ts";
import { UnknownOutcome } from "./retry.ts";

/** What was tried, in the words of an error message. */
export interface Attempted {
  /** What did not come about, for example `The file "a.docx" cannot be read`. */
  readonly failed: string;
  readonly bucket: string;
}

interface Reason {
  readonly why: (attempted: Attempted) => string;
  readonly fix: string;
}

const CREDENTIALS: Reason = {
  why: () => "the server does not accept the credentials",
  fix: "Check the access key, the secret key and the region that s3Storage or its client is given.",
};
const EXPIRED: Reason = {
  why: () => "the credentials have expired",
  fix: "Get new ones, or give credentials as a function that does so.",
};
const NO_CREDENTIALS: Reason = {
  why: () => "no credentials were found",
  fix: "Give s3Storage credentials, or set up what the AWS SDK looks for: its environment variables, a profile or a role.",
};
const DENIED: Reason = {
  why: ({ bucket }) => `the server denies access to the bucket ${JSON.stringify(bucket)}`,
  fix:
    "Check the credentials, and that they have the permissions which the README of @quire/storage-s3 lists: " +
    "without s3:ListBucket, S3 answers so also for what is not there.",
};
const NO_BUCKET: Reason = {
  why: ({ bucket }) => `there is no bucket ${JSON.stringify(bucket)}`,
  fix: "Create it, or check the bucket, the region and the endpoint that s3Storage is given.",
};
const WRONG_REGION: Reason = {
  why: ({ bucket }) => `the bucket ${JSON.stringify(bucket)} is in another region`,
  fix: "Give s3Storage the region of the bucket.",
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
  fix: "Try again later; the server's own log tells more.",
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
  fix: "Try again later, or give s3Storage a longer requestTimeoutMs.",
};
const DAMAGED: Reason = {
  why: () => "what the server sent was cut off, or is not what was written",
  fix:
    "Try again later. When it stays so, another program changed the object and kept the metadata that Quire " +
    "wrote: write the file anew.",
};
const FOREIGN_ANSWER: Reason = {
  why: () => "the answer is none of S3",
  fix: "Check the endpoint: it must speak the S3 protocol.",
};
const TOO_LARGE: Reason = {
  why: () => "the file is larger than the server takes",
  fix: "Make the document smaller.",
};
const ARCHIVED: Reason = {
  why: () => "the object is archived",
  fix: "Restore it first, or keep what Quire reads out of archiving lifecycle rules.",
};
const REFUSED: Reason = {
  why: () => "the server refused the request",
  fix: "Its answer is in the cause of this error.",
};
const UNKNOWN: Reason = {
  why: () => "the S3 client failed",
  fix: "What it threw is in the cause of this error.",
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
};

/** What was thrown below, as the `QuireError` that the port promises; a `QuireError` stays itself. */
export function toQuireError(error: unknown, attempted: Attempted): QuireError {
  if (isQuireError(error)) return error;
  const open = error instanceof UnknownOutcome;
  const cause = open ? error.cause : error;
  const failure = failureOf(cause);
  const { why, fix } = reasonOf(failure);
  const unknown = open
    ? " Whether it was done nevertheless is not known: look before you try again."
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

/** Code and status, as what an administrator looks for. */
function detail({ code, status }: Failure): string {
  const parts = [code === "Unknown" ? null : code, status === null ? null : `status ${status}`];
  const told = parts.filter((part) => part !== null);
  return told.length === 0 ? "" : ` (${told.join(", ")})`;
}
