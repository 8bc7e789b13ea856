import { spawn } from "node:child_process";
import { describe, expect, onTestFinished, test } from "vitest";
import { duration } from "../src/terminal/format.ts";
import type { CommandIo } from "../src/terminal/io.ts";
import { memoryInUse } from "../src/terminal/memory.ts";
import { createProgress } from "../src/terminal/progress.ts";
import { type LineParts, progressLine } from "../src/terminal/progress-line.ts";
import { Rate } from "../src/terminal/rate.ts";
import { until } from "./support/cli.ts";

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
  const MAKING = { phase: "making", done: 0, total: 10, rate: null, memory: null };
  const line = (parts: Partial<LineParts>, width: number | null = null) =>
    progressLine({ ...MAKING, ...parts }, width);

  test("shows the phase, the entries, the rate, the time left, the failures and the memory", () => {
    const parts = { done: 31_204, total: 50_000, failed: 3, rate: 14, memory: 712_000_000 };
    const text = "making 31,204 of 50,000 · 14/s · 22 min left · 3 failed · 712 MB";
    expect(line(parts)).toBe(text);
    const bar = "█".repeat(15) + "░".repeat(9);
    expect(line(parts, 100)).toBe(text.replace("making ", `making [${bar}] `));
  });

  test("always shows the time left and the failures, however narrow the terminal is", () => {
    const parts = { done: 31_204, total: 50_000, failed: 3, rate: 14, memory: 712_000_000 };
    expect(line(parts, 80)).toBe(
      "making 31,204 of 50,000 · 14/s · 22 min left · 3 failed · 712 MB",
    );
    expect(line(parts, 59)).toBe("making 31,204 of 50,000 · 14/s · 22 min left · 3 failed");
    expect(line(parts, 50)).toBe("making 31,204 of 50,000 · 22 min left · 3 failed");
    expect(line(parts, 30)).toBe("making 31,204 of 50,000 · 22 m");
  });

  test("shows no time left while the rate is unknown, and none at the end", () => {
    expect(line({ phase: "reading", done: 12_000, total: 50_000 })).toBe(
      "reading 12,000 of 50,000",
    );
    expect(line({ done: 10, rate: 2 })).toBe("making 10 of 10 · 2.0/s");
  });

  test("has neither a bar nor a time left if the total is unknown", () => {
    expect(line({ done: 1500, total: null, failed: 1, rate: 150 }, 80)).toBe(
      "making 1,500 · 150/s · 1 failed",
    );
    expect(line({ phase: "counting entries", total: null }, 80)).toBe("counting entries");
    expect(line({ total: 0 }, 80)).toBe("making 0 of 0");
  });

  test("accepts more entries than were counted", () => {
    expect(line({ done: 30, rate: 30 }, 80)).toBe(`making [${"█".repeat(24)}] 30 of 10 · 30/s`);
  });
});

describe("the rate", () => {
  test("is unknown before two seconds have passed since the first item", () => {
    const rate = new Rate();
    expect(rate.perSecond(60_000)).toBeNull();
    rate.add(60_000, 5);
    rate.add(61_000, 15);
    expect(rate.perSecond(61_999)).toBeNull();
    rate.add(62_000, 25);
    expect(rate.perSecond(62_000)).toBe(10);
  });

  test("does not count items that were done before the first sample", () => {
    const rate = new Rate();
    rate.add(0, 20_064);
    rate.add(4_000, 20_104);
    expect(rate.perSecond(4_000)).toBe(10);
  });

  test("is the rate of the last 15 seconds, even after a slow start", () => {
    const rate = new Rate();
    for (let second = 0; second <= 60; second++) rate.add(second * 1000, second);
    for (let second = 1; second <= 20; second++) rate.add((60 + second) * 1000, 60 + second * 100);
    expect(rate.perSecond(80_000)).toBeCloseTo(100, 0);
  });

  test("is taken over more time if items are slow", () => {
    const rate = new Rate();
    for (let item = 0; item <= 10; item++) rate.add(item * 20_000, item);
    expect(rate.perSecond(200_000)).toBe(0.05);
  });

  test("falls while nothing is done", () => {
    const rate = new Rate();
    for (let second = 0; second <= 10; second++) rate.add(second * 1000, second * 10);
    expect(rate.perSecond(10_000)).toBe(10);
    expect(rate.perSecond(20_000)).toBe(5);
  });
});

/** Creates progress on outputs that keep what is written, with a clock that moves only when the test sets it. */
function laboratory(isTTY: boolean, columns = 80) {
  const written: string[] = [];
  const clock = { now: 0 };
  const write = (text: string): boolean => written.push(text) > 0;
  const stream = { isTTY, columns, write } as unknown as NodeJS.WriteStream;
  const io = { stdout: stream, stderr: stream } as unknown as CommandIo;
  const progress = createProgress(io, { now: () => clock.now });
  onTestFinished(() => progress.finish());
  return { written, clock, progress };
}

describe("progress", () => {
  test("is a plain line every two seconds without a terminal", () => {
    const { written, clock, progress } = laboratory(false);
    progress.phase("reading");
    progress.phase("making", { rate: true });
    for (let done = 1; done <= 50; done++) {
      clock.now += 100;
      progress.update({ done, total: 50 });
    }
    progress.finish();
    expect(written.map((text) => text.replace(/ · [\d,]+ MB\n/, "\n"))).toEqual([
      "making 20 of 50\n",
      "making 40 of 50 · 10/s · 1.0 s left\n",
      "making 50 of 50 · 10/s\n",
    ]);
  });

  test("appears within a second on a terminal, even if nothing is done", async () => {
    const written: string[] = [];
    const write = (text: string): boolean => written.push(text) > 0;
    const stream = { isTTY: true, columns: 80, write } as unknown as NodeJS.WriteStream;
    const progress = createProgress({ stdout: stream, stderr: stream } as unknown as CommandIo);
    progress.phase("counting entries");
    await until("it appears", () => written.includes("counting entries"), 1);
    progress.finish();
  });

  test("shows the state before the first item, which does not count towards the rate", () => {
    const { written, clock, progress } = laboratory(false);
    progress.phase("making", { rate: true, from: { done: 20, total: 50 } });
    clock.now += 60_000;
    progress.update({ done: 21, total: 50 });
    clock.now += 2_000;
    progress.update({ done: 31, total: 50 });
    expect(written.map((text) => text.replace(/ · [\d,]+ MB\n/, "\n"))).toEqual([
      "making 21 of 50\n",
      "making 31 of 50 · 5.0/s · 3.8 s left\n",
    ]);
  });

  test("updates one line on a terminal, at most as wide as the terminal, and ends it", () => {
    const { written, clock, progress } = laboratory(true, 40);
    progress.phase("making", { rate: true });
    for (let done = 1; done <= 20; done++) {
      clock.now += 100;
      progress.update({ done, total: 20 });
    }
    progress.finish();
    const lines = written.filter((text) => text.includes("of 20"));
    expect(lines).toHaveLength(10);
    for (const line of lines) {
      expect(line.length).toBeLessThan(40);
      expect(line).not.toContain("\n");
    }
    expect(written.filter((text) => text.includes("\n"))).toEqual(["\n"]);
  });

  test("is removed before a message, and returns with the next update", () => {
    const { written, clock, progress } = laboratory(true);
    progress.phase("reading");
    clock.now += 1000;
    progress.update({ done: 1, total: 2 });
    progress.io.stderr.write("warning\n");
    progress.update({ done: 2, total: 2 });
    const shown = written.map((text) => text.replaceAll("\u001b", "<"));
    expect(shown).toEqual([
      "<[1G",
      `reading [${"█".repeat(12)}${"░".repeat(12)}] 1 of 2`,
      "<[0K",
      "<[1G",
      "<[2K",
      "warning\n",
      "<[1G",
      `reading [${"█".repeat(24)}] 2 of 2`,
      "<[0K",
    ]);
  });

  test("shows nothing if it is quiet", () => {
    const { written, clock } = laboratory(false);
    const write = (text: string): boolean => written.push(text) > 0;
    const io = { stderr: { write } } as unknown as CommandIo;
    const progress = createProgress(io, { quiet: true, now: () => clock.now });
    progress.phase("reading");
    clock.now += 5000;
    progress.update({ done: 1, total: 2 });
    progress.finish();
    expect(written).toEqual([]);
  });
});

test.runIf(process.platform === "linux")(
  "the memory in use includes the processes that this process started",
  async () => {
    const before = memoryInUse();
    const script = "const kept = Buffer.alloc(300_000_000, 1); setInterval(() => kept, 1000)";
    const child = spawn(process.execPath, ["-e", script], { stdio: "ignore" });
    onTestFinished(() => {
      child.kill("SIGKILL");
    });
    await until("it grows", () => memoryInUse() - before > 250_000_000);
  },
);
