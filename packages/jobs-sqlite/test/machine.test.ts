import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { afterEach, describe, expect, test, vi } from "vitest";
import { isGone, PROCESS } from "../src/database/machine.ts";

/** Makes reading files fail, for every module of this process, until the test ends. */
function failReading(code: string): void {
  vi.spyOn(fs, "readFileSync").mockImplementation(() => {
    throw Object.assign(new Error("cannot be read"), { code });
  });
  syncBuiltinESMExports();
}

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

describe.skipIf(process.platform !== "linux")("a process", () => {
  test("is gone when it has ended, or when another process has its id", async () => {
    expect(isGone(PROCESS)).toBe(false);
    const [pid, start, namespace] = PROCESS.split(" ");
    expect(isGone(`${pid} ${Number(start) - 1} ${namespace}`)).toBe(true);
    const child = spawn(process.execPath, ["-e", "0"]);
    await once(child, "close");
    expect(isGone(`${child.pid} 1 ${namespace}`)).toBe(true);
  });

  test("that cannot be inspected is not treated as gone", () => {
    failReading("EMFILE");
    expect(isGone(PROCESS)).toBe(false);
    failReading("EACCES");
    expect(isGone(PROCESS)).toBe(false);
    failReading("ENOENT");
    expect(isGone(PROCESS)).toBe(true);
  });

  test("of another PID namespace is not treated as gone", () => {
    const [pid, start] = PROCESS.split(" ");
    expect(isGone(`${pid} ${start}1 pid:[1]`)).toBe(false);
    expect(isGone("")).toBe(false);
  });
});
