import { isQuireError, jobStoreProblems, QuireError } from "@quire/contracts";

/** The error code that our functions raise when a worker is not registered any more. */
export const LEASE_LOST = "QU001";
/** The error codes of other conditions that our functions raise. The store handles them. */
export const NAMES_TAKEN = "QU002";
export const UNKNOWN_CONTENT = "QU003";
export const STORE_FULL = "QU004";

/** SQLSTATEs of a server that accepts no writes. */
const READ_ONLY = "25006";
const DISK_FULL = "53100";

/** SQLSTATE insufficient_privilege. The message of the server names the table or the schema. */
const LACKS_RIGHT = "42501";

/** After these errors, the same transaction can succeed: deadlock, serialization, and a row that was just deleted. */
const REPEATABLE = new Set(["40P01", "40001", "23503"]);

/** SQLSTATEs for a prepared statement that the connection does not have, or has twice. */
const UNPREPARED = new Set(["26000", "42P05"]);

interface Reason {
  readonly why: string;
  readonly fix: string;
  readonly retryable: boolean;
}

const reason = (why: string, fix: string, retryable = true): Reason => ({ why, fix, retryable });

/** SQLSTATEs (https://www.postgresql.org/docs/current/errcodes-appendix.html), and codes of Node. */
const REASONS: Readonly<Record<string, Reason>> = {
  "28P01": reason("the password is wrong", "Correct the user or the password in the URL.", false),
  "28000": reason(
    "the server refuses this user",
    "Check the user in the URL, and pg_hba.conf on the server. If it demands encryption, add ?sslmode=verify-full to the URL.",
    false,
  ),
  "3D000": reason("the database does not exist", "Create it with `createdb`.", false),
  [LACKS_RIGHT]: reason(
    "the user lacks a right",
    "Run `quire migrate --grant-to USER` as the owner of the database, with the name of this user, or grant it CREATE on the database.",
    false,
  ),
  "3F000": reason("the schema does not exist", "Run `quire migrate`.", false),
  "42P01": reason("a table is missing", "Run `quire migrate`, or restore a backup.", false),
  "42883": reason("a function is missing", "Run `quire migrate`, or restore a backup.", false),
  [DISK_FULL]: reason("the disk of the server is full", "Free some space on the server."),
  "53200": reason("the server is out of memory", "Try again later, or give it more memory."),
  "53300": reason(
    "the server has no free connection",
    "Raise max_connections, lower the number of connections of each process, or use PgBouncer in transaction mode.",
  ),
  [READ_ONLY]: reason(
    "the server is read-only, like a standby",
    "Connect to the primary, or set default_transaction_read_only to off. After a failover, promote the standby.",
  ),
  "57P01": reason("the server was shut down", "Start it again."),
  "57P02": reason("a process of the server crashed", "See the log of the server."),
  "57P03": reason("the server does not accept connections yet", "Wait until it has started."),
  "57014": reason("a statement took too long", "Check the load of the server, then try again."),
  "55P03": reason("a lock could not be acquired in time", "Try again."),
  ECONNREFUSED: reason("nothing listens at this address", "Start the server, or correct the URL."),
  ENOTFOUND: reason(
    "the host is unknown",
    "Correct the host in the URL, or check the name server.",
  ),
  EAI_AGAIN: reason("the name server does not answer", "Check the network."),
  ENOENT: reason("the Unix socket does not exist", "Start the server, or correct the URL."),
  DEPTH_ZERO_SELF_SIGNED_CERT: tls("the server's certificate is self-signed"),
  SELF_SIGNED_CERT_IN_CHAIN: tls("the server's certificate comes from an unknown authority"),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: tls("the server's certificate comes from an unknown authority"),
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: tls(
    "the server's certificate comes from an unknown authority",
  ),
  ERR_TLS_CERT_ALTNAME_INVALID: tls("the server's certificate is for another host"),
  CERT_HAS_EXPIRED: tls("the server's certificate has expired"),
};

function tls(why: string): Reason {
  return reason(
    why,
    "Add &sslrootcert=FILE with the certificate of the authority to the URL, or sslmode=disable if the network is safe.",
    false,
  );
}

/** Errors whose code says too little. */
const MESSAGES: readonly (readonly [pattern: RegExp, reason: Reason])[] = [
  [
    /^role ".*" does not exist$/,
    reason("the user does not exist", "Create it with `createuser`, or correct its name.", false),
  ],
  [
    /does not support SSL/,
    reason(
      "the server does not support TLS, which is required for other machines",
      "Turn on ssl on the server, or add ?sslmode=disable to the URL if the network is safe.",
      false,
    ),
  ],
  [
    /(transaction|statement).*(pool|not allowed)|not allowed in statement/i,
    reason(
      "PgBouncer runs in statement mode",
      "Set pool_mode = transaction, and give the URL without PgBouncer as directUrl (--direct-database).",
      false,
    ),
  ],
];

/** Converts an error of `pg` into the error of the port. Returns a `QuireError` unchanged. */
export function toQuireError(error: unknown, place: string): QuireError {
  if (isQuireError(error)) return error;
  const code = codeOf(error);
  if (code === LEASE_LOST) return jobStoreProblems.leaseLost();
  const text = error instanceof Error ? error.message : String(error);
  const known = REASONS[code] ?? MESSAGES.find(([pattern]) => pattern.test(text))?.[1];
  // Classes 22, 23, 42 and 54 are faults of our statements, or values that are too long for an index. Everything else
  // concerns the connection or the server.
  const { why, fix, retryable } =
    known ??
    reason(`it reported: ${text}`, "See the log of the server.", !/^(22|23|42|54)/.test(code));
  const what = code === LACKS_RIGHT ? `${why} (${text})` : why;
  return failure(place, { why: what, fix, retryable }, error);
}

function failure(place: string, { why, fix, retryable }: Reason, cause?: unknown): QuireError {
  const message = `The PostgreSQL database ${place} failed: ${why}. ${fix}`;
  return new QuireError("job_store_failed", message, { cause, retryable });
}

/** The error of a server that answers, but would reject a write. */
export function noWrites(place: string, because: "read-only" | "full"): QuireError {
  const code = because === "full" ? DISK_FULL : READ_ONLY;
  return failure(place, REASONS[code] as Reason);
}

/**
 * Whether a statement failed because it was prepared: a pooler has changed the connection, or an update of the tables
 * has changed the columns of its result.
 */
export function isUnprepared(error: unknown): boolean {
  const isChanged = error instanceof Error && /cached plan must not change/.test(error.message);
  return isChanged || UNPREPARED.has(codeOf(error));
}

/** Whether a write failed because the disk of the server is full. */
export function isDiskFull(error: unknown): boolean {
  return codeOf(error) === DISK_FULL;
}

/** The SQLSTATE of an error, or the code of Node; "" if it has none. Looks through a `QuireError`. */
export function codeOf(error: unknown): string {
  const from = isQuireError(error) ? error.cause : error;
  const code = from instanceof Error && "code" in from ? from.code : null;
  return typeof code === "string" ? code : "";
}

/** The detail that one of our functions has added to an error, or null. */
export function detailOf(error: unknown): string | null {
  const from = isQuireError(error) ? error.cause : error;
  const detail = from instanceof Error && "detail" in from ? from.detail : null;
  return typeof detail === "string" ? detail : null;
}

/** Whether the same transaction can succeed if it is tried again immediately. */
export function isRepeatable(error: unknown): boolean {
  return REPEATABLE.has(codeOf(error));
}

/** Whether the server rejected a statement, and keeps the connection. */
export function isOfStatement(error: unknown): boolean {
  return error instanceof Error && "severity" in error && error.severity === "ERROR";
}
