import { describe, test } from "vitest";
import { doEachOnce, finishAfterKills } from "./support/worker-processes.ts";

describe("four processes on one file", () => {
  test("run each of 3,000 jobs once", () => doEachOnce(3000));

  test("finish the jobs of killed processes, and end none of 8,000 jobs twice", () =>
    finishAfterKills(8000));
});
