import type { Service } from "../operations/operation.ts";
import { sentBody } from "./download.ts";

type Body = string | ReadableStream<Uint8Array>;

/** Shorter responses need no limit: the rate of requests limits them, and unread ones are cut off soon. */
const LONG_ANSWER_BYTES = 64 * 1024;

/** A JSON response; without a body if `body` is undefined. `send` turns the text into the body to send. */
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

/** Counts a long response as a download until the client has read it. Throws a 429 or 503 if the room is used up. */
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
