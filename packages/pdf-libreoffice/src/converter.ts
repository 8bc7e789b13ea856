import { availableParallelism, tmpdir } from "node:os";
import {
  abortedError,
  type ConvertedDocument,
  type Converter,
  type ConvertOptions,
  QuireError,
  throwIfAborted,
} from "@quire/core";
import pLimit, { type LimitFunction } from "p-limit";
import { assertConvertible } from "./input.ts";
import { type Lane, startLane } from "./lane.ts";
import { findSoffice, INSTALL_HINT } from "./soffice.ts";

/** Options of {@link libreOffice}. */
export interface LibreOfficeOptions {
  /**
   * How many documents are converted at once, each by a process of its own that is started when it
   * is first needed and then kept. Default: the cores of the machine.
   */
  readonly lanes?: number;
  /**
   * How long one document may take in LibreOffice; the wait for a free lane does not count.
   * Default 60 000.
   */
  readonly deadlineMs?: number;
  /** The LibreOffice program. Default: what {@link findSoffice} finds. */
  readonly sofficePath?: string;
  /** Where the lanes' private folders are made. Default: the system's folder for temporary files. */
  readonly tempDir?: string;
  /** The address space of one LibreOffice, in MiB; macOS does not enforce it. Default 4096. */
  readonly memoryLimitMb?: number;
}

const DEFAULT_DEADLINE_MS = 60_000;
const DEFAULT_MEMORY_LIMIT_MB = 4096;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * A converter over an installed LibreOffice. Starts nothing before the first document. Links in a
 * document are never followed, macros never run. Close it to end its processes and to remove its
 * temporary files; when the host dies without closing it, they go as well.
 * Throws `invalid_request` for options that make no sense.
 */
export function libreOffice(options: LibreOfficeOptions = {}): Converter {
  return new LibreOfficeConverter({
    lanes: positive("lanes", options.lanes ?? availableParallelism(), 1024),
    deadlineMs: positive("deadlineMs", options.deadlineMs ?? DEFAULT_DEADLINE_MS, LONGEST_TIMER_MS),
    memoryLimitMb: positive(
      "memoryLimitMb",
      options.memoryLimitMb ?? DEFAULT_MEMORY_LIMIT_MB,
      2 ** 30,
    ),
    tempDir: options.tempDir ?? tmpdir(),
    sofficePath: options.sofficePath,
  });
}

interface Settings {
  readonly lanes: number;
  readonly deadlineMs: number;
  readonly memoryLimitMb: number;
  readonly tempDir: string;
  readonly sofficePath: string | undefined;
}

class LibreOfficeConverter implements Converter {
  readonly #settings: Settings;
  readonly #limit: LimitFunction;
  readonly #idle: Lane[] = [];
  readonly #running = new Set<Promise<ConvertedDocument>>();
  readonly #closing = new AbortController();
  #closed: Promise<void> | undefined;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#limit = pLimit(settings.lanes);
  }

  async convert(document: Uint8Array, options: ConvertOptions = {}): Promise<ConvertedDocument> {
    const { signal } = options;
    throwIfAborted(signal);
    if (this.#closing.signal.aborted) throw closedError();
    assertConvertible(document);
    return this.#admit(document, signal);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#running);
    await Promise.all(this.#idle.splice(0).map((lane) => lane.stop()));
  }

  /** Waits for a lane, in order; the signal and closing end the wait at once. */
  #admit(document: Uint8Array, signal: AbortSignal | undefined): Promise<ConvertedDocument> {
    const closing = this.#closing.signal;
    const { promise, resolve, reject } = Promise.withResolvers<ConvertedDocument>();
    const onAbort = () => leave(signal === undefined ? closedError() : abortedError(signal));
    const onClose = () => leave(closedError());
    let waiting = true;
    const stopWaiting = () => {
      waiting = false;
      signal?.removeEventListener("abort", onAbort);
      closing.removeEventListener("abort", onClose);
    };
    const leave = (error: QuireError) => {
      stopWaiting();
      reject(error);
    };
    signal?.addEventListener("abort", onAbort);
    closing.addEventListener("abort", onClose);
    this.#limit(async () => {
      if (!waiting) return;
      stopWaiting();
      const conversion = this.#run(document, signal);
      this.#running.add(conversion);
      resolve(conversion);
      await conversion.catch(() => {}); // the caller has it; here it only holds the lane
      this.#running.delete(conversion);
    }).catch(reject);
    return promise;
  }

  async #run(document: Uint8Array, signal: AbortSignal | undefined): Promise<ConvertedDocument> {
    const lane = await this.#takeLane(signal);
    try {
      return await lane.convert(document, signal);
    } finally {
      this.#idle.push(lane);
    }
  }

  async #takeLane(signal: AbortSignal | undefined): Promise<Lane> {
    for (let lane = this.#idle.pop(); lane !== undefined; lane = this.#idle.pop()) {
      if (await lane.isUsable()) return lane;
      await lane.stop();
    }
    return startLane({ ...this.#settings, soffice: await this.#soffice() }, signal);
  }

  async #soffice(): Promise<string> {
    if (process.platform === "win32") {
      throw new QuireError(
        "unavailable",
        "Conversion with LibreOffice needs a POSIX system and this is Windows. Run Quire in WSL " +
          "or in a Linux container, or use another converter.",
      );
    }
    const { sofficePath } = this.#settings;
    const found = await findSoffice(sofficePath === undefined ? {} : { sofficePath });
    if (found !== null) return found;
    throw new QuireError(
      "unavailable",
      sofficePath === undefined
        ? `LibreOffice was not found. ${INSTALL_HINT} If it is installed, pass its path as sofficePath.`
        : `There is no program at the sofficePath ${sofficePath}. Correct it, or leave it out to ` +
            `have LibreOffice looked for. ${INSTALL_HINT}`,
    );
  }
}

function closedError(): QuireError {
  return new QuireError(
    "unavailable",
    "The converter is closed and takes no more documents. Create another one with libreOffice().",
  );
}

function positive(name: string, value: number, max: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw new QuireError(
    "invalid_request",
    `The option ${name} of libreOffice() must be a whole number from 1 to ${max}, not ${value}.`,
  );
}
