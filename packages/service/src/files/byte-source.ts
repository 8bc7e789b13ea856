import { createHash } from "node:crypto";
import { abortedError, QuireError, type Storage, throwIfAborted } from "@quire/core/host";

/** Bytes in a form that a storage's `create` accepts. */
export type Bytes = Parameters<Storage["create"]>[2];

/** Options for checking the bytes of a source. */
export interface ByteSourceOptions {
  /** The maximum number of bytes. If there are more, `consume` stops reading and rejects `limit_exceeded`. */
  readonly maxBytes?: number;
  /** The SHA-1 that the sender declares, in lower- or upper-case hex. */
  readonly sha1?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Bytes that are being written to a storage, counted and hashed. */
export interface ByteSource {
  /** Whether the bytes can be read more than once. */
  readonly isRepeatable: boolean;
  /** Returns the SHA-1 in lower-case hex, after all bytes have been read. */
  sha1(): string;
  /**
   * Passes the bytes to a reader. If the bytes are invalid, rejects with the original error, even if the reader wraps
   * it.
   */
  consume<T>(reader: (bytes: Bytes) => Promise<T>): Promise<T>;
  /** Closes a stream that was not read at all. Must always be called at the end. */
  close(): Promise<void>;
}

const SHA1 = /^[0-9a-f]{40}$/i;

/**
 * Creates a source of bytes. The options apply only to streams. `consume` rejects `invalid_request` if `sha1` does not
 * match.
 */
export function byteSource(bytes: Bytes, options: ByteSourceOptions): ByteSource {
  return Symbol.asyncIterator in bytes ? new StreamSource(bytes, options) : bufferSource(bytes);
}

function bufferSource(bytes: Uint8Array): ByteSource {
  return {
    isRepeatable: true,
    sha1: () => createHash("sha1").update(bytes).digest("hex"),
    consume: (reader) => reader(bytes),
    close: async () => {},
  };
}

class StreamSource implements ByteSource {
  readonly isRepeatable = false;
  readonly #source: AsyncIterable<Uint8Array>;
  readonly #options: ByteSourceOptions;
  #isStarted = false;
  #sha1 = "";
  #failure: { readonly error: unknown } | null = null;

  constructor(source: AsyncIterable<Uint8Array>, options: ByteSourceOptions) {
    this.#source = source;
    this.#options = options;
  }

  sha1(): string {
    return this.#sha1;
  }

  async consume<T>(reader: (bytes: Bytes) => Promise<T>): Promise<T> {
    const { sha1 } = this.#options;
    if (sha1 !== undefined && !SHA1.test(sha1)) throw invalidSha1();
    try {
      return await reader(this.#checked());
    } catch (error) {
      throw this.#failure === null ? error : this.#failure.error;
    }
  }

  async close(): Promise<void> {
    if (this.#isStarted) return;
    try {
      await this.#source[Symbol.asyncIterator]().return?.();
    } catch {
      // This error must not hide the original error.
    }
  }

  /** Yields the bytes. Throws if they are invalid, at the latest after the last byte. */
  async *#checked(): AsyncGenerator<Uint8Array, void, undefined> {
    this.#isStarted = true;
    const { maxBytes = Number.POSITIVE_INFINITY, sha1, signal } = this.#options;
    try {
      const hash = createHash("sha1");
      let size = 0;
      for await (const chunk of untilAborted(this.#source, signal)) {
        size += chunk.byteLength;
        if (size > maxBytes) throw tooLarge(maxBytes);
        hash.update(chunk);
        yield chunk;
      }
      this.#sha1 = hash.digest("hex");
      if (sha1 !== undefined && sha1.toLowerCase() !== this.#sha1) {
        throw sha1Mismatch(sha1, this.#sha1);
      }
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
  }
}

/** Yields the items of a source. Throws `aborted` when the signal is aborted, even while waiting for the source. */
async function* untilAborted(
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  const iterator = source[Symbol.asyncIterator]();
  let isOpen = true;
  let stop = (): void => {};
  const onAbort = (): void => stop();
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    for (;;) {
      throwIfAborted(signal);
      const next = await new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
        stop = () => (signal === undefined ? undefined : reject(abortedError(signal)));
        iterator.next().then(resolve, (error: unknown) => {
          isOpen = false;
          reject(error);
        });
      });
      isOpen = next.done !== true;
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    signal?.removeEventListener("abort", onAbort);
    // The source may be stuck and never respond, so closing it is not awaited.
    if (isOpen) void Promise.resolve(iterator.return?.()).catch(() => {});
  }
}

function tooLarge(maxBytes: number): QuireError {
  return new QuireError(
    "limit_exceeded",
    `The file is larger than the limit of ${maxBytes} bytes. Send a smaller file, or ask the operator to raise the limit.`,
  );
}

function sha1Mismatch(wanted: string, found: string): QuireError {
  const message = `The received bytes have the SHA-1 ${found}, not the declared ${wanted.toLowerCase()}.`;
  const hint = "Send the file again with the correct SHA-1.";
  return new QuireError("invalid_request", `${message} ${hint}`, {
    diagnostics: [{ severity: "error", code: "sha1_mismatch", message, hint }],
  });
}

function invalidSha1(): QuireError {
  return new QuireError(
    "invalid_request",
    "The SHA-1 of the file is invalid: it must be 40 hexadecimal digits. Send a valid SHA-1 or omit it.",
  );
}
