import { availableParallelism } from "node:os";
import { type PdfOptions, QuireError } from "@quire/core/host";
import type { LaneMode } from "./process/messages.ts";
import type { LaneEnd } from "./supervisor/lane.ts";

/** Options of {@link libreOffice}. */
export interface LibreOfficeOptions {
  /**
   * How many documents are converted at once, each by a LibreOffice of its own. Default: the cores. With `wasm` there
   * are never more than the free memory has room for.
   */
  readonly lanes?: number;
  /**
   * `warm`: a LibreOffice stays for each lane, 20 to 50 times as fast. `fresh`: one is started for each
   * document, through libreoffice-convert; no {@link PdfOptions}. `wasm`: LibreOffice as WebAssembly, from the
   * npm package `@matbee/libreoffice-converter` that you install beside this one; 1.5 GB of memory a lane, other
   * fonts, no update of indexes, no metadata but the document's. Default `auto`: warm, and fresh with a warning
   * where that cannot be; wasm where no LibreOffice is found and the package is there.
   */
  readonly mode?: "auto" | LaneMode;
  /** Lanes are started with the first document. Default false: as soon as there is a converter. */
  readonly lazy?: boolean;
  /** How long one document may take in LibreOffice; waiting does not count. Default 60 000. */
  readonly deadlineMs?: number;
  /** How long one document may wait for a lane; then it rejects `unavailable`. Default an hour. */
  readonly maxWaitMs?: number;
  /** How many documents may wait; one more rejects `unavailable`. Default 10 000. */
  readonly maxWaiting?: number;
  /** A lane is replaced after so many documents, in the background. Default 2 000. */
  readonly recycleAfter?: number;
  /**
   * A lane whose LibreOffice holds more MiB is replaced likewise, with `wasm` more than it held at first. Default 600.
   */
  readonly recycleMemoryMb?: number;
  /** How a PDF is to be, unless a conversion says otherwise, field by field. */
  readonly pdf?: PdfOptions;
  /**
   * What becomes of a document in fonts that are not there. Default `warn`; `strict` makes it fail;
   * `off` does not look.
   */
  readonly fonts?: "warn" | "strict" | "off";
  /** Folders with fonts beside the system's; with `wasm`, beside those of the package. */
  readonly fontFolders?: readonly string[];
  /**
   * Whether documents of one group are converted as one where that was proven to be the same. Default
   * `auto`. A font in a PDF may then hold letters that only others of its group use; `off` for who minds.
   */
  readonly join?: "auto" | "off";
  /** PDFs of equal documents of a tenant are kept, up to so many MiB in all. Default 64; 0 keeps none. */
  readonly cacheMb?: number;
  /**
   * How many of the three layers of the seal must hold in a test: documents cleaned, no links followed, isolated from
   * network and files. Otherwise conversions reject `unavailable`. Default 0.
   */
  readonly leastLayers?: number;
  /** The LibreOffice program. Default: what {@link findSoffice} finds. */
  readonly sofficePath?: string;
  /** Where the private folder is made. Default: in memory where that has room, else the system's. */
  readonly tempDir?: string;
  /**
   * Told why a LibreOffice ended that others will follow: `worn` when it was replaced after its documents or for its
   * memory, which is as it should be; else what went wrong. It must not throw.
   */
  readonly onReplaced?: (reason: LaneReplacement) => void;
  /** The address space of one LibreOffice, in MiB; macOS does not enforce it. Default 4096. */
  readonly memoryLimitMb?: number;
  /**
   * Limit for one file that a LibreOffice writes, in MiB, and with namespaces for the sum of its files. Default 1024.
   */
  readonly tempLimitMb?: number;
}

/** Why a lane was replaced. `broken`: one did not come up; `lost`: it was stopped from outside. */
export type LaneReplacement = LaneEnd | "worn";

/** The options with their defaults. */
export interface Settings extends Required<Omit<LibreOfficeOptions, "sofficePath" | "tempDir">> {
  readonly sofficePath: string | undefined;
  readonly tempDir: string | undefined;
}

const LONGEST_TIMER_MS = 2 ** 31 - 1;
const MANY = 2 ** 30;

const MODES = ["auto", "warm", "fresh", "wasm"] as const;
const FONTS = ["warn", "strict", "off"] as const;
const JOINS = ["auto", "off"] as const;

/** Throws `invalid_request` for options that make no sense. */
export function parseOptions(options: LibreOfficeOptions): Settings {
  return {
    lanes: whole("lanes", options.lanes, { from: 1, to: 1024, default: availableParallelism() }),
    mode: oneOf("mode", options.mode, MODES),
    lazy: options.lazy ?? false,
    deadlineMs: duration("deadlineMs", options.deadlineMs, 60_000),
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

/** The first one is the default. */
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
