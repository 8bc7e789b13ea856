import assert from "node:assert/strict";
import { rejects } from "../assertions.ts";
import {
  addFile,
  addFolder,
  type FileCatalogCases,
  namesOf,
  newVersion,
  rootId,
  TENANT,
} from "./fixture.ts";

/** The cases about versions, names and closing, by name. */
export const changeCases: FileCatalogCases = {
  "the last added version is the current one, and versions are listed newest first": async ({
    store,
    other,
    fixture,
  }) => {
    const root = await rootId(store);
    const file = await addFile(store, root, "a.docx", { storageId: "x1" });
    await fixture.pass(1000);
    const second = await other.addVersion(TENANT, file.id, newVersion("x2", { createdBy: "u" }));
    const third = await store.addVersion(TENANT, file.id, newVersion("x3", { size: 7 }));
    assert.deepEqual([second.versions, third.versions], [2, 3]);
    assert.deepEqual(third, {
      ...file,
      version: third.version,
      versions: 3,
      modifiedAt: third.version.createdAt,
    });
    assert.ok(third.modifiedAt > file.modifiedAt - 60_000);
    assert.deepEqual(await other.find(TENANT, { id: file.id }), third);
    const all = [third.version, second.version, file.version];
    assert.deepEqual(await other.versions(TENANT, file.id), all);
    for (const version of all) {
      assert.deepEqual(await other.versions(TENANT, file.id, version.id), [version]);
    }
    for (const storageId of ["x1", "x2", "x3"]) {
      assert.deepEqual(await other.find(TENANT, { type: "file", storageId }), third);
    }
  },

  "lists no versions for an unknown version id": async ({ store, other }) => {
    const root = await rootId(store);
    const [a, b] = [await addFile(store, root, "a"), await addFile(store, root, "b")];
    assert.deepEqual(await other.versions(TENANT, a.id, b.version.id), []);
    assert.deepEqual(await other.versions(TENANT, a.id, "none"), []);
  },

  "versions of one file may share a file of the storage, but not with another file": async ({
    store,
    other,
  }) => {
    const root = await rootId(store);
    const a = await addFile(store, root, "a", { storageId: "x" });
    const b = await addFile(store, root, "b", { storageId: "y" });
    const changed = newVersion("x", { storageVersion: "v2" });
    const again = await other.addVersion(TENANT, a.id, changed);
    assert.deepEqual([again.version.storageVersion, again.versions], ["v2", 2]);
    await rejects(other.addVersion(TENANT, b.id, newVersion("x")), "conflict");
    await other.addVersion(TENANT, b.id, newVersion("z"));
    await rejects(other.addVersion(TENANT, a.id, newVersion("y")), "conflict");
    await rejects(addFile(other, root, "c", { storageId: "y" }), "conflict");
    assert.equal((await store.versions(TENANT, b.id)).length, 2);
  },

  "keeps all versions that are added concurrently": async ({ store, other }) => {
    const file = await addFile(store, await rootId(store), "a", { storageId: "x" });
    const added = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        (n % 2 === 0 ? store : other).addVersion(TENANT, file.id, newVersion(`x${n}`)),
      ),
    );
    const counts = added.map(({ versions }) => versions).sort((a, b) => a - b);
    assert.deepEqual(
      counts,
      Array.from({ length: 20 }, (_, n) => n + 2),
    );
    const all = await other.versions(TENANT, file.id);
    assert.equal(new Set(all.map(({ id }) => id)).size, 21);
    const newest = added.find(({ versions }) => versions === 21);
    assert.deepEqual(all[0], newest?.version);
  },

  "rejects versions for anything that is not a file of the tenant": async ({ store }) => {
    const root = await rootId(store);
    const folder = await addFolder(store, root, "a");
    for (const id of [folder.id, root, "none"]) {
      await rejects(store.versions(TENANT, id), "not_found");
      await rejects(store.addVersion(TENANT, id, newVersion("x")), "not_found");
    }
  },

  "a renamed entry keeps its id and frees its old name": async ({ store, other, fixture }) => {
    const root = await rootId(store);
    const file = await addFile(store, root, "b.docx", { storageId: "x" });
    const folder = await addFolder(store, root, "b", { storageId: "y" });
    await fixture.pass(1000);
    const renamed = await store.rename(TENANT, file.id, "Z.docx");
    assert.ok(renamed.type === "file");
    const { modifiedAt } = renamed;
    assert.deepEqual(renamed, { ...file, name: "Z.docx", modifiedAt });
    assert.deepEqual(await other.find(TENANT, { id: file.id }), renamed);
    assert.deepEqual(await other.find(TENANT, { parentId: root, name: "z.DOCX" }), renamed);
    assert.equal(await other.find(TENANT, { parentId: root, name: "b.docx" }), null);
    assert.deepEqual(await store.rename(TENANT, folder.id, "c"), { ...folder, name: "c" });
    await addFile(other, root, "b.docx", { storageId: "new" });
    const { items } = await other.list(TENANT, root, { limit: 10 });
    assert.deepEqual(namesOf(items), ["c", "b.docx", "Z.docx"]);
  },

  "rejects a name that another entry has, but accepts another form of the entry's name": async (
    place,
  ) => {
    const { store, other } = place;
    const root = await rootId(store);
    const file = await addFile(store, root, "a");
    await addFolder(store, root, "B");
    await rejects(other.rename(TENANT, file.id, "b"), "conflict");
    assert.equal((await other.rename(TENANT, file.id, "A")).name, "A");
    assert.deepEqual(namesOf((await store.list(TENANT, root, { limit: 10 })).items), ["B", "A"]);
  },

  "if twenty entries are renamed to one name concurrently, exactly one succeeds": async ({
    store,
    other,
  }) => {
    const root = await rootId(store);
    const files = [];
    for (let n = 0; n < 20; n++) files.push(await addFile(store, root, `f${n}`));
    const outcomes = await Promise.allSettled(
      files.map(({ id }, n) => (n % 2 === 0 ? store : other).rename(TENANT, id, "one")),
    );
    assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 1);
    const { items, total } = await other.list(TENANT, root, { limit: 100 });
    assert.equal(total, 20);
    assert.equal(namesOf(items).filter((name) => name === "one").length, 1);
  },

  "does not change a file that differs from the expected state": async ({ store, other }) => {
    const root = await rootId(store);
    const seen = await addFile(store, root, "a", { storageId: "x1" });
    const renamed = await other.rename(TENANT, seen.id, "b", { ifStill: seen });
    await rejects(store.rename(TENANT, seen.id, "c", { ifStill: seen }), "conflict");
    await rejects(store.remove(TENANT, seen.id, { ifStill: seen }), "conflict");
    const late = store.addVersion(TENANT, seen.id, newVersion("x2"), { ifStill: seen });
    await rejects(late, "conflict");
    assert.deepEqual(await other.find(TENANT, { id: seen.id }), renamed);
    assert.ok(renamed.type === "file");
    const ifStill = { versions: renamed.versions, modifiedAt: renamed.modifiedAt };
    const grown = await other.addVersion(TENANT, seen.id, newVersion("x2"), { ifStill });
    await rejects(store.remove(TENANT, seen.id, { ifStill }), "conflict");
    await store.remove(TENANT, seen.id, { ifStill: grown });
    assert.equal(await other.find(TENANT, { id: seen.id }), null);
  },

  "if twenty calls change a file from one expected state, exactly one succeeds": async (place) => {
    const { store, other } = place;
    const seen = await addFile(store, await rootId(store), "a", { storageId: "x" });
    const changes = Array.from({ length: 20 }, (_, n) => {
      const handle = n % 2 === 0 ? store : other;
      return n % 3 === 0
        ? handle.rename(TENANT, seen.id, `b${n}`, { ifStill: seen })
        : handle.addVersion(TENANT, seen.id, newVersion(`x${n}`), { ifStill: seen });
    });
    const outcomes = await Promise.allSettled(changes);
    assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 1);
  },

  "rejects renaming a root or a missing entry": async ({ store }) => {
    await rejects(store.rename(TENANT, await rootId(store), "a"), "conflict");
    await rejects(store.rename(TENANT, "none", "a"), "not_found");
  },

  "a closed catalog rejects every call": async ({ store, fixture }) => {
    if (fixture.close === undefined) return;
    const root = await rootId(store);
    const { id } = await addFile(store, root, "a");
    await fixture.close();
    const calls: (() => Promise<unknown>)[] = [
      () => store.root(TENANT, "x"),
      () => store.find(TENANT, { id }),
      () => store.list(TENANT, root, { limit: 1 }),
      () => addFile(store, root, "b"),
      () => store.addVersion(TENANT, id, newVersion("x")),
      () => store.versions(TENANT, id),
      () => store.rename(TENANT, id, "b"),
      () => store.remove(TENANT, id),
      () => store.sweep(async () => {}),
      () => store.discarded(),
    ];
    for (const call of calls) await rejects(call(), "job_store_failed");
  },
};
