import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextRound } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { Database } from "../src/database/database.ts";
import { Writer } from "../src/database/writer.ts";

const MANY = 1000;

async function makeWriter(): Promise<Writer> {
  const folder = await mkdtemp(join(tmpdir(), "quire-writer-"));
  const database = new Database(join(folder, "jobs.db"));
  onTestFinished(async () => {
    database.close();
    await rm(folder, { recursive: true, force: true });
  });
  return new Writer(database);
}

test("a rare write does not wait for others, however many are expected", async () => {
  const writer = await makeWriter();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  await expect(writer.write(() => "written", 32)).resolves.toBe("written");
});

test("one of many writes waits for others, for a short time", async () => {
  const writer = await makeWriter();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const written: number[] = [];
  await Promise.all(Array.from({ length: MANY }, () => writer.write(() => {})));
  const last = writer.write(() => written.push(1), 32);
  await nextRound();
  expect(written).toEqual([]);
  vi.advanceTimersByTime(10);
  await last;
  expect(written).toEqual([1]);
});
