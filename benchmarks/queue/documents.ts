/** Measures nodes that make documents, from the request to the last file: their rate, and the CPU time of each. */
import { cp, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createEngine, type Engine } from "@quire/core";
import { diagnose } from "@quire/pdf-libreoffice";
import { postgresStores } from "@quire/postgres";
import { fsStorage } from "@quire/storage-fs";
import type { PostgresServer } from "../../packages/postgres/test/support/postgres-server.ts";
import { spreadOf } from "../measure/statistics.ts";
import type { Account } from "../pdf/account/account.ts";
import { openAccount } from "../pdf/account/open-account.ts";
import { serverCpuMs } from "./cpu.ts";
import type { DocumentNodeOptions } from "./document-node.ts";
import { withClient } from "./nodes.ts";
import type { DocumentsLine, DocumentsResults } from "./results.ts";

const PROGRAM = fileURLToPath(new URL("document-node.ts", import.meta.url));
const EXAMPLES = fileURLToPath(new URL("../../examples/", import.meta.url));
const NODES = [1, 2, 4];
/** A poll costs the server time, so there are few. */
const POLL_MS = 250;

interface Load {
  readonly output: "docx" | "pdf";
  readonly documents: number;
  readonly rounds: number;
}

const DOCX: Load = { output: "docx", documents: 2000, rounds: 3 };
const PDF: Load = { output: "pdf", documents: 120, rounds: 3 };

/** Measures nodes that make invoices in a folder: as docx, and as PDF if LibreOffice is installed. */
export async function measureDocuments(server: PostgresServer): Promise<DocumentsResults> {
  const lines: DocumentsLine[] = [];
  for (const load of (await diagnose()).mode === null ? [DOCX] : [DOCX, PDF]) {
    const rounds: Measured[][] = [];
    for (let round = 0; round < load.rounds; round++) {
      const all: Measured[] = [];
      for (const nodes of NODES) {
        all.push(await measure(server, `${load.output}_${round}_${nodes}`, load, nodes));
        console.log(load.output, nodes, all.at(-1));
      }
      rounds.push(all);
    }
    lines.push(...NODES.map((nodes, index) => lineOf(load, rounds, index, nodes)));
  }
  return { lines };
}

/** The figures of one round with a number of nodes; the times in milliseconds. */
interface Measured {
  /** Documents per second. */
  readonly rate: number;
  readonly serverCpuMs: number;
  readonly nodeCpuMs: number;
}

function lineOf(
  load: Load,
  rounds: readonly (readonly Measured[])[],
  index: number,
  nodes: number,
): DocumentsLine {
  const spread = (figure: (measured: Measured, one: Measured) => number) =>
    spreadOf(rounds.map((all) => figure(all[index] as Measured, all[0] as Measured)));
  return {
    ...load,
    nodes,
    rate: spread(({ rate }) => rate),
    speedup: spread(({ rate }, one) => rate / one.rate),
    serverCpuMs: spread((measured) => measured.serverCpuMs),
    nodeCpuMs: spread((measured) => measured.nodeCpuMs),
  };
}

async function measure(
  { url, pid }: PostgresServer,
  schema: string,
  { output, documents }: Load,
  count: number,
): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), "quire-bench-nodes-"));
  const accounts: Account[] = [];
  const { jobs } = postgresStores({ url, schema });
  const options = {
    storage: fsStorage({ root: folder }),
    jobs,
    work: false,
    acceptsConversions: true,
  };
  const engine = createEngine(options);
  try {
    await mkdir(join(folder, "out"));
    await cp(join(EXAMPLES, "templates/invoice.docx"), join(folder, "template.docx"));
    for (let node = 0; node < count; node++) {
      accounts.push(startNode({ url, schema, folder, output }));
    }
    // Each node starts its rendering processes, and LibreOffice.
    await make(engine, output, 20 * count, "first");
    const cpuMs = () => accounts.reduce((sum, account) => sum + account.cpuMs(), 0);
    const [serverBefore, nodesBefore, begunAt] = [
      await serverCpuMs(pid),
      cpuMs(),
      performance.now(),
    ];
    await make(engine, output, documents, "invoice");
    const ms = performance.now() - begunAt;
    return {
      rate: (1000 * documents) / ms,
      serverCpuMs: ((await serverCpuMs(pid)) - serverBefore) / documents,
      nodeCpuMs: (cpuMs() - nodesBefore) / documents,
    };
  } finally {
    for (const account of accounts) await account.close();
    await engine.close();
    await withClient(url, (client) => client.query(`DROP SCHEMA ${schema} CASCADE`));
    await rm(folder, { recursive: true, force: true });
  }
}

function startNode(options: DocumentNodeOptions): Account {
  const account = openAccount();
  const args = ["--no-warnings", PROGRAM, JSON.stringify(options)];
  const child = account.spawn(process.execPath, args, { stdio: "pipe" });
  child.stdout?.resume();
  child.stderr?.pipe(process.stderr);
  return account;
}

/** Submits a batch of invoices, and waits until all are made. */
async function make(engine: Engine, output: Load["output"], count: number, name: string) {
  const invoices = JSON.parse(await readFile(join(EXAMPLES, "data/invoices.json"), "utf8"));
  const { id } = await engine.createBatch({
    file: { type: "file", id: "template.docx" },
    input_source: "api",
    destination_folder: { type: "folder", id: "out" },
    output_type: output,
    document_generation_data: Array.from({ length: count }, (_, index) => ({
      ...invoices[index % invoices.length],
      generated_file_name: `${name} ${index}`,
    })),
  });
  for (;;) {
    const { status, counts } = await engine.getBatch(id);
    if (status === "finished") {
      if (counts.completed === count) return;
      throw new Error(`Only ${counts.completed} of ${count} invoices were made.`);
    }
    await wait(POLL_MS);
  }
}
