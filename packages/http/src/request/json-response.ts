/** The body of a response: text, or its bytes as a stream. */
type Body = string | ReadableStream<Uint8Array>;

/**
 * Returns a JSON response, which has no body if `body` is undefined. `send` turns the JSON text into the body to send.
 */
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
