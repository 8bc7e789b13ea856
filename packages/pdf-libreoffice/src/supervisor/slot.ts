import type { Lane } from "./lane.ts";
import type { Visit } from "./visits.ts";

/** One place in the pool: a lane, the one that will follow it, or one that is being started. */
export interface Slot {
  lane: Lane | null;
  /** Replaces `lane` once it is ready, so that no document waits for it. */
  successor: Lane | null;
  starting: boolean;
  /** A lane that was replaced has not ended yet: no other one is replaced meanwhile. */
  leaving: boolean;
  busy: boolean;
  /** The visit in the lane, or the one that ended the lane, until the next lane is ready. */
  visit: Visit | null;
  /** When the last start failed, on the monotonic clock in milliseconds; others go on meanwhile. */
  failedAt: number;
}

/** A place without a lane. */
export function emptySlot(): Slot {
  return {
    lane: null,
    successor: null,
    starting: false,
    leaving: false,
    busy: false,
    visit: null,
    failedAt: Number.NEGATIVE_INFINITY,
  };
}

/** Whether there is a lane that can have documents now. */
export function isFree({ lane, busy }: Slot): boolean {
  return lane?.alive === true && !busy;
}
