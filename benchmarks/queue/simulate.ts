/**
 * `node benchmarks/queue/simulate.ts` shows how many documents per second 1 to 1,000 worker nodes make over one
 * PostgreSQL, and what limits them. It simulates groups of documents with the measured times of `bench:queue` and
 * `bench:jobs`: a node makes a group while the server records the one before, on one of its cores. It does not simulate
 * disks, networks, or locks.
 */
import { pathToFileURL } from "node:url";
import { count, table } from "../report/format.ts";
import { KEPT, readResults } from "../report/write-report.ts";

/** A service to simulate. The times are in milliseconds. */
export interface Model {
  readonly nodes: number;
  /** How many documents a node makes at the same time: its cores, or its places for documents that wait. */
  readonly slots: number;
  /** How long a slot makes a document. */
  readonly documentMs: number;
  readonly serverCores: number;
  /** CPU time of the server for each document: its claim, its note and its end. */
  readonly serverMs: number;
  /** The number of documents that a node records together. */
  readonly group: number;
}

/** The result of a simulation: documents per second, and how busy the slots and the server are, from 0 to 1. */
export interface Simulated {
  readonly rate: number;
  readonly slotsBusy: number;
  readonly serverBusy: number;
  readonly limit: "documents" | "server";
}

/** Simulates for as long as 60 groups take. The first third of the time does not count. */
export function simulate(model: Model): Simulated {
  const { nodes, slots, documentMs, serverCores, serverMs, group } = model;
  // One event for each group: a node makes it with all its slots, while it records the one before.
  const groupMs = (documentMs * group) / slots;
  const recordMs = serverMs * group;
  const cores = new Float64Array(serverCores);
  const madeAt = Float64Array.from({ length: nodes }, (_, node) => (groupMs * (node + 1)) / nodes);
  const recordedAt = new Float64Array(nodes);
  const endMs = 60 * Math.max(groupMs, recordMs, (recordMs * nodes) / serverCores);
  const fromMs = endMs / 3;
  let recorded = 0;
  for (;;) {
    const node = earliest(madeAt);
    const now = madeAt[node] as number;
    if (now > endMs) break;
    const core = earliest(cores);
    const beginsAt = Math.max(now, cores[core] as number);
    const endsAt = beginsAt + recordMs;
    cores[core] = endsAt;
    if (endsAt > fromMs && endsAt <= endMs) recorded += group;
    // A node makes one group while it records the one before, and waits if the record takes longer.
    madeAt[node] = Math.max(now, recordedAt[node] as number) + groupMs;
    recordedAt[node] = endsAt;
  }
  const rate = (1000 * recorded) / (endMs - fromMs);
  const slotsBusy = (rate * documentMs) / 1000 / (nodes * slots);
  const serverBusy = (rate * serverMs) / 1000 / serverCores;
  return { rate, slotsBusy, serverBusy, limit: serverBusy > slotsBusy ? "server" : "documents" };
}

/** The index of the smallest number. */
function earliest(times: Float64Array): number {
  let least = 0;
  for (let index = 1; index < times.length; index++) {
    if ((times[index] as number) < (times[least] as number)) least = index;
  }
  return least;
}

/** The cores of a node and of the server in the tables, and the size of a group. */
const NODE_CORES = 4;
const SERVER_CORES = [4, 16, 64];
const NODES = [1, 10, 100, 1000];
const GROUP = 64;

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await printTables();

/** Prints a table for each kind of documents and of batches. Bold: the server is the limit. */
async function printTables(): Promise<void> {
  const { queue, jobs } = await readResults(KEPT);
  const store = queue?.stores?.lines.find(({ store }) => store === "PostgreSQL");
  const many = queue?.waiting?.lines.find(({ batches, nodes }) => batches > 1 && nodes === 4);
  const acceptMs = store?.acceptCpuMs?.median ?? Number.NaN;
  const serverMs = {
    "a few large batches": acceptMs + (store?.jobCpuMs?.median ?? Number.NaN),
    "many batches at a time": acceptMs + (many?.serverCpuMs.median ?? Number.NaN),
  };
  for (const output of ["docx", "pdf"]) {
    const batch = jobs?.batches.find((each) => each.output === output && each.to === "files");
    // Measured on all cores of the machine. A core makes its share.
    const cores = jobs?.machine.cores ?? Number.NaN;
    const documentMs = (cores * (batch?.engine.median ?? Number.NaN)) / (batch?.documents ?? 1);
    for (const [title, ms] of Object.entries(serverMs)) {
      const cell = (nodes: number, serverCores: number): string => {
        const parts = { slots: NODE_CORES, documentMs, serverMs: ms, group: GROUP };
        const { rate, limit } = simulate({ nodes, serverCores, ...parts });
        const rounded = count(Number(rate.toPrecision(2)));
        return limit === "server" ? `**${rounded}**` : rounded;
      };
      const rows = NODES.map((nodes) => [
        count(nodes),
        ...SERVER_CORES.map((serverCores) => cell(nodes, serverCores)),
      ]);
      console.log(`${output}, ${title}: ${ms.toFixed(2)} ms of the server for each document`);
      console.log(table(["nodes", ...SERVER_CORES.map((each) => `${each} cores`)], rows));
    }
  }
}
