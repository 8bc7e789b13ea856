import assert from "node:assert/strict";
import { type CatalogFile, isQuireError } from "@quire/contracts";
import { rejects } from "../assertions.ts";
import {
  addFile,
  addFolder,
  type FileCatalogCases,
  newVersion,
  rootId,
  TENANT,
} from "./fixture.ts";

const SHA1 = "a9993e364706816aba3e25717850c26c9cd0d89d";

/** The cases about roots, adding and finding entries, by name. */
export const addCases: FileCatalogCases = {
  "a tenant has one root, for the folder of the first call": async (place) => {
    const { store, other } = place;
    const root = await store.root(TENANT, "out");
    const { id, createdAt, ...rest } = root;
    assert.match(id, /^[\w.~-]+$/);
    assert.ok(Math.abs(createdAt - Date.now()) < 60_000);
    assert.deepEqual(rest, {
      type: "folder",
      tenant: TENANT,
      parentId: null,
      name: "",
      createdBy: null,
      storageId: "out",
    });
    assert.deepEqual(await other.root(TENANT, "elsewhere"), root);
    assert.deepEqual(await other.find(TENANT, { id }), root);
    assert.deepEqual(await other.find(TENANT, { type: "folder", storageId: "out" }), root);
    assert.notEqual((await other.root("another", "out")).id, id);
  },

  "twenty concurrent calls create one root": async ({ store, other }) => {
    const roots = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? store : other).root(TENANT, `out-${n}`)),
    );
    for (const root of roots) assert.deepEqual(root, roots[0]);
  },

  "an added file is visible to every handle, with all its fields": async ({ store, other }) => {
    const parentId = await rootId(store);
    const name = "Brief 📄 (1).docx";
    const version = newVersion("a/b.docx", {
      storageVersion: 'W/"7"',
      size: 5_000_000_000,
      sha1: SHA1,
      createdBy: "user-2",
    });
    const entry = { type: "file", parentId, name, createdBy: "user-1", version } as const;
    const before = Date.now();
    const file = (await store.add(TENANT, entry)) as CatalogFile;
    const { id, createdAt } = file;
    assert.match(id, /^[\w.~-]+$/);
    assert.match(file.version.id, /^[\w.~-]+$/);
    assert.ok(createdAt >= before - 60_000 && createdAt <= Date.now() + 60_000);
    assert.deepEqual(file, {
      type: "file",
      id,
      tenant: TENANT,
      parentId,
      name,
      createdAt,
      createdBy: "user-1",
      version: { ...version, id: file.version.id, createdAt },
      versions: 1,
      modifiedAt: createdAt,
    });
    for (const handle of [store, other]) {
      assert.deepEqual(await handle.find(TENANT, { id }), file);
      assert.deepEqual(await handle.find(TENANT, { parentId, name }), file);
      assert.deepEqual(await handle.find(TENANT, { type: "file", storageId: "a/b.docx" }), file);
    }
    assert.deepEqual(await other.versions(TENANT, id), [file.version]);
  },

  "an added folder is visible to every handle, and takes entries": async ({ store, other }) => {
    const parentId = await rootId(store);
    const folder = await addFolder(store, parentId, "2026", { storageId: "out/2026" });
    const { id, createdAt } = folder;
    assert.deepEqual(folder, {
      type: "folder",
      id,
      tenant: TENANT,
      parentId,
      name: "2026",
      createdAt,
      createdBy: null,
      storageId: "out/2026",
    });
    assert.deepEqual(await other.find(TENANT, { id }), folder);
    assert.deepEqual(await other.find(TENANT, { parentId, name: "2026" }), folder);
    const found = await other.find(TENANT, { type: "folder", storageId: "out/2026" });
    assert.deepEqual(found, folder);
    const file = await addFile(other, id, "a.docx");
    assert.equal(file.parentId, id);
    assert.deepEqual(await store.find(TENANT, { parentId: id, name: "a.docx" }), file);
  },

  "does not find missing entries": async ({ store, other }) => {
    const parentId = await rootId(store);
    const file = await addFile(store, parentId, "a.docx", { storageId: "x" });
    assert.equal(await other.find(TENANT, { id: "none" }), null);
    assert.equal(await other.find(TENANT, { parentId, name: "b.docx" }), null);
    assert.equal(await other.find(TENANT, { parentId: file.id, name: "a.docx" }), null);
    assert.equal(await other.find(TENANT, { parentId: "none", name: "a.docx" }), null);
    assert.equal(await other.find(TENANT, { type: "folder", storageId: "x" }), null);
    assert.equal(await other.find(TENANT, { type: "file", storageId: "y" }), null);
  },

  "a name is unique in its folder, by its folded form": async ({ store, other }) => {
    const parentId = await rootId(store);
    const name = "Bücher.docx".normalize("NFC");
    const file = await addFile(store, parentId, name);
    const folder = await addFolder(store, parentId, "Ablage");
    const likeIt = "BÜCHER.DOCX".normalize("NFD");
    for (const taken of [name, likeIt, "ablage"]) {
      await rejects(addFile(other, parentId, taken, { storageId: "f" }), "conflict");
      await rejects(addFolder(other, parentId, taken, { storageId: "d" }), "conflict");
    }
    assert.deepEqual(await other.find(TENANT, { parentId, name: likeIt }), file);
    assert.equal((await addFile(other, folder.id, likeIt)).name, likeIt);
  },

  "if twenty calls add one name concurrently, exactly one succeeds": async ({ store, other }) => {
    const parentId = await rootId(store);
    const names = ["Brief.docx", "BRIEF.docx", "brief.DOCX"];
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) => {
        const [catalog, name] = [n % 2 === 0 ? store : other, names[n % 3] ?? ""];
        const storageId = `out/${n}`;
        if (n % 4 === 0) return addFolder(catalog, parentId, name, { storageId });
        return addFile(catalog, parentId, name, { storageId });
      }),
    );
    assert.deepEqual(await winners(outcomes), 1);
    assert.equal((await other.list(TENANT, parentId, { limit: 10 })).total, 1);
  },

  "if twenty calls add one file of the storage concurrently, exactly one succeeds": async ({
    store,
    other,
  }) => {
    const parentId = await rootId(store);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) =>
        addFile(n % 2 === 0 ? store : other, parentId, `${n}.docx`, { storageId: "one" }),
      ),
    );
    assert.deepEqual(await winners(outcomes), 1);
    assert.equal((await store.list(TENANT, parentId, { limit: 10 })).total, 1);
  },

  "rejects a second entry of the tenant for one file or folder of the storage": async ({
    store,
    other,
  }) => {
    const parentId = await rootId(store);
    const file = await addFile(store, parentId, "a", { storageId: "x" });
    const folder = await addFolder(store, parentId, "b", { storageId: "x" });
    await rejects(addFile(other, parentId, "c", { storageId: "x" }), "conflict");
    await rejects(addFolder(other, parentId, "c", { storageId: "x" }), "conflict");
    await rejects(addFolder(other, parentId, "c", { storageId: `tenants/${TENANT}` }), "conflict");
    assert.deepEqual(await other.find(TENANT, { type: "file", storageId: "x" }), file);
    assert.deepEqual(await other.find(TENANT, { type: "folder", storageId: "x" }), folder);
  },

  "rejects additions to anything that is not a folder of the tenant": async ({ store, other }) => {
    const parentId = await rootId(store);
    const file = await addFile(store, parentId, "a.docx");
    for (const wrong of ["none", "", file.id]) {
      await rejects(addFile(other, wrong, "b.docx"), "not_found");
      await rejects(addFolder(other, wrong, "b"), "not_found");
    }
    await rejects(addFile(other, parentId, "b.docx", { tenant: "another" }), "not_found");
    await rejects(addFolder(other, parentId, "b", { tenant: "another" }), "not_found");
    assert.equal((await store.list(TENANT, parentId, { limit: 10 })).total, 1);
  },

  "tenants cannot see or change entries of other tenants": async ({ store, other }) => {
    const parentId = await rootId(store);
    const file = await addFile(store, parentId, "a.docx", { storageId: "x" });
    const folder = await addFolder(store, parentId, "b", { storageId: "y" });
    const elsewhere = await rootId(other, "another");
    assert.equal(await other.find("another", { id: file.id }), null);
    assert.equal(await other.find("another", { id: parentId }), null);
    assert.equal(await other.find("another", { parentId, name: "a.docx" }), null);
    assert.equal(await other.find("another", { type: "file", storageId: "x" }), null);
    assert.equal(await other.find("another", { type: "folder", storageId: "y" }), null);
    await rejects(other.list("another", parentId, { limit: 10 }), "not_found");
    await rejects(other.versions("another", file.id), "not_found");
    await rejects(other.addVersion("another", file.id, newVersion("z")), "not_found");
    await rejects(other.rename("another", file.id, "c"), "not_found");
    for (const { id } of [file, folder]) await other.remove("another", id);
    assert.deepEqual(await store.find(TENANT, { id: file.id }), file);
    assert.deepEqual(await store.find(TENANT, { id: folder.id }), folder);
    const same = await addFile(other, elsewhere, "a.docx", { storageId: "x", tenant: "another" });
    assert.deepEqual(await store.find("another", { type: "file", storageId: "x" }), same);
    assert.deepEqual(await store.find(TENANT, { type: "file", storageId: "x" }), file);
  },
};

/** Returns the number of successful calls. Fails unless all others were rejected with `conflict`. */
async function winners(outcomes: readonly PromiseSettledResult<unknown>[]): Promise<number> {
  const refused = outcomes.filter((outcome) => outcome.status === "rejected");
  for (const { reason } of refused) {
    assert.ok(isQuireError(reason) && reason.code === "conflict", String(reason));
  }
  return outcomes.length - refused.length;
}
