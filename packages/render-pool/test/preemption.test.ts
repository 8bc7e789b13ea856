import { describe, expect, test } from "vitest";
import { linesOf } from "../../ooxml/test/support/docx.ts";
import { pool } from "./support/pool.ts";
import { ITEMS, outcomeOf, PREEMPTIBLE, PREEMPTING, QUICK, SLOW } from "./support/preemption.ts";

describe("a pool with a document that takes long", () => {
  test("stops a preemptible document when another template waits", async () => {
    await using renderer = pool(PREEMPTING);
    const slow = outcomeOf(renderer.open(SLOW).render(ITEMS, PREEMPTIBLE));
    const quick = renderer.open(QUICK);
    expect(linesOf((await quick.render({ name: "A" })).bytes)).toEqual(["Hello A"]);
    expect(await slow).toBe("preempted");
    expect(await outcomeOf(renderer.open(SLOW).render(ITEMS, PREEMPTIBLE))).toBe("done");
  });
});
