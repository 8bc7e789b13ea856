import { QuireError } from "@quire/contracts";
import { describe, expect, test } from "vitest";
import { linesOf } from "../../ooxml/test/support/docx.ts";
import { renderInProcess } from "../src/index.ts";
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

test.each([
  ["processes", () => pool({ processes: 1 })],
  ["the caller's process", inCallersProcess],
] as const)("a document that may not begin at its turn is not rendered, by %s", async (_, make) => {
  await using renderer = make();
  const template = renderer.open(QUICK);
  const refused = template.render({ name: "A" }, { mayBegin: () => false });
  const begun = template.render({ name: "B" }, { mayBegin: () => true });
  expect(await outcomeOf(refused)).toBe("preempted");
  expect(linesOf((await begun).bytes)).toEqual(["Hello B"]);
});

test.each([
  ["processes", () => pool({ processes: 1 })],
  ["the caller's process", inCallersProcess],
] as const)("a document is begun when onBegin resolves, by %s", async (_, make) => {
  await using renderer = make();
  const template = renderer.open(QUICK);
  const permitted = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  let calls = 0;
  const onBegin = () => {
    calls += 1;
    asked.resolve();
    return permitted.promise;
  };
  let isDone = false;
  const rendered = template.render({ name: "A" }, { onBegin }).finally(() => {
    isDone = true;
  });
  await asked.promise;
  expect(linesOf((await template.render({ name: "B" })).bytes)).toEqual(["Hello B"]);
  expect(isDone).toBe(false);
  permitted.resolve();
  expect(linesOf((await rendered).bytes)).toEqual(["Hello A"]);
  expect(calls).toBe(1);
  const refused = new QuireError("lease_lost", "Another worker has the job.");
  const never = template.render({ name: "C" }, { onBegin: () => Promise.reject(refused) });
  await expect(never).rejects.toBe(refused);
});

function inCallersProcess() {
  const renderer = renderInProcess();
  return { open: renderer.open, [Symbol.asyncDispose]: () => renderer.close() };
}
