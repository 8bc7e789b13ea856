import { spawn } from "node:child_process";
import type { Account } from "./account.ts";
import { allProcesses, countedProcesses, type ProcessStat } from "./proc.ts";

const LOOK_EVERY_MS = 20;

/** Opens an account that repeatedly checks the processes of a command, for machines without control groups. */
export function openProcessTree(): Account {
  const tree = new ProcessTree();
  let timer: NodeJS.Timeout | undefined;
  return {
    spawn: (command, args, options) => {
      const child = spawn(command, args, { ...options, detached: true }); // in a new session
      if (child.pid !== undefined) tree.follow(child.pid);
      timer = setInterval(() => tree.look(), LOOK_EVERY_MS).unref();
      return child;
    },
    cpuMs: () => {
      tree.look();
      return tree.cpuMs();
    },
    processes: () => {
      tree.look();
      return countedProcesses(tree.pids());
    },
    close: async () => {
      tree.look();
      clearInterval(timer);
      for (const pid of tree.pids()) {
        try {
          process.kill(pid, "SIGKILL");
        } catch {
          // the process has already ended
        }
      }
    },
  };
}

/**
 * The CPU time of a process and all its descendants. When a process waits for a child, the system adds the CPU time of
 * the child and of the child's descendants to that process. If no process of the tree waits for a child, the child's
 * time is not added to any of them. In that case, the child's time at the last check counts.
 */
class ProcessTree {
  readonly #members = new Map<number, ProcessStat>();
  /** The sessions of the tree. They identify descendants whose parents ended before a check. */
  readonly #sessions = new Set<number>();
  #root: number | null = null;
  #lostMs = 0;

  follow(root: number): void {
    this.#root = root;
    this.look();
  }

  pids(): number[] {
    return [...this.#members.keys()];
  }

  cpuMs(): number {
    let sum = this.#lostMs;
    for (const { ownMs, endedMs } of this.#members.values()) sum += ownMs + endedMs;
    return sum;
  }

  look(): void {
    const now = new Map(allProcesses().map((stat) => [stat.pid, stat]));
    const before = new Map(this.#members);
    const isThere = ({ pid, started }: ProcessStat) => now.get(pid)?.started === started;
    this.#lostMs += lost(before, now, isThere);
    this.#members.clear();
    for (const stat of now.values()) {
      const known = before.get(stat.pid);
      if (known !== undefined && isThere(known)) this.#members.set(stat.pid, stat);
    }
    const root = this.#root === null ? undefined : now.get(this.#root);
    if (before.size === 0 && root !== undefined) this.#add(root);
    this.#addRelatives([...now.values()]);
  }

  /**
   * Adds processes that belong to the tree. Repeats until none is added, because a parent may follow its child in the
   * list.
   */
  #addRelatives(all: readonly ProcessStat[]): void {
    const found = all.filter(
      ({ pid, parent, session }) =>
        !this.#members.has(pid) && (this.#members.has(parent) || this.#sessions.has(session)),
    );
    for (const stat of found) this.#add(stat);
    if (found.length > 0) this.#addRelatives(all);
  }

  #add(stat: ProcessStat): void {
    this.#members.set(stat.pid, stat);
    if (stat.session === stat.pid) this.#sessions.add(stat.session);
  }
}

/** Returns the CPU time of ended processes that no living process of the tree has inherited. */
function lost(
  before: ReadonlyMap<number, ProcessStat>,
  now: ReadonlyMap<number, ProcessStat>,
  isThere: (stat: ProcessStat) => boolean,
): number {
  const gone = [...before.values()].filter((stat) => !isThere(stat));
  const byHeir = Map.groupBy(gone, (stat) => heirOf(stat, before, isThere));
  let sum = 0;
  for (const [heir, stats] of byHeir) {
    const used = stats.reduce((total, { ownMs, endedMs }) => total + ownMs + endedMs, 0);
    const inherited =
      heir === null ? 0 : (now.get(heir.pid)?.endedMs ?? heir.endedMs) - heir.endedMs;
    sum += Math.max(0, used - inherited);
  }
  return sum;
}

/** Returns the nearest living ancestor. */
function heirOf(
  { parent }: ProcessStat,
  before: ReadonlyMap<number, ProcessStat>,
  isThere: (stat: ProcessStat) => boolean,
): ProcessStat | null {
  const stat = before.get(parent);
  if (stat === undefined) return null;
  return isThere(stat) ? stat : heirOf(stat, before, isThere);
}
