import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { readFileSync } from "node:fs";
import { isFailure, PLAIN_NODE, type Runner, startProcess, titleOf } from "./start-process.ts";
import type { BatchCost, Failure, GrowthPoint, Task } from "./task.ts";

const WATCH_EVERY_MS = 100;

/** The limits of a process. A process that exceeds one of them is killed. */
export interface Bounds {
  readonly ms: number;
  /** Resident memory in megabytes. It is measured only on Linux. */
  readonly mb: number;
}

/** How a task ended. */
export type Ending<T> =
  | { readonly ended: "done"; readonly result: T }
  | { readonly ended: "failed"; readonly why: string }
  | { readonly ended: "too-long" | "too-large" };

/** The results of tasks that run once. Speed is measured several times; see `session.ts`. */
interface Results {
  documents: null;
  rows: GrowthPoint;
  series: GrowthPoint;
  batch: BatchCost;
}

type SingleTask = Extract<Task, { task: keyof Results }>;

/** Runs a task in a separate process. Throws if the task fails. */
export async function runTask<T extends SingleTask>(
  task: T,
  runner: Runner = PLAIN_NODE,
): Promise<Results[T["task"]]> {
  const ending = await runWithin(task, runner, null);
  if (ending.ended === "done") return ending.result;
  const why = ending.ended === "failed" ? ending.why : ending.ended;
  throw new Error(`${titleOf(task)} failed: ${why}`);
}

/** Runs a task in a separate process. Kills the process if it exceeds a limit. */
export async function runWithin<T extends SingleTask>(
  task: T,
  runner: Runner,
  bounds: Bounds | null,
): Promise<Ending<Results[T["task"]]>> {
  const child = startProcess(task, runner);
  const guard = bounds === null ? null : watch(child, bounds);
  const { output, errors } = await outputOf(child);
  guard?.stop();
  if (guard?.exceeded) return { ended: guard.exceeded };
  if (/heap out of memory/.test(errors)) return { ended: "too-large" };
  const line = output.trim().split("\n").at(-1) ?? "";
  if (!line.startsWith("{") && line !== "null") {
    return { ended: "failed", why: errors.trim() || "its process ended without a result." };
  }
  const result: Results[T["task"]] | Failure = JSON.parse(line);
  if (isFailure(result)) return { ended: "failed", why: result.failed };
  return { ended: "done", result };
}

function outputOf(
  child: ChildProcessWithoutNullStreams,
): Promise<{ output: string; errors: string }> {
  return new Promise((resolve, reject) => {
    let output = "";
    let errors = "";
    child.stdout.on("data", (text: string) => {
      output += text;
    });
    child.stderr.on("data", (text: string) => {
      errors += text;
    });
    child.once("error", reject);
    child.once("close", () => resolve({ output, errors }));
  });
}

interface Guard {
  readonly exceeded: "too-long" | "too-large" | null;
  stop(): void;
}

/** Kills a process that exceeds a limit. The process cannot check this itself while it is busy with a document. */
function watch(child: ChildProcessWithoutNullStreams, bounds: Bounds): Guard {
  const begun = performance.now();
  let exceeded: Guard["exceeded"] = null;
  const timer = setInterval(() => {
    if (performance.now() - begun > bounds.ms) exceeded = "too-long";
    else if (residentMbOf(child.pid) > bounds.mb) exceeded = "too-large";
    else return;
    clearInterval(timer);
    child.kill("SIGKILL");
  }, WATCH_EVERY_MS);
  return {
    get exceeded() {
      return exceeded;
    },
    stop: () => clearInterval(timer),
  };
}

/** Returns the resident memory of another process in megabytes; 0 if the system does not report it. */
function residentMbOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return (Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1_024) / 1_000_000;
  } catch {
    return 0;
  }
}
