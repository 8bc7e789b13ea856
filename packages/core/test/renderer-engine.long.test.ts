import { expect, test } from "vitest";
import { pool } from "../../render-pool/test/support/pool.ts";
import { createEngine } from "../src/index.ts";
import { all, entry, place, request } from "./support/engine.ts";
import { poolChecksAsItRuns, REQUESTS } from "./support/mixed-batch.ts";

test("checking a batch in processes reports the same as a run, for every request", () =>
  poolChecksAsItRuns(REQUESTS));

// Many small values: V8 gives up only after several garbage collections.
test("only the job fails if a million small values exceed its heap", async () => {
  await using engine = createEngine({ storage: place(), renderer: pool({ heapLimitMb: 64 }) });
  const list = Array.from({ length: 900_000 }, () => [[1]]);
  const asked = request([entry("a"), entry("b", { name: "Bo", list }), entry("c")]);
  const jobs = await all(engine.jobs((await engine.createBatch(asked)).id));
  expect(jobs.map(({ failure }) => failure?.code)).toEqual([
    undefined,
    "limit_exceeded",
    undefined,
  ]);
});
