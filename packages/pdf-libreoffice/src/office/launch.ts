import { spawnSync } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { constants } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { confined, isScript } from "./confine.ts";
import type { Seal } from "./seal.ts";
import { enterView, type View } from "./view.ts";

/** Limits for a LibreOffice process, in addition to its profile and its environment. */
export interface LaunchLimits {
  /** Address space, in MiB. Linux only. */
  readonly memoryMb: number;
  /** Size limit for each file that the process writes, in MiB; with a private folder, for the sum of all files. */
  readonly fileMb: number;
  /** Limit for the total processor time, in seconds. */
  readonly cpuSeconds: number;
}

/** The part of the seal that restricts processes. */
export type Isolation = Pick<Seal, "isolated" | "withoutNamespaces" | "withoutOwnProcesses">;

/** How processes are isolated from the network; `none` if this system does not support isolation. */
export type NetworkIsolation = "namespace" | "user namespace" | "none";

/**
 * Higher than the number of processes and threads that LibreOffice ever has. Enforced only in a user namespace, where
 * they are counted separately.
 */
const MAX_PROCESSES = 256;

const NO_NETWORK: readonly string[] = ["unshare", "--net", "--"];

const UNSHARE: readonly (readonly [NetworkIsolation, readonly string[]])[] = [
  // Keeps the user id, because LibreOffice derives the name of the pipe from it.
  ["user namespace", ["unshare", "--map-current-user", "--net", "--"]],
  ["namespace", NO_NETWORK],
];

/** Commands that start a process with separate mounts, as root of a namespace. The process loses these rights later. */
const OWN_MOUNTS: Readonly<Record<NetworkIsolation, readonly string[]>> = {
  "user namespace": ["unshare", "--map-root-user", "--mount", "--net", "--"],
  namespace: ["unshare", "--mount", "--net", "--"],
  none: [],
};

/** The end of the command chain: the process has none of root's rights, and is killed when its parent dies. */
const POWERLESS =
  "setpriv --inh-caps=-all --ambient-caps=-all --bounding-set=-all --no-new-privs --pdeathsig KILL --";

/** Makes the process the first one of a PID namespace. All others end with it, and it ends with its parent. */
const OWN_PROCESSES =
  "setpriv --pdeathsig KILL -- unshare --pid --fork --kill-child=KILL -- /bin/sh -c";

/** A PATH without programs, so that LibreOffice finds no gs, pstoedit or ImageMagick to convert a picture with. */
const NO_PROGRAMS = ["/usr/bin/env", "PATH=/nonexistent"];

let found:
  | { readonly isolation: NetworkIsolation; readonly command: readonly string[] }
  | undefined;

const NOT_ISOLATED = { isolation: "none", command: [] } as const;

/** Returns how this system isolates a process from the network. Tests the system once and caches the result. */
export function networkIsolation(): NetworkIsolation {
  return isolate().isolation;
}

function isolate(): NonNullable<typeof found> {
  found ??= tryIsolation();
  return found;
}

function tryIsolation(): NonNullable<typeof found> {
  for (const [isolation, command] of UNSHARE) if (works(command)) return { isolation, command };
  return NOT_ISOLATED;
}

function works([program = "", ...args]: readonly string[]): boolean {
  if (process.platform !== "linux") return false;
  return spawnSync(program, [...args, "true"], { stdio: "ignore", timeout: 5_000 }).status === 0;
}

/**
 * Returns a command prefix that runs one of our own programs without a network but with all other rights of its user.
 * Empty if the system does not support this, or if the seal does not isolate processes.
 */
export function networkCommand({ isolated }: Pick<Seal, "isolated">): readonly string[] {
  if (!isolated) return [];
  // In a user namespace, root cannot read other users' private files, such as the folder with this program.
  return process.getuid?.() === 0 && works(NO_NETWORK) ? NO_NETWORK : isolate().command;
}

/** Whether a process can have a separate view of the file system. */
export function hasOwnMounts(): boolean {
  return inOwnMounts(`command -v pivot_root && mount -t tmpfs none /tmp && ${POWERLESS} true`);
}

/** Whether a process with a separate view of the file system can also have a PID namespace. */
export function hasOwnProcesses(): boolean {
  const inside = `mount -t proc none /proc && ${POWERLESS} true`;
  ownProcesses ??= inOwnMounts(`${OWN_PROCESSES} '${inside}'`);
  return ownProcesses;
}

let ownProcesses: boolean | undefined;

function inOwnMounts(script: string): boolean {
  const [program, ...args] = OWN_MOUNTS[networkIsolation()];
  if (program === undefined) return false;
  const test = `PATH=$PATH:/usr/sbin:/sbin; ${script}`;
  const { status } = spawnSync(program, [...args, "/bin/sh", "-c", test], {
    stdio: "ignore",
    timeout: 5_000,
  });
  return status === 0;
}

/**
 * Returns the command that runs a program with `limits`, with private files and without core dumps. If the system
 * supports it, the program also has no network, sees only the files of a view, sees no other processes, and has a
 * filter for system calls. Only scripts, and programs that are named without a path, get a PATH that contains programs.
 */
export function limitedCommand(
  command: readonly string[],
  limits: LaunchLimits,
  { isolated, withoutNamespaces = false, withoutOwnProcesses = false }: Isolation,
  view: View | null = null,
): readonly string[] {
  const { isolation, command: network } = isolated && !withoutNamespaces ? isolate() : NOT_ISOLATED;
  const isMounted = view?.by === "namespace";
  const unshare = isMounted ? OWN_MOUNTS[isolation] : network;
  const limit = [
    "umask 077",
    "ulimit -c 0",
    `ulimit -t ${limits.cpuSeconds}`,
    `ulimit -f ${limits.fileMb * 2048}`, // blocks of 512 bytes
    `ulimit -v ${limits.memoryMb * 1024}`,
    // bash and other shells use -u, dash uses -p.
    ...(isolation === "user namespace"
      ? [`ulimit -u ${MAX_PROCESSES} || ulimit -p ${MAX_PROCESSES}`]
      : []),
  ].map((each) => `{ ${each}; } 2>/dev/null`);
  const alone = isMounted && !withoutOwnProcesses && hasOwnProcesses();
  // Without a PID namespace, the view has the /proc of all processes, and Landlock hides them.
  const landlock = alone ? null : view;
  const begin = alone ? `enter=$1\nshift\nexec ${OWN_PROCESSES} "$enter" sh "$@"` : [];
  const enter = isMounted
    ? [...enterView(view, { ownProcesses: alone }), `exec ${POWERLESS} "$@"`]
    : ['exec "$@"'];
  const script = [...limit, ...(alone ? [begin] : enter)].join("\n");
  const inside = alone ? [enter.join("\n")] : [];
  return [
    ...unshare,
    "/bin/sh",
    "-c",
    script,
    "sh",
    ...inside,
    ...ofProgram(command, isolated, landlock),
  ];
}

/**
 * Whether the exit code and the output of a {@link limitedCommand} say that SIGKILL ended the program. `unshare` ends
 * itself with the signal that ended its child, which fails with SIGKILL in some versions. A shell adds 128.
 */
export function isKillReported(code: number | null, output: string): boolean {
  return code === 128 + constants.signals.SIGKILL || (code === 1 && /^unshare: /m.test(output));
}

/**
 * Returns the program's command with the restrictions that it applies to itself, after the limits. `landlock`: the only
 * files that Landlock lets it use, or null for all.
 */
function ofProgram(
  command: readonly string[],
  isolated: boolean,
  landlock: View | null,
): readonly string[] {
  const [program = ""] = command;
  const hidden = isAbsolute(program) && !isScript(program) ? NO_PROGRAMS : [];
  if (!isolated) return [...hidden, ...command];
  const files = landlock && { ...landlock, writable: [landlock.folder] };
  return [...confined(program, files), ...hidden, ...command];
}

/**
 * Returns the program behind a `soffice` start script, or the path itself if that program does not exist. The script
 * forks, searches for Java and drops arguments, and if the script is killed, the program keeps running.
 */
export function programBehind(soffice: string): string {
  if (!existsSync(soffice)) return soffice;
  const real = realpathSync(soffice);
  const program = join(dirname(real), "soffice.bin");
  return existsSync(program) ? program : real;
}
