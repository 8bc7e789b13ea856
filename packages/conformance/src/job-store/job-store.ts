import { registerCases } from "../register-cases.ts";
import { acceptCases } from "./accept.ts";
import { atomicityCases } from "./atomicity.ts";
import { cancelCases } from "./cancel.ts";
import { claimCases } from "./claim.ts";
import { earlierResultCases } from "./earlier-results.ts";
import { endCases } from "./ends.ts";
import { eventCases } from "./events.ts";
import { fairnessCases, kindCases } from "./fairness.ts";
import { type JobStoreFixture, jobPlace } from "./fixture.ts";
import { gaugeCases } from "./gauge.ts";
import { freshReadCases, waitCases } from "./handles.ts";
import { idempotencyCases } from "./idempotency.ts";
import { interruptionCases } from "./interruptions.ts";
import { leaseCases } from "./lease.ts";
import { limitCases, sameNameCases } from "./limits.ts";
import { listCases } from "./lists.ts";
import { nameCases } from "./names.ts";
import { deletionCases, operatorCases } from "./operator.ts";
import { randomCases } from "./random.ts";
import { settleCases } from "./settle.ts";
import { suspectCases } from "./suspects.ts";
import { useCases } from "./use.ts";

/** Options of {@link jobStoreConformance}. */
export interface JobStoreConformanceOptions {
  /**
   * The runner's test function: `test` of vitest, node:test or jest, `it` of mocha. Called once per case. Allow half a
   * minute for each case: some wait for leases to expire, some accept 12,000 jobs.
   */
  readonly test: (name: string, body: () => Promise<void>) => unknown;
  /** Creates a new, empty store for each case. */
  readonly fixture: () => Promise<JobStoreFixture> | JobStoreFixture;
  /** Cases to skip, by name, each with the reason. An unknown name throws. */
  readonly skip?: Readonly<Record<string, string>>;
}

/**
 * Tests the contract of `JobStore` and `JobWorker`, for any implementation and any runner. A durable implementation
 * also needs tests with crashing processes and with several processes at once.
 */
export function jobStoreConformance(options: JobStoreConformanceOptions): void {
  const cases = {
    ...acceptCases,
    ...atomicityCases,
    ...idempotencyCases,
    ...nameCases,
    ...sameNameCases,
    ...earlierResultCases,
    ...claimCases,
    ...kindCases,
    ...waitCases,
    ...fairnessCases,
    ...leaseCases,
    ...settleCases,
    ...suspectCases,
    ...cancelCases,
    ...endCases,
    ...listCases,
    ...freshReadCases,
    ...limitCases,
    ...gaugeCases,
    ...useCases,
    ...operatorCases,
    ...deletionCases,
    ...eventCases,
    ...interruptionCases,
    ...randomCases,
  };
  const fixture = async () => jobPlace(await options.fixture());
  registerCases(cases, { ...options, fixture }, ({ release }) => release());
}
