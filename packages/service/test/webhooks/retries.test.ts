import { expect, test } from "vitest";
import { nextAttemptAt } from "../../src/webhooks/retries.ts";

const LATER = 1e12;

test("pauses double, from ten seconds up to a quarter of an hour", () => {
  const pauses = [1, 2, 3, 4, 7, 8, 50].map((n) => nextAttemptAt(n, 0, LATER, () => 0.5));
  expect(pauses).toEqual([10_000, 20_000, 40_000, 80_000, 640_000, 900_000, 900_000]);
});

test("pauses vary by at most a fifth", () => {
  expect(nextAttemptAt(1, 0, LATER, () => 0)).toBe(8_000);
  expect(nextAttemptAt(1, 0, LATER, () => 1)).toBe(12_000);
});

test("no attempt is made after the time limit", () => {
  expect(nextAttemptAt(1, 0, 10_000, () => 0.5)).toBe(10_000);
  expect(nextAttemptAt(1, 0, 9_999, () => 0.5)).toBeNull();
  expect(nextAttemptAt(1, 20_000, 10_000, () => 0)).toBeNull();
});
