/**
 * `npm run bench:queue -- PART …` measures the queue in PostgreSQL, and keeps the results of the other parts. `stores`
 * compares the job stores in PostgreSQL and SQLite, in turns, without documents. `waiting` measures 1, 2 and 4 worker
 * nodes whose documents wait instead of computing. `nodes` measures as many nodes that make invoices in a folder, as docx
 * and as PDF. `turn` measures a small tenant behind a large batch, and `pages` pages of tables with 10,000,000 jobs. The
 * server runs on this machine, on a disk, with `fsync`.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { startPostgres } from "../../packages/postgres/test/support/postgres-server.ts";
import { machine, today } from "../measure/machine.ts";
import { KEPT, readResults, writeReport } from "../report/write-report.ts";
import { measureDocuments } from "./documents.ts";
import { measureNodes } from "./nodes.ts";
import { measurePages } from "./pages.ts";
import { measureStores } from "./stores.ts";
import { measureTurn } from "./turn.ts";

const PARTS = {
  stores: measureStores,
  waiting: measureNodes,
  nodes: measureDocuments,
  turn: measureTurn,
  pages: measurePages,
};

const names = Object.keys(PARTS) as (keyof typeof PARTS)[];
const given = process.argv.slice(2);
const unknown = given.filter((name) => !names.some((known) => known === name));
if (unknown.length > 0) throw new Error(`Unknown part ${unknown}. The parts are ${names}.`);

// On a disk, because a file in memory needs no sync.
const folder = await mkdtemp("/var/tmp/quire-bench-queue-");
process.env.TMPDIR = folder;
try {
  for (const name of names.filter((each) => given.length === 0 || given.includes(each))) {
    const server = await startPostgres({ settings: { track_wal_io_timing: "on" } });
    try {
      const measured = await PARTS[name](server);
      const kept = await readResults(KEPT);
      const part = { date: today(), machine: machine(), ...measured };
      await writeReport({ ...kept, queue: { ...kept.queue, [name]: part } }, KEPT);
    } finally {
      await server.destroy();
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
