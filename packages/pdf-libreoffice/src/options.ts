import { availableParallelism } from "node:os";
import { checkOptions, type OptionNames, type PdfOptions, QuireError } from "@quire/contracts";
import type { LaneMode } from "./process/messages.ts";
import type { LaneEnd } from "./supervisor/lane-failure.ts";

/** Options of {@link libreOffice}. */
export interface LibreOfficeOptions {
  /**
   * Number of documents converted at the same time, each by a separate LibreOffice process. Default: the number of
   * cores. With `wasm`, the free memory also limits it.
   */
  readonly lanes?: number;
  /**
   * - `warm`: keeps one LibreOffice running per lane; 20 to 50 times as fast as `fresh`.
   * - `fresh`: starts LibreOffice for each document, through libreoffice-convert. Does not support
   *   {@link PdfOptions}.
   * - `wasm`: uses LibreOffice as WebAssembly, from the npm package `@matbee/libreoffice-converter`, which you install
   *   in addition to this one. Needs 1.5 GB of memory per lane, has different fonts, cannot update indexes, and takes
   *   metadata only from the document.
   * - `auto` (default): uses `warm`, or `fresh` with a warning as long as LibreOffice cannot be kept running, or `wasm`
   *   if no LibreOffice is found and the package is installed.
   */
  readonly mode?: "auto" | LaneMode;
  /** Starts lanes when the first document arrives. Default false: lanes start when the converter is created. */
  readonly lazy?: boolean;
  /**
   * Time limit for one document in LibreOffice, in milliseconds, not counting waiting time. Default 60,000. If the
   * document was joined with others and this took too long, that time counts, up to a quarter of the limit.
   */
  readonly deadlineMs?: number;
  /**
   * How long a document that is `preemptible` may take while others wait, in milliseconds; documents that are converted
   * together get an additional second for each document after the first. Default 5000.
   */
  readonly preemptAfterMs?: number;
  /**
   * Maximum time that a document waits for a lane, in milliseconds. After this time, the conversion rejects
   * with `unavailable`. Default one hour.
   */
  readonly maxWaitMs?: number;
  /** Maximum number of waiting documents. Further conversions reject with `unavailable`. Default 10,000. */
  readonly maxWaiting?: number;
  /** A lane is replaced in the background after this many documents. Default 2,000. */
  readonly recycleAfter?: number;
  /**
   * A lane is also replaced when its LibreOffice uses more memory than this, in MiB. With `wasm`, only memory beyond
   * the initial use counts. Default 600.
   */
  readonly recycleMemoryMb?: number;
  /** Default PDF options. A conversion can override each field. */
  readonly pdf?: PdfOptions;
  /**
   * How missing fonts are handled: `warn` (default) adds warnings, `strict` fails the conversion, `off` skips the
   * check.
   */
  readonly fonts?: "warn" | "strict" | "off";
  /** Folders with fonts, in addition to the system's fonts; with `wasm`, in addition to the package's fonts. */
  readonly fontFolders?: readonly string[];
  /**
   * Whether documents of one group may be joined into a single conversion, if the result was proven to be the same.
   * Default `auto`. A font embedded in a PDF may then contain letters that only other documents of the group use. Set
   * `off` if that matters.
   */
  readonly join?: "auto" | "off";
  /** Cache size for PDFs of equal documents of one tenant, in MiB in total. Default 64; 0 turns the cache off. */
  readonly cacheMb?: number;
  /**
   * How many of the three layers of the seal must pass a test at startup: documents cleaned, links not followed,
   * isolated from the network and other files. With fewer, conversions reject with `unavailable`. Default 0.
   */
  readonly leastLayers?: number;
  /** The LibreOffice program. Default: the result of {@link findSoffice}. */
  readonly sofficePath?: string;
  /**
   * Where the private folder is created. Default: in memory if there is room, otherwise the system's temporary folder.
   */
  readonly tempDir?: string;
  /**
   * Called when a LibreOffice has ended and will be replaced. `worn` means a planned replacement, because of its
   * number of documents or its memory. Any other reason is a failure. Must not throw.
   */
  readonly onReplaced?: (reason: LaneReplacement) => void;
  /** Limit for the address space of one LibreOffice, in MiB. Not enforced on macOS. Default 4096. */
  readonly memoryLimitMb?: number;
  /**
   * Limit for each file that LibreOffice writes, in MiB; with namespaces, for the total size of its files. Default
   * 1024.
   */
  readonly tempLimitMb?: number;
}

/** Why a lane was replaced. `broken` means that it did not start, `lost` that it was stopped from outside. */
export type LaneReplacement = LaneEnd | "worn";

/** The options with defaults applied. */
export interface Settings extends Required<Omit<LibreOfficeOptions, "sofficePath" | "tempDir">> {
  readonly sofficePath: string | undefined;
  readonly tempDir: string | undefined;
}

const NAMES: OptionNames<LibreOfficeOptions> = {
  lanes: true,
  mode: true,
  lazy: true,
  deadlineMs: true,
  preemptAfterMs: true,
  maxWaitMs: true,
  maxWaiting: true,
  recycleAfter: true,
  recycleMemoryMb: true,
  pdf: true,
  fonts: true,
  fontFolders: true,
  join: true,
  cacheMb: true,
  leastLayers: true,
  sofficePath: true,
  tempDir: true,
  onReplaced: true,
  memoryLimitMb: true,
  tempLimitMb: true,
};

const LONGEST_TIMER_MS = 2 ** 31 - 1;
const MANY = 2 ** 30;

const MODES = ["auto", "warm", "fresh", "wasm"] as const;
const FONTS = ["warn", "strict", "off"] as const;
const JOINS = ["auto", "off"] as const;

/** Throws `invalid_request` for invalid options. */
export function parseOptions(options: LibreOfficeOptions): Settings {
  checkOptions("libreOffice()", options, NAMES);
  return {
    lanes: whole("lanes", options.lanes, { from: 1, to: 1024, default: availableParallelism() }),
    mode: oneOf("mode", options.mode, MODES),
    lazy: options.lazy ?? false,
    deadlineMs: duration("deadlineMs", options.deadlineMs, 60_000),
    preemptAfterMs: duration("preemptAfterMs", options.preemptAfterMs, 5_000),
    maxWaitMs: duration("maxWaitMs", options.maxWaitMs, 3_600_000),
    maxWaiting: whole("maxWaiting", options.maxWaiting, { from: 0, to: MANY, default: 10_000 }),
    recycleAfter: whole("recycleAfter", options.recycleAfter, {
      from: 1,
      to: MANY,
      default: 2_000,
    }),
    recycleMemoryMb: whole("recycleMemoryMb", options.recycleMemoryMb, {
      from: 1,
      to: MANY,
      default: 600,
    }),
    pdf: options.pdf ?? {},
    fonts: oneOf("fonts", options.fonts, FONTS),
    fontFolders: options.fontFolders ?? [],
    join: oneOf("join", options.join, JOINS),
    cacheMb: whole("cacheMb", options.cacheMb, { from: 0, to: MANY, default: 64 }),
    leastLayers: whole("leastLayers", options.leastLayers, { from: 0, to: 3, default: 0 }),
    sofficePath: options.sofficePath,
    tempDir: options.tempDir,
    onReplaced: options.onReplaced ?? (() => {}),
    tempLimitMb: whole("tempLimitMb", options.tempLimitMb, {
      from: 16,
      to: MANY / 1024,
      default: 1024,
    }),
    memoryLimitMb: whole("memoryLimitMb", options.memoryLimitMb, {
      from: 1,
      to: MANY,
      default: 4096,
    }),
  };
}

function duration(name: string, value: number | undefined, standard: number): number {
  return whole(name, value, { from: 1, to: LONGEST_TIMER_MS, default: standard });
}

function whole(
  name: string,
  given: number | undefined,
  range: { readonly from: number; readonly to: number; readonly default: number },
): number {
  const value = given ?? range.default;
  if (Number.isInteger(value) && value >= range.from && value <= range.to) return value;
  throw new QuireError(
    "invalid_request",
    `The option ${name} of libreOffice() must be a whole number from ${range.from} to ${range.to}, not ${value}.`,
  );
}

/** Returns the value of an option. The first of `values` is the default. Throws `invalid_request` for other values. */
function oneOf<T extends string>(
  name: string,
  given: T | undefined,
  values: readonly [T, ...T[]],
): T {
  const value = given ?? values[0];
  if (values.includes(value)) return value;
  throw new QuireError(
    "invalid_request",
    `The option ${name} of libreOffice() must be one of ${values.join(", ")}, not ${JSON.stringify(value)}.`,
  );
}
