/** A process that runs the jobs of a job store, and prints the entry of each job that it has completed. */
import type { JobResult } from "@quire/contracts";
import { sqliteJobStore } from "../../dist/index.js";

const [path = "", batchId = ""] = process.argv.slice(2);
const store = sqliteJobStore({ path });
const worker = await store.openWorker({ takes: "all", leaseMs: 5000, keepFinishedMs: null });
while ((await store.getBatch(batchId))?.status !== "finished") {
  const { jobs } = await worker.claim(16);
  await Promise.all(
    jobs.map(async (claim) => {
      const note = {
        status: "completed",
        sha256: "0".repeat(64),
        pages: null,
        converter: null,
        errors: [],
        warnings: [],
      } as const;
      await worker.note(claim, { ...note, name: claim.fileName, size: 1 });
      const ref = { type: "file", id: claim.fileName } as const;
      const outputFile = { ref, version: "1", name: claim.fileName, size: 1 };
      await worker.settle(claim, {
        type: "completed",
        result: { ...note, outputFile } satisfies JobResult,
      });
      process.stdout.write(`${claim.entry}\n`);
    }),
  );
  if (jobs.length === 0) await new Promise((done) => setTimeout(done, 20));
}
await worker.close();
await store.close();
