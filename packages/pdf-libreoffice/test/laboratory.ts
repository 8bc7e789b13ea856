/** Observes the processes and files of a converter from outside, and imitates LibreOffice. */
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Converter, isQuireError, type QuireError } from "@quire/contracts";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { type LibreOfficeOptions, libreOffice } from "../src/index.ts";
import { leftoverSocket, pipePath } from "../src/office/sockets.ts";
import { pdfOf, textAt } from "./join-pdf.ts";

/** Defines a test that starts LibreOffice. */
export function slowTest(name: string, body: () => Promise<void>): void {
  test(name, body, 120_000);
}

/** Creates a private folder for a test. Every process of a lane below it has this path in its command line. */
export async function testFolder(): Promise<string> {
  const folder = await makeFolder();
  onTestFinished(() => removeFolder(folder));
  return folder;
}

async function makeFolder(): Promise<string> {
  return realpath(await mkdtemp(join(tmpdir(), "quire-test-")));
}

function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 20 });
}

/** A converter for all tests of a file. It starts only once. After the last test, none of its files remain. */
export interface SharedOffice extends Converter {
  readonly tempDir: string;
}

/** Creates the converter before the tests of the file. Without `cacheMb`, its cache is off. */
export function sharedOffice(options: LibreOfficeOptions = {}): SharedOffice {
  let tempDir = "";
  let office: Converter | undefined;
  const made = (): Converter => {
    if (office === undefined) throw new Error("The shared converter exists only within tests.");
    return office;
  };
  beforeAll(async () => {
    tempDir = await makeFolder();
    office = libreOffice({ cacheMb: 0, ...options, tempDir });
  });
  afterAll(async () => {
    await office?.close();
    expect(processesWith(tempDir)).toEqual([]);
    expect(await readdir(tempDir)).toEqual([]);
    await removeFolder(tempDir);
  }, 120_000);
  return {
    get tempDir() {
      return tempDir;
    },
    convert: (document, given) => made().convert(document, given),
    joining: () => made().joining?.() ?? { joined: 0, separate: 0, refused: {} },
    close: () => made().close(),
  };
}

/** Writes a shell script that imitates LibreOffice. `$out` is the path where `--convert-to` should write the PDF. */
export async function fakeSoffice(folder: string, script: string): Promise<string> {
  const path = join(folder, "fake soffice's.sh"); // a path that needs quoting
  const findOut =
    'out=\nprevious=\nfor argument in "$@"; do\n' +
    '  if [ "$previous" = --outdir ]; then out="$argument/document.pdf"; fi\n' +
    '  previous="$argument"\ndone\n';
  await writeFile(path, `#!/bin/sh\n${findOut}${script}\n`, { mode: 0o755 });
  return path;
}

/** A LibreOffice that only SIGKILL can stop. */
export const STUBBORN =
  'case "$*" in *--terminate_after_init*) exit 0;; esac\n' +
  "trap '' TERM INT HUP\nwhile :; do sleep 1; done";

/** The installed LibreOffice, for use in a shell script. */
export const REAL_SOFFICE = `"$(command -v soffice || command -v libreoffice)"`;

const ONE_PAGE = pdfOf({ glyphs: "a", pages: [{ content: textAt(10, 20, [1]) }] });

/** An imitation of LibreOffice that writes a page immediately, for tests that do not need a real LibreOffice. */
export const WRITES_PAGE =
  'case "$*" in *--version*) echo "LibreOffice 1.2.3";; esac\n' +
  'if [ -n "$out" ]; then cat >"$out" <<"END"\n' +
  `${Buffer.from(ONE_PAGE).toString("latin1")}END\nfi`;

/** A LibreOffice that cannot run macros and so cannot be kept running. */
export const NO_MACROS = `case "$*" in *macro:*) echo no macros >&2; exit 7;; esac\n${WRITES_PAGE}`;

/** A running process. */
export interface RunningProcess {
  readonly pid: number;
  readonly command: string;
}

/** Returns the processes, except zombies, whose command lines contain the text. */
export function processesWith(text: string): RunningProcess[] {
  const found: RunningProcess[] = [];
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
      if (command.includes(text)) found.push({ pid, command });
    } catch {
      // the process has ended in the meantime
    }
  }
  return found;
}

/** Returns the LibreOffice processes of lanes below a folder. */
export function officesIn(folder: string): RunningProcess[] {
  const offices = processesWith(folder).filter(
    ({ pid, command }) =>
      /UserInstallation=\S*\/lane-/.test(command) && programOf(pid) === "soffice.bin",
  );
  return withoutForks(offices);
}

/** Returns the processes of lanes below a folder. */
export function lanesIn(folder: string): RunningProcess[] {
  const lanes = processesWith(folder).filter(({ command }) => command.includes("lane-process"));
  return withoutForks(lanes);
}

/**
 * Removes processes that were just forked. Such a process has its parent's command line until it executes its program.
 */
function withoutForks(processes: readonly RunningProcess[]): RunningProcess[] {
  const pids = new Set(processes.map(({ pid }) => pid));
  return processes.filter(({ pid }) => !pids.has(parentOf(pid)));
}

function parentOf(pid: number): number {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  } catch {
    return 0; // the process has ended in the meantime
  }
}

/** Returns the name of the lane that a process belongs to. */
export function laneOf({ command }: RunningProcess): string {
  return /\/(lane-\d+)/.exec(command)?.[1] ?? "none";
}

function programOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8").trim();
  } catch {
    return "";
  }
}

/** Returns the state of a process: `R` runs, `S` sleeps, `T` is stopped; null if the process has ended. */
export function stateOf(pid: number): string | null {
  try {
    return /^State:\s+(\w)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? null;
  } catch {
    return null;
  }
}

/**
 * Waits until a LibreOffice below a folder, except the processes in `others`, has a document. A LibreOffice that hangs
 * keeps its document.
 */
export function untilHanging(
  folder: string,
  others: readonly number[] = [],
): Promise<RunningProcess> {
  return until("a LibreOffice hangs", async () => {
    const lanes = await laneFolders(folder);
    const working = await Promise.all(lanes.map(hasDocument));
    return officesIn(folder).find((office) => {
      const place = lanes.findIndex((lane) => basename(lane) === laneOf(office));
      return working[place] === true && !others.includes(office.pid);
    });
  });
}

/** Whether a lane's LibreOffice has a document other than the one with which each lane tests itself. */
async function hasDocument(lane: string): Promise<boolean> {
  const names = await readdir(join(lane, "work")).catch(() => []);
  return names.some((name) => name.endsWith(".docx") && name !== "1.docx");
}

/** Waits until a condition holds. */
export async function until<T>(
  what: string,
  probe: () => T | Promise<T>,
): Promise<Exclude<T, false | undefined>> {
  for (const end = Date.now() + 60_000; Date.now() < end; ) {
    const value = await probe();
    if (value !== false && value !== undefined) return value as Exclude<T, false | undefined>;
    await sleep(25);
  }
  throw new Error(`Timed out while waiting until ${what}.`);
}

/**
 * Freezes the clock for the time limits of converters. The returned function advances the clock. This prevents other
 * limits from expiring on a busy machine.
 */
export function stoppedClock(): (ms: number) => Promise<void> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldClearNativeTimers: true });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  return async (ms) => {
    await vi.advanceTimersByTimeAsync(ms);
  };
}

/** Waits until no process has the folder in its command line. */
export async function untilNoProcess(folder: string): Promise<void> {
  await until("all processes are gone", () => processesWith(folder).length === 0);
}

/** Returns the private folders of converters below a test's folder. */
export async function workspaces(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return names.filter((name) => name.startsWith("quire-pdf-")).map((name) => join(folder, name));
}

/** Returns the folders of lanes below a test's folder. */
export async function laneFolders(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const workspace of await workspaces(folder)) {
    const names = await readdir(workspace).catch(() => []);
    found.push(...names.filter((name) => name.startsWith("lane-")).map((n) => join(workspace, n)));
  }
  return found;
}

/** Returns, for each running LibreOffice, the file that it would create in /tmp, and the path of its pipe. */
export async function ownSockets(folder: string): Promise<string[]> {
  const offices = officesIn(folder);
  const pipes = offices.flatMap(({ command }) => /pipe,name=(\w+)/.exec(command)?.[1] ?? []);
  const profiles = (await laneFolders(folder)).map((lane) => join(lane, "profile"));
  expect([pipes.length, profiles.length]).toEqual([offices.length, offices.length]);
  return [...pipes.map(pipePath), ...profiles.map(leftoverSocket)];
}

/** Returns the error with which a promise rejects. Fails if the error is not a `QuireError`. */
export async function rejection(promise: Promise<unknown>): Promise<QuireError> {
  const [outcome] = await Promise.allSettled([promise]);
  expect(outcome.status).toBe("rejected");
  const reason: unknown = outcome.status === "rejected" ? outcome.reason : undefined;
  if (!isQuireError(reason)) throw new Error(`Not a QuireError: ${String(reason)}`);
  expect(reason.message).toMatch(/\.$/);
  return reason;
}

/** Makes a converter disposable, so that `await using` closes it. */
export function closing<T extends { close(): Promise<void> }>(converter: T): T & AsyncDisposable {
  return Object.assign(converter, { [Symbol.asyncDispose]: () => converter.close() });
}
