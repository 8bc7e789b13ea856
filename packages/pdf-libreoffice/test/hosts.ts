/** Starts and kills hosts that do not close their converter. */
import { type ChildProcess, spawn } from "node:child_process";
import { readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { processesWith, until } from "./laboratory.ts";

/** A process that runs `host.ts`. */
export interface Host {
  readonly process: ChildProcess;
  output(): string;
  says(words: string): Promise<unknown>;
}

/** Starts a host, and kills it after the test. */
export function startHost(...args: string[]): Host {
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

/** Whether a process below a folder has these words in its command line. */
export function has(tempDir: string, words: string): boolean {
  return processesWith(tempDir).some(({ command }) => command.includes(words));
}

/** Kills a host, and waits until none of its processes and files remain. */
export async function killed(host: Host, tempDir: string): Promise<void> {
  host.process.kill("SIGKILL");
  await nothingLeft(tempDir);
}

/** Waits until no process and no file remains. */
export async function nothingLeft(tempDir: string): Promise<void> {
  await until("nothing is left", async () => {
    return processesWith(tempDir).length === 0 && (await readdir(tempDir)).length === 0;
  });
}
