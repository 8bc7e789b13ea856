import { acceptCases } from "./job-store-accept.ts";
import { atomicityCases } from "./job-store-atomicity.ts";
import { cancelCases } from "./job-store-cancel.ts";
import { claimCases } from "./job-store-claim.ts";
import { endCases } from "./job-store-ends.ts";
import { eventCases } from "./job-store-events.ts";
import { fairnessCases } from "./job-store-fairness.ts";
import { type JobStoreFixture, jobPlace } from "./job-store-fixture.ts";
import { gaugeCases } from "./job-store-gauge.ts";
import { idempotencyCases } from "./job-store-idempotency.ts";
import { leaseCases } from "./job-store-lease.ts";
import { listCases } from "./job-store-lists.ts";
import { nameCases } from "./job-store-names.ts";
import { operatorCases } from "./job-store-operator.ts";
import { randomCases } from "./job-store-random.ts";
import { settleCases } from "./job-store-settle.ts";
import { useCases } from "./job-store-use.ts";
import { registerCases } from "./register-cases.ts";

/** Options of {@link jobStoreConformance}. */
export interface JobStoreConformanceOptions {
  /**
   * The runner's test function: `test` of vitest, node:test or jest, `it` of mocha. Called once per case. Allow half a
   * minute for each case: some wait for leases to expire, some accept 12,000 jobs.
   */
  readonly test: (name: string, body: () => Promise<void>) => unknown;
  /** Creates a fresh place for each case. */
  readonly fixture: () => Promise<JobStoreFixture> | JobStoreFixture;
  /** Names of cases that are not registered, each with the reason. An unknown name throws. */
  readonly skip?: Readonly<Record<string, string>>;
}

/**
 * The contract of `JobStore` and `JobWorker` as tests, for any implementation and any runner. Tests with crashing
 * processes, and with several processes at once, belong to a durable implementation.
 */
export function jobStoreConformance(options: JobStoreConformanceOptions): void {
  const cases = {
    ...acceptCases,
    ...atomicityCases,
    ...idempotencyCases,
    ...nameCases,
    ...claimCases,
    ...fairnessCases,
    ...leaseCases,
    ...settleCases,
    ...cancelCases,
    ...endCases,
    ...listCases,
    ...gaugeCases,
    ...useCases,
    ...operatorCases,
    ...eventCases,
    ...randomCases,
  };
  const fixture = async () => jobPlace(await options.fixture());
  registerCases(cases, { ...options, fixture }, ({ release }) => release());
}
