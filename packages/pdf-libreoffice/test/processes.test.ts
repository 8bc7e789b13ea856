import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import { libreOffice } from "../src/index.ts";
import { leftoverSocket } from "../src/profile.ts";
import { hangingDocx, textDocx } from "./docx.ts";
import {
  closing,
  fakeSoffice,
  laneDirectories,
  processesWith,
  rejection,
  STUBBORN,
  slowTest,
  testFolder,
  until,
  untilNoProcess,
} from "./laboratory.ts";

const DOCUMENT = textDocx("Hello, Quire");

slowTest("after closing neither a process nor a file is left", async () => {
  const tempDir = await testFolder();
  const office = libreOffice({ lanes: 2, tempDir });
  await Promise.all([office.convert(DOCUMENT), office.convert(DOCUMENT)]);
  expect(await laneDirectories(tempDir)).toHaveLength(2);
  expect(processesWith(tempDir)).not.toEqual([]);
  await office.close();
  expect(processesWith(tempDir)).toEqual([]);
  expect(await laneDirectories(tempDir)).toEqual([]);
});

slowTest("a killed LibreOffice leaves no socket in /tmp", async () => {
  const tempDir = await testFolder();
  await using office = closing(libreOffice({ lanes: 1, tempDir }));
  const controller = new AbortController();
  const running = rejection(office.convert(hangingDocx(), { signal: controller.signal }));
  const [lane = ""] = await until("there is a lane", async () => {
    const lanes = await laneDirectories(tempDir);
    return lanes.length > 0 && lanes;
  });
  const socket = leftoverSocket(join(tempDir, lane));
  await until("LibreOffice has its socket", () => existsSync(socket));
  controller.abort();
  expect((await running).code).toBe("aborted");
  expect(existsSync(socket)).toBe(false);
});

slowTest("a lane is kept and never are there more than asked for", async () => {
  const tempDir = await testFolder();
  await using office = closing(libreOffice({ lanes: 2, tempDir }));
  await office.convert(DOCUMENT);
  const leaders = () =>
    processesWith(tempDir).filter(({ command }) => /lane-process/.test(command));
  const [first] = leaders();
  await Promise.all(
    Array.from({ length: 5 }, async () => {
      await office.convert(DOCUMENT);
      expect(leaders().length).toBeLessThanOrEqual(2);
    }),
  );
  expect(leaders()).toContainEqual(first);
});

slowTest("closing waits for what runs and refuses what waits", async () => {
  const tempDir = await testFolder();
  const sofficePath = await fakeSoffice(
    tempDir,
    ': >"$HOME/../../begun"\nsleep 1\nexec soffice "$@"',
  );
  const office = libreOffice({ lanes: 1, tempDir, sofficePath });
  const running = office.convert(DOCUMENT);
  const waiting = [rejection(office.convert(DOCUMENT)), rejection(office.convert(DOCUMENT))];
  await until("the first one runs", () => readFile(join(tempDir, "begun")).catch(() => false));
  const closed = office.close();
  for (const error of await Promise.all(waiting)) expect(error.code).toBe("unavailable");
  expect(processesWith(tempDir)).not.toEqual([]);
  await closed;
  expect((await running).pages).toBe(1);
  expect(processesWith(tempDir)).toEqual([]);
});

slowTest("an abort ends the wait for a lane at once", async () => {
  const tempDir = await testFolder();
  const sofficePath = await fakeSoffice(tempDir, STUBBORN);
  await using office = closing(libreOffice({ lanes: 1, tempDir, sofficePath, deadlineMs: 5000 }));
  let settled = false;
  const running = rejection(office.convert(DOCUMENT)).then((error) => {
    settled = true;
    return error;
  });
  const controller = new AbortController();
  const waiting = rejection(office.convert(DOCUMENT, { signal: controller.signal }));
  controller.abort(new Error("no longer wanted"));
  const error = await waiting;
  expect(error.code).toBe("aborted");
  expect(String(error.cause)).toContain("no longer wanted");
  expect(settled).toBe(false);
  expect((await running).code).toBe("timeout");
});

slowTest("when the host is killed its LibreOffice dies and its files go", async () => {
  const tempDir = await testFolder();
  const host = startHost(tempDir, await fakeSoffice(tempDir, STUBBORN));
  await until("LibreOffice runs", () => sofficeOf(tempDir).length > 0);
  host.kill("SIGKILL");
  await untilNoProcess(join(tempDir, "quire-lane-"));
  expect(await laneDirectories(tempDir)).toEqual([]);
});

slowTest("when the host is killed a real LibreOffice at work dies too", async () => {
  const tempDir = await testFolder();
  const host = startHost(tempDir);
  await until("LibreOffice runs", () => sofficeOf(tempDir).length > 0);
  host.kill("SIGKILL");
  await untilNoProcess(join(tempDir, "quire-lane-"));
  expect(await laneDirectories(tempDir)).toEqual([]);
});

slowTest("a host that does not close still ends, and its lanes with it", async () => {
  const tempDir = await testFolder();
  const host = startHost(tempDir);
  let output = "";
  host.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const code = await new Promise((resolve) => host.once("close", resolve));
  expect([code, output]).toEqual([0, "pages 1\n"]);
  await untilNoProcess(join(tempDir, "quire-lane-"));
  await until("the files are gone", async () => (await laneDirectories(tempDir)).length === 0);
});

function startHost(...args: string[]): ChildProcess {
  const script = fileURLToPath(new URL("host.ts", import.meta.url));
  const stdio: ["ignore", "pipe", "inherit"] = ["ignore", "pipe", "inherit"];
  const host = spawn(process.execPath, [script, ...args], { stdio });
  onTestFinished(() => {
    host.kill("SIGKILL");
  });
  return host;
}

function sofficeOf(tempDir: string): { pid: number; command: string }[] {
  const profile = `UserInstallation=file://${tempDir}`;
  return processesWith(profile).filter(({ command }) => command.includes("--convert-to"));
}
