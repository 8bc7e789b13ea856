import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createLogger, type LoggerOptions } from "../../src/observe/logger.ts";

function recorded(options: LoggerOptions = {}) {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  return { logger: createLogger({ ...options, destination }), lines };
}

/** Runs a program that logs to standard output. */
function program(body: string, stdout: "pipe" | number = "pipe") {
  const logger = new URL("../../src/observe/logger.ts", import.meta.url).href;
  const source = `import { createLogger } from ${JSON.stringify(logger)};\n${body}`;
  const args = ["--no-warnings", "--input-type=module", "-e", source];
  return spawnSync(process.execPath, args, {
    stdio: ["ignore", stdout, "pipe"],
    encoding: "utf8",
    timeout: 20_000,
  });
}

describe("The logger", () => {
  test("writes a line of JSON for each message: level, time, fields, message", () => {
    const { logger, lines } = recorded();
    const before = Date.now();
    logger.info({ request_id: "r-1", status: 200 }, "request");
    logger.warn({}, "slow\nhere");
    logger.error({ status: 503, code: "unavailable" }, "request failed");
    expect(lines.every((line) => line.indexOf("\n") === line.length - 1)).toBe(true);
    const [first, second, third] = lines.map((line) => JSON.parse(line));
    expect(first).toEqual({
      level: "info",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      request_id: "r-1",
      status: 200,
      msg: "request",
    });
    expect(Date.parse(first.time)).toBeGreaterThanOrEqual(before);
    expect(second).toMatchObject({ level: "warn", msg: "slow\nhere" });
    expect(third).toMatchObject({ level: "error", code: "unavailable" });
  });

  test("writes nothing below its level", () => {
    const { logger, lines } = recorded({ level: "warn" });
    logger.info({}, "request");
    logger.warn({}, "slow");
    expect(lines).toHaveLength(1);
    const silent = recorded({ level: "silent" });
    silent.logger.error({}, "request failed");
    expect(silent.lines).toEqual([]);
  });

  test("never throws, for any fields and destination", () => {
    const around: Record<string, unknown> = { count: 1n };
    around.around = around;
    const { logger, lines } = recorded();
    logger.info(around, "request");
    logger.info(
      {
        get facts(): never {
          throw new Error("No.");
        },
      },
      "request",
    );
    expect(lines.length).toBeGreaterThanOrEqual(1);
    const failing = createLogger({
      destination: {
        write: () => {
          throw new Error("Full.");
        },
      },
    });
    expect(() => failing.error({}, "request failed")).not.toThrow();
  });

  test("writes to standard output synchronously, so lines come before the end of the process", () => {
    const { stdout } = program(
      `createLogger().info({ n: 1 }, "last"); process.kill(process.pid, "SIGKILL");`,
    );
    expect(JSON.parse(stdout)).toMatchObject({ n: 1, msg: "last" });
  });

  test.runIf(existsSync("survives a full disk, and so does its process"))(
    "outlives a full disk, and so does its process",
    () => {
      const full = openSync("/dev/full", "w");
      const { status, stderr } = program(
        `const logger = createLogger();
       for (let n = 0; n < 100; n += 1) logger.info({ n }, "request");
       setTimeout(() => { logger.info({}, "request"); process.stderr.write("done"); }, 50);`,
        full,
      );
      closeSync(full);
      expect({ status, stderr }).toEqual({ status: 0, stderr: "done" });
    },
  );
});
