import { spawnSync } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Seal } from "./seal.ts";

/** What bounds a LibreOffice beside its profile and its environment. */
export interface LaunchLimits {
  /** Address space, in MiB. Linux only. */
  readonly memoryMb: number;
  /** The largest file that it may write, in MiB. */
  readonly fileMb: number;
  /** Processor time of its whole life, in seconds. */
  readonly cpuSeconds: number;
}

/** How processes are kept off the network; `none`: this system does not let us. */
export type NetworkIsolation = "namespace" | "user namespace" | "none";

/** More processes and threads than LibreOffice ever has. Counted only within a user namespace of its own. */
const MAX_PROCESSES = 256;

const UNSHARE: readonly (readonly [NetworkIsolation, readonly string[]])[] = [
  // The user stays who it is: LibreOffice makes the name of the pipe from its number.
  ["user namespace", ["unshare", "--map-current-user", "--net", "--"]],
  ["namespace", ["unshare", "--net", "--"]],
];

let found:
  | { readonly isolation: NetworkIsolation; readonly command: readonly string[] }
  | undefined;

/** How this system lets us keep a process off the network: tried once, and kept. */
export function networkIsolation(): NetworkIsolation {
  return isolate().isolation;
}

function isolate(): NonNullable<typeof found> {
  found ??= tryIsolation();
  return found;
}

function tryIsolation(): NonNullable<typeof found> {
  if (process.platform === "linux") {
    for (const [isolation, command] of UNSHARE) {
      const [program = "", ...args] = command;
      const { status } = spawnSync(program, [...args, "true"], { stdio: "ignore", timeout: 5_000 });
      if (status === 0) return { isolation, command };
    }
  }
  return { isolation: "none", command: [] };
}

/**
 * The command that runs a program within bounds: no files for others, no core dumps, no network where the
 * system can do that, and limits.
 */
export function limitedCommand(
  command: readonly string[],
  limits: LaunchLimits,
  { isolated }: Pick<Seal, "isolated">,
): readonly string[] {
  const { isolation, command: unshare } = isolated ? isolate() : { isolation: "none", command: [] };
  const shell = [
    "umask 077",
    "ulimit -c 0",
    `ulimit -t ${limits.cpuSeconds}`,
    `ulimit -f ${limits.fileMb * 2048}`, // blocks of 512 bytes
    `ulimit -v ${limits.memoryMb * 1024}`,
    // bash and others say -u, dash says -p
    ...(isolation === "user namespace"
      ? [`ulimit -u ${MAX_PROCESSES} || ulimit -p ${MAX_PROCESSES}`]
      : []),
  ].map((limit) => `{ ${limit}; } 2>/dev/null`);
  return [...unshare, "/bin/sh", "-c", `${shell.join("\n")}\nexec "$@"`, "sh", ...command];
}

/**
 * The program behind a `soffice` that is a start script: that forks, looks for Java and drops arguments, and
 * when it is killed the program lives on. The path itself when there is none beside it.
 */
export function programBehind(soffice: string): string {
  const real = realpathSync(soffice);
  const program = join(dirname(real), "soffice.bin");
  return existsSync(program) ? program : real;
}
