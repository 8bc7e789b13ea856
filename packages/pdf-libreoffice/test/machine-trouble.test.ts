/** Trouble of the machine: a full folder, a LibreOffice that is missing for a while. No document is to blame for it. */
import { execFile } from "node:child_process";
import { rename } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { libreOffice } from "../src/index.ts";
import { folderTrouble } from "../src/office/machine-trouble.ts";
import { lanesLost, notStarted } from "../src/supervisor/failures.ts";
import { Outage } from "../src/supervisor/outage.ts";
import { textDocx } from "./docx.ts";
import {
  closing,
  fakeSoffice,
  officesIn,
  slowTest,
  stateOf,
  stoppedClock,
  testFolder,
  until,
} from "./laboratory.ts";

/** Mounts a small file system in a namespace of its own and runs a program in it. */
const IN_SMALL_FOLDER = 'mount -t tmpfs -o size=20m none "$1" && exec "$2" "$3" "$1"';

slowTest(
  "documents that failed because of a full folder are converted when it has room",
  async () => {
    const program = fileURLToPath(new URL("full-host.ts", import.meta.url));
    const { stdout } = await promisify(execFile)("unshare", [
      ...["--map-root-user", "--mount", "/bin/sh", "-c", IN_SMALL_FOLDER, "sh"],
      ...[await testFolder(), process.execPath, program],
    ]);
    const { outcomes, replaced } = JSON.parse(stdout);
    expect(outcomes).toEqual(["pdf", "pdf", "pdf"]);
    expect(replaced).toEqual(["lost", "broken"]);
  },
);

slowTest("documents wait for a LibreOffice that is missing for a while", async () => {
  const tempDir = await testFolder();
  const sofficePath = await fakeSoffice(tempDir, 'exec soffice "$@"');
  let broken = false;
  const onReplaced = (end: string): void => {
    broken ||= end === "broken";
  };
  await using office = closing(
    libreOffice({ lanes: 1, mode: "warm", tempDir, sofficePath, onReplaced }),
  );
  await office.convert(textDocx("before"));
  await rename(sofficePath, `${sofficePath}.away`);
  const killed = officesIn(tempDir);
  for (const { pid } of killed) process.kill(pid, "SIGKILL");
  await until("it has ended", () => killed.every(({ pid }) => stateOf(pid) === null));
  const waiting = office.convert(textDocx("waits"));
  await until("no lane starts", () => broken);
  await rename(`${sofficePath}.away`, sofficePath);
  expect((await waiting).pages).toBe(1);
});

test("a full folder is the reason in each error, and the error is retryable", () => {
  const full = "/proc"; // this file system never has free space
  expect(folderTrouble(full)).toContain("is full");
  for (const error of [notStarted(new Error("x"), full), lanesLost(new Error("x"), full)]) {
    expect([error.code, error.retryable]).toEqual(["unavailable", true]);
    expect(error.message).toContain("/proc, is full (0 KB are free). Make room in it");
  }
});

test("a folder with enough space causes no error", async () => {
  expect(folderTrouble(await testFolder())).toBeNull();
});

test("documents wait through an outage for seven seconds, and only if lanes ran before", async () => {
  const pass = stoppedClock();
  const outage = new Outage();
  expect(outage.pause(() => {})).toBe(false);
  outage.end();
  let waitedMs = 0;
  for (let retried = true; retried; ) {
    retried = false;
    const waits = outage.pause(() => {
      retried = true;
    });
    if (!waits) break;
    while (!retried) {
      await pass(1_000);
      waitedMs += 1_000;
    }
  }
  expect(waitedMs).toBe(7_000);
});
