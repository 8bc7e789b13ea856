import type { Limits } from "../limits/limits.ts";
import { ActiveTenants } from "./active-tenants.ts";
import { FairGate, type GateLimits } from "./fair-gate.ts";

/** The gates of a service. */
export interface Gates {
  readonly gate: FairGate;
  /** For slow requests. */
  readonly slowGate: FairGate;
  /**
   * For requests with long bodies, before they enter another gate. Slow requests enter `longSlowGate`, others
   * `longGate`.
   */
  readonly longSlowGate: FairGate;
  readonly longGate: FairGate;
  /**
   * For whole uploads. Because clients may be slow, an upload enters `slowGate` only while it processes received bytes.
   */
  readonly uploads: FairGate;
}

/** Creates gates that share one `ActiveTenants`, because requests in one gate delay requests in another. */
export function createGates(limits: Limits): Gates {
  const { waitingPerTenant, waiting } = limits;
  const active = new ActiveTenants();
  const gate = (more: Omit<GateLimits, "waitingPerTenant" | "waiting">): FairGate =>
    new FairGate({ waitingPerTenant, waiting, ...more }, undefined, active);
  const long = { places: limits.longRequests, placesPerTenant: 1 };
  return {
    gate: gate({
      places: limits.requests,
      placesPerTenant: limits.requestsPerTenant,
      placesWhenShared: limits.requestsWhenShared,
    }),
    slowGate: gate({ places: limits.slowRequests, leavesPlaces: true }),
    longGate: gate(long),
    longSlowGate: gate(long),
    uploads: gate({
      places: Number.POSITIVE_INFINITY,
      placesPerTenant: limits.uploadsPerTenant,
    }),
  };
}
