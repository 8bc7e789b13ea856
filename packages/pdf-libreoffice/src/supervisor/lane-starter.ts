import { join } from "node:path";
import type { ConverterSeal, QuireError } from "@quire/contracts";
import type { LaunchLimits } from "../office/launch.ts";
import type { Seal } from "../office/seal.ts";
import type { LaneMode } from "../process/messages.ts";
import { heldLayers, weaklySealed } from "./failures.ts";
import { type Lane, startLane } from "./lane.ts";
import { type LaneEnd, LaneFailure } from "./lane-failure.ts";
import { openWasmWorkspace, openWorkspace, type TempWorkspace } from "./temp-workspace.ts";

/** Options for starting lanes. */
export interface StarterOptions {
  readonly mode: "auto" | LaneMode;
  readonly deadlineMs: number;
  readonly startLimitMs: number;
  readonly limits: LaunchLimits;
  readonly seal: Seal;
  readonly tempDir: string;
  /** The path of the program; with `wasm`, the folder of its package. */
  readonly soffice: string;
  readonly fontFolders: readonly string[];
  /** How many of the three layers of the seal must hold. */
  readonly leastLayers: number;
}

/** Returns the maximum number of start attempts, depending on how the last attempt ended. */
function mostStarts(mode: LaneMode, end: LaneEnd): number {
  if (mode === "wasm") return end === "broken" ? 2 : 12;
  return end === "deadline" ? 1 : 2;
}

/** How long lanes are started as `fresh` before `warm` is tried again. The pause doubles with each failure. */
const WARM_PAUSE_MS = 10_000;
const MAX_WARM_PAUSE_MS = 600_000;

/** Starts the lanes of a pool. Each lane has a folder within one shared folder. */
export class LaneStarter {
  readonly #options: StarterOptions;
  readonly #closing: AbortSignal;
  #workspace: Promise<TempWorkspace> | undefined;
  #laneNumber = 0;
  /** Whether LibreOffice could be kept running at least once. */
  #wasKept = false;
  /** The state of the seal when the last lane started. */
  seal: ConverterSeal | null = null;
  /** The reason why no more lanes are started. */
  #refusal: QuireError | undefined;
  /** The mode of new lanes: `warm`, unless another mode was requested or `warm` does not work at present. */
  mode: LaneMode;
  /** Whether it is time to try `warm` again. */
  #isWarmDue = false;
  #warmPauseMs = WARM_PAUSE_MS;
  #warmTimer: NodeJS.Timeout | undefined;

  /** `closing` aborts pending starts. */
  constructor(options: StarterOptions, closing: AbortSignal) {
    this.#options = options;
    this.#closing = closing;
    this.mode = options.mode === "auto" ? "warm" : options.mode;
  }

  /** Removes the shared folder. All lanes must have ended. */
  async close(): Promise<void> {
    clearTimeout(this.#warmTimer);
    const workspace = await this.#workspace?.catch(() => undefined);
    await workspace?.remove();
  }

  /** Whether another lane should replace this one, because a LibreOffice can or might be kept running again. */
  improves({ mode }: Pick<Lane, "mode">): boolean {
    return mode === "fresh" && (this.#isWarmDue || this.mode === "warm");
  }

  /** Starts a lane. Rejects with `unavailable` or {@link LaneFailure}. */
  async start(): Promise<Lane> {
    if (this.#refusal !== undefined) throw this.#refusal;
    const lane = await this.#startAny();
    const { leastLayers } = this.#options;
    this.seal = lane.seal;
    if (heldLayers(lane.seal).length >= leastLayers) return lane;
    this.#refusal = weaklySealed(lane.seal, leastLayers);
    await lane.stop();
    throw this.#refusal;
  }

  async #startAny(): Promise<Lane> {
    const { mode } = this.#options;
    this.#workspace ??=
      mode === "wasm" ? openWasmWorkspace(this.#options) : openWorkspace(this.#options);
    this.#workspace.catch(() => {
      this.#workspace = undefined;
    });
    const workspace = await this.#workspace;
    const tried = this.#isWarmDue ? "warm" : this.mode;
    this.#isWarmDue = false;
    try {
      const lane = await this.#startAgain(workspace, tried);
      this.#wasKept ||= tried === "warm";
      this.mode = tried;
      return lane;
    } catch (error) {
      // If LibreOffice could be kept running before, the problem is temporary.
      if (mode !== "auto" || this.#wasKept || this.#closing.aborted) throw error;
      const lane = await this.#startIn(workspace, "fresh");
      this.#useFresh();
      return lane;
    }
  }

  #useFresh(): void {
    this.mode = "fresh";
    clearTimeout(this.#warmTimer);
    this.#warmTimer = setTimeout(() => {
      this.#isWarmDue = true;
    }, this.#warmPauseMs);
    this.#warmTimer.unref();
    this.#warmPauseMs = Math.min(2 * this.#warmPauseMs, MAX_WARM_PAUSE_MS);
  }

  /**
   * Starts a lane, with retries, because something from outside may have stopped the first attempt, and WebAssembly
   * sometimes stalls during its start.
   */
  async #startAgain(workspace: TempWorkspace, mode: LaneMode): Promise<Lane> {
    for (let starts = 1; ; starts++) {
      try {
        return await this.#startIn(workspace, mode);
      } catch (error) {
        if (!(error instanceof LaneFailure) || this.#closing.aborted) throw error;
        if (starts >= mostStarts(mode, error.end)) throw error;
      }
    }
  }

  async #startIn(workspace: TempWorkspace, mode: LaneMode): Promise<Lane> {
    this.#laneNumber += 1;
    const folder = join(workspace.folder, `lane-${this.#laneNumber}`);
    const profile = await workspace.profile();
    const { environment, enclosure, bounds, fontFolders } = workspace;
    const ofLane = { mode, folder, profile, environment, enclosure, bounds, fontFolders };
    return startLane({ ...this.#options, ...ofLane }, this.#closing);
  }
}
