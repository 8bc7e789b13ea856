import type { BatchPause } from "@quire/core";
import { count } from "../terminal/format.ts";
import { type CommandIo, writeLine } from "../terminal/io.ts";

/** Reports the pauses of a run, and gives up if one lasts too long. Call {@link end} at the end of the run. */
export class RunPauses {
  readonly #io: CommandIo;
  readonly #giveUpAfter: number | null;
  readonly #giveUp: () => void;
  #timer: NodeJS.Timeout | null = null;
  #reason: string | null = null;

  /** `giveUpAfter` is in seconds; null to wait forever. `giveUp` interrupts the run. */
  constructor(io: CommandIo, giveUpAfter: number | null, giveUp: () => void) {
    this.#io = io;
    this.#giveUpAfter = giveUpAfter;
    this.#giveUp = giveUp;
  }

  /** Why the run gave up; null if it did not. */
  get reason(): string | null {
    return this.#reason;
  }

  /** The engine's `onPause`. */
  readonly onPause = ({ failure, since }: BatchPause, state: "paused" | "resumed"): void => {
    if (state === "resumed") {
      this.end();
      writeLine(this.#io.stderr, "Resumed.");
      return;
    }
    writeLine(
      this.#io.stderr,
      `Paused: ${failure.message} The run resumes by itself when the problem is solved. Ctrl-C stops it.`,
    );
    if (this.#giveUpAfter === null) return;
    const seconds = this.#giveUpAfter;
    const stop = (): void => {
      this.#reason = `Gave up after a pause of ${count(seconds)} ${seconds === 1 ? "second" : "seconds"}: ${failure.message} The same command resumes.`;
      this.#giveUp();
    };
    this.#timer = setTimeout(stop, since.getTime() + seconds * 1000 - Date.now());
  };

  /** Ends the pause, so that the run does not give up. */
  end(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
