import type { Spread } from "../measure/statistics.ts";
import type {
  DocumentsResults,
  NodesResults,
  PageLine,
  PagesResults,
  Part,
  QueueResults,
  StoresResults,
  TurnResults,
} from "../queue/results.ts";
import { count, table, time, timeSpread, timesSpread } from "./format.ts";

/** Returns the part of the page about the queue in PostgreSQL. It depends only on these results. */
export function queuePage({ stores, waiting, nodes, turn, pages }: QueueResults): string[] {
  return [
    `## The queue in PostgreSQL

\`npm run bench:queue\` writes this section, one part at a time. PostgreSQL runs on the same machine as everything else, on
a disk, with real syncs. Its CPU time includes all its processes. Tables show medians with their range; ratios are taken
within a round.`,
    ...(stores === undefined ? [] : storesSection(stores)),
    ...(waiting === undefined ? [] : waitingSection(waiting)),
    ...(nodes === undefined ? [] : documentsSection(nodes)),
    ...(turn === undefined ? [] : turnSection(turn)),
    ...(pages === undefined ? [] : pagesSection(pages)),
  ];
}

/** Says when and where a part was measured. */
function measured({ date, machine }: Part<object>): string {
  return `Measured on ${date}, on Node ${machine.node}, ${machine.cores} × ${machine.cpu}, ${machine.memoryGb} GB of memory.`;
}

function storesSection(part: Part<StoresResults>): string[] {
  return [
    "### The stores alone",
    `Both job stores in turns, in ${part.rounds} rounds, without documents: 50 batches of one entry, and one of ${count(part.entries)} entries,
with 1 kB of data for each entry. Then one worker claims groups of jobs, notes and ends each job. ${measured(part)}`,
    table(
      ["", ...part.lines.map(({ store }) => store)],
      [
        ["accept one entry", ...part.lines.map(({ acceptOneMs }) => timeSpread(acceptOneMs))],
        [
          `accept ${count(part.entries)} entries`,
          ...part.lines.map(({ acceptLargeMs }) => timeSpread(acceptLargeMs)),
        ],
        ["claimed, noted and ended jobs per second", ...part.lines.map(({ rate }) => whole(rate))],
        [
          "CPU of the server to accept an entry",
          ...part.lines.map(({ acceptCpuMs }) => timeOrDash(acceptCpuMs)),
        ],
        [
          "CPU of the server to claim, note and end a job",
          ...part.lines.map(({ jobCpuMs }) => timeOrDash(jobCpuMs)),
        ],
      ],
    ),
  ];
}

function waitingSection(part: Part<NodesResults>): string[] {
  return [
    "### Documents that only wait",
    `1, 2 and 4 processes work on the same batches. A document waits instead of computing, so that the two cores do not limit
the rate: 50 ms with one batch, of which each process has 16 documents in progress, and 1 s with 64 batches of eight
enterprises. There are ${part.rounds} rounds. ${measured(part)}`,
    nodesTable(part),
    `The goals are 1.9 times the rate of one process with 2, 3.6 times with 4, and at most 1.2 times the CPU time of the
server for each document with 4. Each claim, and each group of notes and of ends, waits for a flush to the disk. During
the first and the last, no other process can claim or end documents of the same batch, so the time of a flush limits the rate
of one batch.`,
  ];
}

function nodesTable({ lines }: NodesResults): string {
  return table(
    [
      "batches",
      "processes",
      "per second",
      "times one process",
      "CPU of the server for each",
      "times one process",
      "CPU of the processes for each",
      "use of the cores",
      "a flush to the disk",
    ],
    lines.map((line) => [
      count(line.batches),
      count(line.nodes),
      whole(line.rate),
      timesSpread(line.speedup),
      timeSpread(line.serverCpuMs),
      timesSpread(line.serverRatio),
      timeSpread(line.nodeCpuMs),
      `${Math.round(100 * line.busy.median)} %`,
      timeSpread(line.flushMs),
    ]),
  );
}

function documentsSection(part: Part<DocumentsResults>): string[] {
  return [
    "### Documents from the request to the file",
    `1, 2 and 4 processes make the invoices of one batch in a folder, each with its own rendering processes and LibreOffice.
The time begins before the batch is accepted, by another process, and ends when all its files are written. ${measured(part)}`,
    table(
      [
        "output",
        "documents",
        "processes",
        "per second",
        "times one process",
        "CPU of the server for each",
        "CPU of the processes for each",
      ],
      part.lines.map((line) => [
        line.output,
        `${line.rounds} × ${count(line.documents)}`,
        count(line.nodes),
        whole(line.rate),
        timesSpread(line.speedup),
        timeSpread(line.serverCpuMs),
        timeSpread(line.nodeCpuMs),
      ]),
    ),
    `**${part.machine.cores} cores cannot show how nodes scale**, because one process with its rendering processes can already use all of
them. Other programs used most of the machine during this run, and more processes then get a larger share of it. So the
rates and their ratios mean little. The CPU times mean more: with slow documents, groups are small, and a small group costs
the server nearly as much as a large one.`,
    ...(part.lines.some(({ output }) => output === "pdf")
      ? []
      : [
          "PDFs are not in the table: 40 of them were too few on such a busy machine, with rates between 3 and 52 per second.",
        ]),
  ];
}

function turnSection(part: Part<TurnResults>): string[] {
  return [
    "### A small batch behind a large one",
    `${part.nodes} such processes work on ${count(part.entries)} entries of one enterprise. ${part.times} times, another enterprise submits ${part.smallEntries} entries. Its
first document begins after ${timeSpread(part.begunMs)}, and all are made after ${timeSpread(part.madeMs)}. The goal for the median
of the first is 500 ms. ${measured(part)}`,
  ];
}

function pagesSection(part: Part<PagesResults>): string[] {
  const sizes = [...new Set(part.lines.map(({ jobs }) => jobs))];
  const titles = [...new Set(part.lines.map(({ title }) => title))];
  const line = (title: string): string[] => {
    const each = sizes.map((size) =>
      part.lines.find(({ jobs, title: other }) => jobs === size && other === title),
    );
    const items = each.map((found) => count(found?.items ?? 0));
    return [title, items.join(", "), ...each.map((found) => time(found?.cpuMs ?? 0))];
  };
  return [
    "### Pages",
    `The CPU time of the server for a page of up to 100 items, the mean of ${part.repeats} pages, with all its statements, their planning
and the transfer. A third of the jobs, but at most 1,000,000, are in one batch, and the others in batches of 100 jobs of 100
enterprises. One job in 100 failed in the large batch and in each seventh small batch. Deep pages begin after 90 % of the
large batch. ${measured(part)}`,
    table(["", "items", ...sizes.map((size) => `${count(size)} jobs`)], titles.map(line)),
    pagesNote(part.lines),
  ];
}

/** The goal for the CPU time of a page, in milliseconds. */
const PAGE_GOAL_MS = 1;

function pagesNote(lines: readonly PageLine[]): string {
  const missed = lines.filter(({ cpuMs }) => cpuMs > PAGE_GOAL_MS).length;
  const result =
    missed === 0 ? "reached it" : `did **not** reach it in ${missed} of ${lines.length} cases`;
  return `The goal is ${time(PAGE_GOAL_MS)} for each page. The pages ${result}. A job on a page takes up to three
reads of an index. PostgreSQL keeps the plans of a page's statements in a function.`;
}

function whole({ median, min, max }: Spread): string {
  const [middle, lowest, highest] = [median, min, max].map((value) => count(Math.round(value)));
  return `${middle} (${lowest} – ${highest})`;
}

function timeOrDash(spread: Spread | null): string {
  return spread === null ? "–" : timeSpread(spread);
}
