import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Account } from "./account.ts";
import { countedProcesses } from "./proc.ts";

/** A hierarchy of control groups that reports CPU time. */
export interface Hierarchy {
  /** A folder in which groups can be created. */
  readonly folder: string;
  /** The version. Version 2 always reports CPU time; version 1 reports it if it has the controller `cpuacct`. */
  readonly version: 1 | 2;
}

/** Makes the shell enter the group and then become the command, so that all CPU time of the command counts. */
const ENTER = ["-c", 'echo $$ > "$0" && exec "$@"'];

const KILL_ROUNDS = 50;
const KILL_AGAIN_MS = 100;

let made = 0;

/** Returns the first hierarchy in which this user may create a group and start a process, or null. */
export function findHierarchy(): Hierarchy | null {
  return hierarchies().find(isUsable) ?? null;
}

function hierarchies(): Hierarchy[] {
  const [mounts, own] = [lines("/proc/mounts"), lines("/proc/self/cgroup")];
  return mounts.flatMap((line): Hierarchy[] => {
    const [, mount = "", type = "", options = ""] = line.split(" ");
    const version = type === "cgroup2" ? 2 : 1;
    if (version === 1 && (type !== "cgroup" || !options.split(",").includes("cpuacct"))) return [];
    const path = own
      .map((each) => each.split(":"))
      .find(([, names = ""]) =>
        version === 2 ? names === "" : names.split(",").includes("cpuacct"),
      )
      ?.slice(2)
      .join(":");
    // In a container, the path may be a path of the host that is not mounted in the container.
    const folders = path === undefined ? [mount] : [join(mount, path), mount];
    return folders.map((folder) => ({ folder, version }));
  });
}

/** Whether a process can be started in a group of the hierarchy. */
function isUsable(hierarchy: Hierarchy): boolean {
  try {
    const folder = newFolder(hierarchy);
    try {
      const entering = spawnSync("/bin/sh", [...ENTER, join(folder, "cgroup.procs"), "true"]);
      return entering.status === 0 && cpuMs(hierarchy, folder) > 0;
    } finally {
      rmdirSync(folder);
    }
  } catch {
    return false;
  }
}

/** Creates a control group for a command. */
export function openControlGroup(hierarchy: Hierarchy): Account {
  const folder = newFolder(hierarchy);
  const members = join(folder, "cgroup.procs");
  const pids = () => lines(members).map(Number);
  return {
    spawn: (command, args, options) =>
      spawn("/bin/sh", [...ENTER, members, command, ...args], options),
    cpuMs: () => cpuMs(hierarchy, folder),
    processes: () => countedProcesses(pids()),
    close: async () => {
      for (let round = 0; round < KILL_ROUNDS && pids().length > 0; round++) {
        for (const pid of pids()) kill(pid);
        await sleep(KILL_AGAIN_MS);
      }
      rmdirSync(folder);
    },
  };
}

function newFolder({ folder }: Hierarchy): string {
  made += 1;
  const path = join(folder, `quire-bench-${process.pid}-${made}`);
  mkdirSync(path);
  return path;
}

function cpuMs({ version }: Hierarchy, folder: string): number {
  if (version === 1) return Number(readFileSync(join(folder, "cpuacct.usage"), "utf8")) / 1e6;
  const usage = /^usage_usec (\d+)$/m.exec(readFileSync(join(folder, "cpu.stat"), "utf8"))?.[1];
  return Number(usage) / 1e3;
}

function lines(file: string): string[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "");
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // the process has already ended
  }
}
