import { describe, test } from "vitest";
import { doEachOnce, finishAfterKills } from "./support/worker-processes.ts";

describe("four processes on one file", () => {
  test("do each of 3,000 jobs once", () => doEachOnce(3000));

  test("finish what those had that are killed, and end no job of 8,000 twice", () =>
    finishAfterKills(8000));
});
