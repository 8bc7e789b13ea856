import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jobStoreConformance } from "@quire/core/conformance";
import { describe, test } from "vitest";
import { sqliteJobStore } from "../src/index.ts";

/** This one keeps the event loop busy for longer than the leases of other cases last. */
const BLOCKING = "a lease is renewed while the event loop is blocked for longer";

/** The cases that wait for the end of a lease, and some more. */
const OF_LEASES = /lease|worker|\bdie|death/;

type Case = readonly [name: string, body: () => Promise<void>];

const cases: Case[] = [];

jobStoreConformance({
  test: (name, body) => cases.push([name, body]),
  fixture: async () => {
    const folder = await mkdtemp(join(tmpdir(), "quire-jobs-"));
    const path = join(folder, "jobs.db");
    const open = () => sqliteJobStore({ path });
    return {
      store: open(),
      open,
      openSmall: (maxWaiting) => sqliteJobStore({ path: join(folder, "small.db"), maxWaiting }),
      destroy: () => rm(folder, { recursive: true, force: true }),
    };
  },
});

function casesWhere(isOne: (name: string) => boolean): Case[] {
  return cases.filter(([name]) => isOne(name));
}

// Most of a case is waiting, for leases, timers and the disk, so cases run at the same time. Those that wait for the
// end of a lease run beside their like only: others would keep the event loop for as long as a lease lasts.
describe("sqliteJobStore keeps the contract of JobStore:", () => {
  for (const [name, body] of casesWhere((name) => !OF_LEASES.test(name))) {
    test.concurrent(name, body, 60_000);
  }
  for (const [name, body] of casesWhere((name) => name === BLOCKING)) test(name, body, 60_000);
  for (const [name, body] of casesWhere((name) => OF_LEASES.test(name) && name !== BLOCKING)) {
    test.concurrent(name, body, 60_000);
  }
});
