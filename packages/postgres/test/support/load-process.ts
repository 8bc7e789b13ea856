import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Claim, JobStore, JobWorker, NewBatch, NewJob } from "@quire/contracts";
import { newBatch, newJob } from "../../../contracts/test/support/new-batch.ts";
import { postgresStores } from "../../src/index.ts";

/**
 * A process that accepts batches or works on them until it gets SIGTERM. Appends a line to a log for each batch that
 * the store has accepted, each attempt before its note, and each event that it delivers.
 */
const [role = "", url = "", log = "", seed = "0"] = process.argv.slice(2);
const TENANTS = 5;
const LEASE_MS = 3000;

/** A line of the log. */
export type LogLine =
  | { readonly type: "accepted"; readonly id: string; readonly jobs: number }
  | {
      readonly type: "attempt";
      readonly id: string;
      readonly entry: number;
      readonly attempt: number;
    }
  | {
      readonly type: "event";
      readonly id: string;
      readonly kind: string;
      readonly entry: number | null;
    };

let stopping = false;
process.on("SIGTERM", () => {
  stopping = true;
});

if (role !== "") {
  const stores = postgresStores({ url, connections: 4 });
  await (role === "accept" ? acceptAll(stores.jobs) : workAll(stores.jobs));
  await stores.close().catch(() => {});
}

function write(line: LogLine): void {
  appendFileSync(log, `${JSON.stringify(line)}\n`);
}

async function acceptAll(store: JobStore): Promise<void> {
  for (let number = 0; !stopping; number++) {
    const size = [1, 1, 3, 40, 100, 1500][(number + Number(seed)) % 6] ?? 1;
    await acceptSurely(store, batchWith(`${seed}-${number}`), size);
    await sleep(size < 1000 ? 20 : 300);
  }
}

/** Repeats a request with its key until the store has answered. */
async function acceptSurely(store: JobStore, batch: NewBatch, size: number): Promise<void> {
  while (!stopping) {
    try {
      const { batch: accepted } = await store.createBatch(batch, jobsOf(size), () => "same", {
        isTaken: () => false,
      });
      return write({ type: "accepted", id: accepted.id, jobs: size });
    } catch {
      await sleep(100);
    }
  }
}

function batchWith(key: string): NewBatch {
  const tenant = `tenant-${Number(seed) % TENANTS}`;
  return newBatch({ tenant, caller: "load", idempotencyKey: key, withEvents: true });
}

function* jobsOf(size: number): Generator<NewJob> {
  const bytes = new TextEncoder().encode('{"name":"Åkesson"}');
  for (let entry = 1; entry <= size; entry++) {
    yield newJob(`letter ${entry % 7}`, bytes);
  }
}

async function workAll(store: JobStore): Promise<void> {
  while (!stopping) {
    try {
      const worker = await store.openWorker({
        takes: "all",
        leaseMs: LEASE_MS,
        keepFinishedMs: null,
      });
      try {
        await Promise.all([work(worker), tell(worker)]);
      } finally {
        await worker.close();
      }
    } catch {
      await sleep(100);
    }
  }
}

/** Claims jobs until the process is stopped. Rejects when the store fails. */
async function work(worker: JobWorker): Promise<void> {
  let alone = false;
  while (!stopping && !worker.lost.aborted) {
    const claimed = await worker.claim(alone ? 1 : 64, { alone });
    await Promise.all(claimed.jobs.map((claim) => makeOne(worker, claim, alone)));
    if (claimed.jobs.length === 0 && !alone) await worker.tidy();
    alone = claimed.suspects && !alone;
    if (claimed.jobs.length === 0) await sleep(50);
  }
}

async function makeOne(worker: JobWorker, claim: Claim, isSuspect: boolean): Promise<void> {
  const { batchId: id, entry, attempt, fileName: name } = claim;
  const made = {
    status: "completed",
    sha256: "ab".repeat(32),
    pages: null,
    converter: null,
  } as const;
  const rest = { errors: [], warnings: [] } as const;
  write({ type: "attempt", id, entry, attempt });
  if (isSuspect) await worker.setBegun(claim, true);
  await worker.note(claim, { ...made, ...rest, name, size: 3 });
  if (isSuspect) await worker.setBegun(claim, false);
  const ref = { type: "file", id: `out/${name}` } as const;
  const outputFile = { ref, version: "1", name, size: 3 };
  await worker.settle(claim, { type: "completed", result: { ...made, ...rest, outputFile } });
}

async function tell(worker: JobWorker): Promise<void> {
  while (!stopping && !worker.lost.aborted) {
    const events = await worker.takeEvents(100);
    for (const { batchId: id, type: kind, entry } of events)
      write({ type: "event", id, kind, entry });
    await worker.tellEvents(events.map(({ sequence }) => sequence));
    if (events.length === 0) await sleep(100);
  }
}
