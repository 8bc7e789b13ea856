import { test } from "vitest";
import { poolChecksAsItRuns, REQUESTS } from "./support/mixed-batch.ts";

test("checking a batch in processes reports the same as a run, for every request", () =>
  poolChecksAsItRuns(REQUESTS));
