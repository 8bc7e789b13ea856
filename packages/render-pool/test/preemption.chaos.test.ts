import { describe, expect, test } from "vitest";
import { pool } from "./support/pool.ts";
import {
  ITEMS,
  outcomeOf,
  PREEMPTIBLE,
  PREEMPTING,
  QUICK,
  SLOW,
  SLOW_TO_COMPILE,
} from "./support/preemption.ts";

describe("a pool with a document that takes long", () => {
  test("does not stop a document or a compilation that is not preemptible", async () => {
    await using renderer = pool(PREEMPTING);
    const slow = [
      outcomeOf(renderer.open(SLOW).render(ITEMS)),
      outcomeOf(renderer.open(SLOW_TO_COMPILE).render({})),
    ];
    expect(await outcomeOf(renderer.open(QUICK).render({ name: "A" }))).toBe("done");
    expect(await Promise.all(slow)).toEqual(["done", "done"]);
  });

  test("does not stop it for documents of the same template", async () => {
    await using renderer = pool(PREEMPTING);
    const slow = renderer.open(SLOW);
    const all = [1, 2].map(() => outcomeOf(slow.render(ITEMS, PREEMPTIBLE)));
    expect(await Promise.all(all)).toEqual(["done", "done"]);
  });

  test("stops a compilation when another template waits, and compiles it later", async () => {
    await using renderer = pool(PREEMPTING);
    const template = renderer.open(SLOW_TO_COMPILE);
    const all = [1, 2, 3].map(() => outcomeOf(template.render({}, PREEMPTIBLE)));
    expect(await outcomeOf(renderer.open(QUICK).render({ name: "A" }))).toBe("done");
    expect(await Promise.all(all)).toEqual(["preempted", "preempted", "preempted"]);
    expect(await outcomeOf(template.render({}))).toBe("done");
  });
});
