import {
  fileCatalogConformance,
  templateStoreConformance,
  tenantStoreConformance,
  tokenStoreConformance,
  webhookStoreConformance,
} from "@quire/conformance";
import { jobStoreProblems } from "@quire/contracts";
import { describe, expect, onTestFinished, test } from "vitest";
import type { PostgresStores } from "../src/index.ts";
import { makePlace } from "./support/place.ts";

type ServiceStore = "files" | "templates" | "tenants" | "tokens" | "webhooks";

/** Returns a fixture for one kind of store, whose handles all use the same database. */
async function fixtureOf<Kind extends ServiceStore>(kind: Kind) {
  const place = await makePlace();
  const first = place.open();
  const open = (): PostgresStores[Kind] => place.open()[kind];
  return {
    store: first[kind],
    open,
    close: () => first.close(),
    destroy: place.destroy,
    /** Makes leftovers free for other sweeps earlier, as if `ms` milliseconds had passed. */
    pass: async (ms: number) => {
      await place.query(
        "UPDATE quire.catalog_leftover SET free_at = free_at - $1 WHERE free_at > 0",
        [ms],
      );
    },
  };
}

const patiently = (name: string, body: () => Promise<void>) => test.concurrent(name, body, 60_000);

describe("the files of postgresStores keep the contract of FileCatalog:", () => {
  fileCatalogConformance({ test: patiently, fixture: () => fixtureOf("files") });
});

describe("the templates of postgresStores keep the contract of TemplateStore:", () => {
  templateStoreConformance({ test: patiently, fixture: () => fixtureOf("templates") });
});

describe("the tenants of postgresStores keep the contract of TenantStore:", () => {
  tenantStoreConformance({ test: patiently, fixture: () => fixtureOf("tenants") });
});

describe("the tokens of postgresStores keep the contract of TokenStore:", () => {
  tokenStoreConformance({ test: patiently, fixture: () => fixtureOf("tokens") });
});

describe("the webhooks of postgresStores keep the contract of WebhookStore:", () => {
  webhookStoreConformance({ test: patiently, fixture: () => fixtureOf("webhooks") });
});

describe("postgresStores", () => {
  test("in two schemas of one database do not share anything", async () => {
    const place = await makePlace();
    onTestFinished(place.destroy);
    const [one, two] = [place.open({ schema: "one" }), place.open({ schema: "two_2" })];
    const [root, other] = [await one.files.root("t", "out"), await two.files.root("t", "out")];
    const version = { storageId: "x", storageVersion: "1", size: 1, sha1: null, createdBy: null };
    const entry = { type: "file", parentId: root.id, name: "a", createdBy: null, version } as const;
    const file = await one.files.add("t", entry);
    await one.files.addVersion("t", file.id, { ...version, storageId: "y" });
    await one.files.rename("t", file.id, "b");
    expect(await one.files.use()).toEqual({ files: 2, bytes: 2 });
    await one.files.remove("t", file.id);
    expect(await two.files.find("t", { id: root.id })).toBeNull();
    await two.files.add("t", { ...entry, parentId: other.id });
    const swept: string[] = [];
    await two.files.sweep(async ({ storageId }) => void swept.push(`two ${storageId}`));
    await one.files.sweep(async ({ storageId }) => void swept.push(storageId));
    expect(swept).toEqual(["x", "y"]);
    expect([await one.files.discarded(), await two.files.discarded()]).toEqual([2, 0]);
    expect(await one.files.eraseTenant("t")).toBe(0);
    expect(await two.files.use()).toEqual({ files: 1, bytes: 1 });
  });

  test("are closed together, and may be closed twice", async () => {
    const place = await makePlace();
    onTestFinished(place.destroy);
    const stores = place.open();
    const { id } = await stores.files.root("t", "out");
    await stores.close();
    const closed = { code: "job_store_failed", message: jobStoreProblems.closed().message };
    await expect(stores.files.find("t", { id })).rejects.toMatchObject(closed);
    await expect(stores.files.rename("t", id, "a")).rejects.toMatchObject(closed);
    await expect(stores.files.discarded()).rejects.toMatchObject(closed);
    await expect(stores.templates.find("t", id)).rejects.toMatchObject(closed);
    await expect(stores.tokens.list()).rejects.toMatchObject(closed);
    await expect(stores.webhooks.take(1, 1)).rejects.toMatchObject(closed);
    await expect(stores.tenants.list()).rejects.toMatchObject(closed);
    await stores.close();
  });
});
