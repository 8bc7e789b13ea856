import type { OutputType } from "@quire/contracts";

/** A step of an attempt at a job. */
export interface JobStep {
  /**
   * `job`: the whole attempt, except the wait for its turn and for its template. It contains the steps `render`,
   * `convert` (only for documents that go through the converter) and `store`.
   */
  readonly name: "job" | "render" | "convert" | "store";
  /** As in `Job.id`. All attempts at a job have the same id. */
  readonly jobId: string;
  /** The id of its batch. */
  readonly batchId: string;
  /** The tenant that owns the batch; `""` without tenants. */
  readonly tenant: string;
  /** The type of the document that the job generates. */
  readonly outputType: OutputType;
  /** The `trace` that its batch was submitted with, or null. */
  readonly trace: string | null;
}

/**
 * Called around each step of each job. It should call `run` once, before it awaits anything else. The context that it
 * sets up (`AsyncLocalStorage`) then applies within the step. The promise of `run` rejects if the step fails; another
 * attempt may follow. The job only depends on `run`: results and errors of the observer are ignored and not awaited. If
 * the observer does not call `run`, the step runs without it; a second call of `run` has no effect.
 */
export type StepObserver = <T>(step: JobStep, run: () => Promise<T>) => Promise<T>;

/** Runs a step of one job. */
export type RunStep = <T>(name: JobStep["name"], run: () => Promise<T>) => Promise<T>;

/** Returns a function that runs the steps of a job, through the observer if there is one. */
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
    // Ignore errors of the observer: `runOnce()` returns the promise of the step, which reports the step's own failure.
  }
  return runOnce();
}
