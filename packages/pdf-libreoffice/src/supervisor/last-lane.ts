import type { Sharer } from "@quire/contracts";
import { LRUCache } from "lru-cache";

/** The time that documents spend in a lane: from the request until the lane or its replacement is ready again. */
export interface LaneUse {
  readonly sharer: Sharer;
  readonly began: number;
  /** A lane use that takes longer is slow. */
  readonly quickMs: number;
}

/** A lane use is quick if it takes at most this long, plus some time per document. */
const QUICK_MS = 1_500;
const QUICK_DOCUMENT_MS = 100;

/**
 * After a slow lane use, the tenant leaves the last free lane to others for this many times as long as the use took.
 */
const TIMES = 10;

/** After this long without lane uses, a tenant has to prove again that its documents are quick. */
const FORGOTTEN_MS = 1_000;

/** Number of tenants to remember. The least recently used are evicted first. */
const MAX_TENANTS = 10_000;

interface Known {
  /** When the tenant may use the last free lane again. */
  readonly freeFrom: number;
  readonly seen: number;
}

/**
 * Decides which tenants must leave the last free lane to tenants without a lane: tenants with slow documents, and
 * tenants whose documents have not yet been quick. LibreOffice cannot be interrupted, so another tenant would have to
 * wait for a slow document until its deadline. Documents without a tenant (`""`) may use all lanes.
 */
export class LastLane {
  readonly #running = new Set<LaneUse>();
  readonly #known = new LRUCache<string, Known>({ max: MAX_TENANTS });

  /** Records that a lane received documents. */
  begin(sharer: Sharer, documents: number): LaneUse {
    const began = performance.now();
    const quickMs = QUICK_MS + documents * QUICK_DOCUMENT_MS;
    const laneUse = { sharer, began, quickMs };
    this.#running.add(laneUse);
    return laneUse;
  }

  end(laneUse: LaneUse): void {
    this.#running.delete(laneUse);
    const { sharer, began, quickMs } = laneUse;
    const { tenant } = sharer;
    const now = performance.now();
    const tookMs = now - began;
    const until = tookMs > quickMs ? now + tookMs * TIMES : now;
    this.#remember(tenant, Math.max(until, this.#freeFrom(tenant, now) ?? 0), now);
  }

  leavesLast(tenant: string): boolean {
    if (tenant === "") return false;
    const now = performance.now();
    for (const laneUse of this.#running) {
      if (laneUse.sharer.tenant === tenant && now - laneUse.began > laneUse.quickMs) return true;
    }
    return (this.#freeFrom(tenant, now) ?? Number.POSITIVE_INFINITY) > now;
  }

  /** Returns the time from which a tenant may use the last free lane; null for an unknown or forgotten tenant. */
  #freeFrom(tenant: string, now: number): number | null {
    const known = this.#known.get(tenant);
    if (known === undefined) return null;
    const isForgotten = known.freeFrom <= now && now - known.seen > FORGOTTEN_MS;
    return isForgotten ? null : known.freeFrom;
  }

  #remember(tenant: string, freeFrom: number, seen: number): void {
    this.#known.set(tenant, { freeFrom, seen });
  }
}
