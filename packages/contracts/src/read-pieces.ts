import { isUint8Array } from "node:util/types";
import { abortedError, QuireError, throwIfAborted } from "./errors.ts";

/** Options of {@link readPieces}. */
export interface PieceOptions {
  /** The size of a piece, in bytes. Only the last piece is smaller; no piece is empty. */
  readonly pieceBytes: number;
  /** Aborting it stops reading immediately, even while the stream is stalled. */
  readonly signal?: AbortSignal | undefined;
}

/** Whether the bytes are a stream, not an array. */
export function isByteStream(
  bytes: Uint8Array | AsyncIterable<Uint8Array>,
): bytes is AsyncIterable<Uint8Array> {
  return Symbol.asyncIterator in bytes;
}

/**
 * Runs the body of a storage's `create` on the bytes of a stream. The body gets pieces of one size, whatever the sizes
 * of the stream's chunks; each piece has its own memory, which later chunks cannot change. Nothing is read until the
 * body requests a piece. If the stream throws, the call rejects with exactly that error, whatever the body does with
 * it; if the signal has been aborted by then, the call rejects `aborted`. If the stream is not read to its end, its
 * `return()` is called, and awaited unless a chunk is still pending.
 */
export async function readPieces<T>(
  stream: AsyncIterable<Uint8Array>,
  { pieceBytes, signal }: PieceOptions,
  body: (pieces: AsyncGenerator<Uint8Array>) => Promise<T>,
): Promise<T> {
  const reader = new StreamReader(stream, signal);
  try {
    return await body(reader.pieces(pieceBytes));
  } catch (error) {
    if (reader.failure !== null) throw reader.failure.thrown;
    throw error;
  } finally {
    await reader.close();
  }
}

/** Settles like the promise, or rejects `aborted` as soon as the signal is aborted; the promise is then ignored. */
export async function unlessAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (signal === undefined) return promise;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(abortedError(signal));
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([aborted, promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

const NONE: Uint8Array = new Uint8Array();
/** Initial size of the buffer for a piece. It doubles up to the full size, because most streams are short. */
const FIRST_BYTES = 64 * 1024;

class StreamReader {
  readonly #iterator: AsyncIterator<Uint8Array>;
  readonly #signal: AbortSignal;
  readonly #closed = new AbortController();
  #state: "open" | "asked" | "ended" = "open";
  /** The error that the stream threw. */
  failure: { readonly thrown: unknown } | null = null;

  constructor(stream: AsyncIterable<Uint8Array>, signal: AbortSignal | undefined) {
    const closed = this.#closed.signal;
    this.#signal = signal === undefined ? closed : AbortSignal.any([signal, closed]);
    this.#iterator = stream[Symbol.asyncIterator]();
  }

  async *pieces(pieceBytes: number): AsyncGenerator<Uint8Array> {
    let piece = NONE;
    let filled = 0;
    let least = FIRST_BYTES;
    for (let chunk = await this.#next(); chunk !== null; chunk = await this.#next()) {
      for (let at = 0; at < chunk.length; ) {
        const wanted = Math.max(filled + chunk.length - at, piece.length * 2, least);
        if (filled === piece.length) piece = grown(piece, Math.min(wanted, pieceBytes));
        const taken = chunk.subarray(at, at + piece.length - filled);
        piece.set(taken, filled);
        filled += taken.length;
        at += taken.length;
        if (filled < pieceBytes) continue;
        yield piece;
        [piece, filled, least] = [NONE, 0, pieceBytes];
      }
    }
    if (filled > 0) yield piece.subarray(0, filled);
  }

  /** Ends the current read, and calls the stream's `return()`. */
  async close(): Promise<void> {
    const before = this.#state;
    this.#state = "ended";
    this.#closed.abort();
    if (before === "ended") return;
    const returned = this.#giveBack();
    // A generator answers `return()` only after its pending chunk, which may never come.
    if (before === "open") await returned;
  }

  /** Calls `return()`. Ignores its errors, because they must not hide the first error. */
  async #giveBack(): Promise<void> {
    try {
      await this.#iterator.return?.();
    } catch {}
  }

  /** Returns the next chunk; null at the end of the stream. */
  async #next(): Promise<Uint8Array | null> {
    throwIfAborted(this.#signal);
    this.#state = "asked";
    const next = await unlessAborted(this.#ask(), this.#signal);
    if (next.done) {
      this.#state = "ended";
      return null;
    }
    this.#state = "open";
    if (isUint8Array(next.value)) return next.value;
    throw new QuireError(
      "invalid_request",
      "The file cannot be created: its stream returned a chunk that is not a Uint8Array. Pass a stream of bytes, without an encoding.",
    );
  }

  async #ask(): Promise<IteratorResult<Uint8Array>> {
    try {
      return await this.#iterator.next();
    } catch (error) {
      // The caller may have passed the signal to the stream, too. The stream then throws its own error.
      throwIfAborted(this.#signal);
      this.#state = "ended";
      this.failure = { thrown: error };
      throw error;
    }
  }
}

function grown(piece: Uint8Array, size: number): Uint8Array {
  const larger = new Uint8Array(size);
  larger.set(piece);
  return larger;
}
