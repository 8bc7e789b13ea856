import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, test, vi } from "vitest";
import { isGone, PROCESS } from "../src/machine.ts";

const reading = vi.hoisted(() => ({ failure: null as string | null }));

vi.mock("node:fs", async (importOriginal) => {
  const original = await importOriginal<typeof import("node:fs")>();
  const readFileSync = (...args: Parameters<typeof original.readFileSync>) => {
    if (reading.failure === null) return original.readFileSync(...args);
    throw Object.assign(new Error("cannot be read"), { code: reading.failure });
  };
  return { ...original, readFileSync };
});

describe.skipIf(process.platform !== "linux")("a process", () => {
  test("is gone when it has ended, or when another one has its number", async () => {
    expect(isGone(PROCESS)).toBe(false);
    const [pid, start, namespace] = PROCESS.split(" ");
    expect(isGone(`${pid} ${Number(start) - 1} ${namespace}`)).toBe(true);
    const child = spawn(process.execPath, ["-e", "0"]);
    await once(child, "close");
    expect(isGone(`${child.pid} 1 ${namespace}`)).toBe(true);
  });

  test("that cannot be looked at is not taken for gone", () => {
    reading.failure = "EMFILE";
    expect(isGone(PROCESS)).toBe(false);
    reading.failure = "EACCES";
    expect(isGone(PROCESS)).toBe(false);
    reading.failure = "ENOENT";
    expect(isGone(PROCESS)).toBe(true);
    reading.failure = null;
  });

  test("among processes that are counted otherwise is not known", () => {
    const [pid, start] = PROCESS.split(" ");
    expect(isGone(`${pid} ${start}1 pid:[1]`)).toBe(false);
    expect(isGone("")).toBe(false);
  });
});
