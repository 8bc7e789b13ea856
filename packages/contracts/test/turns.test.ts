import { expect, test } from "vitest";
import { createTurns } from "../src/turns.ts";

test("Each round of the event loop has only one turn", async () => {
  const order: string[] = [];
  let isDone = false;
  const round = () => {
    order.push("|");
    if (!isDone) setImmediate(round);
  };
  setImmediate(round);
  const work = async (name: string) => {
    const turns = createTurns();
    for (let turn = 0; turn < 3; turn += 1) {
      await turns.begin();
      order.push(name);
    }
  };
  await Promise.all(["a", "b", "c"].map(work));
  isDone = true;
  expect(order.join("")).not.toMatch(/[abc]{2}/);
  expect(order.join("").replaceAll("|", "")).toBe("abcabcabc");
});
