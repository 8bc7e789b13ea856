/**
 * The program of the scenario `machines`. It runs in separate namespaces, so everything that it starts and configures
 * disappears with it. Prints its progress, and at the end its report, as lines of JSON.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { DelayProxy } from "../../packages/postgres/test/support/delay-proxy.ts";
import {
  type RunningRadosgw,
  startRadosgw,
} from "../../packages/storage-s3/test/support/radosgw.ts";
import { randomFrom } from "../support/random.ts";
import type { Report } from "../support/report.ts";
import { checkEnd, untilDone } from "./check.ts";
import { DATABASE_PORT, DatabasePair } from "./database-pair.ts";
import { BUCKET_PORT, type Fault, type FaultCounts, planFaults } from "./faults.ts";
import { Load, TOKEN } from "./load.ts";
import { createNetwork, HUB } from "./network.ts";
import { QuireProcess } from "./quire-process.ts";
import { Receiver } from "./receiver.ts";
import { setUp } from "./service.ts";

/** Options of the scenario. */
export interface MachinesOptions extends FaultCounts {
  /** Number of documents. */
  readonly jobs: number;
  readonly seed: number;
}

/** A line of the output. */
export type HubLine =
  | { readonly type: "progress"; readonly text: string }
  | { readonly type: "report"; readonly report: Report };

const NODES = ["node-1", "node-2"];
const WORKERS = ["worker-1", "worker-2", "worker-3"];
const BUCKET = "machines";
const REGION = "us-east-1";
const CLIENTS = 6;
/** Time limit in milliseconds within which everything must be ready after the last fault. */
const READY_MS = 120_000;
/** How long a run may make no progress. Leases last less. */
const STALLED_MS = 300_000;

/** More violations are only in the report. */
const MAX_TOLD = 20;

const [json = "", folder = ""] = process.argv.slice(2);
const options = JSON.parse(json) as MachinesOptions;
process.env.TMPDIR = folder;
const violations: string[] = [];
const notes: string[] = [];
const began = performance.now();

function print(line: HubLine): void {
  console.log(JSON.stringify(line));
}

function progress(text: string): void {
  const seconds = Math.round((performance.now() - began) / 1000);
  print({ type: "progress", text: `${seconds} s: ${text}` });
}

function report(violation: string): void {
  violations.push(violation);
  if (violations.length <= MAX_TOLD) progress(`! ${violation}`);
}

// The scenario has ended, or it was interrupted.
process.stdin.on("end", () => process.exit()).resume();
process.stdin.unref?.();
await run();
process.exit();

async function run(): Promise<void> {
  const random = randomFrom(options.seed);
  const addMachine = await createNetwork();
  const proxy = new DelayProxy(HUB);
  progress("starts the bucket and the databases");
  const databases = [await addMachine("database-1"), await addMachine("database-2")] as const;
  const [gateway, pair] = await Promise.all([
    startRadosgw({ onDisk: true }),
    DatabasePair.start(proxy, databases),
  ]);
  const bucket = await createBucket(gateway);
  await proxy.lead(BUCKET_PORT, new URL(gateway.endpoint).host);
  const receiver = await Receiver.start(random);
  const settings = { folder, env: environment(gateway), report };
  const processes: QuireProcess[] = [];
  for (const name of [...NODES, ...WORKERS]) {
    const role = NODES.includes(name) ? "serve" : "work";
    processes.push(new QuireProcess(await addMachine(name), role, settings));
  }
  progress("starts the nodes and the workers");
  await Promise.all(processes.map((process) => process.start()));
  await untilReady(processes);
  const urls = processes.filter(({ role }) => role === "serve").map(({ url }) => url);
  const service = await setUp(urls[0] ?? "", receiver.address);
  const { template, folder: out } = service;
  const load = new Load({
    ...{ urls, template, folder: out, jobs: options.jobs, clients: CLIENTS },
    ...{ random, report, ended: () => receiver.ended },
  });
  const faults = planFaults(options, { processes, pair, random, report });
  await Promise.all([load.run(), inject(faults, receiver)]);
  progress("all faults are over");
  await untilReady(processes);
  for (const left of await untilDone(pair.url)) report(left);
  progress("checks the end");
  const known = { accepted: load.accepted, jobs: options.jobs, processes: processes.length };
  const end = { ...known, database: pair.url, bucket, service, receiver };
  for (const problem of await checkEnd(end)) report(problem);
  for (const process of processes) {
    for (const bug of await process.bugs()) report(`${process.machine.name} logs ${bug}`);
  }
  tellMore(load, receiver);
  await gateway.stop();
  const { workers, nodes, servers, cuts, promotions, jobs } = options;
  const kills = `${workers} kills of workers, ${nodes} of request nodes, ${servers} of servers`;
  const tried = `${kills}, ${cuts} broken links and ${promotions} failovers over ${jobs} documents`;
  print({ type: "report", report: { scenario: "Machines", tried, violations, notes } });
}

function environment(gateway: RunningRadosgw): Record<string, string> {
  return {
    QUIRE_DATABASE: `postgres://quire@${HUB}:${DATABASE_PORT}/postgres?sslmode=disable`,
    QUIRE_STORAGE: `s3://${BUCKET}`,
    AWS_ENDPOINT_URL_S3: `http://${HUB}:${BUCKET_PORT}`,
    AWS_ACCESS_KEY_ID: gateway.accessKeyId,
    AWS_SECRET_ACCESS_KEY: gateway.secretAccessKey,
    AWS_REGION: REGION,
    QUIRE_TOKEN: TOKEN,
    QUIRE_WEBHOOK_KEY: "a-key-of-the-machines",
    QUIRE_WEBHOOK_ALLOW: HUB,
    QUIRE_LOG_LEVEL: "warn",
  };
}

async function createBucket({ endpoint, ...credentials }: RunningRadosgw) {
  const client = new S3Client({ endpoint, credentials, region: REGION, forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: BUCKET }));
  return { client, name: BUCKET };
}

async function untilReady(processes: readonly QuireProcess[]): Promise<void> {
  const end = performance.now() + READY_MS;
  for (const process of processes) {
    while (!(await process.isReady())) {
      if (performance.now() > end) return report(`${process.machine.name} does not become ready`);
      await sleep(200);
    }
  }
}

/** Spreads the faults over the load. A fault may begin before the one before it is over. */
async function inject(faults: readonly Fault[], receiver: Receiver): Promise<void> {
  const running: Promise<void>[] = [];
  const failures: unknown[] = [];
  for (const [index, fault] of faults.entries()) {
    const wanted = (options.jobs * (index + 0.5)) / (faults.length + 1);
    let [ended, changedAt] = [receiver.ended, performance.now()];
    while (receiver.ended < wanted && failures.length === 0) {
      await sleep(50);
      if (receiver.ended !== ended) [ended, changedAt] = [receiver.ended, performance.now()];
      else if (performance.now() - changedAt > STALLED_MS)
        failures.push(new Error(`no document has ended for ${STALLED_MS / 1000} s`));
    }
    // After a fault that could not be injected, the documents may never end.
    if (failures.length > 0) throw failures[0];
    progress(`${index + 1} of ${faults.length}: ${fault.what}; ${receiver.ended} documents`);
    const run = fault.run();
    run.catch((error: unknown) => failures.push(error));
    running.push(run);
  }
  await Promise.all(running);
}

function tellMore(load: Load, { events }: Receiver): void {
  const repeated = [...events.values()].reduce((sum, { times }) => sum + times - 1, 0);
  notes.push(`${load.accepted.length} batches; ${repeated} events arrived again`);
  const failures = [...load.failures].map(([reason, count]) => `${count} × ${reason}`);
  notes.push(`answers that made clients try again: ${failures.join(", ") || "none"}`);
}
