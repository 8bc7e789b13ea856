/** What is left when a host ends, or is killed, without closing its converter. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import {
  fakeSoffice,
  lanesIn,
  officesIn,
  ownSockets,
  processesWith,
  STUBBORN,
  slowTest,
  testFolder,
  until,
  untilHanging,
} from "./laboratory.ts";

/** LibreOffice and lanes are gone this soon after their host. */
const LIMIT_MS = 5_000;

slowTest("a host that is killed leaves no process, no file and no socket", async () => {
  const tempDir = await testFolder();
  const host = startHost(tempDir, "stay");
  await host.says("pages 1");
  await until("both lanes are there", () => officesIn(tempDir).length === 2);
  const own = await ownSockets(tempDir);
  await killed(host, tempDir);
  expect(own.filter((socket) => existsSync(socket))).toEqual([]);
});

slowTest("a host that is killed while a document hangs leaves nothing", async () => {
  const tempDir = await testFolder();
  const host = startHost(tempDir, "hang");
  await host.says("pages 1");
  await untilHanging(tempDir);
  await killed(host, tempDir);
});

slowTest("a host that is killed while it starts leaves nothing", async () => {
  const phases: readonly (readonly [string, (tempDir: string) => boolean])[] = [
    ["the profile is prepared", (tempDir) => has(tempDir, "--terminate_after_init")],
    ["lanes load", (tempDir) => lanesIn(tempDir).length > 0],
    ["LibreOffice starts", (tempDir) => officesIn(tempDir).length > 0],
  ];
  for (const [what, reached] of phases) {
    const tempDir = await testFolder();
    const host = startHost(tempDir, "start");
    await until(what, () => reached(tempDir));
    await killed(host, tempDir);
  }
});

slowTest(
  "a host that is killed leaves no LibreOffice of one document that ignores signals",
  async () => {
    const tempDir = await testFolder();
    const host = startHost(tempDir, "fresh", await fakeSoffice(await testFolder(), STUBBORN));
    await until("LibreOffice works", () => has(tempDir, "--convert-to"));
    await killed(host, tempDir);
  },
);

slowTest("a host that does not close still ends, and its lanes with it", async () => {
  const tempDir = await testFolder();
  const host = startHost(tempDir, "once");
  const code = await new Promise((resolve) => host.process.once("close", resolve));
  expect([code, host.output()]).toEqual([0, "created\npages 1\n"]);
  await nothingLeft(tempDir);
});

interface Host {
  readonly process: ChildProcess;
  output(): string;
  says(words: string): Promise<unknown>;
}

function startHost(...args: string[]): Host {
  const script = fileURLToPath(new URL("host.ts", import.meta.url));
  const child = spawn(process.execPath, [script, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  return {
    process: child,
    output: () => output,
    says: (words) => until(`the host says ${words}`, () => output.includes(words)),
  };
}

function has(tempDir: string, words: string): boolean {
  return processesWith(tempDir).some(({ command }) => command.includes(words));
}

/** Kills a host, and sees that nothing is left when the time is up. */
async function killed(host: Host, tempDir: string): Promise<void> {
  host.process.kill("SIGKILL");
  await nothingLeft(tempDir);
}

async function nothingLeft(tempDir: string): Promise<void> {
  const began = performance.now();
  await until("nothing is left", async () => {
    return processesWith(tempDir).length === 0 && (await readdir(tempDir)).length === 0;
  });
  expect(performance.now() - began).toBeLessThan(LIMIT_MS);
}
