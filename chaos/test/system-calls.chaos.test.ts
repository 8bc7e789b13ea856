import { describe, test } from "vitest";
import { brokenCalls } from "../scenarios/broken-calls.ts";
import { crashPoints } from "../scenarios/crash-points.ts";
import { fullJournal, fullOutput, readOnlyOutput } from "../scenarios/disks.ts";
import { freezePoints } from "../scenarios/freezes.ts";
import { holds, IS_LINUX, LIMIT_MS, SKIPPED } from "./holds.ts";

const BROKEN = [
  { thread: "database", call: "fsync", error: "EIO", when: "5" },
  { thread: "database", call: "fsync", error: "EIO", when: "13" },
  { thread: "files", call: "fsync", error: "EIO", when: "4" },
] as const;

describe.skipIf(!IS_LINUX || SKIPPED.has("strace"))("an engine, at chosen system calls", () => {
  test("loses nothing when killed at any of them", { timeout: LIMIT_MS }, async () => {
    holds(await crashPoints({ every: 60, parallel: 1 }));
  });

  test("creates nothing after its lease has expired", { timeout: LIMIT_MS }, async () => {
    holds(await freezePoints([3], ["close"]));
  });

  test("confirms nothing that the disk did not store", { timeout: LIMIT_MS }, async () => {
    holds(await brokenCalls(BROKEN));
  });
});

describe.skipIf(!IS_LINUX || SKIPPED.has("mount"))("an engine, on a disk", () => {
  test("finishes when there is space for documents again", { timeout: LIMIT_MS }, async () => {
    holds(await fullOutput());
  });

  test("finishes when there is space for the journal again", { timeout: LIMIT_MS }, async () => {
    holds(await fullJournal([100, 500]));
  });

  test("finishes when the folder can be written again", { timeout: LIMIT_MS }, async () => {
    holds(await readOnlyOutput(20));
  });
});
