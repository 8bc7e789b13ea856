import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { readFileSync } from "node:fs";
import { isFailure, PLAIN_NODE, type Runner, startProcess, titleOf } from "./start-process.ts";
import type { BatchCost, Failure, GrowthPoint, Task } from "./task.ts";

const WATCH_EVERY_MS = 100;

/** What a process may use before it is ended. */
export interface Bounds {
  readonly ms: number;
  /** Resident memory; watched on Linux only. */
  readonly mb: number;
}

/** How a task ended. */
export type Ending<T> =
  | { readonly ended: "done"; readonly result: T }
  | { readonly ended: "failed"; readonly why: string }
  | { readonly ended: "too-long" | "too-large" };

/** The tasks that are done once, and what they give. Speed is asked for several times: see `session.ts`. */
interface Results {
  documents: null;
  rows: GrowthPoint;
  series: GrowthPoint;
  batch: BatchCost;
}

type SingleTask = Extract<Task, { task: keyof Results }>;

/** Does a task in a process of its own, and throws when it is not done. */
export async function runTask<T extends SingleTask>(
  task: T,
  runner: Runner = PLAIN_NODE,
): Promise<Results[T["task"]]> {
  const ending = await runWithin(task, runner, null);
  if (ending.ended === "done") return ending.result;
  const why = ending.ended === "failed" ? ending.why : ending.ended;
  throw new Error(`${titleOf(task)} failed: ${why}`);
}

/** Does a task in a process of its own, which is ended when it uses too much. */
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

/** Ends a process that takes too long or too much. It cannot tell itself: it is busy with one document. */
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

/** The resident memory of another process; 0 where the system does not tell. */
function residentMbOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return (Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1_024) / 1_000_000;
  } catch {
    return 0;
  }
}
