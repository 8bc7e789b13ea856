/** Measures worker nodes on the same batches: their rate, and the CPU time for each document. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { cpus } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createEngine, type Engine, memoryStorage } from "@quire/core";
import { postgresStores } from "@quire/postgres";
import pg from "pg";
import type { PostgresServer } from "../../packages/postgres/test/support/postgres-server.ts";
import { spreadOf } from "../measure/statistics.ts";
import { processCpuMs, serverCpuMs } from "./cpu.ts";
import type { NodeOptions, NodeReport } from "./node.ts";
import type { LoadOptions, NodesLine, NodesResults } from "./results.ts";

const PROGRAM = fileURLToPath(new URL("node.ts", import.meta.url));
const NODES = [1, 2, 4];
const ROUNDS = 3;
/** With these loads, a node makes about 300 documents per second, however many processors it has. */
export const ONE_BATCH: LoadOptions = { batches: 1, tenants: 1, concurrency: 16, waitMs: 50 };
const MANY_BATCHES: LoadOptions = { batches: 64, tenants: 8, concurrency: 32, waitMs: 1000 };
const ENTRIES = 16_000;
const WARM_UP_MS = 2500;
const WINDOW_MS = 6000;

const text = "x".repeat(1000);

/** Measures nodes that wait instead of rendering, on one large batch and on many batches of several tenants. */
export async function measureNodes(server: PostgresServer): Promise<NodesResults> {
  const lines: NodesLine[] = [];
  for (const load of [ONE_BATCH, MANY_BATCHES]) {
    const rounds: Measured[][] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const all: Measured[] = [];
      for (const nodes of NODES) {
        all.push(await measure(server, `nodes_${load.batches}_${round}_${nodes}`, nodes, load));
        console.log(load.batches, nodes, all.at(-1));
      }
      rounds.push(all);
    }
    lines.push(...NODES.map((nodes, index) => lineOf(rounds, index, load, nodes)));
  }
  return { rounds: ROUNDS, lines };
}

/** The figures of one round with a number of nodes; the times in milliseconds. */
export interface Measured {
  /** Documents per second. */
  readonly rate: number;
  readonly serverCpuMs: number;
  readonly nodeCpuMs: number;
  readonly busy: number;
  readonly flushMs: number;
}

/** Returns the line of the nodes at a place in each round. The first place has one node. */
export function lineOf(
  rounds: readonly (readonly Measured[])[],
  index: number,
  load: LoadOptions,
  nodes: number,
): NodesLine {
  const spread = (figure: (measured: Measured, one: Measured) => number) =>
    spreadOf(rounds.map((all) => figure(all[index] as Measured, all[0] as Measured)));
  return {
    ...load,
    nodes,
    rate: spread(({ rate }) => rate),
    speedup: spread(({ rate }, one) => rate / one.rate),
    serverCpuMs: spread((measured) => measured.serverCpuMs),
    nodeCpuMs: spread((measured) => measured.nodeCpuMs),
    serverRatio: spread((measured, one) => measured.serverCpuMs / one.serverCpuMs),
    busy: spread(({ busy }) => busy),
    flushMs: spread(({ flushMs }) => flushMs),
  };
}

async function acceptAll(engine: Engine, { batches, tenants }: LoadOptions): Promise<void> {
  for (let batch = 0; batch < batches; batch++) {
    await accept(engine, { tenant: `tenant ${batch % tenants}`, entries: ENTRIES / batches });
  }
}

/** Accepts a batch with 1 kB of data for each entry. `report`: the name that the nodes report when they begin its documents. */
export async function accept(
  engine: Engine,
  { tenant, entries, report }: { tenant: string; entries: number; report?: string },
): Promise<string> {
  async function* all() {
    for (let index = 0; index < entries; index++) {
      const user_input = report === undefined ? { text } : { text, report };
      yield { generated_file_name: `${tenant} ${index}`, user_input };
    }
  }
  const { id } = await engine.createBatch(
    {
      file: { type: "file", id: "letter.docx" },
      input_source: "api",
      destination_folder: { type: "folder", id: "out" },
      output_type: "docx",
      document_generation_data: all(),
    },
    { tenant },
  );
  return id;
}

/** An engine that only accepts batches. */
export function acceptingEngine(url: string, schema: string): Engine {
  const storage = memoryStorage({
    folders: ["out"],
    files: { "letter.docx": new Uint8Array(20_000) },
  });
  return createEngine({ storage, jobs: postgresStores({ url, schema }).jobs, work: false });
}

/** Nodes that run. */
export class Nodes {
  readonly #children: readonly ChildProcess[];

  private constructor(children: readonly ChildProcess[]) {
    this.#children = children;
  }

  /** Starts nodes, and resolves when each has begun a document. */
  static async start(
    count: number,
    options: NodeOptions,
    onReport: (report: NodeReport) => void = () => {},
  ): Promise<Nodes> {
    const children = Array.from({ length: count }, () => fork(PROGRAM, [JSON.stringify(options)]));
    for (const child of children) {
      child.on("message", (message) => onReport(message as NodeReport));
    }
    await Promise.all(children.map((child) => once(child, "message")));
    return new Nodes(children);
  }

  async cpuMs(): Promise<number> {
    const times = this.#children.map(({ pid = 0 }) => processCpuMs(pid));
    return (await Promise.all(times)).reduce((sum, ms) => sum + ms, 0);
  }

  async kill(): Promise<void> {
    const ended = this.#children.map((child) => once(child, "exit"));
    for (const child of this.#children) child.kill("SIGKILL");
    await Promise.all(ended);
  }
}

async function measure(
  server: PostgresServer,
  schema: string,
  count: number,
  load: LoadOptions,
): Promise<Measured> {
  const { url } = server;
  const engine = acceptingEngine(url, schema);
  await acceptAll(engine, load);
  await engine.close();
  const nodes = await Nodes.start(count, { url, schema, ...load });
  const measured = await duringWindow(server, schema, nodes);
  await nodes.kill();
  await withClient(url, (client) => client.query(`DROP SCHEMA ${schema} CASCADE`));
  return measured;
}

/** Measures nodes for some seconds, after others to warm up. */
export async function duringWindow(
  server: PostgresServer,
  schema: string,
  nodes: Pick<Nodes, "cpuMs">,
  windowMs = WINDOW_MS,
): Promise<Measured> {
  await wait(WARM_UP_MS);
  return withClient(server.url, async (client) => {
    const state = async () => {
      const made = await client.query(
        `SELECT (SELECT coalesce(sum(completed), 0) FROM ${schema}.run)
           + (SELECT coalesce(sum(completed), 0) FROM ${schema}.batch WHERE state = 2) AS made,
           (SELECT coalesce(sum(submitted), 0) FROM ${schema}.run) AS waiting, wal_sync, wal_sync_time
         FROM pg_stat_wal`,
      );
      const [cpu, own] = await Promise.all([serverCpuMs(server.pid), nodes.cpuMs()]);
      const [documents, waiting, flushes, flushMs] = Object.values(made.rows[0]).map(Number) as [
        number,
        number,
        number,
        number,
      ];
      return { documents, waiting, flushes, flushMs, cpu, own, at: performance.now() };
    };
    const before = await state();
    await wait(windowMs);
    const after = await state();
    if (after.waiting === 0) throw new Error("All documents were made during the measurement.");
    const [made, ms] = [after.documents - before.documents, after.at - before.at];
    const [cpu, own] = [after.cpu - before.cpu, after.own - before.own];
    return {
      rate: (1000 * made) / ms,
      serverCpuMs: cpu / made,
      nodeCpuMs: own / made,
      busy: (cpu + own) / ms / cpus().length,
      flushMs: (after.flushMs - before.flushMs) / (after.flushes - before.flushes),
    };
  });
}

/** Runs a function with a connection. */
export async function withClient<T>(
  url: string,
  body: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await body(client);
  } finally {
    await client.end();
  }
}
