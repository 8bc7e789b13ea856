import type { JoinStatistics } from "./join-statistics.ts";
import type { LaneEnd } from "./lane-failure.ts";
import type { StarterOptions } from "./lane-starter.ts";

/** Limits and settings of the pool. */
export interface PoolOptions extends StarterOptions {
  readonly lanes: number;
  readonly maxWaiting: number;
  readonly maxWaitMs: number;
  /** A lane is replaced after this many documents, or when its LibreOffice uses this much memory. */
  readonly recycleAfter: number;
  readonly recycleMemoryMb: number;
  /** How long a preemptible document may take while others wait. */
  readonly preemptAfterMs: number;
  readonly fonts: "off" | "warn" | "strict";
  readonly join: "auto" | "off";
  readonly joining: JoinStatistics;
  readonly onReplaced: (reason: LaneEnd | "worn") => void;
}
