import type { JobsBatch, JobsResults } from "../jobs/results.ts";
import { count, memory, table, timeSpread, timesSpread } from "./format.ts";

/** Returns the part of the page about durable batches. It depends only on these results. */
export function jobsPage({ date, machine, rounds, store, batches }: JobsResults): string[] {
  return [
    `## The cost of durability

\`npm run bench:jobs\` writes this section. This run is of ${date}, on Node ${machine.node} (${machine.platform}),
${machine.cores} × ${machine.cpu}, ${machine.memoryGb} GB of memory; everything on one disk, with real syncs.

- **The parts**: the same invoices are rendered by the renderer's processes, converted by LibreOffice, and written by the
  storage. Each part runs alone, with the same concurrency as in the engine.
- **The engine** does all of it, with a durable job store (\`@quire/jobs-sqlite\`) and with one in memory: it accepts
  the batch, assigns the jobs, records each document before creating it, completes it, and lists it.
- **Wall time**, because most of it is waiting. Each measurement is a separate process. There are ${rounds} rounds, and the parts
  of a round run one after the other. The page shows medians with their range; ratios are taken within a round. A ratio
  below 1 means that parts wait at the same time.
- S3 is a server (Ceph) on the same two cores, so it uses part of them.`,
    "### Batches",
    table(
      ["", ...PARTS, "engine", "in memory", "engine / parts", "in memory / parts", "peak"],
      batches.map(batchLine),
    ),
    "### The job store alone",
    table(
      ["", "jobs per second"],
      [
        [`accept ${count(store.jobs)} jobs with 1 kB of data each`, rate(store.accepted)],
        ["assign 16 at a time, record and complete each", rate(store.drained)],
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
