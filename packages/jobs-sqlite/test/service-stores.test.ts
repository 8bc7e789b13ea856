import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import {
  fileCatalogConformance,
  jobStoreConformance,
  templateStoreConformance,
  tenantStoreConformance,
  tokenStoreConformance,
  webhookStoreConformance,
} from "@quire/conformance";
import { jobStoreProblems } from "@quire/contracts";
import { describe, expect, onTestFinished, test } from "vitest";
import { type SqliteStores, sqliteStores } from "../src/index.ts";

type ServiceStore = "files" | "templates" | "tenants" | "tokens" | "webhooks";

/** Returns a fixture for one kind of store, whose handles all use the same file. */
async function fixtureOf<Kind extends ServiceStore>(kind: Kind) {
  const folder = await mkdtemp(join(tmpdir(), "quire-stores-"));
  const path = join(folder, "quire.db");
  const opened: SqliteStores[] = [];
  const open = (): SqliteStores[Kind] => {
    const stores = sqliteStores({ path });
    opened.push(stores);
    return stores[kind];
  };
  return {
    store: open(),
    open,
    close: async () => opened[0]?.close(),
    destroy: async () => {
      for (const stores of opened) await stores.close();
      await rm(folder, { recursive: true, force: true });
    },
    /** Makes leftovers free for other sweeps earlier, as if `ms` milliseconds had passed. */
    pass: (ms: number) => {
      const file = new DatabaseSync(path);
      file.prepare("UPDATE catalog_leftover SET free_at = free_at - ? WHERE free_at > 0").run(ms);
      file.close();
    },
  };
}

const patiently = (name: string, body: () => Promise<void>) => test.concurrent(name, body, 60_000);

describe("the files of sqliteStores keep the contract of FileCatalog:", () => {
  fileCatalogConformance({ test: patiently, fixture: () => fixtureOf("files") });
});

describe("the templates of sqliteStores keep the contract of TemplateStore:", () => {
  templateStoreConformance({ test: patiently, fixture: () => fixtureOf("templates") });
});

describe("the tenants of sqliteStores keep the contract of TenantStore:", () => {
  tenantStoreConformance({ test: patiently, fixture: () => fixtureOf("tenants") });
});

describe("the tokens of sqliteStores keep the contract of TokenStore:", () => {
  tokenStoreConformance({ test: patiently, fixture: () => fixtureOf("tokens") });
});

describe("the webhooks of sqliteStores keep the contract of WebhookStore:", () => {
  webhookStoreConformance({ test: patiently, fixture: () => fixtureOf("webhooks") });
});

describe("sqliteStores", () => {
  async function newFile(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), "quire-stores-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    return join(folder, "quire.db");
  }

  test("have a job store that accepts at most `maxWaiting` jobs", async () => {
    const stores = sqliteStores({ path: await newFile(), maxWaiting: 7 });
    expect(await stores.jobs.gauge.depth()).toMatchObject({ capacity: 7 });
    await stores.close();
  });

  test("are closed with the job store, and may be closed twice", async () => {
    const stores = sqliteStores({ path: await newFile() });
    const { id } = await stores.files.root("t", "out");
    await stores.jobs.close();
    const closed = { code: "job_store_failed", message: jobStoreProblems.closed().message };
    await expect(stores.files.find("t", { id })).rejects.toMatchObject(closed);
    await expect(stores.files.rename("t", id, "a")).rejects.toMatchObject(closed);
    await expect(stores.templates.find("t", id)).rejects.toMatchObject(closed);
    await expect(stores.tokens.list()).rejects.toMatchObject(closed);
    await expect(stores.webhooks.take(1, 1)).rejects.toMatchObject(closed);
    await stores.close();
    await stores.close();
  });

  test("commit pending writes before they are closed", async () => {
    const path = await newFile();
    const stores = sqliteStores({ path });
    const marking = stores.templates.mark({ tenant: "t", fileId: "f", markedBy: null });
    await Promise.all([marking, stores.close()]);
    const again = sqliteStores({ path });
    expect(await again.templates.find("t", "f")).toEqual(await marking);
    await again.close();
  });

  test.for(["", ":memory:"])("reject a path that does not name a file: %j", (path) => {
    expect(() => sqliteStores({ path })).toThrow(
      expect.objectContaining({ code: "invalid_request" }),
    );
  });
});

describe("the jobs of sqliteStores keep the contract of JobStore:", () => {
  // conformance.test.ts runs the whole suite. This test runs only the cases that the other stores could affect.
  const fixture = async () => {
    const folder = await mkdtemp(join(tmpdir(), "quire-stores-"));
    const path = join(folder, "quire.db");
    const open = () => sqliteStores({ path }).jobs;
    return {
      store: open(),
      open,
      openSmall: (maxWaiting: number) =>
        sqliteStores({ path: join(folder, "small.db"), maxWaiting }).jobs,
      destroy: () => rm(folder, { recursive: true, force: true }),
    };
  };
  jobStoreConformance({
    fixture,
    test: (name, body) => {
      if (/close|depth|counted/.test(name)) patiently(name, body);
    },
  });
});

test("a webhook with many waiting deliveries is removed in turns with other work", async () => {
  const { store, destroy } = await fixtureOf("webhooks");
  onTestFinished(destroy);
  const target = { type: "file", id: "f" } as const;
  const hook = { tenant: "t", target, address: "https://hooks.example", triggers: ["A"] };
  for (const id of ["w", "other"]) await store.add({ ...hook, id, createdBy: "u", createdAt: 1 });
  const giveUpAt = Date.now() + 3_600_000;
  const deliveries = Array.from({ length: 4_500 }, (_, n) => ({
    id: `${n}`,
    body: "{}",
    giveUpAt,
  }));
  await store.enqueue(deliveries.map((each) => ({ ...each, webhookId: "w" })));
  await store.enqueue([{ id: "kept", webhookId: "other", body: "{}", giveUpAt }]);
  let rounds = 0;
  const count = (): void => {
    rounds += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  await store.remove("t", "w");
  clearImmediate(counting);
  expect(rounds).toBeGreaterThan(4);
  expect(await store.find("t", "w")).toBeNull();
  expect(await store.use("t")).toEqual({ webhooks: 1, deliveries: 1 });
});
