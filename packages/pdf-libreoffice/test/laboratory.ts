/** What exists of a converter outside of the test's own process, and programs that act as LibreOffice. */
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Converter, isQuireError, type QuireError } from "@quire/core";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { type LibreOfficeOptions, libreOffice } from "../src/index.ts";
import { leftoverSocket, pipePath } from "../src/office/sockets.ts";
import { pdfOf, textAt } from "./join-pdf.ts";

/** A test that starts LibreOffice. */
export function slowTest(name: string, body: () => Promise<void>): void {
  test(name, body, 120_000);
}

/** A folder of the test's own. Every process of a lane below it has its path in the command line. */
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

/** A converter for all tests of a file: one start for all of them. After the last one nothing of it is left. */
export interface SharedOffice extends Converter {
  readonly tempDir: string;
}

/** Makes one before the tests of the file. Nothing is kept of a document unless `cacheMb` says so. */
export function sharedOffice(options: LibreOfficeOptions = {}): SharedOffice {
  let tempDir = "";
  let office: Converter | undefined;
  const made = (): Converter => {
    if (office === undefined) throw new Error("The shared converter is there within tests only.");
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
    close: () => made().close(),
  };
}

/** Writes a shell script that acts as LibreOffice; `$out` is where `--convert-to` should write the PDF. */
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
export const STUBBORN =
  'case "$*" in *--terminate_after_init*) exit 0;; esac\n' +
  "trap '' TERM INT HUP\nwhile :; do sleep 1; done";

/** The installed LibreOffice, for a shell script. */
export const REAL_SOFFICE = `"$(command -v soffice || command -v libreoffice)"`;

const ONE_PAGE = pdfOf({ glyphs: "a", pages: [{ content: textAt(10, 20, [1]) }] });

/** A LibreOffice for one document that writes a page at once: for tests of what is around it. */
export const WRITES_PAGE =
  'case "$*" in *--version*) echo "LibreOffice 1.2.3";; esac\n' +
  'if [ -n "$out" ]; then cat >"$out" <<"END"\n' +
  `${Buffer.from(ONE_PAGE).toString("latin1")}END\nfi`;

/** A LibreOffice that runs no macro and so cannot be kept. */
export const NO_MACROS = `case "$*" in *macro:*) echo no macros >&2; exit 7;; esac\n${WRITES_PAGE}`;

/** A process that runs. */
export interface RunningProcess {
  readonly pid: number;
  readonly command: string;
}

/** The processes, without zombies, whose command line has the text. */
export function processesWith(text: string): RunningProcess[] {
  const found: RunningProcess[] = [];
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

/** The processes below a folder that are a LibreOffice in a lane. */
export function officesIn(folder: string): RunningProcess[] {
  const offices = processesWith(folder).filter(
    ({ pid, command }) =>
      /UserInstallation=\S*\/lane-/.test(command) && programOf(pid) === "soffice.bin",
  );
  return withoutForks(offices);
}

/** The processes of lanes below a folder. */
export function lanesIn(folder: string): RunningProcess[] {
  const lanes = processesWith(folder).filter(({ command }) => command.includes("lane-process"));
  return withoutForks(lanes);
}

/** What a process starts has its command line until it has one of its own: that is not a second one. */
function withoutForks(processes: readonly RunningProcess[]): RunningProcess[] {
  const pids = new Set(processes.map(({ pid }) => pid));
  return processes.filter(({ pid }) => !pids.has(parentOf(pid)));
}

function parentOf(pid: number): number {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  } catch {
    return 0; // it ended meanwhile
  }
}

/** The number of the lane that a process belongs to. */
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

/** The state of a process: `R` runs, `S` sleeps, `T` is stopped; null when it is gone. */
export function stateOf(pid: number): string | null {
  try {
    return /^State:\s+(\w)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? null;
  } catch {
    return null;
  }
}

/** Waits until a LibreOffice below a folder, other than some, has a document. A hanging one it keeps. */
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

/** Whether a lane's LibreOffice has a document, other than the first one, with which each lane proves itself. */
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
  throw new Error(`Waited in vain until ${what}.`);
}

/**
 * From now on the time limits of converters pass only with the function that this returns. A limit that the test does
 * not want can so not hit on a busy machine.
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

/** Waits until no process with the folder in its command line is left. */
export async function untilNoProcess(folder: string): Promise<void> {
  await until("all processes are gone", () => processesWith(folder).length === 0);
}

/** The private folders of converters below a test's folder. */
export async function workshops(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return names.filter((name) => name.startsWith("quire-pdf-")).map((name) => join(folder, name));
}

/** The lanes' folders below a test's folder. */
export async function laneFolders(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const workshop of await workshops(folder)) {
    const names = await readdir(workshop).catch(() => []);
    found.push(...names.filter((name) => name.startsWith("lane-")).map((n) => join(workshop, n)));
  }
  return found;
}

/** Of each LibreOffice that runs: what it would make in /tmp, and what it was told to connect to. */
export async function ownSockets(folder: string): Promise<string[]> {
  const offices = officesIn(folder);
  const pipes = offices.flatMap(({ command }) => /pipe,name=(\w+)/.exec(command)?.[1] ?? []);
  const profiles = (await laneFolders(folder)).map((lane) => join(lane, "profile"));
  expect([pipes.length, profiles.length]).toEqual([offices.length, offices.length]);
  return [...pipes.map(pipePath), ...profiles.map(leftoverSocket)];
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
