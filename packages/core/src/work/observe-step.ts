import type { OutputType } from "../ports/job-records.ts";

/** A step of an attempt at a job. */
export interface JobStep {
  /**
   * `job`: the whole attempt, from when its turn has come and its template is at hand; within it `render`, `convert`
   * (only of what a converter converts) and `store`.
   */
  readonly name: "job" | "render" | "convert" | "store";
  readonly jobId: string;
  readonly batchId: string;
  readonly tenant: string;
  readonly outputType: OutputType;
  /** What its batch was submitted with as `trace`; null when nothing was. */
  readonly trace: string | null;
}

/**
 * Is called around each step of each job and runs it, once and before it waits for anything else; what it sets up
 * for that (`AsyncLocalStorage`) holds within the step. The promise of `run` rejects when the step fails; another
 * attempt may follow. To the job only what `run` does matters: what the observer gives or throws is passed over and
 * not waited for, a step that it did not begin is begun without it, and one that it begins again is not.
 */
export type StepObserver = <T>(step: JobStep, run: () => Promise<T>) => Promise<T>;

/** Runs a step of one job. */
export type RunStep = <T>(name: JobStep["name"], run: () => Promise<T>) => Promise<T>;

/** Runs the steps of a job, under the eyes of the observer if there is one. */
export function stepsOf(observe: StepObserver | null, job: Omit<JobStep, "name">): RunStep {
  if (observe === null) return (_name, run) => run();
  return (name, run) => observed(observe, { name, ...job }, run);
}

function observed<T>(observe: StepObserver, step: JobStep, run: () => Promise<T>): Promise<T> {
  let running: Promise<T> | null = null;
  const runOnce = (): Promise<T> => {
    running ??= run();
    return running;
  };
  try {
    observe(step, runOnce).catch(() => {});
  } catch {
    // The step's own failure is in its promise.
  }
  return runOnce();
}
