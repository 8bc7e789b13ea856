import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { doEachOnce, finishAfterKills } from "./support/worker-processes.ts";

describe("four processes on one file", () => {
  test("run each of 500 jobs once", () => doEachOnce(500), 60_000);

  test(
    "finish the jobs of killed processes, and end no job twice",
    () => finishAfterKills(2000),
    60_000,
  );
});

test("processes that create the file at the same time all succeed", async () => {
  const folder = await mkdtemp(join(tmpdir(), "quire-jobs-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const built = new URL("../dist/index.js", import.meta.url);
  const program = `import { sqliteJobStore } from ${JSON.stringify(built.href)};
    import { once } from "node:events";
    process.stdout.write("ready");
    await once(process.stdin, "data");
    for (let file = 0; file < 20; file++) await sqliteJobStore({ path: process.argv[1] + file }).close();`;
  const children = [1, 2, 3].map(() =>
    spawn(
      process.execPath,
      ["--no-warnings", "--input-type=module", "-e", program, join(folder, "j")],
      { stdio: ["pipe", "pipe", "inherit"] },
    ),
  );
  const ended = children.map((child) => once(child, "close"));
  await Promise.all(children.map(({ stdout }) => once(stdout, "data")));
  for (const { stdin } of children) stdin.end("go");
  expect(await Promise.all(ended)).toEqual([
    [0, null],
    [0, null],
    [0, null],
  ]);
}, 60_000);
