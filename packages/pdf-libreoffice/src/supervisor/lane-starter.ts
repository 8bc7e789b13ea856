import { join } from "node:path";
import type { ConverterSeal, QuireError } from "@quire/core/host";
import type { LaunchLimits } from "../office/launch.ts";
import type { Seal } from "../office/seal.ts";
import type { LaneMode } from "../process/messages.ts";
import { heldLayers, weaklySealed } from "./failures.ts";
import { type Lane, type LaneEnd, LaneFailure, startLane } from "./lane.ts";
import { openWasmWorkshop, openWorkshop, type Workshop } from "./workshop.ts";

/** With what lanes are started. */
export interface StarterOptions {
  readonly mode: "auto" | LaneMode;
  readonly deadlineMs: number;
  readonly startLimitMs: number;
  readonly limits: LaunchLimits;
  readonly seal: Seal;
  readonly tempDir: string;
  /** The program; with `wasm`, the folder of its package. */
  readonly soffice: string;
  readonly fontFolders: readonly string[];
  /** How many layers of the seal must hold, of three. */
  readonly leastLayers: number;
}

/** How often a lane is started whose last start ended so. */
function mostStarts(mode: LaneMode, end: LaneEnd): number {
  if (mode === "wasm") return end === "broken" ? 2 : 12;
  return end === "deadline" ? 1 : 2;
}

/** Starts the lanes of a pool, each in a folder of its own within one that all share. */
export class LaneStarter {
  readonly #options: StarterOptions;
  readonly #closing: AbortSignal;
  #workshop: Promise<Workshop> | undefined;
  #laneNumber = 0;
  /** Whether a LibreOffice that stays came up. */
  #wasKept = false;
  /** What held when the last lane came up. */
  seal: ConverterSeal | null = null;
  /** Why no more are started. */
  #refusal: QuireError | undefined;
  /** How documents are converted: `warm`, unless something else was asked for or that was found to be impossible. */
  mode: LaneMode;

  /** `closing`: gives up what is being started. */
  constructor(options: StarterOptions, closing: AbortSignal) {
    this.#options = options;
    this.#closing = closing;
    this.mode = options.mode === "auto" ? "warm" : options.mode;
  }

  /** Removes the shared folder. All lanes must have ended. */
  async close(): Promise<void> {
    const workshop = await this.#workshop?.catch(() => undefined);
    await workshop?.remove();
  }

  /** Rejects `unavailable`, or {@link LaneFailure}. */
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
    this.#workshop ??=
      mode === "wasm" ? openWasmWorkshop(this.#options) : openWorkshop(this.#options);
    this.#workshop.catch(() => {
      this.#workshop = undefined;
    });
    const workshop = await this.#workshop;
    const tried = this.mode;
    try {
      const lane = await this.#startAgain(workshop, tried);
      this.#wasKept ||= tried === "warm";
      return lane;
    } catch (error) {
      // Once one was kept it can be: what is in the way now will pass.
      if (mode !== "auto" || this.#wasKept || this.#closing.aborted) throw error;
      const lane = await this.#startIn(workshop, "fresh");
      this.mode = "fresh";
      return lane;
    }
  }

  /** Something from outside may have ended the first one; a WebAssembly stands still in some of its starts. */
  async #startAgain(workshop: Workshop, mode: LaneMode): Promise<Lane> {
    for (let starts = 1; ; starts++) {
      try {
        return await this.#startIn(workshop, mode);
      } catch (error) {
        if (!(error instanceof LaneFailure) || this.#closing.aborted) throw error;
        if (starts >= mostStarts(mode, error.end)) throw error;
      }
    }
  }

  async #startIn(workshop: Workshop, mode: LaneMode): Promise<Lane> {
    this.#laneNumber += 1;
    const folder = join(workshop.folder, `lane-${this.#laneNumber}`);
    const profile = await workshop.profile();
    const { environment, enclosure, bounds, fontFolders } = workshop;
    const ofLane = { mode, folder, profile, environment, enclosure, bounds, fontFolders };
    return startLane({ ...this.#options, ...ofLane }, this.#closing);
  }
}
