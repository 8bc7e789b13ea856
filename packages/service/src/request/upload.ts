import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy, type BusboyInstance } from "@fastify/busboy";
import { duplicateKey, duplicateKeyAt, parseExactly } from "@quire/core/host";
import { type BodyOptions, bodyChunks, invalidAt, jsonProblem, Problem } from "@quire/http/parts";

/**
 * The maximum size in bytes of the body without the file: the attributes, the boundaries and the headers of the parts.
 */
const AROUND_BYTES = 128 * 1024;
const MAX_ATTRIBUTES_BYTES = 64 * 1024;

/** Options for reading an upload. */
export interface UploadBodyOptions extends BodyOptions {
  /** Waits until received bytes may be processed. Resolves with a function to call when they are processed. */
  readonly turn: () => Promise<() => void>;
}

/**
 * Reads an upload. Its first part, `attributes`, is JSON. `take` reads the second part, `file`, to its end as it
 * arrives. Throws the errors of `take`, without waiting for the rest of the body.
 */
export async function readUpload<T>(
  request: Request,
  options: UploadBodyOptions,
  take: (attributes: unknown, file: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  const parser = parserOf(request);
  const stop = new AbortController();
  let attributes: string | undefined;
  let file: Readable | undefined;
  let taken: Promise<T> | undefined;
  parser.on("field", (name, value, _nameTruncated, valueTruncated) => {
    if (name !== "attributes" || attributes !== undefined) return;
    if (valueTruncated) stop.abort(badPart("The part 'attributes' is too long."));
    attributes = value;
  });
  parser.on("file", (_name, stream) => {
    // An error without a listener would end the process, and a reader that has stopped has no listener.
    stream.on("error", () => {});
    if (file !== undefined) {
      stream.resume();
      return;
    }
    file = stream;
    taken = takeFile(attributes, stream, take);
    taken.catch((error: unknown) => stop.abort(error));
  });
  const maxBytes = options.maxBytes + AROUND_BYTES;
  let read = 0;
  let isWaiting = false;
  const chunks = inTurn(bodyChunks(request, { ...options, maxBytes }), async () => {
    read += 1;
    isWaiting = true;
    const end = await options.turn();
    isWaiting = false;
    return end;
  });
  // For some bodies, the parser never ends, and everything that waits for the parser would hang.
  const watch = whenStuck(
    () => (!isWaiting && (file === undefined || file.readableEnded) ? read : null),
    2 * options.idleMs,
    () => stop.abort(incomplete()),
  );
  const signal = AbortSignal.any([stop.signal, request.signal]);
  try {
    await pipeline(Readable.from(chunks), parser, { signal });
  } catch (error) {
    file?.destroy(error instanceof Error ? error : undefined);
    await taken?.catch(() => {});
    if (stop.signal.aborted) throw stop.signal.reason;
    throw error instanceof Problem ? error : incomplete();
  } finally {
    clearInterval(watch);
  }
  if (taken === undefined) throw badPart("The part 'file' is missing.");
  return taken;
}

/** Yields the same chunks. Calls `turn` before each chunk, and its result after the chunk has been processed. */
async function* inTurn<T>(
  chunks: AsyncIterable<T>,
  turn: () => Promise<() => void>,
): AsyncGenerator<T, void, undefined> {
  for await (const chunk of chunks) {
    const end = await turn();
    try {
      yield chunk;
    } finally {
      end();
    }
  }
}

/** Calls `stuck` if `count()` has not changed for `ms` milliseconds. While `count()` is null, the check is paused. */
function whenStuck(count: () => number | null, ms: number, stuck: () => void): NodeJS.Timeout {
  let last: number | null = null;
  return setInterval(() => {
    const now = count();
    if (now !== null && now === last) stuck();
    last = now;
  }, ms);
}

async function takeFile<T>(
  attributes: string | undefined,
  file: Readable,
  take: (attributes: unknown, file: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  if (attributes === undefined) {
    throw badPart(
      "The part 'attributes' is missing or comes after the part 'file'. Send it first.",
    );
  }
  return take(parsed(attributes), bytesOf(file));
}

async function* bytesOf(file: Readable): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* file;
  } catch (error) {
    throw error instanceof Problem ? error : incomplete();
  }
}

function parsed(attributes: string): unknown {
  let value: unknown;
  try {
    value = parseExactly(attributes);
  } catch {
    throw badPart("The part 'attributes' is not valid JSON.");
  }
  const duplicate = duplicateKey(attributes, value);
  if (duplicate !== null) throw jsonProblem(duplicateKeyAt(`/attributes${duplicate}`));
  return value;
}

function parserOf(request: Request): BusboyInstance {
  const contentType = request.headers.get("content-type") ?? "";
  try {
    return new Busboy({
      headers: { "content-type": contentType },
      isPartAFile: (name) => name === "file",
      limits: { fields: 8, files: 2, parts: 10, fieldSize: MAX_ATTRIBUTES_BYTES, headerPairs: 50 },
    });
  } catch (cause) {
    throw new Problem(
      415,
      "bad_request",
      "The content-type must be multipart/form-data with a boundary.",
      { headers: { connection: "close" }, cause },
    );
  }
}

function incomplete(): Problem {
  return badPart("The body is not complete multipart/form-data.");
}

function badPart(message: string): Problem {
  const { status, code, context } = invalidAt("", "bad_upload", message);
  return new Problem(status, code, message, {
    context: context ?? {},
    headers: { connection: "close" },
  });
}
