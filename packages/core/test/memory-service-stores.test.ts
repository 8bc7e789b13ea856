import { describe, test } from "vitest";
import { fileCatalogConformance } from "../../conformance/src/file-catalog/file-catalog.ts";
import { templateStoreConformance } from "../../conformance/src/template-store.ts";
import { tenantStoreConformance } from "../../conformance/src/tenant-store.ts";
import { tokenStoreConformance } from "../../conformance/src/token-store.ts";
import { webhookStoreConformance } from "../../conformance/src/webhook-store/webhook-store.ts";
import { memoryFileCatalog } from "../src/memory/file-catalog.ts";
import { memoryTemplateStore } from "../src/memory/template-store.ts";
import { memoryTenantStore } from "../src/memory/tenant-store.ts";
import { memoryTokenStore } from "../src/memory/token-store.ts";
import { memoryWebhookStore } from "../src/memory/webhook-store.ts";

describe("memoryFileCatalog keeps the contract of FileCatalog:", () => {
  fileCatalogConformance({
    test,
    fixture: () => {
      let passed = 0;
      return {
        store: memoryFileCatalog({ now: () => Date.now() + passed }),
        pass: (ms) => {
          passed += ms;
        },
      };
    },
  });
});

describe("memoryTemplateStore keeps the contract of TemplateStore:", () => {
  templateStoreConformance({ test, fixture: () => ({ store: memoryTemplateStore() }) });
});

describe("memoryTokenStore keeps the contract of TokenStore:", () => {
  tokenStoreConformance({ test, fixture: () => ({ store: memoryTokenStore() }) });
});

describe("memoryWebhookStore keeps the contract of WebhookStore:", () => {
  webhookStoreConformance({ test, fixture: () => ({ store: memoryWebhookStore() }) });
});

describe("memoryTenantStore keeps the contract of TenantStore:", () => {
  tenantStoreConformance({ test, fixture: () => ({ store: memoryTenantStore() }) });
});
