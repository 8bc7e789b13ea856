import { createTurns } from "@quire/core/host";
import { Problem, tooLarge } from "../wire/problem.ts";
import type { Holding } from "./tenant-room.ts";

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
const MAX_BLOCK = 256 * 1024;

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

/** A body that has come. */
export interface KeptBody {
  readonly length: number;
  /** All of it in one piece; to be called once, when something is done with it. */
  take(): Buffer;
}

/**
 * All bytes of a body, in little more room than they have. They count as held; the caller gives that back when the request
 * is through. Nothing of them is looked at: that is for the request's turn.
 */
export async function keptBody(
  request: Request,
  options: BodyOptions & { readonly holding: Holding },
): Promise<KeptBody> {
  const blocks: Buffer[] = [];
  let last = Buffer.alloc(0);
  let used = 0;
  let length = 0;
  for await (const chunk of bodyChunks(request, options)) {
    hold(options.holding, chunk.length);
    const rest = copied(chunk, last, used);
    used += chunk.length - rest.length;
    if (rest.length > 0) {
      // Blocks for all: a client may send a chunk for each byte.
      last = Buffer.allocUnsafe(Math.max(rest.length, Math.min(length, MAX_BLOCK)));
      last.set(rest);
      used = rest.length;
      blocks.push(last);
    }
    length += chunk.length;
  }
  return { length, take: () => joined(blocks.splice(0), length) };
}

/** Puts as much of a chunk into a block as there is room for; gives the rest. */
function copied(chunk: Uint8Array, block: Buffer, used: number): Uint8Array {
  const room = Math.min(block.length - used, chunk.length);
  block.set(chunk.subarray(0, room), used);
  return chunk.subarray(room);
}

function joined(blocks: readonly Buffer[], length: number): Buffer {
  const [only] = blocks;
  if (only !== undefined && blocks.length === 1) return only.subarray(0, length);
  return Buffer.concat(blocks, length);
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
