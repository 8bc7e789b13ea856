/** Tests how a lane's last processes are removed. */
import { spawn } from "node:child_process";
import { expect, onTestFinished, test } from "vitest";
import { sweep } from "../src/supervisor/sweep.ts";
import { processesWith, testFolder, until } from "./laboratory.ts";

const FOREVER = "while :; do :; done";

test("A sweep ends only when the processes that it killed are gone, even on a busy machine", async () => {
  const folder = await testFolder();
  for (let started = 0; started < 4; started++) keepBusy();
  // Processes that get almost no time from the scheduler also die late.
  for (let started = 0; started < 3; started++) {
    spawn("chrt", ["--idle", "0", "sh", "-c", FOREVER, `${folder}/`], { stdio: "ignore" });
  }
  await until("they run", () => processesWith(folder).length === 3);

  await sweep(folder);

  expect(processesWith(folder)).toEqual([]);
});

function keepBusy(): void {
  const busy = spawn("sh", ["-c", FOREVER], { stdio: "ignore" });
  onTestFinished(() => {
    busy.kill("SIGKILL");
  });
}
