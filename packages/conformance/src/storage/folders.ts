import assert from "node:assert/strict";
import type { FolderRef, Storage } from "@quire/contracts";
import {
  file,
  folder as folderRef,
  listAll,
  namesIn,
  OUTSIDE,
  rejects,
  sameBytes,
  text,
} from "../assertions.ts";
import { type StorageCase, secondHandle } from "./fixture.ts";
import { chunked, turn } from "./samples.ts";

const ILLEGAL_NAMES = ["../x", "a/b", "a\\b", "a\0b", "", ".", ".."] as const;

/** The cases about creating and removing folders, by name. */
export const folderCases: Readonly<Record<string, StorageCase>> = {
  "createFolder makes a folder that takes files and folders": async (place) => {
    const { storage, folder } = place;
    const made = await storage.createFolder(folder, "Müller & Söhne");
    assert.equal(made.type, "folder");
    assert.deepEqual(await namesIn(storage, made), []);
    const within = await storage.createFolder(made, "2026");
    const other = await secondHandle(place);
    const { ref } = await other.create(within, "a.docx", text("one"));
    sameBytes((await storage.read(ref)).bytes, text("one"));
    assert.deepEqual(await entriesIn(other, folder), [[made, "Müller & Söhne"]]);
    assert.deepEqual(await entriesIn(other, made), [[within, "2026"]]);
    assert.deepEqual(await namesIn(other, within), ["a.docx"]);
    assert.equal(await storage.stat(file(made.id)), null);
  },

  "createFolder makes a folder that is listed while it is empty": async (place) => {
    const { storage, folder, listsEmptyFolders = true } = place;
    const made = await storage.createFolder(folder, "made");
    const other = await secondHandle(place);
    assert.deepEqual(await entriesIn(other, folder), listsEmptyFolders ? [[made, "made"]] : []);
  },

  "createFolder does not change an existing folder": async (place) => {
    const { storage, folder } = place;
    const made = await storage.createFolder(folder, "made");
    const { ref } = await storage.create(made, "a.docx", text("one"));
    const other = await secondHandle(place);
    assert.deepEqual(await other.createFolder(folder, "made"), made);
    sameBytes((await storage.read(ref)).bytes, text("one"));
    assert.deepEqual(await entriesIn(storage, folder), [[made, "made"]]);
  },

  "20 concurrent calls of createFolder make one folder": async (place) => {
    const { storage, folder } = place;
    const handles = [storage, await secondHandle(place)] as const;
    const made = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const ref = await handles[index % 2 === 0 ? 0 : 1].createFolder(folder, "made");
        await storage.create(ref, `${index}.docx`, text("one"));
        return ref;
      }),
    );
    for (const ref of made) assert.deepEqual(ref, made[0]);
    assert.equal((await namesIn(storage, made[0] ?? folder)).length, 20);
    assert.deepEqual(await namesIn(storage, folder), ["made"]);
  },

  "createFolder under the name of a file rejects conflict": async ({ storage, folder }) => {
    const { ref } = await storage.create(folder, "a.docx", text("one"));
    await rejects(storage.createFolder(folder, "a.docx"), "conflict");
    sameBytes((await storage.read(ref)).bytes, text("one"));
  },

  "create under the name of a created folder rejects conflict": async ({ storage, folder }) => {
    await storage.createFolder(folder, "made");
    await rejects(storage.create(folder, "made", text("one")), "conflict");
    await rejects(storage.create(folder, "made", chunked(text("one"), [1])), "conflict");
  },

  "if a file and a folder with one name are created concurrently, exactly one succeeds": async (
    place,
  ) => {
    const { storage, folder } = place;
    for (let round = 0; round < 10; round += 1) {
      const name = `${round}`;
      const outcomes = await Promise.allSettled([
        storage.create(folder, name, text("one")),
        storage.createFolder(folder, name),
      ]);
      const lost = outcomes.filter(({ status }) => status === "rejected");
      assert.equal(lost.length, 1);
      for (const { reason } of lost as PromiseRejectedResult[]) {
        await rejects(Promise.reject(reason), "conflict");
      }
    }
  },

  "createFolder in a missing folder rejects not_found": async ({ storage, folder }) => {
    const { ref } = await storage.create(folder, "a.docx", text("one"));
    await rejects(storage.createFolder(folderRef(`${folder.id}/missing`), "b"), "not_found");
    await rejects(storage.createFolder(folderRef(ref.id), "b"), "not_found");
    assert.deepEqual(await namesIn(storage, folder), ["a.docx"]);
  },

  "createFolder with an illegal name rejects item_name_invalid": async (place) => {
    const { storage, folder, parent } = place;
    const before = await namesIn(storage, parent);
    for (const name of ILLEGAL_NAMES) {
      await rejects(storage.createFolder(folder, name), "item_name_invalid");
    }
    assert.deepEqual(await namesIn(storage, folder), []);
    assert.deepEqual(await namesIn(storage, parent), before);
  },

  "createFolder stores a decomposed name in its composed form (NFC)": async (place) => {
    const { storage, folder } = place;
    const composed = "Bücher".normalize("NFC");
    const made = await storage.createFolder(folder, composed.normalize("NFD"));
    assert.deepEqual(await storage.createFolder(folder, composed), made);
    await storage.create(made, "a.docx", text("one"));
    assert.deepEqual(await namesIn(storage, folder), [composed]);
  },

  "removeFolder removes an empty folder, and may be called twice": async (place) => {
    const { storage, folder } = place;
    const made = await storage.createFolder(folder, "made");
    const { ref } = await storage.create(made, "a.docx", text("one"));
    await storage.remove(ref);
    await (await secondHandle(place)).removeFolder(made);
    await storage.removeFolder(made);
    assert.deepEqual(await namesIn(storage, folder), []);
    assert.deepEqual(await storage.createFolder(folder, "made"), made);
    await storage.create(made, "a.docx", text("two"));
    sameBytes((await storage.read(ref)).bytes, text("two"));
  },

  "a removed folder is missing": async ({ storage, folder }) => {
    const made = await storage.createFolder(folder, "made");
    await storage.removeFolder(made);
    await rejects(storage.list(made), "not_found");
    await rejects(storage.create(made, "a.docx", text("one")), "not_found");
    await rejects(storage.create(made, "a.docx", chunked(text("one"), [1])), "not_found");
  },

  "removeFolder of a folder that is not empty rejects conflict": async (place) => {
    const { storage, folder, listsEmptyFolders = true } = place;
    const made = await storage.createFolder(folder, "made");
    const within = await storage.createFolder(made, "within");
    if (listsEmptyFolders) await rejects(storage.removeFolder(made), "conflict");
    const { ref } = await storage.create(within, "a.docx", text("one"));
    await rejects(storage.removeFolder(within), "conflict");
    await rejects(storage.removeFolder(made), "conflict");
    sameBytes((await storage.read(ref)).bytes, text("one"));
  },

  "removeFolder of anything that is not a folder removes nothing": async ({ storage, folder }) => {
    const { ref } = await storage.create(folder, "a.docx", text("one"));
    for (const id of [ref.id, `${ref.id}/below`, `${folder.id}/missing`, `${folder.id}/no/such`]) {
      await storage.removeFolder(folderRef(id));
    }
    assert.deepEqual(await namesIn(storage, folder), ["a.docx"]);
  },

  "a file that is created while its folder is removed is complete, or finds no folder": async (
    place,
  ) => {
    const { storage, folder } = place;
    const other = await secondHandle(place);
    for (let round = 0; round < 10; round += 1) {
      const made = await storage.createFolder(folder, `${round}`);
      const content = round % 2 === 0 ? text("one") : chunked(text("one"), [1], turn);
      const [created, removed] = await Promise.allSettled([
        storage.create(made, "a.docx", content),
        other.removeFolder(made),
      ]);
      if (created.status === "fulfilled") {
        sameBytes((await storage.read(created.value.ref)).bytes, text("one"));
      } else {
        await rejects(Promise.reject(created.reason), "not_found");
      }
      if (removed.status === "rejected") {
        await rejects(Promise.reject(removed.reason), "conflict");
      }
    }
  },

  "folders outside the storage are neither created nor removed": async ({ storage }) => {
    for (const id of OUTSIDE) {
      await rejects(storage.createFolder(folderRef(id), "a"), "forbidden");
      await rejects(storage.removeFolder(folderRef(id)), "forbidden");
    }
  },

  "an aborted signal rejects creating and removing folders": async (place) => {
    const { storage, folder } = place;
    const signal = AbortSignal.abort(new Error("enough"));
    await rejects(storage.createFolder(folder, "made", { signal }), "aborted");
    assert.deepEqual(await namesIn(storage, folder), []);
    const made = await storage.createFolder(folder, "made");
    await rejects(storage.removeFolder(made, { signal }), "aborted");
    await storage.create(made, "a.docx", text("one"));
  },
};

async function entriesIn(
  storage: Storage,
  where: FolderRef,
): Promise<(readonly [unknown, string])[]> {
  return (await listAll(storage, where, 1000)).map(({ ref, name }) => [ref, name] as const);
}
