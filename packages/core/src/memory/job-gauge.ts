import { createHash } from "node:crypto";
import type { JobUse, OldestWaiting, QueueDepth } from "@quire/contracts";
import type { MemoryState } from "./job-state.ts";
import { maxUseOf } from "./max-use.ts";

/** Returns the amount of work in the running batches. */
export function depthOf(state: MemoryState, capacity: number): QueueDepth {
  let [submitted, pending] = [0, 0];
  const oldestAt: Record<keyof OldestWaiting, number | null> = { docx: null, pdf: null };
  for (const { batches } of state.tenants.values()) {
    for (const { counts, createdAt, made } of batches) {
      submitted += counts.submitted;
      pending += counts.pending;
      if (counts.submitted === 0) continue;
      const kind = made.needsConverter ? "pdf" : "docx";
      oldestAt[kind] = Math.min(oldestAt[kind] ?? createdAt, createdAt);
    }
  }
  return { submitted, pending, oldestAt, capacity };
}

const NONE: JobUse = { waiting: 0, jobs: 0, bytes: 0 };

/** Returns the usage of a tenant; without `tenant`, the maximum of each number over all tenants. */
export function useOf(state: MemoryState, tenant: string | undefined): JobUse {
  if (tenant !== undefined) return useOfOne(state, tenant);
  const tenants = new Set([...state.batches.values()].map(({ made }) => made.tenant));
  return maxUseOf(
    NONE,
    [...tenants].map((name) => useOfOne(state, name)),
  );
}

function useOfOne(state: MemoryState, tenant: string): JobUse {
  let { waiting, jobs, bytes } = NONE;
  const files = new Map<string, number>();
  for (const batch of state.batches.values()) {
    if (batch.made.tenant !== tenant) continue;
    waiting += batch.counts.submitted + batch.counts.pending;
    jobs += batch.jobs.length;
    for (const { input } of batch.jobs) bytes += input?.bytes.length ?? 0;
    for (const pinned of batch.pinned.values()) files.set(sha256(pinned), pinned.length);
  }
  for (const size of files.values()) bytes += size;
  return { waiting, jobs, bytes };
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("base64");
}
