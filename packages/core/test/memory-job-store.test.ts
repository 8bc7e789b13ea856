import { describe } from "vitest";
import { jobStoreConformance } from "../../conformance/src/job-store/job-store.ts";
import { memoryJobStore } from "../src/memory/job-store.ts";
import { registerJobStoreCases } from "./support/job-store-cases.ts";

describe("memoryJobStore keeps the contract of JobStore:", () => {
  registerJobStoreCases((test) =>
    jobStoreConformance({
      test,
      fixture: () => ({
        store: memoryJobStore(),
        openSmall: (maxWaiting) => memoryJobStore({ maxWaiting }),
      }),
    }),
  );
});
