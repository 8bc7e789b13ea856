import { createHash } from "node:crypto";
import { abortedError, QuireError, type Storage, throwIfAborted } from "@quire/core/host";

/** Bytes as `create` of a storage takes them. */
export type Bytes = Parameters<Storage["create"]>[2];

/** What bytes that come in are held to. */
export interface IncomingOptions {
  /** Of more bytes than these it rejects `limit_exceeded`, and reads no further. */
  readonly maxBytes?: number;
  /** The SHA-1 that the sender says they have, in hex of either case. */
  readonly sha1?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Bytes on their way into a storage, counted and hashed. */
export interface Incoming {
  /** Whether they can be read more than once. */
  readonly isRepeatable: boolean;
  /** In lower-case hex, once all has been read. */
  sha1(): string;
  /** Runs what reads the bytes. What is wrong with them is what it rejects, however the reader words it. */
  into<T>(reader: (bytes: Bytes) => Promise<T>): Promise<T>;
  /** Gives back a stream that was not read at all. To be called in the end, whatever came of it. */
  close(): Promise<void>;
}

const SHA1 = /^[0-9a-f]{40}$/i;

/** The bytes, of which nothing is read yet. `into` rejects `invalid_request` for a `sha1` that is none. */
export function incoming(bytes: Bytes, options: IncomingOptions): Incoming {
  return Symbol.asyncIterator in bytes ? new Stream(bytes, options) : inMemory(bytes);
}

function inMemory(bytes: Uint8Array): Incoming {
  return {
    isRepeatable: true,
    sha1: () => createHash("sha1").update(bytes).digest("hex"),
    into: (reader) => reader(bytes),
    close: async () => {},
  };
}

class Stream implements Incoming {
  readonly isRepeatable = false;
  readonly #source: AsyncIterable<Uint8Array>;
  readonly #options: IncomingOptions;
  #isBegun = false;
  #sha1 = "";
  #failure: { readonly error: unknown } | null = null;

  constructor(source: AsyncIterable<Uint8Array>, options: IncomingOptions) {
    this.#source = source;
    this.#options = options;
  }

  sha1(): string {
    return this.#sha1;
  }

  async into<T>(reader: (bytes: Bytes) => Promise<T>): Promise<T> {
    const { sha1 } = this.#options;
    if (sha1 !== undefined && !SHA1.test(sha1)) throw noSha1();
    try {
      return await reader(this.#checked());
    } catch (error) {
      throw this.#failure === null ? error : this.#failure.error;
    }
  }

  async close(): Promise<void> {
    if (this.#isBegun) return;
    try {
      await this.#source[Symbol.asyncIterator]().return?.();
    } catch {
      // It must not hide the first error.
    }
  }

  /** The bytes; throws when something is wrong with them, at the latest in place of their end. */
  async *#checked(): AsyncGenerator<Uint8Array, void, undefined> {
    this.#isBegun = true;
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
        throw otherSha1(sha1, this.#sha1);
      }
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
  }
}

/** The items of a source; throws `aborted` as soon as the signal is, also while the source keeps us waiting. */
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
    // A source that is stuck may never answer: it is told, not waited for.
    if (isOpen) void Promise.resolve(iterator.return?.()).catch(() => {});
  }
}

function tooLarge(maxBytes: number): QuireError {
  return new QuireError(
    "limit_exceeded",
    `The file has more than the ${maxBytes} bytes that one may have. Send a smaller file, or have the limit raised.`,
  );
}

function otherSha1(wanted: string, found: string): QuireError {
  const message = `The bytes that came have the SHA-1 ${found}, not ${wanted.toLowerCase()} as was said.`;
  const hint = "Send the file again, with the SHA-1 of its bytes.";
  return new QuireError("invalid_request", `${message} ${hint}`, {
    diagnostics: [{ severity: "error", code: "sha1_mismatch", message, hint }],
  });
}

function noSha1(): QuireError {
  return new QuireError(
    "invalid_request",
    "The SHA-1 of the file is none: it must be 40 hexadecimal digits. Send that, or no SHA-1.",
  );
}
