import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly bin?: Readonly<Record<string, string>>;
}

/** A package as users get it. */
export interface Packed extends Manifest {
  readonly tarball: string;
}

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
export const BIN = join(ROOT, "node_modules", ".bin");

/**
 * Time limit in milliseconds for a program that does not exit by itself. On a busy machine, LibreOffice starts slowly.
 */
const LIMIT_MS = 300_000;

/** Packs all packages into a folder. Resolves with the packed packages. */
export function packAll(folder: string): Promise<readonly Packed[]> {
  return Promise.all(readdirSync(join(ROOT, "packages")).map((name) => pack(name, folder)));
}

async function pack(name: string, folder: string): Promise<Packed> {
  const source = join(ROOT, "packages", name);
  const manifest = readManifest(source);
  await run("npm", ["pack", "--pack-destination", folder, "--loglevel=error"], source);
  const file = `${manifest.name.replace("@", "").replace("/", "-")}-${manifest.version}.tgz`;
  return { ...manifest, tarball: join(folder, file) };
}

/** Creates an empty project and installs packages into it: tarballs, or folders to link. */
export async function createProject(folder: string, packages: readonly string[]): Promise<void> {
  await mkdir(folder);
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await run("npm", ["install", ...NPM_OPTIONS, ...packages], folder);
}

export const NPM_OPTIONS = ["--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"];

export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

/** Runs a program in a folder and resolves with its output. An error quotes the whole output. */
export async function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  // npm passes the folder of its project to its scripts. The npm that is started here must find its own project.
  const { npm_config_local_prefix: _prefix, ...env } = process.env;
  const options = {
    cwd,
    env,
    maxBuffer: 1 << 26,
    timeout: LIMIT_MS,
    killSignal: "SIGKILL",
  } as const;
  try {
    return (await promisify(execFile)(command, args, options)).stdout;
  } catch (error) {
    const { stdout = "", stderr = "", message, killed } = error as Partial<ExecError>;
    const end = killed === true ? `did not exit within ${LIMIT_MS / 1000} s` : "failed";
    const output = `${stdout}${stderr}`.trim() || message;
    throw new Error(`\`${basename(command)} ${args.join(" ")}\` in ${cwd} ${end}.\n${output}`);
  }
}

interface ExecError extends Error {
  readonly stdout: string;
  readonly stderr: string;
  readonly killed: boolean;
}
