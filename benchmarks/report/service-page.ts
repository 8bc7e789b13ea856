import type {
  AcceptLine,
  Compared,
  ConnectionsLine,
  DisturbedLine,
  HostileLine,
  ServiceResults,
} from "../service/results.ts";
import { count, memory, table, time, timeSpread, timesSpread } from "./format.ts";

const SERVERS: Readonly<Record<AcceptLine["kind"], string>> = {
  floor: "Node's HTTP server, which says 202",
  layer: "the service's handler, over an engine that does nothing",
  held: "the service, its jobs held back",
  running: "the service (`quire serve`), which makes the documents meanwhile",
};

/** The part of the page on the service, made from its own results. */
export function servicePage(results: ServiceResults): string[] {
  return [
    intro(results),
    "### Accepting small batches",
    table(
      ["", "CPU time of a request", "times the handler's", "half answered within", "a second"],
      results.accept.map(acceptLine),
    ),
    `What the service takes beside the handler is durable acceptance: the catalog is asked for the name, the template comes
from memory, the batch is written and synced. Batches that come together are synced together. The CPU time is that of the
service's own process, without those that render; where documents are made, that process also gives them out, writes them
and notes what became of each, so that the last line is not acceptance alone.`,
    "### One tenant beside another one",
    `A tenant sends ten small batches and ten questions for a job in a second; another one sends small batches over 100
connections as fast as they are answered, or lists its templates over as many, or sends giant batches one after the other.
Each round is a new server: the tenant alone first, then meanwhile. The aim is that 95 % of the answers come within twice
the time of the tenant alone.`,
    table(
      [
        "beside",
        "",
        "half, alone",
        "meanwhile",
        "95 %, alone",
        "meanwhile",
        "95 %, times",
        "longest pause, alone",
        "meanwhile",
      ],
      results.disturbed.flatMap(disturbedLines),
    ),
    disturbedNotes(results.disturbed),
    `What a tenant waits for beside a flood: that a request or a group of writes of the other one lets go of the one thread
that serves all; and for the two cores, where documents are made. Beside others a tenant has one place, which rests after
each request, and refusals come at a bounded rate: a flood is answered more slowly than it could be, so that the others
are not. Beside a flood of reads the tenant was faster than alone, probably since code and caches are warm then.
The limit of 1,000 requests a minute lets as many come at once, and most of a round's flood is within that. A giant batch
is parsed and checked piece by piece, and written in slices of 100 jobs; others have their turn in between.`,
    ...hostileSection(results.hostile),
    "### Many connections",
    table(
      [
        "",
        "connections",
        "tenants",
        "answers",
        "errors",
        "a second",
        "half within",
        "99 % within",
        "peak",
      ],
      results.connections.map(connectionsLine),
    ),
    `All connections are made at once, and send at once: a batch each, or three questions for a job, one after the other.
Half and 99 % are of the answers that say yes. Of each tenant 8 requests are worked on, one beside others, and 1,000 wait; the
rest is told 429. A batch that waits takes its time: that is how long the whole crowd takes. Errors are connections that
broke before they had their answer. The rate counts until the last straggler.`,
    "### Pages and streams",
    table(
      ["", "a second", "half within", "99 % within"],
      results.pages.map(({ limit, rate, p50, p99 }) => [
        `pages of ${count(limit)} jobs, 8 connections`,
        rateSpread(rate),
        timeSpread(p50),
        timeSpread(p99),
      ]),
    ),
    streamsNote(results),
  ];
}

function intro({ date, machine, rounds }: ServiceResults): string {
  return `## The service

Written by \`npm run bench:service\`. This is the run of ${date}, on Node ${machine.node} (${machine.platform}),
${machine.cores} × ${machine.cpu}, ${machine.memoryGb} GB of memory; loopback, one disk, which is synced for real.

- **Everything on the same ${machine.cores} cores**: the service, the processes that render, and those that send. What else the machine
  did took its share too. Absolute figures say little; of two runs they cannot be compared. Read the ratios, which are taken
  within a round, and their ranges.
- Load comes from processes of their own (autocannon, and one that sends at a fixed pace); a flood stands back behind
  them (\`nice\` 10), since a real one comes from other machines.
- A small batch is one document with 1 kB of data; a giant one has 10,000 of them. ${rounds} rounds, each with new servers.
- Without \`quire serve\`'s limit of requests per minute, unless it is told.`;
}

function acceptLine({ kind, cpuMs, ratio, p50, rate }: AcceptLine): string[] {
  return [SERVERS[kind], timeSpread(cpuMs), timesSpread(ratio), timeSpread(p50), rateSpread(rate)];
}

function disturbedLines(line: DisturbedLine): string[][] {
  const named = `${line.title}, ${line.kind === "held" ? "jobs held back" : "jobs running"}`;
  const cells = (what: string, { p50, p95 }: Compared) => [
    what,
    timeSpread(p50.alone),
    timeSpread(p50.meanwhile),
    timeSpread(p95.alone),
    timeSpread(p95.meanwhile),
    timesSpread(p95.ratio),
  ];
  const pauses = [timeSpread(line.pauseAlone), timeSpread(line.pause)];
  return [
    [named, ...cells("batch", line.post), ...pauses],
    ["", ...cells("job", line.get), "", ""],
  ];
}

function disturbedNotes(lines: readonly DisturbedLine[]): string {
  return lines
    .map(({ title, kind, post, get, statuses, otherP50, peakMb }) => {
      const missed = [post, get].filter(({ p95 }) => p95.ratio.median >= 2).length;
      const aim = missed === 0 ? "the aim was reached" : "the aim was **not** reached";
      const half = otherP50 === null ? "" : `, half within ${timeSpread(otherP50)}`;
      const failed = post.failed + get.failed;
      const jobs = kind === "held" ? "jobs held back" : "jobs running";
      return `- ${title}, ${jobs}: ${aim}. The other one was answered ${statusesOf(statuses)}${half}; of the tenant's own requests ${count(failed)} failed. Peak ${memory(peakMb)}.`;
    })
    .join("\n");
}

/** The aim for the longest pause. */
const PAUSE_AIM_MS = 200;

function hostileSection(lines: readonly HostileLine[] = []): string[] {
  if (lines.length === 0) return [];
  const longest = Math.max(...lines.map(({ pause }) => pause.max));
  const aim = longest <= PAUSE_AIM_MS ? "was reached" : "was **not** reached";
  return [
    "### What takes long to read",
    `A tenant sends small requests that take long to read, each to a new server, while \`/healthz\` is asked fifty times
a second. Files are read in separate processes; the process that answers only passes them on.`,
    table(
      ["", "longest pause", "slowest answer of `/healthz`", "peak"],
      lines.map(({ title, pause, health, peakMb }) => [
        title,
        timeSpread(pause),
        timeSpread(health),
        memory(peakMb),
      ]),
    ),
    `The longest pause of all was ${time(longest)}: the aim of ${time(PAUSE_AIM_MS)} ${aim}.`,
  ];
}

function connectionsLine(line: ConnectionsLine): string[] {
  const { what, connections, tenants, statuses, errors, rate, p50, p99, peakMb } = line;
  return [
    what === "GET" ? "a job" : "a small batch",
    count(connections),
    count(tenants),
    statusesOf(statuses),
    count(errors),
    count(Math.round(rate)),
    time(p50),
    time(p99),
    memory(peakMb),
  ];
}

function streamsNote({ streams: { streams, events, seconds, statuses } }: ServiceResults): string {
  return `${count(streams)} streams of the progress of one batch that is worked off (answers: ${statusesOf(statuses)}) told
${count(events)} events in ${seconds} seconds: each looks twice a second.`;
}

function statusesOf(statuses: Readonly<Record<string, number>>): string {
  const all = Object.entries(statuses).map(([status, some]) => `${count(some)} × ${status}`);
  return all.length === 0 ? "not at all" : all.join(", ");
}

function rateSpread({ median, min, max }: AcceptLine["rate"]): string {
  const [middle, lowest, highest] = [median, min, max].map((value) => count(Math.round(value)));
  return min === max ? `${middle}` : `${middle} (${lowest} – ${highest})`;
}
