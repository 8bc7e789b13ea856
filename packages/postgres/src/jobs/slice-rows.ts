import {
  chunkStarts,
  type JobFailure,
  type JobResult,
  type NewJob,
  packChunk,
} from "@quire/contracts";
import { toText } from "../database/text.ts";
import type { NameChooser } from "./names.ts";
import { KIND, STATUS } from "./states.ts";

/** The name and the end of a job. If the failure and the result are null, the job must run. */
interface Named {
  readonly name: string | null;
  readonly failure: JobFailure | null;
  readonly result: JobResult | null;
}

/** Returns the arrays for `quire.accept` of jobs whose first entry is `first`, with names of the chooser. */
export function sliceRows(jobs: readonly NewJob[], first: number, names: NameChooser): unknown[] {
  const named = jobs.map((job) => nameOf(job, names));
  const inputs = jobs.map(({ input }) => input);
  const starts = chunkStarts(inputs);
  const ended = named.flatMap(({ failure, result }, index) =>
    failure === null && result === null ? [] : [{ entry: first + index, failure, result }],
  );
  return [
    jobs.map((_, index) => first + index),
    jobs.map(({ input }, index) => kindOf(input === null, named[index])),
    jobs.map(({ requestedName }) => toText(requestedName)),
    jobs.map(({ fileName }, index) => (named[index]?.name === fileName ? null : toText(fileName))),
    named.map(({ name }) => toText(name)),
    names.folded.map((folded) => toText(folded)),
    inputs.map((input) => input?.bytes.length ?? 0),
    ended.map(({ entry }) => entry),
    ended.map(({ result }) => STATUS[result?.status ?? "failed"]),
    ended.map(({ result }) => (result === null ? null : JSON.stringify(result))),
    ended.map(({ failure }) => (failure === null ? null : JSON.stringify(failure))),
    starts.map((start) => first + start),
    starts.map((start, index) => Buffer.from(packChunk(inputs.slice(start, starts[index + 1])))),
  ];
}

function kindOf(isInvalid: boolean, named: Named | undefined): number {
  if (isInvalid) return KIND.invalid;
  return named?.failure === null && named.result === null ? KIND.run : KIND.ended;
}

function nameOf({ fileName, failure, result = null }: NewJob, names: NameChooser): Named {
  if (failure !== null || fileName === null) return { name: null, failure, result: null };
  const kept = result?.outputFile.name;
  if (kept !== undefined && names.chooseKept(kept)) return { name: kept, failure: null, result };
  return { ...names.choose(fileName), result: null };
}
