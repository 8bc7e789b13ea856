import { Problem, tooLarge } from "../wire/problem.ts";
import { JsonBounds, type JsonLimits } from "./json-bounds.ts";
import { parseJson } from "./parse-json.ts";
import type { Holding } from "./tenant-room.ts";

/** How a body is read. */
export interface BodyOptions {
  /** Counted as it comes, after it is decompressed; whatever the request says of its length. */
  readonly maxBytes: number;
  /** A client that sends nothing for so long is given up. */
  readonly idleMs: number;
}

const ENCODINGS = new Map<string, "gzip" | "deflate">([
  ["gzip", "gzip"],
  ["x-gzip", "gzip"],
  ["deflate", "deflate"],
]);

/**
 * The bytes of a request's body as they come, decompressed and counted. Throws 413 before it has taken in more
 * than the limit, 408 for a client that stands still, 415 for an encoding that is not known, 400 for a body that breaks off.
 */
export async function* bodyChunks(
  request: Request,
  { maxBytes, idleMs }: BodyOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const declared = Number(request.headers.get("content-length") ?? 0);
  if (declared > maxBytes) throw tooLarge(maxBytes);
  if (request.body === null) return;
  const reader = decoded(request.body, request.headers.get("content-encoding")).getReader();
  let length = 0;
  try {
    for (;;) {
      const { value } = await readWithin(reader, idleMs);
      if (value === undefined) return;
      length += value.length;
      if (length > maxBytes) throw tooLarge(maxBytes);
      yield value;
    }
  } finally {
    // What is left of it is not wanted. Waiting for that would wait for the client.
    void reader.cancel().catch(() => {});
  }
}

/**
 * A JSON body, within its limits. Undefined for an empty one. A number of more digits than JavaScript keeps is a text of the
 * same digits. What is read counts as held; the caller gives it back when the request is through.
 */
export async function jsonBody(
  request: Request,
  options: BodyOptions & {
    readonly json: JsonLimits;
    readonly holding: Holding;
  },
): Promise<unknown> {
  const { json, holding } = options;
  const bounds = new JsonBounds(json);
  const chunks: Uint8Array[] = [];
  for await (const chunk of bodyChunks(request, options)) {
    hold(holding, chunk.length);
    bounds.push(chunk);
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  return bytes.length === 0 ? undefined : parseJson(bytes, bounds);
}

/** The rest of a body for which there is no room is not read. */
function hold(holding: Holding, bytes: number): void {
  try {
    holding.add(bytes);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { status, code, message, headers } = error;
    throw new Problem(status, code, message, { headers: { ...headers, connection: "close" } });
  }
}

function decoded(
  body: ReadableStream<Uint8Array>,
  encoding: string | null,
): ReadableStream<Uint8Array> {
  const name = encoding?.trim().toLowerCase() ?? "identity";
  if (name === "identity" || name === "") return body;
  const format = ENCODINGS.get(name);
  if (format === undefined) {
    throw new Problem(
      415,
      "bad_request",
      "The body's content-encoding is not known. Send it as it is, or with gzip or deflate.",
      { headers: { connection: "close" } },
    );
  }
  const inflate: ReadableWritablePair<Uint8Array, Uint8Array> = new DecompressionStream(
    format,
  ) as never;
  return body.pipeThrough(inflate);
}

async function readWithin(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  idleMs: number,
): Promise<{ readonly value?: Uint8Array | undefined }> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooSlow(idleMs)), idleMs);
  });
  const read = reader.read().catch((error: unknown) => {
    throw brokenOff(error);
  });
  try {
    return await Promise.race([read, late]);
  } finally {
    clearTimeout(timer);
  }
}

function tooSlow(idleMs: number): Problem {
  return new Problem(
    408,
    "bad_request",
    `Nothing of the body has come for ${idleMs / 1000} seconds. Send it without long pauses.`,
    { headers: { connection: "close" } },
  );
}

function brokenOff(cause: unknown): Problem {
  return new Problem(400, "bad_request", "The body broke off, or is not encoded as it says.", {
    headers: { connection: "close" },
    cause,
  });
}
