import type { ChildProcess, SpawnOptions } from "node:child_process";

/**
 * The resources that a command uses, with all its descendant processes, including those that were killed or that
 * outlived their parents.
 */
export interface Account {
  /** Starts the command to measure. Call it at most once. */
  spawn(
    command: string,
    args: readonly string[],
    options: SpawnOptions & { stdio: "pipe" },
  ): ChildProcess;
  /** CPU time until now, user and system. */
  cpuMs(): number;
  /** The processes that currently exist. */
  processes(): CountedProcess[];
  /** Kills the remaining processes. */
  close(): Promise<void>;
}

/** A process of an account. */
export interface CountedProcess {
  readonly pid: number;
  /** The name of its program, at most 15 characters. */
  readonly name: string;
  /** The start time, which identifies the process together with the pid. */
  readonly started: number;
  readonly residentMb: number;
}

/** The source of CPU times: `control-group` is exact, `processes` misses short processes between two checks. */
export type AccountKind = "control-group" | "processes";
