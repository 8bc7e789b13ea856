import {
  fileCatalogConformance,
  templateStoreConformance,
  tenantStoreConformance,
  tokenStoreConformance,
  webhookStoreConformance,
} from "@quire/conformance";
import { describe, test } from "vitest";
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
