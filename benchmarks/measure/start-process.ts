import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { DOCXTPL_PROGRAM } from "../engines/docxtpl.ts";
import type { Failure, Task } from "./task.ts";

const NODE_PROGRAM = fileURLToPath(new URL("child.ts", import.meta.url));

/** The program that runs a task: Node with these options, or a Python that has docxtpl. */
export type Runner = { readonly node: readonly string[] } | { readonly python: string };

/** Node without options. */
export const PLAIN_NODE: Runner = { node: [] };

/** Starts a process for a task. */
export function startProcess(task: Task, runner: Runner): ChildProcessWithoutNullStreams {
  const [command, args] =
    "python" in runner
      ? [runner.python, [DOCXTPL_PROGRAM]]
      : [process.execPath, [...runner.node, NODE_PROGRAM]];
  const child = spawn(command, [...args, JSON.stringify(task)]);
  child.stdout.setEncoding("utf8");
  child.stderr.setEncoding("utf8");
  return child;
}

/** Describes a task in an error message. */
export function titleOf(task: Task): string {
  return `The task '${task.task}' of ${task.task === "batch" ? task.how : task.engine}`;
}

/** Whether a response of a process reports that its task failed. */
export function isFailure(answer: unknown): answer is Failure {
  return typeof answer === "object" && answer !== null && "failed" in answer;
}
