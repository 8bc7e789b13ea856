import assert from "node:assert/strict";
import type { TemplateRecord, TemplateStore } from "@quire/contracts";
import { rejects } from "./assertions.ts";
import {
  BAD_LIMITS,
  BAD_MARKERS,
  pages,
  registerServiceCases,
  type ServiceCases,
  type ServiceStoreConformanceOptions,
  type ServiceStoreFixture,
} from "./service-fixture.ts";

/** Tests the contract of `TemplateStore`, for any implementation and any runner. */
export function templateStoreConformance(
  options: ServiceStoreConformanceOptions<ServiceStoreFixture<TemplateStore>>,
): void {
  registerServiceCases(templateCases, options);
}

const TENANT = "Bücher & Söhne";

const templateCases: ServiceCases<TemplateStore> = {
  "a marked file is visible to every handle": async ({ store, other }) => {
    const marked = await mark(store, "f1", { markedBy: "user-1" });
    const { markedAt } = marked;
    assert.deepEqual(marked, { tenant: TENANT, fileId: "f1", markedBy: "user-1", markedAt });
    assert.ok(Math.abs(markedAt - Date.now()) < 60_000);
    assert.deepEqual(await other.find(TENANT, "f1"), marked);
    assert.equal(await other.find(TENANT, "f2"), null);
  },

  "marking a file again does not change its record": async ({ store, other }) => {
    const first = await mark(store, "f1", { markedBy: null });
    await mark(store, "f2");
    assert.deepEqual(await mark(other, "f1", { markedBy: "user-2" }), first);
    assert.deepEqual(await other.find(TENANT, "f1"), first);
    assert.deepEqual(await listed(store, 10), ["f2", "f1"]);
  },

  "twenty concurrent calls mark a file once": async ({ store, other }) => {
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        mark(n % 2 === 0 ? store : other, "f", { markedBy: `user-${n}` }),
      ),
    );
    for (const each of all) assert.deepEqual(each, all[0]);
    assert.deepEqual(await listed(other, 1), ["f"]);
  },

  "all marks of a tenant are removed at once, and other tenants are not affected": async ({
    store,
    other,
  }) => {
    await mark(store, "f1");
    await mark(store, "f2");
    await store.mark({ tenant: "b", fileId: "f1", markedBy: null });
    assert.equal(await other.eraseTenant(TENANT), 2);
    assert.deepEqual(await listed(store, 1), []);
    assert.notEqual(await store.find("b", "f1"), null);
    assert.equal(await store.eraseTenant(TENANT), 0);
  },

  "unmark returns whether the file was marked, and a file that is marked again is new": async ({
    store,
    other,
  }) => {
    await mark(store, "f1");
    await mark(store, "f2");
    assert.equal(await other.unmark(TENANT, "f1"), true);
    assert.equal(await store.find(TENANT, "f1"), null);
    assert.equal(await store.unmark(TENANT, "f1"), false);
    await mark(store, "f1", { markedBy: "user-2" });
    assert.equal((await other.find(TENANT, "f1"))?.markedBy, "user-2");
    assert.deepEqual(await listed(other, 1), ["f1", "f2"]);
  },

  "tenants cannot see or change marks of other tenants": async ({ store, other }) => {
    const mine = await mark(store, "f1");
    assert.equal(await other.find("another", "f1"), null);
    assert.equal(await other.unmark("another", "f1"), false);
    assert.deepEqual(await listed(other, 10, "another"), []);
    const theirs = await mark(other, "f1", { tenant: "another", markedBy: "user-2" });
    assert.deepEqual(await store.find(TENANT, "f1"), mine);
    assert.deepEqual(await store.find("another", "f1"), theirs);
    assert.equal(await other.unmark("another", "f1"), true);
    assert.deepEqual(await store.find(TENANT, "f1"), mine);
  },

  "templates are listed newest mark first, in pages of any size": async ({ store, other }) => {
    assert.deepEqual(await store.list(TENANT, { limit: 1 }), { items: [], nextMarker: null });
    const ids: string[] = [];
    for (let n = 0; n < 7; n++) {
      ids.unshift((await mark(n % 2 === 0 ? store : other, `f${n}`)).fileId);
      await mark(other, `f${n}`, { tenant: "another" });
    }
    for (const limit of [1, 2, 3, 6, 7, 8, 1000]) assert.deepEqual(await listed(other, limit), ids);
  },

  "changes between two pages do not repeat or skip other templates": async ({ store, other }) => {
    for (const id of ["a", "b", "c", "d", "e"]) await mark(store, id);
    const first = await other.list(TENANT, { limit: 2 });
    assert.deepEqual(idsOf(first.items), ["e", "d"]);
    await mark(store, "new");
    await store.unmark(TENANT, "d");
    await store.unmark(TENANT, "b");
    const rest = await other.list(TENANT, { limit: 10, marker: first.nextMarker ?? "" });
    assert.deepEqual(idsOf(rest.items), ["c", "a"]);
  },

  "rejects an invalid marker or limit with invalid_request": async ({ store, other }) => {
    for (const id of ["a", "b"]) await mark(store, id);
    for (const limit of BAD_LIMITS) await rejects(other.list(TENANT, { limit }), "invalid_request");
    for (const marker of BAD_MARKERS)
      await rejects(other.list(TENANT, { limit: 1, marker }), "invalid_request");
    const marker = (await store.list(TENANT, { limit: 1 })).nextMarker ?? "";
    assert.match(marker, /^[\w.~-]+$/);
    await rejects(other.list("another", { limit: 1, marker }), "invalid_request");
  },

  "a closed store rejects every call": async ({ store, fixture }) => {
    if (fixture.close === undefined) return;
    await mark(store, "f1");
    await fixture.close();
    const calls: (() => Promise<unknown>)[] = [
      () => mark(store, "f2"),
      () => store.unmark(TENANT, "f1"),
      () => store.find(TENANT, "f1"),
      () => store.list(TENANT, { limit: 1 }),
    ];
    for (const call of calls) await rejects(call(), "job_store_failed");
  },
};

function mark(
  store: TemplateStore,
  fileId: string,
  parts: Partial<TemplateRecord> = {},
): Promise<TemplateRecord> {
  return store.mark({ tenant: TENANT, fileId, markedBy: null, ...parts });
}

async function listed(store: TemplateStore, limit: number, tenant = TENANT): Promise<string[]> {
  return idsOf(await pages(limit, (marker) => store.list(tenant, { limit, marker })));
}

function idsOf(templates: readonly TemplateRecord[]): string[] {
  return templates.map(({ fileId }) => fileId);
}
