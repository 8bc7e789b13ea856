/** A process that runs one task and prints the results as lines of JSON. */
import { createInterface } from "node:readline";
import { measureBatch } from "../batch/batch-tasks.ts";
import type { Failure, SpeedTask, Task } from "./task.ts";
import { measureRows, measureSeries, prepareSpeed, writeDocuments } from "./tasks.ts";

const task: Task = JSON.parse(process.argv[2] ?? "");

try {
  for await (const answer of perform(task)) console.log(JSON.stringify(answer));
} catch (error) {
  const failure: Failure = { failed: error instanceof Error ? error.message : String(error) };
  console.log(JSON.stringify(failure));
}

async function* perform(task: Task): AsyncIterable<unknown> {
  switch (task.task) {
    case "documents":
      return yield writeDocuments(task);
    case "speed":
      return yield* speeds(task);
    case "rows":
      return yield measureRows(task);
    case "series":
      return yield measureSeries(task);
    case "batch":
      return yield measureBatch(task);
  }
}

/** Reports that the process is warm, and then measures once for each line of input. */
async function* speeds(task: SpeedTask): AsyncIterable<unknown> {
  const measure = await prepareSpeed(task);
  yield { warm: true };
  for await (const _ of createInterface({ input: process.stdin })) yield measure();
}
