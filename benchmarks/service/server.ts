/**
 * The servers with which the real service is compared, each in a separate process. `floor`: Node's HTTP server, which
 * reads the body and responds with 202. `layer`: the service's handler with an engine that accepts everything
 * immediately. `held`: the service, but documents are never rendered.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createEngine, type Engine, type Renderer } from "@quire/core";
import { sqliteStores } from "@quire/jobs-sqlite";
import {
  createFiles,
  createService,
  createServiceHandler,
  createTelemetry,
  startServer,
  storedTokens,
} from "@quire/service";
import { fsStorage } from "@quire/storage-fs";

const [kind = "", data = ""] = process.argv.slice(2);

const limits = { requestsPerMinute: Number.POSITIVE_INFINITY };

/** A renderer that never finishes a document. */
const held: Renderer = {
  open: () => ({
    render: () => new Promise<never>(() => {}),
    check: () => new Promise<never>(() => {}),
    inspect: () => new Promise<never>(() => {}),
  }),
  close: async () => {},
};

function parts() {
  const storage = fsStorage({ root: join(data, "files") });
  const stores = sqliteStores({ path: join(data, "quire.db") });
  const telemetry = createTelemetry({ depth: () => stores.jobs.gauge.depth() });
  return { storage, stores, telemetry, authenticate: storedTokens(stores.tokens), limits };
}

async function layer(): Promise<number> {
  const { storage, stores, ...rest } = parts();
  const files = createFiles({ storage, catalog: stores.files });
  const real = createEngine({ storage: (tenant) => files.storageOf(tenant), renderer: held });
  const engine = Object.assign(Object.create(real) as Engine, {
    createBatch: async () => ({ id: "6f1c6c0c-9a3f-4c43-8f3b-7a3d1c1f1f11" }),
  });
  const handler = createServiceHandler(engine, { ...rest, files, templates: stores.templates });
  return (await startServer(handler, { port: 0 })).port;
}

async function service(): Promise<number> {
  const { handler } = await createService({ ...parts(), engine: { renderer: held } });
  return (await startServer(handler, { port: 0 })).port;
}

async function floor(): Promise<number> {
  const answer = JSON.stringify({
    id: "6f1c6c0c-9a3f-4c43-8f3b-7a3d1c1f1f11",
    type: "docgen_batch",
  });
  const server = createServer((request, response) => {
    request.resume().once("end", () => {
      response.writeHead(202, { "content-type": "application/json" }).end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

const port = await { floor, layer, held: service }[kind as "floor" | "layer" | "held"]();
console.error(`listens on http://127.0.0.1:${port}`);
