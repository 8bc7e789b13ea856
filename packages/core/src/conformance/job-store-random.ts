import type { JobStoreCase } from "./job-store-fixture.ts";

/** The cases with random sequences, by name. */
export const randomCases: Readonly<Record<string, JobStoreCase>> = {};
