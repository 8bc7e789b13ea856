import assert from "node:assert/strict";
import {
  addFile,
  addFolder,
  type FileCatalogCases,
  newVersion,
  rootId,
  TENANT,
} from "./file-catalog-fixture.ts";
import { rejects } from "./storage-assertions.ts";

/** The cases about what a tenant has in a catalog, by name. */
export const useCases: FileCatalogCases = {
  "a tenant that nobody knows has nothing, and a root is nothing": async ({ store }) => {
    assert.deepEqual(await store.use("nobody"), { files: 0, bytes: 0 });
    assert.deepEqual(await store.use(), { files: 0, bytes: 0 });
    await rootId(store);
    assert.deepEqual(await store.use(TENANT), { files: 0, bytes: 0 });
  },

  "versions of files and folders are counted for their tenant, on every handle": async ({
    store,
    other,
  }) => {
    const root = await rootId(store);
    const folder = await addFolder(store, root, "docs");
    const file = await addFile(other, folder.id, "a.docx");
    await store.addVersion(TENANT, file.id, newVersion("second", { size: 500 }));
    await addFile(store, await rootId(store, "b"), "b.docx", { tenant: "b" });
    for (const catalog of [store, other]) {
      assert.deepEqual(await catalog.use(TENANT), { files: 3, bytes: 503 });
      assert.deepEqual(await catalog.use("b"), { files: 1, bytes: 3 });
      assert.deepEqual(await catalog.use(), { files: 3, bytes: 503 });
    }
  },

  "what is removed, or was refused, is not counted": async ({ store, other }) => {
    const root = await rootId(store);
    const folder = await addFolder(store, root, "docs");
    const file = await addFile(store, folder.id, "a.docx");
    await store.addVersion(TENANT, file.id, newVersion("second", { size: 500 }));
    await rejects(addFile(other, folder.id, "A.docx"), "conflict");
    await rejects(other.remove(TENANT, folder.id), "conflict");
    assert.deepEqual(await store.use(TENANT), { files: 3, bytes: 503 });
    await other.remove(TENANT, file.id);
    assert.deepEqual(await store.use(TENANT), { files: 1, bytes: 0 });
    await other.remove(TENANT, folder.id);
    await other.remove(TENANT, folder.id);
    assert.deepEqual(await store.use(), { files: 0, bytes: 0 });
  },

  "of many that are added at once each is counted": async ({ store, other }) => {
    const root = await rootId(store);
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => addFile(n % 2 === 0 ? store : other, root, `${n}`)),
    );
    assert.deepEqual(await store.use(TENANT), { files: 20, bytes: 60 });
  },
};
