import assert from "node:assert/strict";
import type { AuditLine, TenantStore } from "@quire/contracts";
import { rejects } from "./assertions.ts";
import {
  BAD_LIMITS,
  registerServiceCases,
  type ServiceCases,
  type ServiceStoreConformanceOptions,
  type ServiceStoreFixture,
} from "./service-fixture.ts";

/** Tests the contract of `TenantStore`, for any implementation and any runner. */
export function tenantStoreConformance(
  options: ServiceStoreConformanceOptions<ServiceStoreFixture<TenantStore>>,
): void {
  registerServiceCases(tenantCases, options);
}

const NAME = "Bücher & Söhne";

const tenantCases: ServiceCases<TenantStore> = {
  "a tenant without a record is not found": async ({ store }) => {
    assert.equal(await store.find(NAME), null);
    assert.deepEqual(await store.list(), []);
    assert.deepEqual(await store.audit(1), []);
  },

  "a tenant's record is the same on every handle": async ({ store, other }) => {
    const said = { suspendedAt: 5, erasing: "ann", quotas: { disk: 7, files: 0 } };
    const record = { name: NAME, ...said };
    assert.deepEqual(await store.change(NAME, said, null), record);
    assert.deepEqual(await other.find(NAME), record);
    assert.equal(await other.find("bücher & söhne"), null);
    await other.change(NAME, { suspendedAt: null }, null);
    assert.deepEqual(await store.find(NAME), { ...record, suspendedAt: null });
    await other.change(NAME, { erasing: null, quotas: {} }, null);
    const nothing = { name: NAME, suspendedAt: null, erasing: null, quotas: {} };
    assert.deepEqual(await store.find(NAME), nothing);
  },

  "tenants are listed by name": async ({ store, other }) => {
    for (const name of ["b", "a", "B", "ä"]) await store.change(name, { suspendedAt: 1 }, null);
    const names = (await other.list()).map(({ name }) => name);
    assert.deepEqual(names, ["B", "a", "b", "ä"]);
  },

  "each change writes an audit line, and the newest come first": async ({ store, other }) => {
    const lines = ["suspend", "cancel", "resume"].map((action, index) => line(action, index));
    await store.change(NAME, { suspendedAt: 1 }, lines[0] ?? null);
    await other.change("b", {}, lines[1] ?? null);
    await store.change(NAME, {}, null);
    await store.change(NAME, { suspendedAt: null }, lines[2] ?? null);
    assert.deepEqual(await other.audit(2), [
      { ...lines[2], tenant: NAME },
      { ...lines[1], tenant: "b" },
    ]);
    assert.equal((await store.audit(10)).length, 3);
    for (const limit of BAD_LIMITS) await rejects(store.audit(limit), "invalid_request");
  },

  "concurrent changes are all made": async ({ store, other }) => {
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        (n % 2 === 0 ? store : other).change(`t${n}`, { suspendedAt: n }, line("suspend", n)),
      ),
    );
    assert.equal((await store.list()).length, 20);
    assert.equal((await store.audit(100)).length, 20);
  },

  "a closed store rejects every call": async ({ store, fixture }) => {
    if (fixture.close === undefined) return;
    await fixture.close();
    await rejects(store.find(NAME), "job_store_failed");
    await rejects(store.list(), "job_store_failed");
    await rejects(store.change(NAME, {}, null), "job_store_failed");
    await rejects(store.audit(1), "job_store_failed");
  },
};

function line(action: string, at: number): Omit<AuditLine, "tenant"> {
  return { at, by: "ann@host", action, counts: { batches: at, jobs: 0 } };
}
