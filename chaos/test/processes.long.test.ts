import { describe, test } from "vitest";
import { clockJumps } from "../scenarios/clocks.ts";
import { fewFiles } from "../scenarios/disks.ts";
import { firstStarts } from "../scenarios/first-starts.ts";
import { randomFreezes } from "../scenarios/freezes.ts";
import { killChildren, killEngine } from "../scenarios/random-kills.ts";
import { drains } from "../scenarios/signals.ts";
import { replacedTemplate } from "../scenarios/templates.ts";
import { holds, IS_LINUX, LIMIT_MS } from "./holds.ts";

const STOPS = [
  { graceMs: 50, afterMs: 300, againMs: [] },
  { graceMs: 30_000, afterMs: 200, againMs: [20] },
];

describe.skipIf(!IS_LINUX)("an engine over a durable job store", () => {
  test("loses nothing when it is killed repeatedly", { timeout: LIMIT_MS }, async () => {
    holds(await killEngine({ kills: 5, entries: 100, seed: 1, withinMs: 300 }));
  });

  test("blames no document when it is killed while LibreOffice starts", {
    timeout: LIMIT_MS,
  }, async () => {
    const changes = { outputType: "pdf" } as const;
    // On a fast machine, LibreOffice may have a document after a second. A document that was killed three times is
    // blamed.
    const often = { kills: 7, entries: 6, seed: 1, withinMs: 400, early: 1 };
    holds(await killEngine({ ...often, changes }));
  });

  test("loses nothing when its child processes are killed", { timeout: LIMIT_MS }, async () => {
    holds(await killChildren({ kills: 1, entries: 20, seed: 1, withinMs: 50 }));
    const changes = { outputType: "pdf" } as const;
    holds(await killChildren({ kills: 3, entries: 12, seed: 1, withinMs: 2000, changes }));
  });

  test("creates nothing twice when it freezes", { timeout: LIMIT_MS }, async () => {
    holds(await randomFreezes(1, 200, 1));
  });

  test("returns all running jobs on SIGTERM", { timeout: LIMIT_MS }, async () => {
    holds(await drains(STOPS, { entries: 80 }));
  });

  test("reports a low limit of open files, and finishes with a higher one", {
    timeout: LIMIT_MS,
  }, async () => {
    holds(await fewFiles([40]));
  });

  test("does not depend on the wall clock", { timeout: LIMIT_MS }, async () => {
    holds(await clockJumps(60));
  });

  test("creates a batch with the template that it was accepted with", {
    timeout: LIMIT_MS,
  }, async () => {
    holds(await replacedTemplate(60));
  });

  test("creates one journal with others that start at the same time", {
    timeout: LIMIT_MS,
  }, async () => {
    holds(await firstStarts(1, 3));
  });
});
