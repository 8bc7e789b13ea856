import assert from "node:assert/strict";
import { rejects } from "../assertions.ts";
import {
  addFile,
  addFolder,
  type FileCatalogCases,
  inWords,
  newVersion,
  rootId,
  swept,
  TENANT,
} from "./fixture.ts";

const TEN_MINUTES = 600_000;

/** The cases about removal, and leftovers in the storage, by name. */
export const sweepCases: FileCatalogCases = {
  "a removed entry is gone, and its name is free": async ({ store, other }) => {
    const root = await rootId(store);
    const file = await addFile(store, root, "a", { storageId: "x" });
    await store.remove(TENANT, file.id);
    assert.equal(await other.find(TENANT, { id: file.id }), null);
    assert.equal(await other.find(TENANT, { parentId: root, name: "a" }), null);
    assert.equal(await other.find(TENANT, { type: "file", storageId: "x" }), null);
    await rejects(other.versions(TENANT, file.id), "not_found");
    const { items, total } = await other.list(TENANT, root, { limit: 10 });
    assert.deepEqual([items, total], [[], 0]);
    const next = await addFile(other, root, "A", { storageId: "y" });
    assert.notEqual(next.id, file.id);
  },

  "removing a missing entry is not an error": async ({ store }) => {
    const { id } = await addFile(store, await rootId(store), "a");
    await store.remove(TENANT, id);
    await store.remove(TENANT, id);
    await store.remove(TENANT, "none");
    assert.equal((await swept(store)).length, 1);
  },

  "rejects removing a root or a folder that is not empty": async ({ store, other }) => {
    const root = await rootId(store);
    const folder = await addFolder(store, root, "a", { storageId: "a" });
    const { id } = await addFolder(store, folder.id, "b", { storageId: "a/b" });
    await rejects(other.remove(TENANT, root), "conflict");
    await rejects(other.remove(TENANT, folder.id), "conflict");
    assert.deepEqual(await swept(store), []);
    await other.remove(TENANT, id);
    await other.remove(TENANT, folder.id);
    await rejects(store.remove(TENANT, root), "conflict");
  },

  "a folder to which files are being added is removed empty or not at all": async ({
    store,
    other,
  }) => {
    const root = await rootId(store);
    for (let round = 0; round < 5; round++) {
      const { id } = await addFolder(store, root, `d${round}`);
      const [removed, added] = await Promise.allSettled([
        other.remove(TENANT, id),
        addFile(store, id, "a"),
      ]);
      assert.notEqual(removed.status, added.status);
      assert.equal((await other.find(TENANT, { id })) === null, removed.status === "fulfilled");
    }
  },

  "a file that is gone from the storage is not recorded, and its id can be used again": async ({
    store,
    other,
  }) => {
    const root = await rootId(store);
    const { id } = await addFile(store, root, "a", { storageId: "hidden" });
    await store.addVersion(TENANT, id, newVersion("a"));
    await other.remove(TENANT, id, { gone: "a" });
    const again = await addFile(store, root, "a", { storageId: "a" });
    assert.notEqual(again.id, id);
    assert.deepEqual(await swept(other), ["file hidden"]);
  },

  "does not remove a file as gone if it has another version": async ({ store, other }) => {
    const root = await rootId(store);
    const { id } = await addFile(store, root, "a", { storageId: "a" });
    const folder = await addFolder(store, root, "b", { storageId: "b" });
    const uploaded = await store.addVersion(TENANT, id, newVersion("hidden"));
    await other.remove(TENANT, id, { gone: "a" });
    await other.remove(TENANT, folder.id, { gone: "b" });
    assert.deepEqual(await other.find(TENANT, { id }), uploaded);
    assert.deepEqual(await other.find(TENANT, { id: folder.id }), folder);
    assert.deepEqual(await swept(other), []);
    await Promise.all([
      store.addVersion(TENANT, id, newVersion("newest")).catch(() => {}),
      other.remove(TENANT, id, { gone: "hidden" }),
    ]);
    const left = await other.find(TENANT, { id });
    if (left !== null) assert.ok(left.type === "file" && left.version.storageId === "newest");
    assert.deepEqual((await swept(other)).length, left === null ? 1 : 0);
  },

  "every handle sees the number of discards, once they are forgotten": async ({ store, other }) => {
    const root = await rootId(store);
    const { id } = await addFile(store, root, "a", { storageId: "x" });
    const before = await other.discarded();
    await store.remove(TENANT, id);
    await store.sweep(async () => {
      throw new Error("The storage is unreachable.");
    });
    assert.equal(await other.discarded(), before);
    await store.sweep(async () => {
      await rejects(addFile(other, root, "a", { storageId: "x" }), "conflict");
    });
    const after = await other.discarded();
    assert.ok(after > before);
    assert.deepEqual(await swept(other), []);
    await addFile(other, root, "a", { storageId: "x" });
    assert.equal(await store.discarded(), after);
  },

  "leftovers are swept once: files with all versions, then inner folders before outer ones":
    async ({ store, other }) => {
      const root = await rootId(store);
      const outer = await addFolder(store, root, "a", { storageId: "a" });
      const inner = await addFolder(store, outer.id, "b", { storageId: "a/b" });
      const file = await addFile(store, inner.id, "f", { storageId: "f1" });
      for (const storageId of ["f2", "f1", "f3"])
        await store.addVersion(TENANT, file.id, newVersion(storageId));
      const last = await addFile(store, root, "g", { storageId: "g" });
      for (const { id } of [file, inner, outer, last]) await store.remove(TENANT, id);
      const given = await swept(other);
      assert.deepEqual(given.slice(0, 4).sort(), ["file f1", "file f2", "file f3", "file g"]);
      assert.deepEqual(given.slice(4), ["folder a/b", "folder a"]);
      assert.deepEqual(await swept(store), []);
    },

  "a rejected leftover is retried by a later sweep, not by the same one": async ({
    store,
    other,
  }) => {
    const root = await rootId(store);
    for (const name of ["a", "b", "c"]) {
      const { id } = await addFile(store, root, name, { storageId: name });
      await store.remove(TENANT, id);
    }
    const given: string[] = [];
    await store.sweep(async (leftover) => {
      given.push(inWords(leftover));
      if (leftover.storageId !== "b") throw new Error("The storage is unreachable.");
    });
    assert.deepEqual(given.sort(), ["file a", "file b", "file c"]);
    assert.deepEqual((await swept(other)).sort(), ["file a", "file c"]);
    assert.deepEqual(await swept(store), []);
  },

  "nothing can be added for a leftover until it is swept": async ({ store, other }) => {
    const root = await rootId(store);
    const file = await addFile(store, root, "a", { storageId: "x" });
    await store.addVersion(TENANT, file.id, newVersion("x2"));
    const folder = await addFolder(store, root, "b", { storageId: "y" });
    const kept = await addFile(store, root, "kept", { storageId: "kept" });
    for (const { id } of [file, folder]) await store.remove(TENANT, id);
    const refused = async (): Promise<void> => {
      for (const storageId of ["x", "x2"]) {
        await rejects(addFile(other, root, "a", { storageId }), "conflict");
        await rejects(other.addVersion(TENANT, kept.id, newVersion(storageId)), "conflict");
      }
      await rejects(addFolder(other, root, "b", { storageId: "y" }), "conflict");
      await rejects(other.root("another", "y"), "conflict");
    };
    await refused();
    await store.sweep(async () => {
      await refused();
      throw new Error("The storage is unreachable.");
    });
    await refused();
    assert.equal((await swept(other)).length, 3);
    await addFile(other, root, "a", { storageId: "x" });
    await addFolder(other, root, "b", { storageId: "y" });
    await other.addVersion(TENANT, kept.id, newVersion("x2"));
  },

  "a file that another tenant refers to is not a leftover": async ({ store, other }) => {
    const root = await rootId(store);
    const elsewhere = await rootId(other, "another");
    const mine = await addFile(store, root, "a", { storageId: "x" });
    const theirs = await addFile(other, elsewhere, "a", { storageId: "x", tenant: "another" });
    await store.remove(TENANT, mine.id);
    assert.deepEqual(await swept(store), []);
    await other.remove("another", theirs.id);
    assert.deepEqual(await swept(store), ["file x"]);
  },

  "concurrent sweeps never share a leftover, and discard a folder only after its files": async ({
    store,
    other,
  }) => {
    const root = await rootId(store);
    const { id } = await addFolder(store, root, "d", { storageId: "d" });
    const files = [];
    for (let n = 0; n < 120; n++)
      files.push(await addFile(store, id, `f${n}`, { storageId: `d/${n}` }));
    for (const file of files) await store.remove(TENANT, file.id);
    await store.remove(TENANT, id);
    const gone: string[] = [];
    let inHand = 0;
    const discard = async (leftover: Parameters<typeof inWords>[0]): Promise<void> => {
      inHand += 1;
      await new Promise((done) => setTimeout(done, 1));
      inHand -= 1;
      if (leftover.type === "folder") assert.equal(inHand, 0);
      gone.push(inWords(leftover));
    };
    await Promise.all([store.sweep(discard), other.sweep(discard), store.sweep(discard)]);
    assert.equal(gone.length, 121);
    assert.equal(new Set(gone).size, 121);
    assert.equal(gone.at(-1), "folder d");
    assert.deepEqual(await swept(other), []);
  },

  "after ten minutes, another sweep may take over a leftover": async ({
    store,
    other,
    fixture,
  }) => {
    const root = await rootId(store);
    const { id } = await addFile(store, root, "a", { storageId: "x" });
    await store.remove(TENANT, id);
    const stuck = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const sweeping = store.sweep(() => {
      begun.resolve();
      return stuck.promise;
    });
    await begun.promise;
    await fixture.pass(TEN_MINUTES - 60_000);
    assert.deepEqual(await swept(other), []);
    await fixture.pass(2 * 60_000);
    assert.deepEqual(await swept(other), ["file x"]);
    stuck.resolve();
    await sweeping;
    assert.deepEqual(await swept(other), []);
  },
};
