import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sqliteStores } from "@quire/jobs-sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { expectError, HELLO, type TestService, testService, WEBHOOKS } from "../support/service.ts";

const TRIGGER = "DOCGEN_DOCUMENT_GENERATION_SUCCEEDED";
const HOOK = {
  target: { type: "folder", id: "0" },
  address: "https://hooks.invalid/a?b=c",
  triggers: [TRIGGER],
};

async function hook(service: TestService, more: object = {}) {
  return service.ask("/2.0/webhooks", { body: { ...HOOK, ...more } });
}

describe("A webhook", () => {
  test("is created, found, changed and deleted", async () => {
    const service = await testService({ webhooks: WEBHOOKS });
    const made = await hook(service);
    expect(made).toMatchObject({ status: 201, body: { type: "webhook", ...HOOK } });
    expect(made.body.created_by).toEqual({ type: "user", id: "ann" });
    const path = `/2.0/webhooks/${made.body.id}`;
    expect((await service.ask(path)).body).toEqual(made.body);
    const list = await service.ask("/2.0/webhooks");
    const { id, type, target } = made.body;
    expect(list.body.entries).toEqual([{ id, type, target }]);
    const put = (body: object) => service.ask(path, { method: "PUT", body });
    const address = "https://hooks.invalid/other";
    expect((await put({ address })).body).toEqual({ ...made.body, address });
    expect((await put({})).body).toEqual({ ...made.body, address });
    const triggers = ["DOCGEN_DOCUMENT_GENERATION_STARTED"];
    const twice = { triggers: [...triggers, ...triggers] };
    expect((await put(twice)).body).toMatchObject({ triggers });
    const deleted = await service.fetch(path, { method: "DELETE" });
    expect([deleted.status, deleted.body]).toEqual([204, null]);
    for (const method of ["GET", "DELETE"]) {
      expectError(await service.ask(path, { method }), 404, "not_found");
    }
    expectError(await put({}), 404, "not_found");
  });

  test("has an existing template or folder as its target, by id or by path", async () => {
    const service = await testService({ webhooks: WEBHOOKS });
    const folder = await service.folder("out");
    const file = await service.upload("hello.docx", HELLO);
    for (const [target, id] of [
      [{ type: "folder", id: folder }, folder],
      [{ type: "folder", id: "path:out" }, folder],
      [{ type: "folder", id: "path:" }, "0"],
      [{ type: "file", id: file }, file],
      [{ type: "file", id: "path:hello.docx" }, file],
    ] as const) {
      const { status, body } = await hook(service, { target });
      expect([status, body.target]).toEqual([201, { type: target.type, id }]);
    }
    for (const target of [
      { type: "file", id: folder },
      { type: "folder", id: file },
      { type: "folder", id: "none" },
    ]) {
      expectError(await hook(service, { target }), 404, "not_found");
    }
  });

  test("is rejected with all problems", async () => {
    const service = await testService({ webhooks: WEBHOOKS });
    const wrong = { target: { type: "user" }, address: 1, triggers: ["FILE.UPLOADED", TRIGGER, 2] };
    const answer = await hook(service, wrong);
    expectError(answer, 400, "bad_request");
    const paths = answer.body.context_info.errors.map(({ path }: { path: string }) => path);
    expect(paths.sort()).toEqual([
      "/address",
      "/target/id",
      "/target/type",
      "/triggers/0",
      "/triggers/2",
    ]);
    expectError(await hook(service, { triggers: [] }), 400, "bad_request");
  });

  test.each([
    "http://hooks.invalid/",
    "ftp://hooks.invalid/",
    "https://127.0.0.1/",
    "https://localhost/",
    "https://10.0.0.1/",
    "https://[::1]/",
    "https://169.254.169.254/latest",
    "https://user:secret@hooks.invalid/",
    "https://2130706433/",
    "javascript:alert(1)",
    "https://",
    "hooks.invalid",
    "",
    `https://hooks.invalid/${"a".repeat(2100)}`,
  ])("is never sent to %j: creating and changing it are rejected", async (address) => {
    const service = await testService({ webhooks: WEBHOOKS });
    expectError(await hook(service, { address }), 400, "bad_request");
    const { body } = await hook(service);
    const changed = await service.ask(`/2.0/webhooks/${body.id}`, {
      method: "PUT",
      body: { address },
    });
    expectError(changed, 400, "bad_request");
    expect((await service.ask(`/2.0/webhooks/${body.id}`)).body.address).toBe(HOOK.address);
  });

  test("is rejected if an enterprise has 100, until one is deleted; others have their own limit", async () => {
    const service = await testService({ webhooks: WEBHOOKS, quotas: { targetWebhooks: 200 } });
    const made = await Promise.all(Array.from({ length: 103 }, () => hook(service)));
    const refused = made.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(3);
    for (const answer of refused) expectError(answer, 403, "forbidden");
    expect(refused[0]?.body.message).toContain("100 webhooks");
    const id = made.find(({ status }) => status === 201)?.body.id;
    const others = await service.ask("/2.0/webhooks", { body: HOOK, who: "eve" });
    expect(others.status).toBe(201);
    expectError(await hook(service), 403, "forbidden");
    const changed = { method: "PUT", body: { address: HOOK.address } };
    expect((await service.ask(`/2.0/webhooks/${id}`, changed)).status).toBe(200);
    await service.fetch(`/2.0/webhooks/${id}`, { method: "DELETE" });
    expect((await hook(service)).status).toBe(201);
    expectError(await hook(service), 403, "forbidden");
  });

  test("is forbidden if the service sends no events", async () => {
    const service = await testService();
    expectError(await hook(service), 403, "forbidden");
    expectError(await service.ask("/2.0/webhooks"), 403, "forbidden");
    for (const [method, body] of [
      ["GET", undefined],
      ["DELETE", undefined],
      ["PUT", {}],
    ] as const) {
      expectError(await service.ask("/2.0/webhooks/none", { method, body }), 403, "forbidden");
    }
  });
});

test("a service that makes no documents keeps the events of its batches for others", async () => {
  const folder = await mkdtemp(join(tmpdir(), "quire-webhooks-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const stores = () => sqliteStores({ path: join(folder, "quire.db") });
  const front = { webhooks: WEBHOOKS, stores: stores(), engine: { work: false } } as const;
  const service = await testService(front);
  const file = await service.upload("hello.docx", HELLO);
  const entries = [{ generated_file_name: "a", user_input: {} }];
  await service.batch(file, await service.folder("out"), entries);
  const others = stores();
  const worker = await others.jobs.openWorker({
    takes: "all",
    leaseMs: 15_000,
    keepFinishedMs: null,
  });
  const events = await worker.takeEvents(10);
  expect(events.map(({ type }) => type)).toEqual(["batch_accepted"]);
  await others.close();
});
