import { type ChildProcess, spawn } from "node:child_process";
import fs, { constants } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { abortedError, QuireError, throwIfAborted } from "@quire/contracts";
import { laneEnvironment } from "./environment.ts";
import { killGroup } from "./process-group.ts";

/** The releases of LibreOffice with which Quire is tested. */
export const TESTED_RELEASES = ["7.4", "25.2", "26.8"] as const;

/** How to install LibreOffice and the fonts, as the last sentence of a message. */
export const INSTALL_HINT =
  "Install it: on Debian and Ubuntu with `apt-get install --no-install-recommends " +
  "libreoffice-writer-nogui libreoffice-math-nogui fonts-liberation fonts-crosextra-carlito fonts-crosextra-caladea`, on " +
  "macOS with `brew install --cask libreoffice`. If you can only use npm: `npm install " +
  "@matbee/libreoffice-converter`, LibreOffice as WebAssembly (slower, 1.5 GB of memory for each concurrent document).";

/** Options of {@link findSoffice}. */
export interface FindSofficeOptions {
  /** Checks only this path. Default: the PATH, then the usual locations on Linux and macOS. */
  readonly sofficePath?: string;
}

/** Options of {@link sofficeVersion}. */
export interface SofficeVersionOptions {
  /** Kills the program; the call rejects with `aborted`. */
  readonly signal?: AbortSignal;
  /** Time limit for the program, in milliseconds. Default 30,000. */
  readonly deadlineMs?: number;
}

// If Node's permission model forbids a folder, the functions of node:fs/promises end the process on Node 22.13.
const access = promisify(fs.access);
const readdir = promisify(fs.readdir);
const stat = promisify(fs.stat);

const NAMES = ["soffice", "libreoffice"];
const USUAL_PLACES = [
  "/usr/bin/soffice",
  "/usr/bin/libreoffice",
  "/usr/local/bin/soffice",
  "/usr/lib/libreoffice/program/soffice",
  "/snap/bin/libreoffice",
  "/Applications/LibreOffice.app/Contents/MacOS/soffice",
];
const VERSION_DEADLINE_MS = 30_000;
const OUTPUT_LENGTH = 10_000;

/** Returns the absolute path of an installed LibreOffice program, or null. Does not start the program. */
export async function findSoffice(options: FindSofficeOptions = {}): Promise<string | null> {
  const { sofficePath } = options;
  if (sofficePath !== undefined) {
    const path = resolve(sofficePath); // it runs in other folders later
    return (await isProgram(path)) ? path : null;
  }
  const onPath = (process.env.PATH ?? "").split(delimiter).filter(isAbsolute);
  const candidates = [
    ...onPath.flatMap((folder) => NAMES.map((name) => join(folder, name))),
    ...USUAL_PLACES,
    ...(await optPlaces()),
  ];
  for (const candidate of candidates) {
    if (await isProgram(candidate)) return candidate;
  }
  return null;
}

/**
 * Returns the programs of LibreOffice's own packages, which install into one folder per version. The newest version
 * comes first.
 */
async function optPlaces(): Promise<string[]> {
  const names = await readdir("/opt").catch(() => []);
  return names
    .filter((name) => name.startsWith("libreoffice"))
    .sort((a, b) => b.localeCompare(a, "en", { numeric: true }))
    .map((name) => join("/opt", name, "program", "soffice"));
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/**
 * Returns the version of a LibreOffice program, for example `7.4.7.2`. Runs the program with a private profile. Rejects
 * with `unavailable` if the program does not start or does not report a version, with `timeout` after the deadline, and
 * with `aborted` if the signal is aborted.
 */
export async function sofficeVersion(
  path: string,
  options: SofficeVersionOptions = {},
): Promise<string> {
  throwIfAborted(options.signal);
  const folder = await realpath(await mkdtemp(join(tmpdir(), "quire-version-")));
  try {
    const output = await runVersion(resolve(path), folder, options);
    const version = /LibreOffice\D{0,20}(\d+(?:\.\d+)+)/.exec(output)?.[1];
    if (version !== undefined) return version;
    throw new QuireError(
      "unavailable",
      `The program ${path} did not report a LibreOffice version. Check that it is LibreOffice's ` +
        "soffice and that it starts on this machine.",
      { cause: new Error(output === "" ? "It printed nothing." : output) },
    );
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

async function runVersion(
  path: string,
  folder: string,
  { signal, deadlineMs = VERSION_DEADLINE_MS }: SofficeVersionOptions,
): Promise<string> {
  const profile = pathToFileURL(join(folder, "profile")).href;
  const child = spawn(path, [`-env:UserInstallation=${profile}`, "--headless", "--version"], {
    cwd: folder,
    detached: true, // leader of a new process group
    env: laneEnvironment({ home: folder, temp: folder }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const abort = () => signal !== undefined && reject(abortedError(signal));
  const timer = setTimeout(() => reject(noVersionInTime(path, deadlineMs)), deadlineMs);
  signal?.addEventListener("abort", abort);
  child.once("error", (cause) => reject(notStarted(path, cause)));
  collectOutput(child, resolve);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
    killGroup(child.pid);
  }
}

function collectOutput(child: ChildProcess, done: (output: string) => void): void {
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(0, OUTPUT_LENGTH);
    });
  }
  child.once("close", () => done(output));
}

function notStarted(path: string, cause: unknown): QuireError {
  return new QuireError(
    "unavailable",
    `The program ${path} could not be started. ${INSTALL_HINT} If it is installed, pass the path of the program itself.`,
    { cause },
  );
}

function noVersionInTime(path: string, deadlineMs: number): QuireError {
  return new QuireError(
    "timeout",
    `The program ${path} did not report its version within ${deadlineMs} ms and was stopped. Try again ` +
      "when the machine is less busy, or raise deadlineMs.",
    { retryable: true },
  );
}
