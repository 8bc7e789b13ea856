import { test } from "vitest";

/** This case blocks the event loop for longer than the leases of other cases. */
const BLOCKING = "a lease is renewed while the event loop is blocked for longer";

/** Matches the names of all cases that wait for the end of a lease, and of a few other cases. */
const OF_LEASES = /lease|worker|\bdie|death/;

type Case = readonly [name: string, body: () => Promise<void>];

/**
 * Registers the cases of a job store. Cases mostly wait for leases, timers and the disk, so they run
 * concurrently. Cases that wait for the end of a lease run separately, because other cases may block the
 * event loop for longer than a lease.
 */
export function registerJobStoreCases(
  suite: (register: (name: string, body: () => Promise<void>) => void) => void,
): void {
  const cases: Case[] = [];
  suite((name, body) => cases.push([name, body]));
  const where = (isOne: (name: string) => boolean) => cases.filter(([name]) => isOne(name));
  for (const [name, body] of where((each) => !OF_LEASES.test(each))) {
    test.concurrent(name, body, 60_000);
  }
  for (const [name, body] of where((each) => each === BLOCKING)) test(name, body, 60_000);
  for (const [name, body] of where((each) => OF_LEASES.test(each) && each !== BLOCKING)) {
    test.concurrent(name, body, 60_000);
  }
}
