import type { JobsBatch, JobsResults } from "../jobs/results.ts";
import { count, memory, table, timeSpread, timesSpread } from "./format.ts";

/** The part of the page on batches that are kept, made from its own results. */
export function jobsPage({ date, machine, rounds, store, batches }: JobsResults): string[] {
  return [
    `## What it costs that nothing is lost

Written by \`npm run bench:jobs\`. This is the run of ${date}, on Node ${machine.node} (${machine.platform}),
${machine.cores} × ${machine.cpu}, ${machine.memoryGb} GB of memory; everything on one disk, which is synced for real.

- **The parts**: the same invoices rendered by the processes of the renderer, converted by LibreOffice, and written by
  the storage, each part alone, with as many documents at once as the engine has.
- **The engine** does all of it, over a durable job store (\`@quire/jobs-sqlite\`) and over one in memory: it accepts
  the batch, gives the jobs out, notes each document before it is created, completes it, and lists it.
- **Wall time**, since most of it is waiting. Each measurement is a process of its own; ${rounds} rounds, the parts of a
  round one after the other. Medians are told, with the range; ratios are taken within a round. A ratio below 1 says
  that parts wait at the same time.
- S3 is a server on the same two cores (Ceph's), which takes its share of them.`,
    "### Batches",
    table(
      ["", ...PARTS, "engine", "in memory", "engine / parts", "in memory / parts", "peak"],
      batches.map(batchLine),
    ),
    "### The job store alone",
    table(
      ["", "jobs a second"],
      [
        [`accept ${count(store.jobs)} jobs with 1 kB of data each`, rate(store.accepted)],
        ["give out 16 at a time, note and complete each", rate(store.drained)],
      ],
    ),
  ];
}

const PARTS = ["render", "convert", "write"];

function batchLine(batch: JobsBatch): string[] {
  const { documents, output, to, parts, engine, engineInMemory } = batch;
  const part = (name: string): string => {
    const spread = parts[name];
    return spread === undefined ? "–" : timeSpread(spread);
  };
  return [
    `${count(documents)} ${output} to ${to}`,
    ...PARTS.map(part),
    timeSpread(engine),
    timeSpread(engineInMemory),
    timesSpread(batch.ratio),
    timesSpread(batch.ratioInMemory),
    memory(batch.peakMb),
  ];
}

function rate({ median, min, max }: JobsResults["store"]["accepted"]): string {
  const [middle, lowest, highest] = [median, min, max].map((value) => count(Math.round(value)));
  return min === max ? `${middle}` : `${middle} (${lowest} – ${highest})`;
}
