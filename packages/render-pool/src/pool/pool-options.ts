import { availableParallelism } from "node:os";
import { checkOptions, type OptionNames, QuireError } from "@quire/contracts";
import { DEFAULT_DOCUMENT_LIMITS } from "@quire/docx/internal/values/budget";
import { assertFonts } from "@quire/docx/internal/values/image/fonts/font-set";
import type { ChildSettings } from "./pool-child.ts";

/** Options of {@link renderPool}. */
export interface RenderPoolOptions {
  /**
   * Maximum number of processes, in total and per tenant. A process starts when it is needed. While long documents of
   * other tenants occupy all processes, a waiting tenant gets an additional one. Default: the number of cores.
   */
  readonly processes?: number;
  /**
   * Maximum time for rendering a document, in milliseconds, excluding time in the queue and for files. Default 30,000.
   */
  readonly documentTimeoutMs?: number;
  /** How long a `preemptible` document may run while other documents wait, in milliseconds. Default 3000. */
  readonly preemptAfterMs?: number;
  /** Maximum work for one document, like `steps` of `DocumentLimits`. Default 20 million. */
  readonly documentSteps?: number;
  /** Maximum time for compiling a template, in milliseconds. Default 30,000. */
  readonly compileTimeoutMs?: number;
  /** Heap limit per process, in MB. Default 512. */
  readonly heapLimitMb?: number;
  /**
   * Limit for the resident memory of a process, in MB, including its buffers and its program (about 100 MB). It is
   * checked twenty times a second. A process that uses more than 60% of this limit for two seconds is replaced after
   * its current work. Default: 512 more than `heapLimitMb`.
   */
  readonly memoryLimitMb?: number;
  /** Maximum number of compiled templates per process. Their files take at most 64 MB in total. Default 32. */
  readonly cachedTemplates?: number;
  /** Number of documents after which a process is replaced. Default 100,000. */
  readonly documentsPerProcess?: number;
  /** How long an idle process is kept, in milliseconds. Default 30,000. */
  readonly idleMs?: number;
  /** Maximum number of waiting documents. Further documents are rejected with `limit_exceeded`. Default 100,000. */
  readonly maxWaiting?: number;
  /**
   * Font files (TrueType or OpenType) for the text of SVGs in the data, such as `await readFontFolder("fonts")`. Fonts of
   * the system are never used. At most 100 files of 50 MB in total, which must not be changed afterwards. Each process
   * that draws such an SVG gets a copy. Default: none, and an SVG with text is a problem of its entry.
   */
  readonly svgFonts?: readonly Uint8Array[];
}

/** The options with their defaults. */
export interface PoolSettings extends ChildSettings {
  readonly processes: number;
  readonly documentSteps: number;
  readonly idleMs: number;
  readonly maxWaiting: number;
  readonly svgFonts: readonly Uint8Array[];
}

const NAMES: OptionNames<RenderPoolOptions> = {
  processes: true,
  documentTimeoutMs: true,
  preemptAfterMs: true,
  documentSteps: true,
  compileTimeoutMs: true,
  heapLimitMb: true,
  memoryLimitMb: true,
  cachedTemplates: true,
  documentsPerProcess: true,
  idleMs: true,
  maxWaiting: true,
  svgFonts: true,
};

const LONGEST_TIMER_MS = 2 ** 31 - 1;
const MOST_MEMORY_MB = 2 ** 24;

/** Minimum values in MB. With less memory, no process becomes ready. */
const LEAST_HEAP_MB = 32;
const LEAST_MEMORY_MB = 256;

/** Fills in the defaults. Throws `invalid_request` for unknown options, invalid values and fonts that cannot be used. */
export function parsePoolOptions(options: RenderPoolOptions): PoolSettings {
  checkOptions("renderPool()", options, NAMES);
  const heapLimitMb = whole(
    "heapLimitMb",
    options.heapLimitMb ?? 512,
    MOST_MEMORY_MB,
    LEAST_HEAP_MB,
  );
  return {
    processes: whole("processes", options.processes ?? availableParallelism(), 1024),
    documentTimeoutMs: whole(
      "documentTimeoutMs",
      options.documentTimeoutMs ?? 30_000,
      LONGEST_TIMER_MS,
    ),
    documentSteps: whole(
      "documentSteps",
      options.documentSteps ?? DEFAULT_DOCUMENT_LIMITS.steps,
      Number.MAX_SAFE_INTEGER,
    ),
    compileTimeoutMs: whole(
      "compileTimeoutMs",
      options.compileTimeoutMs ?? 30_000,
      LONGEST_TIMER_MS,
    ),
    preemptAfterMs: whole("preemptAfterMs", options.preemptAfterMs ?? 3_000, LONGEST_TIMER_MS),
    heapLimitMb,
    memoryLimitMb: whole(
      "memoryLimitMb",
      options.memoryLimitMb ?? heapLimitMb + 512,
      MOST_MEMORY_MB,
      LEAST_MEMORY_MB,
    ),
    cachedTemplates: whole("cachedTemplates", options.cachedTemplates ?? 32, 1_000_000),
    documentsPerProcess: whole(
      "documentsPerProcess",
      options.documentsPerProcess ?? 100_000,
      2 ** 31,
    ),
    idleMs: whole("idleMs", options.idleMs ?? 30_000, LONGEST_TIMER_MS),
    maxWaiting: whole("maxWaiting", options.maxWaiting ?? 100_000, 2 ** 31),
    svgFonts: assertFonts(options.svgFonts ?? [], "svgFonts of renderPool()"),
  };
}

function whole(name: string, value: number, max: number, min = 1): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new QuireError(
    "invalid_request",
    `The option ${name} of renderPool() must be a whole number from ${min} to ${max}, not ${value}.`,
  );
}
