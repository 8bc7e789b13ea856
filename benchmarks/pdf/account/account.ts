import type { ChildProcess, SpawnOptions } from "node:child_process";

/**
 * What a command uses, with all processes that come of it, however deep, and also those that were killed or
 * that outlived who started them.
 */
export interface Account {
  /** Starts the command whose processes count. At most once. */
  spawn(
    command: string,
    args: readonly string[],
    options: SpawnOptions & { stdio: "pipe" },
  ): ChildProcess;
  /** CPU time so far, user and system. */
  cpuMs(): number;
  /** The processes that are there now. */
  processes(): CountedProcess[];
  /** Kills what is still there. */
  close(): Promise<void>;
}

/** One process of an account. */
export interface CountedProcess {
  readonly pid: number;
  /** The name of its program, at most 15 characters. */
  readonly name: string;
  /** When it was started; with the pid that names it for good. */
  readonly started: number;
  readonly residentMb: number;
}

/** Where CPU time is read: `control-group` is exact, `processes` misses what happens between two looks. */
export type AccountKind = "control-group" | "processes";
