import type { ChildProcess, SpawnOptions } from "node:child_process";

/**
 * The resources that a command uses, including all its descendants, even those that were killed or outlived their
 * parents.
 */
export interface Account {
  /** Starts the command to measure. Must be called at most once. */
  spawn(
    command: string,
    args: readonly string[],
    options: SpawnOptions & { stdio: "pipe" },
  ): ChildProcess;
  /** Returns the user and system CPU time, in milliseconds. */
  cpuMs(): number;
  /** Returns the processes that currently exist. */
  processes(): CountedProcess[];
  /** Kills the remaining processes. */
  close(): Promise<void>;
}

/** A process of an account. */
export interface CountedProcess {
  readonly pid: number;
  /** The name of the program, at most 15 characters. */
  readonly name: string;
  /** The start time. Together with the pid, it identifies the process. */
  readonly started: number;
  readonly residentMb: number;
}

/**
 * The source of CPU times: `control-group` is exact; `processes` misses short processes that exist only between two
 * checks.
 */
export type AccountKind = "control-group" | "processes";
