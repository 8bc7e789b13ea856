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
  floor: "Node's HTTP server, which only answers 202",
  layer: "the service's handler, with an engine that does nothing",
  held: "the service, with its jobs paused",
  running: "the service (`quire serve`), which also makes the documents",
};

/** Returns the part of the page about the service. It depends only on these results. */
export function servicePage(results: ServiceResults): string[] {
  return [
    intro(results),
    "### Accepting small batches",
    table(
      ["", "CPU time of a request", "times the handler's", "median response time", "per second"],
      results.accept.map(acceptLine),
    ),
    `Compared with the handler, the service also accepts the batch durably: it looks up the name in the catalog, takes the
template from memory, and writes and syncs the batch. Batches that arrive together share a sync. The table shows the CPU
time of the service's own process, without the rendering processes. If documents are made, this process also assigns the
jobs, writes the documents and records the results, so the last line includes more than acceptance.`,
    "### Noisy neighbours",
    `A tenant sends ten small batches and ten status requests for a job per second. Its neighbour sends small batches over 100
connections as fast as they are answered, or lists its templates over 100 connections, or sends giant batches one after the
other. Each round uses a new server and measures the tenant first alone, then with the neighbour. The goal is that the 95th
percentile of the response time at most doubles.`,
    table(
      [
        "neighbour",
        "request",
        "median, alone",
        "median, with neighbour",
        "95 %, alone",
        "95 %, with neighbour",
        "95 %, ratio",
        "longest pause, alone",
        "longest pause, with neighbour",
      ],
      results.disturbed.flatMap(disturbedLines),
    ),
    disturbedNotes(results.disturbed),
    `During a flood, the tenant waits until a request or a group of writes of its neighbour releases the single thread that
serves all requests. If documents are made, it also waits for the two cores. While several tenants are active, each has one
place at the gate, which pauses after each request, and refusals are sent at a limited rate. A flood is therefore answered
more slowly than possible, so that other tenants are not delayed. During a flood of reads, the tenant was faster than alone,
probably because code and caches are warm then. The limit of 1,000 requests a minute admits that many at once, and most of
a round's flood is within it. A giant batch is parsed and checked in pieces and written in slices of 100 jobs; other
requests run between them.`,
    ...hostileSection(results.hostile),
    "### Many connections",
    table(
      ["", "connections", "tenants", "answers", "errors", "per second", "median", "99 %", "peak"],
      results.connections.map(connectionsLine),
    ),
    `All connections open and send at the same time: one batch each, or three status requests for a job, one after the other. The
median and 99 % cover successful responses. For each tenant, 8 requests are processed at a time (one if other tenants are
active), and up to 1,000 wait; further requests get a 429. A waiting batch takes as long as the requests before it. Errors
are connections that broke before they had a response. The rate covers the time until the last response.`,
    "### Pages and streams",
    table(
      ["", "per second", "median", "99 %"],
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

\`npm run bench:service\` writes this section. This run is of ${date}, on Node ${machine.node} (${machine.platform}),
${machine.cores} × ${machine.cpu}, ${machine.memoryGb} GB of memory; loopback, one disk, with real syncs.

- **Everything runs on the same ${machine.cores} cores**: the service, the rendering processes, and the load generators. Other work on the
  machine used part of them, too. Absolute figures mean little, and two runs cannot be compared. Read the ratios, which
  are taken within a round, and their ranges.
- Separate processes generate the load (autocannon, and a program that sends at a fixed rate). A flood has a lower priority
  (\`nice\` 10), because a real flood comes from other machines.
- A small batch is one document with 1 kB of data; a giant batch has 10,000 of them. There are ${rounds} rounds, each with new
  servers.
- The limit of requests per minute of \`quire serve\` is off, unless noted.`;
}

function acceptLine({ kind, cpuMs, ratio, p50, rate }: AcceptLine): string[] {
  return [SERVERS[kind], timeSpread(cpuMs), timesSpread(ratio), timeSpread(p50), rateSpread(rate)];
}

function disturbedLines(line: DisturbedLine): string[][] {
  const named = `${line.title}, ${line.kind === "held" ? "jobs paused" : "jobs running"}`;
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
      const aim = missed === 0 ? "the goal was reached" : "the goal was **not** reached";
      const half = otherP50 === null ? "" : `, median ${timeSpread(otherP50)}`;
      const failed = post.failed + get.failed;
      const jobs = kind === "held" ? "jobs paused" : "jobs running";
      return `- ${title}, ${jobs}: ${aim}. Responses to the neighbour: ${statusesOf(statuses)}${half}. Failed requests of the tenant: ${count(failed)}. Peak memory: ${memory(peakMb)}.`;
    })
    .join("\n");
}

/** The aim for the longest pause, in milliseconds. */
const PAUSE_AIM_MS = 200;

function hostileSection(lines: readonly HostileLine[] = []): string[] {
  if (lines.length === 0) return [];
  const longest = Math.max(...lines.map(({ pause }) => pause.max));
  const aim = longest <= PAUSE_AIM_MS ? "was reached" : "was **not** reached";
  return [
    "### Requests that take long to read",
    `A tenant sends small requests that take long to read, each to a new server, while \`/healthz\` is requested fifty times
a second. Separate processes read the files; the process that answers only passes them on.`,
    table(
      ["", "longest pause", "slowest response of `/healthz`", "peak"],
      lines.map(({ title, pause, health, peakMb }) => [
        title,
        timeSpread(pause),
        timeSpread(health),
        memory(peakMb),
      ]),
    ),
    `The longest pause was ${time(longest)}: the goal of ${time(PAUSE_AIM_MS)} ${aim}.`,
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
  return `${count(streams)} streams of the progress of one running batch (responses: ${statusesOf(statuses)}) sent ${count(events)} events in
${seconds} seconds; each stream checks for progress twice a second.`;
}

function statusesOf(statuses: Readonly<Record<string, number>>): string {
  const all = Object.entries(statuses).map(([status, some]) => `${count(some)} × ${status}`);
  return all.length === 0 ? "none" : all.join(", ");
}

function rateSpread({ median, min, max }: AcceptLine["rate"]): string {
  const [middle, lowest, highest] = [median, min, max].map((value) => count(Math.round(value)));
  return min === max ? `${middle}` : `${middle} (${lowest} – ${highest})`;
}
