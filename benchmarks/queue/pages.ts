/** Pages of jobs and batches of tables with many jobs. */
import { type JobStore, toMarker } from "@quire/core";
import { postgresStores } from "@quire/postgres";
import type { PostgresServer } from "../../packages/postgres/test/support/postgres-server.ts";
import { serverCpuMs } from "./cpu.ts";
import { type Filled, fill } from "./fill.ts";
import { accept, acceptingEngine, withClient } from "./nodes.ts";
import type { PageLine, PagesResults } from "./results.ts";

const SIZES = [300_000, 10_000_000];
const REPEATS = 300;
const LIMIT = 100;

/** Measures pages at each number of jobs. */
export async function measurePages(server: PostgresServer): Promise<PagesResults> {
  const lines: PageLine[] = [];
  for (const size of SIZES) {
    const schema = `pages_${size}`;
    const engine = acceptingEngine(server.url, schema);
    await accept(engine, { tenant: "running", entries: 1000 });
    const filled = await withClient(server.url, (client) => fill(client, schema, size));
    await engine.close();
    const { jobs: store } = postgresStores({ url: server.url, schema });
    for (const [title, read] of Object.entries(pages(store, filled))) {
      const line = await measure(server.pid, title, size, read);
      console.log(line);
      lines.push(line);
    }
    await store.close();
    await withClient(server.url, (client) => client.query(`DROP SCHEMA ${schema} CASCADE`));
  }
  return { repeats: REPEATS, lines };
}

type Read = () => Promise<{ readonly items: readonly unknown[] }>;

/** Each page by its title. A deep page begins after 90 % of the batch. */
function pages(store: JobStore, { large, largeNo, largeJobs }: Filled): Record<string, Read> {
  const page = { limit: LIMIT, order: "entry" } as const;
  const batchId = large;
  const tenant = "tenant 7";
  const marker = toMarker("jobs", [largeNo, largeJobs * 0.9]);
  return {
    "jobs of a large batch, first page": () => store.listJobs({ ...page, batchId }),
    "jobs of a large batch, deep page": () => store.listJobs({ ...page, batchId, marker }),
    "completed jobs of a large batch, deep page": () =>
      store.listJobs({ ...page, batchId, status: "completed", marker }),
    "failed jobs of a large batch, first page": () =>
      store.listJobs({ ...page, batchId, status: "failed" }),
    "failed jobs of a large batch, deep page": () =>
      store.listJobs({ ...page, batchId, status: "failed", marker }),
    "jobs of a large batch in the order of their ends": () =>
      store.listJobs({ batchId, order: "ended", limit: LIMIT }),
    "jobs of an enterprise, first page": () => store.listJobs({ ...page, tenant }),
    "completed jobs of an enterprise": () =>
      store.listJobs({ ...page, tenant, status: "completed" }),
    "failed jobs of an enterprise": () => store.listJobs({ ...page, tenant, status: "failed" }),
    "failed jobs of a template": () =>
      store.listJobs({ ...page, template: "letter.docx", status: "failed" }),
    "jobs of a template with errors": () =>
      store.listJobs({ ...page, template: "letter.docx", status: "completed_with_error" }),
    "waiting jobs of an enterprise": () =>
      store.listJobs({ ...page, tenant: "running", status: "submitted" }),
    "batches of an enterprise": () => store.listBatches({ tenant, limit: LIMIT }),
  };
}

async function measure(pid: number, title: string, jobs: number, read: Read): Promise<PageLine> {
  // Functions and statements keep their plans after some calls.
  for (let times = 0; times < 20; times++) await read();
  const before = await serverCpuMs(pid);
  let items = 0;
  for (let times = 0; times < REPEATS; times++) {
    items = (await read()).items.length;
  }
  const cpuMs = ((await serverCpuMs(pid)) - before) / REPEATS;
  return { title, jobs, items, cpuMs };
}
