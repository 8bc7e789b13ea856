/** Tests failures of lanes that are rarer than those in `supervisor.test.ts`. */
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { libreOffice } from "../src/index.ts";
import { pipePath } from "../src/office/sockets.ts";
import { textDocx } from "./docx.ts";
import {
  closing,
  laneFolders,
  laneOf,
  lanesIn,
  officesIn,
  rejection,
  sharedOffice,
  slowTest,
  stateOf,
  testFolder,
  until,
  untilNoProcess,
  workspaces,
} from "./laboratory.ts";
import { converts, many, warm } from "./supervised.ts";

const pair = sharedOffice({ lanes: 2 });
const single = sharedOffice({ lanes: 1, lazy: true });

slowTest(
  "after a document that LibreOffice could not convert, a new LibreOffice converts the next",
  async () => {
    const [first] = await warm(single, 1);
    const options = { pdf: { pages: "9" } };
    const error = await rejection(single.convert(textDocx("has one page"), options));
    expect([error.code, error.retryable]).toEqual(["conversion_failed", false]);
    await converts(single);
    expect(officesIn(single.tempDir)).not.toContainEqual(first);
  },
);

slowTest("lanes that end while idle do not affect documents", async () => {
  for (const victims of [officesIn, lanesIn]) {
    await warm(pair, 2);
    const killed = victims(pair.tempDir);
    const folders = await laneFolders(pair.tempDir);
    for (const { pid } of killed) process.kill(pid, "SIGKILL");
    const ended = () => killed.every(({ pid }) => [null, "Z"].includes(stateOf(pid)));
    await until("they have ended", ended);
    for (const document of many(3)) expect((await pair.convert(document)).pages).toBe(1);
    await until("their files are removed", async () => {
      return (await laneFolders(pair.tempDir)).every((folder) => !folders.includes(folder));
    });
  }
});

slowTest("a document in a frozen LibreOffice or lane is converted in another lane", async () => {
  for (const victims of [officesIn, lanesIn]) {
    await warm(pair, 2);
    const frozen = victims(pair.tempDir);
    for (const { pid } of frozen) process.kill(pid, "SIGSTOP");
    // Both lanes are frozen. However often this happens, the document is not to blame.
    const { pages } = await pair.convert(textDocx("patient"));
    expect(pages).toBe(1);
    await pair.convert(textDocx("once more"));
    // A LibreOffice that was frozen during its start fails at the time limit for starts.
    const isGone = () => frozen.some(({ pid }) => stateOf(pid) === null);
    await until("a frozen one is gone", isGone);
  }
});

slowTest("lanes whose folder was deleted do not affect documents", async () => {
  await warm(pair, 2);
  // LibreOffice may be writing while its folder is deleted.
  const options = { recursive: true, maxRetries: 10 };
  for (const folder of await workspaces(pair.tempDir)) await rm(folder, options);
  for (const document of many(3)) expect((await pair.convert(document)).pages).toBe(1);
});

slowTest("a prepared profile that was deleted or changed is created again", async () => {
  await warm(pair, 2);
  const [workspace = ""] = await workspaces(pair.tempDir);
  const settings = join(workspace, "profile", "user", "registrymodifications.xcu");
  await rm(join(workspace, "profile"), { recursive: true });
  for (const { pid } of officesIn(pair.tempDir)) process.kill(pid, "SIGKILL");
  await converts(pair);
  expect(existsSync(settings)).toBe(true);
});

slowTest(
  "a lane that is killed while it starts is restarted and leaves no socket behind",
  async () => {
    const tempDir = await testFolder();
    await using office = closing(libreOffice({ lanes: 1, tempDir }));
    const first = office.convert(textDocx("first"));
    const starting = await until("LibreOffice starts", () => officesIn(tempDir)[0]);
    const lane = lanesIn(tempDir).find((process) => laneOf(process) === laneOf(starting));
    process.kill(lane?.pid ?? Number.NaN, "SIGKILL");
    const { pages, warnings } = await first;
    expect([pages, warnings]).toEqual([1, []]);
    const [workspace] = await workspaces(tempDir);
    await untilNoProcess(`${workspace}/${laneOf(starting)}/`);
    const name = /pipe,name=(\w+)/.exec(starting.command)?.[1] ?? "";
    expect(existsSync(pipePath(name))).toBe(false);
  },
);
