import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { Quotas, ServiceOptions } from "../../src/index.ts";
import { createTelemetry, DEFAULT_QUOTAS, mostUsed } from "../../src/index.ts";
import {
  batchBody,
  entries,
  expectError,
  HELLO,
  memoryStores,
  ORIGIN,
  type Told,
  testService,
  WEBHOOKS,
} from "../support/service.ts";

const BATCHES = "/2.0/docgen_batches";

/** Returns a service with small quotas for its tenants. */
async function small(quotas: Partial<Quotas>, more: Partial<ServiceOptions> = {}) {
  const stores = memoryStores();
  const limits = { ...DEFAULT_QUOTAS, ...quotas };
  const telemetry = createTelemetry({
    defaultMetrics: false,
    quotas: { limits, most: () => mostUsed(stores) },
  });
  const tested = await testService({ quotas, stores, telemetry, ...more });
  const metrics = async () =>
    (await tested.service.handler(new Request(`${ORIGIN}/metrics`))).text();
  return { ...tested, stores, metrics };
}

/** Checks that a rejection names the quota, its limit and the remedy. */
function expectQuota(told: Told, status: 403 | 429, quota: keyof Quotas, limit: string): void {
  expectError(told, status, status === 403 ? "forbidden" : "too_many_requests");
  expect(told.body.context_info.errors).toMatchObject([{ code: `quota_${quota}` }]);
  expect(told.body.message).toContain(`The quota "${quota}" of the enterprise is used up`);
  expect(told.body.message).toContain(limit);
  expect(told.body.message).toMatch(/\. [A-Z].+ The operator of the service can raise it\.$/);
}

async function uploadTo({ fetch }: Awaited<ReturnType<typeof small>>, name: string, size: number) {
  const form = new FormData();
  form.append("attributes", JSON.stringify({ name, parent: { id: "0" } }));
  form.append("file", new Blob([new Uint8Array(size)]), name);
  const response = await fetch("/2.0/files/content", { raw: { method: "POST", body: form } });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

test.each([undefined, null, {}, "x"])(
  "a batch with %j as its list of entries is a 400, regardless of quotas",
  async (data) => {
    const service = await small({});
    const body = { ...batchBody(await service.upload("hello.docx", HELLO), "0", entries("Ann")) };
    const told = await service.ask(BATCHES, {
      body: { ...body, document_generation_data: data },
    });
    expectError(told, 400, "bad_request");
    expect(told.body.context_info.errors).toMatchObject([{ path: "/document_generation_data" }]);
  },
);

test("files and folders are rejected once their quota is used up", async () => {
  const tested = await small({ files: 2 });
  await tested.upload("a.docx", HELLO);
  const folder = await tested.folder("out");
  const body = { name: "more", parent: { id: "0" } };
  expectQuota(await tested.ask("/2.0/folders", { body }), 403, "files", " 2 versions");
  expectQuota(await uploadTo(tested, "b.docx", 3), 403, "files", " 2 versions");
  // Another tenant has a separate quota, and removing a folder frees space.
  expect((await tested.ask("/2.0/folders", { body, who: "eve" })).status).toBe(201);
  expect((await tested.ask(`/2.0/folders/${folder}`, { method: "DELETE" })).status).toBe(204);
  expect((await tested.ask("/2.0/folders", { body })).status).toBe(201);
});

test("an upload that exceeds the quota of bytes is rejected and leaves nothing", async () => {
  const tested = await small({ disk: 1000 });
  expect((await uploadTo(tested, "a.bin", 600)).status).toBe(201);
  expectQuota(await uploadTo(tested, "b.bin", 500), 403, "disk", " 1,000 bytes");
  expect((await uploadTo(tested, "c.bin", 400)).status).toBe(201);
  expectQuota(await uploadTo(tested, "d.bin", 1), 403, "disk", " 1,000 bytes");
  expect(await tested.stores.files.use("acme")).toEqual({ files: 2, bytes: 1000 });
  const hidden = await tested.storage.list({ type: "folder", id: "tenants/acme/.quire" });
  expect(hidden.entries).toHaveLength(3); // including the file that marks the folder
});

test("the data of batches counts as bytes, and a document that exceeds the quota fails", async () => {
  const tested = await small({ disk: 2 * HELLO.length + 500 });
  const file = await tested.upload("hello.docx", HELLO);
  const out = await tested.folder("out");
  const batch = await tested.batch(file, out, entries("Ann"));
  expect((await tested.finished(batch)).body.counts).toMatchObject({ failed: 1 });
  const { body } = await tested.ask(`/2.0/docgen_batch_jobs/${batch}`);
  expect(body.entries[0].failures.errors[0]).toContain(
    'The quota "disk" of the enterprise is used',
  );
  expect(await tested.stores.files.use("acme")).toMatchObject({ bytes: HELLO.length });
  const long = [{ generated_file_name: "Bob", user_input: { name: "x".repeat(1000) } }];
  await tested.batch(file, out, long);
  const refused = await tested.ask(BATCHES, { body: batchBody(file, out, entries("Cy")) });
  expectQuota(refused, 403, "disk", " bytes");
});

test("a batch with more jobs than the quota of waiting jobs is rejected permanently", async () => {
  const tested = await small({ waiting: 3 });
  const file = await tested.upload("hello.docx", HELLO);
  const out = await tested.folder("out");
  const body = batchBody(file, out, entries("a", "b", "c", "d"));
  expectQuota(await tested.ask(BATCHES, { body }), 403, "waiting", " 3 jobs");
});

test("a batch is rejected if too many jobs wait, but a repeated request is recognized", async () => {
  const stores = memoryStores();
  const tested = await testService({ stores, quotas: { waiting: 3 } });
  const file = await tested.upload("hello.docx", HELLO);
  const out = await tested.folder("out");
  const submit = (names: readonly string[], key: string) =>
    tested.ask(BATCHES, {
      body: batchBody(file, out, entries(...names)),
      headers: { "idempotency-key": key },
    });
  const first = await submit(["a"], "first");
  expect(first.status).toBe(202);
  await tested.finished(first.body.id);
  const { gauge } = stores.jobs;
  const full = async () => ({ waiting: 3, jobs: 3, bytes: 0 });
  Object.assign(gauge, { use: full });
  expectQuota(await submit(["b"], "second"), 429, "waiting", " 3 jobs");
  expect((await submit(["a"], "first")).body.id).toBe(first.body.id);
});

test("a batch is rejected once the quota of kept jobs is used up", async () => {
  const tested = await small({ jobs: 2 });
  const file = await tested.upload("hello.docx", HELLO);
  const out = await tested.folder("out");
  await tested.finished(await tested.batch(file, out, entries("a", "b")));
  const refused = await tested.ask(BATCHES, { body: batchBody(file, out, entries("c")) });
  expectQuota(refused, 403, "jobs", " 2 jobs");
});

test("webhooks are limited in total and per target, also when a target changes", async () => {
  const tested = await small({ webhooks: 3, targetWebhooks: 2 }, { webhooks: WEBHOOKS });
  const out = await tested.folder("out");
  const triggers = ["DOCGEN_DOCUMENT_GENERATION_FAILED"];
  const hook = (id: string) => ({
    body: { target: { type: "folder", id }, address: "https://hooks.example/in", triggers },
  });
  for (let count = 0; count < 2; count++) {
    expect((await tested.ask("/2.0/webhooks", hook("0"))).status).toBe(201);
  }
  expectQuota(await tested.ask("/2.0/webhooks", hook("0")), 403, "targetWebhooks", " 2 webhooks");
  const other = await tested.ask("/2.0/webhooks", hook(out));
  const path = `/2.0/webhooks/${other.body.id}`;
  const moved = await tested.ask(path, { method: "PUT", body: { target: hook("0").body.target } });
  expectQuota(moved, 403, "targetWebhooks", " 2 webhooks");
  const same = await tested.ask(path, { method: "PUT", body: { target: hook(out).body.target } });
  expect(same.status).toBe(200);
  expectQuota(await tested.ask("/2.0/webhooks", hook(out)), 403, "webhooks", " 3 webhooks");
  expect((await tested.ask("/2.0/webhooks", { ...hook("0"), who: "eve" })).status).toBe(201);
});

test("events above the quota are not stored, and no batch is accepted until some are sent", async () => {
  const receiver = createServer((_, response) => response.writeHead(500).end());
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void receiver.close());
  const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const logged: object[] = [];
  const logger = { info() {}, warn() {}, error: (facts: object) => logged.push(facts) };
  const webhooks = { ...WEBHOOKS, allow: ["127.0.0.1"] };
  const tested = await small({ deliveries: 5 }, { webhooks, logger });
  const triggers = ["DOCGEN_DOCUMENT_GENERATION_SUCCEEDED"];
  for (let count = 0; count < 3; count++) {
    const body = { target: { type: "folder", id: "0" }, address, triggers };
    expect((await tested.ask("/2.0/webhooks", { body })).status).toBe(201);
  }
  const file = await tested.upload("hello.docx", HELLO);
  const out = await tested.folder("out");
  await tested.finished(await tested.batch(file, out, entries("a", "b", "c")));
  await expect.poll(() => logged.length).toBe(4);
  expect(logged[0]).toMatchObject({ reason: "quota_deliveries" });
  expect(await tested.stores.webhooks.use("acme")).toEqual({ webhooks: 3, deliveries: 5 });
  const refused = await tested.ask(BATCHES, { body: batchBody(file, out, entries("d")) });
  expectQuota(refused, 429, "deliveries", " 5 events");
});

test("metrics show quotas, their highest usage and their rejections, without names of tenants", async () => {
  const tested = await small({ files: 1 });
  await tested.upload("a.docx", HELLO);
  expect((await uploadTo(tested, "b.docx", 3)).status).toBe(403);
  const text = await tested.metrics();
  expect(text).toContain('quire_quota_limit{quota="files"} 1\n');
  expect(text).toContain('quire_quota_most_used{quota="files"} 1\n');
  expect(text).toContain(`quire_quota_most_used{quota="disk"} ${HELLO.length}\n`);
  expect(text).toContain('quire_quota_refusals_total{quota="files"} 1\n');
  expect(text).toContain('quire_quota_refusals_total{quota="disk"} 0\n');
  expect(text).not.toContain("acme");
});

test.for([-1, 1.5, Number.NaN])(
  "a quota of %d is rejected when a service is created",
  async (files) => {
    await expect(testService({ quotas: { files } })).rejects.toThrow(
      /The quota "files" is not valid/,
    );
  },
);
