/** Which documents go to a lane together, after lanes ended with documents of their group. */
import { expect, test } from "vitest";
import { JoinPlan } from "../src/supervisor/join-plan.ts";
import type { LaneEnd } from "../src/supervisor/lane.ts";
import type { Task } from "../src/supervisor/task.ts";

const GROUP = "letters";

const LETTER: Task = {
  document: { bytes: new Uint8Array(), rendered: true },
  pdf: {},
  hash: "",
  group: GROUP,
  sharer: { tenant: "", weight: 1, flow: "" },
  preemptible: false,
  signal: new AbortController().signal,
  resolve: () => {},
  reject: () => {},
};

test("after a crash, half of the documents go to a lane together, and then each alone", () => {
  const plan = new JoinPlan(true);
  expect(plan.fault(GROUP, 40, "crashed")).toBe(20);
  expect(plan.fault(GROUP, 20, "crashed")).toBe(1);
});

const SLOW_ENDS: readonly LaneEnd[] = ["deadline", "stalled"];

for (const end of SLOW_ENDS) {
  test(`after the end "${end}", each of the documents goes to a lane alone`, () => {
    expect(new JoinPlan(true).fault(GROUP, 40, end)).toBe(1);
  });
}

test("other documents of the group are still joined after a fault", () => {
  const plan = new JoinPlan(true);
  plan.fault(GROUP, 40, "crashed");
  expect(plan.takes(LETTER)).toBe(true);
});

test("after several faults in a row, a growing number of documents goes alone first", () => {
  const plan = new JoinPlan(true);
  const alone = (): number => {
    let count = 0;
    for (; !plan.takes(LETTER); count++) plan.took(GROUP, 1, 100);
    return count;
  };
  const counts = Array.from({ length: 12 }, () => {
    plan.fault(GROUP, 40, "crashed");
    return alone();
  });
  expect(counts).toEqual([0, 0, 80, 160, 320, 640, 1280, 2560, 5120, 5120, 5120, 5120]);
  plan.took(GROUP, 40, 500);
  plan.fault(GROUP, 40, "crashed");
  expect(alone()).toBe(0);
});

test("a template that a lane refused to join stays refused", () => {
  const plan = new JoinPlan(true);
  plan.refuse(GROUP, "a difference");
  plan.took(GROUP, 1, 100);
  expect(plan.takes(LETTER)).toBe(false);
});

test("joined documents have a quarter of the deadline, or more if they usually take long", () => {
  const plan = new JoinPlan(true);
  expect(plan.limitMs(GROUP, 40, 60_000)).toBe(60_000);
  plan.took(GROUP, 40, 600);
  expect(plan.limitMs(GROUP, 40, 60_000)).toBe(15_000);
  plan.took(GROUP, 40, 1_200);
  expect(plan.limitMs(GROUP, 40, 60_000)).toBe(24_000);
  plan.took(GROUP, 1, 5_000);
  expect(plan.limitMs(GROUP, 40, 60_000)).toBe(60_000);
});
