import { join } from "node:path";
import type { LaunchLimits } from "../office/launch.ts";
import type { Seal } from "../office/seal.ts";
import type { LaneMode } from "../process/messages.ts";
import { type Lane, LaneFailure, startLane } from "./lane.ts";
import { openWorkshop, type Workshop } from "./workshop.ts";

/** With what lanes are started. */
export interface StarterOptions {
  readonly mode: "auto" | LaneMode;
  readonly deadlineMs: number;
  readonly startLimitMs: number;
  readonly limits: LaunchLimits;
  readonly seal: Seal;
  readonly tempDir: string;
  readonly soffice: string;
  readonly fontFolders: readonly string[];
}

/** Starts the lanes of a pool, each in a folder of its own within one that all share. */
export class LaneStarter {
  readonly #options: StarterOptions;
  readonly #closing: AbortSignal;
  #workshop: Promise<Workshop> | undefined;
  #laneNumber = 0;
  /** Whether a LibreOffice that stays came up. */
  #wasKept = false;
  /** How documents are converted: `warm` until that was found to be impossible. */
  mode: LaneMode;

  /** `closing`: gives up what is being started. */
  constructor(options: StarterOptions, closing: AbortSignal) {
    this.#options = options;
    this.#closing = closing;
    this.mode = options.mode === "fresh" ? "fresh" : "warm";
  }

  /** Removes the shared folder. All lanes must have ended. */
  async close(): Promise<void> {
    const workshop = await this.#workshop?.catch(() => undefined);
    await workshop?.remove();
  }

  /** Rejects `unavailable`, or {@link LaneFailure}. */
  async start(): Promise<Lane> {
    const { mode } = this.#options;
    this.#workshop ??= openWorkshop(this.#options);
    this.#workshop.catch(() => {
      this.#workshop = undefined;
    });
    const workshop = await this.#workshop;
    const tried = this.mode;
    try {
      const lane = await this.#startTwice(workshop, tried);
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

  /** Something from outside may have ended the first one. */
  async #startTwice(workshop: Workshop, mode: LaneMode): Promise<Lane> {
    try {
      return await this.#startIn(workshop, mode);
    } catch (error) {
      const again = error instanceof LaneFailure && error.end !== "deadline";
      if (!again || this.#closing.aborted) throw error;
      return this.#startIn(workshop, mode);
    }
  }

  async #startIn(workshop: Workshop, mode: LaneMode): Promise<Lane> {
    this.#laneNumber += 1;
    const folder = join(workshop.folder, `lane-${this.#laneNumber}`);
    const profile = await workshop.profile();
    const { environment, readable } = workshop;
    const options = { ...this.#options, mode, folder, profile, environment, readable };
    return startLane(options, this.#closing);
  }
}
