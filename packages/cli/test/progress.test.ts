import { describe, expect, test } from "vitest";
import { createProgress, duration, progressLine } from "../src/terminal/progress.ts";

describe("duration", () => {
  test.for([
    [0, "0.0 s"],
    [9.94, "9.9 s"],
    [10, "10 s"],
    [99.4, "99 s"],
    [100, "2 min"],
    [3600, "60 min"],
    [5999, "100 min"],
    [6000, "1.7 h"],
    [86_400, "24.0 h"],
  ] as const)("prints %d seconds as %s", ([seconds, text]) => {
    expect(duration(seconds)).toBe(text);
  });
});

describe("the progress line", () => {
  const line = (done: number, failed: number, total: number | null, seconds: number, bar = false) =>
    progressLine({ done, failed, total }, seconds, bar);

  test("shows the done and total entries, the rate, the time left and the failures", () => {
    expect(line(31_204, 3, 50_000, 2229)).toBe("31,204/50,000 · 14/s · 22 min left · 3 failed");
  });

  test("has a bar on a terminal", () => {
    expect(line(0, 0, 10, 0, true)).toBe(`[${"░".repeat(24)}] 0/10`);
    expect(line(5, 0, 10, 1, true)).toBe(
      `[${"█".repeat(12)}${"░".repeat(12)}] 5/10 · 5.0/s · 1.0 s left`,
    );
    expect(line(10, 0, 10, 1, true)).toBe(`[${"█".repeat(24)}] 10/10 · 10/s`);
  });

  test("shows neither a rate nor a time left before the first document", () => {
    expect(line(0, 0, 10, 5)).toBe("0/10");
    expect(line(1, 0, 10, 0)).not.toMatch(/Infinity|NaN/);
  });

  test("shows neither a bar nor a time left if the total is unknown", () => {
    expect(line(1500, 1, null, 10, true)).toBe("1,500 done · 150/s · 1 failed");
    expect(line(0, 0, 0, 1, true)).toBe("0/0");
  });

  test("accepts more entries than were counted", () => {
    expect(line(30, 0, 10, 1, true)).toBe(`[${"█".repeat(24)}] 30/10 · 30/s`);
  });
});

/** A stream that keeps its output, and a clock that moves only when it is set. */
function laboratory(isTTY: boolean, columns = 80) {
  const written: string[] = [];
  const clock = { now: 0 };
  const write = (text: string): boolean => written.push(text) > 0;
  const stream = { isTTY, columns, write } as unknown as NodeJS.WriteStream;
  return { written, clock, progress: createProgress(stream, () => clock.now) };
}

describe("progress", () => {
  test("is a plain line every two seconds without a terminal", () => {
    const { written, clock, progress } = laboratory(false);
    for (let done = 1; done <= 50; done++) {
      clock.now += 100;
      progress.update({ done, failed: 0, total: 50 });
    }
    progress.finish({ done: 50, failed: 0, total: 50 });
    expect(written).toEqual([
      "20/50 · 10/s · 3.0 s left\n",
      "40/50 · 10/s · 1.0 s left\n",
      "50/50 · 10/s\n",
    ]);
  });

  test("updates one line on a terminal, at most as wide as the terminal, and ends it", () => {
    const { written, clock, progress } = laboratory(true, 40);
    for (let done = 1; done <= 20; done++) {
      clock.now += 50;
      progress.update({ done, failed: 0, total: 20 });
    }
    progress.finish({ done: 20, failed: 0, total: 20 });
    const lines = written.filter((text) => text.includes("/20"));
    expect(lines).toHaveLength(11);
    for (const line of lines) {
      expect(line.length).toBeLessThan(40);
      expect(line).not.toContain("\n");
    }
    expect(written.join("").endsWith("\n")).toBe(true);
    expect(written.filter((text) => text.includes("\n"))).toEqual(["\n"]);
  });
});
