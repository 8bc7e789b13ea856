import { expect, test } from "vitest";
import { dripping } from "../scenarios/dripping.ts";
import { IS_LINUX, LIMIT_MS } from "./holds.ts";

test.skipIf(!IS_LINUX)(
  "a service ends connections that drip, more of them than it may open files, and goes on for others",
  { timeout: LIMIT_MS },
  async () => {
    const report = await dripping({
      connections: 300,
      rounds: 2,
      seconds: 12,
      // Those of heads: the others take minutes.
      longestMs: 10_000,
      openFiles: 512,
    });
    // How long anything takes is for the long form: here others use the machine as well.
    expect(report.violations.filter((one) => !/\bms\b/.test(one))).toEqual([]);
  },
);
