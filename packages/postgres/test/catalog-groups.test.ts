import { randomBytes } from "node:crypto";
import {
  type CatalogEntry,
  type CatalogKey,
  type FileCatalog,
  type NewCatalogEntry,
  serviceStoreProblems,
} from "@quire/contracts";
import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { makePlace, type Place } from "./support/place.ts";

async function newCatalog(): Promise<{ place: Place; files: FileCatalog; rootId: string }> {
  const place = await makePlace();
  onTestFinished(place.destroy);
  const { files } = place.open();
  return { place, files, rootId: (await files.root("t", "out")).id };
}

function newVersion(storageId: string) {
  return { storageId, storageVersion: "1", size: 1, sha1: null, createdBy: null };
}

function newFile(parentId: string, name: string, storageId = name): NewCatalogEntry {
  return { type: "file", parentId, name, createdBy: null, version: newVersion(storageId) };
}

/** Returns the entry or the error of each call. */
async function outcomesOf(calls: readonly Promise<CatalogEntry>[]): Promise<unknown[]> {
  const outcomes = await Promise.allSettled(calls);
  return outcomes.map((each) => (each.status === "fulfilled" ? each.value : each.reason));
}

test("200 files that are added at once take four statements, and each is found", async () => {
  const { place, files, rootId } = await newCatalog();
  const names = Array.from({ length: 200 }, (_, n) => `${n}`);
  const added = await Promise.all(names.map((name) => files.add("t", newFile(rootId, name))));
  const { rows } = await place.query(
    "SELECT count(DISTINCT xmin::text)::int AS transactions FROM quire.catalog_version",
  );
  expect(rows).toEqual([{ transactions: 4 }]);
  expect(added.map(({ name }) => name)).toEqual(names);
  for (const entry of added) expect(await files.find("t", { id: entry.id })).toEqual(entry);
  expect((await files.list("t", rootId, { limit: 1 })).total).toBe(200);
});

test("each lookup of a group has its own outcome, and 130 at once take three statements", async () => {
  const { files, rootId } = await newCatalog();
  const elsewhere = (await files.root("other", "other")).id;
  const strange = 'back\\slash, {"quoted"}, NULL and 日本';
  const [file, odd] = [
    await files.add("t", newFile(rootId, "A", "place")),
    await files.add("t", newFile(rootId, strange)),
  ];
  const keys: readonly (readonly [tenant: string, key: CatalogKey, found: CatalogEntry | null])[] =
    [
      ["t", { id: file.id }, file],
      ["other", { id: file.id }, null],
      ["t", { id: "none" }, null],
      ["t", { parentId: rootId, name: "a" }, file],
      ["t", { parentId: rootId, name: strange }, odd],
      ["t", { parentId: rootId, name: "NULL" }, null],
      ["t", { parentId: elsewhere, name: "A" }, null],
      ["other", { parentId: rootId, name: "A" }, null],
      ["t", { type: "file", storageId: "place" }, file],
      ["t", { type: "folder", storageId: "place" }, null],
      ["t", { type: "folder", storageId: "out" }, await files.find("t", { id: rootId })],
      ["other", { type: "file", storageId: "place" }, null],
      ["t", { id: file.id }, file],
    ];
  const all = Array.from({ length: 10 }, () => keys).flat();
  const query = vi.spyOn(pg.Client.prototype, "query");
  onTestFinished(() => query.mockRestore());
  const found = await Promise.all(all.map(([tenant, key]) => files.find(tenant, key)));
  expect(query.mock.calls.length).toBe(3);
  expect(found).toEqual(all.map(([, , entry]) => entry));
});

test("each addition of a group has its own outcome", async () => {
  const { files, rootId } = await newCatalog();
  const elsewhere = (await files.root("other", "other")).id;
  await files.add("t", newFile(rootId, "taken"));
  const gone = await files.add("t", newFile(rootId, "gone"));
  await files.remove("t", gone.id);
  const folder = { type: "folder", parentId: rootId, createdBy: null } as const;
  const outcomes = await outcomesOf([
    files.add("t", newFile(rootId, "a")),
    files.add("t", newFile(rootId, "A", "another")),
    files.add("t", newFile(rootId, "b", "a")),
    files.add("t", { ...folder, name: "d", storageId: "a" }),
    files.add("t", newFile(rootId, "TAKEN", "new")),
    files.add("t", newFile(rootId, "c", "taken")),
    files.add("t", newFile(rootId, "gone")),
    files.add("t", newFile("none", "e")),
    files.add("t", newFile(elsewhere, "f")),
    files.add("other", newFile(elsewhere, "a")),
    files.add("t", newFile(rootId, "z")),
  ]);
  expect(outcomes).toEqual([
    expect.objectContaining({ name: "a", tenant: "t", type: "file" }),
    serviceStoreProblems.nameTaken("A"),
    serviceStoreProblems.stoodFor("file", "a"),
    expect.objectContaining({ name: "d", type: "folder", storageId: "a" }),
    serviceStoreProblems.nameTaken("TAKEN"),
    serviceStoreProblems.stoodFor("file", "taken"),
    serviceStoreProblems.leftOver("file", "gone"),
    serviceStoreProblems.noFolder("none"),
    serviceStoreProblems.noFolder(elsewhere),
    expect.objectContaining({ name: "a", tenant: "other", parentId: elsewhere }),
    expect.objectContaining({ name: "z", parentId: rootId }),
  ]);
  expect((await files.list("t", rootId, { limit: 1 })).total).toBe(4);
  expect(await files.use("t")).toEqual({ files: 4, bytes: 3 });
  expect(await files.use("other")).toEqual({ files: 1, bytes: 1 });
  // Refused additions have left nothing.
  await files.add("t", newFile(rootId, "free", "another"));
  await files.add("t", newFile(rootId, "free 2", "new"));
});

test("each version of a group has its own outcome", async () => {
  const { files, rootId } = await newCatalog();
  const [a, b, c, d, gone] = await Promise.all(
    ["a", "b", "c", "d", "gone"].map((name) => files.add("t", newFile(rootId, name))),
  );
  await files.remove("t", gone?.id ?? "");
  const add = (file: CatalogEntry | undefined, storageId: string, tenant = "t", versions = 1) =>
    files.addVersion(tenant, file?.id ?? "none", newVersion(storageId), {
      ifStill: { versions, modifiedAt: file?.type === "file" ? file.modifiedAt : 0 },
    });
  const outcomes = await outcomesOf([
    add(a, "a"),
    add(b, "c"),
    add(c, "gone"),
    add(d, "new", "t", 2),
    add(undefined, "new"),
  ]);
  expect(outcomes).toEqual([
    expect.objectContaining({ id: a?.id, versions: 2 }),
    serviceStoreProblems.stoodFor("file", "c"),
    serviceStoreProblems.leftOver("file", "gone"),
    serviceStoreProblems.changed(d?.id ?? ""),
    serviceStoreProblems.noFile("none"),
  ]);
  expect(await outcomesOf([add(b, "b2", "other"), add(c, "new"), add(d, "new")])).toEqual([
    serviceStoreProblems.noFile(b?.id ?? ""),
    expect.objectContaining({ id: c?.id, versions: 2 }),
    serviceStoreProblems.stoodFor("file", "new"),
  ]);
  expect(await files.use("t")).toEqual({ files: 6, bytes: 6 });
});

test("a name that the database cannot hold does not harm the others of its group", async () => {
  const { files, rootId } = await newCatalog();
  const endless = randomBytes(5000).toString("hex");
  const outcomes = await outcomesOf(
    ["a", endless, "lone \ud800 surrogate", "NUL \0"].map((name) =>
      files.add("t", newFile(rootId, name, name.slice(0, 9))),
    ),
  );
  expect(outcomes).toEqual([
    expect.objectContaining({ name: "a" }),
    expect.objectContaining({ code: "job_store_failed", retryable: false }),
    expect.objectContaining({ name: "lone \ufffd surrogate" }),
    expect.objectContaining({ name: "NUL \0" }),
  ]);
});

test("a storage id may be longer than what an index can hold", async () => {
  const { files, rootId } = await newCatalog();
  const long = randomBytes(4000).toString("hex");
  const [a, b] = [`${long}-a`, `${long}-b`];
  const added = await files.add("t", newFile(rootId, "a", a));
  await files.add("t", newFile(rootId, "b", b));
  expect(await files.find("t", { type: "file", storageId: a })).toEqual(added);
  await expect(files.add("t", newFile(rootId, "c", a))).rejects.toMatchObject({ code: "conflict" });
  await files.remove("t", added.id);
  const swept: string[] = [];
  await files.sweep(async ({ storageId }) => void swept.push(storageId));
  expect(swept).toEqual([a]);
});
