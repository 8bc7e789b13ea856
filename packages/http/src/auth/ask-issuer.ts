import type { QuireError } from "@quire/core/host";
import { cannotCheck } from "./authenticate.ts";

/** The part of `fetch` that issuers are asked with: for a proxy, or certificates of one's own. */
export type IssuerFetch = (url: string, options: IssuerRequest) => Promise<Response>;

/** What a request to an issuer is made of, as the fetch of Node takes it. */
export interface IssuerRequest {
  readonly method: "GET" | "POST";
  readonly headers: Headers | Record<string, string>;
  readonly body?: URLSearchParams;
  readonly redirect: "manual";
  readonly signal: AbortSignal;
}

/** In bytes. An answer about keys or one token is far shorter. */
const LONGEST_ANSWER = 1_048_576;

/** An issuer that answered, but not with what it was asked for. */
export class IssuerAnswerError extends Error {
  override readonly name = "IssuerAnswerError";
  /** The HTTP status, when that is what is wrong. */
  readonly status: number | null;

  constructor(message: string, status: number | null = null) {
    super(message);
    this.status = status;
  }
}

/**
 * Asks and reads the whole answer, of at most 1 MiB, so that the signal bounds that as well. Throws
 * {@link IssuerAnswerError} for a longer one and for a status that is not taken (by default any but 200, redirects
 * included), and what fetch throws.
 */
export async function askIssuer(
  ask: IssuerFetch,
  url: string,
  options: IssuerRequest,
  statuses: readonly number[] = [200],
): Promise<Response> {
  const response = await ask(url, options);
  if (!statuses.includes(response.status)) {
    await response.body?.cancel();
    throw new IssuerAnswerError(`It answered with status ${response.status}.`, response.status);
  }
  const headers = { "content-type": response.headers.get("content-type") ?? "" };
  return new Response(await readBody(response), { status: response.status, headers });
}

async function readBody(response: Response): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > LONGEST_ANSWER) throw new IssuerAnswerError("It answered with more than 1 MiB.");
    chunks.push(new Uint8Array(chunk));
  }
  return new Blob(chunks);
}

/** What an issuer was asked: in the words of a message. */
export interface Asked {
  /** For example `for its keys`. */
  readonly what: string;
  readonly url: string;
  /** What to do when it wants to know who asks, or does not like who does. */
  readonly whenRefused: string;
}

/** What went wrong with an issuer, as the error of whoever asked. Neither a token nor a query is quoted. */
export function issuerUnavailable(error: unknown, { what, url, whenRefused }: Asked): QuireError {
  const { why, fix } = reasonOf(error, whenRefused);
  return cannotCheck(`the issuer, asked ${what} at ${place(url)}, ${why}`, fix, error);
}

function place(address: string): string {
  const url = URL.parse(address);
  return url === null ? "an unknown place" : JSON.stringify(url.origin + url.pathname);
}

interface Reason {
  readonly why: string;
  readonly fix: string;
}

function reasonOf(error: unknown, whenRefused: string): Reason {
  const causes = [...causesOf(error)];
  if (causes.some((cause) => nameOf(cause, "name") === "TimeoutError")) {
    return { why: "did not answer in time", fix: "Try again later, or give a longer timeoutMs" };
  }
  if (causes.some(isNetworkFailure)) {
    const code = causes.map((cause) => nameOf(cause, "code")).find((name) => name !== null);
    const fix = "Check the address and the network";
    return { why: `cannot be reached${code === undefined ? "" : ` (${code})`}`, fix };
  }
  const status = causes.find((cause) => cause instanceof IssuerAnswerError)?.status ?? null;
  if (status === null) {
    const fix = "Check the address; the cause of this error tells more";
    return { why: "answered with something else", fix };
  }
  const refused = status === 401 || status === 403;
  const fix = refused ? whenRefused : "Check the address; the issuer's own log tells more";
  return { why: `answered with status ${status}`, fix };
}

/** As the fetch of Node words them: before an answer came, and while it was read. */
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
