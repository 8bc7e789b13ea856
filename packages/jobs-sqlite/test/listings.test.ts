import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { acceptId, newJobs } from "../../conformance/src/job-store/samples.ts";
import { Database } from "../src/database/database.ts";
import { sqliteJobStore } from "../src/index.ts";
import { listJobs } from "../src/listings.ts";

test.each([
  ["failed", "job_failed (batch_no=? AND entry>?)"],
  ["completed_with_error", "job_with_error (batch_no=? AND entry>?)"],
  ["submitted", "job_submitted (batch_no=? AND entry>?)"],
  ["pending", "job_of_worker (worker_no>?)"],
] as const)(
  "a listing of %s jobs finds them with an index, not among all jobs",
  async (status, index) => {
    const folder = await mkdtemp(join(tmpdir(), "quire-jobs-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const path = join(folder, "jobs.db");
    const store = sqliteJobStore({ path });
    const batchId = await acceptId(store, newJobs(2));
    const database = new Database(path);
    const each = vi.spyOn(database, "each");
    listJobs(database, { batchId, status, order: "entry", limit: 10 });
    const [sql = "", values = []] = each.mock.calls[0] ?? [];
    const plan = database.all(`EXPLAIN QUERY PLAN ${sql}`, ...values);
    expect(plan[0]?.detail).toBe(`SEARCH job USING INDEX ${index}`);
    database.close();
    await store.close();
  },
);
