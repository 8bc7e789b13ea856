/** A short form of `processes.long.test.ts`, with just enough entries for a fault in the middle. */
import { describe, test } from "vitest";
import { killEngine } from "../scenarios/random-kills.ts";
import { drains } from "../scenarios/signals.ts";
import { holds, IS_LINUX, LIMIT_MS } from "./holds.ts";

describe.skipIf(!IS_LINUX)("an engine over a durable job store", () => {
  test("loses nothing when it is killed", { timeout: LIMIT_MS }, async () => {
    holds(await killEngine({ kills: 1, entries: 12, seed: 2, withinMs: 50 }));
  });

  test("returns all running jobs on SIGTERM", { timeout: LIMIT_MS }, async () => {
    holds(await drains([{ graceMs: 50, afterMs: 50, againMs: [] }], { entries: 16 }));
  });
});
