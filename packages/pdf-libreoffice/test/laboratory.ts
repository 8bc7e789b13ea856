/** What exists of a lane outside of the test's own process, and programs that act as LibreOffice. */
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isQuireError, type QuireError } from "@quire/core";
import { expect, onTestFinished, test } from "vitest";

/** A test that starts LibreOffice. */
export function slowTest(name: string, body: () => Promise<void>): void {
  test(name, body, 120_000);
}

/** A folder of the test's own. Every process of a lane below it has its path in the command line. */
export async function testFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "quire-test-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 20 }));
  return folder;
}

/** Writes a shell script that acts as LibreOffice; `$out` is where it should write the PDF. */
export async function fakeSoffice(folder: string, script: string): Promise<string> {
  const path = join(folder, "fake soffice's.sh"); // a path that needs quoting
  const findOut =
    'out=\nprevious=\nfor argument in "$@"; do\n' +
    '  if [ "$previous" = --outdir ]; then out="$argument/document.pdf"; fi\n' +
    '  previous="$argument"\ndone\n';
  await writeFile(path, `#!/bin/sh\n${findOut}${script}\n`, { mode: 0o755 });
  return path;
}

/** A LibreOffice that can be stopped by nothing but SIGKILL. */
export const STUBBORN = "trap '' TERM INT HUP\nwhile :; do sleep 1; done";

/** The processes, without zombies, whose command line has the text. */
export function processesWith(text: string): { pid: number; command: string }[] {
  const found: { pid: number; command: string }[] = [];
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
      if (command.includes(text)) found.push({ pid, command });
    } catch {
      // it ended meanwhile
    }
  }
  return found;
}

/** Waits until a condition holds. */
export async function until<T>(
  what: string,
  probe: () => T | Promise<T>,
): Promise<Exclude<T, false | undefined>> {
  for (const end = Date.now() + 60_000; Date.now() < end; ) {
    const value = await probe();
    if (value !== false && value !== undefined) return value as Exclude<T, false | undefined>;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`Waited in vain until ${what}.`);
}

/** Waits until no process of the lanes below the folder is left. */
export async function untilNoProcess(folder: string): Promise<void> {
  await until("all processes are gone", () => processesWith(folder).length === 0);
}

/** The lanes' folders below a test's folder. */
export async function laneDirectories(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.startsWith("quire-lane-"));
}

/** The error with which a promise rejects; fails when it is no QuireError. */
export async function rejection(promise: Promise<unknown>): Promise<QuireError> {
  const [outcome] = await Promise.allSettled([promise]);
  expect(outcome.status).toBe("rejected");
  const reason: unknown = outcome.status === "rejected" ? outcome.reason : undefined;
  if (!isQuireError(reason)) throw new Error(`Not a QuireError: ${String(reason)}`);
  expect(reason.message).toMatch(/\.$/);
  return reason;
}

/** Closes a converter at the end of its test. */
export function closing<T extends { close(): Promise<void> }>(converter: T): T & AsyncDisposable {
  return Object.assign(converter, { [Symbol.asyncDispose]: () => converter.close() });
}
