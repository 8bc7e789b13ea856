import { type JobStore, type JobWorker, SUSPECT_DEATHS } from "@quire/contracts";
import { expect, test } from "vitest";
import { memoryJobStore } from "../src/index.ts";
import { all, echoConverter, entry, makeEngine, place, request } from "./support/engine.ts";

test("a suspect counts as begun only while it is rendered or converted", async () => {
  const jobs = memoryJobStore();
  const lines: string[] = [];
  const suspected = Promise.withResolvers<void>();
  const openWorker = watchWorkers(jobs, lines, suspected.promise);
  const converter = echoConverter(async (bytes, { onBegin } = {}) => {
    lines.push("waits for LibreOffice");
    await onBegin?.();
    lines.push("converts");
    const fingerprint = { program: "none", fonts: null, options: "" };
    return { bytes, pages: 1, warnings: [], fingerprint };
  });
  await using engine = makeEngine({ storage: place(), jobs, converter });
  const { id } = await engine.createBatch(request([entry("a")], { output_type: "pdf" }));
  for (let deaths = 0; deaths < SUSPECT_DEATHS; deaths++) {
    const options = { takes: "all", leaseMs: 20, renewMs: 60_000, keepFinishedMs: null } as const;
    const worker = await openWorker(options);
    expect((await worker.claim(1)).jobs).toHaveLength(1);
    await expect.poll(() => worker.isHeld).toBe(false);
  }
  suspected.resolve();
  expect(await all(engine.jobs(id))).toMatchObject([{ status: "completed" }]);
  expect(lines).toEqual([
    "begun",
    "made",
    "waits for LibreOffice",
    "begun",
    "converts",
    "made",
    "stored",
  ]);
});

test("other jobs are not recorded as begun, which would be one more write for each", async () => {
  const jobs = memoryJobStore();
  const lines: string[] = [];
  watchWorkers(jobs, lines);
  await using engine = makeEngine({ storage: place(), jobs });
  const { id } = await engine.createBatch(request([entry("a"), entry("b")]));
  expect(await all(engine.jobs(id))).toHaveLength(2);
  expect(lines).toEqual(["stored", "stored"]);
});

/** Records what workers record. Engines open workers when `ready` resolves. Returns the method of the store. */
function watchWorkers(jobs: JobStore, lines: string[], ready = Promise.resolve()) {
  const openWorker = jobs.openWorker.bind(jobs);
  jobs.openWorker = async (options): Promise<JobWorker> => {
    await ready;
    const worker = await openWorker(options);
    const { setBegun, note } = worker;
    worker.setBegun = async (claim, begun) => {
      lines.push(begun ? "begun" : "made");
      await setBegun.call(worker, claim, begun);
    };
    worker.note = async (claim, noted) => {
      lines.push("stored");
      await note.call(worker, claim, noted);
    };
    return worker;
  };
  return openWorker;
}
