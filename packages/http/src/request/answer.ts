import type { Service } from "../operations/operation.ts";
import { sentBody } from "./download.ts";

type Body = string | ReadableStream<Uint8Array>;

/** Shorter answers are as many as the rate of requests allows, and those that are not taken are cut off soon. */
const LONG_ANSWER_BYTES = 64 * 1024;

/** An answer as JSON; without a body where there is none. `send` gives the text as it is sent. */
export function toResponse(
  {
    status,
    body,
    headers = {},
  }: {
    readonly status: number;
    readonly body?: unknown;
    readonly headers?: Readonly<Record<string, string>>;
  },
  send: (text: string) => Body = (text) => text,
): Response {
  if (body === undefined) return new Response(null, { status, headers });
  const text = JSON.stringify(body);
  return new Response(send(text), {
    status,
    headers: {
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(text)),
      "cache-control": "no-store",
      ...headers,
    },
  });
}

/** A long answer counts as a download until the client has taken it. Throws a 429 or 503 when there is no room. */
export function untilTaken(
  { downloads, limits }: Pick<Service, "downloads" | "limits">,
  tenant: string,
  text: string,
): Body {
  if (text.length <= LONG_ANSWER_BYTES) return text;
  const bytes = Buffer.from(text);
  const holding = downloads.holding(tenant);
  holding.add(bytes.length);
  return sentBody(bytes, { idleMs: limits.idleMs, onEnd: () => holding.release() });
}
