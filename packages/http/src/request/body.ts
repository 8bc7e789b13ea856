import { createTurns } from "@quire/core/host";
import { Problem, tooLarge } from "../wire/problem.ts";
import type { HeldBytes } from "./held-bytes.ts";

/** The limits for reading a body. */
export interface BodyOptions {
  /** The maximum size in bytes, after decompression. A body with a larger `content-length` is rejected immediately. */
  readonly maxBytes: number;
  /** Maximum time in milliseconds without any received bytes. After that, the client gets a 408. */
  readonly idleMs: number;
}

const ENCODINGS = new Map<string, "gzip" | "deflate">([
  ["gzip", "gzip"],
  ["x-gzip", "gzip"],
  ["deflate", "deflate"],
]);

/** Length in bytes below which a chunk is small. At most `SMALL_AT_ONCE` small chunks are read without a pause. */
const SMALL_CHUNK = 1024;
const SMALL_AT_ONCE = 100;
const MAX_BLOCK = 256 * 1024;

/**
 * Yields the bytes of a request's body as they arrive, decompressed and counted. Throws 413 for a body that exceeds the
 * limit, 408 for a client that stops sending, 415 for an unknown encoding, and 400 for a body that ends early or does
 * not match its encoding.
 */
export async function* bodyChunks(
  request: Request,
  { maxBytes, idleMs }: BodyOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const declared = Number(request.headers.get("content-length") ?? 0);
  if (declared > maxBytes) throw tooLarge(maxBytes);
  if (request.body === null) return;
  const reader = decoded(request.body, request.headers.get("content-encoding")).getReader();
  const turns = createTurns();
  let length = 0;
  let small = 0;
  try {
    for (;;) {
      const { value } = await readWithin(reader, idleMs);
      if (value === undefined) return;
      length += value.length;
      if (length > maxBytes) throw tooLarge(maxBytes);
      yield value;
      // The overhead per chunk does not depend on its length, so many tiny chunks would block all other work.
      if (value.length < SMALL_CHUNK) small += 1;
      if (small === SMALL_AT_ONCE) {
        await turns.begin();
        small = 0;
      }
    }
  } finally {
    // This is not awaited, because that would mean waiting for the client.
    void reader.cancel().catch(() => {});
  }
}

/** A received body. */
export interface ReceivedBody {
  readonly length: number;
  /**
   * Passes the whole body to `parse` as one buffer, which is freed when `parse` has finished. Must be called only once,
   * when processing starts.
   */
  use<T>(parse: (bytes: Buffer) => Promise<T>): Promise<T>;
}

/**
 * Reads a whole body into little more memory than its size. The bytes count as held until the caller releases them at
 * the end of the request. Does not parse the body, because parsing must wait until the request may be processed.
 */
export async function receiveBody(
  request: Request,
  options: BodyOptions & { readonly holding: HeldBytes },
): Promise<ReceivedBody> {
  const blocks: Buffer[] = [];
  let last: Buffer = Buffer.alloc(0);
  let used = 0;
  let length = 0;
  for await (const chunk of bodyChunks(request, options)) {
    hold(options.holding, chunk.length);
    const rest = copied(chunk, last, used);
    used += chunk.length - rest.length;
    if (rest.length > 0) {
      // Chunks are copied into blocks to limit the overhead, because a client may send each byte as a separate chunk.
      last = Buffer.allocUnsafeSlow(Math.max(rest.length, Math.min(length, MAX_BLOCK)));
      last.set(rest);
      used = rest.length;
      blocks.push(last);
    }
    length += chunk.length;
  }
  return {
    length,
    use: async (parse) => {
      const bytes = joined(blocks.splice(0), length);
      try {
        return await parse(bytes);
      } finally {
        freeNow(bytes);
      }
    },
  };
}

/** Copies as much of a chunk into a block as fits. Returns the rest of the chunk. */
function copied(chunk: Uint8Array, block: Buffer, used: number): Uint8Array {
  const room = Math.min(block.length - used, chunk.length);
  block.set(chunk.subarray(0, room), used);
  return chunk.subarray(room);
}

function joined(blocks: readonly Buffer[], length: number): Buffer {
  const [only] = blocks;
  if (only !== undefined && blocks.length === 1) return only.subarray(0, length);
  const bytes = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const block of blocks) {
    at += block.copy(bytes, at, 0, length - at);
    freeNow(block);
  }
  return bytes;
}

/**
 * Immediately returns the memory of a buffer from `allocUnsafeSlow` to the system. V8 would free it late, and could
 * hold hundreds of megabytes while many long bodies arrive.
 */
function freeNow({ buffer }: Buffer): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/** Counts bytes as held. If that exceeds the limit, closes the connection, because the rest of the body is not read. */
function hold(holding: HeldBytes, bytes: number): void {
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
      "The content-encoding of the body is not supported. Send the body uncompressed, or with gzip or deflate.",
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
    `No body data arrived for ${idleMs / 1000} seconds. Send the body without long pauses.`,
    { headers: { connection: "close" } },
  );
}

function brokenOff(cause: unknown): Problem {
  return new Problem(
    400,
    "bad_request",
    "The body ended early or does not match its content-encoding. Send it again.",
    {
      headers: { connection: "close" },
      cause,
    },
  );
}
