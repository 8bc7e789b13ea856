import { createHash } from "node:crypto";
import {
  abortedError,
  type ConvertedDocument,
  type Converter,
  type ConverterFingerprint,
  type ConverterJoining,
  type ConverterSeal,
  type ConvertOptions,
  type Diagnostic,
  type PdfOptions,
  throwIfAborted,
} from "@quire/contracts";
import { OnceCache } from "./cache.ts";
import { findOffice } from "./find-office.ts";
import { SEALED, type Seal } from "./office/seal.ts";
import { sofficeVersion } from "./office/soffice.ts";
import { type LibreOfficeOptions, parseOptions, type Settings } from "./options.ts";
import { checkPdfOptions, mergePdfOptions } from "./pdf-options.ts";
import { laneProgram } from "./process/lane-program.ts";
import { closedError, conversionFailed } from "./supervisor/failures.ts";
import { JoinStatistics } from "./supervisor/join-statistics.ts";
import { LanePool } from "./supervisor/pool.ts";
import type { PoolOptions } from "./supervisor/pool-options.ts";
import type { FinalReply } from "./supervisor/task.ts";
import { defaultTempDir } from "./supervisor/temp-workspace.ts";
import { WASM_LANE_MB, wasmVersion } from "./wasm/package.ts";

/**
 * Creates a converter that uses an installed LibreOffice. By default, the converter starts LibreOffice immediately and
 * keeps it running. Anything in a document that would fetch, run or open something is removed before conversion. Links
 * in the document are never followed, and macros never run. Close the converter to end its processes and remove its
 * temporary files. If the host process dies without closing the converter, the processes also end, and the files are
 * also removed. Throws `invalid_request` for invalid options, and `unavailable` in a bundle.
 */
export function libreOffice(options: LibreOfficeOptions = {}): Converter {
  return sealedConverter(options, SEALED);
}

/** Creates a converter with layers of the seal turned off. Only for tests, which check that the other layers hold. */
export function sealedConverter(options: LibreOfficeOptions, seal: Seal): LibreOfficeConverter {
  const settings = parseOptions(options);
  checkPdfOptions(settings.pdf);
  laneProgram(); // reports a bundle before the converter creates its folder
  return new LibreOfficeConverter(settings, seal);
}

/** A converter that reports the state of its seal. */
export class LibreOfficeConverter implements Converter {
  readonly #settings: Settings;
  readonly #seal: Seal;
  readonly #cache: OnceCache<ConvertedDocument>;
  readonly #running = new Set<Promise<unknown>>();
  readonly #joining = new JoinStatistics();
  #pool: Promise<LanePool> | undefined;
  #opened: LanePool | undefined;
  #version: Promise<string> | undefined;
  #closed: Promise<void> | undefined;

  constructor(settings: Settings, seal: Seal) {
    this.#settings = settings;
    this.#seal = seal;
    this.#cache = new OnceCache(settings.cacheMb * 1024 * 1024);
    // If the lanes cannot start, the first conversion reports the error.
    if (!settings.lazy) this.#lanes().catch(() => {});
  }

  async convert(document: Uint8Array, options: ConvertOptions = {}): Promise<ConvertedDocument> {
    const { signal } = options;
    throwIfAborted(signal);
    if (this.#closed !== undefined) throw closedError();
    const pdf = mergePdfOptions(this.#settings.pdf, options.pdf);
    const hash = hashOf(document);
    const { tenant = "", rendered = false, preemptible = false } = options;
    const key = JSON.stringify([tenant, hash, rendered, preemptible, pdf]);
    const conversion = this.#cache.get(
      key,
      async (unwanted) => {
        const value = await this.#convert({ document, hash, pdf, options }, unwanted);
        return { value, bytes: value.bytes.length };
      },
      signal,
      abortedError,
    );
    this.#running.add(conversion);
    try {
      const converted = await conversion;
      return { ...converted, bytes: new Uint8Array(converted.bytes) };
    } finally {
      this.#running.delete(conversion);
    }
  }

  seal(): ConverterSeal | null {
    return this.#opened?.seal ?? null;
  }

  joining(): ConverterJoining {
    return this.#joining.read();
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    const pool = await this.#pool?.catch(() => undefined);
    await pool?.close();
    await Promise.allSettled(this.#running);
    this.#cache.clear();
  }

  async #convert(
    work: {
      readonly document: Uint8Array;
      readonly hash: string;
      readonly pdf: PdfOptions;
      readonly options: ConvertOptions;
    },
    signal: AbortSignal,
  ): Promise<ConvertedDocument> {
    const { document, hash, pdf, options } = work;
    const pool = await this.#lanes();
    const { promise, resolve, reject } = Promise.withResolvers<FinalReply>();
    const { rendered = false, group, tenant = "", weight, preemptible = false } = options;
    pool.add({
      document: { bytes: document, rendered },
      pdf,
      // A document that crashes lanes is refused only for its own tenant, not for tenants with an equal document.
      hash: hashOf(Buffer.from(JSON.stringify([tenant, hash]))),
      group: group === undefined ? null : JSON.stringify([tenant, group, pdf]),
      sharer: { tenant, weight, flow: group ?? "" },
      preemptible,
      onBegin: options.onBegin,
      signal,
      resolve,
      reject,
    });
    const reply = await promise;
    if (reply.type === "failed") throw conversionFailed(reply);
    if (group !== undefined) this.#joining.count(reply.joined);
    return {
      bytes: reply.bytes,
      pages: reply.pages,
      warnings: pool.mode === "fresh" ? [...reply.warnings, SLOW] : reply.warnings,
      fingerprint: await this.#fingerprint(pool, pdf),
    };
  }

  async #fingerprint(pool: LanePool, pdf: PdfOptions): Promise<ConverterFingerprint> {
    this.#version ??= pool.version === null ? this.#askVersion() : Promise.resolve(pool.version);
    return {
      program: `LibreOffice ${await this.#version}`,
      fonts: pool.fonts,
      options: hashOf(Buffer.from(JSON.stringify(pdf))).slice(0, 16),
    };
  }

  async #askVersion(): Promise<string> {
    const { mode, soffice } = await findOffice(this.#settings);
    if (mode === "wasm") return wasmVersion(soffice);
    return sofficeVersion(soffice).catch(() => "of an unknown version");
  }

  #lanes(): Promise<LanePool> {
    this.#pool ??= this.#openPool();
    this.#pool.catch(() => {
      this.#pool = undefined; // LibreOffice may be installed before the next attempt
    });
    return this.#pool;
  }

  async #openPool(): Promise<LanePool> {
    const settings = this.#settings;
    const { mode, soffice } = await findOffice(settings);
    const pool = new LanePool({
      ...settings,
      joining: this.#joining,
      mode,
      soffice,
      tempDir: settings.tempDir ?? (await defaultTempDir()),
      limits: {
        memoryMb: settings.memoryLimitMb,
        fileMb: settings.tempLimitMb,
        cpuSeconds: MAX_CPU_SECONDS,
      },
      seal: this.#seal,
      startLimitMs: START_LIMIT_MS,
      ...(mode === "wasm" ? forWasm(settings) : {}),
    });
    this.#opened = pool;
    pool.warmUp();
    return pool;
  }
}

/**
 * Adapts options to WebAssembly. Joining is off: only for the native LibreOffice is it proven to give the same result.
 */
function forWasm({ lanes }: Settings): Partial<PoolOptions> {
  const room = Math.floor(process.availableMemory() / (WASM_LANE_MB * 1024 * 1024));
  return {
    lanes: Math.min(lanes, Math.max(1, room)),
    join: "off",
    startLimitMs: WASM_START_LIMIT_MS,
  };
}

const START_LIMIT_MS = 60_000;
/**
 * The limit for WebAssembly, which starts in 5 s, or in 20 s on a busy machine. Linux detects a stalled start earlier.
 */
const WASM_START_LIMIT_MS = 45_000;
/**
 * The limit for the whole life of a LibreOffice process. This is the last safeguard against a process whose host has
 * died.
 */
const MAX_CPU_SECONDS = 4 * 3600;

const SLOW: Diagnostic = {
  severity: "warning",
  code: "converter_slow",
  message:
    "LibreOffice could not be kept running, so it was started for this document alone, which is 20 to 50 times slower.",
  hint: "Run `quire doctor` to find the reason.",
};

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
