/**
 * Tests the leftovers of a host that is killed without closing its converter. For kills at other moments, see
 * `host-death.chaos.test.ts`.
 */
import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { libreOffice } from "../src/index.ts";
import { pipePath } from "../src/office/sockets.ts";
import { textDocx } from "./docx.ts";
import { killed, startHost } from "./hosts.ts";
import {
  closing,
  fakeSoffice,
  officesIn,
  ownSockets,
  processesWith,
  slowTest,
  testFolder,
  until,
  untilNoProcess,
  WRITES_PAGE,
  workspaces,
} from "./laboratory.ts";

slowTest("a host that is killed leaves no process, no file and no socket", async () => {
  const tempDir = await testFolder();
  const host = startHost(tempDir, "stay");
  await host.says("pages 1");
  await until("both lanes are there", () => officesIn(tempDir).length === 2);
  const own = await ownSockets(tempDir);
  await killed(host, tempDir);
  expect(own.filter((socket) => existsSync(socket))).toEqual([]);
});

slowTest("the next start removes what a host left that was killed with its lanes", async () => {
  const tempDir = await testFolder();
  const host = startHost(tempDir, "stay");
  await host.says("pages 1");
  await until("both lanes are there", () => officesIn(tempDir).length === 2);
  const [left = ""] = await workspaces(tempDir);
  const mark = basename(left).split("-")[2] ?? "";
  const socket = pipePath(`quire${mark}x0123456789abcdef`);
  await writeFile(socket, "");
  // The same process, as seen from another namespace or another boot, may be running.
  const unseen = [mark.replace(/n\d+/, "n1"), mark.replace(/b\w+/, "b0")].map((other) => ({
    folder: join(tempDir, `quire-pdf-${other}-abcdef`),
    socket: pipePath(`quire${other}x0123456789abcdef`),
  }));
  for (const each of unseen) {
    await mkdir(each.folder);
    await writeFile(each.socket, "");
    onTestFinished(() => rm(each.socket));
  }
  await start(tempDir);
  expect([left, socket].filter(existsSync)).toEqual([left, socket]); // the host lives

  // A stopped lane cannot remove anything.
  const processes = processesWith(tempDir);
  for (const { pid } of processes) process.kill(pid, "SIGSTOP");
  host.process.kill("SIGKILL");
  for (const { pid } of processes) process.kill(pid, "SIGKILL");
  await untilNoProcess(tempDir);
  await until("the host is gone", () => host.process.signalCode !== null);
  expect(existsSync(left)).toBe(true);
  await start(tempDir);
  expect([left, socket].filter(existsSync)).toEqual([]);
  for (const each of unseen) {
    expect([existsSync(each.folder), existsSync(each.socket)]).toEqual([true, true]);
  }
});

/** Starts a converter and closes it. */
async function start(tempDir: string): Promise<void> {
  const sofficePath = await fakeSoffice(await testFolder(), WRITES_PAGE);
  await using office = closing(libreOffice({ lanes: 1, mode: "fresh", tempDir, sofficePath }));
  await office.convert(textDocx("one"));
}
