import { setImmediate as nextTurn } from "node:timers/promises";
import { QuireError } from "@quire/contracts";
import { expect, test } from "vitest";
import { Batcher } from "../src/database/batcher.ts";

/** Records each group, which is under way until `release` is called. */
function heldBatcher(keyOf?: (value: string) => string) {
  const groups: (readonly string[])[] = [];
  const releases: (() => void)[] = [];
  const batcher = new Batcher(async (values: readonly string[]) => {
    groups.push(values);
    await new Promise<void>((release) => releases.push(release));
    return values.map((value) => value.toUpperCase());
  }, keyOf);
  const release = async (): Promise<void> => {
    releases.shift()?.();
    await nextTurn();
  };
  return { batcher, groups, release };
}

test("a value without others is sent alone, and gets its result", async () => {
  const batcher = new Batcher(async (values: readonly number[]) => values.map((n) => n * 2));
  expect(await batcher.add(1)).toBe(2);
  expect(await batcher.add(2)).toBe(4);
});

test("values that arrive while a group is under way are sent together, each with its result", async () => {
  const { batcher, groups, release } = heldBatcher();
  const results = [batcher.add("a")];
  await nextTurn();
  results.push(batcher.add("b"), batcher.add("c"));
  await nextTurn();
  expect(groups).toEqual([["a"]]);
  await release();
  expect(groups).toEqual([["a"], ["b", "c"]]);
  await release();
  expect(await Promise.all(results)).toEqual(["A", "B", "C"]);
});

test("values of the same turn form one group", async () => {
  const { batcher, groups, release } = heldBatcher();
  const results = Promise.all(["a", "b", "c"].map((value) => batcher.add(value)));
  await nextTurn();
  await release();
  expect(await results).toEqual(["A", "B", "C"]);
  expect(groups).toEqual([["a", "b", "c"]]);
});

test("a group has at most 64 values", async () => {
  const sizes: number[] = [];
  const batcher = new Batcher(async (values: readonly number[]) => {
    sizes.push(values.length);
    return values;
  });
  const values = Array.from({ length: 150 }, (_, n) => n);
  expect(await Promise.all(values.map((n) => batcher.add(n)))).toEqual(values);
  expect(sizes).toEqual([64, 64, 22]);
});

test("values with the same key are never in one group, and keep their order", async () => {
  const { batcher, groups, release } = heldBatcher((value) => value.charAt(0));
  const values = ["a1", "a2", "b1", "a3", "c1", "b2"];
  const results = Promise.all(values.map((value) => batcher.add(value)));
  await nextTurn();
  for (let n = 0; n < 3; n++) await release();
  expect(groups).toEqual([["a1", "b1", "c1"], ["a2", "b2"], ["a3"]]);
  expect(await results).toEqual(["A1", "A2", "B1", "A3", "C1", "B2"]);
});

test("if a value makes its group fail, only this value is rejected", async () => {
  const batcher = new Batcher(async (values: readonly number[]) => {
    if (values.includes(13)) throw new Error("13 is refused.");
    return values;
  });
  const outcomes = await Promise.allSettled([1, 13, 2].map((n) => batcher.add(n)));
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await batcher.add(3)).toBe(3);
});

test("an outage rejects the whole group, without further attempts", async () => {
  let sent = 0;
  const outage = new QuireError("job_store_failed", "The server is gone.", { retryable: true });
  const batcher = new Batcher(async () => {
    sent += 1;
    throw outage;
  });
  const outcomes = await Promise.allSettled([1, 2, 3].map((n) => batcher.add(n)));
  expect(outcomes.map((outcome) => outcome.status === "rejected" && outcome.reason)).toEqual(
    Array(3).fill(outage),
  );
  expect(sent).toBe(1);
});
