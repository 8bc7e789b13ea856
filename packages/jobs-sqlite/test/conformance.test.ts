import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jobStoreConformance } from "@quire/conformance";
import { describe } from "vitest";
import { registerJobStoreCases } from "../../core/test/support/job-store-cases.ts";
import { sqliteJobStore } from "../src/index.ts";

describe("sqliteJobStore keeps the contract of JobStore:", () => {
  registerJobStoreCases((test) =>
    jobStoreConformance({
      test,
      fixture: async () => {
        const folder = await mkdtemp(join(tmpdir(), "quire-jobs-"));
        const path = join(folder, "jobs.db");
        const open = () => sqliteJobStore({ path });
        return {
          store: open(),
          open,
          openSmall: (maxWaiting) => sqliteJobStore({ path: join(folder, "small.db"), maxWaiting }),
          destroy: () => rm(folder, { recursive: true, force: true }),
        };
      },
    }),
  );
});
