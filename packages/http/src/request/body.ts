import { Problem, tooLarge } from "../wire/problem.ts";
import type { Holding } from "./tenant-room.ts";
import { Turns } from "./turns.ts";

/** How a body is read. */
export interface BodyOptions {
  /** Counted as it comes, after it is decompressed; whatever the request says of its length. */
  readonly maxBytes: number;
  /** A client that sends nothing for this long gets a 408. */
  readonly idleMs: number;
}

const ENCODINGS = new Map<string, "gzip" | "deflate">([
  ["gzip", "gzip"],
  ["x-gzip", "gzip"],
  ["deflate", "deflate"],
]);

/** Of chunks shorter than this, `SMALL_AT_ONCE` are read in one turn. */
const SMALL_CHUNK = 1024;
const SMALL_AT_ONCE = 100;

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
  const turns = new Turns();
  let length = 0;
  let small = 0;
  try {
    for (;;) {
      const { value } = await readWithin(reader, idleMs);
      if (value === undefined) return;
      length += value.length;
      if (length > maxBytes) throw tooLarge(maxBytes);
      yield value;
      // A chunk costs the same whatever its length: with one for each byte, everybody else would wait.
      if (value.length < SMALL_CHUNK) small += 1;
      if (small === SMALL_AT_ONCE) {
        await turns.begin();
        small = 0;
      }
    }
  } finally {
    // Not awaited: that would wait for the client.
    void reader.cancel().catch(() => {});
  }
}

/**
 * Reads a whole body. Its bytes count as held until the caller releases them at the end of the request. They are not
 * parsed yet: that waits for the request's turn.
 */
export async function bodyBytes(
  request: Request,
  options: BodyOptions & { readonly holding: Holding },
): Promise<Buffer> {
  let bytes = Buffer.allocUnsafe(0);
  let length = 0;
  for await (const chunk of bodyChunks(request, options)) {
    hold(options.holding, chunk.length);
    // One buffer for all: a client may send a chunk for each byte.
    if (length + chunk.length > bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(2 * bytes.length, length + chunk.length));
      bytes.copy(larger, 0, 0, length);
      bytes = larger;
    }
    bytes.set(chunk, length);
    length += chunk.length;
  }
  return bytes.subarray(0, length);
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
