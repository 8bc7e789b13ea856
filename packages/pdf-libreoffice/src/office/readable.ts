import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { confinement } from "./confine.ts";
import {
  hasOwnMounts,
  type Isolation,
  type LaunchLimits,
  limitedCommand,
  programBehind,
} from "./launch.ts";
import type { View } from "./view.ts";

/** Programs, libraries, fonts and their configuration. Excludes the settings and data of other programs. */
const SYSTEM = [
  ...["/bin", "/lib", "/lib32", "/lib64", "/nix/store", "/gnu/store"],
  ...["bin", "lib", "lib32", "lib64", "libexec", "share"].map((name) => `/usr/${name}`),
  ...["lib", "share/fonts"].map((name) => `/usr/local/${name}`),
  ...[
    "alternatives",
    "fonts",
    "ld.so.cache",
    "libreoffice",
    "localtime",
    "nsswitch.conf",
    "passwd",
  ].map((name) => `/etc/${name}`),
  ...["/var/cache/fontconfig", "/var/lib/libreoffice"],
  ...["null", "random", "urandom", "zero"].map((name) => `/dev/${name}`),
];

/** A path without these characters does not need escaping in a mount table or between quotes. */
const ODD = /[\s\\#'"]/;

const DEADLINE_MS = 60_000;
const MOST_OUTPUT = 128 * 1024 * 1024;

/** Options for finding the files that LibreOffice needs. */
export interface ReadableOptions {
  /** A private folder for a trial run. */
  readonly folder: string;
  readonly soffice: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly limits: LaunchLimits;
  readonly seal: Isolation;
}

/** The files that LibreOffice can see in addition to the lane's folder, and the mechanism that hides all others. */
export type Enclosure = Pick<View, "by" | "readable">;

/**
 * Finds the files and folders that LibreOffice needs, for a view without other files. Returns null if such a view is
 * impossible: the system does not support it, a path has unusual characters, the program is not LibreOffice's own, or
 * the program does not start in the view or would see different fonts, which would change its PDFs.
 */
export async function findEnclosure(options: ReadableOptions): Promise<Enclosure | null> {
  const { folder, soffice, environment, seal } = options;
  const program = programBehind(soffice);
  if (!program.endsWith("soffice.bin")) return null;
  const fonts = await fontFiles(options, null);
  if (fonts === null) return null;
  const wanted = [
    ...SYSTEM,
    dirname(dirname(program)),
    ...configured(environment),
    ...new Set(fonts.map((file) => dirname(file))),
  ];
  const readable = outermost(wanted.filter((path) => existsSync(path)));
  if ([folder, ...readable].some((path) => ODD.test(path))) return null;
  for (const by of [
    ...(seal.withoutNamespaces !== true && hasOwnMounts() ? ["namespace" as const] : []),
    ...(confinement().files ? ["landlock" as const] : []),
  ]) {
    const view: View = { by, folder, readable, socket: null, ownFolder: null };
    const within = await fontFiles(options, view);
    if (within === null || within.join("\n") !== fonts.join("\n")) continue;
    const profile = `-env:UserInstallation=${pathToFileURL(join(folder, "trial")).href}`;
    const version = await run([program, profile, "--headless", "--version"], options, view);
    if (version?.includes("LibreOffice")) return { by, readable };
  }
  return null;
}

/** Runs a command with the same restrictions as in a lane. Returns its output; null if the command fails. */
async function run(
  command: readonly string[],
  { environment, limits, seal }: ReadableOptions,
  view: View | null,
): Promise<string | null> {
  const [launcher = "", ...args] = limitedCommand(command, limits, seal, view);
  const settings = { cwd: "/", env: environment, timeout: DEADLINE_MS, maxBuffer: MOST_OUTPUT };
  return promisify(execFile)(launcher, args, { ...settings, killSignal: "SIGKILL" })
    .then(({ stdout }) => stdout)
    .catch(() => null);
}

async function fontFiles(options: ReadableOptions, view: View | null): Promise<string[] | null> {
  const printed = await run(["fc-list", "-f", "%{file}\n"], options, view);
  return printed === null ? null : [...new Set(printed.split("\n"))].filter(Boolean).sort();
}

/** Returns the paths of fonts and font configuration that the environment names. */
function configured(environment: Readonly<Record<string, string>>): string[] {
  const { FONTCONFIG_FILE: file, FONTCONFIG_PATH: folders, FONTCONFIG_SYSROOT: root } = environment;
  const data = environment.XDG_DATA_HOME;
  return [
    ...(file === undefined ? [] : [file, join(dirname(file), "font-cache")]),
    ...(folders?.split(":") ?? []),
    ...(root === undefined ? [] : [root]),
    ...(data === undefined ? [] : [join(data, "fonts")]),
  ].filter((path) => path.startsWith("/"));
}

/** Removes paths that are within another path of the list. */
function outermost(paths: readonly string[]): string[] {
  const sorted = [...new Set(paths.map((path) => resolve(path)))].sort();
  const kept: string[] = [];
  for (const path of sorted) {
    if (!kept.some((outer) => path.startsWith(`${outer}/`))) kept.push(path);
  }
  return kept;
}
