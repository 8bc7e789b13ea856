import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { MAX_EVENT_WAIT_MS } from "@quire/contracts";
import { expect, onTestFinished, test } from "vitest";
import { acceptId, newJobs, openWorker, tidyAll } from "../../conformance/src/job-store/samples.ts";
import { sqliteJobStore } from "../src/index.ts";

const KEEP_MS = 60_000;

test("events that nobody takes keep their batch for a limited time", async () => {
  const folder = await mkdtemp(join(tmpdir(), "quire-jobs-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "jobs.db");
  const store = sqliteJobStore({ path });
  const id = await acceptId(store, newJobs(1), { withEvents: true });
  await store.cancelBatch(id);
  const worker = await openWorker(store, { keepFinishedMs: KEEP_MS });
  const file = new DatabaseSync(path);
  const after = async (ms: number) => {
    file.prepare("UPDATE batch SET finished_at = ?").run(Date.now() - ms);
    await tidyAll(worker);
    return (await store.getBatch(id))?.status ?? null;
  };
  expect(await after(KEEP_MS + MAX_EVENT_WAIT_MS - 60_000)).toBe("finished");
  expect(await after(KEEP_MS + MAX_EVENT_WAIT_MS)).toBe(null);
  expect(file.prepare("SELECT count(*) AS events FROM event").get()).toEqual({ events: 0 });
  file.close();
  await store.close();
});
