import { once } from "node:events";
import { createInterface } from "node:readline";
import { isFailure, type Runner, startProcess, titleOf } from "./start-process.ts";
import type { Failure, Speed, SpeedTask } from "./task.ts";

/** A warm process with one engine, which measures on request. */
export interface Session {
  measure(): Promise<Speed>;
  /** Ends the process. */
  close(): Promise<void>;
}

/** Starts a process and waits until it is warm. Rejects if the task fails. */
export async function openSession(task: SpeedTask, runner: Runner): Promise<Session> {
  const child = startProcess(task, runner);
  const closed = once(child, "close");
  let errors = "";
  child.stderr.on("data", (text: string) => {
    errors += text;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answer = async <T>(): Promise<T> => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${titleOf(task)} ended without a result. ${errors.trim()}`);
    const result: T | Failure = JSON.parse(value);
    if (isFailure(result)) throw new Error(`${titleOf(task)} failed: ${result.failed}`);
    return result;
  };
  await answer<unknown>();
  return {
    measure: () => {
      child.stdin.write("measure\n");
      return answer<Speed>();
    },
    close: async () => {
      child.stdin.end();
      await closed;
    },
  };
}
