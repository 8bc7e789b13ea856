import { readdir, readFile } from "node:fs/promises";

/** Interval between checks, in milliseconds. */
const INTERVAL_MS = 500;

/**
 * Numbers of consecutive checks after which a process counts as stalled: checks without work, and checks in which it is
 * stopped.
 */
const IDLE_LOOKS = 8;
const STOPPED_LOOKS = 2;

/**
 * If the process is in state `R` in more than this many of the idle checks, it is waiting for a processor. This applies
 * where waiting also uses processor time (`idleTicks`).
 */
const RUNNING_LOOKS = 3;

/**
 * Detects stalled processes: one of them was stopped from outside (SIGSTOP), or all of them sleep for several seconds
 * without using the processor. A slow document is a different case, because then the processes work. Needs Linux's
 * `/proc`; does nothing on other systems.
 */
export class StallWatch {
  readonly #timer: NodeJS.Timeout | undefined;
  #ticks = -1;
  #idle = 0;
  #running = 0;
  #stopped = 0;
  #looking = false;
  readonly #idleTicks: number;

  /**
   * `onStall` receives whether a process was stopped from outside; it may be called more than once. `idleTicks` is the
   * processor time between two checks that does not count as work, in hundredths of a second.
   */
  constructor(
    pids: () => readonly (number | null | undefined)[],
    onStall: (stopped: boolean) => void,
    idleTicks = 0,
  ) {
    this.#idleTicks = idleTicks;
    if (process.platform !== "linux") return;
    const look = async (): Promise<void> => {
      if (this.#looking) return;
      this.#looking = true;
      const states = await Promise.all(pids().map(stateOf));
      this.#looking = false;
      this.#count(states.filter((state) => state !== null));
      if (this.#stopped >= STOPPED_LOOKS) onStall(true);
      else if (this.#idle >= IDLE_LOOKS) onStall(false);
    };
    this.#timer = setInterval(() => void look(), INTERVAL_MS);
    this.#timer.unref();
  }

  end(): void {
    clearInterval(this.#timer);
  }

  #count(states: readonly ProcessState[]): void {
    this.#stopped = states.some(({ state }) => state === "T") ? this.#stopped + 1 : 0;
    const ticks = states.reduce((sum, state) => sum + state.ticks, 0);
    const used = ticks - this.#ticks;
    this.#ticks = ticks;
    const runs = states.some(({ state }) => state === "R");
    // Waiting for a processor or a disk is not a stall.
    const waits = states.some(({ state }) => state === "D") || (runs && this.#idleTicks === 0);
    const works = states.length === 0 || waits || used < 0 || used > this.#idleTicks;
    this.#idle = works ? 0 : this.#idle + 1;
    this.#running = this.#idle === 0 ? 0 : this.#running + (runs ? 1 : 0);
    if (this.#running > RUNNING_LOOKS) this.#idle = this.#running = 0;
  }
}

interface ProcessState {
  /** State of the most active thread: `R` runs, `D` waits for a disk, `T` is stopped, `S` sleeps. */
  readonly state: string;
  /** The processor time that the process has used, in hundredths of a second. */
  readonly ticks: number;
}

async function stateOf(pid: number | null | undefined): Promise<ProcessState | null> {
  if (pid === null || pid === undefined) return null;
  const fields = await statOf(`/proc/${pid}`);
  if (fields === null) return null;
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const stats = await Promise.all(threads.map((id) => statOf(`/proc/${pid}/task/${id}`)));
  const states = new Set(stats.map((stat) => stat?.[0]));
  return {
    state: ["T", "R", "D"].find((state) => states.has(state)) ?? fields[0] ?? "",
    ticks: Number(fields[11]) + Number(fields[12]),
  };
}

/** Reads the fields of a `stat` file from the state on; null if the process has ended. */
async function statOf(folder: string): Promise<string[] | null> {
  const stat = await readFile(`${folder}/stat`, "utf8").catch(() => null);
  // The second field is a name in parentheses, which may contain anything.
  return stat === null ? null : stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}
