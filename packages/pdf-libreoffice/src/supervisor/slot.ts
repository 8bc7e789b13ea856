import type { Lane } from "./lane.ts";
import type { LaneUse } from "./last-lane.ts";

/** One of the pool's slots: its lane, the lane's successor, or a pending start. */
export interface Slot {
  lane: Lane | null;
  /** Replaces `lane` when it is ready, so that no document has to wait. */
  successor: Lane | null;
  starting: boolean;
  /** Whether a replaced lane is still shutting down. Until it has ended, the slot's lane is not replaced again. */
  leaving: boolean;
  busy: boolean;
  /** The current use of the lane. If the lane ended during the use, the use lasts until the next lane is ready. */
  laneUse: LaneUse | null;
  /** When the last start failed, on the monotonic clock in milliseconds. */
  failedAt: number;
}

/** Creates a slot without a lane. */
export function emptySlot(): Slot {
  return {
    lane: null,
    successor: null,
    starting: false,
    leaving: false,
    busy: false,
    laneUse: null,
    failedAt: Number.NEGATIVE_INFINITY,
  };
}

/** Whether the slot has a lane that can accept documents now. */
export function isFree({ lane, busy }: Slot): boolean {
  return lane?.alive === true && !busy;
}
