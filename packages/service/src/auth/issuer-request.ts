import type { QuireError } from "@quire/core/host";
import { cannotCheck } from "./authenticate.ts";

/** The part of `fetch` that requests to issuers need. Replace it to use a proxy or private certificates. */
export type IssuerFetch = (url: string, options: IssuerRequest) => Promise<Response>;

/** The options of a request to an issuer, as Node's fetch accepts them. */
export interface IssuerRequest {
  /** `POST` for introspection, `GET` for keys and metadata. */
  readonly method: "GET" | "POST";
  /** May contain the client's secret. */
  readonly headers: Headers | Record<string, string>;
  /** The form of a `POST`. It contains the token. */
  readonly body?: URLSearchParams;
  /** Redirects are not followed, because that would pass the token on. */
  readonly redirect: "manual";
  /** Aborted at the timeout, which also covers reading the response. */
  readonly signal: AbortSignal;
}

/** The maximum size of a response in bytes. Responses with keys or about one token are much smaller. */
const LONGEST_ANSWER = 1_048_576;

/** An unexpected response of an issuer. */
export class IssuerAnswerError extends Error {
  override readonly name = "IssuerAnswerError";
  /** The HTTP status, if it is the problem; otherwise null. */
  readonly status: number | null;

  constructor(message: string, status: number | null = null) {
    super(message);
    this.status = status;
  }
}

/**
 * Sends a request and reads the whole response, up to 1 MiB, so that the signal also covers reading. Throws
 * {@link IssuerAnswerError} for a longer response, and for a status that is not in `statuses`, such as a redirect. Also
 * throws the errors of fetch.
 */
export async function requestIssuer(
  ask: IssuerFetch,
  url: string,
  options: IssuerRequest,
  statuses: readonly number[] = [200],
): Promise<Response> {
  const response = await ask(url, options);
  if (!statuses.includes(response.status)) {
    await response.body?.cancel();
    throw new IssuerAnswerError(`It responded with status ${response.status}.`, response.status);
  }
  const headers = { "content-type": response.headers.get("content-type") ?? "" };
  return new Response(await readBody(response), { status: response.status, headers });
}

async function readBody(response: Response): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > LONGEST_ANSWER) throw new IssuerAnswerError("It responded with more than 1 MiB.");
    chunks.push(new Uint8Array(chunk));
  }
  return new Blob(chunks);
}

/** Describes a request to an issuer, for an error message. */
export interface IssuerCall {
  /** The purpose of the request, for example `for its keys`. */
  readonly what: string;
  readonly url: string;
  /** What to do if the issuer does not accept the client. */
  readonly whenRefused: string;
}

/** Returns the error for a failed request to an issuer. It quotes neither a token nor a query. */
export function issuerUnavailable(
  error: unknown,
  { what, url, whenRefused }: IssuerCall,
): QuireError {
  const { why, fix } = reasonOf(error, whenRefused);
  return cannotCheck(
    `the request to the issuer ${what} at ${place(url)} failed: the issuer ${why}`,
    fix,
    error,
  );
}

function place(address: string): string {
  const url = URL.parse(address);
  return url === null ? "an unknown address" : JSON.stringify(url.origin + url.pathname);
}

interface Reason {
  readonly why: string;
  readonly fix: string;
}

function reasonOf(error: unknown, whenRefused: string): Reason {
  const causes = [...causesOf(error)];
  if (causes.some((cause) => nameOf(cause, "name") === "TimeoutError")) {
    return { why: "did not respond in time", fix: "Try again later, or set a longer timeoutMs" };
  }
  if (causes.some(isNetworkFailure)) {
    const code = causes.map((cause) => nameOf(cause, "code")).find((name) => name !== null);
    const fix = "Check the address and the network";
    return { why: `cannot be reached${code === undefined ? "" : ` (${code})`}`, fix };
  }
  const status = causes.find((cause) => cause instanceof IssuerAnswerError)?.status ?? null;
  if (status === null) {
    const fix = "Check the address; the cause of this error has details";
    return { why: "sent an unexpected response", fix };
  }
  const refused = status === 401 || status === 403;
  const fix = refused ? whenRefused : "Check the address; the issuer's log has details";
  return { why: `responded with status ${status}`, fix };
}

/** Recognizes the messages of Node's fetch for failures before and during the response. */
function isNetworkFailure(cause: unknown): boolean {
  return cause instanceof TypeError && ["fetch failed", "terminated"].includes(cause.message);
}

function* causesOf(error: unknown): Generator<unknown> {
  let cause = error;
  for (let depth = 0; depth < 8 && cause instanceof Error; depth += 1) {
    yield cause;
    cause = cause.cause;
  }
}

function nameOf(value: unknown, key: "name" | "code"): string | null {
  if (typeof value !== "object" || value === null || !(key in value)) return null;
  const name: unknown = Reflect.get(value, key);
  return typeof name === "string" ? name : null;
}
