import { expect, test } from "vitest";
import { dripping } from "../scenarios/dripping.ts";
import { IS_LINUX, LIMIT_MS } from "./holds.ts";

test.skipIf(!IS_LINUX)(
  "a service ends more slow connections than it may open files, and keeps serving others",
  { timeout: LIMIT_MS },
  async () => {
    const report = await dripping({
      connections: 300,
      rounds: 2,
      seconds: 12,
      // This selects only connections with unfinished heads, because the time limits of the others are minutes.
      longestMs: 10_000,
      openFiles: 512,
    });
    // Only the long form checks times, because other tests use this machine at the same time.
    expect(report.violations.filter((one) => !/\bms\b/.test(one))).toEqual([]);
  },
);
