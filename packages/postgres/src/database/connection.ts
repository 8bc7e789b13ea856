import { isIP } from "node:net";
import { QuireError } from "@quire/contracts";
import pg from "pg";
import { parse } from "pg-connection-string";

/** Where the data is. A heartbeat thread gets a copy, so it has only plain values. */
export interface Place {
  /** As in libpq: `postgres://user@host/database`. */
  readonly url: string;
  /** The same database without a pooler: for `LISTEN`, locks of sessions, and leases. */
  readonly directUrl: string;
  readonly schema: string;
}

/** How long to wait for a connection. */
const CONNECT_MS = 5000;
/**
 * After this time, a statement is cancelled. A little later, one without an answer counts as lost: after a failover, an
 * old connection may lead to a server that does not exist any more. The largest statements carry a template.
 */
const STATEMENT_MS = 20_000;
const ANSWER_MS = STATEMENT_MS + 5000;
/** After this time without traffic, the system begins to check whether the server is still there. Its default: 2 hours. */
const KEEP_ALIVE_MS = 5000;

/**
 * Settings of each connection. Each statement is written for certain indexes. With stale statistics, PostgreSQL would
 * read whole tables instead, and keep such a plan while the table grows. The JIT compiler would take longer than most
 * statements.
 */
export const SESSION_SETTINGS = [
  "jit = off",
  ...["seqscan", "bitmapscan", "hashjoin", "mergejoin"].map((way) => `enable_${way} = off`),
  `statement_timeout = ${STATEMENT_MS}`,
  "idle_in_transaction_session_timeout = 30000",
]
  .map((setting) => `SET ${setting}`)
  .join("; ");

/** Numbers that fit into a double. All `bigint` columns are counters, sizes and times. */
const INT8 = 20;
const types = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format),
};

/**
 * Returns the configuration of a connection. A server on another machine must use TLS with a valid certificate, unless
 * the URL has an `sslmode`. Throws `invalid_request` if the URL is not one of a PostgreSQL database.
 */
export function connectionConfig(url: string, answerMs = ANSWER_MS): pg.ClientConfig {
  const parsed = parsedUrl(url);
  const { host, port, user, password, database, ssl } = parsed;
  return {
    ...(host ? { host } : {}),
    ...(port ? { port: Number(port) } : {}),
    ...(user ? { user } : {}),
    ...(password === undefined ? {} : { password }),
    ...(database ? { database } : {}),
    ssl: tlsOf(url, host ?? null, ssl),
    application_name: "quire",
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    connectionTimeoutMillis: Math.min(CONNECT_MS, answerMs),
    query_timeout: answerMs,
    types,
  };
}

/** The host, port and database of a URL, without user and password. */
export function placeName(url: string): string {
  const { host, port, database } = parsedUrl(url);
  return `${host || "localhost"}:${port || "5432"}/${database || ""}`;
}

function parsedUrl(url: string): ReturnType<typeof parse> {
  // A # or / in a password would make part of it a host or a database, and messages quote these.
  const isUrl = typeof url === "string" && /^postgres(ql)?:\/\/[^#/]*(\/[^#@]*)?$/.test(url);
  try {
    if (isUrl) return parse(withStrictTls(url));
  } catch {}
  if (isUrl && /^[^/]*\/\/([^/]*@)?[^/@]*,/.test(url)) {
    throw new QuireError(
      "invalid_request",
      "The URL of the database names several hosts. Use one name or address that always leads to the primary, such as a proxy.",
    );
  }
  throw new QuireError(
    "invalid_request",
    "The URL of the database must have the form postgres://user@host:5432/database. Percent-encode special characters in the password.",
  );
}

/** `require` and `verify-ca` would accept the certificate of another server. */
function withStrictTls(url: string): string {
  return url.replace(/([?&]sslmode=)(require|prefer|verify-ca)\b/, "$1verify-full");
}

function tlsOf(
  url: string,
  host: string | null,
  ssl: ReturnType<typeof parse>["ssl"],
): pg.ClientConfig["ssl"] {
  if (/[?&]ssl(mode)?=/.test(url)) return ssl as pg.ClientConfig["ssl"];
  return isLocal(host) ? false : { rejectUnauthorized: true };
}

/** Whether the server is on this machine: a Unix socket or a loopback address. */
function isLocal(host: string | null): boolean {
  if (host === null || host === "" || host.startsWith("/")) return true;
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}
