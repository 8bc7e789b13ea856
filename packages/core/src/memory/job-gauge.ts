import type { QueueDepth } from "../ports/job-gauge.ts";
import type { MemoryState } from "./job-state.ts";

/** How much there is to do, from the batches that run. */
export function depthOf(state: MemoryState, capacity: number): QueueDepth {
  let [submitted, pending] = [0, 0];
  let oldestAt: number | null = null;
  for (const { batches } of state.tenants.values()) {
    for (const { counts, createdAt } of batches) {
      submitted += counts.submitted;
      pending += counts.pending;
      if (counts.submitted > 0) oldestAt = Math.min(oldestAt ?? createdAt, createdAt);
    }
  }
  return { submitted, pending, oldestAt, capacity };
}
