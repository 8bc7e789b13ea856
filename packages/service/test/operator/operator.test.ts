import { memoryTenantStore, memoryTokenStore } from "@quire/core";
import { expect, test } from "vitest";
import { createOperator } from "../../src/index.ts";
import {
  batchBody,
  entries,
  expectError,
  HELLO,
  memoryStores,
  testService,
  WEBHOOKS,
} from "../support/service.ts";

/** Returns a service with an operator. The tenant `acme` has a template and a folder. */
async function operated() {
  const stores = { ...memoryStores(), tenants: memoryTenantStore(), tokens: memoryTokenStore() };
  const operator = createOperator({ stores, by: "olga", now: () => 1000 });
  const tested = await testService({ stores, webhooks: WEBHOOKS });
  const file = await tested.upload("hello.docx", HELLO);
  const out = await tested.folder("out");
  const submit = (...names: string[]) =>
    tested.ask("/2.0/docgen_batches", { body: batchBody(file, out, entries(...names)) });
  return { ...tested, stores, operator, file, out, submit };
}

test("a suspended tenant is rejected everywhere, and others are not affected", async () => {
  const { ask, operator, submit, file } = await operated();
  expect(await operator.suspend("acme")).toEqual({
    at: 1000,
    by: "olga",
    action: "suspend",
    tenant: "acme",
    counts: { jobs: 0 },
  });
  for (const told of [
    await submit("a"),
    await ask(`/2.0/files/${file}`),
    await ask("/2.0/webhooks"),
  ]) {
    expectError(told, 403, "forbidden");
    expect(told.body.message).toContain("suspended the enterprise");
    expect(told.body.context_info).toEqual({ reason: "suspended" });
  }
  expect((await ask("/2.0/folders/0/items", { who: "eve" })).status).toBe(200);
  await operator.resume("acme");
  expect((await ask(`/2.0/files/${file}`)).status).toBe(200);
});

test("jobs of a suspended tenant wait, and run when it is resumed", async () => {
  const { finished, operator, submit, stores } = await operated();
  await stores.jobs.holdTenant("acme", true);
  const { body } = await submit("a", "b");
  expect(await operator.suspend("acme")).toMatchObject({ counts: { jobs: 2 } });
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect((await stores.jobs.getBatch(body.id))?.counts).toMatchObject({ submitted: 2 });
  expect(await operator.resume("acme")).toMatchObject({ action: "resume", counts: { jobs: 2 } });
  expect((await finished(body.id)).body.counts).toMatchObject({ completed: 2 });
});

test("all batches of a tenant are cancelled at once, and none of another", async () => {
  const { operator, submit, stores, ask } = await operated();
  for (const tenant of ["acme", "other"]) await stores.jobs.holdTenant(tenant, true);
  const mine = [await submit("a", "b"), await submit("c")];
  const folder = await ask("/2.0/folders", {
    body: { name: "out", parent: { id: "0" } },
    who: "eve",
  });
  expect(folder.status).toBe(201);
  expect(await operator.cancel("acme")).toMatchObject({
    action: "cancel",
    counts: { batches: 2, jobs: 3 },
  });
  for (const { body } of mine) {
    expect(await stores.jobs.getBatch(body.id)).toMatchObject({
      cancelled: true,
      status: "finished",
    });
  }
  expect(await operator.cancel("acme")).toMatchObject({ counts: { batches: 0, jobs: 0 } });
});

test("all data of a tenant is erased, and none of another", async () => {
  const { ask, finished, operator, storage, stores, submit, file, upload } = await operated();
  const { body } = await submit("a", "b");
  await finished(body.id);
  await ask("/2.0/docgen_templates", { body: { file: { type: "file", id: file } } });
  const target = { type: "folder", id: "0" };
  const triggers = ["DOCGEN_DOCUMENT_GENERATION_FAILED"];
  await ask("/2.0/webhooks", { body: { target, address: "https://x.example", triggers } });
  const token = { id: "t", hash: "h", user: "u", scopes: [], createdAt: 1, expiresAt: null };
  await stores.tokens.add({ ...token, enterprise: "acme" });
  await storage.create({ type: "folder", id: "tenants/acme/out" }, "foreign.txt", HELLO);
  const theirs = await upload("theirs.docx", HELLO, { who: "eve" });
  const line = await operator.erase("acme", storage);
  expect(line).toMatchObject({ by: "olga", action: "erase", tenant: "acme" });
  expect(line.counts).toMatchObject({ files: 4, jobs: 2, webhooks: 1, templates: 1, tokens: 1 });
  const tenants = await storage.list({ type: "folder", id: "tenants" });
  expect(tenants.entries.map(({ name }) => name)).toEqual(["other"]);
  expect(await stores.files.use("acme")).toEqual({ files: 0, bytes: 0 });
  expect(await stores.jobs.gauge.use("acme")).toEqual({ waiting: 0, jobs: 0, bytes: 0 });
  expect(await stores.tokens.list()).toEqual([]);
  expect((await ask(`/2.0/files/${theirs}/content`, { who: "eve" })).status).toBe(200);
  // The tenant is still suspended. After it is resumed, it is empty.
  expectError(await ask("/2.0/folders/0/items"), 403, "forbidden");
  await operator.resume("acme");
  expect((await ask("/2.0/folders/0/items")).body.total_count).toBe(0);
  expectError(await ask(`/2.0/files/${file}`), 404, "not_found");
  const again = await upload("hello.docx", HELLO);
  expect((await ask(`/2.0/files/${again}/content`)).status).toBe(200);
});

test("a repeated call resumes an interrupted erasure, and nothing is added until then", async () => {
  const { ask, operator, service, storage, stores } = await operated();
  const broken = {
    ...storage,
    list: storage.list.bind(storage),
    find: storage.find.bind(storage),
    remove: () => Promise.reject(new Error("The power is gone.")),
    removeFolder: storage.removeFolder.bind(storage),
  } as unknown as typeof storage;
  await expect(operator.erase("acme", broken)).rejects.toThrow(/power/);
  expect(await stores.tenants.find("acme")).toMatchObject({ erasing: "olga" });
  expect(await stores.tenants.audit(10)).toEqual([]);
  expectError(await ask("/2.0/folders/0/items"), 403, "forbidden");
  const place = service.files.storageOf("acme");
  const creating = place.create({ type: "folder", id: "0" }, "late.docx", HELLO);
  await expect(creating).rejects.toMatchObject({ code: "forbidden" });
  await operator.erase("acme", storage);
  expect(await stores.tenants.find("acme")).toMatchObject({ erasing: null });
  expect(await stores.tenants.audit(10)).toHaveLength(1);
  expect((await storage.list({ type: "folder", id: "tenants" })).entries).toEqual([]);
});

test("files in another storage are not counted as erased", async () => {
  const { operator, stores } = await operated();
  const { storage: other } = await testService();
  await expect(operator.erase("acme", other)).rejects.toMatchObject({ code: "invalid_request" });
  expect((await stores.files.use("acme")).files).toBe(2);
});

test("a tenant's custom quotas apply at once, until they are reset", async () => {
  const { ask, operator } = await operated();
  const make = (name: string) => ask("/2.0/folders", { body: { name, parent: { id: "0" } } });
  const line = await operator.setQuotas("acme", { files: 2, jobs: 5 });
  expect(line).toMatchObject({ action: "quota", counts: { files: 2, jobs: 5 } });
  expectError(await make("a"), 403, "forbidden");
  await operator.setQuotas("acme", { files: null });
  expect((await make("a")).status).toBe(201);
  await expect(operator.setQuotas("acme", { files: -1 })).rejects.toThrow(/is not valid/);
});
