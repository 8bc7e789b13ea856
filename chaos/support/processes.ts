import { readdir, readFile, readlink } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** A process of this machine. */
export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly state: string;
  /** The name of the process in the kernel. */
  readonly name: string;
  /** The start time in ticks. Together with the pid, it identifies the process. */
  readonly start: string;
  readonly command: string;
}

/**
 * The folder of the built programs. A process that still runs one of them after its parent has ended was left behind.
 */
const OWN_PROGRAMS = fileURLToPath(new URL("../../packages/", import.meta.url));
const INIT = 1;

/** Returns all running processes, without zombies. */
export async function processes(): Promise<Process[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const all = await Promise.all(pids.map((pid) => processOf(Number(pid))));
  return all.filter((process) => process !== null && !"ZX".includes(process.state)) as Process[];
}

/** Returns a process and all its descendants. */
export async function familyOf(pid: number): Promise<Process[]> {
  const all = await processes();
  const family = all.filter((process) => process.pid === pid);
  for (let index = 0; index < family.length; index++) {
    family.push(...all.filter(({ parent }) => parent === family[index]?.pid));
  }
  return family;
}

/**
 * Returns the processes of a scenario, and processes that run a program of the packages although their parent has
 * ended. The processes of a scenario have the path of its folder in the command line, the environment or the working
 * directory.
 */
export async function leftOf(path: string): Promise<Process[]> {
  const left: Process[] = [];
  for (const process of await processes()) {
    if ((await isMarked(process, path)) || isOrphan(process)) left.push(process);
  }
  return left;
}

/**
 * Returns the processes of a scenario that are still running after a time limit. Resolves as soon as all have ended.
 */
export async function leftAfter(
  path: string,
  known: readonly Process[],
  limitMs: number,
): Promise<Process[]> {
  const end = performance.now() + limitMs;
  for (;;) {
    const left = [...(await leftOf(path)), ...(await stillThere(known))];
    const once = new Map(left.map((process) => [process.pid, process]));
    if (once.size === 0 || performance.now() > end) return [...once.values()];
    await sleep(50);
  }
}

/** Kills all processes of a scenario. */
export async function endMarked(path: string): Promise<void> {
  for (;;) {
    const marked: Process[] = [];
    for (const process of await processes()) {
      if (await isMarked(process, path)) marked.push(process);
    }
    if (marked.length === 0) return;
    for (const { pid } of marked) send(pid, "SIGKILL");
    await sleep(50);
  }
}

/** Sends a signal. Ignores processes that have already ended. */
export function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Describes a process in a report. */
export function inWords({ pid, name, command }: Process): string {
  return `${pid} ${name} (${command.slice(0, 120)})`;
}

async function stillThere(known: readonly Process[]): Promise<Process[]> {
  const now = await Promise.all(known.map(({ pid }) => processOf(pid)));
  return now.filter((process, index) => {
    return (
      process !== null && !"ZX".includes(process.state) && process.start === known[index]?.start
    );
  }) as Process[];
}

/**
 * Whether a process runs a program of the packages although its parent has ended. Only a bug leaves such a process
 * behind.
 */
function isOrphan({ parent, command }: Process): boolean {
  return parent === INIT && command.includes(OWN_PROGRAMS);
}

async function isMarked({ pid, command, name }: Process, path: string): Promise<boolean> {
  if (pid === process.pid || name === "strace") return false;
  if (command.includes(path)) return true;
  const folder = await readlink(`/proc/${pid}/cwd`).catch(() => "");
  if (folder.startsWith(path)) return true;
  return (await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "")).includes(path);
}

async function processOf(pid: number): Promise<Process | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    const nameEnd = stat.lastIndexOf(")");
    const fields = stat.slice(nameEnd + 2).split(" ");
    const command = (await readFile(`/proc/${pid}/cmdline`, "utf8")).replaceAll("\0", " ").trim();
    return {
      pid,
      parent: Number(fields[1]),
      state: fields[0] ?? "",
      name: stat.slice(stat.indexOf("(") + 1, nameEnd),
      start: fields[19] ?? "",
      command,
    };
  } catch {
    return null;
  }
}
