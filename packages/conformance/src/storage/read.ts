import assert from "node:assert/strict";
import {
  file,
  folder as folderRef,
  listAll,
  namesIn,
  OUTSIDE,
  rejects,
  sameBytes,
  sha256,
  text,
} from "../assertions.ts";
import { type StorageCase, secondHandle } from "./fixture.ts";

const FIVE = ["b.docx", "a.docx", "Z.docx", "ä.docx", "c d.docx"] as const;

/** The cases about reading, listing and removing, by name. */
export const readCases: Readonly<Record<string, StorageCase>> = {
  "read returns the bytes and the metadata of a file": async ({ storage, folder }) => {
    const bytes = text("one");
    const { ref, version } = await storage.create(folder, "a.docx", bytes);
    const read = await storage.read(ref);
    sameBytes(read.bytes, bytes);
    assert.deepEqual(
      { ...read, bytes: null },
      { ref, version, name: "a.docx", size: 3, sha256: sha256(bytes), bytes: null },
    );
  },

  "read with the current version returns the file": async ({ storage, folder }) => {
    const { ref, version } = await storage.create(folder, "a.docx", text("one"));
    const read = await storage.read(ref, { version });
    assert.equal(read.version, version);
    sameBytes(read.bytes, text("one"));
  },

  "read with an unknown version rejects not_found": async ({ storage, folder }) => {
    const { ref } = await storage.create(folder, "a.docx", text("one"));
    await rejects(storage.read(ref, { version: "no-such-version" }), "not_found");
  },

  "read of a missing file rejects not_found": async ({ storage, folder }) => {
    await rejects(storage.read(file(`${folder.id}/missing.docx`)), "not_found");
    await rejects(storage.read(file(`${folder.id}/no/such/path.docx`)), "not_found");
  },

  "read of a folder's id rejects not_found": async ({ storage, folder }) => {
    await storage.create(folder, "a.docx", text("one"));
    await rejects(storage.read(file(folder.id)), "not_found");
  },

  "read below a file rejects not_found": async ({ storage, folder }) => {
    const { ref } = await storage.create(folder, "a.docx", text("one"));
    await rejects(storage.read(file(`${ref.id}/b.docx`)), "not_found");
  },

  "changing the bytes that read returned does not change the file": async ({ storage, folder }) => {
    const { ref } = await storage.create(folder, "a.docx", text("one"));
    (await storage.read(ref)).bytes.fill(0);
    sameBytes((await storage.read(ref)).bytes, text("one"));
  },

  "stat returns the same as create": async ({ storage, folder }) => {
    const info = await storage.create(folder, "a.docx", text("one"));
    assert.deepEqual(await storage.stat(info.ref), info);
  },

  "stat of anything that is not a file returns null": async ({ storage, folder }) => {
    const { ref } = await storage.create(folder, "a.docx", text("one"));
    for (const id of [`${folder.id}/missing.docx`, folder.id, `${ref.id}/b.docx`]) {
      assert.equal(await storage.stat(file(id)), null, id);
    }
  },

  "list of an empty folder returns nothing": async ({ storage, folder }) => {
    assert.deepEqual(await storage.list(folder), { entries: [], nextMarker: null });
  },

  "list returns every file once, in the same order with any page size": async ({
    storage,
    folder,
  }) => {
    for (const name of FIVE) await storage.create(folder, name, text(name));
    const first = await storage.list(folder, { limit: 2 });
    assert.equal(first.entries.length, 2);
    assert.notEqual(first.nextMarker, null);
    const entries = await listAll(storage, folder, 2);
    assert.deepEqual(entries.map(({ name }) => name).sort(), [...FIVE].sort());
    assert.deepEqual(await listAll(storage, folder, 2), entries);
    assert.deepEqual(await storage.list(folder), { entries, nextMarker: null });
    assert.deepEqual(await storage.list(folder, { limit: 5 }), { entries, nextMarker: null });
  },

  "list returns refs that can be read": async ({ storage, folder }) => {
    for (const name of FIVE) await storage.create(folder, name, text(name));
    for (const { ref, name } of (await storage.list(folder)).entries) {
      assert.equal(ref.type, "file");
      sameBytes((await storage.read(file(ref.id))).bytes, text(name));
    }
  },

  "list returns folders too, but not their contents": async ({ storage, folder, parent }) => {
    await storage.create(folder, "inside.docx", text("one"));
    await storage.create(parent, "beside.docx", text("two"));
    const entries = await listAll(storage, parent, 1);
    const found = entries.filter(({ ref }) => ref.type === "folder" && ref.id === folder.id);
    assert.equal(found.length, 1);
    assert.equal(found[0]?.name, folder.id.slice(folder.id.lastIndexOf("/") + 1));
    assert.ok(entries.some(({ ref, name }) => ref.type === "file" && name === "beside.docx"));
    assert.ok(!entries.some(({ name }) => name.includes("inside.docx")));
  },

  "list rejects a limit that is not a positive integer": async ({ storage, folder }) => {
    await storage.create(folder, "a.docx", text("one"));
    for (const limit of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      await rejects(storage.list(folder, { limit }), "invalid_request");
    }
  },

  "a change by another handle shows in the next call": async (place) => {
    const { storage, folder } = place;
    const other = await secondHandle(place);
    const { ref } = await storage.create(folder, "a.docx", text("one"));
    sameBytes((await storage.read(ref)).bytes, text("one"));
    assert.equal((await storage.stat(ref))?.size, 3);
    assert.deepEqual(await namesIn(storage, folder), ["a.docx"]);
    await other.remove(ref);
    assert.equal(await storage.stat(ref), null);
    assert.equal(await storage.find(folder, "a.docx"), null);
    await rejects(storage.read(ref), "not_found");
    assert.deepEqual(await namesIn(storage, folder), []);
    const again = await other.create(folder, "a.docx", text("other"));
    sameBytes((await storage.read(again.ref)).bytes, text("other"));
    assert.equal((await storage.stat(again.ref))?.size, 5);
    assert.equal((await storage.find(folder, "a.docx"))?.size, 5);
    assert.deepEqual(await namesIn(storage, folder), ["a.docx"]);
  },

  "list of a missing folder rejects not_found": async ({ storage, folder }) => {
    const { ref } = await storage.create(folder, "a.docx", text("one"));
    await rejects(storage.list(folderRef(`${folder.id}/missing`)), "not_found");
    await rejects(storage.list(folderRef(ref.id)), "not_found");
  },

  "remove removes the file, and may be called twice": async ({ storage, folder }) => {
    const { ref, version } = await storage.create(folder, "a.docx", text("one"));
    await storage.create(folder, "b.docx", text("two"));
    await storage.remove(ref);
    await storage.remove(ref);
    assert.equal(await storage.stat(ref), null);
    await rejects(storage.read(ref), "not_found");
    await rejects(storage.read(ref, { version }), "not_found");
    assert.deepEqual(await namesIn(storage, folder), ["b.docx"]);
  },

  "remove of a folder's id removes nothing": async ({ storage, folder }) => {
    await storage.create(folder, "a.docx", text("one"));
    await storage.remove(file(folder.id));
    assert.deepEqual(await namesIn(storage, folder), ["a.docx"]);
  },

  "ids outside the storage are forbidden": async ({ storage }) => {
    for (const id of OUTSIDE) {
      await rejects(storage.read(file(id)), "forbidden");
      await rejects(storage.stat(file(id)), "forbidden");
      await rejects(storage.remove(file(id)), "forbidden");
      await rejects(storage.list(folderRef(id)), "forbidden");
      await rejects(storage.create(folderRef(id), "a.docx", text("one")), "forbidden");
    }
  },

  "an aborted signal rejects reading, listing and removing": async ({ storage, folder }) => {
    const { ref } = await storage.create(folder, "a.docx", text("one"));
    const signal = AbortSignal.abort(new Error("enough"));
    await rejects(storage.read(ref, { signal }), "aborted");
    await rejects(storage.stat(ref, { signal }), "aborted");
    await rejects(storage.list(folder, { signal }), "aborted");
    await rejects(storage.remove(ref, { signal }), "aborted");
    sameBytes((await storage.read(ref)).bytes, text("one"));
  },
};
