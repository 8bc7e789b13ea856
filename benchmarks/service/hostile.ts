/**
 * One tenant sends requests that take long to read. These functions measure how long they block the service for
 * everyone.
 */
import { setTimeout as wait } from "node:timers/promises";
import { spreadOf } from "../measure/statistics.ts";
import { jobOf } from "./flood.ts";
import { manyObjects, tagged } from "./hostile-files.ts";
import type { HostileLine } from "./results.ts";
import { call, load, type Server, startService, type Tenant, upload } from "./running.ts";
import type { Metered, PacedTask, Told } from "./tasks.ts";

/** A hostile request. Resolves when the service has finished with it. */
interface Hostility {
  readonly title: string;
  send(url: string, tenant: Tenant): Promise<void>;
}

const LIMIT_MS = 60_000;
const EVERY_MS = 20;

const HOSTILE: readonly Hostility[] = [
  {
    title: "16 PDF forms of 300,000 objects each, with metadata",
    async send(url, tenant) {
      const file = await upload(url, tenant.token, "form.pdf", manyObjects(300_000));
      const pdf = { metadata: { title: "Hello" } };
      await untilDone(url, tenant, await batch(url, tenant, file, 16, { output_type: "pdf", pdf }));
    },
  },
  {
    title: "40 documents with 100 unknown tags of 180,000 characters each, and their list",
    async send(url, tenant) {
      const tags = Array.from({ length: 100 }, (_, index) => `a${index}.${"b".repeat(180_000)}`);
      const file = await upload(url, tenant.token, "long.docx", tagged(tags));
      const id = await batch(url, tenant, file, 40, {});
      await untilDone(url, tenant, id);
      await call(url, tenant.token, `/2.0/docgen_batch_jobs/${id}?limit=1000`);
    },
  },
  {
    title: "the tags of a template that has 100,000",
    async send(url, tenant) {
      const tags = Array.from({ length: 100_000 }, (_, index) => `a${index}.b${index}`);
      const file = await upload(url, tenant.token, "many.docx", tagged(tags));
      await post(url, tenant, "/2.0/docgen_templates", { file: { type: "file", id: file } });
      const path = `/2.0/docgen_templates/${file}/tags?limit=1000`;
      const end = performance.now() + LIMIT_MS;
      while ((await statusOf(url, tenant, path)) === 202 && performance.now() < end)
        await wait(200);
    },
  },
  {
    title: "8 × 10 MB of JSON, 500,000 long numbers each",
    async send(url, tenant) {
      const body = `{"x":[${Array.from({ length: 500_000 }, () => "1111111111111111111").join(",")}]}`;
      const path = "/2.0/docgen_batches";
      await Promise.all(Array.from({ length: 8 }, () => statusOf(url, tenant, path, body)));
    },
  },
];

/** Returns the longest pause of the event loop for each kind of request. Each request runs on a new server. */
export async function hostileScenario(rounds: number): Promise<HostileLine[]> {
  const lines: HostileLine[] = [];
  for (const { title, send } of HOSTILE) {
    const all: { readonly health: Told; readonly meter: Metered }[] = [];
    for (let round = 0; round < rounds; round++) all.push(await beside(send));
    const line: HostileLine = {
      title,
      pause: spreadOf(all.map(({ meter }) => meter.pauseMs)),
      health: spreadOf(all.map(({ health }) => health.latency.max)),
      peakMb: Math.max(...all.map(({ meter }) => meter.peakMb)),
    };
    console.log(line);
    lines.push(line);
  }
  return lines;
}

async function beside(send: Hostility["send"]): Promise<{ health: Told; meter: Metered }> {
  await using server = await startService("running");
  const [tenant] = server.tenants as [Tenant];
  // The first job loads the code that documents need and starts a rendering process.
  await jobOf(server, tenant);
  await load(healthOf(server, 1));
  const { done, meter } = await server.metered(async () => {
    const sending = send(server.url, tenant);
    const healths: Told[] = [];
    let isOver = false;
    const over = sending.finally(() => {
      isOver = true;
    });
    do healths.push((await load<[Told]>(healthOf(server, 3)))[0]);
    while (!isOver);
    await over;
    return healths.reduce((worst, told) => (told.latency.max > worst.latency.max ? told : worst));
  });
  return { health: done, meter };
}

function healthOf({ url }: Pick<Server, "url">, seconds: number): PacedTask {
  const asks = [{ method: "GET", path: "/healthz" }] as const;
  return { kind: "paced", url, asks, token: "", everyMs: EVERY_MS, seconds };
}

async function batch(
  url: string,
  tenant: Tenant,
  file: string,
  entries: number,
  more: object,
): Promise<string> {
  const { id } = await post(url, tenant, "/2.0/docgen_batches", {
    file: { type: "file", id: file },
    input_source: "api",
    destination_folder: { type: "folder", id: tenant.folder },
    output_type: "docx",
    ...more,
    document_generation_data: Array.from({ length: entries }, (_, entry) => ({
      generated_file_name: `hostile ${entry}`,
      user_input: {},
    })),
  });
  return id;
}

async function untilDone(url: string, { token }: Tenant, id: string): Promise<void> {
  const end = performance.now() + LIMIT_MS;
  while (performance.now() < end) {
    const { status } = await call(url, token, `/2.0/docgen_batches/${id}`);
    if (status === "finished") return;
    await wait(500);
  }
}

function post(url: string, { token }: Tenant, path: string, body: object) {
  const headers = { "content-type": "application/json" };
  return call(url, token, path, { method: "POST", headers, body: JSON.stringify(body) });
}

async function statusOf(
  url: string,
  { token }: Tenant,
  path: string,
  body?: string,
): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, "service-version": "2025.0" };
  const sent =
    body === undefined
      ? { headers }
      : { method: "POST", headers: { ...headers, "content-type": "application/json" }, body };
  const response = await fetch(url + path, sent);
  await response.arrayBuffer();
  return response.status;
}
