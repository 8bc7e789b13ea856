import assert from "node:assert/strict";
import { rejects } from "../assertions.ts";
import {
  addFile,
  addFolder,
  type FileCatalogCases,
  newVersion,
  rootId,
  swept,
  TENANT,
} from "./fixture.ts";

/** The cases about a tenant's usage of a catalog, by name. */
export const useCases: FileCatalogCases = {
  "an unknown tenant uses nothing, and a root does not count": async ({ store }) => {
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

  "removed and rejected versions are not counted": async ({ store, other }) => {
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

  "a tenant is erased with its root and leaves no leftovers, and other tenants are not affected":
    async ({ store, other }) => {
      const root = await rootId(store);
      const folder = await addFolder(store, root, "docs");
      const file = await addFile(store, folder.id, "a.docx", { storageId: "shared" });
      for (let n = 0; n < 600; n++) await addFile(store, folder.id, `${n}`);
      const theirs = await addFile(store, await rootId(store, "b"), "b", {
        tenant: "b",
        storageId: "shared",
      });
      assert.equal(await other.eraseTenant(TENANT), 602);
      for (const id of [root, folder.id, file.id])
        assert.equal(await store.find(TENANT, { id }), null);
      assert.deepEqual(await store.use(TENANT), { files: 0, bytes: 0 });
      assert.deepEqual(await swept(store), []);
      assert.equal((await store.find("b", { id: theirs.id }))?.id, theirs.id);
      assert.equal(await store.eraseTenant(TENANT), 0);
      // The tenant can start again with the same files and folders of the storage.
      const again = await rootId(store);
      assert.notEqual(again, root);
      await addFile(store, again, "a.docx", { storageId: "shared" });
    },

  "versions that are added concurrently are all counted": async ({ store, other }) => {
    const root = await rootId(store);
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => addFile(n % 2 === 0 ? store : other, root, `${n}`)),
    );
    assert.deepEqual(await store.use(TENANT), { files: 20, bytes: 60 });
  },
};
