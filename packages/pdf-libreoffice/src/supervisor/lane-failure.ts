/**
 * Why a lane did not answer.
 * - `deadline`: the document took too long.
 * - `stalled`: the processes made no progress.
 * - `crashed`: the process ended.
 * - `lost`: the process was stopped from outside or lost its folder; the document is not to blame.
 * - `given up`: the answer was no longer needed.
 * - `broken`: the lane did not start.
 */
export type LaneEnd = "deadline" | "stalled" | "crashed" | "lost" | "given up" | "broken";

/** The error for a lane that did not answer and has been stopped. */
export class LaneFailure extends Error {
  readonly end: LaneEnd;

  /** `message`: how the lane ended, as the rest of a sentence. `detail`: its output or an error, for the cause. */
  constructor(end: LaneEnd, message: string, detail: string) {
    super(message, { cause: new Error(detail === "" ? "It printed nothing." : detail) });
    this.end = end;
  }
}
