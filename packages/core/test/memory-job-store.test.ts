import { describe, test } from "vitest";
import { jobStoreConformance } from "../src/conformance/job-store.ts";
import { memoryJobStore } from "../src/memory/job-store.ts";

describe("memoryJobStore keeps the contract of JobStore:", () => {
  jobStoreConformance({
    test,
    fixture: () => ({
      store: memoryJobStore(),
      openSmall: (maxWaiting) => memoryJobStore({ maxWaiting }),
    }),
  });
});
