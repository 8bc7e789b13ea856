import { test } from "vitest";
import { poolChecksAsItRuns, REQUESTS } from "./support/mixed-batch.ts";

test("checking a batch in processes tells of every request what a run tells", () =>
  poolChecksAsItRuns(REQUESTS));
