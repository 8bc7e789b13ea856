/** Which documents go to a lane together, after lanes ended with documents of their group, and how this is counted. */
import { expect, test } from "vitest";
import { JoinPlan } from "../src/supervisor/join-plan.ts";
import { JoinStatistics } from "../src/supervisor/join-statistics.ts";
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

test("other documents of the group are still joined after a fault", () => {
  const plan = new JoinPlan(true, new JoinStatistics());
  plan.fault(GROUP);
  expect(plan.takes(LETTER)).toBe(true);
});

test("after several faults in a row, a growing number of documents goes alone first", () => {
  const plan = new JoinPlan(true, new JoinStatistics());
  const alone = (): number => {
    let count = 0;
    for (; !plan.takes(LETTER); count++) plan.took(GROUP, 1, 100);
    return count;
  };
  const counts = Array.from({ length: 12 }, () => {
    plan.fault(GROUP);
    return alone();
  });
  expect(counts).toEqual([0, 0, 80, 160, 320, 640, 1280, 2560, 5120, 5120, 5120, 5120]);
  plan.took(GROUP, 40, 500);
  plan.fault(GROUP);
  expect(alone()).toBe(0);
});

test("a template that a lane refused to join stays refused", () => {
  const plan = new JoinPlan(true, new JoinStatistics());
  plan.refuse(GROUP, "a difference");
  plan.took(GROUP, 1, 100);
  expect(plan.takes(LETTER)).toBe(false);
});

const letters = (count: number): Task[] => Array.from({ length: count }, () => ({ ...LETTER }));

test("joined documents have a small part of the deadline, or more if they usually take long", () => {
  const plan = new JoinPlan(true, new JoinStatistics());
  expect(plan.limitMs(letters(40), 64_000)).toBe(32_000);
  plan.took(GROUP, 40, 600);
  expect(plan.limitMs(letters(40), 64_000)).toBe(4_000);
  plan.took(GROUP, 40, 2_000);
  expect(plan.limitMs(letters(40), 64_000)).toBe(6_000);
  plan.took(GROUP, 1, 5_000);
  expect(plan.limitMs(letters(40), 64_000)).toBe(64_000);
});

test("a short limit that joined documents exceeded counts towards the deadline of each", () => {
  const plan = new JoinPlan(true, new JoinStatistics());
  const tasks = letters(2);
  plan.overran(tasks, 4_000);
  for (const task of tasks) expect(plan.limitMs([task], 64_000)).toBe(60_000);
  expect(plan.limitMs(letters(1), 64_000)).toBe(64_000);
});

test("documents that are usually slow, or were not measured yet, keep their whole deadline", () => {
  const plan = new JoinPlan(true, new JoinStatistics());
  const tasks = letters(40);
  plan.overran(tasks, plan.limitMs(tasks, 64_000));
  expect(plan.limitMs(tasks.slice(1, 2), 64_000)).toBe(64_000);
  plan.took(GROUP, 1, 40_000);
  plan.overran(tasks, plan.limitMs(tasks, 64_000));
  expect(plan.limitMs(tasks.slice(1, 2), 64_000)).toBe(64_000);
});

test("documents are counted, and each group once with its first reason", () => {
  const statistics = new JoinStatistics();
  const plan = new JoinPlan(true, statistics);
  for (const joined of [true, false, true]) statistics.count(joined);
  plan.refuse("a", "documents with many pages");
  plan.refuse("a", "a lane ended");
  plan.refuse("b", "documents with many pages");
  const refused = { "documents with many pages": 2 };
  expect(statistics.read()).toEqual({ joined: 2, separate: 1, refused });
});

test("reasons beyond the limit are counted together", () => {
  const statistics = new JoinStatistics();
  for (let group = 0; group < 100; group++) statistics.refuse(`reason ${group}`);
  const { refused } = statistics.read();
  expect(Object.keys(refused)).toHaveLength(20);
  expect(refused["other reasons"]).toBe(81);
});
