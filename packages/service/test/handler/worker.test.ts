/** Services that make no documents, and workers that make them, over the same stores and the same storage. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { renderInProcess } from "@quire/core";
import { type SqliteStores, sqliteStores } from "@quire/jobs-sqlite";
import { fsStorage } from "@quire/storage-fs";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  createServiceWorker,
  createTelemetry,
  type ServiceWorkerOptions,
} from "../../src/index.ts";
import {
  batchBody,
  entries,
  expectError,
  HELLO,
  type TestService,
  testService,
  told,
  WEBHOOKS,
} from "../support/service.ts";
import { receiver } from "../webhooks/support/receiver.ts";

interface Place {
  stores(): SqliteStores;
  service(options?: Parameters<typeof testService>[0]): Promise<TestService>;
  worker(options?: Partial<ServiceWorkerOptions>): ReturnType<typeof createServiceWorker>;
}

async function makePlace(): Promise<Place> {
  const base = await mkdtemp(join(tmpdir(), "quire-worker-"));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  await mkdir(join(base, "files"));
  const storage = () => fsStorage({ root: join(base, "files") });
  const stores = () => sqliteStores({ path: join(base, "quire.db") });
  return {
    stores,
    service: ({ engine, ...options } = {}) =>
      testService({
        storage: storage(),
        stores: stores(),
        engine: { renderer: renderInProcess(), work: false, ...engine },
        ...options,
      }),
    worker: async (options = {}) => {
      const worker = await createServiceWorker({
        storage: storage(),
        stores: stores(),
        engine: { renderer: renderInProcess() },
        ...options,
      });
      onTestFinished(() => worker.close());
      return worker;
    },
  };
}

describe("A service that makes no documents", () => {
  test("accepts batches, and a worker with the same stores makes their documents", async () => {
    const place = await makePlace();
    const service = await place.service();
    const file = await service.upload("hello.docx", HELLO);
    const folder = await service.folder("out");
    const batch = await service.batch(file, folder, entries("a", "b"));
    expect((await service.ask(`/2.0/docgen_batches/${batch}`)).body.status).toBe("running");
    await place.worker();
    const { body } = await service.finished(batch);
    expect(body.counts).toMatchObject({ completed: 2 });
    const { body: items } = await service.ask(`/2.0/folders/${folder}/items`);
    expect(items.entries.map(({ name }: { name: string }) => name)).toEqual(["a.docx", "b.docx"]);
  });

  test("sends the events of jobs to webhooks, with keys that the worker does not have", async () => {
    const place = await makePlace();
    await using hooks = await receiver();
    const allow = ["127.0.0.1"];
    const service = await place.service({ webhooks: { ...WEBHOOKS, allow } });
    const { status } = await service.ask("/2.0/webhooks", {
      body: {
        target: { type: "folder", id: "0" },
        address: `http://127.0.0.1:${hooks.port}/`,
        triggers: ["DOCGEN_DOCUMENT_GENERATION_SUCCEEDED"],
      },
    });
    expect(status).toBe(201);
    await place.worker();
    const file = await service.upload("hello.docx", HELLO);
    await service.batch(file, await service.folder("out"), entries("a"));
    await expect.poll(() => hooks.received.length, { timeout: 20_000 }).toBe(1);
    const [event] = hooks.received;
    expect(event?.headers["box-signature-primary"]).toMatch(/=$/);
    expect(JSON.parse(event?.body ?? "")).toMatchObject({
      trigger: "DOCGEN_DOCUMENT_GENERATION_SUCCEEDED",
      source: { status: "completed" },
    });
  });

  test("accepts PDFs for workers with a converter, unless it must not", async () => {
    const place = await makePlace();
    const service = await place.service();
    const file = await service.upload("hello.docx", HELLO);
    const folder = await service.folder("out");
    const body = { ...batchBody(file, folder, entries("a")), output_type: "pdf" };
    expect((await service.ask("/2.0/docgen_batches", { body })).status).toBe(202);
    const onlyDocx = await place.service({ engine: { acceptsConversions: false } });
    const refused = await onlyDocx.ask("/2.0/docgen_batches", { body });
    expectError(refused, 400, "bad_request");
    expect(refused.body.message).toContain("cannot make PDFs");
  });
});

describe("A worker", () => {
  const ask = (path: string, init?: RequestInit) => new Request(`http://worker.test${path}`, init);

  test("reports its health and metrics, and has no API", async () => {
    const place = await makePlace();
    const stores = place.stores();
    const telemetry = createTelemetry({ depth: () => stores.jobs.gauge.depth() });
    const worker = await place.worker({ stores, telemetry });
    const answered = async (path: string, init?: RequestInit) =>
      told(await worker.handler(ask(path, init)));
    expect(await answered("/healthz")).toMatchObject({ status: 200, body: { status: "ok" } });
    expect(await answered("/readyz")).toMatchObject({ status: 200, body: { status: "ready" } });
    const { body: metrics } = await answered("/metrics");
    expect(metrics).toMatch(/^quire_queue_oldest_seconds\{kind="pdf"\} 0$/m);
    const missing = await answered("/2.0/folders/0");
    expect(missing).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect(missing.body.message).toContain("/healthz, /readyz, /metrics");
    expect((await answered("/healthz", { method: "POST" })).status).toBe(405);
    expect(metrics).not.toContain("quire_http_requests_total{");
    worker.drain();
    expect(await answered("/readyz")).toMatchObject({ status: 503, body: { code: "unavailable" } });
    expect((await answered("/healthz")).status).toBe(200);
  });

  test("is not ready while the job store fails, and does not start without it", async () => {
    const place = await makePlace();
    const stores = place.stores();
    const worker = await place.worker({ stores });
    await stores.close();
    const { status, body } = await told(await worker.handler(ask("/readyz")));
    expect([status, body.message]).toEqual([503, expect.stringContaining("job store")]);
    await expect(place.worker({ stores })).rejects.toMatchObject({ code: "job_store_failed" });
  });

  test("rejects unknown options, and options that make it useless", async () => {
    const place = await makePlace();
    const wrong = { webhooks: WEBHOOKS } as Partial<ServiceWorkerOptions>;
    await expect(place.worker(wrong)).rejects.toMatchObject({ code: "invalid_request" });
    const idle = place.worker({ engine: { work: false, renderer: renderInProcess() } });
    await expect(idle).rejects.toThrow("work of createEngine() is false");
  });
});
