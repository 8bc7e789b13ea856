import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { WorkWatch } from "../src/stores/work-watch.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Returns how long a wait takes, in milliseconds. */
async function lengthOf(watch: WorkWatch, ms = 60_000): Promise<number> {
  const from = Date.now();
  const wait = watch.wait(ms).then(() => Date.now() - from);
  await vi.advanceTimersByTimeAsync(ms);
  return wait;
}

test("without news, each wait is twice as long as the one before, up to a second", async () => {
  const watch = new WorkWatch();
  const lengths: number[] = [];
  for (let times = 0; times < 7; times++) lengths.push(await lengthOf(watch));
  expect(lengths).toEqual([50, 100, 200, 400, 800, 1000, 1000]);
});

test("a claim that finds work makes the next wait short again, an empty one does not", async () => {
  const watch = new WorkWatch();
  for (let times = 0; times < 3; times++) await lengthOf(watch);
  watch.claims();
  watch.claimed(0);
  expect(await lengthOf(watch)).toBe(400);
  watch.claimed(3);
  expect(await lengthOf(watch)).toBe(50);
});

test("a wait is not longer than the caller wants", async () => {
  expect(await lengthOf(new WorkWatch(), 20)).toBe(20);
});

test("news ends all waits, and later ones until the next claim", async () => {
  const watch = new WorkWatch();
  const waits = [watch.wait(60_000), watch.wait(60_000)];
  watch.notify();
  await Promise.all(waits);
  expect(await lengthOf(watch)).toBe(0);
  watch.claims();
  expect(await lengthOf(watch)).toBeGreaterThan(0);
  expect(vi.getTimerCount()).toBe(0);
});

test("after its end, nothing waits", async () => {
  const watch = new WorkWatch();
  const wait = watch.wait(60_000);
  watch.end();
  await wait;
  watch.claims();
  expect(await lengthOf(watch)).toBe(0);
});
